//! SMT-LIB 2 scripts: `QF_BV`, or `QF_BVFP` where there are floats.
//!
//! * One constant for each input byte that is used, named like `|stdin[3]|`.
//! * A term of width 1 is a `Bool`, any other a bit vector. A term that is used more than once, or whose text is long,
//!   is a `define-fun` of its own (`t12`).
//! * A term that is used as a float has a second face of sort `FloatingPoint` (`f12`), so that float operations on
//!   float results do not go through bits. Only the bits of a float *result* need a constant of their own, held by
//!   `to_fp(t12) = f12`. All NaNs satisfy that for a NaN: of the bits of a NaN a solver knows less than the processor.
//! * Tables are functions that decide on the bits of the index one after the other: nothing but multiplexers.
//! * What cannot be expressed is an unconstrained constant, with a comment in the script and an entry in
//!   [`Script::unsupported`]: the script is then weaker than the terms, never stronger.

mod ops;
mod table;

use crate::hash::{FastMap, FastSet};
use crate::import::Import;
use crate::path::Path;
use crate::term::{Pool, TableId, Term, TermId};
use crate::view::TraceView;
use offshoot_trace::{EventKind, Op};
use std::fmt::Write;

/// Text longer than this becomes a definition.
const INLINE: usize = 120;

pub struct Assertion {
    /// Of width 1.
    pub term: TermId,
    pub comment: String,
}

#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Declarations, definitions and assertions; no `check-sat`.
    pub text: String,
    /// For each term asked for: its text, of sort `Bool` or `(_ BitVec width)`.
    pub values: Vec<String>,
    /// What is left unconstrained, one line each.
    pub unsupported: Vec<String>,
}

/// The path condition of a run, ending in `(check-sat)` and `(get-model)`. `place` gives the source place of a site.
pub fn path_condition(view: TraceView<'_>, place: Option<&dyn Fn(u32) -> Option<String>>) -> Script {
    let (mut pool, mut import) = (Pool::new(), Import::new(view));
    let path = Path::of(&mut import, &mut pool);
    let assertions: Vec<Assertion> = path
        .constraints
        .iter()
        .map(|c| {
            let what = match c.kind {
                EventKind::Branch => format!("branch, {}", if c.value != 0 { "true" } else { "false" }),
                EventKind::Switch => format!("switch, {}", c.value),
                EventKind::Concretise => format!("concretised to {:#x}", c.value),
                EventKind::Assume => "assumption".to_owned(),
                EventKind::Access => "access stays in its object".to_owned(),
                _ => format!("assertion, {}", if c.value != 0 { "held" } else { "failed" }),
            };
            let at = place.and_then(|place| place(c.site)).unwrap_or_else(|| format!("site {}", c.site));
            Assertion { term: c.holds, comment: format!("{at}: {what}") }
        })
        .collect();
    let mut script = script(&pool, &view.source_names(), &assertions, &[]);
    for (event, damage) in &path.damaged {
        script.unsupported.push(format!("event {event}: {damage}"));
        let _ = writeln!(script.text, "; unsupported: event {event}: {damage}");
    }
    script.text.push_str("(check-sat)\n(get-model)\n");
    script
}

/// `assertions` in their order, and the texts of `values`.
pub fn script(pool: &Pool, names: &[String], assertions: &[Assertion], values: &[TermId]) -> Script {
    let roots: Vec<TermId> = assertions.iter().map(|a| a.term).chain(values.iter().copied()).collect();
    let mut printer = Printer::new(pool, names, &roots);
    // Each assertion stands right behind what it needs, so that a reader can follow the run.
    for assertion in assertions {
        printer.define(&[assertion.term]);
        let text = printer.bits(assertion.term);
        let comment = assertion.comment.replace(['\n', '\r'], " ");
        let _ = writeln!(printer.out, "; {comment}\n(assert {text})");
    }
    printer.define(values);
    let values = values.iter().map(|&term| printer.bits(term)).collect();
    let logic = if printer.floats { "QF_BVFP" } else { "QF_BV" };
    let text = format!("(set-logic {logic})\n{}{}", printer.declarations, printer.out);
    Script { text, values, unsupported: printer.unsupported }
}

