-- The string library: searching, replacing, formatting, packing.
local s = "The quick brown fox jumps over the lazy dog"
print(#s, s:upper(), s:lower():sub(5, 9), s:sub(-3), s:sub(0, 3), s:rep(2, "|"):len(), s:reverse():sub(1, 3))
print(s:find("quick"), s:find("o", 15), s:find("o.", 1, true), s:find("%s%w+$"))
print(s:match("(%w+) (%w+)"), s:match("()fox()"), s:gsub("%w+", string.upper, 2))
print(("a,b,,c"):gsub(",", ";"), ("hello"):gsub("", "-"), ("abc"):gsub("%w", { a = "1", b = false, c = false }))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"))
print(("[[x]]"):gsub("[%[%]]", "%%"), ("x^y"):gsub("%^", "**"), ("abc"):gsub(".", "%0%0"), ("frontier THE"):gsub("%f[%a]%a+", "<%0>"))
for word, number in ("one=1, two=2, three=3"):gmatch("(%w+)=(%d+)") do io.write(word, ":", number + 1, " ") end
print()
print(string.format("%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%e|%g|%a", 42, 42, 42, 42, 255, 255, 8, 65, 12345.678, 0.0001, 0.5))
print(string.format("%q", 'a\n"b"\0c\\'), string.format("%-10s|%10s|%.2s", "left", "right", "cut"), string.format("%i%%", 50))
print(("\65\066\x43\u{48}\z
       \u{20AC}"):byte(1, -1))
print(string.char(72, 101, 108, 108, 111), ("x"):byte(10), ("%d"):rep(3, ","))
print(("\1\2\3"):byte(-1), string.pack("<i4", 100):byte(1, -1))
print(string.unpack("<i2>I3z", string.pack("<i2>I3z", -2, 70000, "zero")))
print(string.pack("<d", 1.5):byte(1, -1), string.packsize("i4i8"))
print(utf8.char(228, 8364, 128512), utf8.len("äöü€"), utf8.codepoint("€", 1), utf8.offset("äöü", 3), utf8.len("\xff"))
for position, code in utf8.codes("aé€") do io.write(position, "=", code, " ") end
print()
print("a" < "b", "a" < "B", "" < "a", "abc" < "abd", "Z" < "a", "10" < "9")
print(pcall(string.rep, "x", -1), pcall(string.format, "%d", 1.5), pcall(string.find, "a", "[a"))
