//! One SAT solver with the gates that its queries have reached.

use super::gates::{FALSE, Gate, Gates, Lit, TRUE};
use super::terms::Words;
use offshoot_expr::Input;
use rustc_hash::FxHashSet;
use rustsat::solvers::{ControlSignal, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit as SatLit, TernaryVal};
use rustsat_cadical::CaDiCaL;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// What CaDiCaL does not need for many small questions: it tries lucky assignments, each a pass over all clauses, at
/// every call; it looks for gates in the clauses before the first call (a quarter of the time of a campaign on grep), which
/// are ours and as small as they get; and variables of its own would collide with those that later queries bring.
const OPTIONS: &[(&str, i32)] = &[("quiet", 1), ("lucky", 0), ("preprocesslight", 0), ("factor", 0)];

const ABSENT: u32 = u32::MAX;

/// So many gates tell how much of a cone is there.
const SAMPLE: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    Limit,
    /// CaDiCaL refused the question: out of memory.
    Failed,
}

pub struct Instance {
    solver: CaDiCaL<'static, 'static>,
    deadline: Rc<Cell<Option<Instant>>>,
    /// The solver's variable for each gate, or [`ABSENT`]. Dense, as the solver assigns all up to the largest.
    variables: Vec<u32>,
    /// The gate of each variable.
    gates: Vec<u32>,
    divisions: FxHashSet<u32>,
    clauses: usize,
    queries: usize,
    failed: bool,
}

impl Default for Instance {
    fn default() -> Instance {
        let mut solver = CaDiCaL::default();
        for &(name, value) in OPTIONS {
            // An option that this version does not have changes only its speed.
            let _ = solver.set_option(name, value);
        }
        let deadline = Rc::new(Cell::new(None::<Instant>));
        let watched = deadline.clone();
        solver.attach_terminator(move || match watched.get() {
            Some(deadline) if Instant::now() >= deadline => ControlSignal::Terminate,
            _ => ControlSignal::Continue,
        });
        Instance {
            solver,
            deadline,
            variables: Vec::new(),
            gates: Vec::new(),
            divisions: FxHashSet::default(),
            clauses: 0,
            queries: 0,
            failed: false,
        }
    }
}

impl Instance {
    pub fn gates(&self) -> usize {
        self.gates.len()
    }

    pub fn clauses(&self) -> usize {
        self.clauses
    }

    pub fn queries(&self) -> usize {
        self.queries
    }

    /// How many gates of a cone are there, by a sample.
    pub fn overlap(&self, cone: &[u32]) -> usize {
        let step = (cone.len() / SAMPLE).max(1);
        cone.iter().step_by(step).filter(|&&gate| self.has(gate as usize)).count()
    }

    fn has(&self, gate: usize) -> bool {
        self.variables.get(gate).is_some_and(|&variable| variable != ABSENT)
    }

    /// Brings in the gates of a cone, their values under the hint as phases.
    pub fn add(&mut self, gates: &Gates, cone: &[u32], hint: &Hint) {
        if self.variables.len() < gates.end() {
            self.variables.resize(gates.end(), ABSENT);
        }
        let new: Vec<u32> = cone.iter().copied().filter(|&gate| self.variables[gate as usize] == ABSENT).collect();
        for &gate in &new {
            self.variables[gate as usize] = self.gates.len() as u32;
            self.gates.push(gate);
        }
        for gate in new {
            self.define(gates, gate as usize);
            self.prefer(gate as usize, hint.value(gate as usize));
        }
    }

    fn sat(&self, lit: Lit) -> SatLit {
        SatLit::new(self.variables[lit.gate()], lit.is_negated())
    }

    /// Where there is a choice, the gate shall have this value.
    fn prefer(&mut self, gate: usize, value: bool) {
        let lit = self.sat(Lit::of(gate, !value));
        self.failed |= self.solver.phase_lit(lit).is_err();
    }

    /// The gates whose value under the hint has changed.
    pub fn prefer_again(&mut self, changed: &[(usize, bool)]) {
        for &(gate, value) in changed {
            if self.has(gate) {
                self.prefer(gate, value);
            }
        }
    }

    fn define(&mut self, gates: &Gates, gate: usize) {
        let out = self.sat(Lit::of(gate, false));
        match gates.gate(gate) {
            Gate::True => self.clause(&[out]),
            Gate::Input { .. } => {}
            Gate::Division { division, .. } => {
                if self.divisions.insert(division) {
                    for &lit in &gates.division(division).holds {
                        let lit = self.sat(lit);
                        self.clause(&[lit]);
                    }
                }
            }
            Gate::And(..) => {
                let inputs: Vec<SatLit> = conjuncts(gates, gate).into_iter().map(|lit| self.sat(lit)).collect();
                inputs.iter().for_each(|&lit| self.clause(&[!out, lit]));
                let clause: Vec<SatLit> = inputs.iter().map(|&lit| !lit).chain([out]).collect();
                self.clause(&clause);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.sat(a), self.sat(b));
                self.clause(&[!out, a, b]);
                self.clause(&[!out, !a, !b]);
                self.clause(&[out, !a, b]);
                self.clause(&[out, a, !b]);
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (self.sat(c), self.sat(a), self.sat(b));
                self.clause(&[!c, !a, out]);
                self.clause(&[!c, a, !out]);
                self.clause(&[c, !b, out]);
                self.clause(&[c, b, !out]);
                // These follow, but not by unit propagation.
                self.clause(&[!a, !b, out]);
                self.clause(&[a, b, !out]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.sat(a), self.sat(b), self.sat(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.clause(&[!x, !y, out]);
                    self.clause(&[x, y, !out]);
                }
            }
        }
    }

