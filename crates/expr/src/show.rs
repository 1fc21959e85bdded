//! Terms for people: C-like infix notation over named input bytes.
//!
//! ```text
//! stdin[0] == 'a'      (arg[1][0] - '0') * 10      stdin[4..8]:u32 < 100      (int32)stdin[0..4]:u32 < 0
//! ```

use crate::path::Constraint;
use crate::term::{Pool, Term, TermId};
use offshoot_trace::eval::{mask, signed};
use offshoot_trace::{EventKind, Op};

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is deeper is `…`.
    pub depth: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { depth: 8 }
    }
}

/// `names`: of the sources, by id.
pub fn show(pool: &Pool, names: &[String], term: TermId, options: Options) -> String {
    Printer { pool, names }.term(term, options.depth).text
}

/// What held: a comparison that was false is shown negated.
pub fn show_constraint(pool: &Pool, names: &[String], constraint: &Constraint, options: Options) -> String {
    match constraint.kind {
        EventKind::Switch | EventKind::Concretise => {
            let printer = Printer { pool, names };
            // `holds` may have been rewritten beyond recognition; the value of the term is what the event is about.
            let term = printer.tight(constraint.term, options.depth, Rank::Compare);
            format!("{term} == {}", printer.number(constraint.value, constraint.term))
        }
        _ => show(pool, names, constraint.holds, options),
    }
}

/// How tightly a text holds together, as in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Choice,
    LogicOr,
    LogicAnd,
    Or,
    Xor,
    And,
    Compare,
    Shift,
    Sum,
    Product,
    Prefix,
    Atom,
}

struct Text {
    text: String,
    rank: Rank,
}

struct Printer<'p> {
    pool: &'p Pool,
    names: &'p [String],
}

fn atom(text: String) -> Text {
    Text { text, rank: Rank::Atom }
}

