//! The transform that lays an estimated path on the true one, in closed form (Umeyama 1991, for positions).
//!
//! A planar path is fitted in the plane, whatever the method is called, so that no rotation of space can pass a
//! mirror image off as a fit. Directions that the positions say nothing about (a standstill, a straight line in
//! space) are named, and taken from the headings where these say more.

use model::{Pose2, Pose3, Rigid};
use nalgebra::{Matrix3, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reduce::Plane;

/// Which transforms the fit may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum FitMethod {
    /// `se2` for planar runs, `se3` for others.
    #[default]
    Auto,
    /// The identity.
    None,
    /// The first pose is laid on the first true pose.
    Origin,
    /// Yaw, and translation in x and y.
    Se2,
    /// Yaw, and translation in x, y and z: what gravity leaves open.
    Yaw,
    /// Any rotation and translation.
    Se3,
    /// Any rotation, translation and scale.
    Sim3,
}

impl FitMethod {
    /// The method that `auto` stands for with poses of type `P`; every other method as it is.
    #[must_use]
    pub const fn resolved<P: Fittable>(self) -> Self {
        match self {
            Self::Auto if P::IS_PLANAR => Self::Se2,
            Self::Auto => Self::Se3,
            other => other,
        }
    }
}

/// A transform with its scale, and what could not be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit<P> {
    /// Rotation and translation, after scaling.
    pub truth_from_estimate: P,
    /// Factor on the estimate's positions.
    pub scale: f64,
    /// Directions that the positions leave open, in words.
    pub unobservable: Vec<&'static str>,
}

/// Poses that can be fitted.
pub trait Fittable: Rigid {
    /// A pose with this rotation and position; the identity's rotation if the matrix is none.
    fn of_parts(rotation: [[f64; 3]; 3], position_m: [f64; 3]) -> Self;
    /// Whether the poses lie in the plane.
    const IS_PLANAR: bool;
    /// The same pose at another position.
    #[must_use]
    fn scaled(self, scale: f64) -> Self;
    /// The pose in a plane; one of the plane z = 0 is there already.
    #[must_use]
    fn projected(self, plane: Plane) -> Self;
}

impl Fittable for Pose2 {
    const IS_PLANAR: bool = true;

    fn of_parts(rotation: [[f64; 3]; 3], [x_m, y_m, _]: [f64; 3]) -> Self {
        Self::new(x_m, y_m, rotation[1][0].atan2(rotation[0][0]))
    }

    fn scaled(self, scale: f64) -> Self {
        Self::new(scale * self.x_m, scale * self.y_m, self.theta_rad)
    }

    fn projected(self, _: Plane) -> Self {
        self
    }
}

impl Fittable for Pose3 {
    const IS_PLANAR: bool = false;

    fn of_parts([a, b, c]: [[f64; 3]; 3], [x, y, z]: [f64; 3]) -> Self {
        let rows = [a[0], a[1], a[2], x, b[0], b[1], b[2], y, c[0], c[1], c[2], z];
        Self::of_matrix(rows).unwrap_or(Self { position_m: [x, y, z], ..Self::IDENTITY })
    }

    fn scaled(self, scale: f64) -> Self {
        Self { position_m: self.position_m.map(|v| scale * v), ..self }
    }

    fn projected(self, plane: Plane) -> Self {
        plane.projected(self)
    }
}

impl<P: Fittable> Fit<P> {
    /// The fit that moves nothing.
    pub const fn identity() -> Self {
        Self { truth_from_estimate: P::IDENTITY, scale: 1.0, unobservable: Vec::new() }
    }

    /// The estimated pose in the frame of the truth.
    pub fn apply(&self, estimate: P) -> P {
        let scaled = if self.scale == 1.0 { estimate } else { estimate.scaled(self.scale) };
        self.truth_from_estimate * scaled
    }
}

/// Root mean square extents below this are a standstill, metres.
const STANDSTILL_M: f64 = 1e-6;
/// A second singular value below this ratio to the first is a straight line.
const LINE_RATIO: f64 = 1e-5;

