//! Which pose of the estimate belongs to which timestamp of the truth. Each pose of the truth serves once.

use model::Rigid;

use super::lookup::{Associate, Found, FoundBy, Lookup};
use super::track::Track;

/// How many poses were found by which means, and how many not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookupCounts {
    /// At the very time, or by number.
    pub exact: usize,
    pub nearest: usize,
    pub interpolated: usize,
    /// Carried on by odometry.
    pub filled: usize,
    /// No pose within the rule.
    pub unmatched: usize,
}

impl LookupCounts {
    pub fn add<P>(&mut self, found: Option<&Found<P>>) {
        let slot = match found.map(|found| found.by) {
            Some(FoundBy::Exact) => &mut self.exact,
            Some(FoundBy::Nearest) => &mut self.nearest,
            Some(FoundBy::Interpolated) => &mut self.interpolated,
            Some(FoundBy::Filled) => &mut self.filled,
            None => &mut self.unmatched,
        };
        *slot += 1;
    }
}

/// Pairs of poses of the same timestamp, in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Matches<P> {
    /// Number of the estimated pose, and of the true one (or the one before it).
    pairs: Vec<(u32, u32)>,
    /// Poses made by the look-up, one per pair: of the truth, or of the estimate if that was filled; else empty.
    made: Vec<P>,
    is_estimate_made: bool,
    /// Times of the pairs are those of the truth if the estimate was filled, else those of the estimate.
    counts: LookupCounts,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<P> {
    pub time_s: f64,
    pub estimate: P,
    pub truth: P,
    /// Number of the true pose, or of the one before it.
    pub truth_index: usize,
}

/// Matches two tracks by time, or by number.
pub fn associate<P: Rigid>(
    estimate: &Track<P>,
    truth: &Track<P>,
    association: super::Association,
    odometry: Option<&Track<P>>,
) -> Matches<P> {
    match association.rule {
        Associate::Index => by_index(estimate, truth),
        Associate::Filled => {
            let lookup = Lookup { track: estimate, association, odometry };
            let mut matches = Matches { is_estimate_made: true, ..Matches::empty() };
            for (index, &time_s) in truth.times_s().iter().enumerate() {
                let found = lookup.at(time_s);
                matches.counts.add(found.as_ref());
                if let Some(found) = found {
                    matches.pairs.push((number(found.index), number(index)));
                    matches.made.push(found.pose);
                }
            }
            matches
        }
        Associate::Interpolate => {
            let lookup = Lookup { track: truth, association, odometry: None };
            let mut matches = Matches::empty();
            for (index, &time_s) in estimate.times_s().iter().enumerate() {
                let found = lookup.at(time_s);
                matches.counts.add(found.as_ref());
                if let Some(found) = found {
                    matches.pairs.push((number(index), number(found.index)));
                    matches.made.push(found.pose);
                }
            }
            matches
        }
        Associate::Nearest | Associate::Exact => one_to_one(estimate, truth, association),
    }
}

fn by_index<P: Rigid>(estimate: &Track<P>, truth: &Track<P>) -> Matches<P> {
    let common = estimate.len().min(truth.len());
    let pairs = (0..common).map(|index| (number(index), number(index))).collect();
    let counts =
        LookupCounts { exact: common, unmatched: estimate.len() - common, ..LookupCounts::default() };
    Matches { pairs, counts, ..Matches::empty() }
}

/// Nearest in time; where two estimated poses want the same true one, the closer gets it.
fn one_to_one<P: Rigid>(
    estimate: &Track<P>,
    truth: &Track<P>,
    association: super::Association,
) -> Matches<P> {
    let lookup = Lookup { track: truth, association, odometry: None };
    let mut matches = Matches::empty();
    matches.pairs.reserve_exact(estimate.len().min(truth.len()));
    let distance_s =
        |(e, t): (u32, u32)| (estimate.times_s()[e as usize] - truth.times_s()[t as usize]).abs();
    for (index, &time_s) in estimate.times_s().iter().enumerate() {
        let found = lookup.at(time_s);
        matches.counts.add(found.as_ref());
        let Some(found) = found else { continue };
        let pair = (number(index), number(found.index));
        let Some(last) = matches.pairs.last_mut().filter(|last| last.1 == pair.1) else {
            matches.pairs.push(pair);
            continue;
        };
        let loser = if distance_s(pair) < distance_s(*last) { std::mem::replace(last, pair) } else { pair };
        matches.counts.unmatched += 1;
        if distance_s(loser) <= super::lookup::SAME_TIME_S {
            matches.counts.exact -= 1;
        } else {
            matches.counts.nearest -= 1;
        }
    }
    matches
}