impl Printer<'_> {
    fn term(&self, id: TermId, depth: u32) -> Text {
        let term = self.pool.get(id);
        if depth == 0 && !matches!(term, Term::Const { .. } | Term::Read { .. }) {
            return atom("…".to_owned());
        }
        let depth = depth.saturating_sub(1);
        match term {
            Term::Const { value, width } => atom(plain(value, width)),
            Term::Read { source, offset, bytes } => atom(self.read(source, offset, bytes)),
            Term::Extract { a, low, width } => self.extract(a, low, width, depth),
            Term::Unary { op, width, a } => self.unary(op, width, a, depth),
            Term::Binary { op, width, a, b } => self.binary(op, width, a, b, depth),
            Term::Ternary { op: Op::Ite, a, b, c, .. } => {
                let (condition, b) = (self.tight(a, depth, Rank::LogicOr), self.tight(b, depth, Rank::LogicOr));
                Text { text: format!("{condition} ? {b} : {}", self.tight(c, depth, Rank::Choice)), rank: Rank::Choice }
            }
            Term::Ternary { a, b, c, .. } => self.call("fma", &[a, b, c], depth),
            Term::Select { table, index, bytes } => {
                let index = self.tight(index, depth, Rank::Choice);
                let len = self.pool.cells(table).cells().len();
                let suffix = if bytes == 1 { String::new() } else { format!(":u{}", bytes as u32 * 8) };
                atom(format!("table{}<{len}>[{index}]{suffix}", table.0))
            }
        }
    }

    /// The term in parentheses if it is looser than `rank`.
    fn tight(&self, id: TermId, depth: u32, rank: Rank) -> String {
        let Text { text, rank: own } = self.term(id, depth);
        if own < rank { format!("({text})") } else { text }
    }

    fn read(&self, source: u32, offset: u32, bytes: u8) -> String {
        let name = self.names.get(source as usize).cloned().unwrap_or_else(|| format!("source#{source}"));
        match bytes {
            1 => format!("{name}[{offset}]"),
            _ => format!("{name}[{offset}..{}]:u{}", offset as u64 + bytes as u64, bytes as u32 * 8),
        }
    }

    fn call(&self, name: &str, operands: &[TermId], depth: u32) -> Text {
        let operands: Vec<_> = operands.iter().map(|&id| self.tight(id, depth, Rank::Choice)).collect();
        atom(format!("{name}({})", operands.join(", ")))
    }

    fn extract(&self, a: TermId, low: u8, width: u8, depth: u32) -> Text {
        let whole = self.pool.width(a);
        if low + width == whole && low > 0 {
            // Down to the lowest bit of what is left.
            return Text { text: format!("{} >> {low}", self.tight(a, depth, Rank::Shift)), rank: Rank::Shift };
        }
        if low == 0 && matches!(width, 8 | 16 | 32 | 64) {
            return Text { text: format!("(uint{width}){}", self.tight(a, depth, Rank::Prefix)), rank: Rank::Prefix };
        }
        atom(format!("bits({}, {low}..{})", self.tight(a, depth, Rank::Choice), low + width))
    }

    fn unary(&self, op: Op, width: u8, a: TermId, depth: u32) -> Text {
        let wa = self.pool.width(a);
        let cast =
            |to: String| Text { text: format!("({to}){}", self.tight(a, depth, Rank::Prefix)), rank: Rank::Prefix };
        match op {
            // Arithmetic that wraps wraps at its own width; anything else is the same number in a larger type.
            Op::Zext if self.wraps(a) => cast(format!("uint{wa}")),
            Op::Zext => self.term(a, depth + 1),
            Op::Sext => cast(format!("int{wa}")),
            Op::FToS => cast(format!("int{width}")),
            Op::FToU => cast(format!("uint{width}")),
            Op::SToF | Op::UToF | Op::FToF => cast(if width == 32 { "float".into() } else { "double".into() }),
            _ if op.is_float() => self.call(op.name().strip_prefix('f').unwrap_or(op.name()), &[a], depth),
            _ => self.call(op.name(), &[a], depth),
        }
    }

    fn wraps(&self, id: TermId) -> bool {
        matches!(self.pool.get(id), Term::Binary { op: Op::Add | Op::Sub | Op::Mul | Op::Shl, .. })
    }

    fn binary(&self, op: Op, width: u8, a: TermId, b: TermId, depth: u32) -> Text {
        if op.is_comparison() {
            return self.comparison(op, a, b, depth);
        }
        let infix = |sign: &str, rank: Rank| {
            // Left-associative: an equal rank on the right needs parentheses.
            let tighter = if rank == Rank::Product { Rank::Prefix } else { next(rank) };
            let (x, y) = (self.side(a, b, depth, rank), self.side(b, a, depth, tighter));
            Text { text: format!("{x} {sign} {y}"), rank }
        };
        let floats = |sign: &str, rank: Rank| {
            let operand = |id: TermId, rank: Rank| match self.pool.value(id) {
                Some(_) => self.as_float(id, depth),
                None => self.tight(id, depth, rank),
            };
            Text { text: format!("{} {sign} {}", operand(a, rank), operand(b, next(rank))), rank }
        };
        let constant = self.pool.value(b);
        match op {
            Op::FAdd => floats("+", Rank::Sum),
            Op::FSub => floats("-", Rank::Sum),
            Op::FMul => floats("*", Rank::Product),
            Op::FDiv => floats("/", Rank::Product),
            Op::Add if constant.is_some_and(|c| signed(c, width) < 0) => {
                let c = constant.unwrap_or(0).wrapping_neg() & mask(width);
                let x = self.tight(a, depth, Rank::Sum);
                Text { text: format!("{x} - {}", self.number(c, a)), rank: Rank::Sum }
            }
            Op::Xor if width == 1 && constant == Some(1) => self.negation(a, depth),
            Op::Xor if constant == Some(mask(width)) => {
                Text { text: format!("~{}", self.tight(a, depth, Rank::Prefix)), rank: Rank::Prefix }
            }
            Op::And if width == 1 => infix("&&", Rank::LogicAnd),
            Op::Or if width == 1 => infix("||", Rank::LogicOr),
            Op::Add => infix("+", Rank::Sum),
            Op::Sub => infix("-", Rank::Sum),
            Op::Mul => infix("*", Rank::Product),
            Op::UDiv => infix("/", Rank::Product),
            Op::URem => infix("%", Rank::Product),
            Op::SDiv | Op::SRem => {
                let sign = if op == Op::SDiv { "/" } else { "%" };
                let (x, y) = (self.as_signed(a, b, depth), self.as_signed(b, a, depth));
                Text { text: format!("{x} {sign} {y}"), rank: Rank::Product }
            }
            Op::Shl => infix("<<", Rank::Shift),
            Op::LShr => infix(">>", Rank::Shift),
            Op::AShr => {
                let x = self.as_signed(a, b, depth);
                Text { text: format!("{x} >> {}", self.side(b, a, depth, Rank::Sum)), rank: Rank::Shift }
            }
            Op::And => infix("&", Rank::And),
            Op::Or => infix("|", Rank::Or),
            Op::Xor => infix("^", Rank::Xor),
            Op::Concat => {
                if constant == Some(0) {
                    let shift = self.pool.width(b);
                    return Text {
                        text: format!("{} << {shift}", self.tight(a, depth, Rank::Shift)),
                        rank: Rank::Shift,
                    };
                }
                self.call("concat", &[a, b], depth)
            }
            Op::FRem => self.call("fmod", &[a, b], depth),
            _ => self.call(op.name(), &[a, b], depth),
        }
    }

    fn comparison(&self, op: Op, a: TermId, b: TermId, depth: u32) -> Text {
        let (sign, flipped) = match op {
            Op::Eq | Op::FOeq => ("==", "=="),
            Op::Ne => ("!=", "!="),
            Op::Ult | Op::Slt | Op::FOlt => ("<", ">"),
            Op::Ule | Op::Sle | Op::FOle => ("<=", ">="),
            _ => return self.call("unordered", &[a, b], depth),
        };
        let is_signed = matches!(op, Op::Slt | Op::Sle);
        let side = |id, other| match op {
            _ if is_signed => self.as_signed(id, other, depth),
            _ if op.is_float() => self.as_float(id, depth),
            _ => self.side(id, other, depth, Rank::Shift),
        };
        // The constant stands on the right.
        let text = if self.pool.value(a).is_some() && self.pool.value(b).is_none() {
            format!("{} {flipped} {}", side(b, a), side(a, b))
        } else {
            format!("{} {sign} {}", side(a, b), side(b, a))
        };
        Text { text, rank: Rank::Compare }
    }

    fn negation(&self, a: TermId, depth: u32) -> Text {
        let text = match self.pool.get(a) {
            Term::Binary { op: Op::FOeq, a, b, .. } => {
                format!("{} != {}", self.as_float(a, depth), self.as_float(b, depth))
            }
            _ => return Text { text: format!("!{}", self.tight(a, depth, Rank::Prefix)), rank: Rank::Prefix },
        };
        Text { text, rank: Rank::Compare }
    }

    /// An operand; a constant is shown the way its other side suggests.
    fn side(&self, id: TermId, other: TermId, depth: u32, rank: Rank) -> String {
        match self.pool.value(id) {
            Some(value) => self.number(value, other),
            None => self.tight(id, depth, rank),
        }
    }

    /// A number beside the term `beside`: a character if that is a byte.
    fn number(&self, value: u128, beside: TermId) -> String {
        if self.is_byte(beside)
            && let Some(character) = character(value)
        {
            return character;
        }
        plain(value, self.pool.width(beside))
    }

    fn is_byte(&self, id: TermId) -> bool {
        match self.pool.get(id) {
            Term::Read { bytes: 1, .. } | Term::Select { bytes: 1, .. } => true,
            Term::Unary { op: Op::Zext | Op::Sext, a, .. } => self.pool.width(a) == 8 && self.is_byte(a),
            _ => false,
        }
    }

    fn as_signed(&self, id: TermId, other: TermId, depth: u32) -> String {
        let width = self.pool.width(id);
        if let Some(value) = self.pool.value(id) {
            return match signed(value, width) {
                negative if negative < 0 => negative.to_string(),
                _ => self.number(value, other),
            };
        }
        match self.pool.get(id) {
            // Already shown with its sign, or never negative.
            Term::Unary { op: Op::Sext | Op::Zext | Op::FToS, .. } => self.tight(id, depth, Rank::Prefix),
            _ => format!("(int{width}){}", self.tight(id, depth, Rank::Prefix)),
        }
    }

    fn as_float(&self, id: TermId, depth: u32) -> String {
        match (self.pool.value(id), self.pool.width(id)) {
            (Some(value), 32) => format!("{:?}f", f32::from_bits(value as u32)),
            (Some(value), _) => format!("{:?}", f64::from_bits(value as u64)),
            (None, _) => self.tight(id, depth, Rank::Shift),
        }
    }
}

