//! The text of one operation. Must say exactly what `trace::apply` computes; a property test runs both.

use super::{Printer, float_sort, number, sort};
use crate::term::{Term, TermId};
use offshoot_trace::Op;
use std::fmt::Write;

impl Printer<'_> {
    /// The text of a term that is no float, from the texts of its operands.
    pub(super) fn bits_text(&mut self, term: Term) -> String {
        match term {
            Term::Const { value, width } => number(value, width),
            Term::Read { source, offset, bytes } => {
                let parts: Vec<_> =
                    (0..bytes as u32).rev().map(|at| self.byte(source, offset.saturating_add(at))).collect();
                if bytes == 1 { parts.concat() } else { format!("(concat {})", parts.join(" ")) }
            }
            Term::Extract { a, low, width } => {
                let bits = format!("((_ extract {} {low}) {})", low + width - 1, self.vector(a));
                as_sort(bits, width)
            }
            Term::Unary { op, width, a } => self.unary(op, width, a),
            Term::Binary { op, width, a, b } => self.binary(op, width, a, b),
            Term::Ternary { a, b, c, .. } => format!("(ite {} {} {})", self.bits(a), self.bits(b), self.bits(c)),
            Term::Select { table, index, bytes } => self.select(table, index, bytes),
        }
    }

    fn unary(&mut self, op: Op, width: u8, a: TermId) -> String {
        let wa = self.pool.width(a);
        match op {
            Op::FToS | Op::FToU => return as_sort(float_to_integer(&self.float(a), wa, width, op == Op::FToS), width),
            _ if wa == width && matches!(op, Op::Zext | Op::Sext) => return self.bits(a),
            _ => {}
        }
        let x = self.vector(a);
        let text = match op {
            Op::Zext => format!("((_ zero_extend {}) {x})", width - wa),
            Op::Sext => format!("((_ sign_extend {}) {x})", width - wa),
            Op::Bswap => {
                let mut text = format!("(let ((x {x})) (concat");
                for byte in 0..width / 8 {
                    let _ = write!(text, " ((_ extract {} {}) x)", byte * 8 + 7, byte * 8);
                }
                if width == 8 { x } else { text + "))" }
            }
            Op::Bitreverse if width > 1 => {
                let mut text = format!("(let ((x {x})) (concat");
                for bit in 0..width {
                    let _ = write!(text, " ((_ extract {bit} {bit}) x)");
                }
                text + "))"
            }
            Op::Ctpop if width > 1 => {
                let mut text = format!("(let ((x {x})) (bvadd");
                for bit in 0..width {
                    let _ = write!(text, " ((_ zero_extend {}) ((_ extract {bit} {bit}) x))", width - 1);
                }
                text + "))"
            }
            Op::Ctlz | Op::Cttz => {
                let mut text = format!("(let ((x {x})) ");
                for at in 0..width {
                    let bit = if op == Op::Cttz { at } else { width - 1 - at };
                    let count = vector_number(at as u128, width);
                    let _ = write!(text, "(ite (= ((_ extract {bit} {bit}) x) #b1) {count} ");
                }
                let _ = write!(text, "{}{})", vector_number(width as u128, width), ")".repeat(width as usize));
                text
            }
            // Of one bit: the bit itself.
            _ => x,
        };
        as_sort(text, width)
    }

    fn binary(&mut self, op: Op, width: u8, a: TermId, b: TermId) -> String {
        if op.is_float() {
            let (x, y) = (self.float(a), self.float(b));
            return match op {
                Op::FOeq => format!("(fp.eq {x} {y})"),
                Op::FOlt => format!("(fp.lt {x} {y})"),
                Op::FOle => format!("(fp.leq {x} {y})"),
                _ => format!("(or (fp.isNaN {x}) (fp.isNaN {y}))"),
            };
        }
        let wa = self.pool.width(a);
        let logic = match op {
            Op::Eq => Some("="),
            Op::Ne => Some("distinct"),
            Op::And if wa == 1 => Some("and"),
            Op::Or if wa == 1 => Some("or"),
            Op::Xor if wa == 1 && self.pool.value(b) == Some(1) => return format!("(not {})", self.bits(a)),
            Op::Xor if wa == 1 => Some("xor"),
            _ => None,
        };
        if let Some(logic) = logic {
            return format!("({logic} {} {})", self.bits(a), self.bits(b));
        }
        let (x, y) = (self.vector(a), self.vector(b));
        let name = match op {
            Op::Concat => "concat",
            Op::Add => "bvadd",
            Op::Sub => "bvsub",
            Op::Mul => "bvmul",
            Op::UDiv => "bvudiv",
            Op::SDiv => "bvsdiv",
            Op::URem => "bvurem",
            Op::SRem => "bvsrem",
            Op::Shl => "bvshl",
            Op::LShr => "bvlshr",
            Op::AShr => "bvashr",
            Op::And => "bvand",
            Op::Or => "bvor",
            Op::Xor => "bvxor",
            Op::Ult => return format!("(bvult {x} {y})"),
            Op::Ule => return format!("(bvule {x} {y})"),
            Op::Slt => return format!("(bvslt {x} {y})"),
            _ => return format!("(bvsle {x} {y})"),
        };
        let divides = matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem);
        let text = if divides && self.pool.value(b).is_none_or(|value| value == 0) {
            // SMT-LIB gives a quotient by 0 all ones; ours is 0.
            let zero = vector_number(0, width);
            format!("(let ((y {y})) (ite (= y {zero}) {zero} ({name} {x} y)))")
        } else {
            format!("({name} {x} {y})")
        };
        as_sort(text, width)
    }

    /// The text of a term whose result is a float.
    pub(super) fn float_text(&mut self, id: TermId, term: Term) -> String {
        let width = term.width();
        let format = float_sort(width);
        match term {
            Term::Unary { op: Op::SToF, a, .. } => format!("((_ to_fp {format}) RNE {})", self.vector(a)),
            Term::Unary { op: Op::UToF, a, .. } => format!("((_ to_fp_unsigned {format}) RNE {})", self.vector(a)),
            Term::Unary { op: Op::FToF, a, .. } => format!("((_ to_fp {format}) RNE {})", self.float(a)),
            Term::Unary { op, a, .. } => {
                let x = self.float(a);
                match op {
                    Op::FSqrt => format!("(fp.sqrt RNE {x})"),
                    Op::FFloor => format!("(fp.roundToIntegral RTN {x})"),
                    Op::FCeil => format!("(fp.roundToIntegral RTP {x})"),
                    Op::FTrunc => format!("(fp.roundToIntegral RTZ {x})"),
                    Op::FRint => format!("(fp.roundToIntegral RNE {x})"),
                    _ => format!("(fp.roundToIntegral RNA {x})"),
                }
            }
            Term::Binary { op, a, b, .. } => {
                let (x, y) = (self.float(a), self.float(b));
                match op {
                    Op::FAdd => format!("(fp.add RNE {x} {y})"),
                    Op::FSub => format!("(fp.sub RNE {x} {y})"),
                    Op::FMul => format!("(fp.mul RNE {x} {y})"),
                    Op::FDiv => format!("(fp.div RNE {x} {y})"),
                    // Not fp.min: that leaves the sign of a zero open.
                    Op::FMin => format!("(let ((x {x}) (y {y})) (ite (or (fp.isNaN y) (fp.lt x y)) x y))"),
                    Op::FMax => format!("(let ((x {x}) (y {y})) (ite (or (fp.isNaN y) (fp.gt x y)) x y))"),
                    _ if width == 32 => c_remainder(&x, &y),
                    // The circuit of fp.rem grows with the exponent's range: no solver gets through that of doubles.
                    _ => self.give_up(id, &format!("(_ FloatingPoint {format})"), "fmod of doubles"),
                }
            }
            Term::Ternary { a, b, c, .. } => {
                format!("(fp.fma RNE {} {} {})", self.float(a), self.float(b), self.float(c))
            }
            _ => self.give_up(id, &sort(width), "a float that no float operation made"),
        }
    }
}

