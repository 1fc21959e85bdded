//! One test a rule: a goal that nothing but the rule reaches, and the layer alone.

use super::*;
use crate::problem::Limits;
use offshoot_expr::Input;
use offshoot_trace::Op;

/// The inversion must find an input for the goal; the hint does not satisfy it.
#[track_caller]
fn found(bytes: &[u8], goal: impl FnOnce(&mut Pool) -> TermId) {
    let mut pool = Pool::without_rewrites();
    let goal = goal(&mut pool);
    let mut hint = Input::new();
    hint.set_bytes(1, bytes.to_vec());
    assert_eq!(pool.eval(goal, &hint), 0, "the hint must not do");
    let terms = [goal];
    let mut problem = Problem { pool: &mut pool, terms: &terms, hint: &hint, limits: Limits::default() };
    let Answer::Sat(changes) = Invert.solve(&mut problem) else { panic!("no inverse found") };
    let mut input = hint.clone();
    changes.iter().for_each(|c| input.set(c.source, c.offset, c.value));
    assert_eq!(pool.eval(goal, &input), 1, "{changes:?}");
}

/// `op(read of `n` bytes) == value`
#[track_caller]
fn reaches(n: u8, value: u128, term: impl FnOnce(&mut Pool, TermId) -> TermId) {
    found(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], |pool| {
        let read = pool.read(1, 0, n);
        let term = term(pool, read);
        pool.eq_const(term, value)
    });
}

fn with(op: Op, constant: u128) -> impl FnOnce(&mut Pool, TermId) -> TermId {
    move |pool, x| pool.binary_const(op, x, constant)
}

#[test]
fn read() {
    reaches(4, 0xDEAD_BEEF, |_, x| x);
    reaches(16, 0x0123_4567_89AB_CDEF_0011_2233_4455_6677, |_, x| x);
}

#[test]
fn add_and_sub() {
    reaches(4, 77, with(Op::Add, 0xFFFF_0000));
    reaches(4, 77, with(Op::Sub, 1000));
    reaches(4, 77, |pool, x| {
        let c = pool.constant(5, 32);
        pool.binary(Op::Sub, c, x)
    });
}

#[test]
fn add_of_two_reads() {
    reaches(4, 1_000_000, |pool, x| {
        let y = pool.read(1, 8, 4);
        pool.binary(Op::Add, x, y)
    });
}

#[test]
fn xor() {
    reaches(4, 0x1234, with(Op::Xor, 0xFFFF_FFFF));
}

#[test]
fn mul_by_an_odd_number() {
    reaches(8, 0x1234_5678_9ABC_DEF1, with(Op::Mul, 6_364_136_223_846_793_005));
}

#[test]
fn mul_by_an_even_number() {
    reaches(4, 40, with(Op::Mul, 12 & !3 | 8));
    reaches(4, 120, with(Op::Mul, 12));
}

#[test]
fn shifts() {
    reaches(4, 0x1234_0000, with(Op::Shl, 12));
    reaches(4, 0x1234, with(Op::LShr, 12));
    reaches(4, 0xFFFF_F234, with(Op::AShr, 12));
}

#[test]
fn shift_by_a_read() {
    found(&[3], |pool| {
        let by = pool.read(1, 0, 1);
        let one = pool.constant(1, 8);
        let shifted = pool.binary(Op::Shl, one, by);
        pool.eq_const(shifted, 0x20)
    });
}

#[test]
fn rotate() {
    for (left, right) in [(7, 25), (13, 19)] {
        reaches(4, 0xCAFE_BABE, |pool, x| {
            let high = pool.binary_const(Op::Shl, x, left);
            let low = pool.binary_const(Op::LShr, x, right);
            pool.binary(Op::Or, high, low)
        });
    }
}

#[test]
fn and_or_with_constants() {
    reaches(4, 0x0204, with(Op::And, 0x0F0F));
    reaches(4, 0xFF12_34FF, with(Op::Or, 0xFF00_00FF));
}

