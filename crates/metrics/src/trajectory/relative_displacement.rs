//! Relative displacement error: how far estimated displacements between two timestamps are from the true ones.
//!
//! ```text
//! delta = x_2 (-) x_1 of the estimate, delta* the relation, e = delta (-) delta*               eq. (1)
//! value = mean |translation of e|; eps = sum of weight_t * |e_trans|^2 + weight_r * e_theta^2
//! ```
//!
//! Unit: m. Range: 0 upward. Better: lower.
//! Paper: Kleiner et al. 2009, section 3.2, eq. 1 and Table 1, after Burgard et al. 2009.
//! Departure: the paper squares a pose; here translation and rotation stand apart and are added only by explicit
//! weights. Its equation read literally is `order = backward`; files mean `forward`. It does not say at which of its two
//! times an error is drawn and clustered: at the second one here.
//! Unknown: relations whose times have no pose are counted and listed; `unmatched_penalty_m` may charge them.
//! Known bias: relations choose what is judged: many short ones at rest make any run look good, so read `by_length`
//! and `balanced_mean`. Relations made from a run cannot judge that run.
//! Variants: `side` left (Freiburg, evo, KITTI), right (Cartographer), symmetric; selection by distance, gap and tag;
//! `time = middle` draws errors at the mean of both times.
//! Undefined: without relations, or if no relation found both its poses.

use align::trajectory::Fittable;
use serde_json::{Value, json};

use super::error_clusters::{ClusterRule, clusters};
use super::pose_blocks::PoseBlocks;
use super::relation_errors::{
    Order, RelationError, RelationErrors, RelationTime, Selection, Side, Tag, relation_errors,
};
use super::relation_groups::{GroupErrors, TimedRegion, by_ground, by_region};
use super::run::{Run, for_run, lookup_facts, of_any_run};
use super::statistics::Statistics;
use crate::prelude::*;
use crate::{Detail, facts};

/// Parameters of the relative displacement error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelativeDisplacement {
    /// Which product is the error. Default `left`: its translation is the difference of the two translations.
    pub side: Side,
    /// In which direction a relation is read. Default `forward`, as relation files mean it.
    pub order: Order,
    /// Shortest displacement used, metres. Default 0.
    pub min_distance_m: f64,
    /// Longest displacement used, metres. Default: none (null).
    pub max_distance_m: Option<f64>,
    /// Longest time between the two poses, seconds. Default: none (null).
    pub max_gap_s: Option<f64>,
    /// Kind of relations used: `local` ones last at most 10 s, `loop` ones longer. Default `all`.
    pub tag: Tag,
    /// Weight of the squared translation in eps, per square metre. Default 1.
    pub weight_t: f64,
    /// Weight of the squared rotation in eps, per square radian. Default 0: Table 1 is about positions.
    pub weight_r: f64,
    /// A relation without poses counts as an error of this size, metres. Default: none (null), it is only counted.
    pub unmatched_penalty_m: Option<f64>,
    /// When the error of a relation happened: `end`, its second time, or `middle`, the mean of both. Default `end`: a
    /// failure shows in the first relation that ends after it (spec T-PLOT).
    pub time: RelationTime,
    /// Intervals of time with the region, and optionally the ground, that the robot was in: errors are told by them.
    /// Default: none (empty).
    pub regions: Vec<TimedRegion>,
    /// Poses that are tilted by more degrees are on a ramp, where no region gives the ground. Default 5: ours, a third of
    /// the ramps of rescue arenas.
    pub ramp_above_deg: f64,
    /// Width of the running mean, seconds. Default 10 (spec T-PLOT).
    pub window_s: f64,
    /// A cluster stands above the median by this factor. Default 3 (spec T-PLOT).
    pub cluster_factor: f64,
    /// Running means up to this size are no cluster, metres. Default 0.001: ours, below what any laser can tell.
    pub cluster_min_m: f64,
}

impl Default for RelativeDisplacement {
    fn default() -> Self {
        Self {
            side: Side::Left,
            order: Order::Forward,
            min_distance_m: 0.0,
            max_distance_m: None,
            max_gap_s: None,
            tag: Tag::All,
            weight_t: 1.0,
            weight_r: 0.0,
            unmatched_penalty_m: None,
            time: RelationTime::End,
            regions: Vec::new(),
            ramp_above_deg: 5.0,
            window_s: 10.0,
            cluster_factor: 3.0,
            cluster_min_m: 0.001,
        }
    }
}

