//! Several runs against each other, honestly: on what all of them have, with intervals and paired tests.
//!
//! A run below the least coverage is listed and not ranked, and does not shrink what the others are compared on.

use align::trajectory::Fittable;
use metrics::trajectory::absolute_errors::AbsoluteErrors;
use metrics::trajectory::relative_displacement::RelativeDisplacement;
use metrics::trajectory::statistics::quantile;
use metrics::trajectory::{Run, Runs};
use model::{Finding, Level};
use report::{Algorithm, CaseReport, RankedRun, RunComparison, RunPair};

use super::bootstrap::{Resampled, interval, resample, two_sided_p};
use crate::judge::Judged;
use crate::{Plan, RankBy, Ranking, Truth};

impl RankBy {
    /// The value of a mean of what is resampled: squares for a root mean square.
    fn value(self, mean: f64) -> f64 {
        match self {
            Self::AteTranslation => mean.sqrt(),
            Self::RelativeDisplacement => mean,
        }
    }
}

/// Compares the runs of several cases on what all of them have; none for a single run.
pub(crate) fn compare_runs(
    plan: &Plan,
    truth: &Truth,
    judged: &[&Judged],
) -> Option<(RunComparison, Finding)> {
    let with_run: Vec<(&Runs, &CaseReport)> =
        judged.iter().filter_map(|judged| Some((judged.case.run().ok()?, &judged.report))).collect();
    let (runs, cases): (Vec<&Runs>, Vec<&CaseReport>) = with_run.into_iter().unzip();
    let comparison = compare(plan, truth, &runs, &cases)?;
    let finding = common_support(&comparison);
    Some((comparison, finding))
}

/// Says that the ranking rests on what all runs have.
fn common_support(comparison: &RunComparison) -> Finding {
    let message = format!(
        "the ranking compares {} of {} true poses or relations, those that every ranked run was matched with; the \
         values in the table rest on what each run has by itself",
        comparison.common, comparison.whole
    );
    Finding::new(Level::Info, "COMMON_SUPPORT", message)
}

/// `runs` and `cases` go together.
fn compare(plan: &Plan, truth: &Truth, runs: &[&Runs], cases: &[&CaseReport]) -> Option<RunComparison> {
    if runs.len() < 2 {
        return None;
    }
    let by_default =
        if truth.trajectory.is_some() { RankBy::AteTranslation } else { RankBy::RelativeDisplacement };
    let rank_by = plan.ranking.rank_by.unwrap_or(by_default);
    let min_coverage = plan.matching.min_coverage;
    let coverages: Vec<Option<f64>> = cases.iter().map(|case| case.coverage()).collect();
    let is_ranked = |index: &usize| cases[*index].matched_share().is_some_and(|share| share >= min_coverage);
    let ranked: Vec<usize> = (0..runs.len()).filter(is_ranked).collect();
    let found: Vec<Vec<Option<f64>>> =
        ranked.iter().map(|&index| errors(runs[index], rank_by, None)).collect();
    let whole = found.first().map_or(0, Vec::len);
    let is_common: Vec<bool> = (0..whole).map(|key| found.iter().all(|run| run[key].is_some())).collect();
    let common = is_common.iter().filter(|is| **is).count();
    let series: Vec<Vec<f64>> = ranked
        .iter()
        .map(|&index| errors(runs[index], rank_by, Some(&is_common)).into_iter().flatten().collect())
        .collect();
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let compared = Compared { rank_by, min_coverage, names, coverages, ranked, series, common, whole };
    Some(compared.ranked_with_intervals(&plan.ranking))
}

/// Errors of several runs on what the ranked ones have in common.
pub(super) struct Compared<'a> {
    pub rank_by: RankBy,
    pub min_coverage: f64,
    /// Of all runs.
    pub names: Vec<&'a str>,
    pub coverages: Vec<Option<f64>>,
    /// Numbers of the runs that are ranked.
    pub ranked: Vec<usize>,
    /// What is resampled, for each ranked run.
    pub series: Vec<Vec<f64>>,
    /// Errors in each series, of so many poses or relations in all.
    pub common: usize,
    pub whole: usize,
}

