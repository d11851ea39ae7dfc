//! A simulated robot that explores by itself: the exploration loop drives the simulator.
//!
//! Poses are the true ones; scans are entered where they were taken. A cell is a wall if a quarter of the beams that met
//! it ended there. Scans of a scanner that is tilted by more than 3 degrees are left out, as a robot with an inertial unit
//! would: they show floors as walls.

use std::cell::Cell;

use explore::{Moved, World};
use model::{CellClass, GridGeometry, LaserScan, Point2, Pose2, Pose3};
use raster::line_cells::crossed_cells;
use sim::run::{Recorder, SensorEvent, Simulator, WayPointDriver};

/// Time between two commands.
const STEP_S: f64 = 0.1;
/// A place that is not reached by then is given up, seconds.
const PATIENCE_S: f64 = 15.0;
/// Turn rate of a look around.
const TURN_RATE_RADPS: f64 = 1.0;
/// A cell is a wall if one of so many beams that met it ended there. Beams that graze a wall read up to a cell too far
/// and cross others of its cells: with a majority, walls seen from afar only have holes, and robots drive into them.
const WALL_ONE_IN: u32 = 4;
/// Steps back and their speed after a robot was stopped by something: a robot that touches a wall cannot turn.
const STEPS_BACK: usize = 4;
const BACK_MPS: f64 = -0.3;
/// Scans are entered up to this tilt.
const MAX_TILT_RAD: f64 = 0.053;

/// A simulator as the exploration loop sees it.
pub(super) struct Explorer<'a> {
    simulator: &'a mut Simulator,
    recorder: &'a mut Recorder,
    geometry: GridGeometry,
    /// Beams that passed or ended in each cell, and those that ended.
    seen: Vec<u32>,
    ended: Vec<u32>,
    /// The last scan of the first scanner and where it was taken.
    last: Option<(Pose3, LaserScan)>,
    /// Scans of the first scanner so far.
    scans: &'a Cell<usize>,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(
        simulator: &'a mut Simulator,
        recorder: &'a mut Recorder,
        geometry: GridGeometry,
        scans: &'a Cell<usize>,
    ) -> Self {
        let cells = geometry.cells();
        let (seen, ended) = (vec![0; cells], vec![0; cells]);
        Self { simulator, recorder, geometry, seen, ended, last: None, scans }
    }

    fn step(&mut self, speed_mps: f64, turn_rate_radps: f64) {
        let command = self.simulator.robot().command(speed_mps, turn_rate_radps);
        self.step_with(command);
    }

    fn step_with(&mut self, command: sim::robot::DriveCommand) {
        // The scan of this step is taken at its start.
        let world_from_laser = self.simulator.world_from_laser(0);
        let events = self.simulator.step(command, STEP_S);
        let scan = events.iter().find_map(|event| match event {
            SensorEvent::Scan { laser: 0, scan } => Some(scan.clone()),
            _ => None,
        });
        if let Some(scan) = scan {
            self.last = Some((world_from_laser, scan));
            self.scans.set(self.scans.get() + 1);
        }
        self.recorder.take(self.simulator);
    }

    /// Enters a scan; how many more cells are free now.
    fn enter(&mut self, world_from_laser: Pose3, scan: &LaserScan, map: &mut [CellClass]) -> i64 {
        let [roll_rad, pitch_rad, _] = world_from_laser.roll_pitch_yaw();
        if roll_rad.abs().max(pitch_rad.abs()) > MAX_TILT_RAD {
            return 0;
        }
        let at = world_from_laser.planar();
        let from = self.geometry.grid_point_of_world(Point2::new(at.x_m, at.y_m));
        let mut more_free = 0;
        for (beam, &range_m) in scan.ranges_m.iter().enumerate() {
            let range_m = f64::from(range_m);
            let is_return = range_m > 0.0 && range_m < scan.beams.max_range_m;
            let reach_m = if is_return { range_m } else { scan.beams.max_range_m };
            let (sin, cos) =
                (at.theta_rad + scan.beams.first_rad + scan.beams.step_rad * beam as f64).sin_cos();
            let end = Point2::new(at.x_m + reach_m * cos, at.y_m + reach_m * sin);
            let end_cell = self.geometry.cell_at(end).filter(|_| is_return);
            let to = self.geometry.grid_point_of_world(end);
            crossed_cells(from, to, |(i, j), _| {
                let inside = |v: i64, side: usize| usize::try_from(v).ok().filter(|v| *v < side);
                let cell = inside(i, self.geometry.width()).zip(inside(j, self.geometry.height()));
                if let Some((i, j)) = cell {
                    let cell = model::Cell { i, j };
                    let index = self.geometry.index_of(cell);
                    self.seen[index] += 1;
                    self.ended[index] += u32::from(end_cell == Some(cell));
                    let class =
                        if WALL_ONE_IN * self.ended[index] >= self.seen[index] && self.ended[index] > 0 {
                            CellClass::Occupied
                        } else {
                            CellClass::Free
                        };
                    more_free +=
                        i64::from(class == CellClass::Free) - i64::from(map[index] == CellClass::Free);
                    map[index] = class;
                }
            });
        }
        more_free
    }
}

impl World for Explorer<'_> {
    fn geometry(&self) -> &GridGeometry {
        &self.geometry
    }

    fn robots(&self) -> usize {
        1
    }

    fn pose(&self, _robot: usize) -> Pose2 {
        self.simulator.truth_pose()
    }

    fn observe(&mut self, _robot: usize, map: &mut [CellClass]) -> i64 {
        match self.last.take() {
            Some((world_from_laser, scan)) => self.enter(world_from_laser, &scan, map),
            None => 0,
        }
    }

    fn look_around(&mut self, robot: usize, map: &mut [CellClass]) -> (Moved, i64) {
        let (began_s, collisions) = (self.simulator.time_s(), self.simulator.collisions());
        let steps = (std::f64::consts::TAU / (TURN_RATE_RADPS * STEP_S)).ceil() as usize;
        let mut more_free = 0;
        for _ in 0..steps {
            self.step(0.0, TURN_RATE_RADPS);
            more_free += self.observe(robot, map);
        }
        let moved = Moved {
            time_s: self.simulator.time_s() - began_s,
            distance_m: 0.0,
            has_collided: self.simulator.collisions() > collisions,
        };
        (moved, more_free)
    }

    fn move_to(&mut self, _robot: usize, position: Point2) -> Moved {
        let (began_s, began_m) = (self.simulator.time_s(), self.simulator.distance_m());
        let collisions = self.simulator.collisions();
        let mut driver = WayPointDriver::new(vec![position]);
        while self.simulator.time_s() < began_s + PATIENCE_S {
            let Some(command) = driver.command(self.simulator.truth_pose(), self.simulator.robot()) else {
                break;
            };
            self.step_with(command);
            if self.simulator.collided() {
                (0..STEPS_BACK).for_each(|_| self.step(BACK_MPS, 0.0));
                break;
            }
        }
        Moved {
            time_s: self.simulator.time_s() - began_s,
            distance_m: self.simulator.distance_m() - began_m,
            has_collided: self.simulator.collisions() > collisions,
        }
    }
}
