//! How one metric answers to one kind of damage.

use report::{LabAnswer, LabCurve, LabVerdict};

use super::statistics::{auc, interval, mean, share_above, tau_b};

/// Badness of one metric under one kind, on one map.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OnMap {
    /// Of the map itself; none where it is undefined.
    pub unchanged: Option<f64>,
    /// Of harmless changes, where defined.
    pub harmless: Vec<f64>,
    /// Per level the badness of each seed; none where it is undefined. Empty where the map could not be damaged so.
    pub levels: Vec<Vec<Option<f64>>>,
}

/// Seen from here on is early.
const EARLY_LEVEL: usize = 2;
/// In order.
const MIN_TAU: f64 = 0.9;
/// Separated from harmless changes.
const MIN_AUC: f64 = 0.95;
/// Not separated from them.
const BLIND_AUC: f64 = 0.6;
/// In the wrong order.
const MISLEADING_TAU: f64 = -0.3;
/// A gain below this share of the range is none.
const GAIN_SHARE: f64 = 0.05;
/// Values of damaged maps that are better than that of the map itself, as a share.
const BETTER_SHARE: f64 = 0.95;

/// Sums up the badness on all maps. `levels` are the numbers of the levels, `draws` the resamples of maps.
pub(super) fn answer(
    (metric, kind): (&str, &str),
    maps: &[OnMap],
    levels: &[usize],
    draws: &[Vec<u32>],
) -> LabAnswer {
    let taus: Vec<Option<f64>> = maps.iter().map(|map| map.tau(levels)).collect();
    let separations: Vec<Option<f64>> =
        maps.iter().map(|map| auc(&map.damaged(0..levels.len()), &map.harmless)).collect();
    let by_level = |level: usize, of: fn(&[f64], &[f64]) -> Option<f64>| {
        mean(maps.iter().filter_map(|map| of(&map.damaged(level..level + 1), &map.harmless)))
    };
    let separation_by_level: Vec<Option<f64>> = (0..levels.len()).map(|level| by_level(level, auc)).collect();
    let sees =
        (0..levels.len()).find(|level| by_level(*level, share_above).is_some_and(|share| share >= MIN_AUC));
    let (all, undefined) =
        maps.iter().map(OnMap::counts).fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    let mut answer = LabAnswer {
        metric: metric.to_owned(),
        kind: kind.to_owned(),
        verdict: LabVerdict::Untried,
        level: None,
        tau: mean(taus.iter().flatten().copied()),
        tau_interval: interval(&taus, draws),
        separation: mean(separations.iter().flatten().copied()),
        separation_interval: interval(&separations, draws),
        separation_by_level,
        sees_level: sees.map(|level| levels[level]),
        saturates_level: saturation(maps, levels),
        repeatable: mean(maps.iter().filter_map(OnMap::spread_over_seeds)),
        undefined: (all > 0).then(|| undefined as f64 / all as f64),
    };
    let is_better = maps.iter().filter_map(OnMap::share_better);
    let is_better = mean(is_better).is_some_and(|share| share >= BETTER_SHARE);
    (answer.verdict, answer.level) = verdict(&answer, levels, is_better);
    answer
}

/// The word of the matrix, and the level that belongs to it.
fn verdict(answer: &LabAnswer, levels: &[usize], is_better: bool) -> (LabVerdict, Option<usize>) {
    let Some(undefined) = answer.undefined else { return (LabVerdict::Untried, None) };
    let by_level = &answer.separation_by_level;
    let (Some(tau), Some(at_top)) = (answer.tau, by_level.last().copied().flatten()) else {
        return (LabVerdict::Undefined, None);
    };
    if undefined > 0.5 {
        return (LabVerdict::Undefined, None);
    }
    if tau <= MISLEADING_TAU || is_better {
        return (LabVerdict::Misleads, None);
    }
    if at_top < BLIND_AUC {
        return (LabVerdict::Blind, None);
    }
    let is_separated = |auc: &Option<f64>| auc.is_some_and(|auc| auc >= MIN_AUC);
    let early = levels.iter().position(|level| *level >= EARLY_LEVEL).unwrap_or(0);
    let first = by_level.iter().position(is_separated);
    let is_early = by_level.get(early).is_some_and(is_separated);
    match (is_early, tau >= MIN_TAU, answer.saturates_level) {
        (true, true, _) => (LabVerdict::Sees, None),
        (true, false, Some(level)) => (LabVerdict::Saturates, Some(level)),
        _ => (LabVerdict::Late, first.map(|first| levels[first])),
    }
}

impl OnMap {
    /// Values of some levels, where defined.
    fn damaged(&self, levels: std::ops::Range<usize>) -> Vec<f64> {
        self.levels.iter().skip(levels.start).take(levels.len()).flatten().flatten().copied().collect()
    }

    /// Mean over seeds of Kendall's tau-b over the levels that have a value, level 0 included; none without three of them
    /// (two where the kind has one level).
    fn tau(&self, levels: &[usize]) -> Option<f64> {
        let seeds = self.levels.iter().map(Vec::len).max().unwrap_or(0);
        let of_seed = |seed: usize| {
            // A kind without chance has one seed.
            let damaged = self.levels.iter().zip(levels).filter_map(|(values, level)| {
                Some((*level as f64, (*values.get(seed.min(values.len().checked_sub(1)?))?)?))
            });
            let points: Vec<(f64, f64)> =
                self.unchanged.map(|b| (0.0, b)).into_iter().chain(damaged).collect();
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            if x.len() < 3.min(levels.len() + 1) { None } else { tau_b(&x, &y) }
        };
        mean((0..seeds).filter_map(of_seed))
    }

