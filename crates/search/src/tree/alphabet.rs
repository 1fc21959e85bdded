//! The letters that paths are written in.
//!
//! A letter is one symbolic step together with the concrete steps in front of it. A program has few of them, whatever
//! the number of runs, so a path is a string of 16-bit numbers (32-bit ones where the alphabet has grown past that).

use crate::hash::{Map, fingerprint, table_bytes};
use crate::types::{Site, Step};
use std::mem::size_of;

/// Concrete steps kept in front of a symbolic one: the last so many. A context looks back a few branches; a concrete
/// loop of a million turns must not cost a million letters.
pub const GAP: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Letter {
    /// Index into `steps`.
    step: u32,
    /// Index into `gaps`; 0 is the empty one.
    gap: u32,
}

#[derive(Debug)]
pub(super) struct Alphabet {
    steps: Vec<(u32, u32)>,
    by_step: Map<(u32, u32), u32>,
    letters: Vec<Letter>,
    by_letter: Map<(u32, u32), u32>,
    /// Gap `g` is `concrete[ends[g - 1]..ends[g]]`, of indices into `steps`.
    ends: Vec<u32>,
    concrete: Vec<u32>,
    by_gap: Map<u64, u32>,
    /// Bytes that gaps may take; past them new ones are dropped.
    gap_budget: usize,
    pub(super) dropped_gaps: u64,
}

impl Alphabet {
    pub(super) fn new(gap_budget: usize) -> Alphabet {
        Alphabet {
            steps: Vec::new(),
            by_step: Map::default(),
            letters: Vec::new(),
            by_letter: Map::default(),
            ends: vec![0],
            concrete: Vec::new(),
            by_gap: Map::default(),
            gap_budget,
            dropped_gaps: 0,
        }
    }

    /// `gap`: the concrete steps in front of it, to be kept; may be cut to the last [`GAP`].
    pub(super) fn letter(&mut self, step: Step, gap: &[Step]) -> u32 {
        let gap = self.gap(&gap[gap.len().saturating_sub(GAP)..]);
        let step = self.step_index(step);
        let next = self.letters.len() as u32;
        let letter = *self.by_letter.entry((step, gap)).or_insert(next);
        if letter == next {
            self.letters.push(Letter { step, gap });
        }
        letter
    }

    pub(super) fn step(&self, letter: u32) -> Step {
        let (site, outcome) = self.steps[self.letters[letter as usize].step as usize];
        Step { site: Site(site), outcome, symbolic: true }
    }

    /// The concrete steps in front of a letter's symbolic one, in the order of the run.
    pub(super) fn concrete(&self, letter: u32) -> impl DoubleEndedIterator<Item = Step> + '_ {
        let gap = self.letters[letter as usize].gap as usize;
        let start = if gap == 0 { 0 } else { self.ends[gap - 1] as usize };
        self.concrete[start..self.ends[gap] as usize].iter().map(|&step| {
            let (site, outcome) = self.steps[step as usize];
            Step { site: Site(site), outcome, symbolic: false }
        })
    }

    pub(super) fn memory(&self) -> usize {
        self.steps.capacity() * size_of::<(u32, u32)>()
            + table_bytes(self.by_step.capacity(), size_of::<((u32, u32), u32)>())
            + self.letters.capacity() * size_of::<Letter>()
            + table_bytes(self.by_letter.capacity(), size_of::<((u32, u32), u32)>())
            + self.gap_memory()
    }

    fn gap_memory(&self) -> usize {
        (self.ends.capacity() + self.concrete.capacity()) * size_of::<u32>()
            + table_bytes(self.by_gap.capacity(), size_of::<(u64, u32)>())
    }

    fn step_index(&mut self, step: Step) -> u32 {
        let pair = (step.site.0, step.outcome);
        let next = self.steps.len() as u32;
        let index = *self.by_step.entry(pair).or_insert(next);
        if index == next {
            self.steps.push(pair);
        }
        index
    }

    fn gap(&mut self, steps: &[Step]) -> u32 {
        if steps.is_empty() {
            return 0;
        }
        let packed = |step: &Step| u64::from(step.site.0) << 32 | u64::from(step.outcome);
        let mut key = fingerprint(steps.iter().map(packed));
        while let Some(&gap) = self.by_gap.get(&key) {
            let start = self.ends[gap as usize - 1] as usize;
            let known = &self.concrete[start..self.ends[gap as usize] as usize];
            let same = |(known, step): (&u32, &Step)| self.steps[*known as usize] == (step.site.0, step.outcome);
            if known.len() == steps.len() && known.iter().zip(steps).all(same) {
                return gap;
            }
            key = key.wrapping_add(1);
        }
        if self.gap_memory() > self.gap_budget {
            self.dropped_gaps += 1;
            return 0;
        }
        for &step in steps {
            let index = self.step_index(step);
            self.concrete.push(index);
        }
        let gap = self.ends.len() as u32;
        self.ends.push(self.concrete.len() as u32);
        self.by_gap.insert(key, gap);
        gap
    }
}

/// A string of letters.
#[derive(Debug)]
pub(super) enum Text {
    Narrow(Box<[u16]>),
    Wide(Box<[u32]>),
}

impl Text {
    pub(super) fn new(letters: &[u32]) -> Text {
        match letters.iter().map(|&letter| u16::try_from(letter)).collect::<Result<_, _>>() {
            Ok(narrow) => Text::Narrow(narrow),
            Err(_) => Text::Wide(letters.into()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Text::Narrow(letters) => letters.len(),
            Text::Wide(letters) => letters.len(),
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<u32> {
        match self {
            Text::Narrow(letters) => letters.get(index).map(|&letter| u32::from(letter)),
            Text::Wide(letters) => letters.get(index).copied(),
        }
    }

    pub(super) fn truncate(&mut self, length: usize) {
        let letters: Vec<u32> = (0..length).map_while(|index| self.get(index)).collect();
        *self = Text::new(&letters);
    }

    pub(super) fn memory(&self) -> usize {
        // What the allocator adds to a block.
        const BLOCK: usize = 16;
        BLOCK
            + match self {
                Text::Narrow(letters) => size_of_val::<[u16]>(letters),
                Text::Wide(letters) => size_of_val::<[u32]>(letters),
            }
    }
}
