//! Printing: results to stdout, everything else to stderr, and errors with a hint.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mapjudge::{JobError, Verdict};

/// Why a command could not compute.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// A failure without advice.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// The same failure with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Prints the failure and returns exit code 2.
    pub fn report(self) -> ExitCode {
        let hint = self.hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        note(&format!("error: {}{hint}", self.message));
        ExitCode::from(2)
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        Self { hint: error.hint(), message: error.to_string() }
    }
}

/// Writes a result to stdout. A reader that closed the pipe has seen enough, so that is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr; if even that fails there is nobody left to tell.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// A bar of so many steps on stderr that also shows the time; nothing is drawn unless stderr is a terminal.
pub fn progress_steps(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The exit code of a computed result.
pub fn exit_code(verdict: Verdict) -> ExitCode {
    ExitCode::from(match verdict {
        Verdict::Fine => 0,
        Verdict::Missed => 1,
        Verdict::Undefined => 3,
    })
}
