//! `mapjudge contest FILE.toml`: teams and missions in, ranking, score sheets and appeal bundles out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mapjudge::contest::{ContestOptions, ContestResult, Profile, SHIPPED, Store, judge_contest_by};
use mapjudge::files::OutputFolder;
use mapjudge::files::contest::{
    CONTEST_FILES, ContestCheck, ContestFolder, FolderStore, Secret, check_contest, load_contest,
    refuse_among_submissions, skeleton, write_contest,
};
use mapjudge::{Figures, JobError, Verdict};
use report::{Outcome, ranking, ranking_on};

use crate::Global;
use crate::commands::contest_worker;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag, REPORT};
use crate::output::{Answer, Output, OutputFlags, json};
use crate::progress::Progress;
use crate::terminal::screen;

/// Judge a contest: ranking, score sheets, certainty of the order, appeal bundles.
///
/// Every submission is checked, measured and scored under the rules of a profile; the teams are ranked, and the result
/// tells how sure the order is. A broken submission gets zero with the reason and stops nobody.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    mut_arg("format", Format::offer(REPORT)),
    mut_arg("out", |out| out.help("Write ranking, overview, score sheets, reports and appeal bundles into this folder")),
    after_help = "\
Examples:
  mapjudge contest init submissions > submissions/contest.toml
      a commented contest file: one team per folder or zip archive below submissions/, the truth where it is found
  mapjudge contest check submissions/contest.toml
      what is missing before the day: truth, files of teams, values that judges enter
  mapjudge contest submissions/contest.toml --out result
      ranking on the terminal; result/index.html has the overview, result/teams/ the score sheets, result/appeals/ one
      zip per team; run it again after a change and only what changed is measured
  mapjudge contest profiles
      the rule sets that are shipped
  mapjudge contest profiles vr-2008 > mine.toml
      a copy to change; write profile = \"mine.toml\" into the contest file"
)]
pub struct Contest {
    #[command(subcommand)]
    action: Option<Action>,
    /// The contest file, or a folder or zip archive with a contest.toml.
    #[arg(required = true, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Resamples behind the certainty of the order; 0 for none.
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,
    /// Draw no figures.
    #[arg(long, alias = "no-pictures")]
    no_figures: bool,
    /// Measure every submission anew, and keep nothing in the folder of --out for the next run.
    #[arg(long)]
    no_cache: bool,
    /// A time or any other words for the pages; without it nothing in the output depends on the clock.
    #[arg(long, value_name = "WORDS")]
    stamp: Option<String>,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Say what is missing before the day: truth, files of teams, values that judges enter. Exit code 1 if a score is
    /// blocked.
    Check {
        /// The contest file, or a folder or zip archive with a contest.toml.
        file: PathBuf,
        #[command(flatten)]
        format: FormatFlag,
    },
    /// Print a commented contest file for a folder with one folder or zip archive per team.
    Init {
        /// The folder, or a zip archive of it.
        folder: PathBuf,
        /// The rules.
        #[arg(long, default_value = "vr-2008", value_name = "NAME")]
        profile: String,
    },
    /// Measure submissions for another mapjudge, which tells them on stdin.
    #[command(hide = true)]
    Worker,
    /// List the rule profiles, or print one.
    Profiles {
        /// Name of a profile.
        name: Option<String>,
    },
}

impl Contest {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        match (&self.action, &self.file) {
            (Some(Action::Check { file, format }), _) => {
                Ok(format.answer(Checked(check_contest(&ContestFolder::from_file(file)?))))
            }
            (Some(Action::Init { folder, profile }), _) => Ok(Answer::text(skeleton(folder, profile)?)),
            (Some(Action::Worker), _) => contest_worker::run(&global.limits),
            (Some(Action::Profiles { name: None }), _) => Ok(Answer::text(list())),
            (Some(Action::Profiles { name: Some(name) }), _) => Ok(Answer::text(text_of(name)?)),
            (None, Some(file)) => self.judge(file, global),
            (None, None) => Err(Failure::new("name a contest file")),
        }
    }

    fn judge(&self, file: &Path, global: &Global) -> Result<Answer, Failure> {
        self.output.check(&CONTEST_FILES)?;
        let folder = ContestFolder::from_file(file)?;
        self.output.out.as_deref().map_or(Ok(()), |out| refuse_among_submissions(&folder, out))?;
        let contest = load_contest(&folder)?;
        let is_drawn = self.output.out.is_some() && !self.no_figures;
        let options = ContestOptions {
            resamples: self.resamples as usize,
            seed: global.seed(),
            figures: if is_drawn { Figures::Draw } else { Figures::None },
            stamp: self.stamp.clone(),
        };
        let store = self.output.out.as_ref().filter(|_| !self.no_cache);
        let store = store.map(|out| FolderStore::new(out.join("cache"), Secret::of_user()));
        let submissions = folder.file.teams.len() * folder.file.missions.len();
        let left = if store.is_some() { "no ranking, what is judged is kept" } else { "no result" };
        let bar = Progress::steps(submissions, global.quiet).counting_until("submissions judged", left);
        let workers = contest_worker::workers(&folder, options.figures, &global.limits, submissions)?;
        let kept = store.as_ref().map(|store| store as &dyn Store);
        let result = judge_contest_by(&contest, &folder, &options, &workers, kept, &|done| bar.done(done))?;
        if let Some(why) = workers.start_failure() {
            return Err(Failure::new(format!("no submission can be judged: {why}"))
                .hint("allow more with --max-memory or --max-seconds, which hold for the truth too"));
        }
        let refused = store.as_ref().map_or(0, FolderStore::refused);
        let command = self.command_line(file, global.seed());
        let overview = self.output.out.as_ref().map(|out| out.join("index.html"));
        Ok(self.output.answer(Judged { folder, result, command, overview, refused }))
    }

    /// The command that repeats the result, without a folder of this machine.
    fn command_line(&self, file: &Path, seed: u64) -> String {
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let figures = if self.no_figures { " --no-figures" } else { "" };
        format!("mapjudge contest {name} --out result --resamples {} --seed {seed}{figures}", self.resamples)
    }
}

