//! Whether revisits of a place can be trusted: bent poses, and places that only look alike.
//!
//! Two places that look alike give scans that match, and no pair of scans can tell. Two things around them can. A robot
//! that came back sees the place from several keyframes, each time at the same displacement. And where a mapper took one
//! place for another, it bent the path between them to make it fit: the scans of neighbouring keyframes then turn the
//! steps of that path back.

use std::collections::HashMap;

use model::{Pose2, RelationRecord, Rigid};

/// Relations between keyframes up to this many before and after confirm each other. Ours.
const REACH_KEYFRAMES: usize = 3;
/// Relations agree within this. Ours: far more than the error of a match, far less than a lane of 1.2 m.
const AGREE_M: f64 = 0.1;
const AGREE_RAD: f64 = 3.0 * std::f64::consts::PI / 180.0;

/// What is known about a revisit beyond its two scans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Other revisits, from other keyframes on both sides, that agree.
    pub witnesses: usize,
    /// Steps on the path between both visits that their scans correct by more than a rule allows.
    pub bent_steps: usize,
}

/// The support of each proposal in `of`: by the chosen ones, by relations that were accepted before, and by the steps
/// between neighbouring keyframes. `is_bent` tells whether the scans correct a step by more than is allowed.
pub(crate) fn support(
    all: &[RelationRecord],
    chosen: &[&RelationRecord],
    of: &[&RelationRecord],
    is_bent: impl Fn(&RelationRecord) -> bool,
) -> Vec<Support> {
    let chain = Chain::of(all, is_bent);
    let witnesses = chosen.iter().copied().chain(all.iter().filter(|record| record.is_truth()));
    let by_ends: HashMap<(usize, usize), Pose2> = witnesses
        .filter_map(|record| Some((chain.ends(record)?, record.final_relation().pose().planar())))
        .collect();
    let support = |record: &&RelationRecord| {
        let Some((from, to)) = chain.ends(record) else { return Support::default() };
        let delta = record.relation.pose().planar();
        let others = near(from).flat_map(|other_from| near(to).map(move |other_to| (other_from, other_to)));
        let agrees = |&(other_from, other_to): &(usize, usize)| {
            let Some(other) = by_ends.get(&(other_from, other_to)) else { return false };
            let expected = chain.moved(other_from, from) * delta * chain.moved(to, other_to);
            let rest = other.seen_from(expected);
            rest.distance_m() <= AGREE_M && rest.angle_rad() <= AGREE_RAD
        };
        let bent = |number: usize| chain.bent[number];
        Support {
            witnesses: others.filter(agrees).count(),
            bent_steps: bent(to.max(from)) - bent(to.min(from)),
        }
    };
    of.iter().map(support).collect()
}

/// Indices of the keyframes around one, without itself.
fn near(number: usize) -> impl Iterator<Item = usize> {
    (number.saturating_sub(REACH_KEYFRAMES)..=number + REACH_KEYFRAMES).filter(move |other| *other != number)
}

/// Keyframes in order, chained by the proposals between neighbours.
#[derive(Default)]
struct Chain {
    /// Index of a keyframe by the bits of its timestamp.
    numbers: HashMap<u64, usize>,
    poses: Vec<Pose2>,
    /// Bent steps up to each keyframe.
    bent: Vec<usize>,
}

impl Chain {
    fn of(all: &[RelationRecord], is_bent: impl Fn(&RelationRecord) -> bool) -> Self {
        let mut chain = Self::default();
        for record in all.iter().filter(|record| record.tags.iter().any(|tag| tag == "consecutive")) {
            let bent_before = chain.bent.last().copied().unwrap_or(0);
            let from = match chain.numbers.get(&record.relation.from_s.to_bits()) {
                Some(&from) => from,
                None => chain.add(record.relation.from_s, Pose2::IDENTITY, bent_before),
            };
            let pose = chain.poses[from] * record.relation.pose().planar();
            chain.add(record.relation.to_s, pose, bent_before + usize::from(is_bent(record)));
        }
        chain
    }

    fn add(&mut self, time_s: f64, pose: Pose2, bent: usize) -> usize {
        self.numbers.insert(time_s.to_bits(), self.poses.len());
        self.poses.push(pose);
        self.bent.push(bent);
        self.poses.len() - 1
    }

    /// Indices of the keyframes that a relation joins.
    fn ends(&self, record: &RelationRecord) -> Option<(usize, usize)> {
        let number = |time_s: f64| self.numbers.get(&time_s.to_bits()).copied();
        Some((number(record.relation.from_s)?, number(record.relation.to_s)?))
    }

    /// The second keyframe seen from the first.
    fn moved(&self, from: usize, to: usize) -> Pose2 {
        self.poses[to].seen_from(self.poses[from])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::relation;

    fn record(kind: &str, from_s: f64, to_s: f64, x_m: f64) -> RelationRecord {
        let id = format!("{kind}-{from_s}-{to_s}");
        RelationRecord {
            tags: vec![kind.to_owned()],
            ..RelationRecord::proposed(id, relation(from_s, to_s, x_m, 0.0, 0.0))
        }
    }

    fn witnesses(all: &[RelationRecord], loops: &[RelationRecord]) -> Vec<usize> {
        let chosen: Vec<&RelationRecord> = loops.iter().collect();
        support(all, &chosen, &chosen, |_| false).iter().map(|support| support.witnesses).collect()
    }

    /// Steps of half a metre at seconds 0 to 5; then, after a long path, over the same place again at seconds 100 to 105.
    fn steps() -> Vec<RelationRecord> {
        let step = |k: u32| record("consecutive", f64::from(k), f64::from(k + 1), 0.5);
        let mut all: Vec<RelationRecord> = (0..5).map(step).collect();
        all.push(record("consecutive", 5.0, 100.0, 7.0));
        all.extend((100..105).map(step));
        all
    }

    #[test]
    fn two_visits_in_step_bear_each_other_out_and_a_lonely_one_does_not() {
        let all = steps();
        // At seconds 100 and 101 the robot is where it was at 0 and 1; second 103 looks like 5, 1.2 m further on.
        let loops = [
            record("loops", 0.0, 100.0, 0.0),
            record("loops", 1.0, 101.0, 0.01),
            record("loops", 5.0, 103.0, 0.2),
        ];
        assert_eq!(witnesses(&all, &loops), [1, 1, 0]);
    }

    #[test]
    fn one_scan_that_looks_like_two_is_no_second_witness() {
        let all = steps();
        let loops = [record("loops", 0.0, 100.0, 0.0), record("loops", 1.0, 100.0, -0.5)];
        assert_eq!(witnesses(&all, &loops), [0, 0]);
        assert_eq!(witnesses(&[], &loops), [0, 0]);
    }

    #[test]
    fn bent_steps_between_the_visits_are_counted() {
        let loops = [record("loops", 0.0, 100.0, 0.0), record("loops", 1.0, 3.0, 1.0)];
        let chosen: Vec<&RelationRecord> = loops.iter().collect();
        let is_bent = |record: &RelationRecord| [4.0, 5.0, 102.0].contains(&record.relation.from_s);
        let bent: Vec<usize> =
            support(&steps(), &chosen, &chosen, is_bent).iter().map(|s| s.bent_steps).collect();
        assert_eq!(bent, [2, 0]);
    }
}
