-- Metatables: operators, indexing, inheritance, calls, weak tables.
local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
Vector.__add = function(a, b) return vector(a.x + b.x, a.y + b.y) end
Vector.__mul = function(a, b) return type(b) == "number" and vector(a.x * b, a.y * b) or a.x * b.x + a.y * b.y end
Vector.__unm = function(a) return vector(-a.x, -a.y) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__lt = function(a, b) return a.x < b.x end
Vector.__le = function(a, b) return a.x <= b.x end
Vector.__len = function(a) return 2 end
Vector.__concat = function(a, b) return tostring(a) .. "&" .. tostring(b) end
Vector.__tostring = function(a) return "(" .. a.x .. "," .. a.y .. ")" end
Vector.__call = function(self, k) return self[k] end
Vector.__idiv = function(a, b) return vector(a.x // b, a.y // b) end
Vector.__band = function(a, b) return vector(a.x & b, a.y & b) end
Vector.__shl = function(a, b) return vector(a.x << b, a.y << b) end
function Vector:length() return (self.x ^ 2 + self.y ^ 2) ^ 0.5 end
local a, b = vector(3, 4), vector(1, 2)
print(tostring(a + b), a * b, tostring(a * 2), tostring(-a), a == vector(3, 4), a ~= b, a < b, a >= b, #a, a .. b, a .. "s")
print(a:length(), a("x"), tostring(a // 2), tostring(a & 1), tostring(a << 3))
local Animal = { sound = "..." }
Animal.__index = Animal
function Animal.new(class, name) return setmetatable({ name = name }, class) end
function Animal:speak() return self.name .. " says " .. self.sound end
local Dog = setmetatable({ sound = "woof" }, { __index = Animal })
Dog.__index = Dog
print(Animal:new("thing"):speak(), Dog:new("rex"):speak(), rawget(Dog, "speak"))
local log = {}
local proxy = setmetatable({}, {
  __index = function(_, key) log[#log + 1] = "get " .. key; return key .. "!" end,
  __newindex = function(t, key, value) log[#log + 1] = "set " .. key; rawset(t, key, value) end,
})
local _ = proxy.a; proxy.b = 1; proxy.b = 2; _ = proxy.b
print(table.concat(log, ", "), proxy.zzz, rawlen({ 1, 2 }), rawequal(a, a))
local weak = setmetatable({}, { __mode = "k" })
weak[{}] = 1; weak[a] = 2
collectgarbage()
local n = 0
for _ in pairs(weak) do n = n + 1 end
print(n, getmetatable("").__index == string, getmetatable(setmetatable({}, { __metatable = "locked" })))
print(pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {}))
local ordered = setmetatable({ 3, 1, 2 }, { __pairs = function(t) return function(_, i) i = i + 1; if t[i] then return i, t[i] end end, t, 0 end })
for i, v in pairs(ordered) do io.write(i, "=", v, " ") end
print()
