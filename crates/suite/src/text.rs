//! Names and arguments in JSON: a string where they are UTF-8, `{"hex": "…"}` where they are not.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form<'a> {
    Plain(std::borrow::Cow<'a, str>),
    Hex { hex: String },
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Form::Plain(text.into()).serialize(serializer),
            Err(_) => Form::Hex { hex: hex(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Plain(text) => Ok(Text(text.into_owned().into_bytes())),
            Form::Hex { hex } => match unhex(&hex) {
                Some(bytes) => Ok(Text(bytes)),
                None => Err(serde::de::Error::custom(format!("{hex:?} is not hexadecimal"))),
            },
        }
    }
}

impl<T: AsRef<OsStr>> From<T> for Text {
    fn from(name: T) -> Text {
        Text(name.as_ref().as_bytes().to_vec())
    }
}

impl Text {
    pub fn into_os(self) -> OsString {
        OsString::from_vec(self.0)
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes: Vec<u8>) {
            let json = serde_json::to_string(&Text(bytes.clone())).expect("plain data");
            prop_assert_eq!(serde_json::from_str::<Text>(&json).expect("our own").0, bytes);
        }
    }

    #[test]
    fn readable_where_it_can_be() {
        assert_eq!(serde_json::to_string(&Text(b"a b".to_vec())).expect("plain"), "\"a b\"");
        assert_eq!(serde_json::to_string(&Text(b"a\xff".to_vec())).expect("plain"), "{\"hex\":\"61ff\"}");
        assert!(serde_json::from_str::<Text>("{\"hex\":\"6\"}").is_err());
    }
}