#[test]
fn divisions() {
    reaches(4, 123, with(Op::UDiv, 10));
    reaches(4, 7, with(Op::URem, 10));
    reaches(4, 0xFFFF_FF00, with(Op::SDiv, 3));
    reaches(4, 9, with(Op::SRem, 10));
}

#[test]
fn division_by_a_read() {
    found(&[0, 0, 0, 0], |pool| {
        let read = pool.read(1, 0, 4);
        let c = pool.constant(1000, 32);
        let quotient = pool.binary(Op::UDiv, c, read);
        pool.eq_const(quotient, 250)
    });
}

#[test]
fn zext_and_sext() {
    reaches(1, 200, |pool, x| pool.zext(x, 32));
    reaches(1, 0xFFFF_FF80, |pool, x| pool.sext(x, 32));
}

#[test]
fn extract_and_concat() {
    reaches(4, 0x5A, |pool, x| pool.extract(x, 13, 8));
    reaches(2, 0x1234_5678, |pool, x| {
        let y = pool.read(1, 6, 2);
        pool.concat(x, y)
    });
}

#[test]
fn byte_and_bit_order() {
    reaches(8, 0x0102_0304_0506_0708 ^ 1, |pool, x| pool.unary(Op::Bswap, x, 64));
    reaches(4, 0x8000_0001, |pool, x| pool.unary(Op::Bitreverse, x, 32));
}

#[test]
fn bit_counts() {
    reaches(4, 17, |pool, x| pool.unary(Op::Ctpop, x, 32));
    reaches(4, 20, |pool, x| pool.unary(Op::Ctlz, x, 32));
    reaches(4, 32, |pool, x| pool.unary(Op::Ctlz, x, 32));
    reaches(4, 20, |pool, x| pool.unary(Op::Cttz, x, 32));
}

#[test]
fn ite_takes_either_branch() {
    reaches(1, 99, |pool, x| {
        let condition = pool.eq_const(x, 42);
        let (yes, no) = (pool.constant(99, 16), pool.constant(98, 16));
        pool.ite(condition, yes, no)
    });
    reaches(1, 99, |pool, x| {
        let condition = pool.eq_const(x, 1);
        let (yes, no) = (pool.constant(98, 16), pool.zext(x, 16));
        pool.ite(condition, yes, no)
    });
}

#[test]
fn select_from_a_constant_table() {
    reaches(1, 36, |pool, x| {
        let cells: Vec<_> = (0..20).map(|n| pool.constant(n * n, 8)).collect();
        let table = pool.table(&cells);
        let index = pool.zext(x, 64);
        pool.select(table, index, 1)
    });
}

#[test]
fn select_of_words() {
    found(&[1], |pool| {
        let cells: Vec<_> = (0..64u128).map(|n| pool.constant(n * 7, 8)).collect();
        let table = pool.table(&cells);
        let read = pool.read(1, 0, 1);
        let wide = pool.zext(read, 64);
        let index = pool.binary_const(Op::Shl, wide, 2);
        let word = pool.select(table, index, 4);
        let value = (0..4u128).rev().fold(0, |value, n| value << 8 | (((20 + n) * 7) & 0xFF));
        pool.eq_const(word, value)
    });
}

#[test]
fn select_of_a_symbolic_cell() {
    found(&[1, 5], |pool| {
        let cell = pool.read(1, 1, 1);
        let zero = pool.constant(0, 8);
        let table = pool.table(&[zero, cell, zero]);
        let read = pool.read(1, 0, 1);
        let index = pool.zext(read, 64);
        let byte = pool.select(table, index, 1);
        pool.eq_const(byte, 0x77)
    });
}

