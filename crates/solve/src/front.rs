//! Answers that change one byte, straight from the session's index: no slice, no problem, no search. Most flips of a
//! parser's branches end here.

use crate::answer::{Answer, Change, Why};
use crate::domain::Domain;
use crate::ground::Ground;
use crate::slice::Prefix;
use offshoot_expr::{Input, Pool, TermId};

pub const BYTE: &str = "byte";
pub const RECENT: &str = "recent";
pub const FIXED: &str = "fixed";

/// Goals over more bytes are not tried byte by byte.
const BYTES: usize = 16;
/// Lanes after which no further byte is tried.
const LANES: usize = 2000;

/// Complete for a goal over one byte that no condition ties to another: `Sat` or `Unsat`. For any other goal over a few
/// bytes: `Sat` if one byte will do.
pub fn byte(
    pool: &mut Pool,
    ground: &mut Ground,
    prefix: &mut Prefix,
    hint: &Input,
    upto: u32,
    goal: TermId,
) -> Answer {
    let set = pool.support_id(goal);
    let support = pool.support_set(set);
    let size = support.len();
    if size > BYTES {
        return Answer::Unknown(Why::NotMine);
    }
    let before = ground.spent();
    for key @ (source, offset) in support.bytes() {
        if ground.spent() - before > LANES {
            break;
        }
        // What the cheap index leaves, before terms are evaluated.
        let own = prefix.own(key, upto);
        if own.len() == 1 && size > 1 {
            continue;
        }
        let Some(wanted) = ground.lanes(pool, goal, key).map(|wanted| wanted.and(own)) else { continue };
        if wanted.is_empty() {
            if size == 1 {
                return Answer::Unsat;
            }
            continue;
        }
        let free =
            if prefix.is_shared(pool, key, upto) { prefix.alone(pool, ground, key, upto) } else { Some(Domain::FULL) };
        if let Some(value) = free.and_then(|free| wanted.and(free).pick(hint.get(source, offset))) {
            return Answer::Sat(vec![Change { source, offset, value }]);
        }
    }
    Answer::Unknown(Why::NotMine)
}
