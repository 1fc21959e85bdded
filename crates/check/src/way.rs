//! The decisions that lead to a failure, in terms of the source.

use crate::finding::Place;
use crate::source::Sources;
use offshoot_campaign::Sites;
use offshoot_campaign::places::Places;
use offshoot_model::graph::SiteId;
use offshoot_search::Step;
use serde::Serialize;

/// From the start of the run on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Way {
    /// Decisions on the input.
    pub total: usize,
    /// The last one is the last before it fails. Otherwise they are those of all the run, which may have gone on.
    pub ends_at_failure: bool,
    /// Of these, the ones between `first` and `last` that are not listed.
    pub left_out: usize,
    pub first: Vec<Decision>,
    pub last: Vec<Decision>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub place: Place,
    /// As the source has it, if that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// `true`, `false`, `case 3`, `default`
    pub outcome: String,
    /// So many times in a row.
    pub times: usize,
    /// In the C library: its source is not the user's.
    pub is_library: bool,
    /// Here it goes another way than the seed.
    pub leaves_seed: bool,
}

/// Rows that are listed: few from the start, more from the end, which is where it fails.
const FIRST: usize = 100;
const LAST: usize = 300;

/// `seed`: the decisions of the seed's own run.
pub fn way(steps: &[Step], seed: Option<&[Step]>, sites: &Sites, places: &Places, sources: &mut Sources) -> Way {
    let same = |a: &Step, b: &Step| (a.site, a.outcome) == (b.site, b.outcome);
    let leaves = seed.map(|seed| steps.iter().zip(seed).take_while(|(a, b)| same(a, b)).count());
    // A run that only ends earlier or later has left nothing.
    let leaves = leaves.filter(|&at| at < steps.len() && seed.is_some_and(|seed| at < seed.len()));
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match rows.last_mut() {
            Some((first, times)) if same(&steps[*first], step) && leaves != Some(at) && leaves != Some(*first) => {
                *times += 1;
            }
            _ => rows.push((at, 1)),
        }
    }
    let mut named = |rows: &[(usize, usize)]| -> Vec<Decision> {
        let one = |&(at, times): &(usize, usize)| {
            let known = decision(steps[at], sites, places, sources);
            Decision { times, leaves_seed: leaves == Some(at), ..known }
        };
        rows.iter().map(one).collect()
    };
    if rows.len() <= FIRST + LAST {
        return Way { total: steps.len(), first: named(&rows), ..Way::default() };
    }
    let (first, rest) = rows.split_at(FIRST);
    let (middle, last) = rest.split_at(rest.len() - LAST);
    let left_out = middle.iter().map(|(_, times)| times).sum();
    Way { total: steps.len(), left_out, first: named(first), last: named(last), ..Way::default() }
}

fn decision(step: Step, sites: &Sites, places: &Places, sources: &mut Sources) -> Decision {
    let mut outcome = sites.outcome_name(step.site, step.outcome);
    let alike = |other: &u32| sites.alike(step.site, *other) == step.outcome;
    let labels = (0..sites.outcomes(step.site)).filter(alike).count();
    if labels > 1 {
        outcome += &format!(" or one of {} more labels", labels - 1);
    }
    let Some(place) = sites.place(step.site) else {
        return Decision { outcome, ..Decision::default() };
    };
    let (module, _) = sites.graph().origin(SiteId(step.site.0));
    let is_library = places.module(module).is_some_and(|module| module.is_libc_model);
    let condition = if is_library { None } else { sources.get(place.file) };
    let condition = condition.and_then(|source| source.condition(place.line, place.column));
    let file = if is_library { place.file.to_owned() } else { sources.shown(place.file) };
    let function = place.function.to_owned();
    let place = Place { file, line: place.line, column: place.column, function };
    Decision { place, condition, outcome, is_library, ..Decision::default() }
}

impl Way {
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.first.iter().chain(&self.last)
    }
}

impl Decision {
    /// `b[0] == 'a' is true`
    pub fn in_words(&self) -> String {
        let times = if self.times > 1 { format!(", {} times", self.times) } else { String::new() };
        let what = match &self.condition {
            Some(condition) => format!("{condition} is {}", self.outcome),
            None if self.is_library => format!("inside {}: {}", self.place.function, self.outcome),
            None => format!("decision: {}", self.outcome),
        };
        let leaves = if self.leaves_seed { " (the seed goes another way)" } else { "" };
        format!("{what}{times}{leaves}")
    }
}
