//! The graph of a real program: as its source says, and as its runs go.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use offshoot_expr::TraceView;
use offshoot_model::graph::{BlockId, FunctionId, GoalId, GoalSet};
use offshoot_model::{Graph, Program};
use offshoot_run::{Invocation, Policy, TraceFile, invoke};
use offshoot_trace::EventKind;
use offshoot_trace::layout::config;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn built(name: &str, level: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let resource = root.join("../../target/release/lib/offshoot");
    assert!(resource.join("liboffshoot_models.a").exists(), "no libc models; run: make build");
    let program = folder.join("prog");
    let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
    command.args(["cc", level, "awkward.c", "other.c", "-o"]).arg(&program).current_dir(root.join("tests/graph"));
    assert!(command.env("OFFSHOOT_LIB", &resource).status().expect("offshoot starts").success());
    program
}

fn graph(program: &Path) -> Graph {
    Graph::new(&[Program::read(program).expect("the program has its model")])
}

fn function(graph: &Graph, file: &str, name: &str) -> FunctionId {
    let found = graph.functions_named(name).find(|function| graph.definition(*function).file == file);
    found.unwrap_or_else(|| panic!("{name} of {file}"))
}

/// For each decision of a function its line, and what comes behind each outcome: calls, and then the line of the next
/// decision, or `return`, or `end`.
fn decisions(graph: &Graph, file: &str, name: &str) -> String {
    let mut lines = Vec::new();
    for block in graph.blocks_of(function(graph, file, name)) {
        let Some(site) = graph.decides(block) else { continue };
        let behind: Vec<String> = graph.successors(block).map(|block| way(graph, block)).collect();
        lines.push((graph.place(site).line, behind.join(" | ")));
    }
    lines.sort_unstable();
    lines.into_iter().map(|(line, behind)| format!("{line}: {behind}\n")).collect()
}

fn way(graph: &Graph, mut block: BlockId) -> String {
    let mut words = Vec::new();
    loop {
        words.extend(graph.called_in(block).map(|function| graph.name(function).to_owned()));
        if let Some(site) = graph.decides(block) {
            words.push(graph.place(site).line.to_string());
        } else if let Some(next) = graph.successors(block).next() {
            assert_eq!(graph.successors(block).count(), 1, "every decision has a site");
            block = next;
            continue;
        } else {
            words.push(if graph.returns(block) { "return" } else { "end" }.into());
        }
        return words.join(" ");
    }
}

#[test]
fn edges_are_those_of_the_source() {
    // The model is that of the front end, whatever the optimiser does later.
    for level in ["-O0", "-O2"] {
        let graph = graph(&built(&format!("edges{level}"), level));
        let decisions = |name: &str| decisions(&graph, "awkward.c", name);
        // False, then true.
        assert_eq!(decisions("same"), "9: return | return\n");
        assert_eq!(
            decisions("loops"),
            "16: 21 | 17\n\
             17: 21 | 16\n\
             21: 22 | 27\n\
             22: same 21 | 23\n\
             23: same 21 | 27\n\
             27: 33 | 33\n\
             33: return | 34\n\
             34: 35 | 33\n\
             35: return | 33\n"
        );
        // The cases 1, 2, 3, 4, and the default.
        assert_eq!(
            decisions("choices"),
            "41: other 52 | 52 | return | return | same 52\n\
             52: 54 | return\n\
             54: 58 | 58\n\
             58: 60 | 59\n\
             59: 60 | 60\n\
             60: 63 | 63\n\
             63: return | 63\n"
        );
        assert_eq!(decisions("factorial"), "72: factorial return | return\n");
        assert_eq!(decisions("compare"), "78: return | return\n");
    }
}

#[test]
fn calls_reach_what_the_linker_takes() {
    let graph = graph(&built("calls", "-O2"));
    let callees = |file: &str, name: &str| graph.callees(function(&graph, file, name));
    let in_awkward = |name: &str| function(&graph, "awkward.c", name);
    assert_eq!(callees("other.c", "other"), [function(&graph, "other.c", "same")]);
    assert_eq!(callees("awkward.c", "loops"), [in_awkward("same")]);
    let main = callees("awkward.c", "main");
    let wanted = ["fail", "bye", "loops", "factorial", "choices"];
    assert!(wanted.iter().all(|name| main.contains(&in_awkward(name))), "a pointer reaches both");
    for wrapped in ["__off_w_strlen", "__off_w_strncpy", "__off_w_qsort"] {
        let model = graph.functions_named(wrapped).next().unwrap_or_else(|| panic!("{wrapped} is a model"));
        assert!(main.contains(&model) && graph.is_libc_model(model));
    }
    assert_eq!(graph.returns_after(in_awkward("fail")), None);
    assert!(graph.callers(in_awkward("compare")).iter().all(|caller| graph.is_libc_model(*caller)));
    assert!(!graph.callers(in_awkward("compare")).is_empty());
    assert_eq!(graph.sites_at("awkward.c", 23).len(), 1);
}

/// The outcomes of a run, concrete ones too, in order; those of branches that the optimiser made left out.
fn path(graph: &Graph, program: &Path, args: &[&str]) -> Vec<GoalId> {
    let budgets = offshoot_base::Budgets::default();
    let trace = TraceFile::create(&budgets, config::CONCRETE_BRANCHES, "arg,stdin").expect("a trace file");
    let mut invocation = Invocation::with_policy(program, Policy::detect().policy).args(args);
    invocation.trace = Some(&trace);
    invoke(&invocation).expect("the program runs");
    let map = trace.map().expect("the trace is there");
    let view = TraceView::new(&map).expect("the trace is sound");
    let mut taken = Vec::new();
    for event in view.events() {
        let value = match event.kind {
            EventKind::Branch => u64::from(event.bit),
            EventKind::Switch => event.payload[0],
            _ => continue,
        };
        let (module, local) = view.locate(event.site).expect("a site of a module");
        let site = graph.site(module.uid, local).expect("a branch is a site of the graph");
        if graph.block_of(site).is_some() {
            taken.push(graph.goal_for(site, value));
        }
    }
    taken
}

#[test]
fn runs_follow_the_edges() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let program = built(&format!("runs{level}"), level);
        let graph = graph(&program);
        for args in [&[][..], &["abc"], &["quick"], &["xylophone"], &["zzzzzzzz"], &["1"], &["b2x"], &["chd"]] {
            let path = path(&graph, &program, args);
            assert!(!path.is_empty());
            for step in path.windows(2) {
                let next: GoalSet = [step[1]].into_iter().collect();
                let place = |goal: GoalId| (graph.place(graph.site_of(goal)), graph.outcome_of(goal));
                assert_eq!(
                    graph.distances_to(&next).from_outcome(step[0]),
                    Some(if step[0] == step[1] { 0 } else { 1 }),
                    "{level} {args:?}: from {:?} to {:?}",
                    place(step[0]),
                    place(step[1])
                );
            }
        }
    }
}
