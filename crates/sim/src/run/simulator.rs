//! The simulator: a robot in an arena, driven step by step.
//!
//! Time runs from event to event, so that every reading carries the state at its timestamp. Each sensor has its own
//! stream of the seed: one sensor more does not change the noise of the others.

use model::{Attitude, LaserScan, Odometry, Pose2, Pose3, PoseSource, SeededRng, StampedPose};

use super::clock::{Clock, SAME_TIME_S};
use super::sensor_event::SensorEvent;
use crate::arena::Arena;
use crate::robot::{DriveCommand, Footing, RobotModel, collides, footing};
use crate::sensor::{Imu, LevellingState};
use crate::world::World;

/// Longest stretch that is driven without looking for obstacles and ramps.
const MAX_STEP_S: f64 = 0.05;
/// Servos and scanners are not in step: on average half a period lies between them.
const LEVELLING_PHASE: f64 = 0.5;
/// Streams of the seed; scanner k has `LASERS + k`.
const WHEELS: u64 = 41;
const ODOMETRY: u64 = 42;
const INERTIAL: u64 = 43;
const LEVELLING: u64 = 44;
const GRAVITY: u64 = 45;
const SONAR: u64 = 46;
const LASERS: u64 = 100;

struct LaserUnit {
    clock: Clock,
    rng: SeededRng,
    directions: Vec<[f64; 2]>,
}

/// A robot in an arena.
pub struct Simulator {
    world: World,
    robot: RobotModel,
    time_s: f64,
    world_from_robot: Pose2,
    footing: Footing,
    odom_from_robot: Pose2,
    /// What the wheels did since the last reading of odometry.
    wheel_step: Pose2,
    speed_mps: f64,
    turn_rate_radps: f64,
    slip_left_m: f64,
    has_collided: bool,
    collisions: usize,
    distance_m: f64,
    odometry_clock: Clock,
    levelling_clock: Clock,
    levelling: LevellingState,
    imu: Imu,
    yaw_at_imu_rad: f64,
    /// The last reading of the inertial unit.
    imu_rad: [f64; 3],
    lasers: Vec<LaserUnit>,
    sonar_clock: Clock,
    sonar_rng: SeededRng,
    wheel_rng: SeededRng,
    odometry_rng: SeededRng,
    imu_rng: SeededRng,
    levelling_rng: SeededRng,
    gravity_rng: SeededRng,
    events: Vec<SensorEvent>,
    true_poses: Vec<StampedPose>,
}

impl Simulator {
    /// A robot at the start of an arena. The first readings, at time 0, come with the first step.
    #[must_use]
    pub fn new(arena: &Arena, robot: RobotModel, seed: u64) -> Self {
        Self::at(World::new(arena), arena.start, robot, seed)
    }

    /// A robot at a place of a world.
    #[must_use]
    pub fn at(world: World, start: Pose2, robot: RobotModel, seed: u64) -> Self {
        let unit = |(index, laser): (usize, &crate::sensor::Laser)| LaserUnit {
            clock: Clock::new(laser.rate_hz),
            rng: SeededRng::new(seed).stream(LASERS + index as u64),
            directions: laser.directions(),
        };
        Self {
            footing: footing(world.floor(), &robot, start),
            time_s: 0.0,
            world_from_robot: start,
            odom_from_robot: Pose2::IDENTITY,
            wheel_step: Pose2::IDENTITY,
            speed_mps: 0.0,
            turn_rate_radps: 0.0,
            slip_left_m: 0.0,
            has_collided: false,
            collisions: 0,
            distance_m: 0.0,
            odometry_clock: Clock::new(robot.odometry_hz),
            levelling_clock: Clock {
                phase: LEVELLING_PHASE,
                ..Clock::new(robot.levelling.map_or(0.0, |levelling| levelling.rate_hz))
            },
            levelling: LevellingState::default(),
            imu: Imu::new(robot.imu),
            yaw_at_imu_rad: start.theta_rad,
            imu_rad: [0.0; 3],
            lasers: robot.lasers.iter().enumerate().map(unit).collect(),
            sonar_clock: Clock::new(robot.sonar.map_or(0.0, |sonar| sonar.rate_hz)),
            sonar_rng: SeededRng::new(seed).stream(SONAR),
            wheel_rng: SeededRng::new(seed).stream(WHEELS),
            odometry_rng: SeededRng::new(seed).stream(ODOMETRY),
            imu_rng: SeededRng::new(seed).stream(INERTIAL),
            levelling_rng: SeededRng::new(seed).stream(LEVELLING),
            gravity_rng: SeededRng::new(seed).stream(GRAVITY),
            events: Vec::new(),
            true_poses: Vec::new(),
            world,
            robot,
        }
    }

