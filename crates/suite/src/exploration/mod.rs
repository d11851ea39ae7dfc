//! A place explored by robots that know where they are: the run, its report, the final map judged, figures.
//!
//! Schema `mapjudge.exploration/1`. All but the times of planning is the same for the same place and parameters.

mod figures;
mod files;
mod starts;

use std::sync::Arc;

use align::common_grid;
use explore::{
    AreaLog, Choice, Ending, Exploration, ExploreError, GridWorld, GridWorldParams, Laser, Planning,
    RunParams, run,
};
use metrics::{Case, Resample, Window};
use model::{CellClass, Grid, Pose2, Similarity2};
use report::{Figure, Frame, RunPage, run_page};
use serde::Serialize;

use crate::judge::measure;
use crate::playback::frames_of_paths;
use crate::{JobError, choose};
pub use files::{ExploreJob, explore_place};

/// The name of this schema.
pub const EXPLORATION_SCHEMA: &str = "mapjudge.exploration/1";

/// Whether the nearest-frontier explorer runs as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comparison {
    /// No.
    #[default]
    None,
    /// Yes, from the same start.
    NearestFrontier,
}

/// By whom and how a place is explored.
#[derive(Clone, Debug)]
pub struct ExplorePlan {
    /// Number of robots, 1 to 16.
    pub robots: usize,
    /// The laser of each robot.
    pub laser: Laser,
    /// Planning and limits.
    pub params: RunParams,
    /// Whether the baseline runs as well.
    pub comparison: Comparison,
}

/// What came of it.
#[derive(Debug)]
pub struct Explored {
    /// Times, distances, coverage, scores.
    pub report: ExplorationReport,
    /// What the robots know in the end.
    pub map: Grid,
    /// The transform with a short and a safe path, the paths of the robots on the map, area over time.
    pub figures: Vec<Figure>,
    /// When each cell of the map became known, seconds; infinite for one that never did.
    pub known_at_s: Vec<f32>,
    /// The run as it can be played.
    pub frames: Vec<Frame>,
}

impl Explored {
    /// The page of the run.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub fn page(&self) -> Result<String, JobError> {
        let run = &self.report.run;
        let facts = vec![
            ("known of what can be reached", format!("{:.2} %", 100.0 * run.coverage)),
            ("distance travelled", format!("{:.1} m", run.distance_m)),
            ("time", format!("{:.0} s", run.time_s)),
            ("robots", run.robots.to_string()),
            ("collisions", run.collisions.to_string()),
        ];
        let title = if self.report.place.is_empty() { "Exploration" } else { &self.report.place };
        Ok(run_page(&RunPage {
            title: title.to_owned(),
            kind: "Exploration",
            facts,
            map: Some(&self.map),
            known_at_s: &self.known_at_s,
            frames: &self.frames,
            figures: self.figures.clone(),
            ..RunPage::default()
        })?)
    }
}

/// The report of an exploration.
#[derive(Clone, Debug, Serialize)]
pub struct ExplorationReport {
    /// Always `mapjudge.exploration/1`.
    pub schema: &'static str,
    /// The file of the place as given, without its folder if it was absolute; empty if it came from no file.
    pub place: String,
    /// Area that can be reached from the start, square metres.
    pub reachable_m2: f64,
    /// The run.
    #[serde(flatten)]
    pub run: RunReport,
    /// The nearest-frontier explorer from the same start, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<RunReport>,
    /// Distance driven as a multiple of the baseline's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_ratio: Option<f64>,
    /// The effective parameters.
    pub params: RunParams,
    /// The laser.
    pub laser: Laser,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// How frontiers were chosen.
    pub choice: Choice,
    /// Number of robots.
    pub robots: usize,
    /// Why the run ended.
    pub ending: Ending,
    /// Known share of the free cells that can be reached, 0 to 1.
    pub coverage: f64,
    /// Metres driven by all robots.
    pub distance_m: f64,
    /// Seconds.
    pub time_s: f64,
    /// Whether the run kept the 20 minutes of the contest.
    pub within_run_limit: bool,
    /// Seconds until 90 % of the reachable area was known; null if it never was.
    pub time_to_90_s: Option<f64>,
    /// Seconds until 95 %.
    pub time_to_95_s: Option<f64>,
    /// Seconds until 99 %.
    pub time_to_99_s: Option<f64>,
    /// Mean over the run of the known area as a share of that at its end.
    pub mean_area_share: Option<f64>,
    /// Scans.
    pub scans: usize,
    /// Plans.
    pub replans: usize,
    /// Plans that gave up a target that was still a frontier.
    pub retargets: usize,
    /// Movements that touched something.
    pub collisions: usize,
    /// Times of planning on this machine.
    pub plan_ms: PlanTimes,
    /// Scores of the final map against the truth.
    pub map_score: Vec<MapScore>,
    /// Area over time.
    pub area: AreaLog,
}

