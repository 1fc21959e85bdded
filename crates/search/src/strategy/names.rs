//! What can be asked for.

/// A strategy as the command line knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: &'static str,
    pub help: &'static str,
    /// Keys that may follow behind `:`, each with a line of help.
    pub options: &'static [(&'static str, &'static str)],
}

const fn plain(name: &'static str, help: &'static str) -> Named {
    Named { name, help, options: &[] }
}

/// Those that make the same choices whatever the seed of random choices is.
const DRAW_NOTHING: [&str; 3] = ["dfs", "bfs", "generational"];

/// Whether this strategy is one of those, with whatever options.
pub fn draws_nothing(spec: &str) -> bool {
    spec.trim().split(':').next().is_some_and(|name| DRAW_NOTHING.contains(&name))
}

pub const NAMES: &[Named] = &[
    plain("auto", "learns which of several strategies, and which seeds, pay on this program"),
    Named {
        name: "dfs",
        help: "deepest decision of the youngest run first",
        options: &[("depth", "leave decisions behind this depth alone")],
    },
    plain("bfs", "shallowest decision of the tree first"),
    plain("random-branch", "random decision of the last run (CREST)"),
    plain("uniform-random", "a coin at each decision from the root down (CREST)"),
    plain("random-path", "from the root down, a random way that still leads to something (KLEE)"),
    plain("random-state", "any open decision (KLEE)"),
    plain("generational", "all decisions of the run that covered most, then the next (SAGE)"),
    Named {
        name: "cgs",
        help: "a decision only in a new context, contexts growing (context-guided search)",
        options: &[
            ("k", "contexts of this size only"),
            ("largest", "contexts grow up to this size, then from 1 again (5)"),
            ("dominators", "keep or exclude (default) branches that every path to the decision takes"),
        ],
    },
    plain("cfg", "near the last run that covered something, nearest to an open goal (CREST)"),
    plain("md2u", "random, weighted by the distance to an open goal (KLEE)"),
    plain("rp-md2u", "random-path and md2u in turn (KLEE's default)"),
    plain("carfast", "the open goal on which most others depend"),
    Named {
        name: "pps",
        help: "where most open goals are close by (predictive path search)",
        options: &[("levels", "how far down goals are counted (3)")],
    },
    plain("fitness", "runs that came nearest to an open goal (Fitnex)"),
    Named {
        name: "subpath",
        help: "the last few branches least travelled so far",
        options: &[("n", "how many branches (4)")],
    },
    plain("interleave", "interleave(A,B,…): each in turn"),
];
