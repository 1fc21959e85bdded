-- A parser and a printer, character by character.
local function parse(text)
  local at = 1
  local value
  local function space() at = text:find("[^ \t\r\n]", at) or #text + 1 end
  local function fail(what) error(what .. " at " .. at, 0) end
  local function expect(c) if text:sub(at, at) ~= c then fail("expected " .. c) end at = at + 1 end
  local function str()
    expect('"')
    local out = {}
    while true do
      local c = text:sub(at, at)
      at = at + 1
      if c == "" then fail("open string") elseif c == '"' then return table.concat(out)
      elseif c == "\\" then
        local e = text:sub(at, at)
        at = at + 1
        if e == "u" then
          out[#out + 1] = utf8.char(tonumber(text:sub(at, at + 3), 16))
          at = at + 4
        else out[#out + 1] = ({ n = "\n", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" })[e] or fail("escape") end
      else out[#out + 1] = c end
    end
  end
  function value()
    space()
    local c = text:sub(at, at)
    if c == "{" then
      local object = {}
      at = at + 1
      space()
      if text:sub(at, at) == "}" then at = at + 1; return object end
      repeat
        space()
        local key = str()
        space()
        expect(":")
        object[key] = value()
        space()
        local more = text:sub(at, at) == ","
        if more then at = at + 1 end
      until not more
      expect("}")
      return object
    elseif c == "[" then
      local array = { n = 0 }
      at = at + 1
      space()
      if text:sub(at, at) == "]" then at = at + 1; return array end
      repeat
        array.n = array.n + 1
        array[array.n] = value()
        space()
        local more = text:sub(at, at) == ","
        if more then at = at + 1 end
      until not more
      expect("]")
      return array
    elseif c == '"' then return str()
    end
    for word, result in pairs({ ["true"] = true, ["false"] = false, null = "null" }) do
      if text:sub(at, at + #word - 1) == word then at = at + #word; return result end
    end
    local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
    if not number then fail("no value") end
    at = at + #number
    return tonumber(number)
  end
  local result = value()
  space()
  if at <= #text then fail("rest") end
  return result
end
local function show(value)
  if type(value) ~= "table" then return type(value) == "string" and string.format("%q", value) or tostring(value) end
  local out = {}
  if value.n then
    for i = 1, value.n do out[i] = show(value[i]) end
    return "[" .. table.concat(out, ",") .. "]"
  end
  for key, inner in pairs(value) do out[#out + 1] = key .. ":" .. show(inner) end
  table.sort(out)
  return "{" .. table.concat(out, ",") .. "}"
end
for _, text in ipairs({
  '{"a": [1, 2.5, -3e2, {"b": null}], "c": "x\\ny\\u20ac", "d": {}, "e": [], "f": true}',
  "[]", " 12 ", '"\\"quoted\\""', "[1,2", '{"a" 1}', "nul", '"open', "[1] 2", '["\\x"]',
}) do
  local ok, result = pcall(parse, text)
  print(ok, ok and show(result) or result)
end
