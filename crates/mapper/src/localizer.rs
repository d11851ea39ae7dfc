//! A particle filter on a known map that can be placed wrong and find itself again (X-LOST).
//!
//! One step is: move all particles by odometry with noise, put some of them on free cells anywhere, weigh all by how near
//! the ends of the beams lie to walls, resample. The pose is the mean of the particles near the heaviest one.
//! Source: Thrun, Burgard, Fox 2005, "Probabilistic robotics", chapter 8 (likelihood field, random particles); numbers are
//! ours.

use std::f64::consts::PI;

use model::{CellClass, Grid, GridGeometry, Point2, Pose2, SeededRng, wrap};

use crate::Scan;
use crate::robbie::systematic;

/// Parameters of [`Localizer`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalizerParams {
    /// Default 4000.
    pub particles: usize,
    /// Share of particles that are put anywhere at each step. Default 0.3: a lost robot is found by these alone.
    pub random_share: f64,
    /// Standard deviation of the ends of beams from walls, metres. Default 0.15.
    pub wall_sigma_m: f64,
    /// Beams of a scan that are compared. Default 24: neighbours tell the same.
    pub beams: usize,
}

impl Default for LocalizerParams {
    fn default() -> Self {
        Self { particles: 4000, random_share: 0.3, wall_sigma_m: 0.15, beams: 24 }
    }
}

/// Standard deviations of motion: of the distance, of the turn per metre and of the turn, and a least one of each.
const DISTANCE_RATIO: f64 = 0.1;
const TURN_RAD_PER_M: f64 = 5.0 * PI / 180.0;
const TURN_RATIO: f64 = 0.1;
const MIN_SIGMA_M: f64 = 0.02;
const MIN_SIGMA_RAD: f64 = 1.0 * PI / 180.0;
/// Around the pose that the filter is told.
const START_SIGMA_M: f64 = 0.2;
const START_SIGMA_RAD: f64 = 5.0 * PI / 180.0;
/// Weight of a beam that ends anywhere.
const RANDOM_HIT: f64 = 0.05;
/// Beams are not independent: their logarithms count this much.
const BEAM_TRUST: f64 = 0.5;
/// Particles this near to the heaviest make up the pose.
const NEAR_M: f64 = 0.5;
const NEAR_RAD: f64 = 20.0 * PI / 180.0;

/// A particle filter on a known map.
pub struct Localizer {
    params: LocalizerParams,
    geometry: GridGeometry,
    /// Distance of each cell to the nearest wall, metres, in image order.
    to_wall_m: Vec<f32>,
    free: Vec<u32>,
    particles: Vec<Pose2>,
    rng: SeededRng,
    odom_before: Option<Pose2>,
}

impl Localizer {
    /// A filter that believes to be at `believed`, which may be wrong; none if the map has no wall or no free cell.
    #[must_use]
    pub fn new(map: &Grid, believed: Pose2, params: LocalizerParams, seed: u64) -> Option<Self> {
        let geometry = *map.geometry();
        let occupied = CellClass::Occupied as u8;
        let (width, height) = (geometry.width(), geometry.height());
        let cells = raster::euclidean::distances_f32(map.class_bytes(), occupied, width, height).ok()?;
        let cell_m = geometry.cell_size_m() as f32;
        let is_free = |index: &usize| map.classes()[*index] == CellClass::Free;
        let free: Vec<u32> =
            (0..geometry.cells()).filter(is_free).filter_map(|cell| u32::try_from(cell).ok()).collect();
        if free.is_empty() {
            return None;
        }
        let mut rng = SeededRng::new(seed);
        let particles = (0..params.particles.max(1)).map(|_| near(believed, &mut rng)).collect();
        let to_wall_m = cells.into_iter().map(|distance| distance * cell_m).collect();
        Some(Self { params, geometry, to_wall_m, free, particles, rng, odom_before: None })
    }

    /// Takes a scan and the odometry at its time; returns where the robot believes to be.
    pub fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Pose2 {
        let before = self.odom_before.replace(odom_from_robot);
        let moved = before.map_or(Pose2::IDENTITY, |before| before.inverse() * odom_from_robot);
        self.move_all(moved);
        self.put_some_anywhere();
        let weights = self.weights(scan);
        let pose = self.pose(&weights);
        let picked = systematic(&weights, self.particles.len());
        self.particles = picked.into_iter().map(|index| self.particles[index]).collect();
        pose
    }

    fn move_all(&mut self, moved: Pose2) {
        let distance_m = moved.x_m.hypot(moved.y_m);
        let sigma_m = MIN_SIGMA_M + DISTANCE_RATIO * distance_m;
        let sigma_rad = MIN_SIGMA_RAD + TURN_RAD_PER_M * distance_m + TURN_RATIO * moved.theta_rad.abs();
        for particle in &mut self.particles {
            let ([dx, dy], [dt, _]) = (self.rng.normal_pair(), self.rng.normal_pair());
            let noisy = Pose2::new(
                moved.x_m + sigma_m * dx,
                moved.y_m + sigma_m * dy,
                wrap(moved.theta_rad + sigma_rad * dt),
            );
            *particle = *particle * noisy;
        }
    }

