//! A whole contest: measure every submission, score, rank, say how sure the order is.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use report::ContestReport;

use super::entrants::{Contest, Submission, Submissions};
use super::formula::Formula;
use super::measure::measure;
use super::measured::Measured;
use super::missing_truth::missing_truth;
use super::rank::contest_report;
use super::standing::{Entries, Entry, standing};
use super::store::{Store, key};
use crate::{Figures, JobError, Plan};

/// How a contest is judged.
#[derive(Clone, Debug)]
pub struct ContestOptions {
    /// Resamples behind the significance; 0 for none.
    pub resamples: usize,
    /// Seed of the resamples.
    pub seed: u64,
    /// Whether figures are drawn.
    pub figures: Figures,
    /// Time of judging, for pages and JSON; none leaves every output as it would be at any time.
    pub stamp: Option<String>,
}

impl Default for ContestOptions {
    fn default() -> Self {
        Self { resamples: 1000, seed: crate::DEFAULT_SEED, figures: Figures::None, stamp: None }
    }
}

/// A contest that was judged: everything that pages and servers show, owned.
#[derive(Clone, Debug)]
pub struct ContestResult {
    /// Ranking, significance, findings.
    pub report: ContestReport,
    /// What was measured, by team in the order of the contest, then by mission.
    pub entries: Entries,
    /// Submissions that were measured in this run and not taken from the store.
    pub measured_now: usize,
}

/// Judges a contest. `progress` is called with the number of finished submissions.
///
/// # Errors
/// The rules do not hold together, or the truth lacks what every score rests on. A broken submission is no error.
pub fn judge_contest(
    contest: &Contest,
    submissions: &dyn Submissions,
    options: &ContestOptions,
    store: Option<&dyn Store>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<ContestResult, JobError> {
    if let Some(missing) = missing_truth(contest, submissions).first() {
        return Err(missing.into());
    }
    let formula = Formula::parse(&contest.profile.formula)
        .map_err(|error| JobError::contest("formula", error.to_string(), "see the profile"))?;
    let plans: Vec<Plan> = contest
        .missions
        .iter()
        .map(|mission| Plan { figures: options.figures, ..contest.plan(mission) })
        .collect();
    let missions = contest.missions.len();
    let (done, now) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let one = |index: usize| {
        let (team, mission) = (index / missions, index % missions);
        let (entry, key, is_new) = entry(contest, (team, mission), &plans[mission], submissions, store);
        now.fetch_add(usize::from(is_new), Ordering::Relaxed);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        (entry, key)
    };
    let found: Vec<(Entry, Option<String>)> =
        (0..contest.teams.len() * missions).into_par_iter().map(one).collect();
    if let Some(store) = store {
        store.keep_only(&found.iter().filter_map(|(_, key)| key.clone()).collect::<Vec<_>>());
    }
    let mut found = found.into_iter().map(|(entry, _)| entry);
    let entries: Entries =
        (0..contest.teams.len()).map(|_| found.by_ref().take(missions).collect()).collect();
    let value = |team: usize, mission: usize, name: &str| entries[team][mission].measured.value(name);
    let standing = standing(contest, &formula, &entries, &value);
    let report = contest_report(contest, &formula, &entries, &standing, options);
    Ok(ContestResult { report, entries, measured_now: now.into_inner() })
}

/// A submission with what was measured of it now or before; the key, and whether it was now.
fn entry(
    contest: &Contest,
    (team, mission): (usize, usize),
    plan: &Plan,
    submissions: &dyn Submissions,
    store: Option<&dyn Store>,
) -> (Entry, Option<String>, bool) {
    let mut submission = submissions.load(team, mission);
    let name = &contest.teams[team];
    submission.subject.name.clone_from(name);
    let at = &contest.missions[mission];
    let key = store.and_then(|_| key(contest, at, plan, name, &submission));
    let stored = key.as_ref().zip(store).and_then(|(key, store)| store.get(key));
    let stored = stored.and_then(|bytes| serde_json::from_slice::<Measured>(&bytes).ok());
    let is_new = stored.is_none();
    let measured = stored.unwrap_or_else(|| measure(contest, at, plan, &submission));
    if let (true, Some(key), Some(store)) = (is_new, &key, store)
        && let Ok(bytes) = serde_json::to_vec(&measured)
    {
        store.put(key, &bytes);
    }
    let Submission { operators, entered, signatures, .. } = submission;
    let entry = Entry { operators, entered, signatures, measured };
    (entry, key, is_new)
}
