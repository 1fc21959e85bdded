//! The meaning of a node: its value from its operands' values.

use crate::node::{Node, Op};

/// All ones in the low `width` bits.
#[inline]
pub const fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// `value`, of `width` bits, as a signed number.
#[inline]
pub const fn signed(value: u128, width: u8) -> i128 {
    let shift = 128 - width as u32;
    ((value << shift) as i128) >> shift
}

/// The value of a node that has operands (everything but `Byte`, `Const`, `Pointer`, `Read` and `Select`, which need
/// the input or a table). `wa` is the width of the node's first *node* operand; `a`, `b`, `c` are operand values with
/// immediates already in their places. Division by zero gives 0, as the run never gets there.
///
/// Invariant: operands and result are below `2^width`.
pub fn apply(node: &Node, wa: u8, a: u128, b: u128, c: u128) -> u128 {
    let Some(op) = node.operation() else { return 0 };
    let w = node.width;
    let m = mask(w);
    match op {
        Op::Byte | Op::Const | Op::Pointer | Op::Read | Op::Select => 0,
        Op::Concat => {
            let low = w - wa;
            ((a << low) | b) & m
        }
        Op::Extract => (a >> node.rest.min(127)) & m,
        Op::Zext => a,
        Op::Sext => signed(a, wa) as u128 & m,
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Add => a.wrapping_add(b) & m,
        Op::Sub => a.wrapping_sub(b) & m,
        Op::Mul => a.wrapping_mul(b) & m,
        Op::UDiv => a.checked_div(b).unwrap_or(0),
        Op::URem => a.checked_rem(b).unwrap_or(0),
        Op::SDiv if b == 0 => 0,
        Op::SDiv => signed(a, w).wrapping_div(signed(b, w)) as u128 & m,
        Op::SRem if b == 0 => 0,
        Op::SRem => signed(a, w).wrapping_rem(signed(b, w)) as u128 & m,
        Op::Shl if b >= w as u128 => 0,
        Op::Shl => (a << b) & m,
        Op::LShr if b >= w as u128 => 0,
        Op::LShr => a >> b,
        Op::AShr => (signed(a, w) >> b.min(w as u128 - 1)) as u128 & m,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => (a == b) as u128,
        Op::Ne => (a != b) as u128,
        Op::Ult => (a < b) as u128,
        Op::Ule => (a <= b) as u128,
        Op::Slt => (signed(a, wa) < signed(b, wa)) as u128,
        Op::Sle => (signed(a, wa) <= signed(b, wa)) as u128,
        Op::Ctpop => a.count_ones() as u128,
        Op::Ctlz => (a.leading_zeros() - (128 - w as u32)) as u128,
        Op::Cttz => a.trailing_zeros().min(w as u32) as u128,
        Op::Bswap => a.swap_bytes() >> (128 - w as u32),
        Op::Bitreverse => a.reverse_bits() >> (128 - w as u32),
        Op::FToS | Op::FToU => to_integer(to_f64(a, wa), w, matches!(op, Op::FToS)),
        Op::SToF => {
            let value = signed(a, wa);
            if w == 32 { (value as f32).to_bits() as u128 } else { (value as f64).to_bits() as u128 }
        }
        Op::UToF => {
            if w == 32 {
                (a as f32).to_bits() as u128
            } else {
                (a as f64).to_bits() as u128
            }
        }
        Op::FToF => {
            if w == 64 {
                (f32::from_bits(a as u32) as f64).to_bits() as u128
            } else {
                (f64::from_bits(a as u64) as f32).to_bits() as u128
            }
        }
        _ if wa == 32 => single(op, f32::from_bits(a as u32), f32::from_bits(b as u32), f32::from_bits(c as u32)),
        _ => double(op, f64::from_bits(a as u64), f64::from_bits(b as u64), f64::from_bits(c as u64)),
    }
}

fn to_f64(bits: u128, width: u8) -> f64 {
    if width == 32 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits as u64) }
}

/// C leaves the conversion of a NaN or of a number out of range open, but programs do it (`(unsigned)-1.0`), and the
/// run goes on with what x86-64 computes: `cvttsd2si` to the next larger of 32 and 64 bits, which gives the smallest
/// number where the result does not fit, and then the low bits. Unsigned 64 bits take two conversions. Beyond 64 bits a
/// library function saturates.
fn to_integer(value: f64, width: u8, is_signed: bool) -> u128 {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    let long = |value: f64| if (-TWO_63..TWO_63).contains(&value) { value as i64 } else { i64::MIN };
    let whole = libm::trunc(value);
    let result = match width {
        65.. if is_signed => {
            let limit = (mask(width) >> 1) as i128;
            (value as i128).clamp(-limit - 1, limit) as u128
        }
        65.. => (value as u128).min(mask(width)),
        64 if !is_signed && whole >= TWO_63 => (long(whole - TWO_63) | i64::MIN) as u128,
        32 if !is_signed => long(whole) as u128,
        ..=32 if (i32::MIN as f64..=i32::MAX as f64).contains(&whole) => whole as i32 as u128,
        ..=32 => i32::MIN as u128,
        _ => long(whole) as u128,
    };
    result & mask(width)
}