    /// Drives for a time and gives the readings of that time, oldest first. A time that is not positive gives none.
    pub fn step(&mut self, command: DriveCommand, dt_s: f64) -> &[SensorEvent] {
        self.events.clear();
        self.true_poses.clear();
        self.has_collided = false;
        if !(dt_s > 0.0 && dt_s.is_finite()) {
            return &self.events;
        }
        let end_s = self.snapped_s(self.time_s + dt_s);
        self.read_what_is_due();
        while self.time_s < end_s {
            let next_s = self.next_due_s().min(end_s).min(self.time_s + MAX_STEP_S);
            // Parts of a step do not add up to it in binary: what is due at its end must not be read a hair before it.
            let next_s = if end_s - next_s < SAME_TIME_S { end_s } else { next_s };
            let step_s = next_s - self.time_s;
            if step_s > 0.0 {
                self.drive(command, step_s);
            }
            self.time_s = next_s;
            // Readings at the very end belong to the next step, under its command; the state is the same.
            if self.time_s < end_s {
                self.read_what_is_due();
            }
        }
        &self.events
    }

    /// A time that is meant to be that of a reading becomes it exactly: tenths of seconds do not add up in binary.
    fn snapped_s(&self, time_s: f64) -> f64 {
        let others = [self.odometry_clock, self.levelling_clock, self.sonar_clock];
        let clocks = self.lasers.iter().map(|unit| unit.clock).chain(others);
        let rates_hz = clocks.map(|clock| clock.rate_hz).filter(|rate_hz| *rate_hz > 0.0);
        let mut due_s = rates_hz.map(|rate_hz| (time_s * rate_hz).round() / rate_hz);
        due_s.find(|due_s| (due_s - time_s).abs() < SAME_TIME_S).unwrap_or(time_s)
    }

    fn next_due_s(&self) -> f64 {
        let lasers = self.lasers.iter().map(|unit| unit.clock.due_s());
        let others = [self.odometry_clock, self.levelling_clock, self.sonar_clock].map(Clock::due_s);
        // A sensor that is due now was read already.
        lasers.chain(others).filter(|due_s| *due_s > self.time_s + SAME_TIME_S).fold(f64::INFINITY, f64::min)
    }

    /// Moves the robot along an arc; a robot that would overlap something stays where it is, its wheels spinning.
    fn drive(&mut self, command: DriveCommand, dt_s: f64) {
        let limit = self.robot.max_speed_mps;
        let [left_mps, right_mps] = [command.left_mps, command.right_mps]
            .map(|v| if v.is_finite() { v.clamp(-limit, limit) } else { 0.0 });
        let wheels_m = (left_mps + right_mps) / 2.0 * dt_s;
        let wheels_rad = (right_mps - left_mps) / self.robot.track_m * dt_s;
        self.wheel_step = self.wheel_step * arc(wheels_m, wheels_rad);
        self.speed_mps = wheels_m / dt_s;
        self.turn_rate_radps = wheels_rad / dt_s;
        let grip = self.grip(wheels_m.abs());
        // On a ramp the distance over the map is shorter than that of the wheels.
        let level_m = wheels_m * grip * self.footing.pitch_rad.cos();
        let next = self.world_from_robot * arc(level_m, wheels_rad / self.robot.skid);
        if wheels_m == 0.0 && wheels_rad == 0.0 {
            return;
        }
        if collides(&self.world, &self.robot, next)
            && !collides(&self.world, &self.robot, self.world_from_robot)
        {
            self.collisions += usize::from(!self.has_collided);
            self.has_collided = true;
            return;
        }
        self.distance_m += level_m.abs();
        self.world_from_robot = next;
        self.footing = footing(self.world.floor(), &self.robot, next);
    }

