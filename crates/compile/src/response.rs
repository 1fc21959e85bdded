//! Response files: `@FILE` stands for the words in FILE, quoted as a shell would read them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Nested deeper than this, a response file contains itself.
const MAX_DEPTH: usize = 16;

/// As clang does it, a file that cannot be read stays a plain argument.
pub fn expand(args: &[OsString]) -> Vec<OsString> {
    let mut words = Vec::with_capacity(args.len());
    expand_into(args, 0, &mut words);
    words
}

fn expand_into(args: &[OsString], depth: usize, words: &mut Vec<OsString>) {
    for arg in args {
        let content = arg
            .as_bytes()
            .strip_prefix(b"@")
            .filter(|_| depth < MAX_DEPTH)
            .and_then(|path| std::fs::read(OsStr::from_bytes(path)).ok());
        match content {
            Some(content) => expand_into(&split(&content), depth + 1, words),
            None => words.push(arg.clone()),
        }
    }
}

/// GNU quoting: single and double quotes group, a backslash takes the next byte literally, inside quotes too.
fn split(content: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(byte),
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_gnu_does() {
        for (content, expected) in [
            ("-c a.c\n-o\ta.o", vec!["-c", "a.c", "-o", "a.o"]),
            (r#"-DX="a b" '-DY=c d'"#, vec!["-DX=a b", "-DY=c d"]),
            (r#"-DZ=\"q\" a\ b"#, vec![r#"-DZ="q""#, "a b"]),
            (r#""" x"#, vec!["", "x"]),
            ("  \n ", vec![]),
        ] {
            assert_eq!(split(content.as_bytes()), expected, "{content}");
        }
    }

    #[test]
    fn nested_files_expand_and_missing_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().join("outer"), folder.path().join("inner"));
        std::fs::write(&inner, "-DIN").unwrap();
        std::fs::write(&outer, format!("-DOUT @{}", inner.display())).unwrap();
        let words = expand(&[format!("@{}", outer.display()).into(), "@/nonexistent/file".into()]);
        assert_eq!(words, ["-DOUT", "-DIN", "@/nonexistent/file"]);
    }
}