/// How many relations were compared, and the statistics of their errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationsEvidence {
    /// Relations that found both their poses.
    pub matched: usize,
    pub unmatched: usize,
    pub translation_m: Statistics,
    pub rotation_deg: Statistics,
    /// By the region at the second time; empty if none is given.
    #[serde(default)]
    pub by_region: Vec<GroupErrors>,
    /// By the ground at the second time; empty if nothing tells it.
    #[serde(default)]
    pub by_ground: Vec<GroupErrors>,
}

/// Bounds of the bins of length, metres.
const BINS_M: [f64; 7] = [0.0, 0.5, 1.0, 2.0, 5.0, 10.0, f64::INFINITY];
/// Entries of the lists in the report.
const LISTED: usize = 20;

impl Metric for RelativeDisplacement {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "relative_displacement", "T-REL", "Relative displacement error")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        of_any_run!(case, run => run.relations.is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.score(run))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.samples(run).unwrap_or_default())
    }
}

impl RelativeDisplacement {
    /// The errors of the selected relations.
    ///
    /// # Errors
    /// There are no relations.
    pub fn errors<P: Fittable>(&self, run: &Run<P>) -> Result<RelationErrors, Undefined> {
        let selection = Selection {
            min_distance_m: self.min_distance_m,
            max_distance_m: self.max_distance_m.unwrap_or(f64::INFINITY),
            max_gap_s: self.max_gap_s.unwrap_or(f64::INFINITY),
            tag: self.tag,
        };
        relation_errors(run, selection, self.side, self.order)
    }

    fn score<P: Fittable>(&self, run: &Run<P>) -> Result<Score, Undefined> {
        let found = self.errors(run)?;
        let penalties = self.unmatched_penalty_m.map_or(0, |_| found.unmatched.len());
        let penalty_m = self.unmatched_penalty_m.unwrap_or(0.0);
        let translations: Vec<f64> = found
            .errors
            .iter()
            .map(|error| error.translation_m)
            .chain(std::iter::repeat_n(penalty_m, penalties))
            .collect();
        let rotations: Vec<f64> = found.errors.iter().map(|error| error.rotation_rad.to_degrees()).collect();
        let known = count_facts(&found);
        let (Some(translation), Some(rotation)) = (Statistics::of(&translations), Statistics::of(&rotations))
        else {
            let is_empty = found.unmatched.is_empty();
            let reason = if is_empty { Reason::NoConstraints } else { Reason::UnmatchedTime };
            return Err(Undefined::because(reason).with_all(known));
        };
        let (matched, unmatched) = (found.errors.len(), found.unmatched.len());
        let by_region = by_region(&found.errors, &self.regions);
        let by_ground = by_ground(run, &found.errors, &self.regions, self.ramp_above_deg.to_radians());
        let groups = facts([("by_region", json!(by_region)), ("by_ground", json!(by_ground))]);
        let (translation_m, rotation_deg) = (translation, rotation);
        let evidence =
            RelationsEvidence { matched, unmatched, translation_m, rotation_deg, by_region, by_ground };
        Ok(Score::new(translation.mean)
            .with_evidence(MetricEvidence::Relations(evidence))
            .with_all(known)
            .with("translation_m", translation)
            .with("rotation_deg", rotation)
            .with_all(self.view_facts(&found))
            .with_all(groups)
            .warn_if(!found.unmatched.is_empty(), Reason::UnmatchedTime))
    }

    /// Errors by block of relations in the order of their file.
    fn samples<P: Fittable>(&self, run: &Run<P>) -> Result<Vec<Samples>, Undefined> {
        let found = self.errors(run)?;
        let blocks = || PoseBlocks::new("blocks of relations", run.relations.as_ref().map_or(0, Vec::len));
        let (mut translation, mut rotation) = (blocks(), blocks());
        for error in &found.errors {
            translation.add(error.index, error.translation_m, 1.0);
            rotation.add(error.index, error.rotation_rad.to_degrees(), 1.0);
        }
        for (penalty_m, (index, _, _)) in self.unmatched_penalty_m.into_iter().cycle().zip(&found.unmatched) {
            translation.add(*index, penalty_m, 1.0);
        }
        Ok(vec![translation.samples("", Make::Ratio), rotation.samples("rotation_deg.mean", Make::Ratio)])
    }

