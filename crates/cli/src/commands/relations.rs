//! `mapjudge relations make|check|filter|convert`: ground-truth relations as files.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use mapjudge::Loss;
use mapjudge::relations::{Checked, Written, check, convert, filter, make};
use model::Level;
use truth::{Check, CheckParams, Filter, MakeParams, Pairs, Published, Sample};

use super::info::finding_line;
use crate::output::{Failure, note, print};
use crate::reading::ReadingFlags;

/// Make, check, filter and convert ground-truth relations: the pose at one moment seen from the pose at another. They
/// judge a run without any alignment. The ending of a file names its form: relations (rows), jsonl (records with
/// tags and verdicts), csv, json.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge relations make truth.tum truth.jsonl
      consecutive key poses and revisited places of a trajectory that is taken as true
  mapjudge relations make truth.tum random.relations --pairs random --precision 0.02
      as many random pairs as give the mean to 2 %
  mapjudge relations check truth.jsonl --run run.tum
      loops that do not close, contradictions, gaps; and whether the relations come from the run
  mapjudge relations check --published 1.08,1.81,4.44
      whether a printed mean, deviation and mean square can belong together
  mapjudge relations filter truth.jsonl loops.relations --tag loop --max-distance 1
  mapjudge relations convert truth.jsonl truth.relations --lossy")]
pub struct Relations {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Make relations from a trajectory that is taken as true.
    Make(Make),
    /// Say what is wrong with relations: loops, contradictions, repetitions, gaps. Exit code 1 if a rule is broken.
    Check(CheckFlags),
    /// Write a part of the relations.
    Filter(FilterFlags),
    /// Write relations in another form.
    Convert(Convert),
}