/// C's `fmod` out of IEEE's remainder, which rounds the quotient to nearest where C cuts it off. On absolute values the
/// two differ by one divisor if the remainder is negative; the sum is exact because `fmod` is.
fn c_remainder(x: &str, y: &str) -> String {
    format!(
        "(let ((x {x}) (y (fp.abs {y}))) (let ((r (fp.rem (fp.abs x) y))) \
         (let ((m (fp.abs (ite (fp.isNegative r) (ite (fp.isZero r) r (fp.add RNE r y)) r)))) \
         (ite (fp.isNegative x) (fp.neg m) m))))"
    )
}

/// What x86-64 converts, out of range too: see `trace::eval`.
fn float_to_integer(x: &str, wa: u8, width: u8, signed: bool) -> String {
    let format = float_sort(wa);
    let bound = |power: i32, negative: bool| {
        let value = if negative { -(2f64.powi(power)) } else { 2f64.powi(power) };
        let bits =
            if wa == 32 { number((value as f32).to_bits() as u128, 32) } else { number(value.to_bits() as u128, 64) };
        format!("((_ to_fp {format}) {bits})")
    };
    let indefinite = |w: u8| number(1 << (w - 1), w);
    // Truncation first: then the range is closed below at a power of two, in either format.
    let whole = format!("(fp.roundToIntegral RTZ {x})");
    let within = |low: String, high: String| format!("(and (fp.leq {low} x) (fp.lt x {high}))");
    let cut = |text: String, from: u8| {
        if from == width { text } else { format!("((_ extract {} 0) {text})", width - 1) }
    };
    let zero = number(0, wa);
    let positive = format!("((_ to_fp {format}) {zero})");
    match (signed, width) {
        (true, 65..) => {
            let (low, high) = (bound(width as i32 - 1, true), bound(width as i32 - 1, false));
            saturate(&whole, width, true, within(low, high))
        }
        (false, 65..) => saturate(&whole, width, false, within(positive, bound(width as i32, false))),
        (true, ..=32) | (false, ..=31) => {
            let inside = within(bound(31, true), bound(31, false));
            cut(format!("(let ((x {whole})) (ite {inside} ((_ fp.to_sbv 32) RTZ x) {}))", indefinite(32)), 32)
        }
        (false, 64) => {
            let low = within(bound(63, true), bound(63, false));
            let high = within(bound(63, false), bound(64, false));
            let rest = format!("(ite {high} ((_ fp.to_ubv 64) RTZ x) {})", indefinite(64));
            format!("(let ((x {whole})) (ite {low} ((_ fp.to_sbv 64) RTZ x) {rest}))")
        }
        _ => {
            let inside = within(bound(63, true), bound(63, false));
            cut(format!("(let ((x {whole})) (ite {inside} ((_ fp.to_sbv 64) RTZ x) {}))", indefinite(64)), 64)
        }
    }
}

/// Past 64 bits: the nearest value, a NaN is 0.
fn saturate(whole: &str, width: u8, signed: bool, inside: String) -> String {
    let (min, max) =
        if signed { (1u128 << (width - 1), (1u128 << (width - 1)) - 1) } else { (0, u128::MAX >> (128 - width)) };
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!(
        "(let ((x {whole})) (ite {inside} ((_ {name} {width}) RTZ x) (ite (fp.isNaN x) {} (ite (fp.isNegative x) {} {}))))",
        number(0, width),
        number(min, width),
        number(max, width)
    )
}

/// A bit vector as what a term of the width has to be.
fn as_sort(text: String, width: u8) -> String {
    if width == 1 { format!("(= {text} #b1)") } else { text }
}

fn vector_number(value: u128, width: u8) -> String {
    if width == 1 { format!("#b{value}") } else { number(value, width) }
}