/// Times of planning, milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PlanTimes {
    /// Half of the plans were not slower.
    pub p50: f64,
    /// 95 of 100 plans were not slower.
    pub p95: f64,
    /// The slowest.
    pub max: f64,
}

impl PlanTimes {
    /// Of so many plans; zeros without a plan.
    #[must_use]
    pub fn of(mut times_ms: Vec<f64>) -> Self {
        times_ms.sort_by(f64::total_cmp);
        let rank = |share: f64| (share * times_ms.len() as f64).ceil() as usize;
        let at = |share: f64| times_ms.get(rank(share).max(1) - 1).copied().unwrap_or(0.0);
        Self { p50: at(0.5), p95: at(0.95), max: at(1.0) }
    }
}

/// A score of the final map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapScore {
    /// Metric.
    pub id: String,
    /// Its value; null if undefined.
    pub value: Option<f64>,
}

/// Run limit of the contest, seconds (X-TIME).
const RUN_LIMIT_S: f64 = 1200.0;
/// Metrics of the final map.
const SCORES: [&str; 3] = ["overall_error", "occupied_map_score_collins", "image_similarity"];
/// Largest number of robots.
const MAX_ROBOTS: usize = 16;

/// Explores a place from the pose of the first robot. `progress` is told the known share of the reachable area, 0 to 1.
///
/// # Errors
/// There is no room for the robots at the start, or a parameter makes no sense.
pub fn explore_map(
    truth: &Grid,
    start: Pose2,
    plan: &ExplorePlan,
    progress: &dyn Fn(f64),
) -> Result<Explored, JobError> {
    if !(1..=MAX_ROBOTS).contains(&plan.robots) {
        let (name, found) = ("robots", plan.robots as f64);
        return Err(ExploreError::Parameter { name, found, expected: "1 to 16" }.into());
    }
    let starts = starts::starts(truth, start, plan)?;
    let explored = run_once(plan, truth, &starts, plan.params, progress)?;
    let baseline = match plan.comparison {
        Comparison::None => None,
        Comparison::NearestFrontier => {
            let planning = Planning { choice: Choice::NearestFrontier, ..plan.params.planning };
            Some(run_once(plan, truth, &starts, RunParams { planning, ..plan.params }, progress)?)
        }
    };
    let figures = figures::figures(truth, start, plan, &explored, baseline.as_ref())?;
    let frames = frames_of_paths(&explored.paths);
    let baseline = baseline.map(|run| run.report);
    let path_ratio =
        baseline.as_ref().map(|base| explored.report.distance_m / base.distance_m).filter(|r| r.is_finite());
    let report = ExplorationReport {
        schema: EXPLORATION_SCHEMA,
        place: String::new(),
        reachable_m2: explored.reachable_m2,
        run: explored.report,
        baseline,
        path_ratio,
        params: plan.params,
        laser: plan.laser,
    };
    Ok(Explored { report, map: explored.map, known_at_s: explored.known_at_s, figures, frames })
}

/// A run with what is drawn of it.
struct OneRun {
    report: RunReport,
    reachable_m2: f64,
    map: Grid,
    known_at_s: Vec<f32>,
    paths: Vec<Vec<(f64, Pose2)>>,
}

fn run_once(
    plan: &ExplorePlan,
    truth: &Grid,
    starts: &[Pose2],
    params: RunParams,
    progress: &dyn Fn(f64),
) -> Result<OneRun, JobError> {
    let robot_radius_m = params.planning.robot_radius_m;
    let world = GridWorldParams { laser: plan.laser, robot_radius_m, ..GridWorldParams::default() };
    let mut world = GridWorld::new(truth.clone(), starts, world)?;
    let reachable = world.reachable();
    let cell_m2 = truth.geometry().cell_size_m().powi(2);
    let cells = reachable.iter().filter(|&&is| is).count();
    let reachable_m2 = cells as f64 * cell_m2;
    let mut result = run(&mut world, &params, &|area_m2| progress((area_m2 / reachable_m2).min(1.0)))?;
    let seen = reachable.iter().zip(&result.map).filter(|(is, class)| **is && **class == CellClass::Free);
    let coverage = seen.count() as f64 / cells.max(1) as f64;
    let known_at_s = std::mem::take(&mut result.known_at_s);
    let map = Grid::new(*truth.geometry(), result.map.clone())
        .map_err(|error| JobError::Robot(error.to_string()))?;
    let map_score = map_scores(truth, &map)?;
    let report = run_report(result, params.planning.choice, coverage, reachable_m2, map_score);
    Ok(OneRun { report: report.0, reachable_m2, map, known_at_s, paths: report.1 })
}

