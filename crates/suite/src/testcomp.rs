//! The exchange format of Test-Comp, version 1.1: `metadata.xml` and a file a test, with the values of
//! `__VERIFIER_nondet_*` as decimal text in the order of the calls.

use crate::error::{Error, read};
use crate::import::VALUES;
use crate::source::Source;
use crate::text::hex;
use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_xml_entity};
use quick_xml::events::{BytesStart, Event};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

const METADATA_DTD: &str = concat!(
    r#"<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" "#,
    r#""https://sosy-lab.org/test-format/test-metadata-1.1.dtd">"#
);
const TESTCASE_DTD: &str = concat!(
    r#"<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "#,
    r#""https://sosy-lab.org/test-format/testcase-1.1.dtd">"#
);
const XML: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>"#;

/// All branches.
pub const COVER_BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
/// The call that must not be reached.
pub const COVER_ERROR: &str = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )";

/// What a suite says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    pub specification: String,
    pub program_file: String,
    /// SHA-256 of the program, hexadecimal.
    pub program_hash: String,
    pub entry_function: String,
    /// `64bit` or `32bit`
    pub architecture: String,
    /// ISO 8601
    pub creation_time: String,
}

impl Metadata {
    /// Of a suite for the source file `program`, entered at `main`, on a machine like ours.
    pub fn of(program: &Path, specification: &str, creation_time: &str) -> Result<Metadata, Error> {
        Ok(Metadata {
            specification: specification.to_owned(),
            program_file: program.display().to_string(),
            program_hash: hex(&Sha256::digest(read(program)?)),
            entry_function: "main".into(),
            architecture: "64bit".into(),
            creation_time: creation_time.to_owned(),
        })
    }
}

pub fn metadata(metadata: &Metadata) -> String {
    let fields = [
        ("sourcecodelang", "C"),
        ("producer", concat!("Offshoot ", env!("CARGO_PKG_VERSION"))),
        ("specification", &metadata.specification),
        ("programfile", &metadata.program_file),
        ("programhash", &metadata.program_hash),
        ("entryfunction", &metadata.entry_function),
        ("architecture", &metadata.architecture),
        ("creationtime", &metadata.creation_time),
    ];
    let fields = fields.map(|(name, value)| format!("  <{name}>{}</{name}>\n", escape(value)));
    format!("{XML}\n{METADATA_DTD}\n<test-metadata>\n{}</test-metadata>\n", fields.concat())
}

/// How the values that a `__VERIFIER_nondet_` function gives are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Bool,
    Float,
}

/// Name of the function, its C type, what a value is and its size.
const TYPES: [(&str, &str, Kind, usize); 30] = [
    ("char", "char", Kind::Signed, 1),
    ("schar", "signed char", Kind::Signed, 1),
    ("uchar", "unsigned char", Kind::Unsigned, 1),
    ("unsigned_char", "unsigned char", Kind::Unsigned, 1),
    ("short", "short", Kind::Signed, 2),
    ("ushort", "unsigned short", Kind::Unsigned, 2),
    ("int", "int", Kind::Signed, 4),
    ("uint", "unsigned int", Kind::Unsigned, 4),
    ("unsigned", "unsigned int", Kind::Unsigned, 4),
    ("unsigned_int", "unsigned int", Kind::Unsigned, 4),
    ("long", "long", Kind::Signed, 8),
    ("ulong", "unsigned long", Kind::Unsigned, 8),
    ("longlong", "long long", Kind::Signed, 8),
    ("ulonglong", "unsigned long long", Kind::Unsigned, 8),
    ("loff_t", "loff_t", Kind::Signed, 8),
    ("size_t", "size_t", Kind::Unsigned, 8),
    ("pointer", "void *", Kind::Unsigned, 8),
    ("pchar", "char *", Kind::Unsigned, 8),
    ("float", "float", Kind::Float, 4),
    ("double", "double", Kind::Float, 8),
    ("u8", "unsigned char", Kind::Unsigned, 1),
    ("u16", "unsigned short", Kind::Unsigned, 2),
    ("u32", "unsigned int", Kind::Unsigned, 4),
    ("u64", "unsigned long", Kind::Unsigned, 8),
    ("bool", "_Bool", Kind::Bool, 1),
    ("_Bool", "_Bool", Kind::Bool, 1),
    // Spellings of other tools.
    ("int", "signed int", Kind::Signed, 4),
    ("uint", "unsigned", Kind::Unsigned, 4),
    ("long", "long int", Kind::Signed, 8),
    ("ulong", "unsigned long int", Kind::Unsigned, 8),
];

