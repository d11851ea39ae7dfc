//! Progress bars on stderr. Nothing is drawn unless stderr is a terminal.

use std::ops::Deref;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that disappears when its work is done.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of so many steps that also shows the time; 0 where the number is told later.
    pub fn steps(steps: usize, quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(steps as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// The same bar, which says what its steps are. A program that is ended leaves only whole files.
    pub fn counting(self, what: &'static str) -> Self {
        self.counting_until(what, "no result")
    }

    /// The same bar, which says what its steps are and what is there if the program is ended before the last one.
    pub fn counting_until(self, what: &'static str, left: &'static str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(&template(what, left)) {
            self.0.set_style(style);
        }
        self
    }

    /// A spinner for work without a known end.
    pub fn spinner(quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Shows how many steps are done.
    pub fn done(&self, steps: usize) {
        self.0.set_position(steps as u64);
    }

    /// Shows how many steps are done, and of how many.
    pub fn done_of(&self, steps: usize, all: usize) {
        self.0.set_length(all as u64);
        self.done(steps);
    }

    /// Begins the next step, which has a name.
    pub fn next(&self, name: &'static str) {
        self.0.set_message(name);
        self.0.inc(1);
    }
}

fn template(what: &str, left: &str) -> String {
    format!("{{bar:30}} {{pos}}/{{len}} {what} {{elapsed_precise}} {{msg}} (Ctrl-C: {left})")
}

impl Deref for Progress {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
