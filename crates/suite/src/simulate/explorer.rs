//! A simulated robot that explores by itself: the exploration loop drives the simulator.
//!
//! Its pose is the true one, or that of a mapper which gets the robot's scans and odometry. Scans are entered where the
//! robot takes them to be taken; where a mapper changes its mind about earlier poses, they are entered anew.

use std::cell::Cell;

use explore::{Moved, World};
use model::{CellClass, Grid, GridGeometry, LaserScan, Point2, Pose2, Pose3};
use sim::run::{Recorder, SensorEvent, Simulator, WaypointDriver};

use super::localizer::Tracker;
use super::sight_map::SightMap;
use super::tilt_figures::TiltCounter;
use crate::{JobError, Snapshots};

/// Time between two commands.
const STEP_S: f64 = 0.1;
/// A place that is not reached by then is given up, seconds.
const PATIENCE_S: f64 = 15.0;
/// Turn rate of a look around.
const TURN_RATE_RADPS: f64 = 1.0;
/// Steps back and their speed after a robot was stopped by something: a robot that touches a wall cannot turn.
const STEPS_BACK: usize = 4;
const BACK_MPS: f64 = -0.3;
/// A scan whose place moved by more than this is entered anew, with all others, metres: half a cell.
const MOVED_M: f64 = 0.025;
/// After so many scans it is asked whether places moved.
const ASKED_EVERY: usize = 20;

/// A simulator as the exploration loop sees it.
pub(super) struct Explorer<'a> {
    pub simulator: &'a mut Simulator,
    pub recorder: &'a mut Recorder,
    pub tilt: &'a mut TiltCounter,
    snapshots: Option<Snapshots>,
    /// Why a snapshot could not be written.
    pub failure: Option<JobError>,
    sight: SightMap,
    geometry: GridGeometry,
    /// None: the true pose is known.
    pub tracker: Option<Tracker>,
    last: Option<Sighting>,
    /// What was entered, where a mapper may change its mind.
    entered: Vec<Sighting>,
    /// What the scans show at their true places, beside a mapper.
    witness: Option<(SightMap, Vec<CellClass>)>,
    asked_at: usize,
    /// Scans of the first scanner so far.
    scans: &'a Cell<usize>,
}

/// A scan of the first scanner and where it was taken.
struct Sighting {
    scan: LaserScan,
    world_from_robot: Pose2,
    /// From the planar pose of the robot.
    robot_from_laser: Pose3,
    /// Its number among the scans of the mapper.
    number: usize,
    /// Where it was taken in truth.
    true_laser: Pose3,
}

impl Sighting {
    fn world_from_laser(&self) -> Pose3 {
        Pose3::from(self.world_from_robot) * self.robot_from_laser
    }
}

impl<'a> Explorer<'a> {
    pub(super) fn new(
        simulator: &'a mut Simulator,
        recorder: &'a mut Recorder,
        tilt: &'a mut TiltCounter,
        snapshots: Option<Snapshots>,
        geometry: GridGeometry,
        tracker: Option<Tracker>,
        scans: &'a Cell<usize>,
    ) -> Self {
        let sight = SightMap::new(geometry, simulator.world().floor().highest_m());
        let nothing = || (sight.clone(), vec![CellClass::Unknown; geometry.cells()]);
        let witness = tracker.is_some().then(nothing);
        Self {
            simulator,
            recorder,
            tilt,
            snapshots,
            failure: None,
            sight,
            geometry,
            tracker,
            last: None,
            entered: Vec::new(),
            witness,
            asked_at: 0,
            scans,
        }
    }

    /// What the robot has seen of the ground, wherever it took that to be; none with the true pose, where that is its map.
    pub(super) fn seen(&self) -> Option<&[CellClass]> {
        self.witness.as_ref().map(|(_, seen)| seen.as_slice())
    }

    fn robot_pose(&self) -> Pose2 {
        self.tracker.as_ref().map_or(self.simulator.truth_pose(), |tracker| tracker.pose(self.simulator))
    }