/// The values of a harness, or why they have no form here.
pub fn testcase<'a>(
    values: impl IntoIterator<Item = (&'a Source, &'a [u8])>,
    covers_error: bool,
) -> Result<String, String> {
    let mut inputs = String::new();
    for (source, bytes) in values {
        let Source::Nondet { name, number } = source else { return Err(format!("{source} is no value of a harness")) };
        let known = TYPES.iter().find(|(function, ..)| function.as_bytes() == name);
        let Some(&(function, ctype, kind, size)) = known else {
            return Err(format!("{source} is of no type that Test-Comp knows"));
        };
        let value = decimal(bytes, kind, size);
        inputs += &format!("  <input variable=\"{function}#{number}\" type=\"{ctype}\">{value}</input>\n");
    }
    let attribute = if covers_error { " coversError=\"true\"" } else { "" };
    Ok(format!("{XML}\n{TESTCASE_DTD}\n<testcase{attribute}>\n{inputs}</testcase>\n"))
}

/// Missing bytes are 0, as they are for the harness.
fn decimal(bytes: &[u8], kind: Kind, size: usize) -> String {
    let mut raw = [0u8; 8];
    let given = bytes.len().min(size);
    raw[..given].copy_from_slice(&bytes[..given]);
    let value = u64::from_le_bytes(raw);
    let spare = 64 - 8 * size as u32;
    match kind {
        Kind::Signed => (((value << spare) as i64) >> spare).to_string(),
        Kind::Unsigned => value.to_string(),
        Kind::Bool => u8::from(value != 0).to_string(),
        // The shortest text that gives the same number back.
        Kind::Float if size == 4 => format!("{:?}", f32::from_bits(value as u32)).to_lowercase(),
        Kind::Float => format!("{:?}", f64::from_bits(value)).to_lowercase(),
    }
}

/// A value of somebody's test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub source: Source,
    pub bytes: Vec<u8>,
    pub type_of: TypeOf,
}

/// How we know which function a value is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeOf {
    /// The file says it.
    Said,
    /// It does not; `int` was assumed, or a wider type where it does not fit.
    Unsaid,
    /// It names a type that we do not know; the same was assumed.
    Unknown(String),
}

impl TypeOf {
    /// The name of a type that is not known.
    pub fn unknown(&self) -> Option<String> {
        match self {
            TypeOf::Unknown(name) => Some(format!("{name:?}")),
            TypeOf::Said | TypeOf::Unsaid => None,
        }
    }
}

/// Whether the root of this beginning of an XML file is one of the format's.
pub fn is_ours(head: &[u8]) -> bool {
    let mut reader = Reader::from_reader(head);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                return matches!(tag.name().as_ref(), b"testcase" | b"test-metadata");
            }
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// The values of a `testcase` file in order; `Ok(None)` for a file of the format that is not a test (metadata).
pub fn parse(text: &[u8]) -> Result<Option<Vec<Value>>, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut reader = Reader::from_str(text);
    // <input/> says what <input></input> says.
    reader.config_mut().expand_empty_elements = true;
    let mut values: Vec<Value> = Vec::new();
    let mut counts = HashMap::new();
    let (mut depth, mut current, mut content) = (0, None, String::new());
    loop {
        let event = reader.read_event().map_err(|error| format!("no XML: {error}"))?;
        match event {
            Event::Start(tag) => {
                depth += 1;
                match (depth, tag.name().as_ref()) {
                    (1, b"testcase") => {}
                    (1, b"test-metadata") => return Ok(None),
                    (1, other) => return Err(format!("<{}> instead of <testcase>", String::from_utf8_lossy(other))),
                    (2, b"input") => current = Some(attributes(&tag)?),
                    _ => {}
                }
                content.clear();
            }
            Event::Text(text) => content += &text.decode().map_err(|error| error.to_string())?,
            Event::CData(text) => content += &text.decode().map_err(|error| error.to_string())?,
            Event::GeneralRef(name) => match name.resolve_char_ref() {
                Ok(Some(character)) => content.push(character),
                _ => {
                    let name = name.decode().map_err(|error| error.to_string())?;
                    content += resolve_xml_entity(&name).ok_or_else(|| format!("unknown entity &{name};"))?;
                }
            },
            Event::End(_) => {
                depth -= 1;
                if let Some(said) = current.take() {
                    if values.len() == VALUES {
                        return Err(format!("too large: it has more than {VALUES} values"));
                    }
                    values.push(value(content.trim(), &said, &mut counts)?);
                }
                if depth == 0 {
                    return Ok(Some(values));
                }
            }
            Event::Eof => return Err("it ends before its root element does".into()),
            _ => {}
        }
    }
}

