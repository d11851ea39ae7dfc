//! `mapjudge lint FILE..`: what is wrong with submissions, with repairs where there is no doubt.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::Verdict;
use mapjudge::files::lint::{CodeDoc, Linted, LintedGroup, Profile, codes, fix, groups, lint_groups};
use mapjudge::files::{INFO_SCHEMA, Info};

use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
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
  mapjudge lint stick
      every submission below a folder or in a zip archive, team by team, and how many can be used
  mapjudge lint --profile trajectory run.tum
      the rules for trajectory logs; `mapjudge help lint` describes every finding
  mapjudge lint --list
      all findings there are")]
pub struct Lint {
    /// Files, folders or zip archives to check.
    #[arg(required_unless_present = "list", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rules to apply: general, ros-map, virtual-league-2008, rescue-league or trajectory [default: general].
    #[arg(long, value_name = "PROFILE", value_parser = file_word::<Profile>)]
    profile: Option<Profile>,
    /// Write a corrected copy beside each file that can be repaired without a doubt.
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    force: ForceFlag,
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
        let stated_resolution = formats::StatedResolution::Keep;
        let reading = formats::ReadOptions { stated_resolution, ..self.reading.clone() };
        let groups = lint_groups(groups(&self.files)?, self.profile.unwrap_or_default(), &reading);
        let mut notes = Vec::new();
        for group in groups.iter().filter(|_| self.fix) {
            if group.group.is_archived() {
                notes.push(format!("{}: unpack the archive to repair files in it", group.group.name));
                continue;
            }
            for file in &group.files {
                let fixed = fix(&file.path, &file.findings, self.force.overwrite())?;
                notes.extend(fixed.map(|f| format!("wrote {}: {}", f.path.display(), f.changes.join("; "))));
            }
        }
        Ok(self.format.answer(Checked { groups, notes }))
    }
}

struct Checked {
    groups: Vec<LintedGroup>,
    notes: Vec<String>,
}

impl Checked {
    fn files(&self) -> impl Iterator<Item = &Linted> {
        self.groups.iter().flat_map(|group| &group.files)
    }

    /// The teams: every group but the truth and the files that were named one by one.
    fn teams(&self) -> Vec<&LintedGroup> {
        let is_team = |group: &&LintedGroup| !group.group.is_truth && !group.group.name.is_empty();
        self.groups.iter().filter(is_team).collect()
    }

    /// How many teams, or files of one team, can be used.
    fn summary(&self) -> Option<String> {
        let teams = self.teams();
        if let [team] = teams.as_slice() {
            let broken = team.files.iter().filter(|file| file.has_errors()).count();
            return Some(format!(
                "{} files: {} usable, {broken} broken\n",
                team.files.len(),
                team.files.len() - broken
            ));
        }
        let broken: Vec<&str> =
            teams.iter().filter(|team| team.is_broken()).map(|team| team.group.name.as_str()).collect();
        let names = if broken.is_empty() { String::new() } else { format!(" ({})", broken.join(", ")) };
        let usable = teams.len() - broken.len();
        (!teams.is_empty())
            .then(|| format!("{} teams: {usable} usable, {} broken{names}\n", teams.len(), broken.len()))
    }
}

impl Output for Checked {
    fn render(&self, format: Format) -> Result<String, Failure> {
        if format == Format::Json {
            return json(&Info { schema: INFO_SCHEMA, files: self.files().map(Linted::info).collect() });
        }
        let mut text = String::new();
        for group in &self.groups {
            let (name, is_truth) = (&group.group.name, group.group.is_truth);
            if !name.is_empty() {
                let verdict = if group.is_broken() { "broken" } else { "usable" };
                let kind = if is_truth { " (truth)" } else { "" };
                // Writing into a string cannot fail, here and below.
                let _ = writeln!(text, "{}{kind}: {verdict}", report::shown_name(name));
            }
            let indent = if name.is_empty() { "" } else { "  " };
            for file in &group.files {
                print_file(&mut text, file, indent);
            }
            if group.files.is_empty() {
                let _ = writeln!(text, "{indent}no file that can be judged");
            }
            for path in &group.group.skipped {
                let _ = writeln!(text, "{indent}{}: not looked at", group.group.shown(path).display());
            }
        }
        text.extend(self.summary());
        Ok(text)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.notes.clone()
    }

    fn verdict(&self) -> Verdict {
        let is_broken =
            self.files().any(Linted::has_errors) || self.teams().iter().any(|team| team.is_broken());
        if is_broken { Verdict::Missed } else { Verdict::Fine }
    }
}

fn print_file(text: &mut String, file: &Linted, indent: &str) {
    let verdict = match (file.has_errors(), file.findings.is_empty()) {
        (true, _) => "broken",
        (false, true) => "clean",
        (false, false) => "usable",
    };
    let _ = writeln!(text, "{indent}{}: {verdict}", file.path.display());
    for finding in &file.findings {
        let _ = writeln!(text, "{indent}  {}", finding_line(finding));
    }
}

fn listed() -> String {
    let codes = codes();
    let width = codes.iter().map(|code| code.code.len()).max().unwrap_or(0);
    let row = |code: &CodeDoc| format!("{:width$}  {}\n", code.code, code.meaning);
    codes.iter().map(row).collect()
}
