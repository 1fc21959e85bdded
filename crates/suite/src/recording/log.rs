//! The records of one process, sorted.

use super::End;
use offshoot_trace::recording::{Record, Start, Thing, VERSION};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

pub struct Log<'a> {
    pub start: Start,
    pub program: &'a [u8],
    pub cwd: &'a [u8],
    pub arguments: Vec<&'a [u8]>,
    pub variables: Vec<&'a [u8]>,
    pub asked: BTreeSet<&'a [u8]>,
    /// In the order of the process.
    pub things: Vec<(Thing, &'a [u8], &'a [u8])>,
    /// The rest of a regular file.
    pub stdin: Option<(Thing, &'a [u8])>,
    /// Read from something else.
    pub input: Vec<u8>,
    /// The beginning, and how much it was.
    pub outputs: [(Vec<u8>, u64); 2],
    /// Programs that forked copies became.
    pub children: Vec<&'a [u8]>,
    pub end: End,
    pub is_cut: bool,
}

impl<'a> Log<'a> {
    pub fn new(records: Vec<Record<'a>>) -> Result<Log<'a>, String> {
        let mut records = records.into_iter();
        let Some(Record::Start(start, strings)) = records.next() else {
            return Err("it was ended before it could say what it is".to_owned());
        };
        if start.version != VERSION {
            return Err(format!("its log has version {}, not {VERSION}: build Offshoot again", start.version));
        }
        let mut strings = strings.split(|byte| *byte == 0);
        let (program, cwd) = (strings.next().unwrap_or_default(), strings.next().unwrap_or_default());
        let arguments = strings.by_ref().take(start.arguments as usize).collect();
        let variables = strings.take(start.variables as usize).collect();
        let mut log = Log {
            start,
            program,
            cwd,
            arguments,
            variables,
            asked: BTreeSet::new(),
            things: Vec::new(),
            stdin: None,
            input: Vec::new(),
            outputs: Default::default(),
            children: Vec::new(),
            end: End::Killed,
            is_cut: false,
        };
        for record in records {
            log.add(record);
        }
        Ok(log)
    }

    fn add(&mut self, record: Record<'a>) {
        match record {
            // A process starts once.
            Record::Start(..) => self.is_cut = true,
            Record::Thing(thing, path, inside) => self.things.push((thing, path, inside)),
            Record::Stdin(thing, inside) => self.stdin = Some((thing, inside)),
            Record::Input(bytes) => self.input.extend_from_slice(bytes),
            Record::Output { descriptor, count, bytes } => {
                if let Some((kept, total)) = self.outputs.get_mut((descriptor as usize).wrapping_sub(1)) {
                    kept.extend_from_slice(bytes);
                    *total += u64::from(count);
                }
            }
            Record::Asked(name) => drop(self.asked.insert(name)),
            Record::Child(path) => self.children.push(path),
            Record::Exec(path) => self.end = End::Became(PathBuf::from(OsStr::from_bytes(path))),
            Record::Stayed => self.end = End::Killed,
            Record::End(code) => self.end = End::Exited(code),
            Record::Cut => self.is_cut = true,
            Record::Moved(_) => {}
        }
    }
}
