//! From regions, which nest, to segments, which follow each other, and from these to lines.
//!
//! A segment starts where the count changes. On a line, the count is the highest of the regions that start there and of
//! the segment that comes in from the line above.

use crate::{CountedRegion, Position, RegionKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    pub start: Position,
    pub count: u64,
    /// `false` where there is no code, or the preprocessor left it out.
    pub has_count: bool,
    /// A region starts here; otherwise one ends, and the count is that of the region around it.
    pub is_entry: bool,
    pub is_gap: bool,
}

/// A line with code in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub line: u32,
    pub count: u64,
}

/// The segments of the regions of one file. Branches and decisions are no regions here.
pub(crate) fn segments(mut regions: Vec<CountedRegion>) -> Vec<Segment> {
    // Outer regions first; of those that coincide, the kind that counts first.
    regions.sort_by_key(|region| (region.span.start, std::cmp::Reverse(region.span.end), region.kind.number()));
    let regions = combine(regions);
    let mut builder = Builder::default();
    for (index, region) in regions.iter().enumerate() {
        builder.add(region, regions.get(index + 1));
    }
    if !builder.active.is_empty() {
        builder.complete(None, 0);
    }
    builder.segments
}

/// Adds up regions that coincide: a macro that is used twice, a function that is compiled twice. The first kind decides:
/// a macro that is nothing but another macro is a code region and an expansion, and ran only once.
fn combine(regions: Vec<CountedRegion>) -> Vec<CountedRegion> {
    let mut combined: Vec<CountedRegion> = Vec::with_capacity(regions.len());
    for region in regions {
        match combined.last_mut() {
            Some(last) if last.span == region.span => {
                if last.kind.number() == region.kind.number() {
                    last.count = last.count.wrapping_add(region.count);
                }
            }
            _ => combined.push(region),
        }
    }
    combined
}

#[derive(Default)]
struct Builder<'a> {
    segments: Vec<Segment>,
    /// Regions that started and did not end yet.
    active: Vec<&'a CountedRegion>,
}

impl<'a> Builder<'a> {
    fn add(&mut self, region: &'a CountedRegion, next: Option<&CountedRegion>) {
        let start = region.span.start;
        if self.active.iter().any(|active| active.span.end <= start) {
            let (mut order, ended): (Vec<_>, Vec<_>) = self.active.iter().partition(|active| active.span.end > start);
            let first = order.len();
            order.extend(ended);
            self.active = order;
            self.complete(Some(start), first);
        }

        let is_entry = region.kind != RegionKind::Gap;
        if start == region.span.end {
            // Nothing in it: no region to go on with.
            let skipped = next.is_none() || region.kind == RegionKind::Skipped;
            self.start(self.active.last().unwrap_or(&region), start, is_entry, skipped);
            if let Some(around) = self.active.last().filter(|_| skipped) {
                self.start(around, start, false, false);
            }
            return;
        }
        if next.is_none_or(|next| next.span.start != start) {
            self.start(region, start, is_entry, false);
        }
        self.active.push(region);
    }

    /// Ends the active regions from index `first` on. `until` is where the next region starts.
    fn complete(&mut self, until: Option<Position>, first: usize) {
        self.active[first..].sort_by_key(|region| region.span.end);
        for index in first + 1..self.active.len() {
            let place = self.active[index - 1].span.end;
            if until == Some(place) {
                break;
            }
            let mut region = self.active[index];
            if place == region.span.end {
                continue;
            }
            // The last of those that end together.
            let end = region.span.end;
            region = self.active[index..].iter().rfind(|other| other.span.end == end).unwrap_or(&region);
            self.start(region, place, false, false);
        }
        let Some(last) = self.active.last() else { return };
        let end = last.span.end;
        if until != Some(end) {
            match first.checked_sub(1) {
                Some(around) => self.start(self.active[around], end, false, false),
                None => self.start(last, end, false, true),
            }
        }
        self.active.truncate(first);
    }

