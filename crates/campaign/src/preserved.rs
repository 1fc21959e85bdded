//! What must not get lost when a test is made smaller, and whether a run still has it.
//!
//! | kept | of what run | compared |
//! |---|---|---|
//! | statement | variant `count` | lines that ran |
//! | MC/DC | variant `count` | outcomes of conditions, and ways through decisions |
//! | branch | the instrumented program, nothing symbolic | the goals of exploration |
//! | failure | the same | how it ended |

use crate::counted::Counted;
use crate::explore::in_words;
use crate::profile;
use crate::runner::Runner;
use crate::sites::Sites;
use crate::target::TargetError;
use fixedbitset::FixedBitSet;
use offshoot_coverage::{covered_branches, covered_lines};
use offshoot_expr::TraceView;
use offshoot_run::Status;
use offshoot_suite::{Command, Test};
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preserve {
    /// Runs at least the lines that the original runs, and ends in the same way. Exit codes may differ.
    Statement,
    /// The same for branch outcomes.
    Branch,
    /// The same for branch outcomes and for what the conditions of each decision were together.
    Mcdc,
    /// Ends as the original does: same exit code, same signal.
    Failure,
}

impl Preserve {
    pub fn name(self) -> &'static str {
        match self {
            Preserve::Statement => "statement",
            Preserve::Branch => "branch",
            Preserve::Mcdc => "mcdc",
            Preserve::Failure => "failure",
        }
    }

    /// It is measured on variant `count` of the program.
    pub fn needs_counts(self) -> bool {
        matches!(self, Preserve::Statement | Preserve::Mcdc)
    }
}

/// Variant `count` of a program.
pub struct Counting {
    pub variant: PathBuf,
    pub counted: Counted,
}

/// The program of a test.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub sites: &'a Sites,
    /// For what [`Preserve::needs_counts`].
    pub counting: Option<&'a Counting>,
}

/// What a run was looked at for.
pub struct Seen {
    pub status: Status,
    covered: Covered,
}

/// Sets of one kind, ascending.
enum Covered {
    Nothing,
    Goals(FixedBitSet),
    Lines(Vec<(usize, u32)>),
    Vectors { branches: Vec<(usize, usize, bool)>, ways: Vec<u8> },
}

impl Seen {
    /// Runs the test. `None`: variant `count` gave no counts, so there is nothing to compare.
    pub fn of(
        runner: &mut Runner,
        test: &Test,
        subject: Subject<'_>,
        preserve: Preserve,
    ) -> Result<Option<Seen>, TargetError> {
        let Some(counting) = subject.counting.filter(|_| preserve.needs_counts()) else {
            let execution = runner.run(test)?;
            let view = TraceView::new(&execution.trace)?;
            let covered = match preserve {
                Preserve::Failure => Covered::Nothing,
                _ => Covered::Goals(profile::goals(&view, subject.sites)),
            };
            return Ok(Some(Seen { status: execution.status, covered }));
        };
        let name = Some(test.command.name().to_owned());
        let command = Command { program: counting.variant.clone(), name, ..test.command.clone() };
        let execution = runner.run(&Test { command, ..test.clone() })?;
        let view = TraceView::new(&execution.trace)?;
        let counted = &counting.counted;
        let profile = counted.served(&view).and_then(|sum| Some((counted.profile(&sum, &counting.variant).ok()?, sum)));
        let covered = profile.map(|(profile, sum)| match preserve {
            Preserve::Statement => Covered::Lines(covered_lines(&counted.mapping, &profile)),
            _ => Covered::Vectors {
                branches: covered_branches(&counted.mapping, &profile),
                ways: sum.bitmaps().to_vec(),
            },
        });
        Ok(covered.map(|covered| Seen { status: execution.status, covered }))
    }

    pub fn is_kept_by(&self, other: &Seen) -> bool {
        if matches!(self.covered, Covered::Nothing) {
            return same_end(self.status, other.status);
        }
        let both_exit = matches!((self.status, other.status), (Status::Exited(_), Status::Exited(_)));
        (both_exit || same_end(self.status, other.status)) && self.lost_by(&other.covered) == 0
    }

    /// Between two runs of one test, in words.
    pub fn difference(&self, other: &Seen) -> Option<String> {
        if !same_end(self.status, other.status) {
            return Some(format!("{} and {}", in_words(self.status), in_words(other.status)));
        }
        let what = match self.covered {
            Covered::Nothing => return None,
            Covered::Goals(_) => "branches were taken",
            Covered::Lines(_) => "lines were run",
            Covered::Vectors { .. } => "outcomes of conditions were seen",
        };
        let differ = self.lost_by(&other.covered) + other.lost_by(&self.covered);
        (differ > 0).then(|| format!("{differ} {what} by one only"))
    }

    /// How much of this is not in `other`; all of it if that is of another kind.
    fn lost_by(&self, other: &Covered) -> usize {
        match (&self.covered, other) {
            (Covered::Nothing, _) => 0,
            (Covered::Goals(mine), Covered::Goals(theirs)) => mine.difference(theirs).count(),
            (Covered::Lines(mine), Covered::Lines(theirs)) => missing(mine, theirs),
            (Covered::Vectors { branches, ways }, Covered::Vectors { branches: their_branches, ways: their_ways }) => {
                let lost = ways.iter().zip(their_ways).map(|(mine, theirs)| (mine & !theirs).count_ones() as usize);
                missing(branches, their_branches) + lost.sum::<usize>()
            }
            _ => usize::MAX,
        }
    }
}

/// How many of `wanted` are not in `found`; both ascend.
fn missing<T: Ord>(wanted: &[T], found: &[T]) -> usize {
    let mut rest = found;
    let mut count = 0;
    for one in wanted {
        rest = &rest[rest.partition_point(|other| other < one)..];
        count += usize::from(rest.first() != Some(one));
    }
    count
}

/// Whether a core was dumped depends on the machine.
fn same_end(a: Status, b: Status) -> bool {
    match (a, b) {
        (Status::Signaled { signal: a, .. }, Status::Signaled { signal: b, .. }) => a == b,
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(status: Status, lines: &[u32]) -> Seen {
        Seen { status, covered: Covered::Lines(lines.iter().map(|&line| (0, line)).collect()) }
    }

    #[test]
    fn a_superset_keeps_and_a_subset_does_not() {
        let wanted = lines(Status::Exited(0), &[1, 4, 9]);
        assert!(wanted.is_kept_by(&lines(Status::Exited(2), &[1, 2, 4, 9, 11])), "exit codes may differ");
        assert!(!wanted.is_kept_by(&lines(Status::Exited(0), &[1, 4])));
        assert!(!wanted.is_kept_by(&lines(Status::TimedOut, &[1, 4, 9])));
        assert_eq!(missing(&[1, 4, 9], &[0, 4, 5]), 2);
        assert_eq!(missing(&[1], &[]), 1);
        let text = wanted.difference(&lines(Status::Exited(0), &[1, 4, 10]));
        assert_eq!(text.as_deref(), Some("2 lines were run by one only"));
    }

    #[test]
    fn ways_through_a_decision_are_bits() {
        let seen = |ways: u8| Seen {
            status: Status::Exited(0),
            covered: Covered::Vectors { branches: vec![(0, 1, true)], ways: vec![ways] },
        };
        assert!(seen(0b101).is_kept_by(&seen(0b111)));
        assert!(!seen(0b101).is_kept_by(&seen(0b110)));
    }
}
