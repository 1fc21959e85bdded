-- Functions: upvalues, varargs, recursion, tail calls, goto, to-be-closed variables.
local function counter()
  local n = 0
  return function() n = n + 1; return n end, function() return n end
end
local up, get = counter()
up(); up()
print(get(), up(), get())
local functions = {}
for i = 1, 3 do functions[i] = function() i = i + 10; return i end end
print(functions[1](), functions[1](), functions[2](), functions[3]())
local function sum(...)
  local total = 0
  for _, value in ipairs({ ... }) do total = total + value end
  return total, select("#", ...), (...)
end
print(sum(1, 2, 3), (sum(4, 5)), sum())
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(20))
local function loop(n) if n == 0 then return "done" end return loop(n - 1) end
print(loop(100000))
local function ackermann(m, n)
  if m == 0 then return n + 1 elseif n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end
print(ackermann(2, 9))
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    io.write(i, j, " ")
    ::continue::
  end
end
print()
do
  local first <close> = setmetatable({}, { __close = function() io.write("first closed\n") end })
  local second <close> = setmetatable({}, { __close = function() io.write("second closed\n") end })
  local fixed <const> = 42
  print("in the block", fixed)
end
local n = 0
repeat local m = n; n = n + 1 until m >= 4
while true do n = n * 2; if n > 50 then break end end
print(n)
print(pcall(function() local function deep() return 1 + deep() end return deep() end) == false)
print((function(...) local a, b = ...; return a, b, ... end)(1, 2, 3))
