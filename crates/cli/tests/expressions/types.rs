//! The C types of the expressions, C's conversions between them, and values that tend to find bugs.

use crate::random::Random;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Bool,
    Int { bits: u8, signed: bool },
    Float,
    Double,
}

use Type::{Bool, Double, Float, Int};

pub const fn int(bits: u8) -> Type {
    Int { bits, signed: true }
}

pub const fn uint(bits: u8) -> Type {
    Int { bits, signed: false }
}

pub const INTEGERS: [Type; 10] =
    [int(8), uint(8), int(16), uint(16), int(32), uint(32), int(64), uint(64), int(128), uint(128)];

impl Type {
    pub fn any(random: &mut Random) -> Type {
        match random.below(16) {
            0 => Bool,
            1 | 2 => Float,
            3 | 4 => Double,
            // The widest rarely: they are slow in solvers and rare in programs.
            5 => random.pick(&INTEGERS),
            _ => random.pick(&INTEGERS[..8]),
        }
    }

    /// As the prelude of the C files calls it.
    pub fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Float => "f32",
            Double => "f64",
            Int { bits: 8, signed: true } => "i8",
            Int { bits: 8, .. } => "u8",
            Int { bits: 16, signed: true } => "i16",
            Int { bits: 16, .. } => "u16",
            Int { bits: 32, signed: true } => "i32",
            Int { bits: 32, .. } => "u32",
            Int { bits: 64, signed: true } => "i64",
            Int { bits: 64, .. } => "u64",
            Int { signed: true, .. } => "i128",
            Int { .. } => "u128",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Float | Double)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Int { signed: true, .. })
    }

    /// In memory.
    pub fn bits(self) -> u8 {
        match self {
            Bool => 8,
            Int { bits, .. } => bits,
            Float => 32,
            Double => 64,
        }
    }

    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// C 6.3.1.1: integer promotion.
    pub fn promoted(self) -> Type {
        match self {
            Bool | Int { bits: ..=16, .. } => int(32),
            other => other,
        }
    }

    /// C 6.3.1.8: the usual arithmetic conversions. (Ranks follow widths here.)
    pub fn common(self, other: Type) -> Type {
        match (self.promoted(), other.promoted()) {
            (Double, _) | (_, Double) => Double,
            (Float, _) | (_, Float) => Float,
            (a, b) if a.bits() == b.bits() => {
                if a.is_signed() {
                    b
                } else {
                    a
                }
            }
            (a, b) if a.bits() > b.bits() => a,
            (_, b) => b,
        }
    }

    pub fn unsigned(self) -> Type {
        match self {
            Int { bits, .. } => uint(bits),
            other => other,
        }
    }

    /// A value of the type as its bytes, little-endian. Floats are never signalling NaNs: whether an operation quietens
    /// one depends on whether it was folded.
    pub fn value(self, random: &mut Random) -> u128 {
        match self {
            Bool => random.below(2) as u128,
            Int { bits, .. } => integer(random, bits),
            Float => (float(random) as f32).to_bits() as u128,
            Double => float(random).to_bits() as u128,
        }
    }

    /// The value as a C constant of the type.
    pub fn constant(self, value: u128) -> String {
        match self {
            Bool => format!("((_Bool){value})"),
            Float => float_constant(
                (f32::from_bits(value as u32) as f64, format!("{:e}f", f32::from_bits(value as u32))),
                "f32",
            ),
            Double => {
                float_constant((f64::from_bits(value as u64), format!("{:e}", f64::from_bits(value as u64))), "f64")
            }
            Int { bits: 128, .. } => {
                format!("(({})((u128)0x{:x}u << 64 | 0x{:x}u))", self.name(), (value >> 64) as u64, value as u64)
            }
            Int { .. } => format!("(({})0x{:x}u)", self.name(), value as u64),
        }
    }
}

fn float_constant((value, text): (f64, String), ty: &str) -> String {
    match value {
        _ if value.is_nan() => format!("(({ty})__builtin_nan(\"\"))"),
        _ if value.is_infinite() => format!("(({ty}){}__builtin_inf())", if value < 0.0 { "-" } else { "" }),
        _ => format!("({text})"),
    }
}

fn integer(random: &mut Random, bits: u8) -> u128 {
    let mask = u128::MAX >> (128 - bits as u32);
    let wide = |random: &mut Random| (random.next() as u128) << 64 | random.next() as u128;
    let value = match random.below(10) {
        0 => random.pick(&[0, 1, 2, u128::MAX, u128::MAX - 1]),
        1 => 1 << random.below(bits as u64),
        2 => (1 << (bits - 1)) - random.below(2) as u128,
        3 => random.below(20) as u128,
        4 => (random.below(40) as i128 - 20) as u128,
        5 => wide(random) & wide(random) & wide(random),
        6 => !((1 << random.below(bits as u64)) - 1),
        _ => wide(random),
    };
    value & mask
}

fn float(random: &mut Random) -> f64 {
    let small = |random: &mut Random| random.below(2000) as f64 - 1000.0;
    match random.below(12) {
        0 => random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5]),
        1 => random.pick(&[
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            1e-45,
            3.4e38,
        ]),
        2 => random.pick(&[
            2147483647.0,
            2147483648.0,
            -2147483649.0,
            4294967296.0,
            9.223372036854776e18,
            1.8446744073709552e19,
        ]),
        3 | 4 => small(random),
        5 | 6 => small(random) / 16.0,
        7 | 8 => small(random) / 7.0,
        9 => (random.next() as i64) as f64,
        10 => (random.next() as i64) as f64 * 2f64.powi(random.below(120) as i32 - 120),
        _ => {
            let value = f64::from_bits(random.next());
            if value.is_nan() { 0.1 } else { value }
        }
    }
}