/// The next tighter rank below `Product`.
fn next(rank: Rank) -> Rank {
    match rank {
        Rank::Choice => Rank::LogicOr,
        Rank::LogicOr => Rank::LogicAnd,
        Rank::LogicAnd => Rank::Or,
        Rank::Or => Rank::Xor,
        Rank::Xor => Rank::And,
        Rank::And => Rank::Compare,
        Rank::Compare => Rank::Shift,
        Rank::Shift => Rank::Sum,
        Rank::Sum => Rank::Product,
        _ => Rank::Prefix,
    }
}

fn character(value: u128) -> Option<String> {
    Some(match value {
        0x09 => r"'\t'".into(),
        0x0a => r"'\n'".into(),
        0x0d => r"'\r'".into(),
        0x27 => r"'\''".into(),
        0x5c => r"'\\'".into(),
        0x20..=0x7e => format!("'{}'", value as u8 as char),
        _ => return None,
    })
}

/// Small numbers in decimal, numbers close below 2^width as negative ones, other large ones in hexadecimal.
fn plain(value: u128, width: u8) -> String {
    let negative = signed(value, width);
    match value {
        0..=9999 => value.to_string(),
        _ if width >= 16 && (-999..0).contains(&negative) => negative.to_string(),
        _ => format!("{value:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(make: impl FnOnce(&mut Pool) -> TermId, expected: &str) {
        let mut pool = Pool::new();
        let term = make(&mut pool);
        let names = ["", "stdin", "arg[1]", "file:foo"].map(str::to_owned);
        assert_eq!(show(&pool, &names, term, Options::default()), expected);
    }

    #[test]
    fn a_widened_byte_against_a_character() {
        let make = |p: &mut Pool, op| {
            let byte = p.read(1, 0, 1);
            let wide = p.sext(byte, 32);
            p.binary_const(op, wide, b'a' as u128)
        };
        check(|p| make(p, Op::Eq), "stdin[0] == 'a'");
        check(|p| make(p, Op::Ne), "stdin[0] != 'a'");
        check(
            |p| {
                let equal = make(p, Op::Eq);
                p.not(equal)
            },
            "stdin[0] != 'a'",
        );
        check(|p| make(p, Op::Slt), "(int8)stdin[0] < 'a'");
    }

    #[test]
    fn digits_of_a_number() {
        check(
            |p| {
                let mut digit = |offset| {
                    let byte = p.read(2, offset, 1);
                    let wide = p.zext(byte, 32);
                    p.binary_const(Op::Sub, wide, b'0' as u128)
                };
                let (tens, ones) = (digit(0), digit(1));
                let tens = p.binary_const(Op::Mul, tens, 10);
                p.binary(Op::Add, tens, ones)
            },
            "arg[1][1] - '0' + (arg[1][0] - '0') * 10",
        );
    }

    #[test]
    fn a_digit_range() {
        check(
            |p| {
                let byte = p.read(1, 3, 1);
                let wide = p.zext(byte, 32);
                let digit = p.binary_const(Op::Sub, wide, b'0' as u128);
                p.binary_const(Op::Ult, digit, 10)
            },
            "stdin[3] - '0' < 10",
        );
    }

    #[test]
    fn multi_byte_reads_and_signs() {
        check(
            |p| {
                let half = p.read(3, 2, 2);
                let wide = p.zext(half, 32);
                p.binary_const(Op::Ult, wide, 100)
            },
            "file:foo[2..4]:u16 < 100",
        );
        check(
            |p| {
                let word = p.read(1, 4, 4);
                let minus_one = p.constant(u128::MAX, 32);
                p.binary(Op::Slt, minus_one, word)
            },
            "(int32)stdin[4..8]:u32 > -1",
        );
        check(
            |p| {
                let word = p.read(1, 4, 4);
                p.eq_const(word, 0x4034_4b50)
            },
            "stdin[4..8]:u32 == 0x40344b50",
        );
    }

    #[test]
    fn little_endian_by_hand_is_a_read() {
        check(
            |p| {
                let [low, high] = [0, 1].map(|offset| {
                    let byte = p.read(1, offset, 1);
                    p.zext(byte, 32)
                });
                let high = p.binary_const(Op::Shl, high, 8);
                let both = p.binary(Op::Or, low, high);
                p.binary_const(Op::Slt, both, 1000)
            },
            "stdin[0..2]:u16 < 1000",
        );
    }

    #[test]
    fn precedence_and_depth() {
        let deep = |p: &mut Pool, n| {
            (0..n).fold(p.read(1, 0, 4), |term, offset| {
                let other = p.read(1, 4 + 4 * offset, 4);
                let product = p.binary(Op::Mul, term, other);
                p.binary(Op::Xor, product, other)
            })
        };
        check(|p| deep(p, 1), "stdin[4..8]:u32 ^ stdin[0..4]:u32 * stdin[4..8]:u32");
        let mut pool = Pool::new();
        let term = deep(&mut pool, 50);
        let text = show(&pool, &["".into(), "stdin".into()], term, Options { depth: 5 });
        assert!(text.contains('…') && text.len() < 400, "{text}");
    }

    #[test]
    fn floats() {
        check(
            |p| {
                let bits = p.read(1, 0, 8);
                let half = p.constant(0.5f64.to_bits() as u128, 64);
                let sum = p.binary(Op::FAdd, bits, bits);
                p.binary(Op::FOlt, half, sum)
            },
            "stdin[0..8]:u64 + stdin[0..8]:u64 > 0.5",
        );
    }
}
