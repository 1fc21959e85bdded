//! Fewer changes that still do.

use crate::answer::Change;
use offshoot_expr::Input;

/// Puts bytes of the hint back, whole sources first, then halves, then single bytes, as long as `holds`. The result is
/// sorted, has each byte once and none that keeps its value. `holds(changes)` itself is known.
pub fn minimise(mut changes: Vec<Change>, hint: &Input, mut holds: impl FnMut(&[Change]) -> bool) -> Vec<Change> {
    changes.sort_unstable();
    changes.dedup_by_key(|c| (c.source, c.offset));
    changes.retain(|c| hint.get(c.source, c.offset) != c.value);
    if changes.len() < 2 {
        return changes;
    }
    let mut sources: Vec<u32> = changes.iter().map(|c| c.source).collect();
    sources.dedup();
    if sources.len() > 1 {
        for source in sources {
            let without: Vec<Change> = changes.iter().copied().filter(|c| c.source != source).collect();
            if holds(&without) {
                changes = without;
            }
        }
    }
    let mut size = changes.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < changes.len() {
            let mut without = changes.clone();
            without.drain(at..(at + size).min(changes.len()));
            // Everything undone is the hint, of which the caller knows that it is no answer.
            if !without.is_empty() && holds(&without) {
                changes = without;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(source: u32, offset: u32, value: u8) -> Change {
        Change { source, offset, value }
    }

    #[test]
    fn keeps_only_what_is_needed() {
        let mut hint = Input::new();
        hint.set_bytes(1, vec![0; 16]);
        hint.set_bytes(2, vec![7; 4]);
        let all: Vec<Change> =
            (0..16).map(|at| change(1, at, 1)).chain([change(2, 0, 7), change(2, 1, 8)]).rev().collect();
        let needed = [change(1, 3, 1), change(1, 12, 1)];
        let left = minimise(all, &hint, |changes| needed.iter().all(|n| changes.contains(n)));
        assert_eq!(left, needed);
    }

    #[test]
    fn changes_to_the_same_value_are_none() {
        let mut hint = Input::new();
        hint.set_bytes(1, vec![5]);
        assert!(minimise(vec![change(1, 0, 5)], &hint, |_| true).is_empty());
    }
}
