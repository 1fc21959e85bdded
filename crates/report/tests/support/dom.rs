//! Elements of a page as a browser prints it: attributes in double quotes, in document order.

use std::collections::BTreeMap;

pub struct Element {
    pub name: String,
    attributes: BTreeMap<String, String>,
    /// What is in it, up to the first end of an element of its name.
    pub text: String,
}

impl Element {
    pub fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes.get(attribute).map(String::as_str)
    }

    pub fn number(&self, attribute: &str) -> u64 {
        let text = self.get(attribute).unwrap_or_else(|| panic!("{} has no {attribute}", self.name));
        text.parse().unwrap_or_else(|_| panic!("{attribute} is {text:?}"))
    }
}

pub fn elements(page: &str) -> Vec<Element> {
    let mut out = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let tag = &rest[..end_of_tag(rest)];
        let inside = rest.get(tag.len() + 1..).unwrap_or_default();
        let (name, mut attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let mut element = Element { name: name.to_owned(), attributes: BTreeMap::new(), text: String::new() };
        while let Some((key, behind)) = attributes.split_once("=\"") {
            let (value, next) = behind.split_once('"').unwrap_or((behind, ""));
            element.attributes.insert(key.trim().to_owned(), unescaped(value));
            attributes = next;
        }
        let content = inside.find(&format!("</{name}>")).map_or("", |end| &inside[..end]);
        element.text = without_tags(content);
        out.push(element);
        rest = inside;
    }
    out
}

/// A `>` in quotes does not end it.
fn end_of_tag(text: &str) -> usize {
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == '>' && !quoted
    });
    end.unwrap_or(text.len())
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        rest = tag.get(end_of_tag(tag) + 1..).unwrap_or_default();
    }
    unescaped(&(out + rest))
}

fn unescaped(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"), ("&amp;", "&")];
    entities.into_iter().fold(text.to_owned(), |text, (entity, c)| text.replace(entity, c))
}
