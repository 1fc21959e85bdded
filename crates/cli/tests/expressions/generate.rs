//! Random expressions. Each is a C text with holes for its operands, so that generating, printing and shrinking need not
//! know what the text does.
//!
//! Nothing here is undefined or unspecified in C: shift amounts are masked, divisors are not 0 (nor -1 where that
//! matters), conversions from floats are guarded, the bits of NaNs are never looked at. So all compilers agree.

use crate::random::Random;
use crate::types::Type::{self, Bool, Double, Float};
use crate::types::{INTEGERS, int, uint};

/// `$0`, `$1`, … in the text are the operands. Names that the text declares are not seen by them: operands only name
/// the variables `v0`, `v1`, …
#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Type,
    pub text: String,
    pub kids: Vec<Expr>,
}

impl Expr {
    fn new(ty: Type, text: impl Into<String>, kids: Vec<Expr>) -> Expr {
        Expr { ty, text: text.into(), kids }
    }

    pub fn variable(index: usize, ty: Type) -> Expr {
        Expr::new(ty, format!("v{index}"), Vec::new())
    }

    pub fn constant(ty: Type, value: u128) -> Expr {
        Expr::new(ty, ty.constant(value), Vec::new())
    }

    pub fn size(&self) -> usize {
        1 + self.kids.iter().map(Expr::size).sum::<usize>()
    }

    pub fn print(&self, out: &mut String) {
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let digits = rest[at + 1..].chars().take_while(char::is_ascii_digit).count();
            let index: usize = rest[at + 1..at + 1 + digits].parse().expect("a hole has a number");
            self.kids[index].print(out);
            rest = &rest[at + 1 + digits..];
        }
        out.push_str(rest);
    }

    /// A conversion with the meaning that C gives it, or a guarded one from float to integer.
    pub fn converted(self, ty: Type) -> Expr {
        match (self.ty, ty) {
            (from, to) if from == to => self,
            (from, Type::Int { .. }) if from.is_float() => {
                let (low, high) = range(from, ty);
                let (f, t) = (from.name(), ty.name());
                Expr::new(
                    ty,
                    format!("({{ {f} x = $0; x > {low} && x < {high} ? ({t})x : ({t})(x > 0); }})"),
                    vec![self],
                )
            }
            _ => Expr::new(ty, format!("(({})$0)", ty.name()), vec![self]),
        }
    }
}

/// Floats strictly between these convert to the integer type.
fn range(from: Type, to: Type) -> (String, String) {
    let power = i32::from(to.bits()) - to.is_signed() as i32;
    // The largest float has to do for what goes beyond.
    let high = if from == Float && power >= 128 { f32::MAX as f64 } else { 2f64.powi(power) };
    let low = if to.is_signed() { -high } else { -1.0 };
    // In `float`, -2^31 - 1 is -2^31, which is in range but may be left out.
    (format!("{low:e}"), format!("{high:e}"))
}

/// Entries of the constant table of a type. Solvers read a table byte by byte, so wide ones are short.
pub fn table_len(ty: Type) -> usize {
    (32 / ty.bytes()).clamp(4, 16)
}

pub struct Generator<'r> {
    pub random: &'r mut Random,
    pub variables: Vec<Type>,
    /// Signed arithmetic may overflow, because the file is compiled with `-fwrapv`.
    pub wraps: bool,
}