    /// Distance of the robot per distance of the wheels: one half during a slip.
    fn grip(&mut self, wheels_m: f64) -> f64 {
        let is_new = self.wheel_rng.chance(self.robot.slips_per_m * wheels_m);
        if is_new {
            self.slip_left_m = self.robot.slip_m;
        }
        let grip = if self.slip_left_m > 0.0 { 0.5 } else { 1.0 };
        self.slip_left_m = (self.slip_left_m - wheels_m).max(0.0);
        grip
    }

    fn read_what_is_due(&mut self) {
        let before = self.events.len();
        self.read_due_sensors();
        if self.events.len() > before {
            let (time_s, world_from_robot) = (self.time_s, self.true_pose());
            self.true_poses.push(StampedPose { time_s, world_from_robot, source: PoseSource::Measured });
        }
    }

    fn read_due_sensors(&mut self) {
        while self.odometry_clock.is_due(self.time_s) {
            self.read_odometry();
        }
        for laser in 0..self.lasers.len() {
            while self.lasers[laser].clock.is_due(self.time_s) {
                self.read_laser(laser);
            }
        }
        while let Some(sonar) = self.robot.sonar
            && self.sonar_clock.is_due(self.time_s)
        {
            self.sonar_clock.count += 1;
            let sweep = sonar.sweep(&self.world, self.world_from_robot, self.time_s, &mut self.sonar_rng);
            self.events.push(SensorEvent::Sonar(sweep));
        }
        while let Some(levelling) = self.robot.levelling
            && self.levelling_clock.is_due(self.time_s)
        {
            self.levelling_clock.count += 1;
            let tilt_rad = [self.footing.roll_rad, self.footing.pitch_rad];
            self.levelling.step(&levelling, tilt_rad, &mut self.levelling_rng);
        }
    }

    fn read_odometry(&mut self) {
        let dt_s = if self.odometry_clock.count == 0 { 0.0 } else { 1.0 / self.robot.odometry_hz };
        self.odometry_clock.count += 1;
        let time_s = self.time_s;
        let measured = self.robot.odometry.measure(self.wheel_step, &mut self.odometry_rng);
        self.wheel_step = Pose2::IDENTITY;
        self.odom_from_robot = self.odom_from_robot * measured;
        self.events.push(SensorEvent::Odometry(Odometry {
            time_s,
            odom_from_robot: self.odom_from_robot,
            speed_mps: Some(self.speed_mps),
            turn_rate_radps: Some(self.turn_rate_radps),
        }));
        let turn_rad = model::wrap(self.world_from_robot.theta_rad - self.yaw_at_imu_rad);
        self.yaw_at_imu_rad = self.world_from_robot.theta_rad;
        let tilt_rad = [self.footing.roll_rad, self.footing.pitch_rad];
        let roll_pitch_yaw_rad = self.imu.step(turn_rad, tilt_rad, dt_s, &mut self.imu_rng);
        self.imu_rad = roll_pitch_yaw_rad;
        self.events.push(SensorEvent::Imu { time_s, roll_pitch_yaw_rad });
        let accelerometer = self.robot.levelling.unwrap_or_default().accelerometer;
        let readings_g = accelerometer.read(tilt_rad, &mut self.gravity_rng);
        self.events.push(SensorEvent::Accelerometer { time_s, readings_g });
    }

    fn read_laser(&mut self, index: usize) {
        let world_from_laser = self.world_from_laser(index);
        if self.robot.levelling.is_some() {
            let ([roll, pitch, yaw], servo) = (self.imu_rad, self.levelling.servo_rad);
            self.events.push(SensorEvent::Mount(Attitude {
                time_s: self.time_s,
                sensor: self.robot.lasers[index].name.clone(),
                roll_pitch_yaw_rad: [roll + servo[0], pitch + servo[1], yaw],
            }));
        }
        let (laser, unit) = (&self.robot.lasers[index], &mut self.lasers[index]);
        unit.clock.count += 1;
        let ranges_m = laser.scan(&self.world, world_from_laser, &unit.directions, &mut unit.rng);
        let odom_from_robot = self.odom_from_robot * self.wheel_step;
        let scan = LaserScan {
            time_s: self.time_s,
            beams: laser.beam_model(),
            ranges_m,
            remissions: Vec::new(),
            world_from_laser: Some(odom_from_robot * laser.robot_from_laser.planar()),
            world_from_robot: Some(odom_from_robot),
            sensor: laser.name.clone(),
        };
        self.events.push(SensorEvent::Scan { laser: index, scan });
    }

