//! What a map says about itself, without any truth: whether the scans agree at the poses that were found.
//!
//! Scans are kept along the path and compared at the final poses, with those just before and with those of other visits of the
//! same place. A point that another scan looked through contradicts; a point on one of its returns agrees. Stretches that no
//! match holds, and loop closures that the pose graph could not satisfy, are counted beside.

mod verdict;

use std::collections::HashMap;

use model::{Point2, Pose2, PoseGraph};

use crate::sight::{Agreement, Sight};
use crate::{MappedPose, Scan, Step};

pub use verdict::{DoubtfulPlace, MapCheck, Soundness, Why};

/// A scan is kept after so much motion, metres and radians.
const KEEP_M: f64 = 0.3;
const KEEP_RAD: f64 = 0.2;
/// Scans with fewer points tell nothing.
const MIN_POINTS: usize = 20;
/// A turn of one radian counts as this much distance travelled.
const METRES_PER_RADIAN: f64 = 0.5;
/// Scans of one place are compared if they were taken this near to each other, metres.
const NEAR_M: f64 = 1.5;
/// Another visit begins after so many metres travelled.
const REVISIT_M: f64 = 8.0;
/// Other visits that a scan is compared with at most.
const VISITS: usize = 4;
/// Scans before that a scan is compared with.
const BACK: [usize; 2] = [1, 3];

/// Scans along the path, and what was matched.
#[derive(Default)]
pub struct SelfCheck {
    kept: Vec<Kept>,
    steps: Vec<StepKept>,
    last_kept: Pose2,
    last: Pose2,
    travelled_m: f64,
}

struct Kept {
    /// Index of its step.
    step: usize,
    travelled_m: f64,
    sight: Sight,
}

struct StepKept {
    travelled_m: f64,
    is_matched: bool,
}

/// How the scans agree along the path.
struct Compared {
    /// Index of the step of each scan that was kept.
    step: usize,
    place: Point2,
    /// With scans just before; none where there is too little to compare.
    before: Option<f64>,
    /// With other visits; none where there was none.
    visits: Option<f64>,
}

impl SelfCheck {
    /// Takes a scan with the pose that the mapper published for it.
    pub fn take(&mut self, scan: &Scan, step: &Step, map_from_robot: Pose2) {
        let moved = self.last.inverse() * map_from_robot;
        let is_first = self.steps.is_empty();
        if !is_first {
            self.travelled_m += moved.x_m.hypot(moved.y_m) + METRES_PER_RADIAN * moved.theta_rad.abs();
        }
        self.last = map_from_robot;
        self.steps.push(StepKept { travelled_m: self.travelled_m, is_matched: step.is_matched });
        let since = self.last_kept.inverse() * map_from_robot;
        let is_far = since.x_m.hypot(since.y_m) >= KEEP_M || since.theta_rad.abs() >= KEEP_RAD;
        if (is_first || is_far) && scan.hits_in_robot.len() >= MIN_POINTS {
            self.last_kept = map_from_robot;
            let (step, travelled_m) = (self.steps.len() - 1, self.travelled_m);
            self.kept.push(Kept { step, travelled_m, sight: Sight::of(scan) });
        }
    }

    /// What the scans say about the poses that were found.
    #[must_use]
    pub fn finish(&self, poses: &[MappedPose], graph: Option<&PoseGraph>) -> MapCheck {
        let compared = self.compared(poses);
        verdict::conclude(self, &compared, poses, graph)
    }

    fn compared(&self, poses: &[MappedPose]) -> Vec<Compared> {
        let kept: Vec<(&Kept, Pose2)> = self
            .kept
            .iter()
            .filter_map(|kept| Some((kept, poses.get(kept.step)?.map_from_robot)))
            .filter(|(_, pose)| pose.is_finite())
            .collect();
        let mut places: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
        let mut all = Vec::with_capacity(kept.len());
        for (index, (this, pose)) in kept.iter().enumerate() {
            let mut before = Agreement::default();
            for other in BACK.iter().filter_map(|&back| index.checked_sub(back)) {
                before = before.and(agreement(kept[other], (this, *pose)));
            }
            let mut visits = Agreement::default();
            for other in visited(&kept, &places, index) {
                visits = visits.and(agreement(kept[other], (this, *pose)));
            }
            all.push(Compared {
                step: this.step,
                place: pose.position(),
                before: before.contradicted_of(MIN_POINTS),
                visits: visits.contradicted_of(MIN_POINTS),
            });
            places.entry(square(*pose)).or_default().push(index);
        }
        all
    }
}

impl Agreement {
    /// As [`Agreement::contradicted`]; none where fewer points tell.
    fn contradicted_of(self, points: usize) -> Option<f64> {
        self.contradicted().filter(|_| self.agree + self.contradict >= points)
    }
}

fn agreement((a, a_pose): (&Kept, Pose2), (b, b_pose): (&Kept, Pose2)) -> Agreement {
    a.sight.agreement(&b.sight, a_pose.inverse() * b_pose)
}

/// The square of the plane that a pose is in, as wide as scans are compared.
fn square(pose: Pose2) -> (i64, i64) {
    ((pose.x_m / NEAR_M).floor() as i64, (pose.y_m / NEAR_M).floor() as i64)
}

/// Scans of other visits near a scan: the nearest of each visit, the nearest visits first.
fn visited(kept: &[(&Kept, Pose2)], places: &HashMap<(i64, i64), Vec<usize>>, index: usize) -> Vec<usize> {
    let (this, pose) = kept[index];
    let (column, row) = square(pose);
    let mut near: Vec<(f64, usize)> = Vec::new();
    for square in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (column + dx, row + dy))) {
        for &other in places.get(&square).into_iter().flatten() {
            let (there, other_pose) = kept[other];
            let away_m = pose.position().distance_m(other_pose.position());
            if away_m <= NEAR_M && this.travelled_m - there.travelled_m > REVISIT_M {
                near.push((away_m, other));
            }
        }
    }
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, other) in near {
        let is_new = chosen
            .iter()
            .all(|&known| (kept[known].0.travelled_m - kept[other].0.travelled_m).abs() > REVISIT_M);
        if is_new && chosen.len() < VISITS {
            chosen.push(other);
        }
    }
    chosen
}
