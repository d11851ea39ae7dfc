//! Runs that give a number and mean nothing: other units, other orders of columns, clocks that run at another rate, a
//! truth that is the estimate. A warning each, with what was found and what it may be.

use align::trajectory::{Associate, Association, FitMethod, Fittable, Lookup, Track, fit};
use metrics::trajectory::{Run, Runs};
use model::{Finding, Pose3, Relation, Rigid};

use crate::Plan;

/// Fewer matched poses than this prove nothing.
const MIN_POSES: usize = 10;
/// A run often begins where its truth does, so that one equal pose is no copy.
const MIN_SAME: usize = 2;
/// What fits this many times better is no chance.
const FACTOR: f64 = 3.0;
/// Equal numbers in two files, apart from the last printed digits.
const SAME: f64 = 1e-9;
/// A path that spreads less than this says nothing about its scale, metres.
const MIN_SPREAD_M: f64 = 0.1;
/// Scales nearer to 1 than this are drift, not a mistake: 1.1 and 0.9 are.
const MIN_SCALE_ERROR: f64 = 0.04;
/// Clocks whose rates differ by less than this drift, as clocks do.
const MIN_STRETCH: f64 = 0.01;
const MAX_STRETCH: f64 = 0.3;
/// Poses that are looked at again under another clock.
const MAX_LOOKUPS: usize = 2000;

/// Findings about a run that is nonsense although its numbers look like numbers.
pub(super) fn nonsense(runs: &Runs, plan: &Plan) -> Vec<Finding> {
    let mut findings = match runs {
        Runs::Planar(run) => of_positions(run, plan),
        Runs::Spatial(run) => of_positions(run, plan),
    };
    if let Runs::Spatial(run) = runs {
        findings.extend(quaternion_order(run));
    }
    findings
}

fn of_positions<P: Fittable>(run: &Run<P>, plan: &Plan) -> Vec<Finding> {
    let Ok(pairs) = run.pairs() else { return Vec::new() };
    // Made anew for each look: kept, the pairs of a long run would take more memory than its track.
    let pairs = pairs.map(|pair| (pair.estimate, pair.truth));
    if let Some(finding) = same_run(pairs.clone()) {
        return vec![finding];
    }
    if pairs.len() < MIN_POSES {
        return Vec::new();
    }
    let estimate_m = spread_m(pairs.clone().map(|pair| pair.0));
    let truth_m = spread_m(pairs.clone().map(|pair| pair.1));
    if truth_m < MIN_SPREAD_M {
        return Vec::new();
    }
    let size = unit(pairs.clone(), estimate_m, truth_m).or_else(|| standing(estimate_m, truth_m));
    let size = size.or_else(|| if fits_scale(plan) { None } else { scale(pairs.clone()) });
    match size {
        Some(finding) => vec![finding],
        None => stretched_clock(run, pairs).into_iter().collect(),
    }
}

/// Poses of the estimate and of the truth at equal times, in order.
trait Pairs<P>: ExactSizeIterator<Item = (P, P)> + Clone {}

impl<P, I: ExactSizeIterator<Item = (P, P)> + Clone> Pairs<P> for I {}

/// Whether the user asked for a fit with scale, so that a scale is no surprise.
fn fits_scale(plan: &Plan) -> bool {
    plan.set.values().any(|parameters| parameters.get("align").is_some_and(|method| method == "sim3"))
}

fn same_run<P: Rigid>(mut pairs: impl Pairs<P>) -> Option<Finding> {
    let is_same = |(estimate, truth): (P, P)| {
        let error = estimate.seen_from(truth);
        error.distance_m() < SAME && error.angle_rad() < 1e-7
    };
    let count = pairs.len();
    (count >= MIN_SAME && pairs.all(is_same)).then(|| {
        let message = format!("all {count} matched poses are those of the truth to the last digit");
        Finding::warning("TRUTH_IS_ESTIMATE", message)
            .hint("a truth made from the estimate cannot judge it: check files and topics")
    })
}

/// Root mean square distance from the mean position, metres.
fn spread_m<P: Rigid>(poses: impl ExactSizeIterator<Item = P> + Clone) -> f64 {
    let count = poses.len().max(1) as f64;
    let mut mean = [0.0; 3];
    for pose in poses.clone() {
        mean.iter_mut().zip(pose.position_m()).for_each(|(sum, part)| *sum += part / count);
    }
    let square = |pose: P| pose.position_m().iter().zip(mean).map(|(p, m)| (p - m) * (p - m)).sum::<f64>();
    (poses.map(square).sum::<f64>() / count).sqrt()
}

