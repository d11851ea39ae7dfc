//! `mapjudge history check DIR`: whether the newest values stand out.

use std::path::PathBuf;

use mapjudge::Verdict;
use mapjudge::files::{Loader, RuleFiles};
use report::{
    HistorySeries, Tolerances, Trend, TrendCheck, TrendRules, check_history, check_markdown, check_table,
    history_series,
};

use super::Selection;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag};
use crate::output::{Answer, Output, json};

/// Entries that are looked through for earlier values, for each that the rule wants: some rest on other settings, or
/// belong to other cases.
const LOOK_BACK: usize = 5;

/// Tell whether the newest values stand out from those before.
///
/// A value is missed if it is worse than the median of the last values by so many sigma, or no longer defined; then the
/// exit code is 1. What cannot be checked is said; if it was named by --metrics, the exit code is 3.
#[derive(clap::Args)]
#[command(mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Md])))]
pub struct Check {
    #[command(flatten)]
    selection: Selection,
    /// How many robust standard deviations a value may be worse than the median [default: 3].
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    sigma: Option<f64>,
    /// How many earlier values count [default: 10].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    last: Option<usize>,
    /// With fewer earlier values than this nothing is checked [default: 5].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    min_samples: Option<usize>,
    /// Limits file; its tables [tolerances] and [history] hold for single metrics.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    #[command(flatten)]
    format: FormatFlag,
}

impl Check {
    pub fn run(&self) -> Result<Answer, Failure> {
        let rules = self.rules()?;
        let last =
            rules.own.iter().map(|own| own.trend.last).chain([rules.otherwise.last]).max().unwrap_or(0);
        let (history, notes) =
            self.selection.load(last.checked_mul(LOOK_BACK).and_then(|n| n.checked_add(1)))?;
        let check = check_history(&history, &rules).ok_or_else(|| {
            Failure::new(format!("{}: the history has no entry", self.selection.folder.display()))
                .hint("`mapjudge history add DIR REPORT` adds one")
        })?;
        let series = history_series(&history, &self.selection.metrics, &[]);
        let is_named = !self.selection.metrics.is_empty();
        Ok(self.format.answer(Checked { check, series, notes, is_named }))
    }

    fn rules(&self) -> Result<TrendRules, Failure> {
        let default = Trend::default();
        let last = self.last.unwrap_or(default.last);
        let min_samples = self.min_samples.unwrap_or(default.min_samples.min(last));
        let otherwise = Trend { sigmas: self.sigma.unwrap_or(default.sigmas), last, min_samples };
        if !otherwise.is_sound() {
            return Err(Failure::new(
                "the rule makes no sense: expected a sigma from 0 on, and at least one sample of the last",
            )
            .hint("see `mapjudge history check --help`"));
        }
        let files = RuleFiles { limits: self.limits.clone(), ..RuleFiles::default() };
        let limits = files.load(&Loader::default())?.limits.unwrap_or_default();
        Ok(TrendRules {
            otherwise,
            own: limits.trends,
            tolerances: Tolerances { own: limits.tolerances, ..Tolerances::default() },
            metrics: self.selection.metrics.clone(),
        })
    }
}

struct Checked {
    check: TrendCheck,
    series: HistorySeries,
    notes: Vec<String>,
    /// Whether the metrics were asked for by name.
    is_named: bool,
}

impl Output for Checked {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.check),
            Format::Md => Ok(check_markdown(&self.check, &self.series)),
            _ => Ok(check_table(&self.check)),
        }
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.notes.clone()
    }

    fn verdict(&self) -> Verdict {
        if self.check.is_missed() {
            return Verdict::Missed;
        }
        if self.is_named && self.check.has_unchecked() { Verdict::Undefined } else { Verdict::Fine }
    }
}
