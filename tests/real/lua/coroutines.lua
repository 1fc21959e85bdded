-- Coroutines: generators, wrap, status, errors, yielding across pcall, closing.
local function range(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
local total = 0
for i in range(10) do total = total + i end
print(total)
local co = coroutine.create(function(a, b)
  local c = coroutine.yield(a + b)
  local d, e = coroutine.yield(c * 2)
  return d + e
end)
print(coroutine.resume(co, 1, 2))
print(coroutine.status(co), coroutine.resume(co, 10))
print(coroutine.resume(co, 3, 4))
print(coroutine.status(co), coroutine.resume(co))
local failing = coroutine.create(function() error({ code = 7 }) end)
local ok, problem = coroutine.resume(failing)
print(ok, problem.code, coroutine.status(failing))
local protected = coroutine.wrap(function()
  local ok, message = pcall(function() coroutine.yield("inside"); error("after", 0) end)
  coroutine.yield(message)
  return "end", ok
end)
print(protected(), protected(), protected())
local function permutations(items, n, yield)
  n = n or #items
  if n <= 1 then coroutine.yield(table.concat(items)) else
    for i = 1, n do
      items[n], items[i] = items[i], items[n]
      permutations(items, n - 1)
      items[n], items[i] = items[i], items[n]
    end
  end
end
local all = {}
for p in coroutine.wrap(function() permutations({ "a", "b", "c", "d" }) end) do all[#all + 1] = p end
print(#all, all[1], all[24], table.concat(all, " ", 1, 6))
local closing = coroutine.create(function()
  local x <close> = setmetatable({}, { __close = function() print("closed") end })
  coroutine.yield(1)
end)
coroutine.resume(closing)
print(coroutine.close(closing), coroutine.status(closing), coroutine.isyieldable(), select(2, coroutine.running()))
local sieve = coroutine.wrap(function()
  local composite = {}
  for n = 2, 100 do
    if not composite[n] then
      coroutine.yield(n)
      for m = n * n, 100, n do composite[m] = true end
    end
  end
end)
local primes = {}
for p in sieve do primes[#primes + 1] = p end
print(table.concat(primes, " "))
