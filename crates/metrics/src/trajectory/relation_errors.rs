//! Errors of displacements against relations (T-REL): which relations, which reading, what was not found.

use align::trajectory::{Fittable, LookupCounts};
use model::Rigid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::run::{Run, TimedRelation};
use crate::{Reason, Undefined};

/// Which product is the error of a displacement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// inverse(delta*) (+) delta: its translation is |t - t*|. The paper's, and Freiburg's for translations.
    #[default]
    Left,
    /// delta (+) inverse(delta*): Cartographer's; contains the lever arm times the rotation error.
    Right,
    /// The mean of both directions.
    Symmetric,
}

/// In which direction a relation is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The second pose seen from the first, as relation files mean it.
    #[default]
    Forward,
    /// The first pose seen from the second, as the paper's equation reads literally.
    Backward,
}

/// The time at which the error of a relation is drawn, clustered and counted to a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RelationTime {
    /// The second time: what went wrong before it shows there.
    #[default]
    End,
    /// The mean of both times.
    Middle,
}

impl RelationTime {
    /// The time of an error, seconds.
    #[must_use]
    pub const fn of(self, error: &RelationError) -> f64 {
        match self {
            Self::End => error.to_s,
            Self::Middle => f64::midpoint(error.from_s, error.to_s),
        }
    }
}

/// Relations of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tag {
    /// All.
    #[default]
    All,
    /// At most ten seconds long.
    Local,
    /// Longer: the place was seen again.
    Loop,
}

/// Relations up to this long are local (spec L-REAL).
pub const LOCAL_S: f64 = 10.0;

/// The error of one relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationError {
    /// Number of the relation in its file.
    pub index: usize,
    /// First time, seconds.
    pub from_s: f64,
    /// Second time, seconds.
    pub to_s: f64,
    /// Length of the true displacement, metres.
    pub length_m: f64,
    /// Number of the estimated pose at the first time.
    pub from_pose: usize,
    /// Number of the estimated pose at the second time.
    pub to_pose: usize,
    /// Translation, metres.
    pub translation_m: f64,
    /// Rotation, 0 to pi.
    pub rotation_rad: f64,
}

/// The errors of all relations that were found.
#[derive(Clone, Debug, Default)]
pub struct RelationErrors {
    /// Of those whose two times were found, in the order of the file.
    pub errors: Vec<RelationError>,
    /// Those whose times were not: number and both times.
    pub unmatched: Vec<(usize, f64, f64)>,
    /// How the poses were found.
    pub lookups: LookupCounts,
    /// Relations that the selection left out.
    pub deselected: usize,
}

/// Which relations are used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Shortest displacement, metres.
    pub min_distance_m: f64,
    /// Longest displacement, metres.
    pub max_distance_m: f64,
    /// Longest time between the two poses, seconds.
    pub max_gap_s: f64,
    pub tag: Tag,
}

impl Selection {
    fn takes<P: Rigid>(&self, relation: &TimedRelation<P>) -> bool {
        let (length_m, gap_s) = (relation.displacement.distance_m(), (relation.to_s - relation.from_s).abs());
        let has_tag = match self.tag {
            Tag::All => true,
            Tag::Local => gap_s <= LOCAL_S,
            Tag::Loop => gap_s > LOCAL_S,
        };
        has_tag && (self.min_distance_m..=self.max_distance_m).contains(&length_m) && gap_s <= self.max_gap_s
    }
}

/// Looks up both poses of every relation and compares.
///
/// # Errors
/// There are no relations.
pub fn relation_errors<P: Fittable>(
    run: &Run<P>,
    selection: Selection,
    side: Side,
    order: Order,
) -> Result<RelationErrors, Undefined> {
    let relations = run.relations.as_ref().ok_or(Reason::NoConstraints)?;
    let lookup = run.lookup();
    let mut found =
        RelationErrors { errors: Vec::with_capacity(relations.len()), ..RelationErrors::default() };
    for (index, relation) in relations.iter().enumerate() {
        if !selection.takes(relation) {
            found.deselected += 1;
            continue;
        }
        let [from, to] = [relation.from_s, relation.to_s].map(|time_s| lookup.at(time_s));
        found.lookups.add(from.as_ref());
        found.lookups.add(to.as_ref());
        let (Some(from), Some(to)) = (from, to) else {
            found.unmatched.push((index, relation.from_s, relation.to_s));
            continue;
        };
        let (translation_m, rotation_rad) =
            error(to.pose.seen_from(from.pose), relation.displacement, side, order);
        found.errors.push(RelationError {
            index,
            from_s: relation.from_s,
            to_s: relation.to_s,
            length_m: relation.displacement.distance_m(),
            from_pose: from.index,
            to_pose: to.index,
            translation_m,
            rotation_rad,
        });
    }
    Ok(found)
}

/// Translation and rotation of the error of a displacement, eq. (1).
fn error<P: Rigid>(displacement: P, truth: P, side: Side, order: Order) -> (f64, f64) {
    let (delta, truth) = match order {
        Order::Forward => (displacement, truth),
        Order::Backward => (displacement.inverse(), truth.inverse()),
    };
    let left = |delta: P, truth: P| delta.seen_from(truth);
    match side {
        Side::Left => parts(left(delta, truth)),
        Side::Right => parts(delta * truth.inverse()),
        Side::Symmetric => {
            let (there, angle) = parts(left(delta, truth));
            let (back, _) = parts(left(delta.inverse(), truth.inverse()));
            (f64::midpoint(there, back), angle)
        }
    }
}

fn parts<P: Rigid>(error: P) -> (f64, f64) {
    (error.distance_m(), error.angle_rad())
}

#[cfg(test)]
mod tests {
    use model::{Pose2, Pose3};
    use proptest::prelude::*;

    use super::*;

    fn any_pose() -> impl Strategy<Value = Pose2> {
        (-5.0..5.0_f64, -5.0..5.0_f64, -3.1..3.1_f64).prop_map(|(x, y, theta)| Pose2::new(x, y, theta))
    }

    proptest! {
        #[test]
        fn swapping_the_stamps_exchanges_left_and_right(delta in any_pose(), truth in any_pose()) {
            let (left, turn) = error(delta, truth, Side::Left, Order::Backward);
            let (right, same_turn) = error(delta, truth, Side::Right, Order::Forward);
            prop_assert!((left - right).abs() < 1e-9 && (turn - same_turn).abs() < 1e-9);
            let (left, _) = error(delta, truth, Side::Left, Order::Forward);
            let (right, _) = error(delta, truth, Side::Right, Order::Backward);
            prop_assert!((left - right).abs() < 1e-9);
            let (both, _) = error(delta, truth, Side::Symmetric, Order::Forward);
            prop_assert!((both - (left + error(delta, truth, Side::Right, Order::Forward).0) / 2.0).abs() < 1e-9);
        }

        #[test]
        fn plane_and_space_agree(delta in any_pose(), truth in any_pose()) {
            for side in [Side::Left, Side::Right, Side::Symmetric] {
                let flat = error(delta, truth, side, Order::Forward);
                let space = error(Pose3::from(delta), Pose3::from(truth), side, Order::Forward);
                prop_assert!((flat.0 - space.0).abs() < 1e-9 && (flat.1 - space.1).abs() < 1e-7);
            }
        }

        #[test]
        fn the_left_error_is_the_difference_of_translations(delta in any_pose(), truth in any_pose()) {
            let expected = f64::hypot(delta.x_m - truth.x_m, delta.y_m - truth.y_m);
            prop_assert!((error(delta, truth, Side::Left, Order::Forward).0 - expected).abs() < 1e-9);
        }
    }
}
