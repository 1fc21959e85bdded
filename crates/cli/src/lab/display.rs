//! A lab on the terminal.

use crate::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use offshoot_report::Outcome;
use std::time::{Duration, Instant};

pub struct Display {
    how: Progress,
    bar: Option<ProgressBar>,
    total: usize,
    finished: usize,
    /// Of these, those of an earlier lab: they took no time.
    known: usize,
    start: Instant,
}

impl Display {
    pub fn new(how: Progress, total: usize) -> Display {
        let bar = (how == Progress::Bar).then(|| {
            let bar = ProgressBar::new(total as u64);
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Display { how, bar, total, finished: 0, known: 0, start: Instant::now() }
    }

    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.how == Progress::None => {}
            None => eprintln!("{text}"),
        }
    }

    /// A run that an earlier lab has made.
    pub fn known(&mut self) {
        self.finished += 1;
        self.known += 1;
    }

    pub fn finished(&mut self, outcome: &Outcome) {
        self.finished += 1;
        let left = self.total - self.finished;
        let guess = self.start.elapsed().as_secs_f64() * left as f64 / (self.finished - self.known) as f64;
        let guess = if left == 0 { String::new() } else { format!("about {} left", in_words(guess)) };
        let what = match &outcome.run {
            Ok(run) => {
                format!(
                    "{} of {} branches, {} inputs in {:.1} s",
                    run.covered, run.goals, run.iterations, run.elapsed_s
                )
            }
            Err(why) => format!("failed: {why}"),
        };
        let Outcome { subject, strategy, repetition, .. } = outcome;
        let separator = if guess.is_empty() { "" } else { "; " };
        self.line(&format!(
            "[{}/{}] {subject}, {strategy}, repetition {repetition}: {what}{separator}{guess}",
            self.finished, self.total
        ));
        if let Some(bar) = &self.bar {
            bar.set_position(self.finished as u64);
            bar.set_message(guess);
        }
    }

    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn in_words(seconds: f64) -> String {
    let seconds = Duration::from_secs_f64(seconds.clamp(0.0, 1e9)).as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}
