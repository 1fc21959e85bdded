-- Tables: array and hash parts, the table library, sorting, iteration.
local t = {}
for i = 1, 100 do t[i] = (i * 37) % 101 end
table.sort(t)
print(#t, t[1], t[50], t[100], table.concat(t, ",", 1, 10))
table.sort(t, function(a, b) return a % 10 < b % 10 or (a % 10 == b % 10 and a < b) end)
print(table.concat(t, " ", 1, 15))
table.insert(t, 1, "first")
table.insert(t, "last")
print(#t, t[1], t[#t], table.remove(t), table.remove(t, 1), #t)
print(table.unpack({ 1, 2, 3 }, 2), select("#", table.unpack({ n = 3 }, 1, 3)), select(-1, "a", "b"))
print(table.concat(table.move({ 1, 2, 3, 4 }, 2, 4, 1), ","), table.pack(1, nil, 3).n)
local keys = { [1] = "int", [1.5] = "float", ["1"] = "string", [true] = "bool", [2 ^ 53] = "big" }
print(keys[1], keys[1.0], keys[1.5], keys["1"], keys[true], keys[2 ^ 53 | 0], keys[false])
local count = 0
for key in pairs(keys) do keys[key] = nil; count = count + 1 end
print(count, next(keys))
local words = {}
for word in ("to be or not to be that is the question"):gmatch("%a+") do words[word] = (words[word] or 0) + 1 end
local order = {}
for word, n in pairs(words) do order[#order + 1] = word .. n end
table.sort(order)
print(table.concat(order, " "))
local holes = { 1, 2, nil, 4 }
print(holes[4], select("#", table.unpack(holes, 1, 4)))
local nested = { { "a", { "b" } }, x = { y = { z = 1 } } }
print(nested[1][2][1], nested.x.y.z, #nested)
print((pcall(function() t[nil] = 1 end)), (pcall(function() t[0 / 0] = 1 end)), pcall(table.concat, { {} }))
print(pcall(table.sort, { 3, 1, "x" }))
