//! The constant offset between the clock of a run and that of its relations: where the relations fit best.
//!
//! The cost of an offset is the mean over a sample of relations of min(error, scale) / scale, of translation and of rotation,
//! with the median length and the median angle of the displacements as scales, over the relations whose times the run has:
//! half of them at least, or the offset is left out. A coarse raster finds the lowest cost, finer ones around it refine it. A run that fits its relations no better
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
/// Median rotations below this tell no time, radians.
const MIN_SCALE_RAD: f64 = 0.02;

/// Estimates the offset within `max_s` of the present one, or anywhere if the spans do not meet.
pub fn estimate_relation_offset<P: Rigid>(
    estimate: &Track<P>,
    relations: &[Timed<P>],
    max_s: f64,
) -> Option<RelationOffset> {
    let stride = relations.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<Timed<P>> = relations.iter().step_by(stride).copied().collect();
    let scale_m = median(sample.iter().map(|relation| relation.2.distance_m())).filter(|m| *m >= MIN_SCALE_M);
    let scale_rad =
        median(sample.iter().map(|relation| relation.2.angle_rad())).filter(|rad| *rad >= MIN_SCALE_RAD);
    if scale_m.is_none() && scale_rad.is_none() {
        return None;
    }
    let fit = Fit { estimate, sample: &sample, scale_m, scale_rad };
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
    /// None where the robot hardly moved.
    scale_m: Option<f64>,
    /// None where it hardly turned.
    scale_rad: Option<f64>,
}

impl<P: Rigid> Fit<'_, P> {
    /// Offsets to look at.
    fn range_s(&self, max_s: f64) -> Option<(f64, f64)> {
        let (e0, e1) = self.estimate.span_s()?;
        let times = || self.sample.iter().flat_map(|relation| [relation.0, relation.1]);
        let (t0, t1) = (times().reduce(f64::min)?, times().reduce(f64::max)?);
        Some(if e0 <= t1 && t0 <= e1 { (-max_s, max_s) } else { (t0 - e1, t1 - e0) })
    }

    /// The error of each relation, metres and radians; none where the run has not both times.
    fn errors(&self, offset_s: f64) -> impl Iterator<Item = Option<(f64, f64)>> + '_ {
        let association =
            Association { rule: Associate::Interpolate, max_gap_s: f64::MAX, ..Association::default() };
        let lookup = Lookup { track: self.estimate, association, odometry: None };
        self.sample.iter().map(move |&(from_s, to_s, displacement)| {
            let (from, to) = (lookup.at(from_s - offset_s)?, lookup.at(to_s - offset_s)?);
            let error = to.pose.seen_from(from.pose).seen_from(displacement);
            Some((error.distance_m(), error.angle_rad()))
        })
    }

    /// None where the run has the times of fewer than half of the relations.
    fn cost(&self, offset_s: f64) -> Option<f64> {
        let errors: Vec<(f64, f64)> = self.errors(offset_s).flatten().collect();
        let mean = |scale: Option<f64>, error: fn(&(f64, f64)) -> f64| {
            let of = |scale: f64| errors.iter().map(|both| (error(both) / scale).min(1.0)).sum::<f64>();
            scale.map(|scale| of(scale) / errors.len() as f64)
        };
        let means = [mean(self.scale_m, |error| error.0), mean(self.scale_rad, |error| error.1)];
        let known: Vec<f64> = means.into_iter().flatten().collect();
        (2 * errors.len() >= self.sample.len() && !errors.is_empty())
            .then(|| known.iter().sum::<f64>() / known.len() as f64)
    }

    fn median_m(&self, offset_s: f64) -> Option<f64> {
        median(self.errors(offset_s).flatten().map(|error| error.0))
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

    /// At an even speed through bends that come in no rhythm the translations of relations hardly tell the time: the turns do.
    #[test]
    fn turns_tell_the_time_of_an_even_speed() {
        let mut rows = vec![(0.0, Pose2::IDENTITY)];
        for i in 1..300_u32 {
            let (t, last) = (0.1 * f64::from(i), rows[rows.len() - 1].1);
            let (x_m, y_m) = (last.x_m + 0.08 * last.theta_rad.cos(), last.y_m + 0.08 * last.theta_rad.sin());
            rows.push((t, Pose2::new(x_m, y_m, 1.5 * (0.3 * t).sin() + 0.1 * t)));
        }
        let truth = Track::new(rows.into_iter());
        let short = |i: usize| {
            let (from, to) = (truth.poses()[i], truth.poses()[i + 2]);
            (truth.times_s()[i], truth.times_s()[i + 2], to.seen_from(from))
        };
        let relations: Vec<_> = (0..truth.len() - 2).map(short).collect();
        let found = estimate_relation_offset(&truth.clone().shifted(0.7), &relations, 2.0).unwrap();
        assert!((found.offset_s + 0.7).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn an_even_drive_and_a_standstill_have_no_answer() {
        let even = Track::new((0..100).map(|i| (f64::from(i), Pose2::new(f64::from(i), 0.0, 0.0))));
        assert_eq!(estimate_relation_offset(&even, &relations(&even), 5.0), None);
        let still = Track::new((0..100).map(|i| (f64::from(i), Pose2::IDENTITY)));
        assert_eq!(estimate_relation_offset(&still, &relations(&still), 5.0), None);
        assert_eq!(estimate_relation_offset(&even, &[], 5.0), None);
        let circle = |i: u32| {
            let turned_rad = 0.1 * f64::from(i);
            (f64::from(i), Pose2::new(turned_rad.sin(), 1.0 - turned_rad.cos(), turned_rad))
        };
        let round = Track::new((0..100).map(circle));
        assert_eq!(estimate_relation_offset(&round, &relations(&round), 5.0), None);
    }
}
