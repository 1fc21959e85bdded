//! The programs of a lab.

use crate::failure::Failure;
use crate::seeds::seed_files;
use crate::target::{find_program, read_models};
use crate::values;
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct Subject {
    pub name: String,
    pub command: Vec<OsString>,
    pub seeds: Vec<PathBuf>,
    pub symbolic: Option<String>,
    pub run_time: Option<Duration>,
    /// Where its runs start: paths are as seen from here.
    pub folder: PathBuf,
}

const FIELDS: [&str; 5] = ["name", "command", "seeds", "symbolic", "run_time"];

impl Subject {
    /// `-- PROGRAM ARGS`
    pub fn of_command(command: &[OsString], seeds: &[PathBuf]) -> Result<Subject, Failure> {
        let program = command.first().ok_or_else(|| Failure::usage("no program; write -- PROGRAM ARGS"))?;
        let name = Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned();
        let folder = std::env::current_dir()
            .map_err(|error| Failure::usage(format!("cannot tell the current folder: {error}")))?;
        let subject =
            Subject { name, command: command.to_vec(), seeds: seeds.to_vec(), symbolic: None, run_time: None, folder };
        subject.check().map_err(|(_, failure)| failure)?;
        Ok(subject)
    }

    /// What would make every run fail is said before the first; with the field that it is about.
    fn check(&self) -> Result<(), (&'static str, Failure)> {
        let name = &self.command[0];
        let here = self.folder.join(name);
        let is_path = Path::new(name).components().count() > 1 || here.is_file();
        let program = find_program(&if is_path { here.into_os_string() } else { name.clone() });
        program.and_then(|program| read_models(&program)).map_err(|failure| ("command", failure))?;
        for seed in &self.seeds {
            let files = seed_files(&self.folder.join(seed)).map_err(|failure| ("seeds", failure))?;
            for file in files {
                fs::File::open(&file).map_err(|error| {
                    ("seeds", Failure::usage(format!("cannot read the seed {}: {error}", file.display())))
                })?;
            }
        }
        Ok(())
    }

    fn parse(value: &Value, folder: &Path) -> Result<Subject, (&'static str, String)> {
        let Value::Object(fields) = value else { return Err(("", "expected a table of fields".to_owned())) };
        if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(("", format!("no field is called `{unknown}`; there are {}", FIELDS.join(", "))));
        }
        let name = text(fields, "name")?.filter(|name| !name.is_empty()).ok_or(("name", "is missing".to_owned()))?;
        let command = texts(fields, "command")?;
        if command.is_empty() {
            return Err(("command", "is missing: a list of the program and its arguments".to_owned()));
        }
        let run_time = match text(fields, "run_time")? {
            Some(time) => Some(values::duration(&time).map_err(|error| ("run_time", error))?),
            None => None,
        };
        Ok(Subject {
            name,
            command: command.into_iter().map(OsString::from).collect(),
            seeds: texts(fields, "seeds")?.into_iter().map(PathBuf::from).collect(),
            symbolic: text(fields, "symbolic")?,
            run_time,
            folder: folder.to_path_buf(),
        })
    }
}

/// A JSON list of subjects, or TOML (or a JSON object) with the list `subject`.
pub fn read(file: &Path) -> Result<Vec<Subject>, Failure> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| wrong(format!("cannot read it: {error}")))?;
    let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let value: Value = if is_json || text.trim_start().starts_with(['{']) {
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?
    } else {
        // A JSON list may also look like the start of a TOML table: whoever reads it, reads it.
        serde_json::from_str(&text).or_else(|_| toml::from_str(&text)).map_err(|error| wrong(error.to_string()))?
    };
    let list = match &value {
        Value::Array(list) => Some(list),
        Value::Object(fields) => fields.get("subject").and_then(Value::as_array),
        _ => None,
    };
    let list = list.filter(|list| !list.is_empty()).ok_or_else(|| {
        wrong("no subjects in it: expected a list, or one called `subject` ([[subject]] in TOML)".to_owned())
    })?;
    let file = fs::canonicalize(file).map_err(|error| wrong(error.to_string()))?;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut subjects: Vec<Subject> = Vec::new();
    for (at, value) in list.iter().enumerate() {
        let named = value.get("name").and_then(Value::as_str).map(|name| format!(" ({name})")).unwrap_or_default();
        let which = format!("subject {}{named}", at + 1);
        let of_field = |field: &str, what: String| match field {
            "" => wrong(format!("{which}: {what}")),
            _ => wrong(format!("{which}: field `{field}`: {what}")),
        };
        let subject = Subject::parse(value, folder).map_err(|(field, what)| of_field(field, what))?;
        if subjects.iter().any(|other| other.name == subject.name) {
            return Err(of_field("name", "another subject has this name".to_owned()));
        }
        subject.check().map_err(|(field, failure)| of_field(field, failure.to_string()))?;
        subjects.push(subject);
    }
    Ok(subjects)
}

fn text(fields: &Map<String, Value>, key: &'static str) -> Result<Option<String>, (&'static str, String)> {
    match fields.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err((key, format!("expected a text, found {other}"))),
    }
}

fn texts(fields: &Map<String, Value>, key: &'static str) -> Result<Vec<String>, (&'static str, String)> {
    let expected = |found: &Value| (key, format!("expected a list of texts, found {found}"));
    let Some(value) = fields.get(key) else { return Ok(Vec::new()) };
    let list = value.as_array().ok_or_else(|| expected(value))?;
    list.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(|| expected(item))).collect()
}
