//! A truth grid with robots that know where they are: scans by ray casting, exact driving, collisions by area.

use model::{CellClass, Grid, GridGeometry, Point2, Pose2, wrap};
use raster::components::{Connectivity, label};

use crate::beams::Light;
use crate::{ExploreError, Laser, Moved, World};

/// Parameters of a [`GridWorld`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridWorldParams {
    /// The laser of each robot.
    pub laser: Laser,
    /// Radius of a robot, metres. Default 0.2 m, a small tracked robot of the rescue league.
    pub robot_radius_m: f64,
    /// Speed, m/s. Default 0.5, ours.
    pub speed_mps: f64,
    /// Turn rate, rad/s. Default 1, ours.
    pub turn_rate_radps: f64,
}

impl Default for GridWorldParams {
    fn default() -> Self {
        Self { laser: Laser::default(), robot_radius_m: 0.2, speed_mps: 0.5, turn_rate_radps: 1.0 }
    }
}

/// A truth grid with robots in it. Unknown cells of the truth end a beam and are not entered into the map.
#[derive(Clone, Debug)]
pub struct GridWorld {
    truth: Grid,
    params: GridWorldParams,
    poses: Vec<Pose2>,
}

impl GridWorld {
    /// Puts robots into a place.
    ///
    /// # Errors
    /// A parameter out of its range, or a start that is not on a free cell.
    pub fn new(truth: Grid, starts: &[Pose2], params: GridWorldParams) -> Result<Self, ExploreError> {
        params.laser.check()?;
        let positive = [
            ("speed_mps", params.speed_mps),
            ("turn_rate_radps", params.turn_rate_radps),
            ("robot_radius_m", params.robot_radius_m),
        ];
        for (name, value) in positive {
            ExploreError::check(name, value, value > 0.0, "above 0")?;
        }
        let world = Self { truth, params, poses: starts.to_vec() };
        for start in starts {
            let position = Point2::new(start.x_m, start.y_m);
            let is_free = world.class_at(position) == Some(CellClass::Free);
            if !is_free {
                return Err(ExploreError::Start { x_m: start.x_m, y_m: start.y_m });
            }
        }
        Ok(world)
    }

    #[must_use]
    pub const fn truth(&self) -> &Grid {
        &self.truth
    }

    /// Free truth cells that hang together with the start of the first robot, over edges: what can be explored.
    #[must_use]
    pub fn reachable(&self) -> Vec<bool> {
        let geometry = self.truth.geometry();
        let free: Vec<u8> = self.truth.classes().iter().map(|&c| u8::from(c == CellClass::Free)).collect();
        let labels = label(&free, geometry.width(), geometry.height(), Connectivity::Four).labels;
        let start = self.poses.first().and_then(|pose| geometry.cell_at(Point2::new(pose.x_m, pose.y_m)));
        let Some(start) = start.map(|cell| labels[geometry.index_of(cell)]) else {
            return vec![false; free.len()];
        };
        labels.iter().zip(&free).map(|(&name, &is_free)| is_free != 0 && name == start).collect()
    }

    fn class_at(&self, position: Point2) -> Option<CellClass> {
        let geometry = self.truth.geometry();
        geometry.cell_at(position).map(|cell| self.truth.classes()[geometry.index_of(cell)])
    }

    /// Whether the disc of a robot overlaps a wall cell or another robot.
    fn is_touching(&self, robot: usize, position: Point2) -> bool {
        let geometry = self.truth.geometry();
        let radius_cells = self.params.robot_radius_m / geometry.cell_size_m();
        let (x, y) = geometry.grid_point_of_world(position);
        let side = |at: f64, size: usize| {
            let first = (at - radius_cells).floor().max(0.0) as usize;
            first..((at + radius_cells).floor().max(-1.0) + 1.0).min(size as f64) as usize
        };
        let is_wall = side(y, geometry.height()).any(|j| {
            side(x, geometry.width()).any(|i| {
                let class = self.truth.classes()[geometry.index_of(model::Cell { i, j })];
                // From the middle of the robot to the nearest point of the cell.
                let dx = x - x.clamp(i as f64, i as f64 + 1.0);
                let dy = y - y.clamp(j as f64, j as f64 + 1.0);
                class == CellClass::Occupied && dx.hypot(dy) < radius_cells
            })
        });
        let others = self.poses.iter().enumerate().filter(|(other, _)| *other != robot);
        is_wall || {
            let apart_m = |pose: &Pose2| (pose.x_m - position.x_m).hypot(pose.y_m - position.y_m);
            others.map(|(_, pose)| apart_m(pose)).any(|apart_m| apart_m < 2.0 * self.params.robot_radius_m)
        }
    }
}

