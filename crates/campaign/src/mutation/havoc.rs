//! LibAFL's havoc mutators, on one source of an input at a time.

use libafl::corpus::{Corpus, InMemoryCorpus, Testcase};
use libafl::inputs::BytesInput;
use libafl::mutators::havoc_mutations::{HavocMutationsType, havoc_mutations};
use libafl::mutators::{HavocScheduledMutator, Mutator};
use libafl::state::{HasCorpus, HasMaxSize, HasRand};
use libafl_bolts::HasLen;
use libafl_bolts::rands::{Rand, StdRand};
use offshoot_suite::{Bytes, Source};

/// No source grows beyond this, unless it was longer already.
const LARGEST: usize = 1 << 20;
/// Bytes that mutators may take parts from; the oldest give way.
const DONORS: usize = 16;

pub struct Havoc {
    mutator: HavocScheduledMutator<HavocMutationsType>,
    state: Minimal,
}

/// All that the mutators ask for.
struct Minimal {
    rand: StdRand,
    max_size: usize,
    donors: InMemoryCorpus<BytesInput>,
}

impl HasRand for Minimal {
    type Rand = StdRand;
    fn rand(&self) -> &StdRand {
        &self.rand
    }
    fn rand_mut(&mut self) -> &mut StdRand {
        &mut self.rand
    }
}

impl HasMaxSize for Minimal {
    fn max_size(&self) -> usize {
        self.max_size
    }
    fn set_max_size(&mut self, max_size: usize) {
        self.max_size = max_size;
    }
}

impl HasCorpus<BytesInput> for Minimal {
    type Corpus = InMemoryCorpus<BytesInput>;
    fn corpus(&self) -> &Self::Corpus {
        &self.donors
    }
    fn corpus_mut(&mut self) -> &mut Self::Corpus {
        &mut self.donors
    }
}

impl Havoc {
    /// `longest`: of all sources of the seeds.
    pub fn new(rng_seed: u64, longest: usize) -> Havoc {
        let max_size = (2 * longest).clamp(4096, LARGEST).max(longest);
        let mut donors = InMemoryCorpus::new();
        // The mutators do not expect that there are none.
        _ = donors.add(Testcase::new(BytesInput::new(vec![0])));
        let state = Minimal { rand: StdRand::with_seed(rng_seed), max_size, donors };
        Havoc { mutator: HavocScheduledMutator::new(havoc_mutations()), state }
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.state.rand.below_or_zero(end)
    }

    /// Parts of this input may turn up in others.
    pub fn learn(&mut self, input: &Bytes) {
        for (_, bytes) in input.iter().filter(|(_, bytes)| !bytes.is_empty()) {
            let donors = &mut self.state.donors;
            if donors.count() >= DONORS
                && let Some(oldest) = donors.first()
            {
                // A donor that stays is no harm.
                _ = donors.remove(oldest);
            }
            _ = donors.add(Testcase::new(BytesInput::new(bytes.to_vec())));
        }
    }

    /// One source of the input is another afterwards; `None`: none may be.
    pub fn change(&mut self, input: &Bytes, is_open: impl Fn(&Source) -> bool) -> Option<Bytes> {
        let open: Vec<&Source> = input.iter().map(|(source, _)| source).filter(|source| is_open(source)).collect();
        // What a program reads is more worth changing than how it was called.
        let weight = |source: &Source| if matches!(source, Source::Arg(_) | Source::Env(_)) { 1 } else { 4 };
        let mut ticket = self.below(open.iter().map(|source| weight(source)).sum());
        let chosen = open.into_iter().find(|source| {
            let is_here = ticket < weight(source);
            ticket = ticket.saturating_sub(weight(source));
            is_here
        })?;
        let mut changed = BytesInput::new(input.get(chosen)?.to_vec());
        if changed.len() == 0 {
            // The mutators leave empty input alone.
            let size = 1 + self.below(8);
            changed = BytesInput::new((0..size).map(|_| self.below(256) as u8).collect());
        }
        // Skipped or failed: the child is like its parent, and costs a run.
        _ = self.mutator.mutate(&mut self.state, &mut changed);
        let mut child = input.clone();
        child.insert(chosen.clone(), changed.into());
        Some(child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input() -> Bytes {
        [(Source::Arg(1), b"-n".to_vec()), (Source::Stdin, b"some text\n".to_vec())].into_iter().collect()
    }

    #[test]
    fn one_source_changes_and_the_same_seed_gives_the_same() {
        let children = |rng_seed| {
            let mut havoc = Havoc::new(rng_seed, 10);
            havoc.learn(&input());
            (0..200).map(|_| havoc.change(&input(), |_| true).expect("a child")).collect::<Vec<_>>()
        };
        assert_eq!(children(1), children(1));
        assert_ne!(children(1), children(2));
        let differs = |child: &Bytes, source| child.get(source) != input().get(source);
        let (arg, stdin) = (&Source::Arg(1), &Source::Stdin);
        assert!(children(1).iter().all(|child| !(differs(child, arg) && differs(child, stdin))));
        assert!(children(1).iter().any(|child| differs(child, arg)));
        assert!(children(1).iter().filter(|child| differs(child, stdin)).count() > 100);
    }

    #[test]
    fn donors_come_and_go() {
        let mut havoc = Havoc::new(3, 10);
        for round in 0..10 * DONORS {
            havoc.learn(&input());
            assert!(havoc.state.donors.count() <= DONORS + 1, "in round {round}");
            assert!(havoc.change(&input(), |_| true).is_some());
        }
    }

    #[test]
    fn what_is_closed_stays_and_what_is_empty_grows() {
        let mut havoc = Havoc::new(0, 10);
        assert_eq!(havoc.change(&input(), |_| false), None);
        let child = havoc.change(&input(), |source| *source == Source::Stdin).expect("a child");
        assert_eq!(child.get(&Source::Arg(1)), Some(&b"-n"[..]));
        let empty: Bytes = [(Source::Stdin, Vec::new())].into_iter().collect();
        let grown = (0..50).filter_map(|_| havoc.change(&empty, |_| true));
        assert!(grown.filter(|child| child.get(&Source::Stdin).is_some_and(|bytes| !bytes.is_empty())).count() > 10);
    }
}