impl Compared<'_> {
    /// The ranking with its intervals and paired tests, by the same blocks for all.
    pub fn ranked_with_intervals(&self, how: &Ranking) -> RunComparison {
        let Self { rank_by, min_coverage, names, coverages, ranked, series, common, whole } = self;
        let resampled = resample(series, how.resamples, how.seed);
        let ranking = ranking(*min_coverage, *rank_by, names, coverages, (ranked, series), &resampled);
        RunComparison {
            rank_by: rank_by.id().to_owned(),
            statistic: if *rank_by == RankBy::AteTranslation { "rmse" } else { "mean" }.to_owned(),
            unit: metrics::Unit::Metres,
            common: *common,
            whole: *whole,
            min_coverage: *min_coverage,
            resamples: resampled.means.len(),
            block: resampled.block,
            pairs: pairs(*rank_by, &ranking, names, (ranked, series), &resampled),
            algorithms: algorithms(&ranking),
            ranking,
        }
    }
}

/// What is resampled, by the number of the true pose or of the relation; only where `is_common` if given.
fn errors(runs: &Runs, rank_by: RankBy, is_common: Option<&[bool]>) -> Vec<Option<f64>> {
    match runs {
        Runs::Planar(run) => errors_of(run, rank_by, is_common),
        Runs::Spatial(run) => errors_of(run, rank_by, is_common),
    }
}

fn errors_of<P: Fittable>(run: &Run<P>, rank_by: RankBy, is_common: Option<&[bool]>) -> Vec<Option<f64>> {
    let takes = |key: usize| is_common.is_none_or(|is_common| is_common[key]);
    if rank_by == RankBy::RelativeDisplacement {
        let count = run.relations.as_ref().map_or(0, Vec::len);
        let mut found = vec![None; count];
        let measured = RelativeDisplacement::default().errors(run);
        for error in measured.iter().flat_map(|measured| &measured.errors).filter(|error| takes(error.index))
        {
            found[error.index] = Some(error.translation_m);
        }
        return found;
    }
    let mut found: Vec<Option<(f64, f64)>> = vec![None; run.truth.as_ref().map_or(0, |truth| truth.len())];
    let run = Run { matches: run.matches.kept(takes), ..run.clone() };
    let measured = AbsoluteErrors::default().measure(&run, |error| error.distance_m().powi(2));
    let (Ok(measured), Ok(pairs)) = (measured, run.pairs()) else { return vec![None; found.len()] };
    for (pair, square) in pairs.zip(measured.errors) {
        let (sum, count) = found[pair.truth_index].unwrap_or_default();
        found[pair.truth_index] = Some((sum + square, count + 1.0));
    }
    found.into_iter().map(|slot| slot.map(|(sum, count)| sum / count)).collect()
}

fn mean(errors: &[f64]) -> f64 {
    errors.iter().sum::<f64>() / errors.len() as f64
}

fn ranking(
    min_coverage: f64,
    rank_by: RankBy,
    names: &[&str],
    coverages: &[Option<f64>],
    (ranked, series): (&[usize], &[Vec<f64>]),
    resampled: &Resampled,
) -> Vec<RankedRun> {
    let mut rows: Vec<RankedRun> = Vec::new();
    for (column, (&index, errors)) in ranked.iter().zip(series).enumerate() {
        let bounds = interval(resampled.means.iter().map(|row| rank_by.value(row[column])).collect());
        rows.push(RankedRun {
            name: names[index].to_owned(),
            rank: None,
            value: (!errors.is_empty()).then(|| rank_by.value(mean(errors))),
            low: bounds.map(|bounds| bounds.0),
            high: bounds.map(|bounds| bounds.1),
            quartiles: quartiles(rank_by, errors),
            coverage: coverages[index],
            reason: errors.is_empty().then(|| "nothing is common to all ranked runs".to_owned()),
        });
    }
    let value = |run: &RankedRun| run.value.unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| value(a).total_cmp(&value(b)).then_with(|| a.name.cmp(&b.name)));
    for (place, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.value.is_some()) {
        row.rank = Some(place + 1);
    }
    let unranked = (0..names.len()).filter(|index| !ranked.contains(index)).map(|index| RankedRun {
        name: names[index].to_owned(),
        rank: None,
        value: None,
        low: None,
        high: None,
        quartiles: None,
        coverage: coverages[index],
        reason: Some(match coverages[index] {
            Some(share) => format!("its coverage of {share:.3} is below {min_coverage}"),
            None => "nothing of it was matched".to_owned(),
        }),
    });
    rows.into_iter().chain(unranked).collect()
}

