//! A robot of a client: its questions and commands in, answers and readings out. No sockets, no clock.
//!
//! Places and angles of messages are in the simulator's frame: y and yaw are negated (W-MSG).

use std::sync::Arc;

use formats::usarsim::{
    Frame, Message, ScanDirection, attitude_message, odometry_message, scan_message, sonar_message,
    sonar_setup,
};
use model::{Attitude, Pose2, Pose3, SeededRng, SonarSweep};

use crate::arena::Arena;
use crate::robot::{DriveCommand, RobotModel, collides};
use crate::run::{SensorEvent, Simulator, imu_attitude};
use crate::sensor::{Ins, InsReading, Sonar};
use crate::world::World;

/// What all robots share.
#[derive(Debug)]
pub(super) struct Place {
    pub arena: Arena,
    pub world: World,
    pub robot: RobotModel,
    pub seed: u64,
}

/// Radius of the wheels, by which speeds in radians per second are understood. Ours; GEO tells it.
const WHEEL_RADIUS_M: f64 = 0.1;
/// Time between two STA messages, seconds.
const STATE_EVERY_S: f64 = 1.0;
/// Seconds that a battery lasts: the contest's 20 minutes.
const BATTERY_S: f64 = 1200.0;
/// Stream of the seed.
const INS: u64 = 61;
/// Weight in kilograms and torque, which CONF tells; nothing depends on them.
const MASS_AND_TORQUE: (f64, f64) = (14.0, 60.0);

/// A client's side of the simulation.
pub(super) struct Session {
    place: Arc<Place>,
    /// Number of the robot: another seed for each.
    number: u64,
    /// Seconds of the server's clock at which the robot appeared.
    born_s: f64,
    name: String,
    simulator: Option<Simulator>,
    command: DriveCommand,
    ins: Ins,
    /// Where the robot was at the last reading of the INS, and when.
    last: Pose3,
    last_s: f64,
    ins_rng: SeededRng,
    next_state_s: f64,
}

impl Session {
    pub(super) fn new(place: Arc<Place>, number: u64) -> Self {
        let mut ins_rng = SeededRng::new(place.seed.wrapping_add(number)).stream(INS);
        Self {
            number,
            born_s: 0.0,
            name: String::new(),
            simulator: None,
            command: DriveCommand::STOP,
            ins: Ins::new(place.robot.ins, &mut ins_rng),
            last: Pose3::IDENTITY,
            last_s: 0.0,
            ins_rng,
            next_state_s: 0.0,
            place,
        }
    }

    /// The first line of a connection.
    pub(super) fn greeting(&self) -> Message {
        Message::new("NFO")
            .with("Gametype", "USARSim")
            .with("Level", &self.place.arena.name)
            .with("TimeLimit", 0)
    }

    /// Whether there is a robot.
    pub(super) const fn has_robot(&self) -> bool {
        self.simulator.is_some()
    }

    /// Answers a message; `now_s` is the server's clock. None if its head means nothing here.
    pub(super) fn answer(&mut self, message: &Message, now_s: f64) -> Option<Vec<Message>> {
        match message.head.to_ascii_uppercase().as_str() {
            "INIT" => Some(self.init(message, now_s).into_iter().collect()),
            "GETSTARTPOSES" => Some(vec![self.start_poses()]),
            "GETGEO" => Some(self.geometry(message)),
            "GETCONF" => Some(self.configuration(message)),
            "DRIVE" => Some(self.drive(message).into_iter().collect()),
            "SET" => Some(vec![self.set(message)]),
            _ => None,
        }
    }

    fn start_poses(&self) -> Message {
        let start = Frame::Usarsim.turned(self.place.arena.start);
        let place =
            format!("start Location {},{},0 Orientation 0,0,{}", start.x_m, start.y_m, start.theta_rad);
        Message::new("NFO").with("StartPoses", 1).with("Name", place)
    }

    /// Makes the robot appear; a failure is told, success shows in the readings.
    fn init(&mut self, message: &Message, now_s: f64) -> Option<Message> {
        let name = message.field("Name").unwrap_or("robot").to_owned();
        let start = match message.numbers::<3>("Location") {
            Some([x_m, y_m, _]) => {
                let [_, _, yaw_rad] = message.numbers::<3>("Rotation").unwrap_or_default();
                Frame::Usarsim.turned(Pose2::new(x_m, y_m, yaw_rad))
            }
            None => self.place.arena.start,
        };
        if self.has_robot() || collides(&self.place.world, &self.place.robot, start) {
            return Some(result("Robot", &name, Status::Failed));
        }
        let seed = self.place.seed.wrapping_add(self.number);
        let robot = self.place.robot.clone();
        let simulator = Simulator::at(self.place.world.clone(), start, robot, seed);
        (self.name, self.born_s, self.last) = (name, now_s, simulator.true_pose());
        self.simulator = Some(simulator);
        None
    }

