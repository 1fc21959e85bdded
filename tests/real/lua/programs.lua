-- Small programs: queens, matrix product, life, big numbers, heap, string builder, garbage.
local function queens(n)
  local found, columns, up, down = 0, {}, {}, {}
  local function place(row)
    if row > n then found = found + 1; return end
    for c = 1, n do
      if not (columns[c] or up[row + c] or down[row - c]) then
        columns[c], up[row + c], down[row - c] = true, true, true
        place(row + 1)
        columns[c], up[row + c], down[row - c] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end
print("queens", queens(6))
local function multiply(a, b)
  local c = {}
  for i = 1, #a do
    c[i] = {}
    for j = 1, #b[1] do
      local s = 0
      for k = 1, #b do s = s + a[i][k] * b[k][j] end
      c[i][j] = s
    end
  end
  return c
end
local m = { { 1, 1 }, { 1, 0 } }
local p = m
for _ = 1, 30 do p = multiply(p, m) end
print("fibonacci by matrices", p[1][1], p[1][2])
local function life(rows)
  local next_rows = {}
  for y = 1, #rows do
    local line = {}
    for x = 1, #rows[y] do
      local n = 0
      for dy = -1, 1 do
        for dx = -1, 1 do
          if (dx ~= 0 or dy ~= 0) and (rows[y + dy] or ""):sub(x + dx, x + dx) == "#" and x + dx > 0 then n = n + 1 end
        end
      end
      local alive = rows[y]:sub(x, x) == "#"
      line[x] = (n == 3 or (alive and n == 2)) and "#" or "."
    end
    next_rows[y] = table.concat(line)
  end
  return next_rows
end
local world = { ".....", "..#..", "..#..", "..#..", "....." }
print("life", table.concat(life(world), "/"), table.concat(life(life(world)), "/"))
local digits = { 1 }
for i = 2, 40 do
  local carry = 0
  for d = 1, #digits do
    local v = digits[d] * i + carry
    digits[d], carry = v % 10, v // 10
  end
  while carry > 0 do digits[#digits + 1] = carry % 10; carry = carry // 10 end
end
print("factorial", table.concat(digits):reverse())
local heap, random = {}, 12345
local function push(v)
  heap[#heap + 1] = v
  local i = #heap
  while i > 1 and heap[i // 2] > heap[i] do heap[i], heap[i // 2] = heap[i // 2], heap[i]; i = i // 2 end
end
local function pop()
  local top = heap[1]
  heap[1] = heap[#heap]
  heap[#heap] = nil
  local i = 1
  while true do
    local child = 2 * i
    if child > #heap then break end
    if child < #heap and heap[child + 1] < heap[child] then child = child + 1 end
    if heap[i] <= heap[child] then break end
    heap[i], heap[child], i = heap[child], heap[i], child
  end
  return top
end
for _ = 1, 50 do random = (random * 1103515245 + 12345) & 0x7fffffff; push(random % 1000) end
local out = {}
for i = 1, 50 do out[i] = pop() end
print("heap", table.concat(out, " "))
local hash = 5381
for c in ("hash this text"):gmatch(".") do hash = (hash * 33 ~ c:byte()) & 0xffffffff end
print("hash", hash)
local before = collectgarbage("count")
for i = 1, 20000 do local garbage = { i, tostring(i), function() return i end } end
collectgarbage()
collectgarbage("generational")
for i = 1, 20000 do local garbage = { {}, i .. "" } end
collectgarbage("incremental")
collectgarbage()
print("garbage", collectgarbage("count") < before + 1000)
local graph, seen, queue = { a = { "b", "c" }, b = { "d" }, c = { "d", "e" }, d = { "f" }, e = { "f" }, f = {} }, { a = 0 }, { "a" }
while #queue > 0 do
  local node = table.remove(queue, 1)
  for _, other in ipairs(graph[node]) do
    if not seen[other] then seen[other] = seen[node] + 1; queue[#queue + 1] = other end
  end
end
print("distance", seen.f, seen.e)
