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

/// One process for many recipes: a `push`/`pop` each, which also scopes the declarations.
fn agree(menu: Menu, cases: usize, steps: usize, rewriting: bool) {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut all = String::new();
    let mut expected = Vec::new();
    for case in 0..cases {
        let recipe = recipe(steps).new_tree(&mut runner).expect("a recipe").current();
        let input = input().new_tree(&mut runner).expect("an input").current();
        let raw = cook(&recipe, menu);
        let mut pool = if rewriting { Pool::new() } else { Pool::without_rewrites() };
        let map = transfer(&raw.pool, &raw.terms, &mut pool);
        let roots: Vec<TermId> = raw.terms.iter().map(|id| map[id]).filter(|&id| !is_open(&pool, id, &input)).collect();
        let values: Vec<u128> = Tape::new(&pool, &roots).run(&input).collect();
        let printed = script(&pool, &names(), &[], &roots);
        all.push_str("(push)\n");
        let body = printed.text.split_once('\n').expect("a logic").1;
        all.push_str(&fix(body, &input, &pool, &roots));
        // sat: the bits of some floats exist; unsat: no term can be anything else.
        let differs: Vec<String> = roots
            .iter()
            .zip(&printed.values)
            .zip(&values)
            .map(|((&id, text), &value)| format!("(distinct {text} {})", literal(value, pool.width(id))))
            .collect();
        all.push_str("(check-sat)\n");
        expected.push((case, "sat", recipe.clone()));
        all.push_str(&format!("(assert (or false {}))\n(check-sat)\n(pop)\n", differs.join("\n ")));
        expected.push((case, "unsat", recipe));
    }
    let answers = z3(&all);
    for (at, (case, wanted, recipe)) in expected.iter().enumerate() {
        let answer = answers.get(at).map(String::as_str);
        assert_eq!(answer, Some(*wanted), "case {case}: {recipe:?}\nscript:\n{}", dump(&all));
    }
    assert_eq!(answers.len(), expected.len());
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