    fn publish(&mut self, map: &[CellClass]) {
        let (time_s, pose) = (self.simulator.time_s(), self.robot_pose());
        let Some(snapshots) = &mut self.snapshots else { return };
        let grid = || Grid::new(self.geometry, map.to_vec()).ok();
        if let Err(error) = snapshots.offer(time_s, pose, &grid) {
            self.failure = Some(error);
            self.snapshots = None;
        }
    }

    fn step(&mut self, speed_mps: f64, turn_rate_radps: f64) {
        let command = self.simulator.robot().command(speed_mps, turn_rate_radps);
        self.step_with(command);
    }

    fn step_with(&mut self, command: sim::robot::DriveCommand) {
        // The scan of this step is taken at its start.
        let (true_pose, true_laser) = (self.simulator.truth_pose(), self.simulator.world_from_laser(0));
        self.tilt.count(self.simulator);
        self.simulator.step(command, STEP_S);
        self.recorder.take(self.simulator);
        let events = self.simulator.events();
        let scan = events.iter().find_map(|event| match event {
            SensorEvent::Scan { laser: 0, scan } => Some(scan.clone()),
            _ => None,
        });
        if let Some(tracker) = &mut self.tracker {
            tracker.take(events);
        }
        let Some(scan) = scan else { return };
        self.scans.set(self.scans.get() + 1);
        self.last = Some(match &self.tracker {
            None => Sighting {
                scan,
                world_from_robot: true_pose,
                robot_from_laser: Pose3::from(true_pose).inverse() * true_laser,
                number: 0,
                true_laser,
            },
            Some(tracker) => Sighting {
                scan,
                world_from_robot: tracker.pose_at_scan(),
                robot_from_laser: tracker.robot_from_laser(self.simulator.robot()),
                number: tracker.scans.saturating_sub(1),
                true_laser,
            },
        });
    }

    /// Enters all scans anew where the mapper has moved one of them; how many more cells are free now.
    fn enter_anew(&mut self, map: &mut [CellClass]) -> i64 {
        let Some(tracker) = &self.tracker else { return 0 };
        if tracker.scans < self.asked_at + ASKED_EVERY {
            return 0;
        }
        self.asked_at = tracker.scans;
        let poses = tracker.poses();
        let pose_now = |sighting: &Sighting| poses.get(sighting.number).copied();
        let is_moved = |sighting: &Sighting| {
            let before = sighting.world_from_robot.position();
            pose_now(sighting).is_some_and(|now| now.position().distance_m(before) > MOVED_M)
        };
        if !self.entered.iter().any(is_moved) {
            return 0;
        }
        let free = |map: &[CellClass]| map.iter().filter(|class| **class == CellClass::Free).count() as i64;
        let before = free(map);
        self.sight.clear();
        map.fill(CellClass::Unknown);
        for sighting in &mut self.entered {
            sighting.world_from_robot = pose_now(sighting).unwrap_or(sighting.world_from_robot);
            self.sight.enter(sighting.world_from_laser(), &sighting.scan, map);
        }
        free(map) - before
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
        self.robot_pose()
    }

    fn observe(&mut self, _robot: usize, map: &mut [CellClass]) -> i64 {
        let mut more_free = self.enter_anew(map);
        if let Some(sighting) = self.last.take() {
            more_free += self.sight.enter(sighting.world_from_laser(), &sighting.scan, map);
            if let Some((sight, seen)) = &mut self.witness {
                sight.enter(sighting.true_laser, &sighting.scan, seen);
                self.entered.push(sighting);
            }
        }
        let half_m = self.simulator.robot().width_m / 2.0;
        more_free += self.sight.stand(self.robot_pose(), half_m, map);
        self.publish(map);
        more_free
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
        let mut driver = WaypointDriver::new(vec![position]);
        while self.simulator.time_s() < began_s + PATIENCE_S {
            let Some(command) = driver.command(self.robot_pose(), self.simulator.robot()) else {
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