impl Generator<'_> {
    pub fn any(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.random.once_in(12) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.random.below(64) {
            0..=10 => self.arithmetic(d),
            11..=15 => self.bitwise(d),
            16..=20 => self.shift(d),
            21..=26 => self.division(d),
            27..=29 => self.unary(d),
            30..=32 => self.comparison(d),
            33 => self.logical(d),
            34 | 35 => self.conditional(d),
            36..=39 => {
                let ty = Type::any(self.random);
                self.of(ty, d)
            }
            40..=43 => self.integer_builtin(d),
            44..=47 => self.float_builtin(d),
            48 | 49 => self.overflow(d),
            50 | 51 => self.lookup(d),
            52 => self.local_array(d),
            53 => self.union(d),
            54 | 55 => self.assignments(d),
            56 => self.repeated(d),
            57 => self.switch(d),
            58 => self.vector(d),
            59 => self.bit_field(d),
            60 => self.bit_int(d),
            61 | 62 => self.call(d),
            _ => self.rounding_to_integer(d),
        }
    }

    /// A whole case. Often a variable is mixed in at the end, so that what goes before need not be lucky to matter.
    pub fn root(&mut self, depth: u32) -> Expr {
        let body = self.any(depth);
        if self.random.once_in(4) {
            return body;
        }
        let variable = self.variable();
        let ty = body.ty.common(variable.ty);
        let op = if ty.is_float() { "+" } else { self.random.pick(&["+", "-", "^"]) };
        let text = self.wrapping(ty, op);
        Expr::new(ty, text, vec![body, variable])
    }

    fn variable(&mut self) -> Expr {
        let index = self.random.below(self.variables.len() as u64) as usize;
        Expr::variable(index, self.variables[index])
    }

    fn leaf(&mut self) -> Expr {
        if self.random.once_in(4) {
            let ty = Type::any(self.random);
            Expr::constant(ty, ty.value(self.random))
        } else {
            self.variable()
        }
    }

    fn of(&mut self, ty: Type, depth: u32) -> Expr {
        let from = self.any(depth);
        if from.ty.is_float() && matches!(ty, Type::Int { .. }) && self.random.once_in(2) {
            // Without a branch.
            let (low, high) = (if ty.is_signed() { "-100.0" } else { "0.0" }, "101.5");
            let text = format!("(({})__builtin_fmin(__builtin_fmax((f64)$0, {low}), {high}))", ty.name());
            return Expr::new(ty, text, vec![from]);
        }
        from.converted(ty)
    }

    /// Integer or `_Bool`.
    fn integer(&mut self, depth: u32) -> Expr {
        let expr = self.any(depth);
        if !expr.ty.is_float() {
            return expr;
        }
        let ty = self.random.pick(&INTEGERS[..8]);
        expr.converted(ty)
    }

    fn float_type(&mut self) -> Type {
        self.random.pick(&[Float, Double])
    }

    fn integer_type(&mut self) -> Type {
        let all = if self.random.once_in(8) { &INTEGERS[..] } else { &INTEGERS[..8] };
        self.random.pick(all)
    }

    /// `$0 op $1` of type `ty`, which wraps around.
    fn wrapping(&self, ty: Type, op: &str) -> String {
        if ty.is_signed() && !self.wraps {
            let (t, u) = (ty.name(), ty.unsigned().name());
            format!("(({t})(({u})$0 {op} ({u})$1))")
        } else {
            format!("($0 {op} $1)")
        }
    }

    fn arithmetic(&mut self, d: u32) -> Expr {
        let (a, b) = (self.any(d), self.any(d));
        let ty = a.ty.common(b.ty);
        let op = self.random.pick(&["+", "-", "*"]);
        let text = self.wrapping(ty, op);
        Expr::new(ty, text, vec![a, b])
    }

    fn bitwise(&mut self, d: u32) -> Expr {
        let (a, b) = (self.integer(d), self.integer(d));
        let op = self.random.pick(&["&", "|", "^"]);
        Expr::new(a.ty.common(b.ty), format!("($0 {op} $1)"), vec![a, b])
    }

    fn shift(&mut self, d: u32) -> Expr {
        let (a, b) = (self.integer(d), self.integer(d));
        let ty = a.ty.promoted();
        let (t, u, mask) = (ty.name(), ty.unsigned().name(), ty.bits() - 1);
        let (ty, text) = match self.random.below(3) {
            0 if ty.is_signed() && !self.wraps => (ty, format!("(({t})(({u})$0 << ($1 & {mask})))")),
            0 => (ty, format!("($0 << ($1 & {mask}))")),
            1 => (ty, format!("($0 >> ($1 & {mask}))")),
            _ => (ty.unsigned(), format!("(({u})$0 >> ($1 & {mask}))")),
        };
        Expr::new(ty, text, vec![a, b])
    }

    fn division(&mut self, d: u32) -> Expr {
        let op = self.random.pick(&["/", "%"]);
        let (a, b) = (self.any(d), self.any(d));
        let ty = a.ty.common(b.ty);
        if ty.is_float() {
            return Expr::new(ty, "($0 / $1)", vec![a, b]);
        }
        let (t, signed) = (ty.name(), ty.is_signed());
        let text = match self.random.below(4) {
            0 if signed => format!("(({t})$0 {op} (({t})$1 & 0xff | 1))"),
            1 if signed => format!("(({t})$0 {op} (-2 - (({t})$1 & 0x7f)))"),
            0 | 1 => format!("($0 {op} (({t})$1 | 1))"),
            // By a constant: the optimiser multiplies.
            2 => format!("(({t})$0 {op} ({t}){})", self.random.pick(&[3, 5, 7, 10, 60, 100, 127, 8, 2])),
            _ if signed => format!("({{ {t} y = $1; ({t})$0 {op} (y == 0 || y == -1 ? 3 : y); }})"),
            _ => format!("({{ {t} y = $1; $0 {op} (y == 0 ? 3 : y); }})"),
        };
        Expr::new(ty, text, vec![a, b])
    }

    fn unary(&mut self, d: u32) -> Expr {
        match self.random.below(4) {
            0 => Expr::new(int(32), "(!$0)", vec![self.any(d)]),
            1 => {
                let a = self.integer(d);
                Expr::new(a.ty.promoted(), "(~$0)", vec![a])
            }
            _ => {
                let a = self.any(d);
                let ty = a.ty.promoted();
                let text = if ty.is_signed() && !self.wraps {
                    format!("(({})-({})$0)", ty.name(), ty.unsigned().name())
                } else {
                    "(-$0)".into()
                };
                Expr::new(ty, text, vec![a])
            }
        }
    }

    fn comparison(&mut self, d: u32) -> Expr {
        let (a, b) = (self.any(d), self.any(d));
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let text = if a.ty.common(b.ty).is_float() && self.random.once_in(3) {
            let name = self.random.pick(&["isgreater", "isless", "islessequal", "islessgreater", "isunordered"]);
            format!("__builtin_{name}((f64)$0, (f64)$1)")
        } else {
            format!("($0 {op} $1)")
        };
        Expr::new(int(32), text, vec![a, b])
    }

    fn logical(&mut self, d: u32) -> Expr {
        let op = self.random.pick(&["&&", "||"]);
        Expr::new(int(32), format!("($0 {op} $1)"), vec![self.any(d), self.any(d)])
    }

    fn conditional(&mut self, d: u32) -> Expr {
        let (c, a, b) = (self.any(d), self.any(d), self.any(d));
        let ty = a.ty.common(b.ty);
        // Arms of one and the same narrow type are promoted too.
        Expr::new(ty, "($0 ? $1 : $2)", vec![c, a, b])
    }

    fn integer_builtin(&mut self, d: u32) -> Expr {
        let width = self.random.pick(&[8, 16, 32, 64]);
        let (u, i) = (uint(width), int(width));
        let (un, n) = (u.name(), i.name());
        match self.random.below(14) {
            0 => {
                let width = width.max(16);
                Expr::new(uint(width), format!("__builtin_bswap{width}($0)"), vec![self.of(uint(width), d)])
            }
            1 => Expr::new(int(32), "__builtin_popcountll($0)", vec![self.of(uint(64), d)]),
            2 => Expr::new(int(32), "__builtin_popcount($0)", vec![self.of(uint(32), d)]),
            3 => Expr::new(int(32), "__builtin_clz($0 | 1)", vec![self.of(uint(32), d)]),
            4 => Expr::new(int(32), "__builtin_ctzll($0 | 1ull << 63)", vec![self.of(uint(64), d)]),
            5 => {
                let text = self.random.pick(&["__builtin_ffs($0)", "__builtin_parity($0)", "__builtin_clrsb($0)"]);
                Expr::new(int(32), text, vec![self.of(int(32), d)])
            }
            6 => Expr::new(u, format!("__builtin_bitreverse{width}($0)"), vec![self.of(u, d)]),
            7 | 8 => {
                let side = self.random.pick(&["left", "right"]);
                let amount =
                    if self.random.once_in(2) { self.of(u, d) } else { Expr::constant(u, u.value(self.random)) };
                Expr::new(u, format!("__builtin_rotate{side}{width}($0, $1)"), vec![self.of(u, d), amount])
            }
            9 => {
                let ty = self.random.pick(&[u, i]);
                let name = self.random.pick(&["max", "min", "add_sat", "sub_sat"]);
                let text = format!("(({})__builtin_elementwise_{name}($0, $1))", ty.name());
                Expr::new(ty, text, vec![self.of(ty, d), self.of(ty, d)])
            }
            10 => Expr::new(i, format!("(({n})__builtin_elementwise_abs(({n})($0 / 2)))"), vec![self.of(i, d)]),
            // Idioms that the optimiser knows.
            11 => {
                let text =
                    format!("({{ {un} x = $0, s = $1 & {}; ({un})(x << s | x >> (-s & {})); }})", width - 1, width - 1);
                Expr::new(u, text, vec![self.of(u, d), self.of(u, d)])
            }
            12 => {
                let text = format!("({{ {n} x = $0, y = $1; ({n})(x < y ? x : y); }})");
                Expr::new(i, text, vec![self.of(i, d), self.of(i, d)])
            }
            _ => {
                let text = "({ unsigned long long c; u64 r = __builtin_addcll($0, $1, $2 & 1, &c); r ^ c << 7; })";
                let text = if self.random.once_in(2) { text.replace("addc", "subc") } else { text.into() };
                Expr::new(uint(64), text, vec![self.of(uint(64), d), self.of(uint(64), d), self.of(uint(64), d)])
            }
        }
    }

    fn float_builtin(&mut self, d: u32) -> Expr {
        let ty = self.float_type();
        let (f, t) = (if ty == Float { "f" } else { "" }, ty.name());
        let bits = ty.bits();
        match self.random.below(16) {
            0 | 1 => Expr::new(ty, format!("__builtin_fabs{f}($0)"), vec![self.of(ty, d)]),
            2 | 3 => Expr::new(ty, format!("__builtin_sqrt{f}($0)"), vec![self.of(ty, d)]),
            4 => Expr::new(ty, format!("__builtin_floor{f}($0)"), vec![self.of(ty, d)]),
            5 => {
                let name = self.random.pick(&["ceil", "trunc", "rint", "nearbyint", "round"]);
                Expr::new(ty, format!("__builtin_{name}{f}($0)"), vec![self.of(ty, d)])
            }
            // Which of two zeros is the smaller is open; adding +0 makes them one.
            6 | 7 => {
                let name = self.random.pick(&["fmin", "fmax"]);
                Expr::new(ty, format!("(__builtin_{name}{f}($0, $1) + 0.0f)"), vec![self.of(ty, d), self.of(ty, d)])
            }
            8 => Expr::new(
                ty,
                format!("__builtin_fma{f}($0, $1, $2)"),
                vec![self.of(ty, d), self.of(ty, d), self.of(ty, d)],
            ),
            // The sign of a computed NaN is open.
            9 => Expr::new(
                ty,
                format!("({{ {t} y = $1; __builtin_copysign{f}($0, y != y ? 1.0{f} : y); }})"),
                vec![self.of(ty, d), self.of(ty, d)],
            ),
            10 => Expr::new(ty, format!("__builtin_fmod{f}($0, $1)"), vec![self.of(ty, d), self.of(ty, d)]),
            11 => {
                let name = self.random.pick(&["isnan", "isinf", "isfinite", "isnormal"]);
                Expr::new(int(32), format!("(__builtin_{name}($0) != 0)"), vec![self.of(ty, d)])
            }
            // Bits in: never NaN or infinite, because the exponent's top bit is 0. Bits out: of no NaN.
            12 | 13 => {
                let mask = if ty == Float { "0xbfffffff" } else { "0xbfffffffffffffff" };
                let text = format!("({{ u{bits} b = $0 & {mask}; {t} x; __builtin_memcpy(&x, &b, sizeof x); x; }})");
                Expr::new(ty, text, vec![self.of(uint(bits), d)])
            }
            _ => {
                let text =
                    format!("({{ {t} x = $0; u{bits} b; __builtin_memcpy(&b, &x, sizeof b); x != x ? 1 : b; }})");
                Expr::new(uint(bits), text, vec![self.of(ty, d)])
            }
        }
    }

    /// Within 32 bits: LLVM 19 at -O2 makes `(char)lrint(x)` a conversion to `int`.
    fn rounding_to_integer(&mut self, d: u32) -> Expr {
        let name = self.random.pick(&["lrint", "llrint", "lround", "llround"]);
        let text = format!("({{ f64 x = $0; x > -1e9 && x < 1e9 ? (i64)__builtin_{name}(x) : 5; }})");
        Expr::new(int(64), text, vec![self.of(Double, d)])
    }

    fn overflow(&mut self, d: u32) -> Expr {
        let name = self.random.pick(&["add", "sub", "mul"]);
        let ty = if name == "mul" { self.random.pick(&INTEGERS[..8]) } else { self.integer_type() };
        // Operands of other types than the result's make odd widths, which need library functions to multiply.
        let (a, b) = if name == "mul" || self.random.once_in(2) {
            (self.of(ty, d), self.of(ty, d))
        } else {
            let (a, b) = (self.integer_type(), self.integer_type());
            (self.of(a, d), self.of(b, d))
        };
        let (t, u) = (ty.name(), ty.unsigned().name());
        let (ty, text) = match self.random.below(3) {
            0 => (ty, format!("({{ {t} r; _Bool o = __builtin_{name}_overflow($0, $1, &r); ({t})(r ^ o); }})")),
            1 => {
                let text = format!("({{ {t} r; __builtin_{name}_overflow($0, $1, &r) ? ({t})(({u})r + 1u) : r; }})");
                (ty.promoted(), text)
            }
            _ => (Bool, format!("({{ {t} r; __builtin_{name}_overflow($0, $1, &r); }})")),
        };
        Expr::new(ty, text, vec![a, b])
    }

    fn lookup(&mut self, d: u32) -> Expr {
        let ty = Type::any(self.random);
        Expr::new(ty, format!("table_{}[$0 & {}]", ty.name(), table_len(ty) - 1), vec![self.integer(d)])
    }

    /// Symbolic content, symbolic index, and sometimes a write through one.
    fn local_array(&mut self, d: u32) -> Expr {
        let ty = self.integer_type();
        let t = ty.name();
        let kids = vec![self.of(ty, d), self.of(ty, d), self.of(ty, d), self.integer(d), self.integer(d)];
        let write = if self.random.once_in(3) { "a[$4 & 3] = 9;" } else { "" };
        Expr::new(ty, format!("({{ {t} a[4] = {{ $0, $1, $2, 5 }}; {write} a[$3 & 3]; }})"), kids)
    }

    /// Bytes of several terms, glued together and cut anew.
    fn union(&mut self, d: u32) -> Expr {
        let (wide, part, out) = (uint(64), self.random.pick(&INTEGERS[..6]), self.integer_type());
        let kids = vec![self.of(wide, d), self.of(wide, d), self.of(part, d)];
        let slots = |ty: Type| 16 / ty.bytes() as u64;
        let (at, from) = (self.random.below(slots(part)), self.random.below(slots(out)));
        let (p, o) = (part.name(), out.name());
        let text = format!(
            "({{ union {{ u64 q[2]; {p} p[{}]; {o} o[{}]; }} u; u.q[0] = $0; u.q[1] = $1; u.p[{at}] = $2; u.o[{from}]; }})",
            slots(part),
            slots(out)
        );
        Expr::new(out, text, kids)
    }

    /// Types for `x op= y` with a `y` of the same type: narrow ones are promoted to `int`, which must not overflow.
    fn assignable(&mut self) -> Type {
        if self.wraps { self.integer_type() } else { self.random.pick(&[uint(32), uint(64)]) }
    }

    fn assignments(&mut self, d: u32) -> Expr {
        if self.random.once_in(5) {
            let ty = self.float_type();
            let op = self.random.pick(&["+", "-", "*", "/"]);
            let text = format!("({{ {} x = $0; x {op}= $1; x++; x; }})", ty.name());
            return Expr::new(ty, text, vec![self.of(ty, d), self.any(d)]);
        }
        let ty = self.assignable();
        let (t, mask) = (ty.name(), ty.bits() - 1);
        let mut text = format!("({{ {}{t} x = $0;", if self.random.once_in(3) { "volatile " } else { "" });
        let mut kids = vec![self.of(ty, d)];
        for _ in 0..1 + self.random.below(3) {
            let at = kids.len();
            match self.random.below(5) {
                0 => {
                    text += &format!(" x {}= $3;", self.random.pick(&["<<", ">>"]))
                        .replace("$3", &format!("(${at} & {mask})"))
                }
                1 => text += &format!(" x {}= (({t})${at} & 63) + 1;", self.random.pick(&["/", "%"])),
                2 => {
                    text += self.random.pick(&[" x++;", " --x;"]);
                    continue;
                }
                _ => text += &format!(" x {}= ({t})${at};", self.random.pick(&["+", "-", "*", "&", "|", "^"])),
            }
            kids.push(self.integer(d));
        }
        Expr::new(ty, text + " x; })", kids)
    }

    fn repeated(&mut self, d: u32) -> Expr {
        let ty = self.assignable();
        let (t, times) = (ty.name(), 1 + self.random.below(6));
        let step =
            self.random.pick(&["x = x * 3 + i", "x = x ^ x >> 1", "x += y", "x = x * y + i", "x = x + (y >> i)"]);
        let text = format!("({{ {t} x = $0, y = $1; for (u32 i = 0; i < {times}; i++) {{ {step}; }} x; }})");
        Expr::new(ty, text, vec![self.of(ty, d), self.of(ty, d)])
    }

    fn switch(&mut self, d: u32) -> Expr {
        let ty = Type::any(self.random);
        let text = format!(
            "({{ {} x; switch ($0 & 3) {{ case 0: x = $1; break; case 1: x = $2; break; default: x = 3; }} x; }})",
            ty.name()
        );
        Expr::new(ty, text, vec![self.integer(d), self.of(ty, d), self.of(ty, d)])
    }

    fn vector(&mut self, d: u32) -> Expr {
        let lane = self.random.below(4);
        let floats = self.random.once_in(3);
        let ty = if floats { Float } else { self.random.pick(&[uint(32), uint(16), uint(8), uint(64)]) };
        let t = ty.name();
        let kids = vec![self.of(ty, d), self.of(ty, d), self.of(ty, d)];
        let op = if floats {
            self.random.pick(&["a + b", "a * b", "a - b / 3.0f", "-a"])
        } else {
            self.random.pick(&["a + b", "a * b - a", "a ^ b >> 3", "a & ~b", "a % (b | 1)", "a << (b & 7)", "-a"])
        };
        let (ty, result) = match self.random.below(4) {
            0 => (ty, format!("a = {op}; a[{lane}];")),
            1 => (ty, format!("a = {op}; a = __builtin_shufflevector(a, b, 3, 6, 1, 4); a[{lane}];")),
            // Not the bits of floats, which may be NaNs.
            2 => (uint(32), format!("(u32)(a < b)[{lane}];")),
            _ if floats => (uint(32), format!("(u32)(a != b)[{lane}];")),
            // Lanes glued together and cut anew.
            _ if ty.bytes() == 4 => (uint(64), format!("a = {op}; ((W_u64)a)[{}];", lane % 2)),
            _ => (uint(16), format!("a = {op}; ((W_u16_{t})a)[{}];", lane % 2)),
        };
        let text =
            format!("({{ {t} p = $0, q = $1, r = $2; V_{t} a = {{ p, q, 3, r }}, b = {{ r, 7, p, q }}; {result} }})");
        Expr::new(ty, text, kids)
    }

    fn bit_field(&mut self, d: u32) -> Expr {
        let ty = self.random.pick(&[int(32), uint(32), int(64), uint(64)]);
        let (t, bits) = (ty.name(), u64::from(ty.bits()));
        let first = 1 + self.random.below(bits - 1);
        let second = 1 + self.random.below(bits - 1);
        let text = format!(
            "({{ struct {{ {t} a : {first}; {t} b : {second}; }} s = {{ $0, $1 }}; s.{}; }})",
            self.random.pick(&["a", "b"])
        );
        Expr::new(ty, format!("(({t}){text})"), vec![self.of(ty, d), self.of(ty, d)])
    }

    /// Widths that no other C type has.
    fn bit_int(&mut self, d: u32) -> Expr {
        let bits = self.random.pick(&[3, 7, 12, 24, 33, 37, 48, 63, 65, 80, 100, 127]);
        let out = self.integer_type();
        let (a, b) = (self.integer_type(), self.integer_type());
        let op = self.random.pick(&["+", "-", "*", "&", "^", "<", "=="]);
        let text = match self.random.below(4) {
            0 => format!("({{ unsigned _BitInt({bits}) x = $0, y = $1; ({})(x / (y | 1)); }})", out.name()),
            1 => format!("({{ _BitInt({bits}) x = $0; ({})(x >> ($1 & {})); }})", out.name(), bits.min(64) / 2),
            2 if self.wraps => format!("({{ _BitInt({bits}) x = $0, y = $1; ({})(x {op} y); }})", out.name()),
            _ => format!("({{ unsigned _BitInt({bits}) x = $0, y = $1; ({})(x {op} y); }})", out.name()),
        };
        Expr::new(out, text, vec![self.of(a, d), self.of(b, d)])
    }

    /// Through arguments and results, also of structs.
    fn call(&mut self, d: u32) -> Expr {
        let ty = Type::any(self.random);
        let t = ty.name();
        if self.random.once_in(2) {
            return Expr::new(
                ty,
                format!("pass_{t}($0, $1)"),
                vec![self.integer(d).converted(int(32)), self.of(ty, d)],
            );
        }
        let text = format!("pair_{t}((struct pair_{t}){{ $0, $1 }}).a");
        Expr::new(ty, text, vec![self.of(ty, d), self.of(int(16), d)])
    }
}
