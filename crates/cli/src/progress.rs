//! Lines that stay, and below them one that changes.

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A line that changes on a terminal, otherwise plain lines
    Auto,
    Bar,
    /// One line for each thing that happens
    Plain,
    None,
}

impl Progress {
    /// Without `Auto`.
    pub fn on_this_terminal(self) -> Progress {
        match self {
            Progress::Auto if std::io::stderr().is_terminal() => Progress::Bar,
            Progress::Auto => Progress::Plain,
            how => how,
        }
    }
}

pub struct Lines {
    how: Progress,
    bar: Option<ProgressBar>,
}

impl Lines {
    pub fn new(how: Progress) -> Lines {
        let bar = (how == Progress::Bar).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Lines { how, bar }
    }

    pub fn is_silent(&self) -> bool {
        self.how == Progress::None
    }

    pub fn line(&self, text: String) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    /// `text` is only made where somebody sees it.
    pub fn change(&self, text: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(text());
            bar.tick();
        }
    }

    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