    /// Where a scanner is now; a levelled one is turned back by its servos. The index must be one of the robot's.
    #[must_use]
    pub fn world_from_laser(&self, index: usize) -> Pose3 {
        let [roll_rad, pitch_rad] = self.levelling.servo_rad;
        let mount = self.robot.lasers[index].robot_from_laser;
        let place = self.true_pose() * mount;
        if self.robot.levelling.is_none() {
            return place;
        }
        let attitude_rad = [
            self.footing.roll_rad + roll_rad,
            self.footing.pitch_rad + pitch_rad,
            self.world_from_robot.theta_rad,
        ];
        let turned = Pose3::of_roll_pitch_yaw([0.0; 3], attitude_rad);
        let on_plate = Pose3 { position_m: [0.0; 3], ..mount };
        Pose3 { position_m: place.position_m, ..(turned * on_plate) }
    }

    /// The readings of the last step, oldest first.
    #[must_use]
    pub fn events(&self) -> &[SensorEvent] {
        &self.events
    }

    /// The true pose at each time at which there was a reading in the last step.
    #[must_use]
    pub fn true_poses(&self) -> &[StampedPose] {
        &self.true_poses
    }

    /// The true pose in space.
    #[must_use]
    pub fn true_pose(&self) -> Pose3 {
        self.footing.pose(self.world_from_robot)
    }

    /// The true pose in the plane.
    #[must_use]
    pub const fn truth_pose(&self) -> Pose2 {
        self.world_from_robot
    }

    /// The pose by the wheels now: the last reading of odometry and what they did since, as scans carry it.
    #[must_use]
    pub fn odometry_pose(&self) -> Pose2 {
        self.odom_from_robot * self.wheel_step
    }

    /// Lets the odometry begin anew at the origin.
    pub fn reset_odometry(&mut self) {
        (self.odom_from_robot, self.wheel_step) = (Pose2::IDENTITY, Pose2::IDENTITY);
    }

    /// Seconds since the start.
    #[must_use]
    pub const fn time_s(&self) -> f64 {
        self.time_s
    }

    /// Whether the robot was stopped by something in the last step.
    #[must_use]
    pub const fn collided(&self) -> bool {
        self.has_collided
    }

    /// Steps in which the robot was stopped by something.
    #[must_use]
    pub const fn collisions(&self) -> usize {
        self.collisions
    }

    /// Distance travelled over the map, metres.
    #[must_use]
    pub const fn distance_m(&self) -> f64 {
        self.distance_m
    }

    #[must_use]
    pub const fn robot(&self) -> &RobotModel {
        &self.robot
    }

    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }
}

