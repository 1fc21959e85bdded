//! Why a condition is not shown, from the ledger of the campaign whose tests were run.

use super::write::is_called;
use offshoot_base::FORMAT_VERSION;
use offshoot_campaign::ledger::{Book, OpenPair};
use offshoot_report::coverage::{Condition, Coverage, Place};
use std::path::Path;

/// Campaigns that were not about MC/DC have nothing to say; a ledger that cannot be read is a warning.
pub fn add(document: &mut Coverage, campaign: &Path) {
    let path = campaign.join("ledger.json");
    let Ok(written) = std::fs::read(&path) else { return };
    let book = match serde_json::from_slice::<Book>(&written) {
        Ok(book) if book.format == FORMAT_VERSION => book,
        _ => {
            let text = format!("{} is not a ledger of this version: it says nothing about conditions", path.display());
            return document.warnings.push(text);
        }
    };
    for file in &mut document.files {
        let open = file.decisions.iter_mut().flat_map(|decision| &mut decision.conditions).filter(|c| is_open(c));
        for condition in open {
            let is_it = |pair: &&OpenPair| is_called(&file.path, &pair.file) && contains(&condition.at, pair);
            condition.reason = book.pairs.iter().find(is_it).map(|pair| pair.why.in_words().to_owned());
        }
    }
}

fn is_open(condition: &Condition) -> bool {
    condition.pair.is_none() && !condition.is_constant
}

/// The ledger has the place of the operator.
fn contains(at: &Place, pair: &OpenPair) -> bool {
    ((at.line, at.column)..=(at.end_line, at.end_column)).contains(&(pair.line, pair.column))
}
