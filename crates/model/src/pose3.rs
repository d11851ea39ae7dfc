//! Poses in space: a position in metres and a rotation as a unit quaternion.

use std::ops::Mul;

use crate::Pose2;

/// A rigid transform of space. The quaternion is kept at unit length by every constructor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose3 {
    /// Position x, y, z in metres.
    pub position_m: [f64; 3],
    /// Rotation as a quaternion x, y, z, w.
    pub rotation_xyzw: [f64; 4],
}

impl Pose3 {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { position_m: [0.0; 3], rotation_xyzw: [0.0, 0.0, 0.0, 1.0] };

    /// A pose from a position and a quaternion of any length but 0; none if a number is not finite or the
    /// quaternion has no direction.
    pub fn new(position_m: [f64; 3], quaternion_xyzw: [f64; 4]) -> Option<Self> {
        let length = quaternion_xyzw.iter().map(|q| q * q).sum::<f64>().sqrt();
        let usable = length.is_finite() && length > 1e-9 && position_m.iter().all(|v| v.is_finite());
        // A quaternion of unit length stays as it is, so that it can be written back unchanged.
        let divisor = if (length - 1.0).abs() < 1e-12 { 1.0 } else { length };
        usable.then(|| Self { position_m, rotation_xyzw: quaternion_xyzw.map(|q| q / divisor) })
    }

    /// A pose from roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll), radians.
    pub fn of_roll_pitch_yaw(position_m: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let ((sr, cr), (sp, cp), (sy, cy)) =
            ((roll / 2.0).sin_cos(), (pitch / 2.0).sin_cos(), (yaw / 2.0).sin_cos());
        let rotation_xyzw = [
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ];
        Self { position_m, rotation_xyzw }
    }

    /// Roll, pitch and yaw of the rotation, radians.
    pub fn roll_pitch_yaw(self) -> [f64; 3] {
        let [x, y, z, w] = self.rotation_xyzw;
        let roll = (2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y));
        let pitch = (2.0 * (w * y - z * x)).clamp(-1.0, 1.0).asin();
        let yaw = (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z));
        [roll, pitch, yaw]
    }

    /// The planar part: x, y and yaw.
    pub fn planar(self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.roll_pitch_yaw()[2])
    }

    /// A pose from the first three rows of a 4 x 4 matrix, row by row; none if it is no rotation.
    pub fn of_matrix(rows: [f64; 12]) -> Option<Self> {
        let [m00, m01, m02, x, m10, m11, m12, y, m20, m21, m22, z] = rows;
        let r = [[m00, m01, m02], [m10, m11, m12], [m20, m21, m22]];
        let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>();
        let orthonormal =
            (0..3).all(|i| (0..3).all(|j| (dot(r[i], r[j]) - f64::from(u8::from(i == j))).abs() < 1e-3));
        let determinant =
            m00 * (m11 * m22 - m12 * m21) - m01 * (m10 * m22 - m12 * m20) + m02 * (m10 * m21 - m11 * m20);
        if !orthonormal || determinant < 0.0 {
            return None;
        }
        Self::new([x, y, z], quaternion_of(nearest_rotation(r)))
    }

    /// The first three rows of the 4 x 4 matrix, row by row.
    pub fn matrix(self) -> [f64; 12] {
        let [x, y, z, w] = self.rotation_xyzw;
        let [px, py, pz] = self.position_m;
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
            px,
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
            py,
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
            pz,
        ]
    }

    #[must_use]
    pub fn inverse(self) -> Self {
        let [x, y, z, w] = self.rotation_xyzw;
        let back = Self { position_m: [0.0; 3], rotation_xyzw: [-x, -y, -z, w] };
        Self { position_m: back.rotate(self.position_m).map(|v| -v), ..back }
    }

    fn rotate(self, [vx, vy, vz]: [f64; 3]) -> [f64; 3] {
        let m = self.matrix();
        [
            m[0] * vx + m[1] * vy + m[2] * vz,
            m[4] * vx + m[5] * vy + m[6] * vz,
            m[8] * vx + m[9] * vy + m[10] * vz,
        ]
    }
}

