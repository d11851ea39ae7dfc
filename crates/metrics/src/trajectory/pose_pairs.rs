//! Which poses form a pair: a given number of poses, metres, seconds or radians apart.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which pairs are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pairs {
    /// One pair after the other.
    #[default]
    Consecutive,
    /// A pair from each pose on.
    All,
}

/// Where a consecutive pair ends if no pose lies at exactly the wanted distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// At the pose nearest to it.
    #[default]
    Nearest,
    /// At the first pose at or past it, as evo does; pairs are then too long by up to a step.
    Past,
}

/// Pairs of numbers whose `progress` differs by `delta`. Progress never falls.
#[must_use]
pub fn pairs(progress: &[f64], delta: f64, kind: Pairs, cut: Cut, tolerance: f64) -> Vec<(u32, u32)> {
    match kind {
        Pairs::Consecutive => consecutive(progress, delta, cut),
        Pairs::All => all(progress, delta, tolerance * delta),
    }
}

fn consecutive(progress: &[f64], delta: f64, cut: Cut) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut next = 1;
    while next < progress.len() {
        // Sums of steps miss a whole number of them by the last digit.
        let [reached, before] = [next, next - 1].map(|index| progress[index] - progress[start]);
        if reached < delta - 1e-9 * delta {
            next += 1;
            continue;
        }
        let takes_before = cut == Cut::Nearest && next - 1 > start && delta - before < reached - delta;
        let end = if takes_before { next - 1 } else { next };
        found.push((start as u32, end as u32));
        start = end;
        next = end + 1;
    }
    found
}

/// From each number on the later one nearest to `delta`, the first of equal ones; two pointers, because it never
/// moves back.
fn all(progress: &[f64], delta: f64, tolerance: f64) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut end = 1;
    for start in 0..progress.len().saturating_sub(1) {
        end = end.max(start + 1);
        let miss = |index: usize| (progress[index] - progress[start] - delta).abs();
        while end + 1 < progress.len() && progress[end] - progress[start] < delta {
            end += 1;
        }
        let mut best = end;
        if best > start + 1 && miss(best - 1) <= miss(best) {
            best -= 1;
        }
        // Of poses at rest the first one.
        while best > start + 1 && progress[best - 1] == progress[best] {
            best -= 1;
        }
        if miss(best) <= tolerance {
            found.push((start as u32, best as u32));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn frames_are_counted() {
        let frames: Vec<f64> = (0..6).map(f64::from).collect();
        assert_eq!(pairs(&frames, 2.0, Pairs::Consecutive, Cut::Nearest, 0.1), [(0, 2), (2, 4)]);
        assert_eq!(pairs(&frames, 2.0, Pairs::All, Cut::Nearest, 0.0), [(0, 2), (1, 3), (2, 4), (3, 5)]);
        assert!(pairs(&frames, 9.0, Pairs::Consecutive, Cut::Past, 0.1).is_empty());
        assert!(pairs(&[], 1.0, Pairs::All, Cut::Past, 0.1).is_empty());
        assert!(pairs(&[0.0], 1.0, Pairs::All, Cut::Past, 0.1).is_empty());
    }

    /// Steps of 0.1 m: summed up, ten of them are a hair less than a metre, and an eleventh would be taken.
    #[test]
    fn ten_steps_of_a_tenth_are_a_metre() {
        let mut path = vec![0.0];
        for _ in 0..199 {
            path.push(path.last().unwrap() + 0.1);
        }
        for cut in [Cut::Nearest, Cut::Past] {
            let found = pairs(&path, 1.0, Pairs::Consecutive, cut, 0.1);
            assert_eq!(found.len(), 19);
            assert!(found.iter().all(|(a, b)| b - a == 10));
        }
    }

    #[test]
    fn the_nearest_pose_ends_a_pair() {
        let path = [0.0, 0.9, 1.6, 2.5, 2.6];
        assert_eq!(pairs(&path, 1.0, Pairs::Consecutive, Cut::Nearest, 0.1), [(0, 1), (1, 2), (2, 4)]);
        assert_eq!(pairs(&path, 1.0, Pairs::Consecutive, Cut::Past, 0.1), [(0, 2), (2, 4)]);
    }

    proptest! {
        #[test]
        fn two_pointers_find_what_trying_everything_finds(
            steps in prop::collection::vec(prop_oneof![Just(0.0), 0.0..0.7_f64], 0..40),
            delta in 0.1..2.0_f64,
        ) {
            let mut path = vec![0.0];
            for step in steps {
                path.push(path[path.len() - 1] + step);
            }
            let mut expected = Vec::new();
            for i in 0..path.len() - 1 {
                let miss = |j: usize| (path[j] - path[i] - delta).abs();
                let best = (i + 1..path.len()).min_by(|&a, &b| miss(a).total_cmp(&miss(b))).unwrap();
                if miss(best) <= 0.1 * delta {
                    expected.push((i as u32, best as u32));
                }
            }
            prop_assert_eq!(pairs(&path, delta, Pairs::All, Cut::Nearest, 0.1), expected);
        }
    }
}