/// Fits pairs of (estimate, truth); none without a pair.
pub fn fit<P: Fittable>(
    method: FitMethod,
    pairs: impl ExactSizeIterator<Item = (P, P)> + Clone,
) -> Option<Fit<P>> {
    let first = pairs.clone().next()?;
    let method = method.resolved::<P>();
    match method {
        FitMethod::None => return Some(Fit::identity()),
        FitMethod::Origin => {
            let truth_from_estimate = first.1 * first.0.inverse();
            return Some(Fit { truth_from_estimate, ..Fit::identity() });
        }
        _ => {}
    }
    let moments = Moments::of(pairs.clone().map(|(e, t)| (e.position_m(), t.position_m())));
    let mut unobservable = Vec::new();
    let rotation = if moments.is_standstill() {
        unobservable.push("rotation: the path stands still");
        Matrix3::identity()
    } else if P::IS_PLANAR || matches!(method, FitMethod::Se2 | FitMethod::Yaw) {
        about_z(&moments.covariance)
    } else {
        in_space(&moments, pairs, &mut unobservable)
    };
    let scale = match method {
        FitMethod::Sim3 if moments.is_standstill() => {
            unobservable.push("scale: the path stands still");
            1.0
        }
        FitMethod::Sim3 => (rotation * moments.covariance).trace() / moments.estimate_square,
        _ => 1.0,
    };
    let mut translation = moments.truth_mean - scale * (rotation * moments.estimate_mean);
    if method == FitMethod::Se2 {
        translation.z = 0.0;
    }
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| rotation[(i, j)]));
    Some(Fit { truth_from_estimate: P::of_parts(rows, translation.into()), scale, unobservable })
}

/// Means and the sums of products of deviations from them.
struct Moments {
    estimate_mean: Vector3<f64>,
    truth_mean: Vector3<f64>,
    /// Sum of (e - mean e) (t - mean t)'.
    covariance: Matrix3<f64>,
    estimate_square: f64,
    truth_square: f64,
    count: f64,
}

impl Moments {
    /// Two passes: deviations are small where coordinates may be large.
    fn of(pairs: impl ExactSizeIterator<Item = ([f64; 3], [f64; 3])> + Clone) -> Self {
        let count = pairs.len() as f64;
        let zero = (Vector3::zeros(), Vector3::zeros());
        let (estimates, truths) = pairs
            .clone()
            .fold(zero, |(e_sum, t_sum), (e, t)| (e_sum + Vector3::from(e), t_sum + Vector3::from(t)));
        let (estimate_mean, truth_mean) = (estimates / count, truths / count);
        let mut covariance = Matrix3::zeros();
        let (mut estimate_square, mut truth_square) = (0.0, 0.0);
        for (e, t) in pairs {
            let (e, t) = (Vector3::from(e) - estimate_mean, Vector3::from(t) - truth_mean);
            covariance += e * t.transpose();
            estimate_square += e.norm_squared();
            truth_square += t.norm_squared();
        }
        Self { estimate_mean, truth_mean, covariance, estimate_square, truth_square, count }
    }

    fn is_standstill(&self) -> bool {
        let limit = self.count * STANDSTILL_M * STANDSTILL_M;
        self.estimate_square < limit || self.truth_square < limit
    }
}

/// The turn about z that maximises trace(R H).
fn about_z(h: &Matrix3<f64>) -> Matrix3<f64> {
    let (sin, cos) = (h[(0, 1)] - h[(1, 0)]).atan2(h[(0, 0)] + h[(1, 1)]).sin_cos();
    Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0)
}

/// The rotation that maximises trace(R H), never a reflection.
fn in_space<P: Fittable>(
    moments: &Moments,
    pairs: impl Iterator<Item = (P, P)>,
    unobservable: &mut Vec<&'static str>,
) -> Matrix3<f64> {
    let svd = moments.covariance.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Matrix3::identity() };
    let sign = (u.determinant() * v_t.determinant()).signum();
    // Singular values come sorted, so the last direction is the one to turn over.
    let rotation = v_t.transpose() * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, sign)) * u.transpose();
    if svd.singular_values[1] > LINE_RATIO * svd.singular_values[0] {
        return rotation;
    }
    unobservable.push("rotation about the line of travel: taken from the headings");
    let axis = v_t.row(0).transpose();
    turn_about(axis, &(rotation * heading_products(pairs))) * rotation
}

/// Sum of R_e R_t', from which the rotation of the headings follows.
fn heading_products<P: Fittable>(pairs: impl Iterator<Item = (P, P)>) -> Matrix3<f64> {
    let rows = |pose: P| Matrix3::from_fn(|i, j| pose.rotation_rows()[i][j]);
    pairs.fold(Matrix3::zeros(), |sum, (e, t)| sum + rows(e) * rows(t).transpose())
}

