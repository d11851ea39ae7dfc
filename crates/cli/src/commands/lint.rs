//! `mapjudge lint FILE..`: what is wrong with a submission, with repairs where there is no doubt.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use mapjudge::lint::{CodeDoc, Fix, Linted, Profile, codes, fix, lint};
use mapjudge::{INFO_SCHEMA, Info};

use super::info::finding_line;
use crate::choice::set_word;
use crate::output::{Failure, note, print};
use crate::reading::ReadingFlags;

/// Say precisely what is wrong with files, before anyone scores them. Exit code 1 if a rule is broken.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge lint map.yaml
      what is odd about a map
  mapjudge lint map.yaml --fix
      also writes map.fixed.yaml with repairs that leave no doubt, and lists each change
  mapjudge lint --profile trajectory run.tum
      the rules for trajectory logs; docs/lint.md describes every finding
  mapjudge lint --list
      all findings there are")]
pub struct Lint {
    /// Files to check.
    #[arg(required_unless_present = "list", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rules to apply: general, ros-map, virtual-league-2008, rescue-league or trajectory.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Write a corrected copy beside each file that can be repaired without a doubt.
    #[arg(long)]
    fix: bool,
    /// List all findings and end.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    reading: ReadingFlags,
    /// How to print.
    #[arg(long, default_value = "text")]
    format: LintFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum LintFormat {
    Text,
    Json,
}

impl Lint {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        if self.list {
            print(&listed())?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut profile = Profile::default();
        set_word(&mut profile, "--profile", self.profile.as_deref())?;
        let linted = lint(&self.files, profile, &self.reading.options()?);
        let fixes = if self.fix { fixes(&linted)? } else { Vec::new() };
        print(&match self.format {
            LintFormat::Text => as_text(&linted),
            LintFormat::Json => as_json(&linted)?,
        })?;
        for fix in fixes.iter().filter(|_| !quiet) {
            note(&format!("wrote {}: {}", fix.path.display(), fix.changes.join("; ")));
        }
        Ok(ExitCode::from(u8::from(linted.iter().any(Linted::has_errors))))
    }
}

fn fixes(linted: &[Linted]) -> Result<Vec<Fix>, Failure> {
    let written = linted.iter().map(|file| fix(&file.path, &file.findings));
    Ok(written.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn as_text(linted: &[Linted]) -> String {
    let mut text = String::new();
    for file in linted {
        let verdict = match (file.has_errors(), file.findings.is_empty()) {
            (true, _) => "broken",
            (false, true) => "clean",
            (false, false) => "usable",
        };
        let _ = writeln!(text, "{}: {verdict}", file.path.display());
        file.findings.iter().for_each(|finding| {
            let _ = writeln!(text, "  {}", finding_line(finding));
        });
    }
    text
}

fn as_json(linted: &[Linted]) -> Result<String, Failure> {
    let info = Info { schema: INFO_SCHEMA, files: linted.iter().map(Linted::info).collect() };
    let text = serde_json::to_string_pretty(&info).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

fn listed() -> String {
    let codes = codes();
    let width = codes.iter().map(|code| code.code.len()).max().unwrap_or(0);
    let row = |code: &CodeDoc| format!("{:width$}  {}\n", code.code, code.meaning);
    codes.iter().map(row).collect()
}