    fn clause(&mut self, lits: &[SatLit]) {
        self.clauses += 1;
        self.failed |= self.solver.add_clause_ref(lits).is_err();
    }

    /// Whether all `lits`, whose cones are there, can hold together.
    pub fn solve(&mut self, lits: &[Lit], deadline: Instant, conflicts: Option<u32>) -> Verdict {
        if self.failed || self.solver.limit_conflicts(conflicts).is_err() {
            return Verdict::Failed;
        }
        self.queries += 1;
        self.deadline.set(Some(deadline));
        let assumptions: Vec<SatLit> = lits.iter().map(|&lit| self.sat(lit)).collect();
        match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => Verdict::Sat,
            Ok(SolverResult::Unsat) => Verdict::Unsat,
            Ok(SolverResult::Interrupted) => Verdict::Limit,
            Err(_) => Verdict::Failed,
        }
    }

    /// After `Unsat`: the assumptions that are to blame, which alone cannot hold together.
    pub fn blamed(&mut self) -> Option<Vec<Lit>> {
        // A core is a clause: what was assumed, negated.
        let core = self.solver.core().ok()?;
        Some(core.into_iter().map(|lit| Lit::of(self.gates[lit.vidx()] as usize, lit.is_pos())).collect())
    }

    /// After `Sat`; `None` if it does not matter.
    pub fn value(&self, gate: usize) -> Option<bool> {
        match self.solver.lit_val(self.sat(Lit::of(gate, false))) {
            Ok(TernaryVal::True) => Some(true),
            Ok(TernaryVal::False) => Some(false),
            _ => None,
        }
    }
}

/// The inputs of an and, and of the ands before it that nothing else uses.
fn conjuncts(gates: &Gates, gate: usize) -> Vec<Lit> {
    let mut found = Vec::new();
    let mut stack = Vec::new();
    let open = |gate: usize, stack: &mut Vec<Lit>| match gates.gate(gate) {
        Gate::And(a, b) => stack.extend([a, b]),
        _ => debug_assert!(false, "no and"),
    };
    open(gate, &mut stack);
    while let Some(lit) = stack.pop() {
        match gates.gate(lit.gate()) {
            Gate::And(..) if !lit.is_negated() && gates.is_used_once(lit.gate()) => open(lit.gate(), &mut stack),
            _ => found.push(lit),
        }
    }
    found
}

/// Splits conditions into what must hold one by one; `None` if one of them cannot.
pub fn split(gates: &Gates, conditions: &[Lit]) -> Option<Vec<Lit>> {
    let mut stack = conditions.to_vec();
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(lit) = stack.pop() {
        match gates.gate(lit.gate()) {
            _ if lit == FALSE => return None,
            _ if lit == TRUE || !seen.insert(lit) => {}
            Gate::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
            _ => found.push(lit),
        }
    }
    found.reverse();
    Some(found)
}

/// Walks cones.
#[derive(Default)]
pub struct Walk {
    round: u32,
    seen: Vec<u32>,
}

impl Walk {
    /// The gates that `lits` are made from, and what their divisions need.
    pub fn cone(&mut self, gates: &Gates, lits: &[Lit]) -> Vec<u32> {
        self.seen.resize(gates.end(), 0);
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.seen.fill(0);
            self.round = 1;
        }
        let mut cone = Vec::new();
        let mut stack: Vec<Lit> = lits.to_vec();
        while let Some(lit) = stack.pop() {
            let gate = lit.gate();
            if std::mem::replace(&mut self.seen[gate], self.round) == self.round {
                continue;
            }
            cone.push(gate as u32);
            match gates.gate(gate) {
                Gate::True | Gate::Input { .. } => {}
                Gate::And(..) => stack.extend(conjuncts(gates, gate)),
                Gate::Xor(a, b) => stack.extend([a, b]),
                Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => stack.extend([a, b, c]),
                Gate::Division { division, .. } => stack.extend(&gates.division(division).holds),
            }
        }
        cone
    }
}

/// The values of all gates under the hint.
#[derive(Default)]
pub struct Hint {
    values: Vec<bool>,
    bytes: Vec<u8>,
}

impl Hint {
    pub fn value(&self, gate: usize) -> bool {
        self.values[gate]
    }

    pub fn byte(&self, number: u32) -> u8 {
        self.bytes[number as usize]
    }

    /// Follows the gates and the hint; the gates whose value changed.
    pub fn update(&mut self, words: &Words, input: &Input) -> Vec<(usize, bool)> {
        let mut same = true;
        for (at, &(source, offset)) in words.bytes().iter().enumerate() {
            let value = input.get(source, offset);
            match self.bytes.get_mut(at) {
                None => self.bytes.push(value),
                Some(old) => same &= std::mem::replace(old, value) == value,
            }
        }
        let old = if same { Vec::new() } else { std::mem::take(&mut self.values) };
        for gate in self.values.len()..words.gates.end() {
            let lit = |lit: Lit| self.values[lit.gate()] ^ lit.is_negated();
            let value = words.gates.value(gate, |byte| self.bytes[byte as usize], lit);
            self.values.push(value);
        }
        old.iter()
            .zip(&self.values)
            .enumerate()
            .filter(|(_, (old, new))| old != new)
            .map(|(at, (_, &new))| (at, new))
            .collect()
    }
}
