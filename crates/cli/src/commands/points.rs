//! `mapjudge points SUBMISSION --truth TRUTH`: labelled points alone, by the rules of the rescue league.

use std::path::PathBuf;

use mapjudge::files::{Job, OutputFolder};
use mapjudge::{JobError, PointsResult, Verdict, points_plan, points_table};
use metrics::AnyMetric;
use metrics::contest::point_rules::PointRules;
use serde_json::Value;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{JudgingFlags, parse_value};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, Output, OutputFlags, json};

/// Score labelled points by the rules of the rescue league.
///
/// Tells which report is which true point, how far each is off, and what that is worth.
///
/// Labels may repeat; the order of rows has no influence. Points are paired one to one so that they fit best under one
/// rotation and translation, never a reflection; a mirrored list is flagged and cannot be perfect.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(REPORT)),
    mut_arg("out", |out| out.help("Also write points.json, report.json, report.html and the figure into this folder")),
    after_help = "\
Examples:
  mapjudge points team.csv --truth truth.csv
      detection lists of the league, by the rules of 2025
  mapjudge points team.csv --truth truth.csv --set scoring_threshold=1.0 --format json
      the wider threshold of the finals, for programs
  mapjudge points team.pts --truth truth.pts --profile rrl-2024 --frame given
      both lists in one coordinate frame: errors are distances from the true places
  mapjudge points team.csv --truth truth.csv --out result
      result/report.html shows every point with an arrow to its report"
)]
pub struct Points {
    /// What the team reported: a detection list of the league (CSV 1.0 to 1.2) or a point list (.pts).
    #[arg(value_name = "SUBMISSION")]
    submission: PathBuf,
    /// Where the points are, in the same formats.
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,
    /// Rules: rrl-2024 or rrl-2025.
    #[arg(long, default_value = "rrl-2025", value_name = "NAME")]
    profile: String,
    /// Whether the coordinate frame of the submission is searched (`fitted`) or that of the truth (`given`) [default:
    /// fitted].
    #[arg(long, value_name = "fitted|given")]
    frame: Option<String>,
    /// A rule, such as scoring_threshold=1.0; `mapjudge metrics point_score` lists them. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_rule)]
    set: Vec<(String, Value)>,
    #[command(flatten)]
    judging: JudgingFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Points {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let mut job = Job { plan: points_plan(&self.profile, &self.rules()?)?, ..Job::default() };
        job.inputs.points = vec![self.submission.clone()];
        job.inputs.truth_points = Some(self.truth.clone());
        job.plan.figures = self.output.figures();
        self.judging.apply(&mut job.rules);
        let judged = Judged::of_job(&job, global)?;
        let case = judged.report.cases.first();
        let result = case.and_then(|case| PointsResult::of_case(case, &self.profile));
        let result = result.ok_or(JobError::Incomplete("true points"))?;
        Ok(self.output.answer(ScoredPoints { result, judged }))
    }

    /// The rules of the profile with the flags over them.
    fn rules(&self) -> Result<PointRules, Failure> {
        let mut rules = PointRules::profile(&self.profile).ok_or_else(|| {
            Failure::new(format!("no rules for points '{}'", self.profile))
                .hint(format!("there are {}", PointRules::PROFILES.join(", ")))
        })?;
        let frame = self.frame.iter().map(|word| ("frame", Value::from(word.as_str())));
        let set = self.set.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in frame.chain(set) {
            AnyMetric::set(&mut rules, name, &value).map_err(JobError::from)?;
        }
        Ok(rules)
    }
}

struct ScoredPoints {
    result: PointsResult,
    judged: Judged,
}

impl Output for ScoredPoints {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.result),
            Format::Table => Ok(points_table(&self.result)),
            format => self.judged.render(format),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        self.judged.write(folder)?;
        Ok(folder.write("points.json", json(&self.result)?)?)
    }

    fn notes(&self, format: Format) -> Vec<String> {
        self.judged.notes(format)
    }

    /// Coverage is a limit of its own.
    fn verdict(&self) -> Verdict {
        match self.judged.verdict {
            Verdict::Fine if !self.result.has_coverage() => Verdict::Missed,
            verdict => verdict,
        }
    }
}

fn parse_rule(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("'{text}': expected NAME=VALUE"))?;
    let name = name.strip_prefix("point_score.").unwrap_or(name);
    Ok((name.to_owned(), parse_value(value)))
}
