//! What we print for a solver means what we compute: with the input bytes fixed, Z3 agrees with the evaluator on the
//! value of every term.

mod common;

use common::{LENGTH, Menu, SOURCES, cook, input, recipe, transfer};
use offshoot_expr::smt::{Assertion, byte_name, script};
use offshoot_expr::{Input, Pool, Tape, Term, TermId};
use offshoot_trace::Op;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::io::Write;
use std::process::{Command, Stdio};

fn z3(script: &str) -> Vec<String> {
    let mut child = Command::new("z3")
        .args(["-smt2", "-in", "-T:60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 is installed");
    let mut stdin = child.stdin.take().expect("piped");
    let owned = script.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(owned.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    // A solver that ran out of time does not read on; the missing answers say so.
    let _ = writer.join().expect("no panic");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

fn names() -> Vec<String> {
    ["", "stdin", "file:x"].map(str::to_owned).to_vec()
}

/// A float in the cone is a NaN, whose bits the script leaves open; or something is unsupported.
fn is_open(pool: &Pool, root: TermId, input: &Input) -> bool {
    let cone = pool.cone(&[root]);
    let values: Vec<u128> = Tape::new(pool, &cone).run(input).collect();
    cone.iter().zip(values).any(|(&id, value)| match pool.get(id) {
        Term::Binary { op: Op::FRem, width: 64, .. } => true,
        term if term.op().is_float() && term.width() == 32 => f32::from_bits(value as u32).is_nan(),
        term if term.op().is_float() && term.width() == 64 => f64::from_bits(value as u64).is_nan(),
        _ => false,
    })
}

fn literal(value: u128, width: u8) -> String {
    if width == 1 { (value == 1).to_string() } else { format!("#b{value:0w$b}", w = width as usize) }
}

/// The script with its input bytes, and the bits of its float results, defined instead of declared: Z3 then computes
/// instead of solving. What the script asserts of the bits still has to hold.
fn fix(script: &str, input: &Input, pool: &Pool, roots: &[TermId]) -> String {
    let mut fixed = script.to_owned();
    for source in 1..=SOURCES {
        for offset in 0..LENGTH {
            let name = byte_name(&names(), source, offset);
            let value = format!("(define-fun {name} () (_ BitVec 8) #x{:02x})", input.get(source, offset));
            fixed = fixed.replace(&format!("(declare-const {name} (_ BitVec 8))"), &value);
        }
    }
    let cone = pool.cone(roots);
    let values: Vec<u128> = Tape::new(pool, &cone).run(input).collect();
    for (id, value) in cone.into_iter().zip(values) {
        let (name, width) = (format!("t{}", id.index()), pool.width(id));
        let value = format!("(define-fun {name} () (_ BitVec {width}) {})", literal(value, width));
        fixed = fixed.replace(&format!("(declare-const {name} (_ BitVec {width}))"), &value);
    }
    fixed
}

/// Cases for one process: a `push`/`pop` each, which also scopes the declarations.
#[derive(Default)]
struct Session {
    script: String,
    expected: Vec<(String, &'static str)>,
}

impl Session {
    /// Z3 must find for each root the value that we compute.
    fn add(&mut self, what: String, pool: &Pool, roots: &[TermId], input: &Input) {
        let roots: Vec<TermId> = roots.iter().copied().filter(|&id| !is_open(pool, id, input)).collect();
        let values: Vec<u128> = Tape::new(pool, &roots).run(input).collect();
        let printed = script(pool, &names(), &[], &roots);
        let body = printed.text.split_once('\n').expect("a logic").1;
        let differs: Vec<String> = roots
            .iter()
            .zip(&printed.values)
            .zip(&values)
            .map(|((&id, text), &value)| format!("(distinct {text} {})", literal(value, pool.width(id))))
            .collect();
        // sat: the bits of the floats are right; unsat: no term is anything else.
        self.script.push_str("(push)\n");
        self.script.push_str(&fix(body, input, pool, &roots));
        self.script.push_str("(check-sat)\n");
        self.script.push_str(&format!("(assert (or false {}))\n(check-sat)\n(pop)\n", differs.join("\n ")));
        self.expected.push((what.clone(), "sat"));
        self.expected.push((what, "unsat"));
    }

    fn check(self) {
        let answers = z3(&self.script);
        for (at, (what, wanted)) in self.expected.iter().enumerate() {
            let answer = answers.get(at).map(String::as_str);
            assert_eq!(answer, Some(*wanted), "{what}\nscript:\n{}", dump(&self.script));
        }
        assert_eq!(answers.len(), self.expected.len());
    }
}

fn agree(menu: Menu, cases: usize, steps: usize, rewriting: bool) {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut session = Session::default();
    for case in 0..cases {
        let recipe = recipe(steps).new_tree(&mut runner).expect("a recipe").current();
        let input = input().new_tree(&mut runner).expect("an input").current();
        let raw = cook(&recipe, menu);
        let mut pool = if rewriting { Pool::new() } else { Pool::without_rewrites() };
        let map = transfer(&raw.pool, &raw.terms, &mut pool);
        let roots: Vec<TermId> = raw.terms.iter().map(|id| map[id]).collect();
        session.add(format!("case {case}: {recipe:?}"), &pool, &roots, &input);
    }
    session.check();
}

fn dump(script: &str) -> String {
    let path = std::env::temp_dir().join("offshoot-expr-z3.smt2");
    let _ = std::fs::write(&path, script);
    path.display().to_string()
}

#[test]
fn integers_and_tables() {
    agree(Menu { floats: false, tables: true }, 300, 30, true);
    agree(Menu { floats: false, tables: true }, 100, 30, false);
}

#[test]
fn floats() {
    agree(Menu { floats: true, tables: false }, 600, 20, true);
}

/// Every float operation on every pair of numbers where something is special: zeros, ties, ends of ranges.
#[test]
fn float_corners() {
    const NUMBERS: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -0.5,
        2.5,
        -2.5,
        3.0,
        -7.25,
        255.9,
        -129.0,
        3e9,
        -3e9,
        9.3e18,
        1.5e19,
        -1.5e19,
        3e30,
        -3e30,
        1e-42,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let mut session = Session::default();
    for width in [32u8, 64] {
        let mut pool = Pool::new();
        let (a, b) = (pool.read(1, 0, width / 8), pool.read(1, 8, width / 8));
        let mut roots = Vec::new();
        for &op in Op::ALL.iter().filter(|op| op.is_float()) {
            match op {
                Op::FToS | Op::FToU => {
                    roots.extend([8, 16, 31, 32, 33, 64, 100, 128].map(|to| pool.unary(op, a, to)));
                }
                Op::SToF | Op::UToF => roots.extend([32, 64].map(|to| pool.unary(op, a, to))),
                Op::FToF => roots.push(pool.unary(op, a, 96 - width)),
                Op::FFma => roots.push(pool.make(Term::Ternary { op, width, a, b, c: a })),
                _ if op.is_binary() => roots.push(pool.binary(op, a, b)),
                _ => roots.push(pool.unary(op, a, width)),
            }
        }
        for (x, y) in NUMBERS.iter().flat_map(|&x| NUMBERS.iter().map(move |&y| (x, y))) {
            let bits = |number: f64| match width {
                32 => ((number as f32).to_bits() as u64).to_le_bytes(),
                _ => number.to_bits().to_le_bytes(),
            };
            let mut input = Input::new();
            input.set_bytes(1, [bits(x), bits(y)].concat());
            session.add(format!("{x} and {y}, {width} bits"), &pool, &roots, &input);
        }
    }
    session.check();
}

#[test]
fn a_solver_finds_the_input_behind_a_condition() {
    let mut pool = Pool::new();
    let read = pool.read(1, 2, 4);
    let term = pool.eq_const(read, 0x6465_6667);
    let printed = script(&pool, &names(), &[Assertion { term, comment: "magic".into() }], &[]);
    let answers = z3(&format!("{}(check-sat)\n(get-value (|stdin[2]| |stdin[5]|))\n", printed.text)).join(" ");
    assert!(answers.starts_with("sat"), "{answers}");
    assert!(answers.contains("(|stdin[2]| #x67)") && answers.contains("(|stdin[5]| #x64)"), "{answers}");
}
