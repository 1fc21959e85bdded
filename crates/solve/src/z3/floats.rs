//! Floats: IEEE single and double of Z3. Values that only floats see never go through bits; the bits of a float result
//! are a constant of their own, tied to the float by `to_fp(bits) = float`, which all NaNs satisfy for a NaN.

use super::terms::{Terms, number};
use ::z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use ::z3::{Context, Sort};
use offshoot_expr::{Pool, Term};
use offshoot_trace::Op;

fn sort(width: u32) -> Sort {
    if width == 32 { Sort::float32() } else { Sort::double() }
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

/// The float that 32 or 64 bits stand for.
pub(super) fn of_bits(bits: &BV) -> Float {
    let context = Context::thread_local();
    let sort = sort(bits.get_size());
    // SAFETY: all three are of the thread's context, and alive; the sort has as many bits as the vector.
    unsafe {
        let ast = z3_sys::Z3_mk_fpa_to_fp_bv(context.get_z3_context(), bits.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(&context, ast.expect("a float sort and a bit vector of its size"))
    }
}

/// The float nearest to an integer.
fn of_integer(integer: &BV, width: u8, signed: bool) -> Float {
    let context = Context::thread_local();
    let (sort, mode) = (sort(width as u32), nearest());
    let convert = if signed { z3_sys::Z3_mk_fpa_to_fp_signed } else { z3_sys::Z3_mk_fpa_to_fp_unsigned };
    // SAFETY: all four are of the thread's context, and alive.
    unsafe {
        let ast = convert(context.get_z3_context(), mode.get_z3_ast(), integer.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(&context, ast.expect("a rounding mode, a bit vector and a float sort"))
    }
}

pub(super) fn compare(op: Op, x: &Float, y: &Float) -> Bool {
    match op {
        Op::FOeq => x.eq_fpa(y),
        Op::FOlt => x.lt(y),
        Op::FOle => x.le(y),
        _ => Bool::or(&[x.is_nan(), y.is_nan()]),
    }
}

impl Terms {
    /// A term whose result is a float, its operands being translated.
    pub(super) fn float_result(&self, pool: &Pool, term: Term) -> Float {
        match term {
            Term::Unary { op: op @ (Op::SToF | Op::UToF), width, a } => {
                of_integer(&self.vector(a), width, op == Op::SToF)
            }
            Term::Unary { op: Op::FToF, width, a } if pool.width(a) == width => self.float(a),
            Term::Unary { op: Op::FToF, width, a } => {
                self.float(a).to_fp_with_rounding_mode(&nearest(), &sort(width as u32))
            }
            Term::Unary { op: Op::FSqrt, a, .. } => self.float(a).sqrt_with_rounding_mode(&nearest()),
            Term::Unary { op, a, .. } => {
                let mode = match op {
                    Op::FFloor => RoundingMode::round_towards_negative(),
                    Op::FCeil => RoundingMode::round_towards_positive(),
                    Op::FTrunc => RoundingMode::round_towards_zero(),
                    Op::FRint => nearest(),
                    _ => RoundingMode::round_nearest_ties_to_away(),
                };
                self.float(a).round_to_integral_with_rounding_mode(&mode)
            }
            Term::Ternary { a, b, c, .. } => {
                self.float(a).fma_with_rounding_mode(self.float(b), self.float(c), &nearest())
            }
            Term::Binary { op, a, b, .. } => {
                let (x, y) = (self.float(a), self.float(b));
                match op {
                    Op::FAdd => x.add_with_rounding_mode(&y, &nearest()),
                    Op::FSub => x.sub_with_rounding_mode(&y, &nearest()),
                    Op::FMul => x.mul_with_rounding_mode(&y, &nearest()),
                    Op::FDiv => x.div_with_rounding_mode(&y, &nearest()),
                    // Not fp.min: that leaves the sign of a zero open.
                    Op::FMin => Bool::or(&[y.is_nan(), x.lt(&y)]).ite(&x, &y),
                    Op::FMax => Bool::or(&[y.is_nan(), x.gt(&y)]).ite(&x, &y),
                    _ => remainder(&x, &y),
                }
            }
            // Nothing else makes a float.
            _ => Float::nan(&sort(term.width() as u32)),
        }
    }
}

/// C's `fmod` out of IEEE's remainder, which rounds the quotient to nearest where C cuts it off. On absolute values the
/// two differ by one divisor if the remainder is negative; the sum is exact because `fmod` is.
fn remainder(x: &Float, y: &Float) -> Float {
    let y = y.unary_abs();
    let r = x.unary_abs().rem(&y);
    let wrapped = Bool::and(&[r.is_negative(), r.is_zero().not()]).ite(&r.add_with_rounding_mode(&y, &nearest()), &r);
    let magnitude = wrapped.unary_abs();
    x.is_negative().ite(&magnitude.unary_neg(), &magnitude)
}

/// What x86-64 converts, out of range too: see `trace::eval`.
pub(super) fn to_integer(x: &Float, wa: u8, width: u8, signed: bool) -> BV {
    let zero = RoundingMode::round_towards_zero();
    // Truncation first: then the range is closed below at a power of two, in either format.
    let x = x.round_to_integral_with_rounding_mode(&zero);
    let real = |value: f64| if wa == 32 { Float::from_f32(value as f32) } else { Float::from_f64(value) };
    let power = |power: u8| real(2f64.powi(power as i32));
    let within = |low: Float, high: Float| Bool::and(&[low.le(&x), x.lt(&high)]);
    let to_signed = |width: u8| x.to_sbv_with_rounding_mode(&zero, width as u32);
    let to_unsigned = |width: u8| x.to_ubv_with_rounding_mode(&zero, width as u32);
    let indefinite = |width: u8| number(1 << (width - 1), width);
    let through = |from: u8| {
        let inside = within(power(from - 1).unary_neg(), power(from - 1));
        let whole = inside.ite(&to_signed(from), &indefinite(from));
        if from == width { whole } else { whole.extract(width as u32 - 1, 0) }
    };
    match (signed, width) {
        (true, 65..) => {
            let inside = within(power(width - 1).unary_neg(), power(width - 1));
            let most = number((1 << (width - 1)) - 1, width);
            inside.ite(&to_signed(width), &saturated(&x, width, &indefinite(width), &most))
        }
        (false, 65..) => {
            // 2^128 as a single is infinite, which serves as well.
            let inside = within(real(0.0), power(width));
            inside.ite(&to_unsigned(width), &saturated(&x, width, &number(0, width), &number(u128::MAX, width)))
        }
        (true, ..=32) | (false, ..=31) => through(32),
        (false, 64) => {
            let high = within(power(63), power(64)).ite(&to_unsigned(64), &indefinite(64));
            within(power(63).unary_neg(), power(63)).ite(&to_signed(64), &high)
        }
        _ => through(64),
    }
}

/// Past 64 bits a number out of range is the nearest one in range, and a NaN is 0.
fn saturated(x: &Float, width: u8, least: &BV, most: &BV) -> BV {
    x.is_nan().ite(&number(0, width), &x.is_negative().ite(least, most))
}
