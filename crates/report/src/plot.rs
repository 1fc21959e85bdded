//! Discovery curves as SVG: a line for the mean of each strategy, a light band from the worst to the best run. No scripts,
//! nothing from elsewhere; colours follow the reader's light or dark setting.

use crate::curve::Axis;
use crate::lab::{Row, Subject};
use std::fmt::Write;

const WIDTH: f64 = 860.0;
const PLOT: f64 = 600.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 34.0;
const HEIGHT: f64 = 340.0;
const LEGEND_LINE: f64 = 18.0;
/// Points of a line.
const SAMPLES: usize = 240;

/// Hues that stay apart on white and on black; lines behind the last are dashed.
const COLOURS: [(&str, &str); 9] = [
    ("#0072b2", "#4aa8e0"),
    ("#d55e00", "#ff8a3c"),
    ("#00805c", "#2cc79a"),
    ("#a3337f", "#e58ac4"),
    ("#8a6d00", "#e3c22f"),
    ("#6a4bb5", "#a78bfa"),
    ("#a11d2a", "#ff7480"),
    ("#00797f", "#3fd0d8"),
    ("#555555", "#b4b4b4"),
];
const DASHES: [&str; 3] = ["none", "7 3", "2 3"];

/// Text and attributes of XML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Not allowed in XML at all.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