/// The smallest error, the quartiles and the largest.
fn quartiles(rank_by: RankBy, errors: &[f64]) -> Option<[f64; 5]> {
    let mut errors: Vec<f64> = errors.iter().map(|&error| rank_by.value(error)).collect();
    (!errors.is_empty()).then(|| [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&mut errors, share)))
}

/// Every pair of ranked runs, compared on the same blocks.
fn pairs(
    rank_by: RankBy,
    ranking: &[RankedRun],
    names: &[&str],
    (ranked, series): (&[usize], &[Vec<f64>]),
    resampled: &Resampled,
) -> Vec<RunPair> {
    let column = |name: &str| ranked.iter().position(|&index| names[index] == name);
    let placed: Vec<&RankedRun> = ranking.iter().filter(|run| run.rank.is_some()).collect();
    let mut found = Vec::new();
    for (place, better) in placed.iter().enumerate() {
        for worse in &placed[place + 1..] {
            let (Some(a), Some(b)) = (column(&better.name), column(&worse.name)) else { continue };
            let difference = |a: f64, b: f64| rank_by.value(b) - rank_by.value(a);
            let differences: Vec<f64> =
                resampled.means.iter().map(|row| difference(row[a], row[b])).collect();
            let p = two_sided_p(&differences);
            let Some((low, high)) = interval(differences) else { continue };
            let (better, worse) = (better.name.clone(), worse.name.clone());
            found.push(RunPair {
                better,
                worse,
                difference: difference(mean(&series[a]), mean(&series[b])),
                low,
                high,
                p,
            });
        }
    }
    found
}

/// Runs whose names differ only in a number at the end are trials of one algorithm.
fn algorithms(ranking: &[RankedRun]) -> Vec<Algorithm> {
    let stem =
        |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit() || "_-. ".contains(c)).to_owned();
    let mut names: Vec<String> =
        ranking.iter().map(|run| stem(&run.name)).filter(|name| !name.is_empty()).collect();
    names.sort();
    names.dedup();
    let summary = |name: String| {
        let runs: Vec<&RankedRun> = ranking.iter().filter(|run| stem(&run.name) == name).collect();
        let values: Vec<f64> = runs.iter().filter_map(|run| run.value).collect();
        let mean = (!values.is_empty()).then(|| mean(&values));
        let square = mean.map(|mean| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>());
        let std = square.filter(|_| values.len() > 1).map(|sum| (sum / (values.len() - 1) as f64).sqrt());
        let (min, max) = (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max));
        Algorithm { name, trials: values.len(), runs: runs.len(), mean, std, min, max }
    };
    names.into_iter().map(summary).filter(|algorithm| algorithm.runs > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_known_by_their_names() {
        let run = |name: &str, value: Option<f64>| RankedRun {
            name: name.to_owned(),
            rank: None,
            value,
            low: None,
            high: None,
            quartiles: None,
            coverage: None,
            reason: None,
        };
        let ranking = [
            run("gmapping_1", Some(1.0)),
            run("gmapping_2", Some(3.0)),
            run("gmapping-3", None),
            run("karto", Some(9.0)),
        ];
        let found = algorithms(&ranking);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].trials, found[0].runs), ("gmapping", 2, 3));
        assert_eq!((found[0].mean, found[0].min, found[0].max), (Some(2.0), Some(1.0), Some(3.0)));
        assert!((found[0].std.unwrap() - 2.0_f64.sqrt()).abs() < 1e-12);
    }
}