/// What an `<input>` says of its value.
#[derive(Default)]
struct Said {
    variable: Option<String>,
    ctype: Option<String>,
}

fn attributes(tag: &BytesStart) -> Result<Said, String> {
    let mut said = Said::default();
    // Whoever looks for doubles compares all of them.
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| format!("no XML: {error}"))?;
        let value = attribute.unescape_value().map_err(|error| format!("no XML: {error}"))?.into_owned();
        match attribute.key.as_ref() {
            b"variable" => said.variable = Some(value),
            b"type" => said.ctype = Some(value),
            _ => {}
        }
    }
    Ok(said)
}

/// `counts`: how many values each function has already.
fn value(text: &str, said: &Said, counts: &mut HashMap<&str, u32>) -> Result<Value, String> {
    // Our own files name the function by the variable; the type is what most others give.
    let function = said.variable.as_deref().and_then(|variable| variable.split_once('#')).map(|(name, _)| name);
    let by_function = function.and_then(|name| TYPES.iter().find(|(function, ..)| *function == name));
    let by_type = said
        .ctype
        .as_deref()
        .and_then(|name| TYPES.iter().find(|(function, ctype, ..)| *ctype == name || *function == name));
    let stated = by_function.or(by_type);
    let guesses = ["int", "uint", "longlong", "ulonglong", "double"];
    let candidates: Vec<_> = match stated {
        Some(known) => vec![known],
        None => guesses.iter().filter_map(|name| TYPES.iter().find(|(function, ..)| function == name)).collect(),
    };
    let fits =
        candidates.iter().find_map(|&&(name, _, kind, size)| Some((name, encode(text, kind, size, stated.is_none())?)));
    let (name, bytes) = fits.ok_or_else(|| match stated {
        Some((_, ctype, ..)) => format!("{text:?} is no value of type {ctype}"),
        None => format!("{text:?} is no number"),
    })?;
    let count = counts.entry(name).or_default();
    *count += 1;
    let source = Source::Nondet { number: *count - 1, name: name.into() };
    let type_of = match (stated, &said.ctype) {
        (Some(_), _) => TypeOf::Said,
        (None, Some(unknown)) => TypeOf::Unknown(unknown.clone()),
        (None, None) => TypeOf::Unsaid,
    };
    Ok(Value { source, bytes, type_of })
}

