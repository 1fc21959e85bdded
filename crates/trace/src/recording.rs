//! What recorded processes tell of themselves (`crates/recorder` writes it, `offshoot record` reads it).
//!
//! Records are appended one by one, each with a single `write`, by the process and by the copies that it forks: whatever
//! kills it, what it did until then is there. Many processes share a file, because on some file systems a new one costs
//! more than all that is written to it. Who has much to say goes on in a file of its own, which it has mapped. Each record is
//! [`Head`], so many bytes, and the head's mark once more, inverted; numbers are little-endian. A process that is killed while it
//! writes, a full disk, or a program that writes to every descriptor it finds can tear a record, and by its mark the next is found.
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
//!  Cut       something is not in the log
//!  Moved     the name of a file in the folder of the logs: records of this process are there, too
//!  Mapped    tail size                                               the first in such a file: where its records end
//! ```

/// `LIMIT:FOLDER`: files of more than LIMIT bytes are not copied, logs go to FOLDER.
pub const ENV_RECORD: &str = "OFFSHOOT_RECORD";

pub const VERSION: u32 = 3;

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
    Moved = 12,
    Mapped = 13,
}

impl Kind {
    const ALL: [Kind; 13] = [
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
        Kind::Moved,
        Kind::Mapped,
    ];
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Which process: another number for each, its forked copies have its own.
    pub run: u64,
    /// Of the processor's clock: a run with records in several files is put in order by it.
    pub time: u64,
    pub kind: u32,
    pub length: u32,
    /// No bytes but a head's are likely to have it.
    pub mark: u64,
}

pub const HEAD: usize = size_of::<Head>();
pub const TAIL: usize = size_of::<u64>();

impl Head {
    pub const fn new(run: u64, time: u64, kind: Kind, length: u32) -> Head {
        Head { run, time, kind: kind as u32, length, mark: mark(run, time, kind as u32, length) }
    }

    /// What stands behind a record that is whole.
    pub const fn tail(&self) -> u64 {
        !self.mark
    }

    fn read(from: &[u8]) -> Option<Head> {
        let (run, rest) = wide(from)?;
        let (time, rest) = wide(rest)?;
        let (kind, rest) = number(rest)?;
        let (length, rest) = number(rest)?;
        let head = Head { run, time, kind, length, mark: mark(run, time, kind, length) };
        (wide(rest)?.0 == head.mark).then_some(head)
    }
}

const fn mark(run: u64, time: u64, kind: u32, length: u32) -> u64 {
    let what = ((kind as u64) << 32 | length as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (run ^ time.rotate_left(21) ^ what).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0x6F66_6673_686F_6F74
}

/// A file that a process has mapped: [`Kind::Mapped`] is its first record, and more follow.
pub mod mapped {
    use super::{HEAD, TAIL};

    /// Of the first byte that no record has yet, in such a file.
    pub const TAIL_AT: usize = HEAD;
    /// Of the number of bytes that the file has.
    pub const SIZE_AT: usize = HEAD + 8;
    pub const FIRST: usize = HEAD + 16 + TAIL;
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
    Moved(&'a [u8]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    pub run: u64,
    pub time: u64,
    pub record: Record<'a>,
}

/// The records of a log. One that is torn is [`Record::Cut`].
pub fn records(log: &[u8]) -> Records<'_> {
    let mut records = Records { rest: log, strange: 0, is_torn: false, overrun: None };
    if let Some(head) = Head::read(log).filter(|head| head.kind == Kind::Mapped as u32) {
        let tail = log.get(mapped::TAIL_AT..).and_then(wide).map_or(0, |(tail, _)| tail as usize);
        records.rest = log.get(mapped::FIRST..tail.min(log.len())).unwrap_or_default();
        let cut = Entry { run: head.run, time: u64::MAX, record: Record::Cut };
        records.overrun = (tail > log.len()).then_some(cut);
    }
    records
}

pub struct Records<'a> {
    rest: &'a [u8],
    strange: usize,
    /// Whatever comes now is the rest of a record.
    is_torn: bool,
    /// The file is not as long as it was.
    overrun: Option<Entry<'a>>,
}

