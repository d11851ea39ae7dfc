//! `mapjudge contest FILE.toml`: teams and missions in, ranking, score sheets and appeal bundles out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mapjudge::Pictures;
use mapjudge::contest::{
    Cache, Contest as ContestJob, ContestOptions, Profile, SHIPPED, judge_contest, skeleton, write_contest,
};
use report::{Format, Outcome, ranking};

use super::score::parse_format;
use crate::output::{Failure, note, print, progress_steps};

/// Judge a contest: every submission is checked, measured and scored under the rules of a profile; the teams are ranked,
/// and the result says how sure the order is. A broken submission gets zero with the reason and stops nobody.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  mapjudge contest init submissions > submissions/contest.toml
      a commented contest file: one team per folder below submissions/
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
    /// The contest file.
    #[arg(required = true, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write ranking, overview, score sheets, reports and appeal bundles into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to print the ranking.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format)]
    format: Format,
    /// Resamples behind the certainty of the order; 0 for none.
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,
    /// Draw no pictures.
    #[arg(long)]
    no_pictures: bool,
    /// A time or any other words for the pages; without it nothing in the output depends on the clock.
    #[arg(long, value_name = "WORDS")]
    stamp: Option<String>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print a commented contest file for a folder with one folder per team.
    Init {
        /// The folder.
        folder: PathBuf,
        /// The rules.
        #[arg(long, default_value = "vr-2008", value_name = "NAME")]
        profile: String,
    },
    /// List the rule profiles, or print one.
    Profiles {
        /// Name of a profile.
        name: Option<String>,
    },
}

impl Contest {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        match &self.action {
            Some(Action::Init { folder, profile }) => print(&skeleton(folder, profile)?)?,
            Some(Action::Profiles { name: None }) => print(&list())?,
            Some(Action::Profiles { name: Some(name) }) => print(&text_of(name)?)?,
            None => {
                let file = self.file.as_deref().ok_or_else(|| Failure::new("name a contest file"))?;
                self.judge(file, seed, quiet)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn judge(&self, file: &Path, seed: u64, quiet: bool) -> Result<(), Failure> {
        let contest = ContestJob::from_file(file)?;
        let draws = self.out.is_some() && !self.no_pictures;
        let options = ContestOptions {
            resamples: self.resamples as usize,
            seed,
            pictures: if draws { Pictures::Draw } else { Pictures::None },
            stamp: self.stamp.clone(),
        };
        let cache = self.out.as_ref().map(|folder| Cache::new(folder.join("cache")));
        let submissions = contest.file.teams.len() * contest.file.missions.len();
        let bar = (!quiet).then(|| progress_steps(submissions as u64));
        let progress = |done: usize| bar.iter().for_each(|bar| bar.set_position(done as u64));
        let judged = judge_contest(&contest, &options, cache.as_ref(), &progress)?;
        bar.iter().for_each(|bar| bar.finish_and_clear());
        if let (Some(folder), Some(cache)) = (&self.out, &cache) {
            write_contest(&contest, &judged, cache, folder, &self.command_line(file, seed))?;
        }
        if !quiet {
            for team in &judged.report.ranking {
                for mission in team.missions.iter().filter(|mission| mission.outcome != Outcome::Scored) {
                    let name = report::shown_name(&team.team);
                    note(&format!("warning: {name}: {}", mission.reason.as_deref().unwrap_or("no score")));
                }
            }
            let kept = submissions - judged.measured_now;
            if kept > 0 {
                note(&format!(
                    "{kept} of {submissions} submissions did not change and were not measured again"
                ));
            }
        }
        print(&ranking(&judged.report, self.format).map_err(|error| Failure::new(error.to_string()))?)?;
        if let (Some(folder), Format::Table) = (&self.out, self.format) {
            print(&format!("\nOverview: {}\n", folder.join("index.html").display()))?;
        }
        Ok(())
    }

    /// The command that repeats the result, without a folder of this machine.
    fn command_line(&self, file: &Path, seed: u64) -> String {
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut words =
            format!("mapjudge contest {name} --out result --resamples {} --seed {seed}", self.resamples);
        if self.no_pictures {
            words.push_str(" --no-pictures");
        }
        words
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