    /// Takes speeds of both sides: radians per second of the wheels, or shares of the largest speed.
    fn drive(&mut self, message: &Message) -> Option<Message> {
        let robot = &self.place.robot;
        let is_normalized = message.field("Normalized").is_some_and(|word| word.eq_ignore_ascii_case("true"));
        let scale = if is_normalized { robot.max_speed_mps } else { WHEEL_RADIUS_M };
        let speed = |key: &str| message.numbers::<1>(key).map(|[value]| value * scale);
        match (speed("Left"), speed("Right"), self.has_robot()) {
            (Some(left_mps), Some(right_mps), true) => {
                let limit = robot.max_speed_mps;
                self.command = DriveCommand {
                    left_mps: left_mps.clamp(-limit, limit),
                    right_mps: right_mps.clamp(-limit, limit),
                };
                None
            }
            // Lights and the like are none of our business.
            (None, None, true) if message.field("Light").is_some() => None,
            _ => Some(result("Drive", &self.name, Status::Failed)),
        }
    }

    /// RESET of odometry and INS; nothing else can be set.
    fn set(&mut self, message: &Message) -> Message {
        let kind = message.field("Type").unwrap_or_default().to_owned();
        let name = message.field("Name").unwrap_or_default().to_owned();
        let is_reset = message.field("Opcode").is_some_and(|word| word.eq_ignore_ascii_case("RESET"));
        let status = match (&mut self.simulator, is_reset, kind.to_ascii_uppercase().as_str()) {
            (Some(simulator), true, "ODOMETRY") => {
                simulator.reset_odometry();
                Status::Ok
            }
            (Some(_), true, "INS") => {
                self.ins.reset();
                Status::Ok
            }
            _ => Status::Failed,
        };
        result(&kind, &name, status)
    }

    fn geometry(&self, message: &Message) -> Vec<Message> {
        let robot = &self.place.robot;
        let mut answers = Vec::new();
        if is_asked(message, "Robot") || is_asked(message, "GroundVehicle") {
            let dimensions = format!("{},{},{}", robot.length_m, robot.width_m, robot.height_m);
            answers.push(
                Message::new("GEO")
                    .with("Type", "GroundVehicle")
                    .with("Name", &self.name)
                    .with("Dimensions", dimensions)
                    .with("COG", "0,0,0")
                    .with("WheelRadius", WHEEL_RADIUS_M)
                    .with("WheelSeparation", robot.track_m)
                    .with("WheelBase", robot.wheel_base_m),
            );
        }
        let mut mounted = |kind: &str, name: &str, mount: Pose3| {
            let is_named = message.field("Name").is_none_or(|wanted| wanted.eq_ignore_ascii_case(name));
            if is_asked(message, kind) && is_named {
                let ([x, y, z], [roll, pitch, yaw]) = (mount.position_m, mount.roll_pitch_yaw());
                // y, z, pitch and yaw turn with the frame: z is down there.
                let place = format!(
                    "{name} Location {x},{},{} Orientation {roll},{},{} Mount HARD",
                    -y, -z, -pitch, -yaw
                );
                answers.push(Message::new("GEO").with("Type", kind).with("Name", place));
            }
        };
        for laser in &robot.lasers {
            mounted("RangeScanner", &laser.name, laser.robot_from_laser);
        }
        for kind in ["Odometry", "INS", "IMU"] {
            mounted(kind, kind, Pose3::IDENTITY);
        }
        answers.extend(self.sonar_setup(message, "GEO"));
        answers
    }

    fn configuration(&self, message: &Message) -> Vec<Message> {
        let robot = &self.place.robot;
        let mut answers = Vec::new();
        if is_asked(message, "Robot") || is_asked(message, "GroundVehicle") {
            answers.push(
                Message::new("CONF")
                    .with("Type", "GroundVehicle")
                    .with("Name", &self.name)
                    .with("SteeringType", "SkidSteered")
                    .with("Mass", MASS_AND_TORQUE.0)
                    .with("MaxSpeed", robot.max_speed_mps / WHEEL_RADIUS_M)
                    .with("MaxTorque", MASS_AND_TORQUE.1),
            );
        }
        if is_asked(message, "RangeScanner") {
            let conf = |laser: &crate::sensor::Laser| {
                Message::new("CONF")
                    .with("Type", "RangeScanner")
                    .with("Name", &laser.name)
                    .with("Resolution", laser.step_rad())
                    .with("FOV", laser.field_of_view_rad)
                    .with("MaxRange", laser.max_range_m)
                    .with("ScanInterval", 1.0 / laser.rate_hz)
            };
            answers.extend(robot.lasers.iter().map(conf));
        }
        for kind in ["Odometry", "INS", "IMU"].into_iter().filter(|kind| is_asked(message, kind)) {
            let interval_s = 1.0 / robot.odometry_hz;
            let conf = Message::new("CONF").with("Type", kind).with("Name", kind);
            answers.push(conf.with("ScanInterval", interval_s));
        }
        answers.extend(self.sonar_setup(message, "CONF"));
        answers
    }

