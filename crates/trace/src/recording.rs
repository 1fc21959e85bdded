//! What recorded processes tell of themselves (`crates/recorder` writes it, `offshoot record` reads it).
//!
//! Records are appended one by one, each with a single `write`, by the process and by the copies that it forks: whatever
//! kills it, what it did until then is there. Many processes share a file, because on some file systems a new one costs
//! more than all that is written to it. Each record is [`Head`] and so many bytes, numbers little-endian:
//!
//! ```text
//!  Start     version pid arguments variables umask cwd-mode priority streams   program NUL cwd NUL argument NUL … variable NUL …
//!  Thing     kind mode content path-length size seconds nanoseconds  path, then what `content` says
//!  Stdin     (as Thing, without a path)                              the rest of a regular file on descriptor 0
//!  Input     bytes that were read from a standard input that is no regular file
//!  Output    descriptor count                                        the bytes, or none of them past the bound
//!  Asked     the name of a variable that somebody looked up
//!  Child     a program that a forked copy became
//!  Exec      the program that the process itself became next; Stayed: it did not
//!  End       status
//!  Cut       from here on the log is not whole
//! ```

/// `LIMIT:FOLDER`: files of more than LIMIT bytes are not copied, logs go to FOLDER.
pub const ENV_RECORD: &str = "OFFSHOOT_RECORD";

pub const VERSION: u32 = 2;

/// In FOLDER: the programs that were started and are none of ours, a line each.
pub const OTHERS: &str = "others";

/// Of each output stream; no more is kept of a replay either.
pub const OUTPUT_KEPT: u64 = 1 << 20;

/// Contents up to here stand in the log itself.
pub const INLINE: u64 = 64 << 10;

#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Start = 1,
    Thing = 2,
    Stdin = 3,
    Input = 4,
    Output = 5,
    Asked = 6,
    Child = 7,
    Exec = 8,
    Stayed = 9,
    End = 10,
    Cut = 11,
}

impl Kind {
    const ALL: [Kind; 11] = [
        Kind::Start,
        Kind::Thing,
        Kind::Stdin,
        Kind::Input,
        Kind::Output,
        Kind::Asked,
        Kind::Child,
        Kind::Exec,
        Kind::Stayed,
        Kind::End,
        Kind::Cut,
    ];
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Which process: another number for each, its forked copies have its own.
    pub run: u64,
    pub kind: u32,
    pub length: u32,
}

/// What is behind a standard stream.
pub mod stream {
    pub const CLOSED: u8 = 0;
    pub const FILE: u8 = 1;
    pub const PIPE: u8 = 2;
    pub const NULL: u8 = 3;
    pub const TERMINAL: u8 = 4;
    pub const OTHER: u8 = 5;
    /// /dev/full.
    pub const FULL: u8 = 6;
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    pub version: u32,
    pub pid: u32,
    pub arguments: u32,
    pub variables: u32,
    pub umask: u32,
    pub cwd_mode: u32,
    /// 20 less the niceness, as the kernel gives it.
    pub priority: u32,
    /// Of [`stream`].
    pub streams: [u8; 4],
}

/// What a path is.
pub mod what {
    pub const ABSENT: u32 = 0;
    pub const FILE: u32 = 1;
    pub const DIRECTORY: u32 = 2;
    pub const LINK: u32 = 3;
    pub const OTHER: u32 = 4;
}

/// What stands behind the path of a [`Thing`].
pub mod content {
    /// Nothing: nobody has looked inside.
    pub const NONE: u32 = 0;
    /// The bytes of a file, the target of a link, the names in a directory with a NUL behind each.
    pub const HERE: u32 = 1;
    /// The name of a file in the folder of the logs that holds the bytes.
    pub const BESIDE: u32 = 2;
    /// Nothing: it is too large, or could not be read.
    pub const LEFT_OUT: u32 = 3;
}