/// Colour and dash of a strategy follow from its place in `order`, so that all subjects agree.
pub fn svg(subject: &Subject, axis: Axis, order: &[String]) -> String {
    let rows: Vec<&Row> = subject.strategies.iter().filter(|row| !row.runs.is_empty()).collect();
    let frame = Frame::around(&rows, axis);
    let height = (TOP + HEIGHT + 50.0).max(TOP + LEGEND_LINE * (rows.len() as f64 + 1.0));
    let mut out = String::new();
    _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="offshoot" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">"#
    );
    let name = escaped(&subject.name);
    _ = writeln!(out, "<title>{name}: covered branch outcomes</title>");
    _ = writeln!(out, "<style>{}</style>", style());
    _ = writeln!(out, r#"<rect class="paper" width="{WIDTH}" height="{height}"/>"#);
    _ = writeln!(out, r#"<text class="name" x="{LEFT}" y="20">{name}</text>"#);
    frame.draw(&mut out, axis);
    let look = |row: &Row| order.iter().position(|name| *name == row.strategy).unwrap_or(0);
    // The best is drawn last, on top of the others.
    for row in rows.iter().rev() {
        series(&mut out, row, axis, &frame, look(row));
    }
    for (line, row) in rows.iter().enumerate() {
        let (x, y) = (LEFT + PLOT + 20.0, TOP + 8.0 + LEGEND_LINE * line as f64);
        _ = writeln!(
            out,
            r#"<line class="mean c{}" stroke-dasharray="{}" x1="{x}" y1="{y}" x2="{}" y2="{y}"/><text x="{}" y="{}">{} {:.1}</text>"#,
            look(row) % COLOURS.len(),
            DASHES[look(row) / COLOURS.len() % DASHES.len()],
            x + 26.0,
            x + 32.0,
            y + 4.0,
            escaped(&shortened(&row.strategy)),
            row.covered.mean,
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Colours twice and not as variables: image viewers know no variables, and those without a dark setting see the first.
fn style() -> String {
    let ground = |ink: &str, soft: &str, paper: &str| {
        format!(
            "svg.offshoot text{{fill:{ink}}}svg.offshoot .axis{{stroke:{ink}}}\
             svg.offshoot .grid{{stroke:{soft}}}svg.offshoot .paper{{fill:{paper}}}"
        )
    };
    let mut text = String::from(
        "svg.offshoot text{font:12px system-ui,sans-serif}\
         svg.offshoot .name{font-weight:600;font-size:14px}\
         svg.offshoot .mean{fill:none;stroke-width:1.8}\
         svg.offshoot .band{stroke:none;opacity:.1}\
         svg.offshoot g:hover .mean{stroke-width:4}svg.offshoot g:hover .band{opacity:.3}",
    );
    text.push_str(&ground("#222", "#ddd", "#fff"));
    let mut dark = ground("#ddd", "#3a3a3a", "#161616");
    for (at, (on_white, on_black)) in COLOURS.iter().enumerate() {
        for (text, colour) in [(&mut text, on_white), (&mut dark, on_black)] {
            _ = write!(text, "svg.offshoot .mean.c{at}{{stroke:{colour}}}svg.offshoot .band.c{at}{{fill:{colour}}}");
        }
    }
    format!("{text}@media (prefers-color-scheme:dark){{{dark}}}")
}

fn shortened(name: &str) -> String {
    const MOST: usize = 22;
    if name.chars().count() <= MOST { name.to_owned() } else { name.chars().take(MOST - 1).chain(['…']).collect() }
}

/// Where values are on the paper.
struct Frame {
    right: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn around(rows: &[&Row], axis: Axis) -> Frame {
        let runs = || rows.iter().flat_map(|row| &row.runs).map(|one| &one.run);
        let length = runs().map(|run| match axis {
            Axis::Iterations => run.iterations as f64,
            Axis::Seconds => run.elapsed_s,
        });
        let high = runs().map(|run| f64::from(run.covered)).fold(1.0, f64::max);
        // What the first seed covers is nobody's merit: start a little below it.
        let first = runs().filter_map(|run| run.curve.points().first()).map(|point| f64::from(point.covered));
        let first = first.reduce(f64::min).unwrap_or(0.0).min(high);
        let margin = ((high - first) * 0.08).max(1.0);
        Frame { right: length.fold(f64::MIN_POSITIVE, f64::max), low: (first - margin).max(0.0), high: high + margin }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + PLOT * (value / self.right).clamp(0.0, 1.0)
    }

    fn y(&self, value: f64) -> f64 {
        TOP + HEIGHT * (1.0 - ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }

    fn draw(&self, out: &mut String, axis: Axis) {
        let (right, bottom) = (LEFT + PLOT, TOP + HEIGHT);
        for tick in ticks(self.low, self.high) {
            let y = self.y(tick);
            _ = writeln!(
                out,
                r#"<line class="grid" x1="{LEFT}" y1="{y:.1}" x2="{right}" y2="{y:.1}"/><text x="{}" y="{:.1}" text-anchor="end">{tick}</text>"#,
                LEFT - 6.0,
                y + 4.0
            );
        }
        for tick in ticks(0.0, self.right) {
            let x = self.x(tick);
            _ = writeln!(
                out,
                r#"<line class="axis" x1="{x:.1}" y1="{bottom}" x2="{x:.1}" y2="{}"/><text x="{x:.1}" y="{}" text-anchor="middle">{tick}</text>"#,
                bottom + 5.0,
                bottom + 19.0
            );
        }
        _ = writeln!(out, r#"<path class="axis" fill="none" d="M{LEFT} {TOP}V{bottom}H{right}"/>"#);
        let label = match axis {
            Axis::Iterations => "iterations",
            Axis::Seconds => "seconds",
        };
        let (middle, below) = (LEFT + PLOT / 2.0, bottom + 38.0);
        _ = writeln!(out, r#"<text x="{middle}" y="{below}" text-anchor="middle">{label}</text>"#);
        let (x, y) = (14.0, TOP + HEIGHT / 2.0);
        _ = writeln!(
            out,
            r#"<text x="{x}" y="{y}" text-anchor="middle" transform="rotate(-90 {x} {y})">covered branch outcomes</text>"#
        );
    }
}

/// Round numbers from `low` to `high`, about six.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
    let step = step.unwrap_or(power);
    // Multiples are made by whole numbers, and rounded to what is shown: sums would drift.
    let digits = (-step.log10().floor()).max(0.0) as i32;
    let scale = 10f64.powi(digits);
    let first = (low / step).ceil() as i64;
    (first..).map(|at| (at as f64 * step * scale).round() / scale).take_while(|tick| *tick <= high).take(20).collect()
}

fn series(out: &mut String, row: &Row, axis: Axis, frame: &Frame, look: usize) {
    let (mut mean, mut upper, mut lower) = (String::new(), String::new(), Vec::new());
    for sample in 0..=SAMPLES {
        let at = frame.right * sample as f64 / SAMPLES as f64;
        // Before the first run is over nothing is known; the line begins with it.
        let at = match axis {
            Axis::Iterations => at.max(1.0),
            Axis::Seconds => at,
        };
        let values: Vec<f64> = row.runs.iter().map(|one| f64::from(one.run.curve.covered_at(axis, at))).collect();
        let edge = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick).unwrap_or(0.0);
        let x = frame.x(at);
        let letter = if sample == 0 { 'M' } else { 'L' };
        _ = write!(mean, "{letter}{x:.1} {:.1}", frame.y(crate::statistics::mean(&values)));
        _ = write!(upper, "{letter}{x:.1} {:.1}", frame.y(edge(f64::max)));
        lower.push(format!("L{x:.1} {:.1}", frame.y(edge(f64::min))));
    }
    lower.reverse();
    _ = writeln!(
        out,
        r#"<g><title>{}: {:.1} ({:.0}–{:.0})</title><path class="band c{colour}" d="{upper}{}Z"/><path class="mean c{colour}" stroke-dasharray="{}" d="{mean}"/></g>"#,
        escaped(&row.strategy),
        row.covered.mean,
        row.covered.min,
        row.covered.max,
        lower.concat(),
        DASHES[look / COLOURS.len() % DASHES.len()],
        colour = look % COLOURS.len(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::tests::example;
    use crate::page::tests::well_formed;

    #[test]
    fn a_line_and_a_name_for_each_strategy_that_ran() {
        let lab = example();
        let order = vec!["cgs".to_owned(), "dfs".to_owned()];
        let plot = svg(&lab.subjects[0], Axis::Iterations, &order);
        well_formed(&plot);
        assert_eq!(plot.matches("<path class=\"mean").count(), 2);
        assert_eq!(plot.matches("<line class=\"mean").count(), 2);
        assert!(!plot.contains("b&amp;d") && !plot.contains("NaN") && !plot.contains("inf"), "{plot}");
        well_formed(&svg(&lab.subjects[1], Axis::Seconds, &order));
    }

    #[test]
    fn a_subject_without_runs_is_an_empty_plot() {
        let mut lab = example();
        lab.subjects[0].strategies.retain(|row| row.runs.is_empty());
        let plot = svg(&lab.subjects[0], Axis::Seconds, &[]);
        well_formed(&plot);
        assert!(!plot.contains("NaN"));
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 200.0), [0.0, 50.0, 100.0, 150.0, 200.0]);
        assert_eq!(ticks(3.0, 9.0), [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(ticks(0.0, 0.6).len(), 7);
        assert_eq!(ticks(0.0, 0.6)[3], 0.3);
        assert!(ticks(0.0, f64::MIN_POSITIVE).len() <= 20);
    }

    #[test]
    fn hostile_names_stay_text() {
        assert_eq!(escaped("<a b=\"&\u{1}\">"), "&lt;a b=&quot;&amp;\u{fffd}&quot;&gt;");
    }
}