/// How a term is used.
#[derive(Clone, Copy, Default)]
struct Demand {
    bits: u32,
    float: u32,
}

struct Printer<'p> {
    pool: &'p Pool,
    names: &'p [String],
    demand: FastMap<TermId, Demand>,
    bits: FastMap<TermId, String>,
    float: FastMap<TermId, String>,
    tables: FastMap<TableId, String>,
    declared: FastSet<(u32, u32)>,
    declarations: String,
    out: String,
    floats: bool,
    unsupported: Vec<String>,
}

/// The result of the operation is a float.
fn makes_float(op: Op) -> bool {
    matches!(op, Op::SToF | Op::UToF | Op::FToF) || op.is_float() && (op as u8) < Op::FOeq as u8
}

/// The operands of the operation are floats.
fn takes_floats(op: Op) -> bool {
    op.is_float() && !matches!(op, Op::SToF | Op::UToF)
}

pub(crate) fn float_sort(width: u8) -> &'static str {
    if width == 32 { "8 24" } else { "11 53" }
}

impl<'p> Printer<'p> {
    fn new(pool: &'p Pool, names: &'p [String], roots: &[TermId]) -> Printer<'p> {
        let mut printer = Printer {
            pool,
            names,
            demand: FastMap::default(),
            bits: FastMap::default(),
            float: FastMap::default(),
            tables: FastMap::default(),
            declared: FastSet::default(),
            declarations: String::new(),
            out: String::new(),
            floats: false,
            unsupported: Vec::new(),
        };
        for &root in roots {
            printer.demand.entry(root).or_default().bits += 1;
        }
        for id in pool.cone(roots).into_iter().rev() {
            printer.pass_on(id);
        }
        printer
    }

    /// What the uses of a term mean for its operands.
    fn pass_on(&mut self, id: TermId) {
        let demand = self.demand.get(&id).copied().unwrap_or_default();
        let term = self.pool.get(id);
        let op = term.op();
        self.floats |= op.is_float();
        if let Term::Ternary { op: Op::Ite, a, b, c, .. } = term {
            self.demand.entry(a).or_default().bits += 1 + (demand.float > 0 && demand.bits > 0) as u32;
            for arm in [b, c] {
                let arm = self.demand.entry(arm).or_default();
                arm.bits += (demand.bits > 0) as u32;
                arm.float += (demand.float > 0) as u32;
            }
            return;
        }
        let mut visit = |kid| {
            let kid = self.demand.entry(kid).or_default();
            if takes_floats(op) { kid.float += 1 } else { kid.bits += 1 }
        };
        self.pool.for_each_kid(id, &mut visit);
        if demand.float > 0 && !makes_float(op) {
            self.demand.entry(id).or_default().bits += 1;
        }
    }

    /// Defines everything that `roots` need and that is not yet defined.
    fn define(&mut self, roots: &[TermId]) {
        let mut stack = roots.to_vec();
        let mut missing = FastSet::default();
        while let Some(id) = stack.pop() {
            if !self.is_defined(id) && missing.insert(id) {
                self.pool.for_each_kid(id, |kid| stack.push(kid));
            }
        }
        let mut missing: Vec<_> = missing.into_iter().collect();
        missing.sort_unstable();
        for id in missing {
            self.define_one(id);
        }
    }

    fn is_defined(&self, id: TermId) -> bool {
        self.bits.contains_key(&id) || self.float.contains_key(&id)
    }

    fn define_one(&mut self, id: TermId) {
        let demand = self.demand.get(&id).copied().unwrap_or_default();
        let term = self.pool.get(id);
        let (op, width) = (term.op(), term.width());
        if makes_float(op) {
            let text = self.float_text(id, term);
            // The bits refer to the float by name.
            let uses = if demand.bits > 0 { 2 } else { demand.float };
            let text = self.name(format!("f{}", id.0), &format!("(_ FloatingPoint {})", float_sort(width)), text, uses);
            if demand.bits > 0 {
                let bits = format!("t{}", id.0);
                let _ = writeln!(self.out, "(declare-const {bits} (_ BitVec {width}))");
                let _ = writeln!(self.out, "(assert (= ((_ to_fp {}) {bits}) {text}))", float_sort(width));
                self.bits.insert(id, bits);
            }
            self.float.insert(id, text);
            return;
        }
        if demand.bits > 0 {
            let text = self.bits_text(term);
            let leaf = matches!(term, Term::Const { .. } | Term::Read { bytes: 1, .. });
            let text = self.name(format!("t{}", id.0), &sort(width), text, if leaf { 1 } else { demand.bits });
            self.bits.insert(id, text);
        }
        if demand.float > 0 {
            let text = match term {
                Term::Ternary { op: Op::Ite, a, b, c, .. } => {
                    format!("(ite {} {} {})", self.bits(a), self.float(b), self.float(c))
                }
                _ => format!("((_ to_fp {}) {})", float_sort(width), self.bits(id)),
            };
            let sort = format!("(_ FloatingPoint {})", float_sort(width));
            let text = self.name(format!("f{}", id.0), &sort, text, demand.float);
            self.float.insert(id, text);
        }
    }

    /// `text` itself where it is used once and short, else a name for it.
    fn name(&mut self, name: String, sort: &str, text: String, uses: u32) -> String {
        if uses <= 1 && text.len() <= INLINE {
            return text;
        }
        let _ = writeln!(self.out, "(define-fun {name} () {sort} {text})");
        name
    }

    /// The term as `Bool` or bit vector.
    fn bits(&self, id: TermId) -> String {
        self.bits.get(&id).cloned().unwrap_or_default()
    }

    /// The term as a bit vector, also where it has width 1.
    fn vector(&self, id: TermId) -> String {
        let text = self.bits(id);
        match self.pool.get(id) {
            Term::Const { value, width: 1 } => format!("#b{value}"),
            term if term.width() == 1 => format!("(ite {text} #b1 #b0)"),
            _ => text,
        }
    }

    fn float(&self, id: TermId) -> String {
        self.float.get(&id).cloned().unwrap_or_default()
    }

    /// The constant of one input byte.
    fn byte(&mut self, source: u32, offset: u32) -> String {
        let name = byte_name(self.names, source, offset);
        if self.declared.insert((source, offset)) {
            let _ = writeln!(self.declarations, "(declare-const {name} (_ BitVec 8))");
        }
        name
    }

    fn give_up(&mut self, id: TermId, sort: &str, why: &str) -> String {
        let name = format!("u{}", id.0);
        let _ = writeln!(self.out, "; unsupported: {why}; {name} is left unconstrained");
        let _ = writeln!(self.out, "(declare-const {name} {sort})");
        self.unsupported.push(format!("{why} (term {})", id.0));
        name
    }
}

fn sort(width: u8) -> String {
    if width == 1 { "Bool".to_owned() } else { format!("(_ BitVec {width})") }
}

/// A constant; width 1 is a `Bool`.
fn number(value: u128, width: u8) -> String {
    match width {
        1 => if value != 0 { "true" } else { "false" }.to_owned(),
        _ if width.is_multiple_of(4) => format!("#x{value:0digits$x}", digits = width as usize / 4),
        _ => format!("#b{value:0digits$b}", digits = width as usize),
    }
}

/// The name of an input byte's constant. A quoted symbol must not contain `|` or `\`; the source's number keeps names
/// apart that are equal without them.
pub fn byte_name(names: &[String], source: u32, offset: u32) -> String {
    match names.get(source as usize) {
        Some(name) if !name.contains(|c: char| c == '|' || c == '\\' || c.is_control()) => {
            format!("|{name}[{offset}]|")
        }
        Some(name) => {
            let name = name.replace(|c: char| c == '|' || c == '\\' || c.is_control(), "_");
            format!("|{name}#{source}[{offset}]|")
        }
        None => format!("|source#{source}[{offset}]|"),
    }
}
