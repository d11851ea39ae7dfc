//! The constant offset between the clock of a run and that of its relations: where the relations fit best.
//!
//! The cost of an offset is the mean over a sample of relations of min(error, scale) / scale, with the median length of
//! the displacements as scale, over the relations whose times the run has: half of them at least, or the offset is left
//! out. A coarse raster finds the lowest cost, finer ones around it refine it. A run that fits its relations no better
//! than at any other offset has no answer.

use model::Rigid;

use super::lookup::Lookup;
use super::track::Track;
use super::{Associate, Association};

/// A true displacement between two times, in seconds.
pub type Timed<P> = (f64, f64, P);

/// An offset with what supports it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationOffset {
    /// To be added to the times of the estimate, seconds.
    pub offset_s: f64,
    /// Half the width in which the cost rises by one hundredth, seconds.
    pub uncertainty_s: f64,
    /// Median translation error of the sampled relations at this offset, metres.
    pub median_m: f64,
    /// The same without an offset; none if no relation finds its times then.
    pub median_before_m: Option<f64>,
}

/// Relations that are looked at.
const SAMPLE: usize = 200;
/// Step of the coarse raster, seconds, and its most steps.
const COARSE_S: f64 = 0.1;
const MAX_STEPS: f64 = 40_000.0;
/// The finest step, seconds, and how much finer each raster is than the one before.
const FINEST_S: f64 = 0.002;
const REFINE: f64 = 4.0;
/// The lowest cost, as a ratio to the median of all, above which it is chance.
const MAX_COST_RATIO: f64 = 0.6;
/// Below this median of all costs every offset fits: the run is even, and tells no time.
const MIN_MEDIAN_COST: f64 = 0.01;
/// Median displacements below this tell no time, metres.
const MIN_SCALE_M: f64 = 0.02;

/// Estimates the offset within `max_s` of the present one, or anywhere if the spans do not meet.
pub fn estimate_relation_offset<P: Rigid>(
    estimate: &Track<P>,
    relations: &[Timed<P>],
    max_s: f64,
) -> Option<RelationOffset> {
    let stride = relations.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<Timed<P>> = relations.iter().step_by(stride).copied().collect();
    let scale_m = median(sample.iter().map(|relation| relation.2.distance_m()))?;
    if scale_m < MIN_SCALE_M {
        return None;
    }
    let fit = Fit { estimate, sample: &sample, scale_m };
    let (low_s, high_s) = fit.range_s(max_s)?;
    let step_s = COARSE_S.max((high_s - low_s) / MAX_STEPS);
    let raster = |low_s: f64, high_s: f64, step_s: f64| {
        let steps = ((high_s - low_s) / step_s).floor().max(0.0) as usize;
        (0..=steps).map(move |step| low_s + step as f64 * step_s)
    };
    let costs: Vec<(f64, f64)> =
        raster(low_s, high_s, step_s).filter_map(|at_s| Some((at_s, fit.cost(at_s)?))).collect();
    let lowest = |costs: &[(f64, f64)]| costs.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let mut best = lowest(&costs)?;
    let median_cost = median(costs.iter().map(|cost| cost.1))?;
    if median_cost < MIN_MEDIAN_COST || best.1 > MAX_COST_RATIO * median_cost {
        return None;
    }
    let mut step_s = step_s;
    while step_s > FINEST_S {
        let around = (best.0 - 2.0 * step_s, best.0 + 2.0 * step_s);
        step_s /= REFINE;
        let costs: Vec<(f64, f64)> =
            raster(around.0, around.1, step_s).filter_map(|at_s| Some((at_s, fit.cost(at_s)?))).collect();
        best = lowest(&costs)?;
    }
    let offset_s = best.0;
    let bend: f64 =
        [-COARSE_S, COARSE_S].iter().filter_map(|by| fit.cost(offset_s + by)).map(|cost| cost - best.1).sum();
    let uncertainty_s = if bend > 0.0 { COARSE_S * (0.02 / bend).sqrt() } else { COARSE_S };
    let (median_m, median_before_m) = (fit.median_m(offset_s)?, fit.median_m(0.0));
    Some(RelationOffset { offset_s, uncertainty_s, median_m, median_before_m })
}

