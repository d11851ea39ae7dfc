//! `mapjudge truth propose|accept|check|export|import`: ground-truth relations from scans.

mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use mapjudge::ground_truth::{
    Checking, Decision, PosesFrom, ProposeJob, accept, check, export, import, propose,
};
use mapjudge::mapping::MapperName;
use mapper::RangeLimits;
use model::Level;
use serde::Serialize;
use truth::{AcceptRule, MakeParams};

use super::info::finding_line;
use super::map::MapperChoice;
use super::relations::{CheckLimits, say};
use crate::output::{Failure, note, print, progress_steps};
use crate::reading::ReadingFlags;
use words::{accepted_text, check_text, proposal_text};

/// Ground truth from the scans of a log: propose displacements, accept the clear ones by a rule, check, export.
///
/// A proposal is measured by two scans alone, and carries what it rests on. The record is a file of JSON Lines that is
/// only ever appended to: the last entry of an id is valid, and each accepted relation names the person or the rule that
/// accepted it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge truth propose run.log --out record.jsonl
      maps the log with `graph`, and proposes relations between its key poses
  mapjudge truth propose run.log --trajectory good.tum --accept --out record.jsonl
      poses of a file say what is near; the rule accepts what is beyond doubt
  mapjudge truth accept record.jsonl --max-sigma 0.01 --try
      how many a stricter rule would accept
  mapjudge truth check record.jsonl
  mapjudge truth export record.jsonl --out truth.relations
  mapjudge truth import published.relations --out record.jsonl --reviewer 'table 2 of the paper'")]
pub struct Truth {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Propose relations between the scans of a log; begins a record.
    Propose(Box<Propose>),
    /// Accept the proposals of a record that meet a rule; the doubtful stay proposed.
    Accept(Accept),
    /// Say what is wrong with a record or with relations: loops, contradictions, gaps, decisions of nobody.
    Check(Check),
    /// Write what was accepted as relations.
    Export(Export),
    /// Begin a record with the relations of a file.
    Import(Import),
}

#[derive(clap::Args)]
struct Propose {
    /// Log with scans.
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Record to begin; one that exists is not overwritten.
    #[arg(long, value_name = "RECORD.jsonl")]
    out: PathBuf,
    /// Poses that say what is near, and where matches begin.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["own_poses", "mapper"])]
    trajectory: Option<PathBuf>,
    /// Take the poses of the scans in the log, as a corrected log has them.
    #[arg(long, conflicts_with = "mapper")]
    own_poses: bool,
    /// Mapper that finds the poses [default: graph].
    #[arg(long)]
    mapper: Option<MapperChoice>,
    /// A parameter of the mapper; may be given many times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// A key pose every so many metres [default: 0.5].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    step: Option<f64>,
    /// A key pose after so much turning, in degrees [default: 30].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    turn: Option<f64>,
    /// Visits of one place lie nearer than this, in metres [default: 2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    loop_radius: Option<f64>,
    /// Visits of one place lie at least so many seconds apart [default: 30].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    loop_gap: Option<f64>,
    /// Relations to earlier visits per key pose [default: 3].
    #[arg(long, value_name = "N")]
    loops_per_pose: Option<usize>,
    /// Ranges from here on are no returns, metres.
    #[arg(long, value_name = "METRES", default_value_t = 80.0, allow_negative_numbers = true)]
    range_max: f64,
    /// Accept at once what meets the rule.
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    rule: RuleFlags,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: TruthFormat,
    #[command(flatten)]
    reading: ReadingFlags,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Rule")]
struct RuleFlags {
    /// Share of the points with a partner in the other scan, at least [default: 0.5].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    min_overlap: Option<f64>,
    /// Share of the pairs within 3 cm, at least [default: 0.9].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    min_inliers: Option<f64>,
    /// Root mean square distance of the pairs, at most, metres [default: 0.025].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_rms: Option<f64>,
    /// Share of the points where the other scan looked through, at most [default: 0.05].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    max_contradicted: Option<f64>,
    /// How far the match may leave the poses it began with, metres [default: 0.15].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_moved: Option<f64>,
    /// How far it may turn, degrees [default: 5].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    max_turned: Option<f64>,
    /// Standard deviation of the position, at most, metres [default: 0.02].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_sigma: Option<f64>,
    /// Standard deviation of the heading, at most, degrees [default: 0.5].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    max_sigma_deg: Option<f64>,
    /// Other revisits of the place from other key poses that say the same, at least [default: 1].
    #[arg(long, value_name = "N")]
    min_witnesses: Option<usize>,
    /// Steps on the way between two visits that their scans correct by more than a degree or 0.1 m, at most [default: 0].
    #[arg(long, value_name = "N")]
    max_bent_steps: Option<usize>,
    /// What entries carry as their time, such as 2026-05-01T10:00:00Z [default: none, so that the same input gives the
    /// same bytes].
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
}

impl RuleFlags {
    fn rule(&self) -> AcceptRule {
        let usual = AcceptRule::default();
        AcceptRule {
            min_overlap: self.min_overlap.unwrap_or(usual.min_overlap),
            min_inliers: self.min_inliers.unwrap_or(usual.min_inliers),
            max_rms_m: self.max_rms.unwrap_or(usual.max_rms_m),
            max_contradicted: self.max_contradicted.unwrap_or(usual.max_contradicted),
            max_moved_m: self.max_moved.unwrap_or(usual.max_moved_m),
            max_turned_rad: self.max_turned.map_or(usual.max_turned_rad, f64::to_radians),
            max_sigma_m: self.max_sigma.unwrap_or(usual.max_sigma_m),
            max_sigma_rad: self.max_sigma_deg.map_or(usual.max_sigma_rad, f64::to_radians),
            min_witnesses: self.min_witnesses.unwrap_or(usual.min_witnesses),
            max_bent_steps: self.max_bent_steps.unwrap_or(usual.max_bent_steps),
        }
    }
}

#[derive(clap::Args)]
struct Accept {
    /// Record to append to.
    #[arg(value_name = "RECORD.jsonl")]
    record: PathBuf,
    #[command(flatten)]
    rule: RuleFlags,
    /// Say what the rule would do, and write nothing.
    #[arg(long = "try")]
    is_trial: bool,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: TruthFormat,
}

#[derive(clap::Args)]
struct Check {
    /// Record, or file of relations.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check what is only proposed too.
    #[arg(long)]
    proposals: bool,
    #[command(flatten)]
    limits: CheckLimits,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: TruthFormat,
    #[command(flatten)]
    reading: ReadingFlags,
}

#[derive(clap::Args)]
struct Export {
    /// Record.
    #[arg(value_name = "RECORD.jsonl")]
    record: PathBuf,
    /// File to write: .relations, .txt, .csv or .json.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct Import {
    /// File of relations.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Record to begin; one that exists is not overwritten.
    #[arg(long, value_name = "RECORD.jsonl")]
    out: PathBuf,
    /// Who says that they are right; without one they are proposals.
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// What entries carry as their time.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    #[command(flatten)]
    reading: ReadingFlags,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum TruthFormat {
    Table,
    Json,
}

impl Truth {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        match &self.action {
            Action::Propose(action) => action.run(seed, quiet),
            Action::Accept(action) => action.run(quiet),
            Action::Check(action) => action.run(),
            Action::Export(action) => {
                say(&export(&action.record, &action.out)?, &action.out, "relations", quiet);
                Ok(ExitCode::SUCCESS)
            }
            Action::Import(action) => action.run(quiet),
        }
    }
}

impl Propose {
    fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let job = self.job(seed)?;
        let bar = progress_steps(0);
        let progress = |done: usize, all: usize| {
            if !quiet {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
            }
        };
        let proposal = propose(&job, &self.reading.options()?, &progress);
        bar.finish_and_clear();
        let proposal = proposal?;
        if !quiet {
            proposal.findings.iter().for_each(|finding| note(&finding_line(finding)));
        }
        print_as(self.format, &proposal, proposal_text)
    }