fn run_report(
    result: Exploration,
    choice: Choice,
    coverage: f64,
    reachable_m2: f64,
    map_score: Vec<MapScore>,
) -> (RunReport, Vec<Vec<(f64, Pose2)>>) {
    let time_to_s = |share: f64| result.area.time_of_s(share * reachable_m2);
    let report = RunReport {
        choice,
        robots: result.paths.len(),
        ending: result.ending,
        coverage,
        distance_m: result.distance_m,
        time_s: result.time_s,
        within_run_limit: result.time_s <= RUN_LIMIT_S,
        time_to_90_s: time_to_s(0.9),
        time_to_95_s: time_to_s(0.95),
        time_to_99_s: time_to_s(0.99),
        mean_area_share: result.area.mean_share(),
        scans: result.scans,
        replans: result.replans,
        retargets: result.retargets,
        collisions: result.collisions,
        plan_ms: PlanTimes::of(result.plan_ms),
        map_score,
        area: result.area,
    };
    (report, result.paths)
}

fn map_scores(truth: &Grid, map: &Grid) -> Result<Vec<MapScore>, JobError> {
    let (truth, map) = (Arc::new(truth.clone()), Arc::new(map.clone()));
    let grids = common_grid(&truth, &map, Similarity2::IDENTITY, Window::Truth, Resample::OccupiedWins)
        .map_err(|source| JobError::CommonGrid { map: "the explored map".to_owned(), source })?;
    let case = Case::new(grids);
    let chosen = choose(&SCORES.map(str::to_owned), &std::collections::BTreeMap::new())?;
    let records = chosen.iter().map(|chosen| measure(&*chosen.metric, &case, None, crate::Resampling::None));
    Ok(records.map(|record| MapScore { id: record.id, value: record.value }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_plan_times() {
        let times = PlanTimes::of((1..=100).rev().map(f64::from).collect());
        assert_eq!(times, PlanTimes { p50: 50.0, p95: 95.0, max: 100.0 });
        assert_eq!(PlanTimes::of(vec![]), PlanTimes::default());
    }

    /// Two rooms of 4 x 2 m with a door between them.
    fn explored(robots: usize) -> Result<Explored, JobError> {
        let row = |inner: &str| format!("#{inner}#");
        let (free, wall) = (row(&".".repeat(80)), row(&"#".repeat(80)));
        let door = row(&format!("{}{}{}", "#".repeat(34), ".".repeat(14), "#".repeat(32)));
        let room = std::iter::repeat_n(free, 40);
        let rows: Vec<String> =
            [wall.clone()].into_iter().chain(room.clone()).chain([door]).chain(room).chain([wall]).collect();
        let truth = testkit::grid_at(rows, 0.05, Pose2::IDENTITY);
        let (laser, params) = (Laser::default(), RunParams::default());
        let plan = ExplorePlan { robots, laser, params, comparison: Comparison::NearestFrontier };
        explore_map(&truth, Pose2::new(1.0, 1.0, 0.0), &plan, &|_| {})
    }

    #[test]
    fn a_place_of_two_rooms_is_explored_and_compared() {
        let explored = explored(1).unwrap();
        let run = &explored.report.run;
        assert!(run.coverage > 0.99 && run.collisions == 0, "{} {}", run.coverage, run.collisions);
        assert!(run.time_to_90_s.unwrap() <= run.time_to_99_s.unwrap());
        assert!(explored.report.path_ratio.unwrap() < 2.0);
        assert!(run.map_score.iter().all(|score| score.value.is_some()));
        assert_eq!(explored.figures.len(), 3);
        let is_known = |class: &CellClass| *class != CellClass::Unknown;
        let known: Vec<bool> = explored.map.classes().iter().map(is_known).collect();
        let times: Vec<bool> = explored.known_at_s.iter().map(|at_s| at_s.is_finite()).collect();
        assert!(known == times, "every known cell has a time, and no other");
        let mut times_s: Vec<f32> =
            explored.known_at_s.iter().copied().filter(|at_s| at_s.is_finite()).collect();
        times_s.sort_by(f32::total_cmp);
        times_s.dedup();
        assert!(times_s.len() > 3, "the map grows in steps: {times_s:?}");
        assert!(times_s.iter().all(|at_s| (0.0..=run.time_s as f32).contains(at_s)), "{times_s:?}");
        let page = explored.page().unwrap();
        assert!(page.contains("\"known\":\"data:image/png"), "the player has the times");
    }

    #[test]
    fn several_robots_get_places_of_their_own_and_too_many_are_refused() {
        let three = explored(3).unwrap();
        assert_eq!((three.report.run.robots, three.report.run.collisions), (3, 0));
        assert!(matches!(explored(0), Err(JobError::Explore(_))));
    }
}