fn encode(text: &str, kind: Kind, size: usize, is_guess: bool) -> Option<Vec<u8>> {
    let bare =
        text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).filter(|bare| bare.chars().count() == 1);
    let number = || -> Option<i128> {
        if let Some(character) = bare.and_then(|bare| bare.chars().next()) {
            return Some(i128::from(u32::from(character)));
        }
        let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
        hex.map_or_else(|| digits.parse::<i128>(), |hex| i128::from_str_radix(hex, 16)).ok()?.checked_mul(sign)
    };
    let bits = 8 * size as u32;
    match kind {
        Kind::Float if size == 4 => Some(text.trim_end_matches(['f', 'F']).parse::<f32>().ok()?.to_le_bytes().to_vec()),
        Kind::Float => Some(text.parse::<f64>().ok()?.to_le_bytes().to_vec()),
        Kind::Bool => match text {
            "true" => Some(vec![1]),
            "false" => Some(vec![0]),
            _ => Some(vec![u8::from(number()? != 0)]),
        },
        Kind::Signed | Kind::Unsigned => {
            let number = number()?;
            let (signed, unsigned) = (-(1i128 << (bits - 1))..1 << (bits - 1), 0..1i128 << bits);
            // Where the type is known the other sign is let through: 255 for a char, -1 for a size_t.
            let fits = match kind {
                _ if !is_guess => signed.contains(&number) || unsigned.contains(&number),
                Kind::Signed => signed.contains(&number),
                _ => unsigned.contains(&number),
            };
            fits.then(|| number.to_le_bytes()[..size].to_vec())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nondet(name: &str, number: u32) -> Source {
        Source::Nondet { name: name.into(), number }
    }

    #[test]
    fn a_testcase_is_as_the_format_wants_it() {
        let values = [
            (nondet("int", 0), vec![0xFB, 0xFF, 0xFF, 0xFF]),
            (nondet("uchar", 0), vec![200]),
            (nondet("int", 1), vec![7]),
            (nondet("double", 0), 0.1f64.to_le_bytes().to_vec()),
            (nondet("bool", 0), vec![9]),
        ];
        let text = testcase(values.iter().map(|(source, bytes)| (source, &bytes[..])), true);
        assert_eq!(
            text.as_deref(),
            Ok(r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">
<testcase coversError="true">
  <input variable="int#0" type="int">-5</input>
  <input variable="uchar#0" type="unsigned char">200</input>
  <input variable="int#1" type="int">7</input>
  <input variable="double#0" type="double">0.1</input>
  <input variable="bool#0" type="_Bool">1</input>
</testcase>
"#)
        );
        assert!(testcase([(&nondet("buffer", 0), &[0u8; 3][..])], false).is_err());
        assert!(testcase([(&Source::Stdin, &[][..])], false).is_err());
    }

    #[test]
    fn a_suite_names_the_program_that_it_is_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("p.c");
        std::fs::write(&program, b"abc").expect("written");
        let about = Metadata::of(&program, COVER_BRANCHES, "2026-01-02T03:04:05Z").expect("read");
        assert_eq!(about.program_hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(Metadata::of(&folder.path().join("q.c"), COVER_BRANCHES, "").is_err());
    }

    #[test]
    fn files_of_others_are_understood() {
        let text = b"<?xml version=\"1.0\"?>\n<!DOCTYPE testcase SYSTEM \"x\">\n<testcase>\n<input> -1 </input>\
            <input>4000000000</input><input type=\"unsigned char\">'&#x61;'</input><input type=\"foo\">0x10</input><input>1.5</input></testcase>";
        let values = parse(text).expect("valid").expect("a test");
        let seen: Vec<_> =
            values.iter().map(|value| (value.source.to_string(), value.bytes[0], value.type_of.clone())).collect();
        let wanted = [
            ("int#0", 255, TypeOf::Unsaid),
            ("uint#0", 0, TypeOf::Unsaid),
            ("uchar#0", b'a', TypeOf::Said),
            ("int#1", 16, TypeOf::Unknown("foo".into())),
            ("double#0", 0, TypeOf::Unsaid),
        ];
        assert_eq!(seen, wanted.map(|(name, byte, type_of)| (format!("nondet:{name}"), byte, type_of)));
        assert_eq!(parse(b"<test-metadata><producer>x</producer></test-metadata>"), Ok(None));
        assert_eq!(parse(b"<testcase/>"), Ok(Some(vec![])));
        let many = |count| format!("<testcase>{}</testcase>", "<input>1</input>".repeat(count));
        assert_eq!(parse(many(VALUES).as_bytes()).expect("valid").map(|values| values.len()), Some(VALUES));
        assert!(parse(many(VALUES + 1).as_bytes()).is_err_and(|what| what.starts_with("too large")));
        for bad in [
            &b"<testcase><input>x</input></testcase>"[..],
            b"<testcase><input/></testcase>",
            b"<testcase><input type=\"int\">--170141183460469231731687303715884105728</input></testcase>",
            b"<html/>",
            b"<html></html>",
            b"<testcase><input>1</input>",
            b"hello",
            b"\xff",
        ] {
            assert!(parse(bad).is_err(), "{}", String::from_utf8_lossy(bad));
        }
    }

    proptest! {
        #[test]
        fn values_come_back(picks in prop::collection::vec((0usize..26, any::<u64>()), 0..8)) {
            let mut values: Vec<(Source, Vec<u8>)> = Vec::new();
            for (at, bits) in picks {
                let (name, _, kind, size) = TYPES[at];
                let bits = match kind {
                    Kind::Bool => bits & 1,
                    // Nobody can write down which NaN it is.
                    Kind::Float if size == 4 && f32::from_bits(bits as u32).is_nan() => 0,
                    Kind::Float if f64::from_bits(bits).is_nan() => 0,
                    _ => bits,
                };
                let is_earlier = |source: &Source| matches!(source, Source::Nondet { name: other, .. } if other == name.as_bytes());
                let number = values.iter().filter(|(source, _)| is_earlier(source)).count() as u32;
                values.push((nondet(name, number), bits.to_le_bytes()[..size].to_vec()));
            }
            let text = testcase(values.iter().map(|(source, bytes)| (source, &bytes[..])), false).expect("known types");
            let back = parse(text.as_bytes()).expect("our own").expect("a test");
            prop_assert!(back.iter().all(|value| value.type_of == TypeOf::Said));
            let back: Vec<_> = back.into_iter().map(|value| (value.source, value.bytes)).collect();
            prop_assert_eq!(back, values);
        }
    }
}
