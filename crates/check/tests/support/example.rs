//! A summary with all that is hard to show. Unit tests and the browser share it.

use super::{
    ChangedByte, Counts, Decision, Ending, FINGERPRINTS, Finding, Frame, Place, SeedCount, Summary, Unconfirmed, Way,
};

fn place(line: u32, column: u32, function: &str) -> Place {
    Place { file: "src/u.c".to_owned(), line, column, function: function.to_owned() }
}

pub fn example() -> Finding {
    let frame = |function: &str, line, column| Frame {
        function: function.to_owned(),
        file: (line > 0).then(|| "src/u.c".to_owned()),
        line,
        column,
    };
    let decision = |line, column, condition: &str, outcome: &str| Decision {
        place: place(line, column, "main"),
        condition: Some(condition.to_owned()),
        outcome: outcome.to_owned(),
        times: 1,
        ..Decision::default()
    };
    let library = Decision {
        place: Place { file: "models/string.c".to_owned(), line: 7, column: 1, function: "strncmp".to_owned() },
        outcome: "false".to_owned(),
        times: 2,
        is_library: true,
        ..Decision::default()
    };
    let first = vec![
        decision(12, 9, "b[0] == 'a'", "true"),
        library,
        Decision { leaves_seed: true, ..decision(14, 14, "b[2] > '5'", "false") },
        Decision { times: 3, ..decision(15, 3, "i < n", "true") },
    ];
    Finding {
        id: 0,
        kind: "heap-buffer-overflow".to_owned(),
        check: Some("bounds"),
        title: "out-of-bounds write".to_owned(),
        place: place(16, 9, "store"),
        line: Some("        copy[b[3] - '0'] = 1;".to_owned()),
        seed: "seeds/1".to_owned(),
        after_s: 0.5,
        distance: 1,
        changed: vec![
            ChangedByte { source: "stdin".to_owned(), offset: 3, old: Some(b'0'), new: b'4' },
            ChangedByte { source: "stdin".to_owned(), offset: 260, old: Some(0), new: 0xff },
        ],
        explanation: "1 bytes written at offset 4 of the heap block of 4 bytes, whose offsets end at 4".to_owned(),
        plainly: "exit 0".to_owned(),
        frames: vec![frame("store", 16, 9), frame("main", 20, 1), frame("_start", 0, 0)],
        report: ["ERROR: AddressSanitizer: heap-buffer-overflow", "WRITE of size 1 at 0x14 <thread T0> & more"]
            .map(str::to_owned)
            .to_vec(),
        way: Way { total: 7, ends_at_failure: true, first, ..Way::default() },
        fingerprint: "00112233".to_owned(),
        folder: "findings/0000".to_owned(),
    }
}

impl Example for Summary {
    fn example() -> Summary {
        let seed = |name: &str| SeedCount {
            name: name.to_owned(),
            status: "exit 0".to_owned(),
            symbolic_decisions: 7,
            operations: 2,
            seconds: 0.1,
        };
        Summary {
            format: 1,
            program: "./u".to_owned(),
            ending: Ending::Exhausted,
            completed_distance: Some(1),
            counts: Counts { checks: 9, operations: 4, paths: 5, ..Counts::default() },
            lines: Default::default(),
            fingerprints: FINGERPRINTS,
            findings: Vec::new(),
            known: Vec::new(),
            unconfirmed: vec![Unconfirmed {
                what: "out-of-bounds read".to_owned(),
                place: "src/u.c:3 (f)".to_owned(),
                explanation: "a & b < c".to_owned(),
                seed: "seeds/1".to_owned(),
                times: 2,
            }],
            seeds: vec![seed("seeds/1"), seed("seeds/2")],
            sample: None,
        }
    }
}

/// What a test starts from.
pub trait Example {
    fn example() -> Self;
}
