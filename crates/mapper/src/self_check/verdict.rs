//! The figures of a self-check, and the one word that they come to.

use model::{Point2, PoseGraph};
use serde::Serialize;

use super::{Compared, SelfCheck};
use crate::MappedPose;

/// Scans kept on each side over which the agreement is averaged: one scan alone may see a person.
const BESIDE: usize = 2;
/// Edges of a pose graph that join poses further apart than this in its order are loop closures.
const LOOP_GAP: u64 = 1;

/// Whether a map can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// Nothing speaks against it.
    Sound,
    /// Some places or stretches may be wrong.
    Doubtful,
    /// The scans contradict each other.
    Broken,
}

/// What speaks against a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Scans look through walls that another visit saw.
    SeenThrough,
    /// A scan contradicts those just before.
    Step,
    /// No scan was matched on this stretch.
    OdometryAlone,
    /// The pose graph does not satisfy a loop closure.
    Loop,
}

/// A stretch of the path that may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DoubtfulPlace {
    /// Time of its first scan, seconds.
    pub from_s: f64,
    /// Time of its last scan, seconds.
    pub to_s: f64,
    /// Where the robot was where it is worst, in the map.
    pub x_m: f64,
    /// The same.
    pub y_m: f64,
    pub why: Why,
    /// By how much; its unit is that of the figure which is named like `why`.
    pub value: f64,
}

/// What a map says about itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapCheck {
    pub verdict: Soundness,
    /// The largest figure over what is allowed for it; a map is sound below 1.
    pub doubt: f64,
    /// Share of points that other visits of the place looked through, in the mean over the scans; none without revisits.
    pub seen_through: Option<f64>,
    /// The same where it is worst, over some scans.
    pub worst_seen_through: Option<f64>,
    /// Share of points that the scans just before looked through, where it is worst.
    pub worst_step: Option<f64>,
    /// Longest stretch without a match, metres.
    pub odometry_alone_m: f64,
    /// Largest displacement that is left between a loop closure and the pose graph, metres; none without loop closures.
    pub loop_residual_m: Option<f64>,
    /// Share of the scans that were compared with another visit.
    pub revisited: f64,
    /// Stretches that may be wrong, in the order of time.
    pub places: Vec<DoubtfulPlace>,
}

pub(super) fn of(
    check: &SelfCheck,
    compared: &[Compared],
    poses: &[MappedPose],
    graph: Option<&PoseGraph>,
) -> MapCheck {
    let visits = smoothed(&compared.iter().map(|c| c.visits).collect::<Vec<_>>());
    let steps = smoothed(&compared.iter().map(|c| c.before).collect::<Vec<_>>());
    let told: Vec<f64> = compared.iter().filter_map(|c| c.visits).collect();
    let mean = (!told.is_empty()).then(|| told.iter().sum::<f64>() / told.len() as f64);
    let worst = |values: &[Option<f64>]| values.iter().flatten().copied().reduce(f64::max);
    MapCheck {
        verdict: Soundness::Sound,
        doubt: 0.0,
        seen_through: mean,
        worst_seen_through: worst(&visits),
        worst_step: worst(&steps),
        odometry_alone_m: longest_alone_m(check),
        loop_residual_m: graph.and_then(loop_residual_m),
        revisited: told.len() as f64 / compared.len().max(1) as f64,
        places: Vec::new(),
    }
}

/// The mean with the values beside; none where there are fewer than two.
fn smoothed(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mean = |index: usize| {
        let beside = &values[index.saturating_sub(BESIDE)..(index + BESIDE + 1).min(values.len())];
        let told: Vec<f64> = beside.iter().flatten().copied().collect();
        (told.len() >= 2).then(|| told.iter().sum::<f64>() / told.len() as f64)
    };
    (0..values.len()).map(mean).collect()
}

/// The longest stretch of the path on which no scan with points was matched.
fn longest_alone_m(check: &SelfCheck) -> f64 {
    let (mut longest_m, mut begun_m) = (0.0_f64, 0.0);
    for step in &check.steps {
        if step.is_matched {
            begun_m = step.travelled_m;
        }
        longest_m = longest_m.max(step.travelled_m - begun_m);
    }
    longest_m
}

fn loop_residual_m(graph: &PoseGraph) -> Option<f64> {
    let pose = |id: u64| {
        let at = graph.vertices.binary_search_by_key(&id, |vertex| vertex.id).ok()?;
        Some(graph.vertices[at].world_from_vertex.planar())
    };
    let left_m = |edge: &model::Edge| {
        if edge.to.abs_diff(edge.from) <= LOOP_GAP {
            return None;
        }
        let expected = pose(edge.from)? * edge.from_from_to.planar();
        Some(expected.position().distance_m(pose(edge.to)?.position()))
    };
    graph.edges.iter().filter_map(left_m).reduce(f64::max)
}
