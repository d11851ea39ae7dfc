//! Would a mirror image fit better? In the plane a wrong sign of y looks like a bad run; this tells the two apart.

use model::Pose2;

/// Root mean square distances after the best rotation and translation, of the path and of its mirror image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reflection {
    /// Of the path as it is, metres.
    pub plain_rmse_m: f64,
    /// Of its mirror image, metres.
    pub mirrored_rmse_m: f64,
}

/// A mirror image is reported if its error is this many times smaller. Ours.
const MIN_RATIO: f64 = 3.0;

impl Reflection {
    /// True if the mirror image fits so much better that chance does not explain it.
    pub fn is_suspected(self) -> bool {
        self.plain_rmse_m > MIN_RATIO * self.mirrored_rmse_m && self.plain_rmse_m > 1e-6
    }
}

/// Fits the path and its mirror image in the plane; none with fewer than three pairs.
pub fn reflection(pairs: impl ExactSizeIterator<Item = (Pose2, Pose2)> + Clone) -> Option<Reflection> {
    if pairs.len() < 3 {
        return None;
    }
    let count = pairs.len() as f64;
    let sum =
        pairs.clone().fold([0.0; 4], |[a, b, c, d], (e, t)| [a + e.x_m, b + e.y_m, c + t.x_m, d + t.y_m]);
    let [ex, ey, tx, ty] = sum.map(|s| s / count);
    let (mut squares, mut plain, mut mirrored) = (0.0, [0.0; 2], [0.0; 2]);
    for (e, t) in pairs {
        let (px, py, qx, qy) = (e.x_m - ex, e.y_m - ey, t.x_m - tx, t.y_m - ty);
        squares += px * px + py * py + qx * qx + qy * qy;
        plain = [plain[0] + px * qx + py * qy, plain[1] + px * qy - py * qx];
        mirrored = [mirrored[0] + px * qx - py * qy, mirrored[1] + px * qy + py * qx];
    }
    // The best rotation aligns the sums with the x axis; what is left is the error.
    let rmse_m = |[cos, sin]: [f64; 2]| ((squares - 2.0 * f64::hypot(cos, sin)).max(0.0) / count).sqrt();
    Some(Reflection { plain_rmse_m: rmse_m(plain), mirrored_rmse_m: rmse_m(mirrored) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(shape: impl Fn(f64) -> (f64, f64), mirror: f64) -> Vec<(Pose2, Pose2)> {
        let at = |i: u32| shape(f64::from(i) / 10.0);
        (0..60).map(at).map(|(x, y)| (Pose2::new(x, mirror * y, 0.0), Pose2::new(x, y, 0.0))).collect()
    }

    #[test]
    fn a_mirror_image_is_suspected_and_a_good_run_is_not() {
        let bend = |t: f64| (t + t.sin(), 2.0 * (1.3 * t).cos());
        assert!(reflection(pairs(bend, -1.0).into_iter()).unwrap().is_suspected());
        assert!(!reflection(pairs(bend, 1.0).into_iter()).unwrap().is_suspected());
    }

    #[test]
    fn a_straight_line_is_its_own_mirror_image() {
        assert!(!reflection(pairs(|t| (t, 0.5 * t), -1.0).into_iter()).unwrap().is_suspected());
        assert_eq!(reflection(std::iter::empty()), None);
    }
}