/// What a check of a contest found.
struct Checked(ContestCheck);

impl Output for Checked {
    fn render(&self, format: Format) -> Result<String, Failure> {
        let Self(check) = self;
        if format == Format::Json {
            return json(check);
        }
        let line = |gap: &mapjudge::files::contest::Gap| {
            let level = if gap.blocks { "missing" } else { "note" };
            format!("{level}: {}: {}\n  hint: {}\n", report::shown_name(&gap.place), gap.message, gap.hint)
        };
        let mut text: String = check.gaps.iter().map(line).collect();
        let verdict = if check.is_blocked() { "not ready" } else { "ready" };
        text += &format!("{} of {} teams have all required files; {verdict}\n", check.ready, check.teams);
        Ok(text)
    }

    fn verdict(&self) -> Verdict {
        if self.0.is_blocked() { Verdict::Missed } else { Verdict::Fine }
    }
}

/// Findings that a judge hears of at once; all others are on the pages.
const TOLD: [&str; 5] =
    ["FILE_OF_ANOTHER_TEAM", "FILE_OF_THE_TRUTH", "FILE_COPIED", "FILE_NAME_CASE", "VICTIMS_FALSE_ALARMS"];

struct Judged {
    folder: ContestFolder,
    result: ContestResult,
    command: String,
    /// The page to open, if one is written.
    overview: Option<PathBuf>,
    /// Stored measurements that were not believed.
    refused: usize,
}

impl Output for Judged {
    fn render(&self, format: Format) -> Result<String, Failure> {
        let contest = &self.result.report;
        let text = match format {
            Format::Table => ranking_on(contest, screen()),
            _ => ranking(contest, format.of_report()).map_err(JobError::from)?,
        };
        Ok(match &self.overview {
            Some(page) if format == Format::Table => format!("{text}\nOverview: {}\n", page.display()),
            _ => text,
        })
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        Ok(write_contest(&self.folder, &self.result, folder, &self.command)?)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        let mut lines = Vec::new();
        for team in &self.result.report.ranking {
            for mission in team.missions.iter().filter(|mission| mission.outcome != Outcome::Scored) {
                let name = report::shown_name(&team.team);
                lines.push(format!("warning: {name}: {}", mission.reason.as_deref().unwrap_or("no score")));
            }
        }
        let findings = || self.result.report.findings.iter();
        for finding in findings().filter(|finding| TOLD.contains(&finding.code.as_str())) {
            let name = report::shown_name(&finding.team);
            let file = finding.file.as_deref().map_or_else(String::new, |file| format!("{file}: "));
            lines.push(format!("note: {name}: {file}{}", finding.message));
        }
        let mut missing: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for finding in findings().filter(|finding| finding.code == "OPTIONAL_FILE_MISSING") {
            missing.entry(&finding.message).or_default().push(report::shown_name(&finding.team));
        }
        let listed = |(message, teams): (&str, Vec<String>)| format!("note: {message}: {}", teams.join(", "));
        lines.extend(missing.into_iter().map(listed));
        let submissions = self.folder.file.teams.len() * self.folder.file.missions.len();
        let kept = submissions - self.result.measured_now;
        if self.refused > 0 {
            lines.push(format!(
                "warning: {} stored measurements were changed, or stored by another user: measured again",
                self.refused
            ));
        }
        if kept > 0 {
            lines.push(format!(
                "{kept} of {submissions} submissions did not change and were not measured again"
            ));
        }
        lines
    }
}

fn list() -> String {
    let line = |(name, text): &(&str, &str)| {
        let title = Profile::parse(text, name).map_or_else(
            |_| String::new(),
            |profile| {
                let variants: Vec<&str> = profile.variants.keys().map(String::as_str).collect();
                let readings =
                    if variants.is_empty() { String::new() } else { format!(" [{}]", variants.join(", ")) };
                format!("{}{readings}\n{:<20}score = {}", profile.title, "", profile.formula)
            },
        );
        format!("{name:<20}{title}\n")
    };
    SHIPPED.iter().map(line).collect()
}

fn text_of(name: &str) -> Result<String, Failure> {
    let found = SHIPPED.iter().find(|(known, _)| *known == name);
    let unknown = || {
        let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        Failure::new(format!("no profile '{name}'")).hint(format!("there are {}", names.join(", ")))
    };
    found.map(|(_, text)| (*text).to_owned()).ok_or_else(unknown)
}