/// Root mean square distance after a fit, metres, and the scale of the fit.
fn fitted<P: Fittable>(method: FitMethod, pairs: impl Pairs<P>) -> Option<(f64, f64)> {
    let (found, count) = (fit(method, pairs.clone())?, pairs.len() as f64);
    let square = |(estimate, truth): (P, P)| {
        let (a, b) = (found.apply(estimate).position_m(), truth.position_m());
        a.iter().zip(b).map(|(p, q)| (p - q) * (p - q)).sum::<f64>()
    };
    Some(((pairs.map(square).sum::<f64>() / count).sqrt(), found.scale))
}

/// Positions in another unit: the sizes differ by a factor that a unit has.
fn unit<P: Fittable>(pairs: impl Pairs<P>, estimate_m: f64, truth_m: f64) -> Option<Finding> {
    let times = estimate_m / truth_m;
    if is_degrees(pairs.clone(), times, truth_m) {
        let message = format!("the estimate is {:.0} times as small as the truth", 1.0 / times);
        return Some(
            Finding::warning("POSITIONS_MAY_BE_DEGREES", message)
                .hint("are its positions latitudes and longitudes? project them to metres"),
        );
    }
    let units = [(1000.0, "millimetres"), (100.0, "centimetres"), (0.001, "kilometres")];
    let near = |&&(factor, _): &&(f64, &str)| (times / factor - 1.0).abs() < 0.2;
    let (_, name) = units.iter().find(near)?;
    let (rmse_m, _) = fitted(FitMethod::Sim3, pairs)?;
    (rmse_m < 0.5 * truth_m).then(|| {
        let message = format!("the estimate is {} times as large as the truth", shown(times));
        Finding::warning("POSITIONS_IN_OTHER_UNIT", message)
            .hint(format!("are its positions in {name}? convert them to metres"))
    })
}

/// A degree of latitude is 111 km long, one of longitude shorter; either may come first, which mirrors the path.
fn is_degrees<P: Fittable>(pairs: impl Pairs<P>, times: f64, truth_m: f64) -> bool {
    let in_range =
        |(estimate, _): (P, P)| estimate.position_m()[..2].iter().all(|angle| angle.abs() <= 180.0);
    let swapped = |(estimate, truth): (P, P)| {
        let [x, y, z] = estimate.position_m();
        (P::of_parts(estimate.rotation_rows(), [y, x, z]), truth)
    };
    let fits = |fit: Option<(f64, f64)>| fit.is_some_and(|(rmse_m, _)| rmse_m < 0.5 * truth_m);
    (1.0 / 120_000.0..1.0 / 20_000.0).contains(&times)
        && pairs.clone().all(in_range)
        && (fits(fitted(FitMethod::Sim3, pairs.clone())) || fits(fitted(FitMethod::Sim3, pairs.map(swapped))))
}

fn standing(estimate_m: f64, truth_m: f64) -> Option<Finding> {
    (estimate_m < 0.01 * truth_m).then(|| {
        let message = format!(
            "the estimate hardly moves: its positions spread by {} m, those of the truth by {} m",
            shown(estimate_m),
            shown(truth_m)
        );
        Finding::warning("ESTIMATE_STANDS", message)
            .hint("check what was recorded, and the unit of the positions")
    })
}

fn scale<P: Fittable>(pairs: impl Pairs<P>) -> Option<Finding> {
    let rigid = if P::IS_PLANAR { FitMethod::Se2 } else { FitMethod::Se3 };
    let ((plain_m, _), (scaled_m, scale)) = (fitted(rigid, pairs.clone())?, fitted(FitMethod::Sim3, pairs)?);
    let is_off = (scale - 1.0).abs() > MIN_SCALE_ERROR && plain_m > FACTOR * scaled_m.max(SAME);
    is_off.then(|| {
        let message = format!(
            "a scale of {} fits far better: {} m instead of {} m",
            shown(scale),
            shown(scaled_m),
            shown(plain_m)
        );
        Finding::warning("SCALE_SUSPECTED", message).hint(
            "check wheel radius, cell size or unit; a run without a scale of its own is fitted with one",
        )
    })
}

/// A clock that runs at another rate: from start to end the truth takes another time, and with the times of the estimate
/// stretched to that the paths agree.
fn stretched_clock<P: Fittable>(run: &Run<P>, pairs: impl Pairs<P>) -> Option<Finding> {
    let truth = run.truth.as_ref()?;
    if run.association.rule == Associate::Index {
        return None;
    }
    let ((e0, e1), (t0, t1)) = (run.estimate.span_s()?, truth.span_s()?);
    let factor = (t1 - t0) / (e1 - e0);
    let stretch = (factor - 1.0).abs();
    if !(MIN_STRETCH..MAX_STRETCH).contains(&stretch) {
        return None;
    }
    let rigid = if P::IS_PLANAR { FitMethod::Se2 } else { FitMethod::Se3 };
    let stretched = stretched_pairs(&run.estimate, truth, |time_s| t0 + (time_s - e0) * factor);
    let (plain_m, _) = fitted(rigid, pairs)?;
    let (stretched_m, _) =
        fitted(rigid, stretched.iter().copied()).filter(|_| stretched.len() >= MIN_POSES)?;
    (plain_m > FACTOR * stretched_m.max(SAME)).then(|| {
        let message = format!(
            "the truth lasts {} times as long as the estimate, and with the times stretched the paths agree to {} m \
             instead of {} m",
            shown(factor),
            shown(stretched_m),
            shown(plain_m)
        );
        Finding::warning("CLOCK_STRETCHED", message).hint("one of the clocks runs at another rate: correct its stamps")
    })
}

