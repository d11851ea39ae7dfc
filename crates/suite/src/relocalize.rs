//! How fast a robot that is placed wrong finds itself on a map (X-LOST): the work of `mapjudge relocalize`.

use mapper::{InputRules, Localizer, LocalizerParams, Scan, scans_of};
use metrics::contest::lost::{LostRules, PoseError, steps_until_found};
use model::{CellClass, Grid, Pose2, SeededRng, SensorLog, Trajectory, wrap};
use rayon::prelude::*;
use serde::Serialize;

use crate::JobError;
use crate::effort::{interpolated, true_poses};

/// Schema of the JSON that [`Relocalized`] becomes.
pub const RELOCALIZE_SCHEMA: &str = "mapjudge.relocalize/1";

/// A robot that is nearer to the true pose is hardly lost, metres.
const MIN_WRONG_M: f64 = 1.0;
/// Draws of a wrong pose before any is taken.
const MAX_DRAWS: usize = 100;

/// How robots get lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostPlan {
    /// How often the robot is placed wrong.
    pub starts: usize,
    /// When it has found itself.
    pub rules: LostRules,
    /// Steps that it may take.
    pub max_steps: usize,
    /// Seed of wrong poses and of the filter.
    pub seed: u64,
}

/// What became of the robots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Relocalized {
    /// [`RELOCALIZE_SCHEMA`].
    pub schema: &'static str,
    /// The map, as given.
    pub map: String,
    /// The log, as given.
    pub log: String,
    /// Starts after which the robot found itself / all starts.
    pub found_share: f64,
    /// Median over the starts that were found, of equally many the lower; null if none was.
    pub median_steps: Option<usize>,
    /// When a robot has found itself.
    pub rules: LostRules,
    /// One by one.
    pub starts: Vec<LostStart>,
}

/// One wrong start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostStart {
    /// Scan at which the robot was placed wrong, counted from 0.
    pub scan: usize,
    /// Distance between the believed and the true place.
    pub wrong_m: f64,
    /// Steps until it found itself; null if it stayed lost.
    pub steps: Option<usize>,
    /// Seconds until then.
    pub seconds: Option<f64>,
    /// Error after the last step that was taken.
    pub last_error_m: f64,
}

impl Relocalized {
    /// The sums over all starts.
    pub(crate) fn of(map: String, log: String, rules: LostRules, starts: Vec<LostStart>) -> Self {
        let mut steps: Vec<usize> = starts.iter().filter_map(|start| start.steps).collect();
        steps.sort_unstable();
        Self {
            schema: RELOCALIZE_SCHEMA,
            map,
            log,
            found_share: steps.len() as f64 / starts.len().max(1) as f64,
            median_steps: steps.get(steps.len().saturating_sub(1) / 2).copied(),
            rules,
            starts,
        }
    }
}

/// A scan with odometry and the true pose.
type Step = (Scan, Pose2, Pose2);

