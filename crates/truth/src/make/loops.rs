//! Pairs of visits to one place: what a map must get right to be closed.

use std::collections::HashMap;

use align::trajectory::Track;
use model::{Pose3, Rigid};

use super::keyframes::Keyframes;
use super::{MakeParams, Pair};

/// Keyframes that a square of the place's radius keeps, the first ones: a robot that turns on the spot for hours costs
/// no more than one that drives.
const MAX_PER_SQUARE: usize = 256;

/// For each keyframe the nearest earlier ones within the radius, at least the gap before it; at most `loops_per_pose`.
pub(super) fn loop_pairs(track: &Track<Pose3>, keys: &Keyframes, params: &MakeParams) -> Vec<Pair> {
    let (poses, times_s) = (track.poses(), track.times_s());
    let mut visited = Visited { squares: HashMap::new(), radius_m: params.loop_radius_m };
    let mut old_enough = 0;
    let mut pairs = Vec::new();
    for (number, &now) in keys.indices.iter().enumerate() {
        while old_enough < number && times_s[keys.indices[old_enough]] <= times_s[now] - params.loop_gap_s {
            let earlier = keys.indices[old_enough];
            visited.add(poses[earlier], earlier);
            old_enough += 1;
        }
        let distance_m = |earlier: usize| poses[now].seen_from(poses[earlier]).distance_m();
        let mut near: Vec<(f64, usize)> =
            visited.around(poses[now]).map(|earlier| (distance_m(earlier), earlier)).collect();
        near.retain(|(distance_m, _)| *distance_m < params.loop_radius_m);
        // The order does not depend on that of the squares.
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        pairs.extend(near.iter().take(params.loops_per_pose).map(|&(_, earlier)| (earlier, now)));
    }
    pairs
}

/// Poses by the square in which they lie, whose side is the radius of a place.
struct Visited {
    squares: HashMap<(i64, i64), Vec<usize>>,
    radius_m: f64,
}

impl Visited {
    fn square(&self, pose: Pose3) -> (i64, i64) {
        let [x, y, _] = pose.position_m;
        ((x / self.radius_m).floor() as i64, (y / self.radius_m).floor() as i64)
    }

    fn add(&mut self, pose: Pose3, index: usize) {
        let here = self.squares.entry(self.square(pose)).or_default();
        if here.len() < MAX_PER_SQUARE {
            here.push(index);
        }
    }

    /// The poses of the square and of the eight around it.
    fn around(&self, pose: Pose3) -> impl Iterator<Item = usize> {
        let (column, row) = self.square(pose);
        let squares = (-1..=1).flat_map(move |right: i64| {
            (-1..=1).map(move |up: i64| (column.saturating_add(right), row.saturating_add(up)))
        });
        squares.filter_map(|square| self.squares.get(&square)).flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::keyframes::keyframes;
    use super::*;
    use crate::example::planar;

    /// There and back: 20 m at 1 m/s, and back. A place is seen again after 2 (20 - x) seconds.
    fn there_and_back() -> Vec<(f64, f64, f64, f64)> {
        (0..=40)
            .map(|i| (f64::from(i), if i <= 20 { f64::from(i) } else { f64::from(40 - i) }, 0.0, 0.0))
            .collect()
    }

    #[test]
    fn a_way_back_meets_the_way_there_after_the_gap_only() {
        let track = planar(&there_and_back());
        let keys = keyframes(&track, 0.5, 1.0);
        let pairs = loop_pairs(&track, &keys, &MakeParams::default());
        // At second 35 the robot is at 5 m; poses up to second 5 are old enough, and 4, 5 lie within 2 m.
        let partners: Vec<_> = pairs.iter().filter(|pair| pair.1 == 35).map(|pair| pair.0).collect();
        assert_eq!(partners, [5, 4]);
        // At second 40 it is at 0 m: 0 and 1 lie within 2 m.
        let partners: Vec<_> = pairs.iter().filter(|pair| pair.1 == 40).map(|pair| pair.0).collect();
        assert_eq!(partners, [0, 1]);
        for &(earlier, now) in &pairs {
            assert!(track.times_s()[now] - track.times_s()[earlier] >= 30.0);
        }
    }

    #[test]
    fn no_key_pose_has_more_than_its_share() {
        let circling: Vec<_> = (0..5000).map(|i| (f64::from(i), 0.0, 0.0, f64::from(i))).collect();
        let track = planar(&circling);
        let keys = keyframes(&track, 0.5, 0.1);
        let pairs = loop_pairs(&track, &keys, &MakeParams::default());
        assert!((0..5000).all(|now| pairs.iter().filter(|pair| pair.1 == now).take(4).count() <= 3));
        assert!(pairs.len() > 14_000);
    }
}