    /// What makes a cluster.
    #[must_use]
    pub const fn cluster_rule(&self) -> ClusterRule {
        ClusterRule { window_s: self.window_s, factor: self.cluster_factor, min_error: self.cluster_min_m }
    }

    /// What the mean alone hides.
    fn view_facts(&self, found: &RelationErrors) -> Detail {
        let eps = |error: &RelationError| {
            self.weight_t * error.translation_m.powi(2) + self.weight_r * error.rotation_rad.powi(2)
        };
        let points = error_over_time(&found.errors, self.time);
        let rule = self.cluster_rule();
        facts([
            ("total_squared", json!(found.errors.iter().map(eps).sum::<f64>())),
            ("balanced_mean", json!(balanced_mean(&found.errors))),
            ("by_length", by_length(&found.errors)),
            ("clusters", json!(clusters(&points, rule))),
            ("worst", worst(&found.errors)),
        ])
    }
}

fn count_facts(found: &RelationErrors) -> Detail {
    let (matched, unmatched) = (found.errors.len(), found.unmatched.len());
    let all = matched + unmatched;
    let listed = found.unmatched.iter().take(LISTED);
    let rows: Vec<Value> =
        listed.map(|&(index, a, b)| json!({"index": index, "t1_s": a, "t2_s": b})).collect();
    facts([
        ("matched", json!(matched)),
        ("unmatched", json!(unmatched)),
        ("coverage", json!((all > 0).then(|| matched as f64 / all as f64))),
        ("deselected", json!(found.deselected)),
        ("lookups", lookup_facts(found.lookups)),
        ("unmatched_relations", json!(rows)),
    ])
}

