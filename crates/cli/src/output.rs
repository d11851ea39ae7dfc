//! The one door through which results leave the program: rendered, printed, written into a folder, noted on stderr,
//! and turned into an exit code.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use mapjudge::Verdict;
use mapjudge::files::{OutputFolder, Overwrite, Replaced};
use model::Finding;
use serde::Serialize;

use crate::embedded::Delivered;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::format::{Format, FormatFlag};
use crate::terminal::{colours_messages, harmless, is_terminal, painted, screen};

/// The result of a command, which knows its renderings.
pub trait Output {
    /// The result as text. Only formats that the command offers are asked for.
    fn render(&self, format: Format) -> Result<String, Failure>;

    /// Writes the files of `--out`.
    fn write(&self, _folder: &OutputFolder) -> Result<(), Failure> {
        Ok(())
    }

    /// Lines for stderr, such as warnings about the inputs.
    fn notes(&self, _format: Format) -> Vec<String> {
        Vec::new()
    }

    /// Lines for stderr that `--quiet` does not hold back: what could not be computed beside the result.
    fn errors(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether limits held; decides the exit code.
    fn verdict(&self) -> Verdict {
        Verdict::Fine
    }
}

/// The flags of a command that prints a result and can write it into a folder.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputFlags {
    #[command(flatten)]
    format: FormatFlag,
    /// Also write report.json, report.html and the figures into this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteFlag,
}

impl OutputFlags {
    /// The result, to be printed and written as these flags tell.
    pub fn answer(&self, output: impl Output + 'static) -> Answer {
        let out = self.out.as_deref().map(|out| self.overwrite.report_folder(out));
        Answer { out, ..self.format.answer(output) }
    }

    /// The result, to be printed alone: what goes into the folder is written by the command itself.
    pub fn answer_without_folder(&self, output: impl Output + 'static) -> Answer {
        self.format.answer(output)
    }

    /// The format that was asked for.
    pub fn format(&self) -> Format {
        self.format.format
    }

    /// Refuses results that may not be written, before anything is computed.
    pub fn check(&self, names: &[&str]) -> Result<(), Failure> {
        let folder = self.out.as_deref().map(|out| self.overwrite.report_folder(out));
        Ok(folder.map_or(Ok(()), |folder| folder.check(names))?)
    }

    /// Whether files may be replaced that are not of this run.
    pub fn overwrite(&self) -> Overwrite {
        self.overwrite.overwrite()
    }

    /// Whether a report needs its figures.
    pub fn figures(&self) -> mapjudge::Figures {
        let is_drawn = self.out.is_some() || self.format.format == Format::Html;
        if is_drawn { mapjudge::Figures::Draw } else { mapjudge::Figures::None }
    }
}

impl FormatFlag {
    /// The result, to be printed as this flag tells.
    pub fn answer(&self, output: impl Output + 'static) -> Answer {
        Answer { output: Box::new(output), format: self.format, out: None }
    }
}

/// A result with the format and the folder that were asked for.
pub struct Answer {
    output: Box<dyn Output>,
    format: Format,
    out: Option<OutputFolder>,
}

impl Answer {
    /// Text that has one form only, such as a layout or a profile.
    pub fn text(text: impl Into<String>) -> Self {
        FormatFlag::default().answer(Text(text.into()))
    }

    /// No result on stdout, and lines for stderr: the command wrote files.
    pub fn notes(notes: Vec<String>) -> Self {
        FormatFlag::default().answer(Printed { notes, ..Printed::new((), |()| String::new()) })
    }

    /// Renders and writes the result for a program that prints nothing: its text, and the lines for stderr.
    pub fn hand_over(self) -> Result<Delivered, Failure> {
        let text = self.output.render(self.format)?;
        if let Some(folder) = self.out {
            self.output.write(&folder)?;
            folder.finish()?;
        }
        let notes = [self.output.notes(self.format), self.output.errors()].concat();
        Ok(Delivered { text, notes, verdict: self.output.verdict(), page: None })
    }