struct Fit<'a, P> {
    estimate: &'a Track<P>,
    sample: &'a [Timed<P>],
    scale_m: f64,
}

impl<P: Rigid> Fit<'_, P> {
    /// Offsets to look at.
    fn range_s(&self, max_s: f64) -> Option<(f64, f64)> {
        let (e0, e1) = self.estimate.span_s()?;
        let times = || self.sample.iter().flat_map(|relation| [relation.0, relation.1]);
        let (t0, t1) = (times().reduce(f64::min)?, times().reduce(f64::max)?);
        Some(if e0 <= t1 && t0 <= e1 { (-max_s, max_s) } else { (t0 - e1, t1 - e0) })
    }

    /// The translation error of each relation; none where the run has not both times.
    fn errors_m(&self, offset_s: f64) -> impl Iterator<Item = Option<f64>> + '_ {
        let association =
            Association { rule: Associate::Interpolate, max_gap_s: f64::MAX, ..Association::default() };
        let lookup = Lookup { track: self.estimate, association, odometry: None };
        self.sample.iter().map(move |&(from_s, to_s, displacement)| {
            let (from, to) = (lookup.at(from_s - offset_s)?, lookup.at(to_s - offset_s)?);
            Some(to.pose.seen_from(from.pose).seen_from(displacement).distance_m())
        })
    }

    /// None where the run has the times of fewer than half of the relations.
    fn cost(&self, offset_s: f64) -> Option<f64> {
        let costs: Vec<f64> =
            self.errors_m(offset_s).flatten().map(|error_m| (error_m / self.scale_m).min(1.0)).collect();
        (2 * costs.len() >= self.sample.len()).then(|| costs.iter().sum::<f64>() / costs.len() as f64)
    }

    fn median_m(&self, offset_s: f64) -> Option<f64> {
        median(self.errors_m(offset_s).flatten())
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn run(start_s: f64, count: u32) -> Track<Pose2> {
        let at = |i: u32| {
            let t = f64::from(i) * 0.2;
            (start_s + t, Pose2::new(t + (t * 1.3).sin(), 2.0 * (t * 0.41).sin(), (t / 3.0).sin()))
        };
        Track::new((0..count).map(at))
    }

    fn relations(track: &Track<Pose2>) -> Vec<Timed<Pose2>> {
        let relation = |i: usize| {
            let (from, to) = (track.poses()[i], track.poses()[i + 7]);
            (track.times_s()[i], track.times_s()[i + 7], to.seen_from(from))
        };
        (0..track.len() - 7).step_by(5).map(relation).collect()
    }

    #[test]
    fn a_known_offset_is_found() {
        let truth = run(100.0, 500);
        let found = estimate_relation_offset(&truth.clone().shifted(0.73), &relations(&truth), 2.0).unwrap();
        assert!((found.offset_s + 0.73).abs() < 0.01 && found.median_m < 0.02, "{found:?}");
        assert!(found.median_before_m.unwrap() > 0.1, "{found:?}");
    }

    #[test]
    fn clocks_of_different_epochs_are_joined() {
        let truth = run(976_052_857.0, 500);
        let found = estimate_relation_offset(&run(0.0, 500), &relations(&truth), 1.0).unwrap();
        assert!(
            (found.offset_s - 976_052_857.0).abs() < 0.05 && found.median_before_m.is_none(),
            "{found:?}"
        );
    }

    #[test]
    fn an_even_drive_and_a_standstill_have_no_answer() {
        let even = Track::new((0..100).map(|i| (f64::from(i), Pose2::new(f64::from(i), 0.0, 0.0))));
        assert_eq!(estimate_relation_offset(&even, &relations(&even), 5.0), None);
        let still = Track::new((0..100).map(|i| (f64::from(i), Pose2::IDENTITY)));
        assert_eq!(estimate_relation_offset(&still, &relations(&still), 5.0), None);
        assert_eq!(estimate_relation_offset(&even, &[], 5.0), None);
    }
}
