//! The mapping of one function: its files, expressions and regions.

use crate::counter::{self, Counter, Expression, Expressions};
use crate::cursor::Cursor;
use crate::region::{Position, Region, RegionKind, Span};
use crate::{MappingError, mapping::FileNames};

/// A function of the program as its coverage mapping describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// First 64 bits of the MD5 of the function's name. The name of a `static` function starts with its file's.
    pub name: u64,
    /// Changes with the function's control flow. 0 for a function that its translation unit has no code for.
    pub hash: u64,
    /// Indices into [`crate::Mapping::files`]. Regions name a file by its place in this list.
    pub files: Vec<usize>,
    pub expressions: Expressions,
    pub regions: Vec<Region>,
}

/// Longer files are not believed: somebody goes through all lines up to the last.
const LAST_LINE: u32 = 1 << 22;

/// A number with this bit in it, at the end of a region, makes the region a gap.
const GAP: u32 = 1 << 31;

/// Is this the mapping of a function that was seen but not used: one region that never ran?
pub(crate) fn is_dummy(hash: u64, mut mapping: Cursor) -> Result<bool, MappingError> {
    if hash != 0 || mapping.size("the number of files")? != 1 {
        return Ok(false);
    }
    mapping.small("the index of a file")?;
    if mapping.size("the number of expressions")? != 0 || mapping.size("the number of regions")? != 1 {
        return Ok(false);
    }
    Ok(mapping.small("a region")? & 3 == 0)
}

pub(crate) fn read(name: u64, hash: u64, mut mapping: Cursor, names: FileNames) -> Result<Record, MappingError> {
    let count = mapping.size("the number of files")?;
    let mut files = Vec::with_capacity(count);
    for _ in 0..count {
        files.push(names[mapping.below(names.len() as u64, "the index of a file")? as usize]);
    }

    let count = mapping.size("the number of expressions")?;
    let mut expressions = vec![Expression { subtract: true, left: Counter::Zero, right: Counter::Zero }; count];
    for index in 0..count {
        let left = read_counter(&mut mapping, &mut expressions)?;
        let right = read_counter(&mut mapping, &mut expressions)?;
        (expressions[index].left, expressions[index].right) = (left, right);
    }

    let mut regions = Vec::new();
    for file in 0..files.len() {
        let mut line = 0;
        for _ in 0..mapping.size("the number of regions")? {
            regions.push(read_region(&mut mapping, file as u32, files.len(), &mut line, &mut expressions)?);
        }
    }
    if regions.is_empty() {
        return Err(mapping.malformed("a function has no regions"));
    }
    count_expansions(&mapping, &mut regions, files.len())?;

    let expressions =
        Expressions::new(expressions).ok_or_else(|| mapping.malformed("an expression contains itself"))?;
    Ok(Record { name, hash, files, expressions, regions })
}

fn read_counter(mapping: &mut Cursor, expressions: &mut [Expression]) -> Result<Counter, MappingError> {
    let encoded = mapping.small("a counter")?;
    counter::decode(mapping, encoded, expressions)
}

fn read_region(
    mapping: &mut Cursor,
    file: u32,
    files: usize,
    line: &mut u32,
    expressions: &mut [Expression],
) -> Result<Region, MappingError> {
    let head = mapping.small("a region")?;
    let (mut kind, mut count, mut count_false) = (RegionKind::Code, Counter::Zero, Counter::Zero);
    if head & 3 != 0 {
        count = counter::decode(mapping, head, expressions)?;
    } else if head & 4 != 0 {
        let expanded = head >> 3;
        if expanded as usize >= files {
            return Err(mapping.malformed(format!("a macro expands to file {expanded} of {files}")));
        }
        kind = RegionKind::Expansion { file: expanded };
    } else {
        match head >> 3 {
            0 => {}
            2 => kind = RegionKind::Skipped,
            4 => {
                kind = RegionKind::Branch;
                count = read_counter(mapping, expressions)?;
                count_false = read_counter(mapping, expressions)?;
            }
            5 => {
                let bitmap_end = mapping.small("the end of a bitmap")?;
                let conditions = mapping.below(0x7fff, "the number of conditions")? as u16;
                if conditions == 0 {
                    return Err(mapping.malformed("a decision has no conditions"));
                }
                kind = RegionKind::Decision { bitmap_end, conditions };
            }
            6 => {
                count = read_counter(mapping, expressions)?;
                count_false = read_counter(mapping, expressions)?;
                // Counted from 1; 0 is none.
                let mut id = || Ok((mapping.below(0x7fff, "the id of a condition")? as u16).checked_sub(1));
                let (own, if_true, if_false) = (id()?, id()?, id()?);
                let own = own.ok_or_else(|| mapping.malformed("a condition has no id"))?;
                kind = RegionKind::Condition { id: own, next: [if_false, if_true] };
            }
            other => return Err(mapping.malformed(format!("there is no kind of region {other}"))),
        }
    }

    let start_line = mapping.small("a line")?;
    let mut start_column = mapping.small("a column")?;
    let lines = mapping.small("a number of lines")?;
    let mut end_column = mapping.small("a column")?;
    *line = line.saturating_add(start_line);
    let end_line = line.saturating_add(lines);
    if end_line > LAST_LINE {
        return Err(mapping.malformed(format!("a region ends in line {end_line}")));
    }
    if end_column & GAP != 0 {
        kind = RegionKind::Gap;
        end_column &= !GAP;
    }
    // Short for whole lines.
    if (start_column, end_column) == (0, 0) {
        (start_column, end_column) = (1, u32::MAX);
    }
    let start = Position { line: *line, column: start_column };
    let end = Position { line: end_line, column: end_column };
    if start > end {
        return Err(mapping.malformed("a region ends before it starts"));
    }
    Ok(Region { kind, count, count_false, file, span: Span { start, end } })
}

/// An expansion runs as often as the first region of what it expands to. Expansions may be first regions themselves:
/// repeats until nothing changes, at most once for each level.
fn count_expansions(mapping: &Cursor, regions: &mut [Region], files: usize) -> Result<(), MappingError> {
    let mut expanded_by = vec![None; files];
    for (index, region) in regions.iter().enumerate() {
        if let RegionKind::Expansion { file } = region.kind {
            // Each expansion has its own place in the list of files: what is below is a tree.
            if expanded_by[file as usize].replace(index).is_some() {
                return Err(mapping.malformed(format!("two macros expand to file {file} of a function")));
            }
        }
    }
    let mut first: Vec<Option<usize>> = vec![None; files];
    for (index, region) in regions.iter().enumerate() {
        first[region.file as usize].get_or_insert(index);
    }
    for _ in 0..=files {
        let mut changed = false;
        for file in 0..files {
            if let (Some(expansion), Some(first)) = (expanded_by[file], first[file]) {
                let count = regions[first].count;
                changed |= regions[expansion].count != count;
                regions[expansion].count = count;
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}