/// Tracks hold fewer poses than fit into 32 bits: each needs 32 bytes.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl<P: Rigid> Matches<P> {
    pub fn empty() -> Self {
        Self { pairs: Vec::new(), made: Vec::new(), is_estimate_made: false, counts: LookupCounts::default() }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// True without a pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// How the poses were found.
    pub const fn counts(&self) -> LookupCounts {
        self.counts
    }

    pub fn pair(&self, index: usize, estimate: &Track<P>, truth: &Track<P>) -> Pair<P> {
        let (e, t) = self.pairs[index];
        let (e, t) = (e as usize, t as usize);
        let made = self.made.get(index).copied();
        let (estimate_made, truth_made) = if self.is_estimate_made { (made, None) } else { (None, made) };
        Pair {
            time_s: if self.is_estimate_made { truth.times_s()[t] } else { estimate.times_s()[e] },
            estimate: estimate_made.unwrap_or(estimate.poses()[e]),
            truth: truth_made.unwrap_or(truth.poses()[t]),
            truth_index: t,
        }
    }

    /// All pairs in order of time.
    pub fn pairs<'a>(
        &'a self,
        estimate: &'a Track<P>,
        truth: &'a Track<P>,
    ) -> impl ExactSizeIterator<Item = Pair<P>> + Clone + 'a {
        (0..self.len()).map(move |index| self.pair(index, estimate, truth))
    }

    /// The pairs for which `keep` is true of the true pose's number.
    #[must_use]
    pub fn kept(&self, keep: impl Fn(usize) -> bool) -> Self {
        let chosen: Vec<usize> =
            (0..self.len()).filter(|&index| keep(self.pairs[index].1 as usize)).collect();
        Self {
            pairs: chosen.iter().map(|&index| self.pairs[index]).collect(),
            made: chosen.iter().filter_map(|&index| self.made.get(index).copied()).collect(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::super::Association;
    use super::*;

    fn track(times_s: &[f64]) -> Track<Pose2> {
        Track::new(times_s.iter().map(|&time_s| (time_s, Pose2::new(time_s, 0.0, 0.0))))
    }

    fn matched(estimate: &[f64], truth: &[f64], rule: Associate) -> (Vec<(f64, f64)>, LookupCounts) {
        let (estimate, truth) = (track(estimate), track(truth));
        let association = Association { rule, ..Association::default() };
        let matches = associate(&estimate, &truth, association, None);
        let pairs =
            matches.pairs(&estimate, &truth).map(|pair| (pair.estimate.x_m, pair.truth.x_m)).collect();
        (pairs, matches.counts())
    }

    #[test]
    fn a_true_pose_serves_once() {
        let (pairs, counts) = matched(&[0.98, 1.01, 1.03, 2.0], &[1.0, 2.0], Associate::Nearest);
        assert_eq!(pairs, [(1.01, 1.0), (2.0, 2.0)]);
        assert_eq!((counts.exact, counts.nearest, counts.unmatched), (1, 1, 2));
    }

    #[test]
    fn truths_between_poses_are_interpolated_and_none_outside() {
        let (pairs, counts) = matched(&[-0.1, 0.5, 1.0, 1.5, 2.1], &[0.0, 1.0, 2.0], Associate::Interpolate);
        assert_eq!(pairs, [(0.5, 0.5), (1.0, 1.0), (1.5, 1.5)]);
        assert_eq!((counts.exact, counts.interpolated, counts.unmatched), (1, 2, 2));
    }

    #[test]
    fn numbers_match_without_times() {
        let (pairs, counts) = matched(&[5.0, 6.0, 7.0], &[0.0, 1.0], Associate::Index);
        assert_eq!(pairs, [(5.0, 0.0), (6.0, 1.0)]);
        assert_eq!((counts.exact, counts.unmatched), (2, 1));
    }

    #[test]
    fn chosen_pairs_keep_their_poses() {
        let (estimate, truth) = (track(&[0.5, 1.0, 1.5]), track(&[0.0, 1.0, 2.0]));
        let association = Association { rule: Associate::Interpolate, ..Association::default() };
        let kept = associate(&estimate, &truth, association, None).kept(|index| index == 1);
        let times: Vec<f64> = kept.pairs(&estimate, &truth).map(|pair| pair.truth.x_m).collect();
        assert_eq!(times, [1.0, 1.5]);
    }
}