#[test]
fn comparisons_both_ways() {
    for op in [Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Eq, Op::Ne] {
        for constant in [5u128, 0xFFFF_FF00, 0x1234_5678] {
            for swapped in [false, true] {
                for wanted in [0, 1] {
                    let goal = |pool: &mut Pool| {
                        let read = pool.read(1, 0, 4);
                        let c = pool.constant(constant, 32);
                        let term = if swapped { pool.binary(op, c, read) } else { pool.binary(op, read, c) };
                        pool.eq_const(term, wanted)
                    };
                    for hint in [[0u8, 0, 0, 0x80], [255, 255, 255, 0x7F], [5, 0, 0, 0], [0, 255, 255, 255]] {
                        let mut pool = Pool::without_rewrites();
                        let term = goal(&mut pool);
                        let mut input = Input::new();
                        input.set_bytes(1, hint.to_vec());
                        if pool.eval(term, &input) == 0 {
                            found(&hint, goal);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn conjunctions_and_disjunctions() {
    found(&[0, 0], |pool| {
        let (x, y) = (pool.read(1, 0, 1), pool.read(1, 1, 1));
        let (a, b) = (pool.eq_const(x, 3), pool.eq_const(y, 4));
        pool.binary(Op::And, a, b)
    });
    found(&[0, 0], |pool| {
        let (x, y) = (pool.read(1, 0, 1), pool.read(1, 1, 1));
        let (a, b) = (pool.binary_const(Op::Ult, x, 0), pool.eq_const(y, 4));
        pool.binary(Op::Or, a, b)
    });
}

#[test]
fn numbers_as_floats() {
    reaches(4, (-17.0f64).to_bits() as u128, |pool, x| pool.unary(Op::SToF, x, 64));
    reaches(4, 3e9f64.to_bits() as u128, |pool, x| pool.unary(Op::UToF, x, 64));
    reaches(8, 0xFFFF_FFEF, |pool, x| pool.unary(Op::FToS, x, 32));
    reaches(8, 40, |pool, x| pool.unary(Op::FToU, x, 32));
    reaches(4, 1.5f64.to_bits() as u128, |pool, x| pool.unary(Op::FToF, x, 64));
}

#[test]
fn float_arithmetic() {
    let constant = 0.3f64.to_bits() as u128;
    for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv] {
        reaches(8, 12.75f64.to_bits() as u128, with(op, constant));
        reaches(8, 12.75f64.to_bits() as u128, move |pool, x| {
            let c = pool.constant(constant, 64);
            pool.binary(op, c, x)
        });
    }
    reaches(8, 5f64.to_bits() as u128, |pool, x| pool.unary(Op::FSqrt, x, 64));
    reaches(8, (-5f64).to_bits() as u128, |pool, x| pool.unary(Op::FFloor, x, 64));
}

#[test]
fn float_comparisons() {
    for op in [Op::FOeq, Op::FOlt, Op::FOle, Op::FUno] {
        for wanted in [0, 1] {
            for number in [0.0f64, 1e300, -3.5] {
                let goal = |pool: &mut Pool| {
                    let read = pool.read(1, 0, 8);
                    let term = pool.binary_const(op, read, 1.25f64.to_bits() as u128);
                    pool.eq_const(term, wanted)
                };
                let mut pool = Pool::without_rewrites();
                let term = goal(&mut pool);
                let mut input = Input::new();
                input.set_bytes(1, number.to_le_bytes().to_vec());
                if pool.eval(term, &input) == 0 {
                    found(&number.to_le_bytes(), goal);
                }
            }
        }
    }
}

#[test]
fn a_checksum_over_its_own_input_is_left_to_others() {
    let mut pool = Pool::new();
    let x = pool.read(1, 0, 1);
    let square = pool.binary(Op::Mul, x, x);
    let goal = pool.eq_const(square, 3);
    let mut hint = Input::new();
    hint.set_bytes(1, vec![1]);
    let terms = [goal];
    let mut problem = Problem { pool: &mut pool, terms: &terms, hint: &hint, limits: Limits::default() };
    assert_eq!(Invert.solve(&mut problem), Answer::Unknown(Why::NotMine));
}