/// The rotation nearest to a matrix that is nearly one, as files with few digits have it: the orthogonal part of its
/// polar decomposition, by Newton's iteration (Higham 1986), which doubles the right digits each time.
fn nearest_rotation(mut r: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    for _ in 0..4 {
        let cofactor = |i: usize, j: usize| {
            let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            r[a][c] * r[b][d] - r[a][d] * r[b][c]
        };
        let determinant: f64 = (0..3).map(|j| r[0][j] * cofactor(0, j)).sum();
        // The inverse of the transpose is the matrix of cofactors over the determinant.
        r = std::array::from_fn(|i| {
            std::array::from_fn(|j| f64::midpoint(r[i][j], cofactor(i, j) / determinant))
        });
    }
    r
}

/// The quaternion of a rotation. The largest of its four components is taken from the diagonal, the others from it
/// (Shepperd 1978).
fn quaternion_of([[m00, m01, m02], [m10, m11, m12], [m20, m21, m22]]: [[f64; 3]; 3]) -> [f64; 4] {
    let trace = m00 + m11 + m22;
    if trace > m00.max(m11).max(m22) {
        [m21 - m12, m02 - m20, m10 - m01, 1.0 + trace]
    } else if m00 >= m11 && m00 >= m22 {
        [1.0 + m00 - m11 - m22, m01 + m10, m02 + m20, m21 - m12]
    } else if m11 >= m22 {
        [m01 + m10, 1.0 + m11 - m00 - m22, m12 + m21, m02 - m20]
    } else {
        [m02 + m20, m12 + m21, 1.0 + m22 - m00 - m11, m10 - m01]
    }
}

impl From<Pose2> for Pose3 {
    fn from(pose: Pose2) -> Self {
        Self::of_roll_pitch_yaw([pose.x_m, pose.y_m, 0.0], [0.0, 0.0, pose.theta_rad])
    }
}

impl Mul for Pose3 {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        let moved = self.rotate(inner.position_m);
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (self.rotation_xyzw, inner.rotation_xyzw);
        let rotation_xyzw = [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ];
        Self { position_m: std::array::from_fn(|i| self.position_m[i] + moved[i]), rotation_xyzw }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn near(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(p, q)| (p - q).abs() < 1e-12)
    }

    #[test]
    fn angles_matrices_and_quaternions_agree() {
        let pose = Pose3::of_roll_pitch_yaw([1.0, 2.0, 3.0], [0.1, -0.2, 2.5]);
        assert!(near(&pose.roll_pitch_yaw(), &[0.1, -0.2, 2.5]));
        let back = Pose3::of_matrix(pose.matrix()).unwrap();
        assert!(near(&back.matrix(), &pose.matrix()));
        let product = pose * pose.inverse();
        assert!(near(&product.matrix(), &Pose3::IDENTITY.matrix()));
    }

    #[test]
    fn planar_poses_compose_as_in_the_plane() {
        let (a, b) = (Pose2::new(1.0, 2.0, FRAC_PI_2), Pose2::new(1.0, 0.0, FRAC_PI_2));
        let (flat, space) = (a * b, (Pose3::from(a) * Pose3::from(b)).planar());
        assert!(near(
            &[flat.x_m, flat.y_m, flat.theta_rad.abs()],
            &[space.x_m, space.y_m, space.theta_rad.abs()]
        ));
    }

    #[test]
    fn a_matrix_of_few_digits_gives_the_nearest_rotation() {
        let exact = Pose3::of_roll_pitch_yaw([0.0; 3], [0.4, -1.1, 2.0]).matrix();
        // A symmetric error leaves the nearest rotation where it is.
        let stretched: [f64; 12] = std::array::from_fn(|i| exact[i] * 1.000_3);
        assert!(near(&Pose3::of_matrix(stretched).unwrap().matrix(), &exact));
    }

    #[test]
    fn a_mirror_image_or_a_quaternion_without_length_is_no_pose() {
        assert!(Pose3::new([0.0; 3], [0.0; 4]).is_none());
        assert!(Pose3::new([f64::NAN, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]).is_none());
        let mirrored = [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        assert!(Pose3::of_matrix(mirrored).is_none());
    }
}
