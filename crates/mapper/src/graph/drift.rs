//! How far the newest keyframe may have drifted from each submap: along the path, or over loop closures, whichever is less.
//!
//! A place that was seen twice on the last lap is known well from there, and may still be metres off from the first lap, which
//! no loop closure has joined to it. So one number for the whole map is not enough: it would be small after any loop closure.

use std::ops::{Add, Sub};

use super::Graph;

/// Drift over a loop closure, metres and radians. Ours: what a match may be off.
const OVER_LOOP: Drift = Drift { m: 0.1, rad: 0.01 };

/// How far a displacement may be off: metres, and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Drift {
    pub m: f64,
    pub rad: f64,
}

impl Drift {
    const UNKNOWN: Self = Self { m: f64::INFINITY, rad: f64::INFINITY };
}

impl Add for Drift {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { m: self.m + other.m, rad: self.rad + other.rad }
    }
}

impl Sub for Drift {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { m: self.m - other.m, rad: self.rad - other.rad }
    }
}

impl Graph {
    /// Drift between a keyframe and the anchor of each submap.
    pub(super) fn drift_from(&self, keyframe: usize) -> Vec<Drift> {
        let anchors: Vec<usize> = self.submaps.iter().map(|submap| submap.anchor).collect();
        let of = |keyframe: usize| anchors.partition_point(|&anchor| anchor <= keyframe).saturating_sub(1);
        let at = |keyframe: usize| self.keyframes[keyframe].drift;
        let mut beside: Vec<Vec<(usize, Drift)>> = vec![Vec::new(); anchors.len()];
        let mut join = |a: usize, b: usize, drift: Drift| {
            beside[a].push((b, drift));
            beside[b].push((a, drift));
        };
        for (index, pair) in anchors.windows(2).enumerate() {
            join(index, index + 1, at(pair[1]) - at(pair[0]));
        }
        for known in self.loops.iter().filter(|known| known.is_accepted) {
            let (from, to) = (of(known.anchor), of(known.keyframe));
            join(from, to, at(known.keyframe) - at(anchors[to]) + OVER_LOOP);
        }
        let start = of(keyframe);
        shortest(&beside, start, at(keyframe) - at(anchors[start]))
    }
}

/// Dijkstra's shortest paths by metres.
fn shortest(beside: &[Vec<(usize, Drift)>], start: usize, first: Drift) -> Vec<Drift> {
    let mut drifts = vec![Drift::UNKNOWN; beside.len()];
    let mut is_left = vec![true; beside.len()];
    drifts[start] = first;
    loop {
        let left = (0..beside.len()).filter(|&index| is_left[index] && drifts[index].m.is_finite());
        let Some(nearest) = left.min_by(|&a, &b| drifts[a].m.total_cmp(&drifts[b].m)) else { return drifts };
        is_left[nearest] = false;
        for &(other, drift) in &beside[nearest] {
            let reached = drifts[nearest] + drift;
            if reached.m < drifts[other].m {
                drifts[other] = reached;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lap_without_loop_closures_stays_far_and_one_with_them_comes_near() {
        let step = |m: f64| Drift { m, rad: 0.1 * m };
        // Five submaps in a row, a metre of drift apart; the last saw the second.
        let mut beside: Vec<Vec<(usize, Drift)>> = vec![Vec::new(); 5];
        for index in 0..4 {
            beside[index].push((index + 1, step(1.0)));
            beside[index + 1].push((index, step(1.0)));
        }
        let far = shortest(&beside, 4, step(0.5));
        assert!((far[0].m - 4.5).abs() < 1e-12 && (far[0].rad - 0.45).abs() < 1e-12);
        beside[4].push((1, step(0.1)));
        beside[1].push((4, step(0.1)));
        let near: Vec<f64> = shortest(&beside, 4, step(0.5)).iter().map(|drift| drift.m).collect();
        let expected = [1.6, 0.6, 1.6, 1.5, 0.5];
        assert!(
            near.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
            "{near:?}"
        );
    }
}