impl World for GridWorld {
    fn geometry(&self) -> &GridGeometry {
        self.truth.geometry()
    }

    fn robots(&self) -> usize {
        self.poses.len()
    }

    fn pose(&self, robot: usize) -> Pose2 {
        self.poses[robot]
    }

    fn observe(&mut self, robot: usize, map: &mut [CellClass]) -> i64 {
        let truth = self.truth.classes();
        let mut more_free = 0;
        self.params.laser.cast(self.truth.geometry(), self.poses[robot], |cell| {
            let class = truth[cell];
            if class == CellClass::Unknown {
                return Light::Ends;
            }
            more_free += i64::from(class == CellClass::Free) - i64::from(map[cell] == CellClass::Free);
            map[cell] = class;
            if class == CellClass::Free { Light::Passes } else { Light::Ends }
        });
        more_free
    }

    fn look_around(&mut self, robot: usize, map: &mut [CellClass]) -> (Moved, i64) {
        const HEADINGS: usize = 4;
        let mut more_free = 0;
        for _ in 0..HEADINGS {
            let turned = self.poses[robot].theta_rad + std::f64::consts::TAU / HEADINGS as f64;
            self.poses[robot].theta_rad = wrap(turned);
            more_free += self.observe(robot, map);
        }
        let time_s = std::f64::consts::TAU / self.params.turn_rate_radps;
        (Moved { time_s, ..Moved::default() }, more_free)
    }

    fn move_to(&mut self, robot: usize, position: Point2) -> Moved {
        let pose = self.poses[robot];
        let (dx_m, dy_m) = (position.x_m - pose.x_m, position.y_m - pose.y_m);
        let distance_m = dx_m.hypot(dy_m);
        if distance_m == 0.0 {
            return Moved::default();
        }
        let heading_rad = dy_m.atan2(dx_m);
        let turn_rad = wrap(heading_rad - pose.theta_rad).abs();
        self.poses[robot] = Pose2::new(position.x_m, position.y_m, heading_rad);
        let time_s = distance_m / self.params.speed_mps + turn_rad / self.params.turn_rate_radps;
        Moved { time_s, distance_m, has_collided: self.is_touching(robot, position) }
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    fn world(rows: &[&str], start: Pose2) -> Result<GridWorld, ExploreError> {
        let params = GridWorldParams { robot_radius_m: 0.6, ..GridWorldParams::default() };
        GridWorld::new(grid(rows), &[start], params)
    }

    #[test]
    fn robots_start_on_free_cells() {
        assert!(world(&["#."], Pose2::new(0.5, 0.5, 0.0)).is_err());
        assert!(world(&["#."], Pose2::new(5.0, 0.5, 0.0)).is_err());
        assert!(world(&["#."], Pose2::new(1.5, 0.5, 0.0)).is_ok());
    }

    #[test]
    fn touching_a_wall_is_a_collision() {
        let mut world = world(&["#...."], Pose2::new(4.5, 0.5, 0.0)).unwrap();
        assert!(!world.move_to(0, Point2::new(2.5, 0.5)).has_collided);
        let moved = world.move_to(0, Point2::new(1.5, 0.5));
        assert!(moved.has_collided && moved.distance_m == 1.0 && moved.time_s == 2.0);
    }

    #[test]
    fn what_is_behind_a_wall_is_not_reachable() {
        let world = world(&["..#."], Pose2::new(0.5, 0.5, 0.0)).unwrap();
        assert_eq!(world.reachable(), [true, true, false, false]);
    }

    #[test]
    fn scans_count_new_free_cells_once() {
        let mut world = world(&["....#.", "######"], Pose2::new(0.5, 1.5, 0.0)).unwrap();
        let mut map = vec![CellClass::Unknown; 12];
        assert_eq!(world.observe(0, &mut map), 4);
        assert_eq!(world.observe(0, &mut map), 0);
        assert_eq!((map[4], map[5]), (CellClass::Occupied, CellClass::Unknown));
    }
}
