//! Whether relations come from a trajectory: such relations cannot judge it.

use align::trajectory::{Associate, Association, Lookup, Track};
use model::{Pose3, Relation, Rigid};

/// How well relations agree with a trajectory at their own timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Relations both of whose timestamps the trajectory has.
    pub shared: usize,
    /// Those of them that agree with it to the last printed digit.
    pub agreeing: usize,
}

/// Files print six decimals; two poses make two roundings, and a turn moves them by the length of the displacement.
const AGREE_M: f64 = 1e-5;
const AGREE_RAD: f64 = 1e-5;
/// Fewer relations may agree by chance.
const MIN_SHARED: usize = 3;

impl Origin {
    /// True if the relations were made from the trajectory: nearly all of those that share its timestamps agree with it to
    /// the last digit, which no other estimate does.
    #[must_use]
    pub fn comes_from_it(self) -> bool {
        self.agreeing >= MIN_SHARED.min(self.shared)
            && self.agreeing > 0
            && self.agreeing * 20 >= self.shared * 19
    }
}

/// Compares relations with a trajectory.
#[must_use]
pub fn origin(relations: &[Relation], track: &Track<Pose3>) -> Origin {
    let exact = Association { rule: Associate::Exact, ..Association::default() };
    let lookup = Lookup { track, association: exact, odometry: None };
    let mut origin = Origin { shared: 0, agreeing: 0 };
    for relation in relations {
        let (Some(from), Some(to)) = (lookup.at(relation.from_s), lookup.at(relation.to_s)) else { continue };
        let rest = to.pose.seen_from(from.pose).seen_from(relation.pose());
        origin.shared += 1;
        origin.agreeing += usize::from(rest.distance_m() < AGREE_M && rest.angle_rad() < AGREE_RAD);
    }
    origin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{planar, relation};

    #[test]
    fn an_independent_run_is_not_taken_for_the_origin() {
        let rows: Vec<_> = (0..20).map(|i| (f64::from(i), f64::from(i) * 1.001, 0.0, 0.0)).collect();
        let track = planar(&rows);
        let relations: Vec<_> =
            (0..19).map(|i| relation(f64::from(i), f64::from(i + 1), 1.0, 0.0, 0.0)).collect();
        let found = origin(&relations, &track);
        assert_eq!((found.shared, found.agreeing, found.comes_from_it()), (19, 0, false));
        assert!(!origin(&[], &track).comes_from_it());
        let elsewhere = [relation(100.0, 101.0, 1.0, 0.0, 0.0)];
        assert!(!origin(&elsewhere, &track).comes_from_it());
    }
}
