//! `mapjudge points SUBMISSION --truth TRUTH`: labelled points alone, by the rules of the rescue league.

use std::path::PathBuf;
use std::process::ExitCode;

use mapjudge::{PointsJob, PointsResult, points_table, score_points};
use metrics::AnyMetric;
use metrics::contest::point_rules::PointRules;
use report::{Format, render};
use serde_json::Value;

use super::score::{note_findings, parse_format, write_files};
use crate::output::{Failure, exit_code, print};

/// Score labelled points: which report is which true point, how far each is off, and what that is worth.
///
/// Labels may repeat; the order of rows has no influence. Points are paired one to one so that they fit best under one
/// turn and shift, never a reflection; a mirrored list is flagged and cannot be perfect.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge points team.csv --truth truth.csv
      detection lists of the league, by the rules of 2025
  mapjudge points team.csv --truth truth.csv --set scoring_threshold=1.0 --format json
      the wider threshold of the finals, for programs
  mapjudge points team.pts --truth truth.pts --profile rrl-2024 --frame given
      both lists in one frame: errors are distances from the true places
  mapjudge points team.csv --truth truth.csv --out result
      result/report.html shows every point with an arrow to its report")]
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
    /// Whether the frame of the submission is searched (`fitted`) or that of the truth (`given`) [default: fitted].
    #[arg(long, value_name = "fitted|given")]
    frame: Option<String>,
    /// A rule, such as scoring_threshold=1.0; `mapjudge metrics point_score` lists them. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_rule)]
    set: Vec<(String, Value)>,
    /// File of rules such as `point_score >= 20`; one missed makes the exit code 1.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// How to print the result.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format)]
    format: Format,
    /// Also write points.json, report.json, report.html and the picture into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Points {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let job = PointsJob {
            submission: self.submission.clone(),
            truth: self.truth.clone(),
            profile: self.profile.clone(),
            rules: self.rules()?,
            limits: self.limits.clone(),
        };
        let scored = score_points(&job)?;
        let evaluation = &scored.evaluation;
        if !quiet && self.format != Format::Table {
            note_findings(evaluation);
        }
        if let Some(folder) = &self.out {
            write_files(folder, evaluation)?;
            let path = folder.join("points.json");
            let wrong = |error| Failure::new(format!("{}: {error}", path.display()));
            std::fs::write(&path, as_json(&scored.result)?).map_err(wrong)?;
        }
        print(&match self.format {
            Format::Json => as_json(&scored.result)?,
            Format::Table => points_table(&scored.result),
            format => render(&evaluation.report, format, &evaluation.pictures)
                .map_err(|error| Failure::new(error.to_string()))?,
        })?;
        Ok(exit_code(evaluation.verdict))
    }

    /// The rules of the profile with what the flags say laid over them.
    fn rules(&self) -> Result<PointRules, Failure> {
        let mut rules = PointRules::profile(&self.profile).ok_or_else(|| {
            Failure::new(format!("no rules for points '{}'", self.profile))
                .hint(format!("there are {}", PointRules::PROFILES.join(", ")))
        })?;
        let frame = self.frame.iter().map(|word| ("frame", Value::from(word.as_str())));
        let set = self.set.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in frame.chain(set) {
            AnyMetric::set(&mut rules, name, &value).map_err(mapjudge::JobError::from)?;
        }
        Ok(rules)
    }
}

fn as_json(result: &PointsResult) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(result);
    Ok(text.map_err(|error| Failure::new(error.to_string()))? + "\n")
}

fn parse_rule(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("'{text}': expected NAME=VALUE"))?;
    let name = name.strip_prefix("point_score.").unwrap_or(name);
    Ok((name.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))))
}
