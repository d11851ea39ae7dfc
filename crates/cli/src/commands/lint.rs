//! `mapjudge lint FILE..`: what is wrong with a submission, with repairs where there is no doubt.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::Verdict;
use mapjudge::files::lint::{CodeDoc, Linted, Profile, codes, fix, lint};
use mapjudge::files::{INFO_SCHEMA, Info};

use crate::Global;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag};
use crate::output::{Answer, Output, finding_line, json};
use crate::word::file_word;

/// Tell what is wrong with files before they are scored; repair what leaves no doubt.
///
/// Exit code 1 if a rule is broken.
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
    /// Rules to apply: general, ros-map, virtual-league-2008, rescue-league or trajectory [default: general].
    #[arg(long, value_name = "PROFILE", value_parser = file_word::<Profile>)]
    profile: Option<Profile>,
    /// Write a corrected copy beside each file that can be repaired without a doubt.
    #[arg(long)]
    fix: bool,
    /// List all findings and end.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    reading: formats::ReadOptions,
    #[command(flatten)]
    format: FormatFlag,
}

impl Lint {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        if self.list {
            return Ok(Answer::text(listed()));
        }
        let files = lint(&self.files, self.profile.unwrap_or_default(), &self.reading);
        let mut notes = Vec::new();
        for file in files.iter().filter(|_| self.fix) {
            let fixed = fix(&file.path, &file.findings)?;
            notes.extend(fixed.map(|f| format!("wrote {}: {}", f.path.display(), f.changes.join("; "))));
        }
        Ok(self.format.answer(Checked { files, notes }))
    }
}

struct Checked {
    files: Vec<Linted>,
    notes: Vec<String>,
}

impl Output for Checked {
    fn render(&self, format: Format) -> Result<String, Failure> {
        if format == Format::Json {
            return json(&Info { schema: INFO_SCHEMA, files: self.files.iter().map(Linted::info).collect() });
        }
        let mut text = String::new();
        for file in &self.files {
            let verdict = match (file.has_errors(), file.findings.is_empty()) {
                (true, _) => "broken",
                (false, true) => "clean",
                (false, false) => "usable",
            };
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{}: {verdict}", file.path.display());
            file.findings.iter().for_each(|finding| {
                let _ = writeln!(text, "  {}", finding_line(finding));
            });
        }
        Ok(text)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.notes.clone()
    }

    fn verdict(&self) -> Verdict {
        if self.files.iter().any(Linted::has_errors) { Verdict::Missed } else { Verdict::Fine }
    }
}

fn listed() -> String {
    let codes = codes();
    let width = codes.iter().map(|code| code.code.len()).max().unwrap_or(0);
    let row = |code: &CodeDoc| format!("{:width$}  {}\n", code.code, code.meaning);
    codes.iter().map(row).collect()
}
