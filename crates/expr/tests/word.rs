//! The two meanings of a term are one.

mod common;

use common::{Menu, cook, input, recipe};
use offshoot_expr::word::WordOp;
use offshoot_expr::{Tape, Term};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn narrow_terms_have_the_same_value_in_words(recipe in recipe(40), input in input()) {
        let cook = cook(&recipe, Menu { floats: true, tables: false });
        let cone = cook.pool.cone(&cook.terms);
        let values: Vec<u128> = Tape::new(&cook.pool, &cone).run(&input).collect();
        let value = |id| values[cone.binary_search(&id).expect("the cone is closed")];
        for &id in &cone {
            let term = cook.pool.get(id);
            let operands: Vec<_> = term.operands().collect();
            let narrow = term.width() <= 64 && operands.iter().all(|&kid| cook.pool.width(kid) <= 64);
            if operands.is_empty() || !narrow || matches!(term, Term::Select { .. }) {
                continue;
            }
            let word = |at: usize| operands.get(at).map_or(0, |&kid| value(kid) as u64);
            let op = WordOp::of(&term, cook.pool.width(operands[0]));
            prop_assert_eq!(op.apply(word(0), word(1), word(2)) as u128, value(id), "{:?}", op);
        }
    }
}