    fn start(&mut self, region: &CountedRegion, start: Position, is_entry: bool, skipped: bool) {
        let has_count = !skipped && region.kind != RegionKind::Skipped;
        if !is_entry && !skipped {
            // Would change nothing.
            let same = |last: &Segment| last.has_count == has_count && last.count == region.count && !last.is_entry;
            if self.segments.last().is_some_and(same) {
                return;
            }
        }
        let count = if has_count { region.count } else { 0 };
        let is_gap = has_count && region.kind == RegionKind::Gap;
        self.segments.push(Segment { start, count, has_count, is_entry, is_gap });
    }
}

/// The lines with code, from top to bottom.
pub(crate) fn lines(segments: &[Segment]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut wrapped: Option<&Segment> = None;
    let mut rest = segments;
    let Some(first) = segments.first() else { return lines };
    let mut line = first.start.line;
    while !rest.is_empty() {
        // Segments are sorted; one that is not would otherwise keep us here for ever.
        let here = rest.iter().take_while(|segment| segment.start.line <= line).count();
        let (here, behind) = rest.split_at(here);
        if let Some(count) = line_count(here, wrapped) {
            lines.push(Line { line, count });
        }
        wrapped = here.last().or(wrapped);
        rest = behind;
        line += 1;
    }
    lines
}

/// `None` if there is no code on the line.
fn line_count(here: &[Segment], wrapped: Option<&Segment>) -> Option<u64> {
    let starts = |segment: &&Segment| segment.has_count && segment.is_entry && !segment.is_gap;
    let highest = here.iter().filter(starts).map(|segment| segment.count).max();
    let skipped = here.first().is_some_and(|first| !first.has_count && first.is_entry);
    let mapped = highest.is_some() || !skipped && wrapped.is_some_and(|wrapped| wrapped.has_count);
    let wrapped = wrapped.map_or(0, |wrapped| wrapped.count);
    mapped.then(|| highest.map_or(wrapped, |highest| highest.max(wrapped)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn region(kind: RegionKind, span: [u32; 4], count: u64) -> CountedRegion {
        let [start, end] = [[span[0], span[1]], [span[2], span[3]]].map(|[line, column]| Position { line, column });
        CountedRegion { kind, file: 0, span: Span { start, end }, count }
    }

    fn counts(regions: &[CountedRegion]) -> Vec<(u32, u64)> {
        lines(&segments(regions.to_vec())).iter().map(|line| (line.line, line.count)).collect()
    }

    #[test]
    fn a_line_has_the_highest_count_that_starts_or_goes_on_there() {
        let function = region(RegionKind::Code, [1, 1, 5, 2], 5);
        let never = region(RegionKind::Code, [2, 10, 3, 4], 0);
        assert_eq!(counts(&[function, never]), [(1, 5), (2, 5), (3, 0), (4, 5), (5, 5)]);
        // Once more, by another translation unit.
        assert_eq!(counts(&[function, never, function, never]), [(1, 10), (2, 10), (3, 0), (4, 10), (5, 10)]);
    }

    #[test]
    fn a_skipped_line_counts_if_a_region_starts_on_it() {
        let function = region(RegionKind::Code, [1, 1, 3, 2], 5);
        let comment = region(RegionKind::Skipped, [2, 1, 2, u32::MAX], 0);
        assert_eq!(counts(&[function, comment]), [(1, 5), (3, 5)]);
        let inside = region(RegionKind::Code, [2, 5, 2, 8], 7);
        assert_eq!(counts(&[function, comment, inside]), [(1, 5), (2, 7), (3, 5)]);
    }

    #[test]
    fn a_gap_counts_only_where_it_goes_on() {
        let function = region(RegionKind::Code, [1, 1, 4, 2], 5);
        let gap = region(RegionKind::Gap, [1, 9, 2, 5], 2);
        let then = region(RegionKind::Code, [2, 5, 2, 9], 2);
        assert_eq!(counts(&[function, gap, then]), [(1, 5), (2, 2), (3, 5), (4, 5)]);
    }
}