#[derive(clap::Args)]
struct Make {
    /// Trajectory or log.
    #[arg(value_name = "TRAJECTORY")]
    trajectory: PathBuf,
    /// File to write: .relations, .jsonl, .csv or .json.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Which pairs of poses: consecutive, distance, loops, random [default: consecutive,loops].
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pairs: Vec<PairsName>,
    /// A key pose every so many metres; 0 takes every pose [default: 0.5].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    step: Option<f64>,
    /// A key pose after so much turning, in degrees [default: 30].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    turn: Option<f64>,
    /// Path between the poses of `distance`, in metres [default: 1].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    distance: Option<f64>,
    /// Visits of one place lie nearer than this, in metres [default: 2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    loop_radius: Option<f64>,
    /// Visits of one place lie at least so many seconds apart [default: 30].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    loop_gap: Option<f64>,
    /// Relations to earlier visits per key pose [default: 3].
    #[arg(long, value_name = "N")]
    loops_per_pose: Option<usize>,
    /// So many random pairs, instead of the number that the precision asks for.
    #[arg(long, value_name = "N", conflicts_with = "precision")]
    count: Option<usize>,
    /// Precision of the mean over random pairs, relative to it: n = t^2 sigma^2 / delta^2 [default: 0.05].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    precision: Option<f64>,
    /// Run whose errors the precision is about; without one it is about the lengths of the displacements.
    #[arg(long, value_name = "TRAJECTORY")]
    run: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum PairsName {
    Consecutive,
    Distance,
    Loops,
    Random,
}

impl From<PairsName> for Pairs {
    fn from(name: PairsName) -> Self {
        match name {
            PairsName::Consecutive => Self::Consecutive,
            PairsName::Distance => Self::Distance,
            PairsName::Loops => Self::Loops,
            PairsName::Random => Self::Random,
        }
    }
}

#[derive(clap::Args)]
struct CheckFlags {
    /// File of relations.
    #[arg(value_name = "FILE", required_unless_present = "published")]
    file: Option<PathBuf>,
    /// Run that the relations are to judge: warns if they were made from it.
    #[arg(long, value_name = "TRAJECTORY", requires = "file")]
    run: Option<PathBuf>,
    /// Printed mean, standard deviation and mean square, and the number of samples if known; may be given many times.
    #[arg(long, value_name = "MEAN,STD,SQUARE[,N]")]
    published: Vec<String>,
    #[command(flatten)]
    limits: CheckLimits,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: CheckFormat,
    #[command(flatten)]
    reading: ReadingFlags,
}

/// What a check of relations calls wrong.
#[derive(clap::Args)]
pub(super) struct CheckLimits {
    /// A time without a relation is a gap from so many seconds on [default: 10].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    gap: Option<f64>,
    /// Displacements further apart than this contradict each other, in metres [default: 0.15].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    agree: Option<f64>,
    /// How many of the worst loops, contradictions and gaps are listed [default: 10].
    #[arg(long, value_name = "N")]
    worst: Option<usize>,
}

impl CheckLimits {
    pub(super) fn params(&self) -> CheckParams {
        let usual = CheckParams::default();
        CheckParams {
            gap_s: self.gap.unwrap_or(usual.gap_s),
            agree_m: self.agree.unwrap_or(usual.agree_m),
            worst: self.worst.unwrap_or(usual.worst),
            ..usual
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum CheckFormat {
    Table,
    Json,
}

#[derive(clap::Args)]
struct FilterFlags {
    /// File of relations.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: .relations, .jsonl, .csv or .json.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Shortest displacement in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    min_distance: Option<f64>,
    /// Longest displacement in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_distance: Option<f64>,
    /// Shortest time between the moments in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    min_gap: Option<f64>,
    /// Longest time between the moments in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    max_gap: Option<f64>,
    /// Both moments at or after this one, in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    from: Option<f64>,
    /// Both moments at or before this one, in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    to: Option<f64>,
    /// With this tag. `local` (at most 10 s) and `loop` (more) are known from the times where no tag says it.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// So many of those that are left, at random.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    #[command(flatten)]
    reading: ReadingFlags,
}

#[derive(clap::Args)]
struct Convert {
    /// File of relations.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: .relations, .jsonl, .csv or .json.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Go on even if the form of OUT cannot hold everything.
    #[arg(long)]
    lossy: bool,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Relations {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        match &self.action {
            Action::Make(make) => make.run(seed, quiet),
            Action::Check(check) => check.run(),
            Action::Filter(filter) => filter.run(seed, quiet),
            Action::Convert(convert) => convert.run(quiet),
        }
    }
}

impl Make {
    fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let options = self.reading.options()?;
        let written =
            make(&self.trajectory, &self.output, &self.params(seed), self.run.as_deref(), &options)?;
        say(&written, &self.output, "poses", quiet);
        Ok(ExitCode::SUCCESS)
    }

    fn params(&self, seed: u64) -> MakeParams {
        let default = MakeParams::default();
        let pairs: Vec<Pairs> = self.pairs.iter().map(|&name| name.into()).collect();
        let sample = self.count.map(Sample::Count).or(self.precision.map(Sample::Precision));
        MakeParams {
            pairs: if pairs.is_empty() { default.pairs } else { pairs },
            key_step_m: self.step.unwrap_or(default.key_step_m),
            key_turn_rad: self.turn.map_or(default.key_turn_rad, f64::to_radians),
            distance_m: self.distance.unwrap_or(default.distance_m),
            loop_radius_m: self.loop_radius.unwrap_or(default.loop_radius_m),
            loop_gap_s: self.loop_gap.unwrap_or(default.loop_gap_s),
            loops_per_pose: self.loops_per_pose.unwrap_or(default.loops_per_pose),
            sample: sample.unwrap_or(default.sample),
            seed,
        }
    }
}

impl CheckFlags {
    fn run(&self) -> Result<ExitCode, Failure> {
        let params = self.limits.params();
        let triple = |text: &String| {
            let published: Published =
                text.parse().map_err(|error| Failure::new(format!("--published {error}")))?;
            Ok((text.clone(), published))
        };
        let published = self.published.iter().map(triple).collect::<Result<Vec<_>, Failure>>()?;
        let options = self.reading.options()?;
        let checked = check(self.file.as_deref(), self.run.as_deref(), &published, &params, &options)?;
        print(&match self.format {
            CheckFormat::Table => as_text(&checked),
            CheckFormat::Json => {
                let text = serde_json::to_string_pretty(&checked);
                text.map_err(|error| Failure::new(error.to_string()))? + "\n"
            }
        })?;
        let is_broken = checked.findings.iter().any(|finding| finding.level == Level::Error);
        Ok(ExitCode::from(u8::from(is_broken)))
    }
}

impl FilterFlags {
    fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let wanted = Filter {
            min_distance_m: self.min_distance,
            max_distance_m: self.max_distance,
            min_gap_s: self.min_gap,
            max_gap_s: self.max_gap,
            from_s: self.from,
            to_s: self.to,
            tag: self.tag.clone(),
            sample: self.sample,
            seed,
        };
        let written = filter(&self.input, &self.output, &wanted, &self.reading.options()?)?;
        say(&written, &self.output, "relations", quiet);
        Ok(ExitCode::SUCCESS)
    }
}

impl Convert {
    fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let loss = if self.lossy { Loss::Accepted } else { Loss::Refused };
        let written = convert(&self.input, &self.output, loss, &self.reading.options()?)?;
        say(&written, &self.output, "relations", quiet);
        Ok(ExitCode::SUCCESS)
    }
}

pub(super) fn say(written: &Written, output: &std::path::Path, of: &str, quiet: bool) {
    if quiet {
        return;
    }
    written.findings.iter().for_each(|finding| note(&finding_line(finding)));
    note(&format!("wrote {}: {} relations of {} {of}", output.display(), written.relations, written.of));
    if !written.lost.is_empty() {
        note(&format!("lost: {}", written.lost.join(", ")));
    }
}

fn as_text(checked: &Checked) -> String {
    let mut text = String::new();
    if let (Some(path), Some(relations)) = (&checked.path, &checked.relations) {
        let _ = writeln!(text, "{path}");
        facts(&mut text, relations);
        lists(&mut text, relations);
    }
    for check in &checked.published {
        let verdict = if check.holds { "consistent" } else { "inconsistent" };
        let (low, high) = check.allowed;
        let _ = writeln!(text, "{}: {verdict} (mean square {low:.4} to {high:.4})", check.printed);
    }
    for finding in &checked.findings {
        let _ = writeln!(text, "{}", finding_line(finding));
    }
    text
}

pub(super) fn facts(text: &mut String, relations: &Check) {
    let Check { moments, parts, back_in_time, local, repeated, contradicting, loops, .. } = relations;
    let count = relations.relations;
    let _ = writeln!(text, "  relations      {count} ({local} local, {back_in_time} back in time)");
    let _ = writeln!(text, "  moments        {moments} in {parts} connected parts");
    if let Some((first_s, last_s)) = relations.span_s {
        let _ = writeln!(text, "  time           {first_s} s to {last_s} s ({:.1} s)", last_s - first_s);
    }
    if let Some(length) = relations.length_m {
        let _ = writeln!(
            text,
            "  length         {:.4} +- {:.4} m, square {:.4} m2, largest {:.3} m",
            length.mean, length.std, length.mean_square, length.max
        );
    }
    let _ = writeln!(text, "  repeated       {repeated}, {contradicting} of them contradict");
    let rms =
        relations.loop_rms_m.map_or_else(String::new, |rms| format!(", {rms:.4} m left (root mean square)"));
    let _ = writeln!(text, "  loops          {loops}{rms}");
    let _ = writeln!(text, "  gaps           {}", relations.gap_count);
}

pub(super) fn lists(text: &mut String, relations: &Check) {
    for closure in &relations.worst_loops {
        let _ = writeln!(
            text,
            "  loop           {:.4} m, {:.3} deg left after {} relations: {}",
            closure.translation_m,
            closure.rotation_rad.to_degrees(),
            closure.edges,
            numbers(&closure.relations, closure.edges)
        );
    }
    for pair in &relations.contradictions {
        let _ = writeln!(
            text,
            "  contradiction  {:.4} m, {:.3} deg between relations {} and {}",
            pair.translation_m,
            pair.rotation_rad.to_degrees(),
            pair.first,
            pair.second
        );
    }
    for gap in &relations.gaps {
        let _ = writeln!(
            text,
            "  gap            {:.1} s from {} s to {} s",
            gap.end_s - gap.start_s,
            gap.start_s,
            gap.end_s
        );
    }
}

fn numbers(relations: &[usize], edges: usize) -> String {
    let listed: Vec<_> = relations.iter().map(usize::to_string).collect();
    let more = if edges > relations.len() { ", ..." } else { "" };
    format!("{}{more}", listed.join(", "))
}
