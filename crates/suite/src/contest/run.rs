//! A whole contest: measure every submission, score, rank, say how sure the order is.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use report::ContestReport;

use super::combine::Details;
use super::entrants::{Contest, Stated, Submissions};
use super::formula::Formula;
use super::hand_frame::add_scores;
use super::measured::Measured;
use super::measurer::{InProcess, Measurement, Measurer, plan_of};
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

/// Judges a contest in this process. `progress` is called with the number of finished submissions.
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
    let here = InProcess { contest, submissions, figures: options.figures };
    judge_contest_by(contest, submissions, options, &here, store, progress)
}

/// As [`judge_contest`], with submissions measured by somebody else, such as processes with limits. What the store
/// holds is not measured at all, and no file of it is decoded.
///
/// # Errors
/// As [`judge_contest`].
pub fn judge_contest_by(
    contest: &Contest,
    submissions: &dyn Submissions,
    options: &ContestOptions,
    measurer: &dyn Measurer,
    store: Option<&dyn Store>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<ContestResult, JobError> {
    if let Some(missing) = missing_truth(contest, submissions).first() {
        return Err(missing.into());
    }
    let formula = Formula::parse(&contest.profile.formula)
        .map_err(|error| JobError::contest("formula", error.to_string(), "see the profile"))?;
    let missions = contest.missions.len();
    let plans: Vec<Plan> =
        contest.missions.iter().map(|mission| plan_of(contest, mission, options.figures)).collect();
    let contents = contents(contest, submissions, store);
    let done = AtomicUsize::new(0);
    let one = |index: usize| {
        let (team, mission) = (index / missions, index % missions);
        let content = contents[team].get(mission).cloned().flatten();
        let key = content.and_then(|content| {
            key(contest, &contest.missions[mission], &plans[mission], (&contest.teams[team], &content))
        });
        let (measured, is_new) = measured((team, mission), measurer, key.as_ref().zip(store));
        let Stated { operators, entered, signatures } = submissions.stated(team, mission);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        (Entry { operators, entered, signatures, measured }, key, is_new)
    };
    let found: Vec<Found> = (0..contest.teams.len() * missions).into_par_iter().map(one).collect();
    let measured_now = found.iter().filter(|(_, _, is_new)| *is_new).count();
    if let Some(store) = store {
        store.keep_only(&lasting_keys(submissions, &contents, &found, missions));
    }
    let mut found = found.into_iter().map(|(entry, ..)| entry);
    let mut entries: Entries =
        (0..contest.teams.len()).map(|_| found.by_ref().take(missions).collect()).collect();
    let value = |team: usize, mission: usize, name: &str| entries[team][mission].measured.value(name);
    let standing = standing(contest, &formula, &entries, &value, Details::Kept);
    add_scores(contest, &formula, &mut entries, &standing);
    let report = contest_report(contest, &formula, &entries, &standing, options);
    Ok(ContestResult { report, entries, measured_now })
}

/// A submission that was judged, the key of its measurement, and whether it was measured now.
type Found = (Entry, Option<String>, bool);

/// The hashes of every team's submissions, by mission; none without a store, which alone asks for them.
fn contents(
    contest: &Contest,
    submissions: &dyn Submissions,
    store: Option<&dyn Store>,
) -> Vec<Vec<Option<String>>> {
    let teams = (0..contest.teams.len()).into_par_iter();
    teams.map(|team| store.map_or_else(Vec::new, |_| submissions.contents(team))).collect()
}

/// What the store holds, or what is measured now; whether it was now.
fn measured(
    (team, mission): (usize, usize),
    measurer: &dyn Measurer,
    place: Option<(&String, &dyn Store)>,
) -> (Measured, bool) {
    let stored = place.and_then(|(key, store)| store.get(key));
    if let Some(stored) = stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        return (stored, false);
    }
    let Measurement { measured, is_repeatable } = measurer.measure(team, mission);
    if let (true, Some((key, store))) = (is_repeatable, place)
        && let Ok(bytes) = serde_json::to_vec(&measured)
    {
        store.put(key, &bytes);
    }
    (measured, true)
}

/// The keys of entries that hold for the next run: not those of a team whose files changed while they were measured.
fn lasting_keys(
    submissions: &dyn Submissions,
    contents: &[Vec<Option<String>>],
    found: &[Found],
    missions: usize,
) -> Vec<String> {
    let of_team = |(team, entries): (usize, &[Found])| {
        let is_new = entries.iter().any(|(_, key, is_new)| *is_new && key.is_some());
        let after = if is_new { submissions.contents(team) } else { contents[team].clone() };
        let is_same = |(mission, (_, key, _)): (usize, &Found)| {
            key.clone().filter(|_| after.get(mission) == contents[team].get(mission))
        };
        entries.iter().enumerate().filter_map(is_same).collect::<Vec<_>>()
    };
    let teams: Vec<_> = found.chunks(missions.max(1)).enumerate().collect();
    teams.into_par_iter().flat_map_iter(of_team).collect()
}
