//! Paradigms of sonar mapping compared on seeded places, by the metrics of Collins et al.
//!
//! A simulated ring goes through each place at true poses; every paradigm makes a map of the same readings; each map is
//! judged against the truth by the five measures of the paper: Baron's correlation, map score, occupied-cell score and
//! the shares of incomplete and invalid paths.

use std::collections::BTreeMap;

use align::Anchoring;
use mapper::MapperError;
use mapper::sonar::{Cone, SonarEntry, SonarMapping, sonar_mappings};
use metrics::Better;
use metrics::paths::path_inputs::PathInputs;
use model::{Grid, GridGeometry, Pose2, SonarSweep};
use report::CaseReport;
use serde::Serialize;
use sim::run::{SonarRun, SonarWalk};

use crate::{AlignBy, Figures, JobError, Loaded, Map, Plan, Subject, Truth, judge};

/// The name of the form of [`SonarReport`].
pub const SONAR_SCHEMA: &str = "mapjudge.sonar/1";

/// The measures of the paper, sections 4.1 to 4.4.
pub const SONAR_METRICS: [&str; 5] = [
    "baron_correlation",
    "map_score_collins",
    "occupied_map_score_collins",
    "path_false_negatives",
    "path_false_positives",
];
/// Coverage stands beside every score.
const COVERAGE: &str = "known_coverage";

/// What is compared.
#[derive(Clone, Debug)]
pub struct SonarPlan {
    /// One place for each.
    pub seeds: Vec<u64>,
    /// Radius of the robot of the path measures, metres.
    pub robot_radius_m: f64,
    /// Parameters that differ from the defaults: mapper, then name, then value.
    pub settings: BTreeMap<String, mapper::Settings>,
    /// Whether figures are drawn.
    pub figures: Figures,
}

/// One map of one place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SonarScore {
    /// Name of the mapper.
    pub mapper: &'static str,
    /// Values of [`SONAR_METRICS`] in their order; null where undefined.
    pub values: Vec<Option<f64>>,
    /// Rank under each of them, 1 is best, equals share the mean of their ranks; null where undefined.
    pub ranks: Vec<Option<f64>>,
    /// Mean of the ranks that are defined; null if none is.
    pub mean_rank: Option<f64>,
    /// Share of the truth's known cells that the map knows, 0 to 1.
    pub coverage: Option<f64>,
}

/// One place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SonarPlace {
    /// Seed of the rooms and of the noise.
    pub seed: u64,
    /// Sweeps of the ring.
    pub sweeps: usize,
    /// Readings of all transducers.
    pub readings: usize,
    /// Share of the readings without an echo, 0 to 1.
    pub without_echo: f64,
    /// The maps, the plainest paradigm first.
    pub maps: Vec<SonarScore>,
}

/// A paradigm over all places.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SonarRank {
    /// Name of the mapper.
    pub mapper: &'static str,
    /// Mean of its mean ranks; null if no value of it is defined.
    pub mean_rank: Option<f64>,
    /// Places on which its mean rank is better than that of the first, naive paradigm; null for that one itself.
    pub above_naive: Option<usize>,
}

/// The whole comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SonarReport {
    /// Name of this form.
    pub schema: &'static str,
    /// Ids of the measures.
    pub metrics: [&'static str; 5],
    /// What is better under each: `higher`, `lower` or `closer`.
    pub better: Vec<Better>,
    /// The places.
    pub places: Vec<SonarPlace>,
    /// The paradigms, best first.
    pub ranking: Vec<SonarRank>,
}

/// Compares the paradigms; the cases are the maps as they were judged. `progress` is told the maps done and all maps.
///
/// # Errors
/// No seed, a radius that is none, settings that the mappers refuse, or a map that cannot be judged.
pub fn compare_sonar(
    plan: &SonarPlan,
    progress: &dyn Fn(usize, usize),
) -> Result<(SonarReport, Vec<CaseReport>), JobError> {
    if plan.seeds.is_empty() {
        return Err(JobError::Incomplete("seed"));
    }
    let mappings = sonar_mappings();
    if let Some(name) = plan.settings.keys().find(|name| mappings.iter().all(|entry| entry.name != **name)) {
        let known = mappings.iter().map(|entry| entry.name).collect();
        return Err(MapperError::UnknownMapper { name: name.clone(), known }.into());
    }
    let all = plan.seeds.len() * mappings.len();
    let (mut places, mut cases) = (Vec::new(), Vec::new());
    for &seed in &plan.seeds {
        let run = SonarWalk { seed, ..SonarWalk::default() }.run()?;
        let truth = run.arena.truth(SonarWalk::default().sonar.height_m)?;
        let mut of_place = Vec::new();
        for mapping in &mappings {
            of_place.push(judged(plan, seed, &run, &truth, mapping)?);
            progress(cases.len() + of_place.len(), all);
        }
        places.push(place(seed, &run, &mappings, &of_place));
        cases.extend(of_place);
    }
    let ranking = ranking(&mappings, &places);
    let better = better_of(&cases);
    let report = SonarReport { schema: SONAR_SCHEMA, metrics: SONAR_METRICS, better, places, ranking };
    Ok((report, cases))
}

