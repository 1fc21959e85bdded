//! One function of the mapping with the counts of a profile.

use crate::counter::{Counter, Counters, Values, highest_of};
use crate::decision::{Decisions, Grouped};
use crate::mcdc::{self, Bits, Condition, Decision, Vector};
use crate::profile::{Lookup, Profile};
use crate::segments::{lines, segments};
use crate::{Record, RegionKind, Span, Summary, Tally};

/// A function and how often each part of it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// As in `__llvm_prf_names`, where the `static` ones start with their file; the hash if it is not there.
    pub name: String,
    /// [`Record::name`] and [`Record::hash`], by which a profile knows it.
    pub name_hash: u64,
    pub hash: u64,
    /// Indices into [`crate::Mapping::files`]. Everything below names a file by its place in this list.
    pub files: Vec<usize>,
    /// Place in `files` of the one that it is defined in.
    pub main_file: Option<u32>,
    /// How often it was called.
    pub count: u64,
    pub regions: Vec<CountedRegion>,
    pub branches: Vec<Branch>,
    pub decisions: Vec<Decision>,
    /// Decisions that the mapping describes in a way that makes no sense, and that are left out.
    pub broken_decisions: usize,
    /// Conditions that are in no decision. They are branches nevertheless.
    pub stray_conditions: usize,
    pub summary: Summary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedRegion {
    pub kind: RegionKind,
    pub file: u32,
    pub span: Span,
    pub count: u64,
}

/// A condition, or a `case` of a `switch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    pub file: u32,
    pub span: Span,
    pub count_true: u64,
    pub count_false: u64,
    /// A constant. It is not counted.
    pub folded: bool,
    /// Its number in its decision, if it has one.
    pub condition: Option<u16>,
}

/// Why a function of the mapping is in no report. `llvm-cov` leaves the same ones out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// The profile has a function of this name with another body.
    OtherBody,
    /// Another translation unit has the code, and it ran.
    NotUsedHere,
    /// It needs a counter that the profile does not have.
    NoCounter,
    /// Another function has the same name and files.
    Repeated,
}

impl Function {
    /// Everything but the duplicates, which the report sees.
    pub(crate) fn new(record: &Record, name: String, profile: &Profile) -> Result<Self, DropReason> {
        let counts = match profile.look_up(record.name, record.hash) {
            Lookup::Known(counts) => Some(counts),
            Lookup::OtherHash => return Err(DropReason::OtherBody),
            Lookup::Unknown => None,
        };
        let counters = counts.map_or_else(|| unknown(record), |counts| Counters::Known(&counts.counters));
        if let [only] = &record.regions[..]
            && only.count == Counter::Zero
            && counters.get(0).is_some_and(|count| count > 0)
        {
            return Err(DropReason::NotUsedHere);
        }
        let mut function = Self {
            name,
            name_hash: record.name,
            hash: record.hash,
            files: record.files.clone(),
            main_file: main_file(record),
            count: 0,
            regions: Vec::new(),
            branches: Vec::new(),
            decisions: Vec::new(),
            broken_decisions: 0,
            stray_conditions: 0,
            summary: Summary::default(),
        };
        let values = record.expressions.values(counters);
        let bitmap = counts.map(|counts| &counts.bitmap[..]);
        function.add_regions(record, counters, &values, bitmap).ok_or(DropReason::NoCounter)?;
        function.summary = function.summarise();
        Ok(function)
    }

    /// `None` if a counter is missing.
    fn add_regions(
        &mut self,
        record: &Record,
        counters: Counters,
        values: &Values,
        bitmap: Option<&[u8]>,
    ) -> Option<()> {
        let mut decisions = Decisions::default();
        for (index, region) in record.regions.iter().enumerate() {
            let grouped = decisions.take(index, region);
            let count = values.of(region.count, counters)?;
            let count_false = values.of(region.count_false, counters)?;
            match region.kind {
                RegionKind::Decision { .. } => {}
                kind if kind.is_branch() => self.branches.push(Branch {
                    file: region.file,
                    span: region.span,
                    count_true: count,
                    count_false,
                    folded: (region.count, region.count_false) == (Counter::Zero, Counter::Zero),
                    condition: if let RegionKind::Condition { id, .. } = kind { Some(id) } else { None },
                }),
                kind => {
                    if self.regions.is_empty() {
                        self.count = count;
                    }
                    self.regions.push(CountedRegion { kind, file: region.file, span: region.span, count });
                }
            }
            if let Some(grouped) = grouped {
                match evaluate(record, &grouped, bitmap) {
                    Some(decision) => self.decisions.push(decision),
                    None => self.broken_decisions += 1,
                }
            }
        }
        self.broken_decisions += decisions.unfinished();
        self.stray_conditions = decisions.strays;
        Some(())
    }