macro_rules! float_ops {
    ($name:ident, $float:ty, $fmod:path, $sqrt:path, $fma:path, $floor:path, $ceil:path, $trunc:path, $rint:path, $round:path) => {
        fn $name(op: Op, a: $float, b: $float, c: $float) -> u128 {
            let value = match op {
                Op::FAdd => a + b,
                Op::FSub => a - b,
                Op::FMul => a * b,
                Op::FDiv => a / b,
                Op::FRem => $fmod(a, b),
                Op::FSqrt => $sqrt(a),
                Op::FFma => $fma(a, b, c),
                Op::FMin => {
                    if b.is_nan() || a < b {
                        a
                    } else {
                        b
                    }
                }
                Op::FMax => {
                    if b.is_nan() || a > b {
                        a
                    } else {
                        b
                    }
                }
                Op::FFloor => $floor(a),
                Op::FCeil => $ceil(a),
                Op::FTrunc => $trunc(a),
                Op::FRint => $rint(a),
                Op::FRound => $round(a),
                Op::FOeq => return (a == b) as u128,
                Op::FOlt => return (a < b) as u128,
                Op::FOle => return (a <= b) as u128,
                Op::FUno => return (a.is_nan() || b.is_nan()) as u128,
                _ => return 0,
            };
            value.to_bits() as u128
        }
    };
}

float_ops!(
    single,
    f32,
    libm::fmodf,
    libm::sqrtf,
    libm::fmaf,
    libm::floorf,
    libm::ceilf,
    libm::truncf,
    libm::rintf,
    libm::roundf
);
float_ops!(
    double,
    f64,
    libm::fmod,
    libm::sqrt,
    libm::fma,
    libm::floor,
    libm::ceil,
    libm::trunc,
    libm::rint,
    libm::round
);

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(op: Op, value: f64, width: u8) -> u128 {
        apply(&Node { op: op as u8, width, ..Node::default() }, 64, value.to_bits() as u128, 0, 0)
    }

    #[test]
    fn conversions_in_range_are_cs() {
        for value in [0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 127.0, -128.0] {
            for width in [8, 16, 32, 64, 128] {
                assert_eq!(convert(Op::FToS, value, width), value as i64 as u128 & mask(width), "{value} to i{width}");
                if value > -1.0 {
                    assert_eq!(convert(Op::FToU, value, width), value as u64 as u128, "{value} to u{width}");
                }
            }
        }
        assert_eq!(convert(Op::FToU, 18e18, 64), 18_000_000_000_000_000_000);
        assert_eq!(convert(Op::FToU, 4e9, 32), 4_000_000_000);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn conversions_out_of_range_are_the_processors() {
        use core::arch::x86_64::{_mm_cvttsd_si32, _mm_cvttsd_si64, _mm_set_sd};
        for value in [1e10, -1e10, 2147483647.5, 2147483648.0, -2147483649.0, 1e19, -1e19, 9.3e18, 1e300, f64::NAN] {
            // SAFETY: SSE2 is part of x86-64.
            let (word, long) = unsafe { (_mm_cvttsd_si32(_mm_set_sd(value)), _mm_cvttsd_si64(_mm_set_sd(value))) };
            assert_eq!(convert(Op::FToS, value, 32), word as u32 as u128, "{value}");
            assert_eq!(convert(Op::FToS, value, 16), word as u16 as u128, "{value}");
            assert_eq!(convert(Op::FToU, value, 8), word as u8 as u128, "{value}");
            assert_eq!(convert(Op::FToS, value, 64), long as u64 as u128, "{value}");
            assert_eq!(convert(Op::FToU, value, 32), long as u32 as u128, "{value}");
        }
        assert_eq!(convert(Op::FToU, -1.0, 32), 0xFFFF_FFFF);
        assert_eq!(convert(Op::FToU, -1.0, 64), u64::MAX as u128);
        assert_eq!(convert(Op::FToU, 1e20, 64), 1 << 63);
    }
}
