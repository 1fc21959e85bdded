//! The cache between campaigns: structure, bytes on disk, bounds.

use offshoot_expr::{Input, Pool, TermId};
use offshoot_solve::{Answer, Cache, CacheError, Change, Layer, Limits, Problem};
use offshoot_trace::Op;
use proptest::prelude::*;

fn hint() -> Input {
    let mut input = Input::new();
    input.set_bytes(1, vec![0; 32]);
    input
}

/// `byte[at] + byte[at + gap] == sum` in another pool each time.
fn ask(cache: &mut Cache, at: u32, gap: u32, sum: u128, told: Option<Answer>) -> Answer {
    let mut pool = Pool::new();
    let terms: [TermId; 1] = {
        let (x, y) = (pool.read(1, at, 1), pool.read(1, at + gap, 1));
        let total = pool.binary(Op::Add, x, y);
        [pool.eq_const(total, sum)]
    };
    let hint = hint();
    let mut problem = Problem { pool: &mut pool, terms: &terms, hint: &hint, limits: Limits::default() };
    let answer = cache.solve(&mut problem);
    if let Some(told) = told {
        cache.learn(&mut problem, &told);
    }
    answer
}

fn change(offset: u32, value: u8) -> Change {
    Change { source: 1, offset, value }
}

#[test]
fn the_same_question_about_other_bytes() {
    let mut cache = Cache::new(100);
    let told = Answer::Sat(vec![change(3, 40), change(4, 2)]);
    assert!(matches!(ask(&mut cache, 3, 1, 42, Some(told)), Answer::Unknown(_)));
    assert_eq!(ask(&mut cache, 10, 1, 42, None), Answer::Sat(vec![change(10, 40), change(11, 2)]));
    assert!(matches!(ask(&mut cache, 10, 1, 43, None), Answer::Unknown(_)), "another constant is another question");
    assert!(matches!(ask(&mut cache, 10, 0, 42, None), Answer::Unknown(_)), "the same byte twice is another question");
}

#[test]
fn survives_the_disk() {
    let mut cache = Cache::new(100);
    ask(&mut cache, 0, 1, 7, Some(Answer::Unsat));
    ask(&mut cache, 0, 1, 8, Some(Answer::Sat(vec![change(0, 8)])));
    let bytes = cache.to_bytes();
    let mut back = Cache::from_bytes(&bytes, 100).expect("our own");
    assert_eq!(back.len(), 2);
    assert_eq!(ask(&mut back, 5, 1, 7, None), Answer::Unsat);
    assert_eq!(ask(&mut back, 5, 1, 8, None), Answer::Sat(vec![change(5, 8)]));
    assert_eq!(back.to_bytes(), bytes);
}

#[test]
fn foreign_and_older_files_are_refused() {
    let bytes = Cache::new(10).to_bytes();
    assert_eq!(Cache::from_bytes(b"", 10).err(), Some(CacheError::Magic));
    assert_eq!(Cache::from_bytes(b"ELF something else", 10).err(), Some(CacheError::Magic));
    let mut older = bytes.clone();
    older[8] = 0;
    assert_eq!(Cache::from_bytes(&older, 10).err(), Some(CacheError::Version { found: 0 }));
    assert_eq!(Cache::from_bytes(&bytes[..bytes.len() - 1], 10).err(), Some(CacheError::Damaged));
}

#[test]
fn stays_in_its_bounds() {
    let mut cache = Cache::new(50);
    for sum in 0..1000 {
        ask(&mut cache, 0, 1, sum, Some(Answer::Unsat));
        // What is used stays.
        assert_eq!(ask(&mut cache, 3, 1, 0, None), Answer::Unsat, "{sum}");
    }
    assert!(cache.len() <= 50);
}

proptest! {
    #[test]
    fn damage_is_an_error_never_a_panic(at in any::<prop::sample::Index>(), flip in 1u8.., cut in any::<prop::sample::Index>()) {
        let mut cache = Cache::new(100);
        for sum in 0..20 {
            ask(&mut cache, 0, 1, sum, Some(if sum % 2 == 0 { Answer::Unsat } else { Answer::Sat(vec![change(0, sum as u8)]) }));
        }
        let bytes = cache.to_bytes();
        let mut damaged = bytes.clone();
        damaged[at.index(bytes.len())] ^= flip;
        prop_assert!(Cache::from_bytes(&damaged, 100).is_err());
        prop_assert!(Cache::from_bytes(&bytes[..cut.index(bytes.len())], 100).is_err());
    }
}
