//! What runs covered, as sets: for those who compare many runs with one, and need no figures.

use rustc_hash::FxHashSet;

use crate::counter::Counters;
use crate::function::CountedRegion;
use crate::profile::Lookup;
use crate::segments::{lines, segments};
use crate::{Mapping, Profile, RegionKind};

/// Lines that ran, as index into [`Mapping::files`] and number, ascending: those of [`crate::File::lines`] with a count.
pub fn covered_lines(mapping: &Mapping, profile: &Profile) -> Vec<(usize, u32)> {
    let mut files: Vec<Vec<CountedRegion>> = vec![Vec::new(); mapping.files.len()];
    let mut ran = FxHashSet::default();
    for (record, counters) in known(mapping, profile) {
        let values = record.expressions.values(Counters::Known(counters));
        for region in record.regions.iter().filter(|region| is_code(region.kind)) {
            let Some(&file) = record.files.get(region.file as usize) else { continue };
            let count = values.of(region.count, Counters::Known(counters)).unwrap_or(0);
            if count > 0 {
                ran.insert(file);
            }
            files[file].push(CountedRegion { kind: region.kind, file: region.file, span: region.span, count });
        }
    }
    let mut covered = Vec::new();
    for (index, regions) in files.into_iter().enumerate().filter(|(index, _)| ran.contains(index)) {
        let lines = lines(&segments(regions));
        covered.extend(lines.iter().filter(|line| line.count > 0).map(|line| (index, line.line)));
    }
    covered
}

/// Outcomes of conditions that were seen, as function and region in it, and which outcome; ascending.
pub fn covered_branches(mapping: &Mapping, profile: &Profile) -> Vec<(usize, usize, bool)> {
    let mut covered = Vec::new();
    for (number, record) in mapping.functions.iter().enumerate() {
        let Lookup::Known(counts) = profile.look_up(record.name, record.hash) else { continue };
        if counts.counters.iter().all(|&count| count == 0) {
            continue;
        }
        let counters = Counters::Known(&counts.counters);
        let values = record.expressions.values(counters);
        for (at, region) in record.regions.iter().enumerate().filter(|(_, region)| region.kind.is_branch()) {
            for (outcome, counter) in [(false, region.count_false), (true, region.count)] {
                if values.of(counter, counters).is_some_and(|count| count > 0) {
                    covered.push((number, at, outcome));
                }
            }
        }
    }
    covered
}

fn known<'a>(mapping: &'a Mapping, profile: &'a Profile) -> impl Iterator<Item = (&'a crate::Record, &'a [u64])> {
    mapping.functions.iter().filter_map(|record| match profile.look_up(record.name, record.hash) {
        Lookup::Known(counts) => Some((record, &counts.counters[..])),
        Lookup::OtherHash | Lookup::Unknown => None,
    })
}

fn is_code(kind: RegionKind) -> bool {
    !kind.is_branch() && !matches!(kind, RegionKind::Decision { .. })
}