    /// Writes, notes and prints the result; the exit code is that of its verdict.
    pub fn deliver(self, quiet: bool) -> Result<ExitCode, Failure> {
        let text = self.output.render(self.format)?;
        if let Some(folder) = self.out {
            self.output.write(&folder)?;
            finish(&folder, quiet)?;
        }
        if !quiet {
            self.output.notes(self.format).iter().for_each(|line| note(line));
        }
        self.output.errors().iter().for_each(|line| note(line));
        let is_painted = self.format == Format::Table && screen().is_coloured;
        let is_for_people = self.format == Format::Table || is_terminal();
        let text = if is_for_people { harmless(&text, is_painted) } else { text };
        print(&if is_painted { painted(&text) } else { text })?;
        Ok(ExitCode::from(match self.output.verdict() {
            Verdict::Fine => 0,
            Verdict::Missed => 1,
            Verdict::NotJudged => 2,
            Verdict::Undefined => 3,
        }))
    }
}

/// Brings the results of a run to their folder, and tells what they replaced.
pub fn finish(folder: &OutputFolder, quiet: bool) -> Result<(), Failure> {
    let Replaced { files, removed } = folder.finish()?;
    let place = folder.path().display();
    if files > 0 && !quiet {
        note(&format!("note: {files} files of an earlier run in {place} were replaced"));
    }
    if removed > 0 && !quiet {
        note(&format!(
            "note: {removed} files of an earlier run in {place} were removed: this run has none of them"
        ));
    }
    Ok(())
}

struct Text(String);

impl Output for Text {
    fn render(&self, _: Format) -> Result<String, Failure> {
        Ok(self.0.clone())
    }
}

/// A value that is a table for people and JSON for programs.
pub struct Printed<T> {
    value: T,
    table: fn(&T) -> String,
    /// Lines for stderr.
    pub notes: Vec<String>,
    verdict: Verdict,
}

impl<T: Serialize> Printed<T> {
    /// A value with its table.
    pub fn new(value: T, table: fn(&T) -> String) -> Self {
        Self { value, table, notes: Vec::new(), verdict: Verdict::Fine }
    }

    /// The same with findings for stderr.
    pub fn noting(self, findings: &[Finding]) -> Self {
        Self { notes: findings.iter().map(finding_line).collect(), ..self }
    }

    /// The same with a verdict of its own.
    pub fn judged(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    /// The same as a check, which is missed if a finding is an error.
    pub fn checked(self, findings: &[Finding]) -> Self {
        let is_broken = findings.iter().any(|finding| finding.level == model::Level::Error);
        Self { verdict: if is_broken { Verdict::Missed } else { Verdict::Fine }, ..self }
    }
}

impl<T: Serialize> Output for Printed<T> {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.value),
            _ => Ok((self.table)(&self.value)),
        }
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.notes.clone()
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }
}

/// Writes figures under their own names.
pub fn write_figures(folder: &OutputFolder, figures: &[report::Figure]) -> Result<(), Failure> {
    for figure in figures {
        folder.write_figure("", figure)?;
    }
    Ok(())
}

/// A value as JSON, with a line end.
pub fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    Ok(text.map_err(|error| Failure::new(error.to_string()))? + "\n")
}

/// Level, code, place, message and hint of a finding in one line.
pub fn finding_line(finding: &Finding) -> String {
    let level = match finding.level {
        model::Level::Info => "note",
        model::Level::Warning => "warning",
        model::Level::Error => "error",
    };
    let place = finding.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    let hint = finding.hint.as_ref().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
    format!("{level}: {}: {place}{}{hint}", finding.code, finding.message)
}

/// Writes to stdout. A reader that closed the pipe has seen enough, so that is no failure.
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
    let line = harmless(line, false);
    let line = if colours_messages() { painted(&line) } else { line };
    let _ = writeln!(io::stderr().lock(), "{line}");
}
