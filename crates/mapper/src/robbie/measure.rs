//! How well particles fit a scan: the sum of the occupancy at the end points (L-PF 3, 4), and their mean (5).

use model::{Point2, Pose2, wrap};
use raster::sampled_sum::{Field, Turned, sampled_sum};
use rayon::prelude::*;

use super::circular_mean;
use crate::HitGrid;

/// Particles that one task weighs; their order, and so every sum, is the same with any number of threads.
const PER_TASK: usize = 32;

/// weight = Σ p_occ at the cell of each end point; cells never seen and outside give 0.
pub(super) fn weigh(grid: &HitGrid, particles: &[Pose2], hits_in_robot: &[Point2], weights: &mut [f64]) {
    let (values, width, height, first) = grid.plane();
    let per_m = 1.0 / grid.cell_size_m();
    let in_cells = |pose: &Pose2| {
        Pose2::new(pose.x_m * per_m - first.0 as f64, pose.y_m * per_m - first.1 as f64, pose.theta_rad)
    };
    let poses: Vec<Pose2> = particles.iter().map(in_cells).collect();
    let hits = Hits::of(hits_in_robot.iter().map(|hit| (hit.x_m * per_m, hit.y_m * per_m)));
    let field = Field { values, width: width as usize, height: height as usize };
    weigh_in_cells(field, &poses, &hits, weights);
}

/// End points of beams in the robot's frame, in cells.
pub struct Hits {
    xs: Vec<f32>,
    ys: Vec<f32>,
}

impl Hits {
    /// Takes end points in cells.
    pub fn of(ends: impl Iterator<Item = (f64, f64)>) -> Self {
        let (xs, ys) = ends.map(|(x, y)| (x as f32, y as f32)).unzip();
        Self { xs, ys }
    }
}

/// The weights of particles whose positions are given in cells from the corner of a field.
pub fn weigh_in_cells(field: Field<'_>, particles: &[Pose2], hits: &Hits, weights: &mut [f64]) {
    let weight = |particle: &Pose2| {
        let (sin, cos) = particle.theta_rad.sin_cos();
        let (x, y) = (particle.x_m as f32, particle.y_m as f32);
        let turned = Turned { sin: sin as f32, cos: cos as f32, x, y };
        f64::from(sampled_sum(field, &hits.xs, &hits.ys, turned))
    };
    let tasks = particles.par_chunks(PER_TASK).zip(weights.par_chunks_mut(PER_TASK));
    tasks.for_each(|(particles, weights)| {
        particles.iter().zip(weights).for_each(|(particle, target)| *target = weight(particle));
    });
}

/// Divides by the sum; equal weights where it is 0: the first scan, or lost.
pub(super) fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    if sum.is_finite() && sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    } else {
        let count = weights.len() as f64;
        weights.fill(1.0 / count);
    }
}

/// Mean pose, the heading as a direction, and the covariance: xx, xy, xt, yy, yt, tt.
pub(super) fn mean(poses: &[Pose2]) -> (Pose2, [f64; 6]) {
    let count = poses.len() as f64;
    let x_m = poses.iter().map(|pose| pose.x_m).sum::<f64>() / count;
    let y_m = poses.iter().map(|pose| pose.y_m).sum::<f64>() / count;
    let theta_rad = circular_mean(poses.iter().map(|pose| pose.theta_rad));
    let mut sums = [0.0; 6];
    for pose in poses {
        let (dx, dy, turn) = (pose.x_m - x_m, pose.y_m - y_m, wrap(pose.theta_rad - theta_rad));
        for (sum, product) in
            sums.iter_mut().zip([dx * dx, dx * dy, dx * turn, dy * dy, dy * turn, turn * turn])
        {
            *sum += product;
        }
    }
    (Pose2::new(x_m, y_m, theta_rad), sums.map(|sum| sum / count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scan;
    use crate::hit_grid::Misses;

    #[test]
    fn spec_09_e4_normalised_weights() {
        let normalised = |mut weights: Vec<f64>| {
            normalise(&mut weights);
            weights
        };
        assert_eq!(normalised(vec![2.0, 1.0, 1.0]), [0.5, 0.25, 0.25]);
        assert_eq!(normalised(vec![0.0, 0.0]), [0.5, 0.5]);
    }

    #[test]
    fn spec_09_e5_the_mean_of_two_headings_around_180_degrees() {
        let degrees = |x_m: f64, theta_deg: f64| Pose2::new(x_m, 0.0, theta_deg.to_radians());
        let (pose, covariance) = mean(&[degrees(0.0, 179.0), degrees(1.0, -179.0)]);
        // Half a metre and a degree to each side.
        let expected = [0.25, 0.0, 0.5 * 1_f64.to_radians(), 0.0, 0.0, 1_f64.to_radians().powi(2)];
        assert!(covariance.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{covariance:?}");
        assert!((pose.x_m - 0.5).abs() < 1e-12 && pose.y_m == 0.0);
        assert!((pose.theta_rad.abs().to_degrees() - 180.0).abs() < 1e-9);
        assert_eq!(super::super::resample::heaviest(&[0.5; 40], 0.05).len(), 2);
    }

    #[test]
    fn spec_09_e6_weights() {
        let beam = |range_m: f64| Scan { hits_in_robot: vec![Point2::new(range_m, 0.0)], ..Scan::default() };
        let robot = Pose2::new(0.025, 0.025, 0.0);
        let mut grid = HitGrid::new(0.05, 800);
        for range_m in [1.0, 1.0, 1.0, 1.5] {
            grid.stamp(&beam(range_m), robot, Misses::Ignored);
        }
        let hits = [Point2::new(1.0, 0.0), Point2::new(1.5, 0.0)];
        let mut weights = [0.0; 3];
        let far = Pose2::new(1e9, 0.0, 0.0);
        weigh(&grid, &[robot, Pose2::new(0.125, 0.025, 0.0), far], &hits, &mut weights);
        assert_eq!(weights, [1.75, 0.0, 0.0]);
    }
}
