-- Integers, floats, their division, shifts, conversions and comparisons.
print(7 // 2, -7 // 2, 7 // -2, -7 // -2, 7 % 3, -7 % 3, 7 % -3, -7 % -3)
print(7 / 2, 2 ^ 10, 7.5 // 2, -7.5 % 2, 1e15, 1e16, 2 ^ 53)
print(math.maxinteger + 1 == math.mininteger, math.mininteger // -1, math.mininteger % -1)
print(0xff, 0x7fffffffffffffff, 0xffffffffffffffff, 0x1p4, 0xA.8p0)
print(1 << 63, 1 << 64, 1 >> 1, -1 >> 63, 1 << -1, 5 & 3, 5 | 3, 5 ~ 3, ~5)
print(1 == 1.0, math.type(1), math.type(1.0), math.type("1"), 1 < 1.5, 2 ^ 63 > math.maxinteger)
print("10" + 5, "3" * "4", 10 .. 20, "0x10" + 0, " 7 " + 0)
print(tostring(1e100), tostring(-0.0), 1 / 0, -1 / 0, (tostring(0 / 0):gsub("-", "")))
print(math.floor(-3.5), math.ceil(-3.5), math.tointeger(3.0), math.tointeger(3.5), math.abs(math.mininteger))
print(math.ult(1, -1), math.fmod(-6, 4), math.fmod(6, -4), math.max(3, 1, 2), math.min(3, 1, 2))
print(tonumber("z", 36), tonumber("ff", 16), tonumber("8", 8), tonumber("1e"), tonumber("  12  "), tonumber("1 2"))
print((select(2, pcall(function() return 1 // 0 end)):gsub("^.*: ", "")))
print((select(2, pcall(function() return 1 < "2" end)):gsub("^.*: ", "")))
print((select(2, pcall(function() return 2 ^ 64 | 0 end)):gsub("^.*: ", "")))
local sum = 0
for i = 1, 100 do sum = sum + i * i end
for x = 1.0, 0.0, -0.25 do sum = sum + x end
for i = math.maxinteger - 2, math.maxinteger do sum = sum + (i & 0xff) end
print(string.format("%.3f %.1f", math.sqrt(2), sum))