    fn job(&self, seed: u64) -> Result<ProposeJob, Failure> {
        let poses = match (&self.trajectory, self.own_poses) {
            (Some(path), _) => PosesFrom::Trajectory(path.clone()),
            (None, true) => PosesFrom::Log,
            (None, false) => PosesFrom::Mapper {
                name: self.mapper.map_or(MapperName::Graph, MapperChoice::name),
                settings: super::map::settings(None, &self.settings)?,
                seed,
            },
        };
        let usual = MakeParams::default();
        let params = MakeParams {
            key_step_m: self.step.unwrap_or(usual.key_step_m),
            key_turn_rad: self.turn.map_or(usual.key_turn_rad, f64::to_radians),
            loop_radius_m: self.loop_radius.unwrap_or(usual.loop_radius_m),
            loop_gap_s: self.loop_gap.unwrap_or(usual.loop_gap_s),
            loops_per_pose: self.loops_per_pose.unwrap_or(usual.loops_per_pose),
            ..usual
        };
        Ok(ProposeJob {
            log: self.log.clone(),
            poses,
            params,
            range: RangeLimits { min_m: 0.02, max_m: self.range_max },
            accept: self.accept.then(|| self.rule.rule()),
            time: self.rule.time.clone(),
            record: self.out.clone(),
        })
    }
}

impl Accept {
    fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let decision = if self.is_trial { Decision::Tried } else { Decision::Written };
        let accepted = accept(&self.record, &self.rule.rule(), self.rule.time.as_deref(), decision)?;
        if !quiet {
            accepted.findings.iter().for_each(|finding| note(&finding_line(finding)));
        }
        print_as(self.format, &accepted, accepted_text)
    }
}

impl Check {
    fn run(&self) -> Result<ExitCode, Failure> {
        let params = self.limits.params();
        let checking = if self.proposals { Checking::Proposals } else { Checking::Truth };
        let checked = check(&self.file, checking, &params, &self.reading.options()?)?;
        print_as(self.format, &checked, check_text)?;
        let is_broken = checked.findings.iter().any(|finding| finding.level == Level::Error);
        Ok(ExitCode::from(u8::from(is_broken)))
    }
}

impl Import {
    fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let options = self.reading.options()?;
        let written =
            import(&self.file, &self.out, self.reviewer.as_deref(), self.time.as_deref(), &options)?;
        say(&written, &self.out, "relations", quiet);
        Ok(ExitCode::SUCCESS)
    }
}

fn print_as<T: Serialize>(
    format: TruthFormat,
    value: &T,
    as_text: impl Fn(&T) -> String,
) -> Result<ExitCode, Failure> {
    print(&match format {
        TruthFormat::Table => as_text(value),
        TruthFormat::Json => {
            let text = serde_json::to_string_pretty(value);
            text.map_err(|error| Failure::new(error.to_string()))? + "\n"
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