/// Maps a place and judges the map.
fn judged(
    plan: &SonarPlan,
    seed: u64,
    run: &SonarRun,
    truth: &Grid,
    entry: &SonarEntry,
) -> Result<CaseReport, JobError> {
    let name = format!("{}, seed {seed}", entry.name);
    let mapping = entry.make(plan.settings.get(entry.name).unwrap_or(&mapper::Settings::new()))?;
    let Some(map) = mapped(mapping, run, truth.geometry()) else {
        return Err(JobError::NoMap { path: name, why: "no reading had an echo".to_owned() });
    };
    let loaded = |grid: Grid| Loaded::in_memory(Map::anchored(grid, Anchoring::Given));
    let subject = Subject::of_map(name, loaded(map));
    let truth = Truth { map: Some(loaded(truth.clone())), ..Truth::default() };
    let judging = Plan {
        metrics: SONAR_METRICS.iter().chain([&COVERAGE]).map(|id| (*id).to_owned()).collect(),
        // The paper correlates probabilities, not classes.
        set: BTreeMap::from([(
            SONAR_METRICS[0].to_owned(),
            BTreeMap::from([("input".to_owned(), "probability".into())]),
        )]),
        align: AlignBy::None,
        paths: Some(PathInputs { robot_radius_m: plan.robot_radius_m, ..PathInputs::default() }),
        figures: plan.figures,
        ..Plan::default()
    };
    judge(&subject, &truth, &judging)
}

/// The map of all sweeps, on the cells of the truth: these have their middles, not their corners, at whole cells.
fn mapped(mut mapping: Box<dyn SonarMapping>, run: &SonarRun, cells: &GridGeometry) -> Option<Grid> {
    let (limits, half_m) = (mapping.limits(), cells.cell_size_m() / 2.0);
    let moved = Pose2::new(half_m, half_m, 0.0);
    for (pose, sweep) in &run.sweeps {
        mapping.add(&cones(sweep, limits.max_m), moved * *pose);
    }
    mapping.finish();
    let map = mapping.grid()?;
    let found = map.geometry();
    let origin = Pose2::new(found.origin().x_m - half_m, found.origin().y_m - half_m, 0.0);
    let geometry = GridGeometry::new(found.width(), found.height(), found.cell_size_m(), origin).ok()?;
    let probabilities = (0..geometry.cells()).map(|index| map.number(index)).collect();
    Grid::new(geometry, map.classes().to_vec()).ok()?.with_probabilities(probabilities).ok()
}

fn cones(sweep: &SonarSweep, max_m: f64) -> Vec<Cone> {
    let max_m = max_m.min(sweep.max_range_m);
    let cone = |(mount, range_m): (&Pose2, &f32)| {
        let range_m = f64::from(*range_m);
        Cone {
            robot_from_transducer: *mount,
            opening_rad: sweep.cone_rad,
            range_m: range_m.min(max_m),
            is_echo: range_m < max_m,
        }
    };
    sweep.robot_from_transducers.iter().zip(&sweep.ranges_m).map(cone).collect()
}

fn value(case: &CaseReport, id: &str) -> Option<f64> {
    case.metric(id).and_then(|record| record.value)
}

fn better_of(cases: &[CaseReport]) -> Vec<Better> {
    let better = |id: &&str| cases.iter().find_map(|case| case.metric(id)).map(|record| record.better);
    SONAR_METRICS.iter().map(|id| better(id).unwrap_or(Better::Lower)).collect()
}