/// The turn about `axis` that maximises trace(R M).
fn turn_about(axis: Vector3<f64>, m: &Matrix3<f64>) -> Matrix3<f64> {
    let along = (axis.transpose() * m * axis).x;
    let angle = (axis.cross_matrix() * m).trace().atan2(m.trace() - along);
    *nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), angle).matrix()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Vec<Pose3> {
        let at = |i: u32| {
            let t = f64::from(i) / 5.0;
            Pose3::of_roll_pitch_yaw([t.cos() * 3.0, t.sin() * 2.0, t * 0.3], [0.1 * t.sin(), 0.2, t])
        };
        (0..40).map(at).collect()
    }

    fn rms<P: Fittable>(fit: &Fit<P>, pairs: &[(P, P)]) -> f64 {
        let square = |&(e, t): &(P, P)| {
            let (a, b) = (fit.apply(e).position_m(), t.position_m());
            a.iter().zip(b).map(|(p, q)| (p - q).powi(2)).sum::<f64>()
        };
        (pairs.iter().map(square).sum::<f64>() / pairs.len() as f64).sqrt()
    }

    #[test]
    fn a_moved_and_scaled_path_is_found_again() {
        let moved = Pose3::of_roll_pitch_yaw([500_000.0, -4.0, 2.0], [0.5, -0.3, 2.0]);
        let pairs: Vec<_> = path().into_iter().map(|pose| (pose, moved * pose)).collect();
        let found = fit(FitMethod::Se3, pairs.iter().copied()).unwrap();
        assert!(rms(&found, &pairs) < 1e-9 && found.unobservable.is_empty());
        let scaled: Vec<_> = pairs.iter().map(|&(e, t)| (e.scaled(0.4), t)).collect();
        let found = fit(FitMethod::Sim3, scaled.iter().copied()).unwrap();
        assert!((found.scale - 2.5).abs() < 1e-9 && rms(&found, &scaled) < 1e-8);
        let origin = fit(FitMethod::Origin, pairs.iter().copied()).unwrap();
        assert!(rms(&origin, &pairs) < 1e-8);
    }

    #[test]
    fn yaw_keeps_gravity_and_the_plane_keeps_height() {
        let moved = Pose3::of_roll_pitch_yaw([1.0, 2.0, 3.0], [0.0, 0.0, 1.0]);
        let pairs: Vec<_> = path().into_iter().map(|pose| (pose, moved * pose)).collect();
        assert!(rms(&fit(FitMethod::Yaw, pairs.iter().copied()).unwrap(), &pairs) < 1e-12);
        let flat = fit(FitMethod::Se2, pairs.iter().copied()).unwrap();
        assert!((rms(&flat, &pairs) - 3.0).abs() < 1e-9, "z is not moved");
    }

    #[test]
    fn no_method_turns_a_planar_mirror_image_over() {
        let flat = |t: f64| Pose2::new(t.cos() * 3.0 + t, t.sin() * 2.0, t);
        let pairs: Vec<_> = (0..40)
            .map(|i| flat(f64::from(i) / 8.0))
            .map(|pose| (Pose2::new(pose.x_m, -pose.y_m, -pose.theta_rad), pose))
            .collect();
        for method in [FitMethod::Se2, FitMethod::Yaw, FitMethod::Se3, FitMethod::Sim3] {
            assert!(rms(&fit(method, pairs.iter().copied()).unwrap(), &pairs) > 0.5, "{method:?}");
        }
    }

    #[test]
    fn a_line_in_space_takes_its_roll_from_the_headings() {
        let moved = Pose3::of_roll_pitch_yaw([1.0, 2.0, 3.0], [0.7, -0.3, 2.0]);
        let line = |i: u32| Pose3::of_roll_pitch_yaw([f64::from(i), 0.0, 0.0], [0.2, 0.0, 0.0]);
        let pairs: Vec<_> = (0..20).map(|i| (line(i), moved * line(i))).collect();
        let found = fit(FitMethod::Se3, pairs.iter().copied()).unwrap();
        assert_eq!(found.unobservable.len(), 1);
        let rest = found.truth_from_estimate.inverse() * moved;
        assert!(rest.angle_rad() < 1e-9 && rest.distance_m() < 1e-9, "{rest:?}");
    }

    #[test]
    fn a_standstill_is_only_shifted() {
        let pairs = [(Pose2::new(1.0, 1.0, 0.3), Pose2::new(2.0, 5.0, 0.1)); 5];
        let found = fit(FitMethod::Sim3, pairs.iter().copied()).unwrap();
        assert_eq!((found.truth_from_estimate, found.scale), (Pose2::new(1.0, 4.0, 0.0), 1.0));
        assert_eq!(found.unobservable.len(), 2);
        assert!(fit(FitMethod::Se3, std::iter::empty::<(Pose3, Pose3)>()).is_none());
    }
}