/// Errors over time, in its order (T-PLOT).
#[must_use]
pub fn error_over_time(errors: &[RelationError], time: RelationTime) -> Vec<(f64, f64)> {
    let mut points: Vec<_> = errors.iter().map(|error| (time.of(error), error.translation_m)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// The mean over poses of the mean over the relations that start there: places with many relations count once.
fn balanced_mean(errors: &[RelationError]) -> f64 {
    let mut by_pose: Vec<(usize, f64)> = errors.iter().map(|e| (e.from_pose, e.translation_m)).collect();
    by_pose.sort_by_key(|entry| entry.0);
    let groups = by_pose.chunk_by(|a, b| a.0 == b.0);
    let means: Vec<f64> = groups.map(|g| g.iter().map(|e| e.1).sum::<f64>() / g.len() as f64).collect();
    means.iter().sum::<f64>() / means.len() as f64
}

fn by_length(errors: &[RelationError]) -> Value {
    let bin = |bounds: &[f64]| {
        let inside: Vec<&RelationError> =
            errors.iter().filter(|error| (bounds[0]..bounds[1]).contains(&error.length_m)).collect();
        let translations: Vec<f64> = inside.iter().map(|error| error.translation_m).collect();
        let rotations: Vec<f64> = inside.iter().map(|error| error.rotation_rad.to_degrees()).collect();
        let (translation, rotation) = (Statistics::of(&translations)?, Statistics::of(&rotations)?);
        Some(json!({
            "from_m": bounds[0],
            "to_m": bounds[1].is_finite().then_some(bounds[1]),
            "count": inside.len(),
            "mean_m": translation.mean,
            "median_m": translation.median,
            "mean_deg": rotation.mean,
        }))
    };
    BINS_M.windows(2).filter_map(bin).collect()
}

fn worst(errors: &[RelationError]) -> Value {
    let mut order: Vec<&RelationError> = errors.iter().collect();
    order.sort_by(|a, b| b.translation_m.total_cmp(&a.translation_m).then(a.index.cmp(&b.index)));
    let row = |error: &&RelationError| {
        json!({"index": error.index, "t1_s": error.from_s, "t2_s": error.to_s,
               "translation_m": error.translation_m, "rotation_deg": error.rotation_rad.to_degrees()})
    };
    order.iter().take(LISTED).map(row).collect()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::f64::consts::FRAC_1_SQRT_2;

    use align::trajectory::Association;
    use model::{Pose2, Relation, Rigid, Trajectory};

    use super::super::run::tests::trajectory;
    use super::super::run::{RunInputs, Runs};
    use super::*;

    const TRUTH: [(f64, f64, f64, f64); 4] =
        [(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (2.0, 2.0, 0.0, 90.0), (3.0, 2.0, 1.0, 90.0)];
    const ESTIMATE: [(f64, f64, f64, f64); 4] = [
        (0.0, 0.0, 0.0, 0.0),
        (1.0, 1.0, 0.0, 0.0),
        (2.0, 2.0, 0.0, 45.0),
        (3.0, 2.0 + FRAC_1_SQRT_2, FRAC_1_SQRT_2, 45.0),
    ];

    /// Relations between poses of the truth of 08-E2.
    fn relations(pairs: &[(usize, usize)]) -> Vec<Relation> {
        let pose = |index: usize| {
            let (_, x, y, deg) = TRUTH[index];
            Pose2::new(x, y, deg.to_radians())
        };
        let relation = |&(a, b): &(usize, usize)| {
            let delta = pose(b).seen_from(pose(a));
            Relation {
                from_s: TRUTH[a].0,
                to_s: TRUTH[b].0,
                translation_m: [delta.x_m, delta.y_m, 0.0],
                roll_pitch_yaw_rad: [0.0, 0.0, delta.theta_rad],
            }
        };
        pairs.iter().map(relation).collect()
    }

    #[allow(clippy::needless_pass_by_value, reason = "tests make their relations where they need them")]
    fn case(estimate: Trajectory, relations: Vec<Relation>) -> Case {
        Case::without_maps().with_run(Runs::new(RunInputs {
            estimate: Cow::Owned(estimate),
            truth: None,
            relations: Some(&relations),
            odometry: None,
            association: Association::default(),
            time_offset_s: 0.0,
            plane: None,
        }))
    }

    fn score(metric: &RelativeDisplacement, pairs: &[(usize, usize)]) -> Score {
        Metric::evaluate(metric, &case(trajectory(&ESTIMATE), relations(pairs))).unwrap()
    }

    #[test]
    fn spec_08_e2_consecutive_relations() {
        let metric = RelativeDisplacement { weight_r: 1.0, ..RelativeDisplacement::default() };
        let found = score(&metric, &[(0, 1), (1, 2), (2, 3)]);
        assert!(found.value < 1e-12);
        assert!((found.detail["rotation_deg"]["max"].as_f64().unwrap() - 45.0).abs() < 1e-9);
        assert!((found.detail["rotation_deg"]["mean"].as_f64().unwrap() - 15.0).abs() < 1e-9);
        assert!((found.detail["total_squared"].as_f64().unwrap() - 0.616_850).abs() < 5e-7);
        assert_eq!(found.detail["lookups"]["exact"], 6);
    }

    #[test]
    fn spec_08_e3_readings_of_one_long_relation() {
        let value = |side, order| {
            let metric = RelativeDisplacement { side, order, ..RelativeDisplacement::default() };
            let found = score(&metric, &[(0, 3)]);
            assert!((found.detail["rotation_deg"]["mean"].as_f64().unwrap() - 45.0).abs() < 1e-9);
            found.value
        };
        assert!((value(Side::Left, Order::Forward) - 0.765_367).abs() < 5e-7);
        assert!((value(Side::Left, Order::Backward) - 1.530_734).abs() < 5e-7);
        assert!((value(Side::Right, Order::Forward) - 1.530_734).abs() < 5e-7);
    }

    #[test]
    fn spec_08_e4_one_motion_of_the_whole_estimate_changes_nothing() {
        let mut moved = trajectory(&ESTIMATE);
        for pose in &mut moved.poses {
            pose.world_from_robot = (Pose2::new(5.0, -2.0, 1.0) * pose.world_from_robot.planar()).into();
        }
        let all = relations(&[(0, 1), (1, 2), (2, 3), (0, 3), (3, 1)]);
        let metric = RelativeDisplacement::default();
        let before = Metric::evaluate(&metric, &case(trajectory(&ESTIMATE), all.clone())).unwrap();
        let after = Metric::evaluate(&metric, &case(moved, all)).unwrap();
        assert!((before.value - after.value).abs() < 1e-12);
    }

    #[test]
    fn unmatched_relations_are_counted_listed_and_may_cost() {
        let mut all = relations(&[(0, 1), (0, 3)]);
        all[0].to_s = 1.2;
        let metric = RelativeDisplacement::default();
        let found = Metric::evaluate(&metric, &case(trajectory(&ESTIMATE), all.clone())).unwrap();
        assert_eq!((&found.detail["matched"], &found.detail["unmatched"]), (&json!(1), &json!(1)));
        assert_eq!(found.detail["unmatched_relations"][0]["t2_s"], 1.2);
        assert_eq!(
            (found.warnings, found.detail["coverage"].clone()),
            (vec![Reason::UnmatchedTime], json!(0.5))
        );
        let costly = RelativeDisplacement { unmatched_penalty_m: Some(2.0), ..metric };
        let charged = Metric::evaluate(&costly, &case(trajectory(&ESTIMATE), all)).unwrap();
        assert!((charged.value - f64::midpoint(0.765_367, 2.0)).abs() < 5e-7);
    }

    #[test]
    fn a_failure_is_a_cluster_at_the_second_time_of_its_relations() {
        // At 59 s the estimate is 1 m off. Relations of 30 s end at each second from 30 s on.
        let truth: Vec<(f64, f64, f64, f64)> =
            (0..=100).map(|t| (f64::from(t), 0.1 * f64::from(t), 0.0, 0.0)).collect();
        let lost = |&(t, x, y, deg): &(f64, f64, f64, f64)| (t, x, if t >= 59.0 { 1.0 } else { y }, deg);
        let estimate: Vec<_> = truth.iter().map(lost).collect();
        let relation = |from: usize| Relation {
            from_s: from as f64,
            to_s: from as f64 + 30.0,
            translation_m: [3.0, 0.0, 0.0],
            roll_pitch_yaw_rad: [0.0; 3],
        };
        let all: Vec<Relation> = (0..70).map(relation).collect();
        let found = |time| {
            let metric = RelativeDisplacement { time, ..RelativeDisplacement::default() };
            let score = Metric::evaluate(&metric, &case(trajectory(&estimate), all.clone())).unwrap();
            let clusters = score.detail["clusters"].as_array().unwrap().clone();
            assert_eq!(clusters.len(), 1, "{clusters:?}");
            (clusters[0]["start_s"].as_f64().unwrap(), clusters[0]["end_s"].as_f64().unwrap())
        };
        assert_eq!(found(RelationTime::End), (59.0, 88.0));
        assert_eq!(found(RelationTime::Middle), (44.0, 73.0));
    }

    #[test]
    fn none_matched_and_none_given_are_told_apart() {
        let metric = RelativeDisplacement::default();
        let mut far = relations(&[(0, 1)]);
        far[0].from_s = 1e6;
        let unmatched = Metric::evaluate(&metric, &case(trajectory(&ESTIMATE), far)).unwrap_err();
        assert_eq!(unmatched.reasons, [Reason::UnmatchedTime]);
        let empty = Metric::evaluate(&metric, &case(trajectory(&ESTIMATE), Vec::new())).unwrap_err();
        assert_eq!(empty.reasons, [Reason::NoConstraints]);
    }

    #[test]
    fn relations_are_chosen_by_length_gap_and_tag() {
        let count = |metric: RelativeDisplacement| {
            let found = score(&metric, &[(0, 1), (1, 2), (0, 3)]);
            found.detail["matched"].as_u64().unwrap()
        };
        let base = RelativeDisplacement::default;
        assert_eq!(count(RelativeDisplacement { max_distance_m: Some(1.5), ..base() }), 2);
        assert_eq!(count(RelativeDisplacement { min_distance_m: 1.5, ..base() }), 1);
        assert_eq!(count(RelativeDisplacement { max_gap_s: Some(1.0), ..base() }), 2);
        assert_eq!(count(RelativeDisplacement { tag: Tag::Local, ..base() }), 3);
    }
}