/// The end of an arc of a length and a turn, seen from its start.
fn arc(length_m: f64, turn_rad: f64) -> Pose2 {
    if turn_rad.abs() < 1e-9 {
        return Pose2::new(length_m, 0.0, turn_rad);
    }
    let (sin, cos) = turn_rad.sin_cos();
    let radius_m = length_m / turn_rad;
    Pose2::new(radius_m * sin, radius_m * (1.0 - cos), turn_rad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{MazePlan, Plan};
    use crate::sensor::{Laser, Levelling, OdometryModel};

    fn corridor() -> Arena {
        let plan = Plan::read("drawing = '''\n+---+---+---+---+\n| S             |\n+---+---+---+---+\n'''")
            .unwrap();
        Arena::build(&plan).unwrap()
    }

    fn ideal() -> RobotModel {
        RobotModel { skid: 1.0, slips_per_m: 0.0, odometry: OdometryModel::EXACT, ..RobotModel::default() }
    }

    #[test]
    fn readings_come_at_their_rates_and_odometry_without_fault_is_the_truth() {
        let arena = corridor();
        let robot = RobotModel { lasers: vec![Laser { rate_hz: 4.0, ..Laser::urg_04lx() }], ..ideal() };
        let mut simulator = Simulator::new(&arena, robot, 1);
        let command = simulator.robot().command(0.5, 0.1);
        let events: Vec<SensorEvent> = (0..20).flat_map(|_| simulator.step(command, 0.1).to_vec()).collect();
        let scans = events.iter().filter(|event| matches!(event, SensorEvent::Scan { .. })).count();
        assert_eq!((scans, events.len()), (8, 8 + 3 * 20), "readings at 2 s belong to the next step");
        let times: Vec<f64> = events.iter().map(SensorEvent::time_s).collect();
        assert!(times.is_sorted() && times[0] == 0.0);
        let last = events.iter().rev().find_map(|event| match event {
            SensorEvent::Odometry(odometry) => Some(odometry.odom_from_robot),
            _ => None,
        });
        let expected = arena.start * last.unwrap() * arc(0.05, 0.01);
        let found = simulator.truth_pose();
        assert!((found.x_m - expected.x_m).abs() < 1e-9 && (found.y_m - expected.y_m).abs() < 1e-9);
        assert!((simulator.distance_m() - 1.0).abs() < 1e-9 && !simulator.collided());
    }

    /// Half steps of 0.05 s do not add up to tenths in binary: some scans were read a hair before the end of a step, and
    /// whoever noted the pose at its start put them 0.1 s too early.
    #[test]
    fn each_step_of_a_tenth_has_the_scan_of_its_start() {
        let mut simulator = Simulator::new(&corridor(), ideal(), 1);
        let command = simulator.robot().command(0.0, 0.5);
        for step in 0..2000 {
            let begun_s = simulator.time_s();
            let times: Vec<f64> = simulator
                .step(command, 0.1)
                .iter()
                .filter(|event| matches!(event, SensorEvent::Scan { .. }))
                .map(SensorEvent::time_s)
                .collect();
            assert_eq!(times, [begun_s], "step {step}");
        }
    }

    #[test]
    fn a_wall_stops_the_robot_and_its_wheels_spin() {
        let mut simulator = Simulator::new(&corridor(), ideal(), 1);
        let ahead = simulator.robot().command(0.5, 0.0);
        for _ in 0..200 {
            simulator.step(ahead, 0.1);
        }
        let front_m = simulator.truth_pose().x_m + 0.533 / 2.0;
        assert!(simulator.collided() && simulator.collisions() > 100);
        assert!(front_m < 4.8 && front_m > 4.75, "{front_m}");
        let back = simulator.robot().command(-0.5, 0.0);
        simulator.step(back, 1.0);
        assert!(!simulator.collided() && simulator.truth_pose().x_m + 0.2665 < 4.4);
    }

    #[test]
    fn skid_and_slip_make_the_wheels_say_more_than_the_robot_did() {
        let robot = RobotModel {
            skid: 1.2,
            slips_per_m: 5.0,
            odometry: OdometryModel::EXACT,
            ..RobotModel::default()
        };
        let mut simulator = Simulator::new(&corridor(), robot, 1);
        simulator.step(DriveCommand { left_mps: -0.3, right_mps: 0.3 }, 1.0);
        assert!((simulator.truth_pose().theta_rad - 2.0 / 1.2).abs() < 1e-9);
        let turned = simulator.truth_pose().theta_rad;
        simulator.step(DriveCommand { left_mps: 0.3, right_mps: -0.3 }, turned * 1.2 / 2.0);
        simulator.step(DriveCommand { left_mps: 0.5, right_mps: 0.5 }, 4.0);
        assert!(simulator.distance_m() < 1.8, "{}", simulator.distance_m());
    }

    #[test]
    fn the_same_seed_gives_the_same_readings_and_another_seed_others() {
        let arena =
            Arena::build(&MazePlan { ramp_share: 0.3, ..MazePlan::default() }.plan().unwrap()).unwrap();
        let run = |seed: u64, levelling: Option<Levelling>| {
            let mut simulator =
                Simulator::new(&arena, RobotModel { levelling, ..RobotModel::default() }, seed);
            let command = simulator.robot().command(0.3, 0.2);
            (0..10).flat_map(|_| simulator.step(command, 0.13).to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(run(3, None), run(3, None));
        assert_eq!(run(3, Some(Levelling::default())), run(3, Some(Levelling::default())));
        assert_ne!(run(3, None), run(4, None));
    }

    #[test]
    fn commands_and_times_that_are_no_numbers_do_nothing() {
        let mut simulator = Simulator::new(&corridor(), ideal(), 1);
        assert!(simulator.step(DriveCommand::STOP, f64::NAN).is_empty());
        assert!(simulator.step(DriveCommand::STOP, -1.0).is_empty());
        let before = simulator.truth_pose();
        simulator.step(DriveCommand { left_mps: f64::NAN, right_mps: f64::INFINITY }, 0.5);
        assert_eq!(simulator.truth_pose(), before);
    }
}