fn place(seed: u64, run: &SonarRun, mappings: &[SonarEntry], cases: &[CaseReport]) -> SonarPlace {
    let readings =
        || run.sweeps.iter().flat_map(|(_, sweep)| sweep.ranges_m.iter().zip(std::iter::repeat(sweep)));
    let without = readings().filter(|(range_m, sweep)| f64::from(**range_m) >= sweep.max_range_m).count();
    let ranks: Vec<Vec<Option<f64>>> = SONAR_METRICS
        .iter()
        .zip(better_of(cases))
        .map(|(id, better)| ranks(&cases.iter().map(|case| value(case, id)).collect::<Vec<_>>(), better))
        .collect();
    let score = |(index, entry): (usize, &SonarEntry)| {
        let ranks: Vec<Option<f64>> = ranks.iter().map(|of_metric| of_metric[index]).collect();
        SonarScore {
            mapper: entry.name,
            values: SONAR_METRICS.iter().map(|id| value(&cases[index], id)).collect(),
            mean_rank: mean(ranks.iter().copied().flatten()),
            ranks,
            coverage: value(&cases[index], COVERAGE),
        }
    };
    SonarPlace {
        seed,
        sweeps: run.sweeps.len(),
        readings: readings().count(),
        without_echo: without as f64 / readings().count().max(1) as f64,
        maps: mappings.iter().enumerate().map(score).collect(),
    }
}

/// Rank of each value, 1 for the best; equals share the mean of their ranks, undefined values have none.
fn ranks(values: &[Option<f64>], better: Better) -> Vec<Option<f64>> {
    let is_ahead = |a: f64, b: f64| if better == Better::Higher { a > b } else { a < b };
    let rank = |own: f64| {
        let others = || values.iter().copied().flatten();
        let ahead = others().filter(|other| is_ahead(*other, own)).count();
        let equal = others().filter(|other| *other == own).count();
        ahead as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(|value| value.map(rank)).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

fn ranking(mappings: &[SonarEntry], places: &[SonarPlace]) -> Vec<SonarRank> {
    let rank = |(index, entry): (usize, &SonarEntry)| {
        let is_above = |place: &&SonarPlace| {
            let [own, naive] = [index, 0].map(|map| place.maps[map].mean_rank);
            own.zip(naive).is_some_and(|(own, naive)| own < naive)
        };
        SonarRank {
            mapper: entry.name,
            mean_rank: mean(places.iter().filter_map(|place| place.maps[index].mean_rank)),
            above_naive: (index > 0).then(|| places.iter().filter(is_above).count()),
        }
    };
    let mut ranking: Vec<SonarRank> = mappings.iter().enumerate().map(rank).collect();
    ranking.sort_by(|a, b| {
        let key = |rank: &SonarRank| rank.mean_rank.unwrap_or(f64::INFINITY);
        key(a).total_cmp(&key(b))
    });
    ranking
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seeds: Vec<u64>) -> SonarPlan {
        SonarPlan { seeds, robot_radius_m: 0.25, settings: BTreeMap::new(), figures: Figures::None }
    }

    #[test]
    fn ranks_share_ties_and_leave_out_what_is_undefined() {
        let values = [Some(2.0), None, Some(1.0), Some(2.0)];
        assert_eq!(ranks(&values, Better::Lower), [Some(2.5), None, Some(1.0), Some(2.5)]);
        assert_eq!(ranks(&values, Better::Higher), [Some(1.5), None, Some(3.0), Some(1.5)]);
        assert_eq!(mean(std::iter::empty()), None);
    }

    #[test]
    fn the_forward_model_is_above_the_last_reading_on_three_places() {
        let plan = plan(vec![1, 2, 3]);
        let (report, cases) = compare_sonar(&plan, &|_, _| {}).unwrap();
        assert_eq!((report.places.len(), cases.len()), (3, 9));
        let forward = report.ranking.iter().find(|rank| rank.mapper == "sonar-forward").unwrap();
        assert_eq!(forward.above_naive, Some(3), "{report:#?}");
        assert_eq!(report.ranking[0].mapper, "sonar-forward", "{report:#?}");
    }

    #[test]
    fn no_seed_and_unknown_settings_are_refused() {
        let compared = |plan: &SonarPlan| compare_sonar(plan, &|_, _| {});
        assert!(matches!(compared(&plan(Vec::new())), Err(JobError::Incomplete("seed"))));
        let mut wrong = plan(vec![1]);
        wrong.settings.insert("sonar-oracle".to_owned(), mapper::Settings::new());
        assert!(compared(&wrong).unwrap_err().to_string().contains("sonar-oracle"));
        let mut wrong = plan(vec![1]);
        wrong
            .settings
            .insert("sonar-last".to_owned(), [("colour".to_owned(), 1.into())].into_iter().collect());
        assert!(compared(&wrong).is_err());
    }
}
