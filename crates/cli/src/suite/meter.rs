//! How far long work has come.

use super::warn;
use crate::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;

pub struct Meter {
    bar: Option<ProgressBar>,
    lines: bool,
}

impl Meter {
    /// `json`: nothing but the result is wanted.
    pub fn new(how: Progress, json: bool, verb: &'static str, total: usize) -> Meter {
        let how = if json { Progress::None } else { how.on_this_terminal() };
        let bar = (how == Progress::Bar).then(|| {
            let bar = ProgressBar::new(total as u64).with_message(verb);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos} of {len}  {elapsed}") {
                bar.set_style(style);
            }
            bar
        });
        Meter { bar, lines: how != Progress::None }
    }

    pub fn step(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    pub fn line(&self, text: String) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.lines => eprintln!("{text}"),
            None => {}
        }
    }

    /// Said even where no progress is.
    pub fn warn(&self, text: impl Display) {
        match &self.bar {
            Some(bar) => bar.suspend(|| warn(text)),
            None => warn(text),
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