impl Records<'_> {
    /// Bytes until now that belong to no record: somebody else wrote them.
    pub fn strange(&self) -> usize {
        self.strange
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        loop {
            let Some(first) = self.rest.first() else { return self.overrun.take() };
            let Some(head) = Head::read(self.rest) else {
                // In a mapped file, a place that was taken and never written to is zero.
                self.strange += usize::from(!self.is_torn && *first != 0);
                self.rest = &self.rest[1..];
                continue;
            };
            let inside = &self.rest[HEAD..];
            let whole = inside.split_at_checked(head.length as usize).and_then(|(payload, rest)| {
                let (tail, rest) = wide(rest)?;
                (tail == head.tail()).then_some((payload, rest))
            });
            self.is_torn = whole.is_none();
            let (payload, rest) = whole.unwrap_or((&[], inside));
            self.rest = rest;
            let record = whole.and_then(|_| record(head.kind, payload)).unwrap_or(Record::Cut);
            return Some(Entry { run: head.run, time: head.time, record });
        }
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
        Kind::Moved => Record::Moved(payload),
        // Only at the start of a file.
        Kind::Mapped => return None,
    })
}

fn thing(payload: &[u8]) -> Option<(Thing, &[u8])> {
    let mut words = [0; 10];
    let rest = numbers(payload, &mut words)?;
    let [what, mode, content, path_length, ..] = words;
    let two = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let (size, seconds, nanoseconds) = (two(4), two(6) as i64, two(8));
    Some((Thing { what, mode, content, path_length, size, seconds, nanoseconds }, rest))
}

fn numbers<'a>(mut from: &'a [u8], into: &mut [u32]) -> Option<&'a [u8]> {
    for word in into {
        (*word, from) = number(from)?;
    }
    Some(from)
}

fn wide(from: &[u8]) -> Option<(u64, &[u8])> {
    let (bytes, rest) = from.split_first_chunk()?;
    Some((u64::from_le_bytes(*bytes), rest))
}

fn number(from: &[u8]) -> Option<(u32, &[u8])> {
    let (bytes, rest) = from.split_first_chunk()?;
    Some((u32::from_le_bytes(*bytes), rest))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    fn put(log: &mut Vec<u8>, run: u64, kind: Kind, payload: &[u8]) {
        let head = Head::new(run, 7, kind, payload.len() as u32);
        log.extend(head.run.to_le_bytes());
        log.extend(head.time.to_le_bytes());
        log.extend(head.kind.to_le_bytes());
        log.extend(head.length.to_le_bytes());
        log.extend(head.mark.to_le_bytes());
        log.extend(payload);
        log.extend(head.tail().to_le_bytes());
    }

    fn read(log: &[u8]) -> (Vec<(u64, Record<'_>)>, usize) {
        let mut records = records(log);
        let found = records.by_ref().map(|entry| (entry.run, entry.record)).collect();
        (found, records.strange())
    }

    const OUTPUT: Record<'_> = Record::Output { descriptor: 1, count: 2, bytes: b"ab" };

    #[test]
    fn what_was_put_is_read() {
        let mut log = Vec::new();
        put(&mut log, 7, Kind::Output, b"\x01\0\0\0\x02\0\0\0ab");
        put(&mut log, 8, Kind::End, &3u32.to_le_bytes());
        assert_eq!(read(&log), (Vec::from([(7, OUTPUT), (8, Record::End(3))]), 0));
    }

    #[test]
    fn behind_a_torn_record_and_strange_bytes_the_next_is_found() {
        let mut whole = Vec::new();
        put(&mut whole, 8, Kind::End, &3u32.to_le_bytes());
        let mut torn = Vec::new();
        put(&mut torn, 7, Kind::Input, b"some input");
        for length in HEAD..torn.len() {
            let log = [b"strange", &torn[..length], &whole[..]].concat();
            assert_eq!(read(&log), (Vec::from([(7, Record::Cut), (8, Record::End(3))]), 7), "{length}");
        }
        // Nobody knows whose it is.
        let log = [&torn[..HEAD - 1], &whole[..]].concat();
        assert_eq!(read(&log).0, [(8, Record::End(3))]);
    }

    #[test]
    fn a_mapped_file_ends_where_its_first_record_says() {
        let mut records = Vec::new();
        put(&mut records, 7, Kind::Input, b"in");
        records.extend([0; 20]);
        put(&mut records, 7, Kind::End, &3u32.to_le_bytes());
        let file = |tail: usize| {
            let mut file = Vec::new();
            put(&mut file, 7, Kind::Mapped, &[(tail as u64).to_le_bytes(), [0; 8]].concat());
            assert_eq!(file.len(), mapped::FIRST);
            file.extend(&records);
            file.extend([0; 100]);
            file
        };
        let found = [(7, Record::Input(b"in")), (7, Record::End(3))];
        assert_eq!(read(&file(mapped::FIRST + records.len())), (found.to_vec(), 0));
        assert_eq!(read(&file(1 << 20)).0, [&found[..], &[(7, Record::Cut)]].concat());
    }
}
