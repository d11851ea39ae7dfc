//! Random pairs, as many as a stated precision of the mean asks for.
//!
//! ```text
//! n = t^2 sigma^2 / delta^2
//! ```
//!
//! with sigma the standard deviation of the measured quantity over 500 random pairs, delta the precision wanted and t
//! the quantile of Student's distribution: the published rule. Delta is given relative to the mean of the 500 pairs.

use std::collections::BTreeSet;

use align::trajectory::Track;
use model::{Pose3, SeededRng};

use super::keyframes::Keyframes;
use super::{MakeError, MakeParams, Measure, Pair, Sample, relation};

/// Pairs of the pilot (the published rule).
const PILOT_PAIRS: usize = 500;
/// Two-sided 95 % quantile of Student's distribution with 499 degrees of freedom.
const STUDENT_T: f64 = 1.964_7;
/// More relations than this tell nothing new, and fill disks.
const MAX_PAIRS: usize = 1_000_000;

/// Distinct random pairs of keyframes.
pub(super) fn random_pairs(
    track: &Track<Pose3>,
    keys: &Keyframes,
    params: &MakeParams,
    measure: &Measure<'_>,
) -> Result<Vec<Pair>, MakeError> {
    if keys.indices.len() < 2 {
        return Ok(Vec::new());
    }
    let wanted = match params.sample {
        Sample::Count(count) => count,
        Sample::Precision(share) => {
            let pairs = distinct_pairs(keys, PILOT_PAIRS, params.seed);
            let values = pairs.iter().filter_map(|&pair| measure(&relation(track, pair)));
            sample_size(&values.collect::<Vec<_>>(), share)?
        }
    };
    Ok(distinct_pairs(keys, wanted.min(MAX_PAIRS), params.seed))
}

/// The number of pairs whose mean lies within `share` of the true mean in 95 of 100 samples.
fn sample_size(pilot: &[f64], share: f64) -> Result<usize, MakeError> {
    if pilot.len() < 2 {
        let why = format!("{} of {PILOT_PAIRS} random pairs could be measured", pilot.len());
        return Err(MakeError::NoPairs(why));
    }
    let n = pilot.len() as f64;
    let mean = pilot.iter().sum::<f64>() / n;
    let variance = pilot.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    if mean <= 0.0 {
        return Err(MakeError::NoPairs(
            "the mean of the random pairs is 0, so no share of it is a precision".into(),
        ));
    }
    let delta = share * mean;
    // Written as in the rule.
    let size = STUDENT_T * STUDENT_T * variance / (delta * delta);
    Ok((size.ceil() as usize).clamp(1, MAX_PAIRS))
}

/// So many different pairs, all of them if there are no more; the second pose is the later one.
fn distinct_pairs(keys: &Keyframes, wanted: usize, seed: u64) -> Vec<Pair> {
    let count = keys.indices.len();
    let all = count * (count - 1) / 2;
    let mut rng = SeededRng::new(seed);
    if wanted >= all / 2 {
        let chosen = rng.subset(wanted, all);
        return chosen.into_iter().map(|number| pair_of(keys, number)).collect();
    }
    let mut pairs = BTreeSet::new();
    while pairs.len() < wanted {
        let (a, b) = (rng.below(count), rng.below(count));
        if a != b {
            pairs.insert((keys.indices[a.min(b)], keys.indices[a.max(b)]));
        }
    }
    pairs.into_iter().collect()
}

/// The pair of a number: 0 is (0, 1), 1 is (0, 2), 2 is (1, 2), and so on by the second pose.
fn pair_of(keys: &Keyframes, number: usize) -> Pair {
    let mut later = ((2.0 * number as f64).sqrt()) as usize;
    while later * (later + 1) / 2 <= number {
        later += 1;
    }
    while later * (later - 1) / 2 > number {
        later -= 1;
    }
    (keys.indices[number - later * (later - 1) / 2], keys.indices[later])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: usize) -> Keyframes {
        Keyframes { indices: (0..count).collect(), path_m: vec![0.0; count] }
    }

    /// By hand: values 1 and 3 in equal number have mean 2 and, with 500 of them, variance 500/499.
    /// n = 1.9647^2 * (500/499) / (0.05 * 2)^2 = 386.8.
    #[test]
    fn the_rule_by_hand() {
        let pilot: Vec<f64> = (0..500).map(|i| if i % 2 == 0 { 1.0 } else { 3.0 }).collect();
        assert_eq!(sample_size(&pilot, 0.05), Ok(387));
        assert_eq!(sample_size(&[2.0; 500], 0.05), Ok(1), "what never differs is known from one");
        assert!(sample_size(&[0.0; 500], 0.05).is_err());
        assert!(sample_size(&[1.0], 0.05).is_err());
    }

    #[test]
    fn pairs_are_distinct_and_all_of_them_when_there_are_few() {
        let all = distinct_pairs(&keys(5), 100, 1);
        assert_eq!(all.len(), 10);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 10);
        assert!(all.iter().all(|pair| pair.0 < pair.1 && pair.1 < 5));
        for wanted in [1, 7, 40, 100, 300] {
            let some = distinct_pairs(&keys(40), wanted, 9);
            assert_eq!(some.iter().collect::<BTreeSet<_>>().len(), wanted);
            assert_eq!(some, distinct_pairs(&keys(40), wanted, 9));
            assert_ne!(some, distinct_pairs(&keys(40), wanted, 10));
        }
    }
}