    fn put_some_anywhere(&mut self) {
        let count = (self.params.random_share * self.particles.len() as f64) as usize;
        for _ in 0..count {
            let index = self.rng.below(self.particles.len());
            let cell = self.free[self.rng.below(self.free.len())] as usize;
            let center = self.geometry.center_of(self.geometry.cell_of(cell));
            let theta_rad = wrap(2.0 * PI * self.rng.uniform());
            self.particles[index] = Pose2::new(center.x_m, center.y_m, theta_rad);
        }
    }

    /// Weights that sum up to 1.
    fn weights(&self, scan: &Scan) -> Vec<f64> {
        let step = scan.hits_in_robot.len().div_ceil(self.params.beams.max(1)).max(1);
        let ends: Vec<Point2> = scan.hits_in_robot.iter().copied().step_by(step).collect();
        let logs: Vec<f64> =
            self.particles.iter().map(|particle| self.log_weight(*particle, &ends)).collect();
        let best = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - best).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    fn log_weight(&self, particle: Pose2, ends: &[Point2]) -> f64 {
        let twice_variance = 2.0 * self.params.wall_sigma_m * self.params.wall_sigma_m;
        let of_end = |end: &Point2| {
            let cell = self.geometry.cell_at(particle * *end);
            let hit = cell.map_or(0.0, |cell| {
                let distance_m = f64::from(self.to_wall_m[self.geometry.index_of(cell)]);
                (-distance_m * distance_m / twice_variance).exp()
            });
            (hit + RANDOM_HIT).ln()
        };
        BEAM_TRUST * ends.iter().map(of_end).sum::<f64>()
    }

    /// The weighted mean of the particles near the heaviest; of equals the first.
    fn pose(&self, weights: &[f64]) -> Pose2 {
        let heaviest =
            (0..weights.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
        let center = self.particles[heaviest];
        let (mut x, mut y, mut turn, mut sum) = (0.0, 0.0, 0.0, 0.0);
        for (particle, &weight) in self.particles.iter().zip(weights) {
            let turned = wrap(particle.theta_rad - center.theta_rad);
            let (dx, dy) = (particle.x_m - center.x_m, particle.y_m - center.y_m);
            if dx.hypot(dy) <= NEAR_M && turned.abs() <= NEAR_RAD {
                (x, y, turn, sum) = (x + weight * dx, y + weight * dy, turn + weight * turned, sum + weight);
            }
        }
        Pose2::new(center.x_m + x / sum, center.y_m + y / sum, wrap(center.theta_rad + turn / sum))
    }
}

fn near(believed: Pose2, rng: &mut SeededRng) -> Pose2 {
    let ([dx, dy], [dt, _]) = (rng.normal_pair(), rng.normal_pair());
    Pose2::new(
        believed.x_m + START_SIGMA_M * dx,
        believed.y_m + START_SIGMA_M * dy,
        wrap(believed.theta_rad + START_SIGMA_RAD * dt),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A room of 8 x 5 m with a wall that juts in, so that no two places look alike.
    fn room() -> Grid {
        let geometry = GridGeometry::new(80, 50, 0.1, Pose2::IDENTITY).unwrap();
        let is_wall = |i: usize, j: usize| {
            i == 0 || j == 0 || i == 79 || j == 49 || (i == 30 && j < 20) || (j == 35 && i > 55)
        };
        let class = |index: usize| {
            let cell = geometry.cell_of(index);
            if is_wall(cell.i, cell.j) { CellClass::Occupied } else { CellClass::Free }
        };
        Grid::new(geometry, (0..geometry.cells()).map(class).collect()).unwrap()
    }

    /// What a scanner of 72 beams sees from a pose, by small steps along each beam.
    fn scan(map: &Grid, pose: Pose2) -> Scan {
        let beam = |index: usize| {
            let angle = index as f64 * 5_f64.to_radians();
            let along = |r: f64| Point2::new(r * angle.cos(), r * angle.sin());
            let hits = |r: &f64| {
                let cell = map.geometry().cell_at(pose * along(*r));
                cell.is_none_or(|cell| map.classes()[map.geometry().index_of(cell)] == CellClass::Occupied)
            };
            along((1..1000).map(|step| f64::from(step) * 0.02).find(hits).unwrap_or(20.0))
        };
        Scan { hits_in_robot: (0..72).map(beam).collect(), ..Scan::default() }
    }

    #[test]
    fn a_robot_that_is_placed_wrong_finds_itself() {
        let map = room();
        let truth = |step: usize| Pose2::new(1.0 + 0.1 * step as f64, 3.0, 0.02 * step as f64);
        for seed in 1..=3 {
            let wrong = Pose2::new(6.5, 1.0, 2.0);
            let mut filter = Localizer::new(&map, wrong, LocalizerParams::default(), seed).unwrap();
            let errors: Vec<f64> = (0..40)
                .map(|step| {
                    let found = filter.step(&scan(&map, truth(step)), truth(step));
                    (found.x_m - truth(step).x_m).hypot(found.y_m - truth(step).y_m)
                })
                .collect();
            assert!(errors[35..].iter().all(|error| *error < 0.3), "seed {seed}: {errors:?}");
        }
    }

    #[test]
    fn a_map_without_walls_or_free_cells_is_refused() {
        let geometry = GridGeometry::new(3, 3, 0.1, Pose2::IDENTITY).unwrap();
        for class in [CellClass::Free, CellClass::Occupied, CellClass::Unknown] {
            let map = Grid::filled(geometry, class);
            assert!(Localizer::new(&map, Pose2::IDENTITY, LocalizerParams::default(), 1).is_none());
        }
    }
}
