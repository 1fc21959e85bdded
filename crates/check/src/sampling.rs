//! Which checks are made. A path with very many of them must not eat the budget: where the same check at the same place
//! over terms of the same form was answered the same way again and again, only every 2^n-th is made.

use offshoot_expr::{Pool, TermId};
use offshoot_search::Site;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Agreeing answers before sampling starts.
pub const AGREEING: u32 = 8;
/// Solutions at one place that no judge confirmed before it is left alone.
const VAIN: u32 = 4;
/// Terms that a form is made of; more tell no more.
const FORM: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub check: &'static str,
    pub title: &'static str,
    pub site: Site,
    pub form: u64,
}

#[derive(Default)]
pub struct Sampling {
    /// `Unsat` answers, and checks that came after enough of them.
    agreed: HashMap<Key, (u32, u32)>,
    vain: HashMap<(&'static str, Site), u32>,
}

impl Sampling {
    /// Whether to make this one.
    pub fn wants(&mut self, key: Key) -> bool {
        if self.vain.get(&(key.check, key.site)).is_some_and(|&times| times >= VAIN) {
            return false;
        }
        match self.agreed.get_mut(&key) {
            Some((agreed, since)) if *agreed >= AGREEING => {
                *since += 1;
                since.is_power_of_two()
            }
            _ => true,
        }
    }

    pub fn unsat(&mut self, key: Key) {
        self.agreed.entry(key).or_default().0 += 1;
    }

    /// There is a solution: this place deserves a look each time.
    pub fn sat(&mut self, key: Key) {
        self.agreed.remove(&key);
    }

    pub fn unconfirmed(&mut self, key: Key) {
        *self.vain.entry((key.check, key.site)).or_default() += 1;
    }
}

/// What the solver gives up on. Twice may be bad luck; from then on only every 2^n-th is asked, or one expensive place at
/// the end of every path would eat the budget.
pub struct Expensive<K> {
    given_up: HashMap<K, (u32, u32)>,
}

impl<K> Default for Expensive<K> {
    fn default() -> Expensive<K> {
        Expensive { given_up: HashMap::new() }
    }
}

impl<K: Eq + Hash> Expensive<K> {
    pub fn wants(&mut self, key: K) -> bool {
        match self.given_up.get_mut(&key) {
            Some((times, since)) if *times >= 2 => {
                *since += 1;
                since.is_power_of_two() && *since > 2
            }
            _ => true,
        }
    }

    /// It was not that expensive.
    pub fn forgive(&mut self, key: &K) {
        self.given_up.remove(key);
    }

    pub fn gave_up(&mut self, key: K) {
        self.given_up.entry(key).or_default().0 += 1;
    }
}

/// The operations and widths that a term is made of, without the input's offsets and the constants.
pub fn form(pool: &Pool, root: TermId) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut stack = vec![root];
    let mut left = FORM;
    while let Some(term) = stack.pop() {
        if left == 0 {
            break;
        }
        left -= 1;
        let term = pool.get(term);
        (term.op() as u8, term.width()).hash(&mut hasher);
        stack.extend(term.operands());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key { check: "bounds", title: "read", site: Site(3), form: 7 }
    }

    #[test]
    fn after_eight_agreeing_answers_every_power_of_two_is_made() {
        let mut sampling = Sampling::default();
        for _ in 0..AGREEING {
            assert!(sampling.wants(key()));
            sampling.unsat(key());
        }
        let made: Vec<u32> = (1..=40).filter(|_| sampling.wants(key())).collect();
        assert_eq!(made, [1, 2, 4, 8, 16, 32]);
        sampling.sat(key());
        assert!(sampling.wants(key()) && sampling.wants(key()) && sampling.wants(key()));
        assert!(sampling.wants(Key { form: 8, ..key() }), "another form is another question");
    }

    #[test]
    fn a_place_that_is_never_confirmed_is_left_alone() {
        let mut sampling = Sampling::default();
        for _ in 0..VAIN {
            assert!(sampling.wants(key()));
            sampling.unconfirmed(key());
        }
        assert!(!sampling.wants(key()));
    }

    #[test]
    fn what_was_given_up_twice_is_asked_ever_more_rarely() {
        let mut expensive = Expensive::default();
        for _ in 0..2 {
            assert!(expensive.wants('a'));
            expensive.gave_up('a');
        }
        let asked: Vec<u32> = (1..=20).filter(|_| expensive.wants('a')).collect();
        assert_eq!(asked, [4, 8, 16]);
        assert!(expensive.wants('b'));
    }

    #[test]
    fn forms_do_not_see_offsets_and_constants() {
        let mut pool = Pool::new();
        let mut less = |offset, limit| {
            let byte = pool.read(1, offset, 1);
            let limit = pool.constant(limit, 8);
            pool.binary(offshoot_trace::Op::Ult, byte, limit)
        };
        let (a, b) = (less(0, 5), less(9, 77));
        assert_ne!(a, b);
        assert_eq!(form(&pool, a), form(&pool, b));
        let negated = pool.not(a);
        assert_ne!(form(&pool, a), form(&pool, negated));
    }
}
