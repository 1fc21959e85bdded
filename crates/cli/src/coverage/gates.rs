//! `--fail-under-…`

use clap::Args;
use offshoot_report::coverage::{Coverage, Tally};

#[derive(Args)]
pub struct Gates {
    /// Exit with 3 if less than P per cent of the lines are covered
    #[arg(long, value_name = "P", value_parser = percent)]
    fail_under_line: Option<f64>,
    /// Exit with 3 if less than P per cent of the functions are covered
    #[arg(long, value_name = "P", value_parser = percent)]
    fail_under_function: Option<f64>,
    /// Exit with 3 if less than P per cent of the branch outcomes are covered
    #[arg(long, value_name = "P", value_parser = percent)]
    fail_under_branch: Option<f64>,
    /// Exit with 3 if less than P per cent of the conditions have an independence pair
    #[arg(long, value_name = "P", value_parser = percent)]
    fail_under_mcdc: Option<f64>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().map_err(|error| error.to_string())?;
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err("a percentage is from 0 to 100".to_owned()) }
}

impl Gates {
    /// A sentence for each that was missed.
    pub fn missed(&self, document: &Coverage) -> Vec<String> {
        let totals = &document.totals;
        let gates = [
            ("line", self.fail_under_line, totals.line),
            ("function", self.fail_under_function, totals.function),
            ("branch", self.fail_under_branch, totals.branch),
            ("mcdc", self.fail_under_mcdc, totals.mcdc),
        ];
        gates.into_iter().filter_map(|(name, wanted, found)| sentence(name, wanted?, found)).collect()
    }
}

fn sentence(name: &str, wanted: f64, found: Tally) -> Option<String> {
    // As a product: a percentage that was rounded must decide nothing.
    let enough = found.covered as f64 * 100.0 >= wanted * found.total as f64;
    let (covered, total, percent) = (found.covered, found.total, found.percent());
    (!enough)
        .then(|| format!("gate missed: {name} coverage is {percent:.2} % ({covered} of {total}), less than {wanted} %"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_missed_below_it_and_not_at_it() {
        let tally = |covered, total| Tally { covered, total };
        assert_eq!(sentence("line", 50.0, tally(1, 2)), None);
        assert_eq!(sentence("line", 100.0, tally(0, 0)), None, "there is nothing to cover");
        let text = sentence("mcdc", 66.7, tally(2, 3)).unwrap();
        assert_eq!(text, "gate missed: mcdc coverage is 66.67 % (2 of 3), less than 66.7 %");
        assert!(percent("101").is_err() && percent("-1").is_err() && percent("NaN").is_err());
        assert_eq!(percent("80%"), Ok(80.0));
    }
}