    /// Where the transducers of the sonar ring sit (GEO), or how far and wide they see (CONF).
    fn sonar_setup(&self, message: &Message, head: &str) -> Vec<Message> {
        let Some(sonar) = self.place.robot.sonar.filter(|_| is_asked(message, "Sonar")) else {
            return Vec::new();
        };
        let Sonar { cone_rad, max_range_m, transducers, .. } = sonar;
        let (robot_from_transducers, ranges_m) = (sonar.mounts(), vec![0.0; transducers]);
        let ring = SonarSweep { time_s: 0.0, cone_rad, max_range_m, robot_from_transducers, ranges_m };
        sonar_setup(&ring, Frame::Usarsim).into_iter().filter(|message| message.is(head)).collect()
    }

    /// Lets time pass for the robot and gives the readings of that time.
    pub(super) fn advance(&mut self, dt_s: f64) -> Vec<Message> {
        let Some(simulator) = &mut self.simulator else { return Vec::new() };
        simulator.step(self.command, dt_s);
        let mut messages = Vec::new();
        if simulator.time_s() >= self.next_state_s {
            messages.push(state(self.born_s + self.next_state_s, BATTERY_S - self.next_state_s));
            self.next_state_s += STATE_EVERY_S;
        }
        let mut poses = simulator.true_poses().iter().peekable();
        for event in simulator.events() {
            let time_s = self.born_s + event.time_s();
            match event {
                SensorEvent::Scan { scan, .. } => {
                    let mut message = scan_message(scan, ScanDirection::CounterClockwise);
                    set_time(&mut message, time_s);
                    messages.push(message);
                }
                SensorEvent::Sonar(sweep) => {
                    messages.push(sonar_message(&SonarSweep { time_s, ..sweep.clone() }));
                }
                SensorEvent::Odometry(odometry) => {
                    messages.push(odometry_message(time_s, odometry.odom_from_robot, Frame::Usarsim));
                }
                SensorEvent::Imu { roll_pitch_yaw_rad, .. } => {
                    let attitude = imu_attitude(time_s, *roll_pitch_yaw_rad);
                    messages.push(attitude_message(&attitude, Frame::Usarsim));
                    while poses.next_if(|pose| pose.time_s < event.time_s()).is_some() {}
                    if let Some(pose) = poses.peek() {
                        let now = pose.world_from_robot;
                        let climb_m = now.position_m[2] - self.last.position_m[2];
                        let displacement = self.last.planar().inverse() * now.planar();
                        let ([roll, pitch, _], dt_s) = (now.roll_pitch_yaw(), pose.time_s - self.last_s);
                        (self.last, self.last_s) = (now, pose.time_s);
                        let rng = &mut self.ins_rng;
                        messages.push(ins(&self.ins.step(displacement, climb_m, [roll, pitch], dt_s, rng)));
                    }
                }
                SensorEvent::Mount(attitude) => {
                    let attitude = Attitude { time_s, ..attitude.clone() };
                    messages.push(attitude_message(&attitude, Frame::Usarsim));
                }
                SensorEvent::Accelerometer { .. } => {}
            }
        }
        messages
    }
}

/// Whether a question names a type, or names none and so asks for all.
fn is_asked(message: &Message, kind: &str) -> bool {
    message.field("Type").is_none_or(|wanted| wanted.eq_ignore_ascii_case(kind))
}

/// How a command went.
#[derive(Clone, Copy)]
enum Status {
    Ok,
    Failed,
}

fn result(kind: &str, name: &str, status: Status) -> Message {
    let word = match status {
        Status::Ok => "OK",
        Status::Failed => "Failed",
    };
    Message::new("RES").with("Type", kind).with("Name", name).with("Status", word)
}

fn state(time_s: f64, battery_s: f64) -> Message {
    Message::new("STA")
        .with("Type", "GroundVehicle")
        .with("Time", time_s)
        .with("FrontSteer", 0)
        .with("RearSteer", 0)
        .with("LightToggle", "False")
        .with("LightIntensity", 0)
        .with("Battery", battery_s.max(0.0).round())
        .with("View", -1)
}

/// INS lines carry no time by default.
fn ins(reading: &InsReading) -> Message {
    let [roll, pitch] = reading.roll_pitch_rad;
    let Pose2 { x_m, y_m, theta_rad } = Frame::Usarsim.turned(reading.start_from_robot);
    Message::new("SEN")
        .with("Type", "INS")
        .with("Name", "INS")
        .with("Location", format!("{x_m},{y_m},{}", 0.0 - reading.height_m))
        .with("Orientation", format!("{roll},{},{theta_rad}", 0.0 - pitch))
}

fn set_time(message: &mut Message, time_s: f64) {
    if let Some(segment) = message.segments.iter_mut().find(|segment| segment.key == "Time") {
        segment.value = time_s.to_string();
    }
}
