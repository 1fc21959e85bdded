//! Start-up cost of each policy: `cargo run --release --example startup [RUNS]`.
//!
//! The program is fixed on purpose: with [`Policy::None`] it runs unprotected.

use std::time::Instant;

use offshoot_run::{Invocation, Policy, invoke};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs: u32 = std::env::args().nth(1).map_or(Ok(200), |text| text.parse())?;
    println!("detected {:?}", Policy::detect());
    for policy in [Policy::None, Policy::LandlockOnly, Policy::Sandboxed] {
        let start = Instant::now();
        for _ in 0..runs {
            invoke(&Invocation::with_policy("/bin/true", policy))?;
        }
        println!("{policy:?}: {:?} a run", start.elapsed() / runs);
    }
    Ok(())
}