/// Lets robots that are placed wrong find themselves; starts are spread over the first half of the log.
///
/// # Errors
/// Nothing tells the true poses; the map has no walls or no free cell; there are too few scans.
pub fn relocalize(
    map: &Grid,
    log: &SensorLog,
    truth: Option<&Trajectory>,
    plan: &LostPlan,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<LostStart>, JobError> {
    if plan.starts == 0 || plan.starts > 10_000 {
        return Err(JobError::Relocalize(format!("{} starts: expected 1 to 10000", plan.starts)));
    }
    let steps = steps_of(log, truth)?;
    let is_free = |cell: &usize| map.classes()[*cell] == CellClass::Free;
    let free: Vec<usize> = (0..map.geometry().cells()).filter(is_free).collect();
    if free.is_empty() || !map.classes().contains(&CellClass::Occupied) {
        let why = "a robot finds itself by walls around free space: expected a map with both";
        return Err(JobError::Relocalize(why.to_owned()));
    }
    let done = std::sync::atomic::AtomicUsize::new(0);
    let starts = (0..plan.starts).into_par_iter().map(|number| {
        let start = lost_start(map, &free, &steps, plan, number);
        progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        start
    });
    Ok(starts.collect::<Vec<_>>().into_iter().flatten().collect())
}

/// Scans whose true pose is known.
fn steps_of(log: &SensorLog, truth: Option<&Trajectory>) -> Result<Vec<Step>, JobError> {
    let known: Vec<(f64, Pose2)> = match truth {
        Some(trajectory) => {
            trajectory.poses.iter().map(|pose| (pose.time_s, pose.world_from_robot.planar())).collect()
        }
        None => true_poses(log),
    };
    if known.is_empty() {
        let why = "nothing tells where the robot was: expected true poses in the log, or a true trajectory";
        return Err(JobError::Relocalize(why.to_owned()));
    }
    let placed = scans_of(log, InputRules::default().limits).scans.into_iter().filter_map(|(scan, odom)| {
        let pose = interpolated(&known, scan.time_s)?;
        (!scan.hits_in_robot.is_empty()).then_some((scan, odom, pose))
    });
    let steps: Vec<Step> = placed.collect();
    if steps.len() < 2 {
        let why = format!("{} scans have returns and a true pose: expected at least 2", steps.len());
        return Err(JobError::Relocalize(why));
    }
    Ok(steps)
}

fn lost_start(
    map: &Grid,
    free: &[usize],
    steps: &[Step],
    plan: &LostPlan,
    number: usize,
) -> Option<LostStart> {
    let scan = number * (steps.len() / 2) / plan.starts;
    let truth = steps[scan].2;
    let mut rng = SeededRng::new(plan.seed).stream(number as u64 + 1);
    let mut wrong = truth;
    for _ in 0..MAX_DRAWS {
        let center = map.geometry().center_of(map.geometry().cell_of(free[rng.below(free.len())]));
        wrong = Pose2::new(center.x_m, center.y_m, wrap(std::f64::consts::TAU * rng.uniform()));
        if distance_m(wrong, truth) >= MIN_WRONG_M {
            break;
        }
    }
    let mut filter = Localizer::new(map, wrong, LocalizerParams::default(), rng.bits())?;
    let mut errors: Vec<PoseError> = Vec::new();
    let mut found = None;
    for (scan, odom, truth) in steps[scan..].iter().take(plan.max_steps) {
        let pose = filter.step(scan, *odom);
        let yaw_rad = wrap(pose.theta_rad - truth.theta_rad).abs();
        errors.push(PoseError { translation_m: distance_m(pose, *truth), yaw_rad });
        // The rule looks at the last steps only, so that a long run is not looked through again at each step.
        let hold = plan.rules.hold.max(1);
        let last = errors.len().saturating_sub(hold);
        if let Some(steps) = steps_until_found(&errors[last..], &plan.rules) {
            found = Some(last + steps);
            break;
        }
    }
    let seconds = found.map(|count| steps[scan + count - 1].0.time_s - steps[scan].0.time_s);
    let last_error_m = errors.last().map_or(f64::MAX, |error| error.translation_m);
    Some(LostStart { scan, wrong_m: distance_m(wrong, truth), steps: found, seconds, last_error_m })
}

fn distance_m(a: Pose2, b: Pose2) -> f64 {
    (a.x_m - b.x_m).hypot(a.y_m - b.y_m)
}

impl Relocalized {
    /// One line per start, and the sums.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = vec![format!("{} on {}", self.log, self.map)];
        for (number, start) in self.starts.iter().enumerate() {
            let outcome = match (start.steps, start.seconds) {
                (Some(steps), Some(seconds)) => format!("found after {steps} steps, {seconds:.1} s"),
                _ => format!("lost, {:.2} m off in the end", start.last_error_m),
            };
            lines.push(format!(
                "  start {:<3} scan {:<6} placed {:.2} m off: {outcome}",
                number + 1,
                start.scan,
                start.wrong_m
            ));
        }
        let found = self.starts.iter().filter(|start| start.steps.is_some()).count();
        let median = self.median_steps.map_or_else(|| "-".to_owned(), |steps| steps.to_string());
        lines.push(format!("found {found} of {}, median {median} steps", self.starts.len()));
        lines.join("\n") + "\n"
    }
}
