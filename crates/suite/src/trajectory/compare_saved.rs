//! Runs that were judged earlier, ranked by the errors that their results kept.
//!
//! Nothing is measured again: position errors are those under the fit of each run by itself, not of what all have in
//! common, and runs by another truth are not compared at all.

use std::collections::BTreeMap;

use model::{Finding, Level};
use report::{CaseReport, ErrorTable, RunComparison};

use super::compare::Compared;
use crate::{Matching, RankBy, Ranking};

/// The comparison of saved runs and what to keep in mind; none where fewer than two kept their errors.
pub(crate) fn compare_saved(cases: &[CaseReport], how: &Ranking) -> Option<(RunComparison, Finding)> {
    if cases.len() < 2 {
        return None;
    }
    let has = |rank_by: RankBy| cases.iter().all(|case| keyed(case, rank_by).is_some());
    let by_default = [RankBy::AteTranslation, RankBy::RelativeDisplacement].into_iter().find(|by| has(*by));
    let rank_by = how.rank_by.or(by_default)?;
    let min_coverage = Matching::default().min_coverage;
    let coverages: Vec<Option<f64>> = cases.iter().map(CaseReport::coverage).collect();
    let errors: Vec<Option<BTreeMap<u64, f64>>> = cases.iter().map(|case| keyed(case, rank_by)).collect();
    let is_ranked = |index: &usize| {
        errors[*index].is_some() && cases[*index].matched_share().is_some_and(|share| share >= min_coverage)
    };
    let ranked: Vec<usize> = (0..cases.len()).filter(is_ranked).collect();
    let of_ranked: Vec<&BTreeMap<u64, f64>> =
        ranked.iter().filter_map(|&index| errors[index].as_ref()).collect();
    let first = of_ranked.first()?;
    let common: Vec<u64> =
        first.keys().copied().filter(|key| of_ranked.iter().all(|run| run.contains_key(key))).collect();
    let series = of_ranked.iter().map(|run| common.iter().filter_map(|key| run.get(key).copied()).collect());
    let compared = Compared {
        rank_by,
        min_coverage,
        names: cases.iter().map(|case| case.name.as_str()).collect(),
        coverages,
        series: series.collect(),
        common: common.len(),
        whole: of_ranked.iter().map(|run| run.len()).max().unwrap_or(0),
        ranked,
    };
    let comparison = compared.ranked_with_intervals(how);
    let finding = common_support(&comparison, rank_by);
    Some((comparison, finding))
}

fn common_support(comparison: &RunComparison, rank_by: RankBy) -> Finding {
    let what = match rank_by {
        RankBy::AteTranslation => "true poses, each under the fit of its own run",
        RankBy::RelativeDisplacement => "relations",
    };
    let message = format!(
        "the ranking compares {} of {} {what}: those that every ranked run kept an error of",
        comparison.common, comparison.whole
    );
    Finding::new(Level::Info, "COMMON_SUPPORT", message)
}

/// What is resampled by the true pose or the relation that it belongs to: squares for a root mean square. Of several
/// errors at one true pose the last counts.
fn keyed(case: &CaseReport, rank_by: RankBy) -> Option<BTreeMap<u64, f64>> {
    let (table, key) = match rank_by {
        RankBy::AteTranslation => ("errors", "true_time_s"),
        RankBy::RelativeDisplacement => ("relation_errors", "relation"),
    };
    let table = case.errors.iter().find(|errors| errors.name == table)?;
    let (key, error) = (column(table, key)?, column(table, "translation_error_m")?);
    let value = |error: f64| if rank_by == RankBy::AteTranslation { error * error } else { error };
    let row = |row: &Vec<f64>| {
        // Times in order of their bits are in order of time from 0 on, which blocks of neighbours need.
        let at = *row.get(key)?;
        Some((at.to_bits(), value(*row.get(error)?)))
    };
    Some(table.rows.iter().filter_map(row).collect())
}

fn column(table: &ErrorTable, name: &str) -> Option<usize> {
    table.columns.iter().position(|column| column == name)
}