/// A path as the process first met it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thing {
    pub what: u32,
    pub mode: u32,
    pub content: u32,
    pub path_length: u32,
    pub size: u64,
    pub seconds: i64,
    pub nanoseconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    Start(Start, &'a [u8]),
    Thing(Thing, &'a [u8], &'a [u8]),
    Stdin(Thing, &'a [u8]),
    Input(&'a [u8]),
    Output { descriptor: u32, count: u32, bytes: &'a [u8] },
    Asked(&'a [u8]),
    Child(&'a [u8]),
    Exec(&'a [u8]),
    Stayed,
    End(i32),
    Cut,
}

/// The records of a log, up to the first that is not whole.
pub fn records(log: &[u8]) -> Records<'_> {
    Records { rest: log }
}

pub struct Records<'a> {
    rest: &'a [u8],
}

impl Records<'_> {
    /// Bytes that are no records: a log that was cut off, or one of another version.
    pub fn left(&self) -> usize {
        self.rest.len()
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = (u64, Record<'a>);

    fn next(&mut self) -> Option<(u64, Record<'a>)> {
        let (run, rest) = self.rest.split_first_chunk()?;
        let (kind, rest) = number(rest)?;
        let (length, rest) = number(rest)?;
        let payload = rest.get(..length as usize)?;
        let record = record(kind, payload)?;
        self.rest = &rest[length as usize..];
        Some((u64::from_le_bytes(*run), record))
    }
}

fn record(kind: u32, payload: &[u8]) -> Option<Record<'_>> {
    let kind = Kind::ALL.into_iter().find(|known| *known as u32 == kind)?;
    Some(match kind {
        Kind::Start => {
            let mut words = [0; 7];
            let rest = numbers(payload, &mut words)?;
            let [version, pid, arguments, variables, umask, cwd_mode, priority] = words;
            let (streams, rest) = rest.split_first_chunk::<4>()?;
            let streams = *streams;
            Record::Start(Start { version, pid, arguments, variables, umask, cwd_mode, priority, streams }, rest)
        }
        Kind::Thing => {
            let (thing, rest) = thing(payload)?;
            let (path, rest) = rest.split_at_checked(thing.path_length as usize)?;
            Record::Thing(thing, path, rest)
        }
        Kind::Stdin => thing(payload).map(|(thing, rest)| Record::Stdin(thing, rest))?,
        Kind::Input => Record::Input(payload),
        Kind::Output => {
            let (descriptor, rest) = number(payload)?;
            let (count, bytes) = number(rest)?;
            Record::Output { descriptor, count, bytes }
        }
        Kind::Asked => Record::Asked(payload),
        Kind::Child => Record::Child(payload),
        Kind::Exec => Record::Exec(payload),
        Kind::Stayed => Record::Stayed,
        Kind::End => Record::End(number(payload)?.0 as i32),
        Kind::Cut => Record::Cut,
    })
}

fn thing(payload: &[u8]) -> Option<(Thing, &[u8])> {
    let mut words = [0; 10];
    let rest = numbers(payload, &mut words)?;
    let [what, mode, content, path_length, ..] = words;
    let wide = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let (size, seconds, nanoseconds) = (wide(4), wide(6) as i64, wide(8));
    Some((Thing { what, mode, content, path_length, size, seconds, nanoseconds }, rest))
}

fn numbers<'a>(mut from: &'a [u8], into: &mut [u32]) -> Option<&'a [u8]> {
    for word in into {
        (*word, from) = number(from)?;
    }
    Some(from)
}

fn number(from: &[u8]) -> Option<(u32, &[u8])> {
    let (bytes, rest) = from.split_first_chunk()?;
    Some((u32::from_le_bytes(*bytes), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_up_to_where_it_is_whole() {
        let mut log = [0u8; 80];
        let mut at = 0;
        let mut push = |bytes: &[u8]| {
            log[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        };
        for word in [7, 0, Kind::Output as u32, 10, 1, 2] {
            push(&word.to_le_bytes());
        }
        push(b"ab");
        for word in [8, 0, Kind::End as u32, 4, 3] {
            push(&word.to_le_bytes());
        }
        for word in [7, 0, Kind::Input as u32, 9] {
            push(&word.to_le_bytes());
        }
        push(b"cut");
        let mut found = records(&log[..at]);
        assert_eq!(found.next(), Some((7, Record::Output { descriptor: 1, count: 2, bytes: b"ab" })));
        assert_eq!(found.next(), Some((8, Record::End(3))));
        assert_eq!(found.next(), None);
        assert_eq!(found.left(), 19);
    }
}