fn stretched_pairs<P: Fittable>(
    estimate: &Track<P>,
    truth: &Track<P>,
    true_time: impl Fn(f64) -> f64,
) -> Vec<(P, P)> {
    let association =
        Association { rule: Associate::Interpolate, max_gap_s: f64::MAX, ..Association::default() };
    let lookup = Lookup { track: truth, association, odometry: None };
    let step = estimate.len().div_ceil(MAX_LOOKUPS).max(1);
    let stamped = estimate.times_s().iter().zip(estimate.poses()).step_by(step);
    stamped.filter_map(|(&time_s, &pose)| Some((pose, lookup.at(true_time(time_s))?.pose))).collect()
}

/// Quaternions written with w first: read in that order the run turns as the truth does.
fn quaternion_order(run: &Run<Pose3>) -> Option<Finding> {
    let pairs: Vec<(Pose3, Pose3)> =
        run.pairs_as_read().ok()?.map(|pair| (pair.estimate, pair.truth)).collect();
    if pairs.len() < MIN_POSES {
        return None;
    }
    let w_first = |pose: Pose3| {
        let [w, x, y, z] = pose.rotation_xyzw;
        Pose3 { rotation_xyzw: [x, y, z, w], ..pose }
    };
    let step = (pairs.len() / 50).max(1);
    let mean_deg = |change: &dyn Fn(Pose3) -> Pose3| {
        let errors = pairs.windows(step + 1).map(|window| {
            let ((from, true_from), (to, true_to)) = (window[0], window[step]);
            Pose3::displacement_error(change(from), change(to), true_from, true_to).rotation_rad.to_degrees()
        });
        let count = errors.len().max(1) as f64;
        errors.sum::<f64>() / count
    };
    let (as_read, changed) = (mean_deg(&|pose| pose), mean_deg(&w_first));
    (as_read > 1.0 && as_read > FACTOR * changed).then(|| {
        let message = format!(
            "the rotations agree with the truth if quaternions are read as w x y z: {} deg instead of {} deg",
            shown(changed),
            shown(as_read)
        );
        Finding::warning("QUATERNION_ORDER_DOUBTFUL", message).hint("write quaternions as x y z w")
    })
}

/// Angles of relations in degrees: beyond a turn, or 57 times those of the run.
pub(super) fn relation_angles(relations: &[Relation], runs: &Runs) -> Option<Finding> {
    let turn = std::f64::consts::TAU + 1e-3;
    let beyond =
        relations.iter().filter(|one| one.roll_pitch_yaw_rad.iter().any(|angle| angle.abs() > turn)).count();
    let message = if beyond > 0 {
        format!("{beyond} of {} relations have angles beyond a whole turn", relations.len())
    } else {
        let ratio = match runs {
            Runs::Planar(run) => yaw_ratio(relations, run),
            Runs::Spatial(run) => yaw_ratio(relations, run),
        };
        let ratio = ratio.filter(|ratio| (ratio / 1_f64.to_degrees() - 1.0).abs() < 0.2)?;
        format!("the yaw angles of the relations are {} times those of the run", shown(ratio))
    };
    Some(
        Finding::warning("RELATION_ANGLES_MAY_BE_DEGREES", message)
            .hint("relations have their angles in radians: multiply them by 0.0174533"),
    )
}

/// The median of yaw of a relation through yaw of the run, over those that turn enough to tell.
fn yaw_ratio<P: Fittable>(relations: &[Relation], run: &Run<P>) -> Option<f64> {
    let lookup = run.lookup();
    let ratio = |relation: &Relation| {
        let (from, to) = (lookup.at(relation.from_s)?.pose, lookup.at(relation.to_s)?.pose);
        let rows = to.seen_from(from).rotation_rows();
        let yaw_rad = rows[1][0].atan2(rows[0][0]);
        (yaw_rad.abs() > 0.005).then(|| relation.roll_pitch_yaw_rad[2] / yaw_rad)
    };
    let mut ratios: Vec<f64> = relations.iter().filter_map(ratio).collect();
    if ratios.len() < MIN_POSES {
        return None;
    }
    let middle = ratios.len() / 2;
    Some(*ratios.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// Three digits are enough for a warning.
fn shown(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    report::shown_number(rounded)
}
