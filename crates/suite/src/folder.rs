//! One test on disk.
//!
//! ```text
//!  stdin  arg.1  env.0  file.0 …     the bytes of a source each
//!  inputs                            the values of a harness, as OFFSHOOT_INPUTS wants them
//!  expected.stdout  expected.stderr  what the run wrote
//!  cmd.sh                            runs it without us
//!  test.json                         everything else, and which file is which source; written last
//! ```

use crate::bytes::{Bytes, Edit};
use crate::error::{Error, Result, make_folder, read, replace, write, write_script};
use crate::inputs;
use crate::shell;
use crate::source::Source;
use crate::test::{Command, Expectation, Expected, Origin, Output, Standing, Status, Test, TestId};
use crate::text::Text;
use crate::world::{JsonWorld, World};
use offshoot_base::FORMAT_VERSION;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Json {
    version: u32,
    /// For people and scripts; a reader computes it anew.
    id: TestId,
    command: JsonCommand,
    sources: Vec<JsonSource>,
    /// Whether there is a file `inputs`.
    inputs: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<JsonStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<JsonOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<JsonOutput>,
    origin: JsonOrigin,
    #[serde(skip_serializing_if = "Option::is_none")]
    flaky: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonCommand {
    program: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Text>,
    args: Vec<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<Text>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    env: Vec<(Text, Option<Text>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    world: Option<JsonWorld>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonSource {
    source: Text,
    file: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonStatus {
    value: Status,
    standing: Standing,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonOutput {
    /// All that was written; the file may hold its beginning only.
    total: u64,
    standing: Standing,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum JsonOrigin {
    Seed,
    Recorded,
    Generated { parent: TestId, flipped: String, changed: Vec<JsonEdit> },
    Imported { from: Text },
    Reduced { original: TestId },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonEdit {
    source: Text,
    offset: u32,
    value: u8,
}

/// Makes `folder` if need be. A folder without `test.json` was not written to its end.
pub fn write_test(folder: &Path, test: &Test) -> Result<()> {
    make_folder(folder)?;
    let files = file_names(&test.bytes);
    for (source, name) in &files {
        write(&folder.join(name), test.bytes.get(source).unwrap_or_default())?;
    }
    let values = inputs::encode(&test.bytes);
    if !values.is_empty() {
        write(&folder.join("inputs"), &values)?;
    }
    let expectation = &test.expectation;
    for (name, output) in [("stdout", &expectation.stdout), ("stderr", &expectation.stderr)] {
        if let Some(output) = output {
            write(&folder.join(format!("expected.{name}")), &output.value.bytes)?;
        }
    }
    write_script(&folder.join("cmd.sh"), &shell::script(test, &files))?;
    let mut json = serde_json::to_vec_pretty(&describe(test, &files))
        .map_err(|error| Error::Damaged { path: folder.join("test.json"), what: error.to_string() })?;
    json.push(b'\n');
    replace(&folder.join("test.json"), &json)
}

pub fn read_test(folder: &Path) -> Result<Test> {
    read_test_by(folder, read)
}

/// `read`: how the files of the folder are read.
pub(crate) fn read_test_by(folder: &Path, mut read: impl FnMut(&Path) -> Result<Vec<u8>>) -> Result<Test> {
    let path = folder.join("test.json");
    let damaged = |what: String| Error::Damaged { path: path.clone(), what };
    let text = read(&path)?;
    let version: serde_json::Value = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    let version = version.get("version").and_then(serde_json::Value::as_u64);
    let version = version.ok_or_else(|| damaged("it has no version".into()))?;
    if version != u64::from(FORMAT_VERSION) {
        return Err(Error::Version { path, found: version, wanted: FORMAT_VERSION });
    }
    let json: Json = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;

    let parse = |name: Text| {
        Source::parse(&name.0).ok_or_else(|| damaged(format!("{:?} is no source", String::from_utf8_lossy(&name.0))))
    };
    let mut bytes = Bytes::new();
    for JsonSource { source, file } in json.sources {
        if file.contains('/') || file == ".." {
            return Err(damaged(format!("{file:?} is no file of this folder")));
        }
        bytes.insert(parse(source)?, read(&folder.join(file))?);
    }
    if json.inputs {
        let path = folder.join("inputs");
        let values = inputs::decode(&read(&path)?);
        for (source, value) in values.map_err(|error| Error::Damaged { path, what: error.to_string() })? {
            bytes.insert(source, value);
        }
    }
    let mut output = |name: &str, output: Option<JsonOutput>| -> Result<Option<Expected<Output>>> {
        let Some(JsonOutput { total, standing }) = output else { return Ok(None) };
        let bytes = read(&folder.join(name))?;
        Ok(Some(Expected { value: Output { bytes, total }, standing }))
    };
    let origin = match json.origin {
        JsonOrigin::Seed => Origin::Seed,
        JsonOrigin::Recorded => Origin::Recorded,
        JsonOrigin::Imported { from } => Origin::Imported { from: from.into_os().into() },
        JsonOrigin::Reduced { original } => Origin::Reduced { original },
        JsonOrigin::Generated { parent, flipped, changed } => {
            let edit = |edit: JsonEdit| {
                Ok(Edit { source: Arc::new(parse(edit.source)?), offset: edit.offset, value: edit.value })
            };
            Origin::Generated { parent, flipped, changed: changed.into_iter().map(edit).collect::<Result<_>>()? }
        }
    };
    let command = json.command;
    Ok(Test {
        command: Command {
            program: command.program.into_os().into(),
            name: command.name.map(Text::into_os),
            args: command.args.into_iter().map(Text::into_os).collect(),
            cwd: command.cwd.map(|cwd| cwd.into_os().into()),
            env: command.env.into_iter().map(|(name, value)| (name.into_os(), value.map(Text::into_os))).collect(),
            world: command.world.map(World::from).unwrap_or_default(),
        },
        bytes,
        expectation: Expectation {
            status: json.status.map(|JsonStatus { value, standing }| Expected { value, standing }),
            stdout: output("expected.stdout", json.stdout)?,
            stderr: output("expected.stderr", json.stderr)?,
        },
        origin,
        flaky: json.flaky,
    })
}

/// What the bytes of each source are called in a test's folder. Names of files and variables may be anything, so they
/// are numbered; the values of a harness share the file `inputs`.
fn file_names(bytes: &Bytes) -> Vec<(Source, String)> {
    let (mut files, mut variables) = (0.., 0..);
    let number = |counter: &mut std::ops::RangeFrom<u32>, kind| format!("{kind}.{}", counter.next().unwrap_or(0));
    let name = |(source, _): (&Source, &[u8])| {
        let name = match source {
            Source::Stdin => "stdin".to_owned(),
            Source::Arg(n) => format!("arg.{n}"),
            Source::Env(_) => number(&mut variables, "env"),
            Source::File(_) => number(&mut files, "file"),
            Source::Nondet { .. } => return None,
        };
        Some((source.clone(), name))
    };
    bytes.iter().filter_map(name).collect()
}

fn describe(test: &Test, files: &[(Source, String)]) -> Json {
    let command = &test.command;
    let output = |output: &Option<Expected<Output>>| {
        output.as_ref().map(|output| JsonOutput { total: output.value.total, standing: output.standing })
    };
    let expectation = &test.expectation;
    Json {
        version: FORMAT_VERSION,
        id: test.id(),
        command: JsonCommand {
            program: (&command.program).into(),
            name: command.name.as_ref().map(Text::from),
            args: command.args.iter().map(Text::from).collect(),
            cwd: command.cwd.as_ref().map(Text::from),
            env: command.env.iter().map(|(name, value)| (name.into(), value.as_ref().map(Text::from))).collect(),
            world: (!command.world.is_empty()).then(|| (&command.world).into()),
        },
        sources: files
            .iter()
            .map(|(source, file)| JsonSource { source: Text(source.name()), file: file.clone() })
            .collect(),
        inputs: test.bytes.nondet().next().is_some(),
        status: expectation
            .status
            .as_ref()
            .map(|status| JsonStatus { value: status.value.clone(), standing: status.standing }),
        stdout: output(&expectation.stdout),
        stderr: output(&expectation.stderr),
        origin: match &test.origin {
            Origin::Seed => JsonOrigin::Seed,
            Origin::Recorded => JsonOrigin::Recorded,
            Origin::Imported { from } => JsonOrigin::Imported { from: from.into() },
            Origin::Reduced { original } => JsonOrigin::Reduced { original: original.clone() },
            Origin::Generated { parent, flipped, changed } => {
                let edit =
                    |edit: &Edit| JsonEdit { source: Text(edit.source.name()), offset: edit.offset, value: edit.value };
                let changed = changed.iter().map(edit).collect();
                JsonOrigin::Generated { parent: parent.clone(), flipped: flipped.clone(), changed }
            }
        },
        flaky: test.flaky.clone(),
    }
}
