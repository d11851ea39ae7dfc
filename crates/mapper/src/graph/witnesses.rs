//! What the last keyframes say to a scan at a pose: how many points lie on what they saw, and how many they looked through, or
//! were looked through by the scan.
//!
//! How much of a scan lies on surfaces is no measure where much of it is new. Around a corner a third of the points fit a
//! match that is right to a centimetre, and none contradicts it; a match half a metre along a corridor fits nearly as many
//! points as the right one, and is contradicted by each door frame.

use std::cell::OnceCell;

use model::{Point2, Pose2};

use super::scan_match::Features;
use super::{Active, Keyframe};
use crate::sight::{Agreement, Sight};

/// Keyframes that are asked, from the last one back. Ours: what is new to one of them may be known to the one before.
const KEYFRAMES: usize = 3;

/// The last keyframes of a submap, and a scan that they judge.
pub(super) struct Witnesses<'a> {
    keyframes: &'a [Keyframe],
    /// Those that are asked.
    asked: &'a [usize],
    active: &'a Active,
    features: &'a Features,
    laser_in_robot: Point2,
    /// Where each of them was in the submap, what it saw, and what the scan sees; made when they are first asked.
    sights: OnceCell<(Vec<(Pose2, Sight)>, Sight)>,
}

impl<'a> Witnesses<'a> {
    pub fn of(
        keyframes: &'a [Keyframe],
        of_submap: &'a [usize],
        active: &'a Active,
        features: &'a Features,
        laser_in_robot: Point2,
    ) -> Self {
        let asked = &of_submap[of_submap.len().saturating_sub(KEYFRAMES)..];
        Self { keyframes, asked, active, features, laser_in_robot, sights: OnceCell::new() }
    }

    /// What all of them say together.
    pub fn agreement(&self, submap_from_robot: Pose2) -> Agreement {
        let (asked, seen) = self.sights.get_or_init(|| self.look());
        let said = |(submap_from_keyframe, sight): &(Pose2, Sight)| {
            sight.agreement(seen, submap_from_keyframe.inverse() * submap_from_robot)
        };
        asked.iter().map(said).fold(Agreement::default(), Agreement::and)
    }

    fn look(&self) -> (Vec<(Pose2, Sight)>, Sight) {
        let last = self.keyframes.last().map_or(Pose2::IDENTITY, |keyframe| keyframe.pose);
        let submap_from_world = self.active.submap_from_keyframe * last.inverse();
        let asked = self.asked.iter().filter_map(|&index| self.keyframes.get(index));
        let sight = |keyframe: &Keyframe| {
            let seen = Sight::of_hits(&keyframe.features.points, keyframe.scan.laser_in_robot);
            (submap_from_world * keyframe.pose, seen)
        };
        (asked.map(sight).collect(), Sight::of_hits(&self.features.points, self.laser_in_robot))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{scan, walls};
    use super::super::{Graph, GraphParams};
    use super::*;
    use crate::{ListedMapper, Mapper};
    use model::SeededRng;

    /// A scan that turns around a corner: most of it is new, so that only a part lies on surfaces.
    #[test]
    fn what_is_new_does_not_speak_against_a_place_and_a_wall_looked_through_does() {
        let (walls, mut noise) = (walls(), SeededRng::new(2));
        let mut graph = Graph::with_params(GraphParams::default());
        let first = Pose2::new(10.0, 1.25, 0.0);
        graph.step(&scan(&walls, 0.0, first, &mut noise), Pose2::IDENTITY);
        let turned = Pose2::new(10.75, 1.4, 1.5);
        let seen = scan(&walls, 1.0, turned, &mut noise);
        let features = Features::of(&seen, 400);
        let active = &graph.active[0];
        let of_submap = &graph.submaps[active.submap].keyframes;
        let witnesses = Witnesses::of(&graph.keyframes, of_submap, active, &features, seen.laser_in_robot);
        let truth = first.inverse() * turned;
        let right = witnesses.agreement(truth);
        assert!(right.agree >= 60 && right.contradicted().unwrap() < 0.05, "{right:?}");
        let wrong = witnesses.agreement(truth * Pose2::new(-0.6, 0.0, 0.0));
        assert!(wrong.contradicted().unwrap() > 0.1, "{wrong:?}");
    }
}