    fn summarise(&self) -> Summary {
        let called = self.count > 0;
        let mut summary =
            Summary { functions: Tally::of([called]), instantiations: Tally::of([called]), ..Summary::default() };
        let code = self.regions.iter().filter(|region| region.kind == RegionKind::Code);
        summary.regions = Tally::of(code.map(|region| region.count != 0));
        let Some(main_file) = self.main_file else { return summary };

        let own = self.regions.iter().filter(|region| region.file == main_file).copied().collect();
        summary.lines = Tally::of(lines(&segments(own)).iter().map(|line| line.count > 0));
        let expanded = self.expanded_in(main_file);
        let counted = self.branches.iter().filter(|branch| !branch.folded && expanded[branch.file as usize]);
        summary.branches = Tally::of(counted.flat_map(|branch| [branch.count_true > 0, branch.count_false > 0]));
        let own = self.decisions.iter().filter(|decision| decision.file == main_file);
        summary.mcdc = Tally::of(own.flat_map(Decision::covered));
        summary
    }

    /// For each place in the list of files: is it `file`, or a macro that is used in there, however deep?
    fn expanded_in(&self, file: u32) -> Vec<bool> {
        let mut inside = vec![Vec::new(); self.files.len()];
        for region in &self.regions {
            if let RegionKind::Expansion { file } = region.kind {
                inside[region.file as usize].push(file);
            }
        }
        let mut expanded = vec![false; self.files.len()];
        let mut queue = vec![file];
        while let Some(file) = queue.pop() {
            if !std::mem::replace(&mut expanded[file as usize], true) {
                queue.append(&mut inside[file as usize]);
            }
        }
        expanded
    }
}

impl Decision {
    /// For each condition that is no constant, whether it is shown to matter.
    pub fn covered(&self) -> impl Iterator<Item = bool> {
        self.conditions.iter().filter(|condition| !condition.folded).map(|condition| condition.pair.is_some())
    }
}

/// As many zeros as there are counters. LLVM does not look at the counters of false branches here; a function that needs
/// more for them is left out.
fn unknown(record: &Record) -> Counters<'static> {
    let expressions = record.expressions.highest();
    let highest = record.regions.iter().map(|region| highest_of(region.count, &expressions)).max();
    Counters::Zeros(u64::from(highest.unwrap_or(0)) + 1)
}

/// The first file that is not a macro's.
fn main_file(record: &Record) -> Option<u32> {
    let mut is_expanded = vec![false; record.files.len()];
    for region in &record.regions {
        if let RegionKind::Expansion { file } = region.kind {
            is_expanded[file as usize] = true;
        }
    }
    is_expanded.iter().position(|expanded| !expanded).map(|file| file as u32)
}

/// `None` if the mapping of the decision makes no sense.
fn evaluate(record: &Record, grouped: &Grouped, bitmap: Option<&[u8]>) -> Option<Decision> {
    let region = &record.regions[grouped.decision];
    let RegionKind::Decision { bitmap_end, .. } = region.kind else { return None };
    let mut next = vec![[None; 2]; grouped.conditions.len()];
    let mut conditions = Vec::with_capacity(next.len());
    for &index in &grouped.conditions {
        let condition = &record.regions[index];
        let RegionKind::Condition { id, next: successors } = condition.kind else { return None };
        next[usize::from(id)] = successors;
        conditions.push(Condition {
            id,
            next: successors,
            file: condition.file,
            span: condition.span,
            folded: (condition.count, condition.count_false) == (Counter::Zero, Counter::Zero),
            pair: None,
            unique_cause: None,
        });
    }
    let bits = bitmap.map_or(Bits::None, |bitmap| Bits::Before { bitmap, end: bitmap_end });
    let by_id = mcdc::executed(&next, bits)?;
    let pairs = mcdc::pairs(&by_id, next.len());
    for condition in &mut conditions {
        condition.pair = pairs.masking[usize::from(condition.id)];
        condition.unique_cause = pairs.unique_cause[usize::from(condition.id)];
    }
    let in_order = |vector: &Vector| Vector {
        values: conditions.iter().map(|condition| vector.values[usize::from(condition.id)]).collect(),
        result: vector.result,
    };
    let vectors = by_id.iter().map(in_order).collect();
    Some(Decision { file: region.file, span: region.span, conditions, vectors })
}