    /// Damaged pairs, and how many of them have no value.
    fn counts(&self) -> (usize, usize) {
        let all: Vec<&Option<f64>> = self.levels.iter().flatten().collect();
        (all.len(), all.iter().filter(|value| value.is_none()).count())
    }

    /// Share of damaged pairs that are better than the map itself, beyond rounding.
    fn share_better(&self) -> Option<f64> {
        let unchanged = self.unchanged?;
        let damaged = self.damaged(0..self.levels.len());
        let limit = unchanged - 1e-9 * unchanged.abs().max(1e-9);
        let better = damaged.iter().filter(|value| **value < limit).count();
        (!damaged.is_empty()).then(|| better as f64 / damaged.len() as f64)
    }

    /// Mean badness per level, level 0 first.
    fn means(&self) -> Vec<Option<f64>> {
        let damaged = self.levels.iter().map(|seeds| mean(seeds.iter().flatten().copied()));
        std::iter::once(self.unchanged).chain(damaged).collect()
    }

    /// From the lowest to the highest mean over the levels; none where they are equal.
    fn range(&self) -> Option<f64> {
        let means = self.means();
        let values = means.iter().flatten();
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
        (high > low).then_some(high - low)
    }

    /// Standard deviation over seeds by range over levels: mean over the levels with several seeds.
    fn spread_over_seeds(&self) -> Option<f64> {
        let range = self.range()?;
        let deviation = |seeds: &Vec<Option<f64>>| {
            let values: Vec<f64> = seeds.iter().flatten().copied().collect();
            let middle = mean(values.iter().copied())?;
            let squares = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>();
            (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt() / range)
        };
        mean(self.levels.iter().filter_map(deviation))
    }

    /// The curve of the page.
    pub(super) fn curve(&self) -> LabCurve {
        let of_level = |seeds: &Vec<Option<f64>>| {
            let values: Vec<f64> = seeds.iter().flatten().copied().collect();
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
            Some([low, mean(values.iter().copied())?, high])
        };
        let first = self.unchanged.map(|value| [value; 3]);
        LabCurve { points: std::iter::once(first).chain(self.levels.iter().map(of_level)).collect() }
    }
}

/// The first level after which the mean badness over the maps gains less than 5 % of its range; each map counts by its own
/// range, so that large maps do not decide alone.
fn saturation(maps: &[OnMap], levels: &[usize]) -> Option<usize> {
    let scaled: Vec<Vec<Option<f64>>> = maps
        .iter()
        .filter_map(|map| {
            let range = map.range()?;
            Some(map.means().iter().map(|value| value.map(|value| value / range)).collect())
        })
        .collect();
    let curve: Vec<f64> = (0..=levels.len())
        .map(|level| {
            mean(scaled.iter().filter_map(|map: &Vec<Option<f64>>| map.get(level).copied().flatten()))
        })
        .collect::<Option<_>>()?;
    let (low, high) = curve.iter().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
    let gains = |level: &usize| {
        let later = curve[level + 1..].iter().copied().fold(f64::MIN, f64::max);
        later - curve[*level] < GAIN_SHARE * (high - low)
    };
    (high > low).then(|| (1..levels.len()).find(gains))?.map(|level| levels[level - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [usize; 6] = [1, 2, 3, 4, 5, 6];

    fn on_map(badness: [f64; 6]) -> OnMap {
        let levels = badness.iter().map(|b| vec![Some(*b); 2]).collect();
        OnMap { unchanged: Some(0.0), harmless: vec![0.0, 0.5, 1.0], levels }
    }

    fn of(badness: [f64; 6]) -> LabAnswer {
        answer(("m", "k"), &[on_map(badness)], &LEVELS, &[])
    }

    #[test]
    fn verdicts_by_hand() {
        assert_eq!(of([1.5, 2.0, 3.0, 4.0, 5.0, 6.0]).word(), "sees");
        // Level 3 is the first above all harmless ones.
        assert_eq!(of([0.1, 0.2, 3.0, 4.0, 5.0, 6.0]).word(), "late 3");
        // Ties: tau-b = 6 + 5 of 21 pairs against ties among five.
        let flat = of([2.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!((flat.word().as_str(), flat.saturates_level), ("saturates 2", Some(2)));
        assert_eq!(of([0.1; 6]).word(), "blind");
        assert_eq!(of([-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]).word(), "misleads");
        let nothing = OnMap { levels: vec![vec![None; 2]; 6], ..on_map([0.0; 6]) };
        assert_eq!(answer(("m", "k"), &[nothing], &LEVELS, &[]).word(), "undefined");
        let untried = OnMap { levels: Vec::new(), ..on_map([0.0; 6]) };
        assert_eq!(answer(("m", "k"), &[untried], &LEVELS, &[]).word(), "untried");
    }

    #[test]
    fn statistics_by_hand() {
        let found = of([1.5, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!((found.tau, found.separation, found.sees_level), (Some(1.0), Some(1.0), Some(1)));
        assert_eq!((found.undefined, found.repeatable), (Some(0.0), Some(0.0)));
        assert_eq!(found.saturates_level, None);
        // At 0.75 two of three harmless values are lower.
        let auc = of([0.75, 2.0, 3.0, 4.0, 5.0, 6.0]).separation_by_level[0].unwrap();
        assert!((auc - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn one_level_is_enough_for_a_kind_that_has_one() {
        let map = OnMap { unchanged: Some(0.0), harmless: vec![0.0], levels: vec![vec![Some(1.0)]] };
        let found = answer(("m", "mirror"), &[map], &[1], &[]);
        assert_eq!((found.tau, found.word().as_str()), (Some(1.0), "sees"));
    }
}
