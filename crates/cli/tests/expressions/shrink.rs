//! Makes a failing case small: subtrees are replaced by their operands, variables or constants while it still fails in
//! the same way.

use crate::check::{Failure, check};
use crate::generate::Expr;
use crate::program::{Bench, Case, Flags};

const ROUNDS: usize = 25;
/// Candidates of one round; they are compiled as one program.
const CANDIDATES: usize = 240;

pub fn shrink(bench: &Bench, case: &Case, flags: Flags, failure: &Failure) -> (Case, Failure) {
    let mut best = (case.clone(), failure.clone());
    for _ in 0..ROUNDS {
        let candidates = candidates(&best.0);
        if candidates.is_empty() {
            break;
        }
        let runs = bench.run("shrink", &candidates, flags);
        let (_, failures) = check("shrink", &candidates, &runs, failure.kind == "Z3");
        let smaller =
            failures.into_iter().filter(|f| f.kind == failure.kind).min_by_key(|f| weight(&candidates[f.case]));
        match smaller {
            Some(failure) => best = (candidates[failure.case].clone(), failure),
            None => break,
        }
    }
    best
}

fn weight(case: &Case) -> (usize, usize) {
    let mut text = String::new();
    case.body.print(&mut text);
    (case.body.size(), text.len())
}

/// Smaller cases, the smallest first.
fn candidates(case: &Case) -> Vec<Case> {
    let mut bodies = Vec::new();
    let variables: Vec<Expr> = case.variables.iter().enumerate().map(|(i, v)| Expr::variable(i, v.ty)).collect();
    replace(&case.body, &variables, &mut |body| bodies.push(body));
    let mut all: Vec<Case> = bodies.into_iter().map(|body| Case { body, ..case.clone() }).collect();
    all.retain(|candidate| weight(candidate) < weight(case));
    all.sort_by_key(weight);
    all.truncate(CANDIDATES);
    all
}

/// Every expression that differs from `expr` in one subtree.
fn replace(expr: &Expr, variables: &[Expr], found: &mut dyn FnMut(Expr)) {
    for other in expr.kids.iter().chain(variables) {
        found(other.clone().converted(expr.ty));
    }
    if !expr.kids.is_empty() {
        found(Expr::constant(expr.ty, 1));
    }
    for (at, kid) in expr.kids.iter().enumerate() {
        replace(kid, variables, &mut |smaller| {
            let mut whole = expr.clone();
            whole.kids[at] = smaller;
            found(whole);
        });
    }
}
