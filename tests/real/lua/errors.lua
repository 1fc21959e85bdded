-- Errors: pcall, xpcall, error values and levels, assert, messages of the interpreter, load.
local function message(f, ...) local ok, text = pcall(f, ...); return (tostring(text):gsub("^[^:]*:%d+: ", "")) end
print(message(function() local x = nil; return x.y end))
print(message(function() return undefined.field end))
print(message(function() return ("x")() end))
print(message(function() return {} + 1 end))
print(message(function() return #5 end))
print(message(function() return {} < {} end))
print(message(function() return "a" .. {} end))
print(message(function() for i = 1, 10, 0 do end end))
print(message(function() return 1 & 1.5 end))
print(message(function() return math.tointeger("8"), ("x"):bad() end))
print(message(string.rep), message(setmetatable, 1, {}), message(ipairs))
print(pcall(error, { 1 }), select("#", pcall(error)), pcall(error, nil))
print(pcall(error, "plain", 0), message(assert, false, "asserted"), message(assert, nil), select("#", assert(1, 2, 3)))
print(xpcall(function() error("x", 0) end, function(m) return "handled " .. m end))
print(xpcall(function(...) return select("#", ...) end, print, 1, 2, 3))
print(select(2, xpcall(function() local function a() error("deep") end a() end, function(m) return type(debug.traceback(m)) end)))
for _, source in ipairs({ "x =", "for i = 1 do", "return 'abc", "goto nowhere", "local x <const> = 1; x = 2", "break", "a.b:c = 1", "return 0x", "x = }", "--[[ open", "return '\\q'", "::a:: ::a::" }) do
  print((select(2, load(source, "=chunk"))))
end
print(load("return 1 + ...")(41), type(load(function() return nil end)), load("x", "=c", "b"))
local environment = {}
load("x = 5; y = x * 2", "=c", "t", environment)()
print(environment.x, environment.y, x)
local parts = { "return ", "'pie", "ces'" }
local at = 0
print(load(function() at = at + 1; return parts[at] end)())
local dumped = string.dump(function(a) return a * 2 end)
print(load(dumped, "=d", "b")(21), dumped:sub(2, 4))
print(pcall(load, 5))
print(debug.getinfo(1, "l").currentline > 0, debug.getinfo(print).what)
