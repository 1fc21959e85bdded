//! What the runs in a lab's folder were made for, so that nobody goes on with runs of something else.

use super::subjects::Subject;
use crate::failure::Failure;
use offshoot_report::Budget;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Strategies and repetitions may change; what a run is given may not.
pub fn text(subjects: &[Subject], budget: Budget, rng_seed: u64) -> String {
    let subject = |subject: &Subject| {
        let program = subject.command.first().and_then(|program| fs::metadata(subject.folder.join(program)).ok());
        let made = program.as_ref().and_then(|file| file.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        json!({
            "name": subject.name,
            "command": subject.command.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>(),
            "bytes": program.map(|file| file.len()),
            "made": made.map(|since| since.as_secs()),
            "seeds": subject.seeds,
            "symbolic": subject.symbolic,
        })
    };
    let subjects: Vec<_> = subjects.iter().map(subject).collect();
    let plan = json!({
        "format": offshoot_base::FORMAT_VERSION,
        "version": env!("CARGO_PKG_VERSION"),
        "budget": budget,
        "rng_seed": rng_seed,
        "subjects": subjects,
    });
    format!("{plan:#}\n")
}

/// Writes the plan of a new lab, or compares it with that of the one to go on with.
pub fn check(folder: &Path, plan: &str, resume: bool) -> Result<(), Failure> {
    let path = folder.join("plan.json");
    if !resume {
        return fs::write(&path, plan)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())));
    }
    let earlier = fs::read_to_string(&path)
        .map_err(|error| Failure::usage(format!("no lab to go on with: cannot read {}: {error}", path.display())))?;
    if earlier == plan {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the runs in {} were made with other programs, seeds or budgets ({} says which); leave out --resume",
        folder.display(),
        path.display()
    )))
}
