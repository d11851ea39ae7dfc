//! The errors of single poses, pairs of poses and relations as tables, under the parameters of the metrics.

use align::trajectory::Fittable;
use metrics::trajectory::absolute_errors::AbsoluteErrors;
use metrics::trajectory::relation_errors::RelationError;
use metrics::trajectory::relative_displacement::RelativeDisplacement;
use metrics::trajectory::relative_errors::RelativeErrors;
use metrics::trajectory::{Run, Runs};
use model::Rigid;
use report::{ErrorTable, MetricRecord};
use serde::de::DeserializeOwned;

const POSES: [&str; 13] = [
    "time_s",
    "true_time_s",
    "x_m",
    "y_m",
    "z_m",
    "yaw_deg",
    "true_x_m",
    "true_y_m",
    "true_z_m",
    "true_yaw_deg",
    "path_m",
    "translation_error_m",
    "rotation_error_deg",
];
const PAIRS: [&str; 6] = ["time_s", "to_time_s", "x_m", "y_m", "translation_error_m", "rotation_error_deg"];
const RELATIONS: [&str; 10] = [
    "relation",
    "time_s",
    "to_time_s",
    "length_m",
    "x_m",
    "y_m",
    "to_x_m",
    "to_y_m",
    "translation_error_m",
    "rotation_error_deg",
];

/// The parameters of the first of these metrics that was computed; none if none was.
pub(super) fn parameters<T: DeserializeOwned>(metrics: &[MetricRecord], ids: &[&str]) -> Option<T> {
    let record = ids.iter().find_map(|id| metrics.iter().find(|record| record.id == **id))?;
    serde_json::from_value(serde_json::Value::Object(record.params.clone())).ok()
}

/// How absolute errors were measured.
pub(super) fn absolute(metrics: &[MetricRecord]) -> Option<AbsoluteErrors> {
    parameters(metrics, &["ate_translation", "ate_rotation", "ate_full"])
}

/// How relations were measured.
pub(super) fn relative(metrics: &[MetricRecord]) -> Option<RelativeDisplacement> {
    parameters(metrics, &["relative_displacement"])
}

/// The tables of a run: `errors` per pose, `pair_errors` and `relation_errors`, each if its metric was computed.
pub(crate) fn error_tables(runs: &Runs, metrics: &[MetricRecord]) -> Vec<ErrorTable> {
    match runs {
        Runs::Planar(run) => tables_of(run, metrics),
        Runs::Spatial(run) => tables_of(run, metrics),
    }
}

fn tables_of<P: Fittable>(run: &Run<P>, metrics: &[MetricRecord]) -> Vec<ErrorTable> {
    let poses = absolute(metrics).and_then(|how| pose_errors(run, &how));
    let pairs =
        parameters(metrics, &["rpe_translation", "rpe_rotation"]).and_then(|how| pair_errors(run, &how));
    let relations = relative(metrics).and_then(|how| relation_errors(run, &how));
    [poses, pairs, relations].into_iter().flatten().collect()
}

fn table<const N: usize>(name: &str, columns: &[&str; N], rows: Vec<[f64; N]>) -> Option<ErrorTable> {
    let columns = columns.iter().map(|&column| column.to_owned()).collect();
    let rows: Vec<Vec<f64>> = rows.into_iter().map(Vec::from).collect();
    (!rows.is_empty()).then(|| ErrorTable { name: name.to_owned(), columns, rows })
}

fn yaw_deg<P: Rigid>(pose: P) -> f64 {
    let rows = pose.rotation_rows();
    rows[1][0].atan2(rows[0][0]).to_degrees()
}

/// Each matched pose of the estimate as the fit lays it on the truth, with the true pose and both errors.
fn pose_errors<P: Fittable>(run: &Run<P>, how: &AbsoluteErrors) -> Option<ErrorTable> {
    let fit = how.fit(run).ok()?;
    let true_times_s = run.truth.as_ref()?.times_s();
    let mut path_m = 0.0;
    let mut last: Option<P> = None;
    let mut rows = Vec::new();
    for pair in run.pairs_as_read().ok()? {
        let (estimate, truth) = (run.in_plane(fit.apply(pair.estimate)), run.in_plane(pair.truth));
        path_m += last.map_or(0.0, |last| truth.seen_from(last).distance_m());
        last = Some(truth);
        let error = estimate.seen_from(truth);
        let ([x, y, z], [true_x, true_y, true_z]) = (estimate.position_m(), truth.position_m());
        rows.push([
            pair.time_s,
            true_times_s[pair.truth_index],
            x,
            y,
            z,
            yaw_deg(estimate),
            true_x,
            true_y,
            true_z,
            yaw_deg(truth),
            path_m,
            error.distance_m(),
            error.angle_rad().to_degrees(),
        ]);
    }
    table("errors", &POSES, rows)
}

/// Each pair of poses with the place where it begins, in the frame of the estimate.
fn pair_errors<P: Fittable>(run: &Run<P>, how: &RelativeErrors) -> Option<ErrorTable> {
    let measured = how.measure(run).ok()?;
    let poses: Vec<(f64, P)> = run.pairs().ok()?.map(|pair| (pair.time_s, pair.estimate)).collect();
    let row = |(&(from, to), error): (&(u32, u32), &model::PoseError)| {
        let ((from_s, pose), (to_s, _)) = (poses[from as usize], poses[to as usize]);
        let [x, y, _] = pose.position_m();
        [from_s, to_s, x, y, error.translation_m, error.rotation_rad.to_degrees()]
    };
    table("pair_errors", &PAIRS, measured.pairs.iter().zip(&measured.errors).map(row).collect())
}

/// Each relation with both places, in the frame of the estimate.
fn relation_errors<P: Fittable>(run: &Run<P>, how: &RelativeDisplacement) -> Option<ErrorTable> {
    let poses = run.estimate.poses();
    let row = |error: &RelationError| {
        let [x, y, _] = poses[error.from_pose].position_m();
        let [to_x, to_y, _] = poses[error.to_pose].position_m();
        let number = (error.index + 1) as f64;
        let (translation_m, rotation_deg) = (error.translation_m, error.rotation_rad.to_degrees());
        [number, error.from_s, error.to_s, error.length_m, x, y, to_x, to_y, translation_m, rotation_deg]
    };
    table("relation_errors", &RELATIONS, how.errors(run).ok()?.errors.iter().map(row).collect())
}
