//! Faults that are put into a log: what goes wrong on robots, at seeded times.

use ::mapper::{OdometrySource, Scan};
use model::{Pose2, SeededRng};

/// Stream of the seed for the times and signs of faults.
const FAULTS: u64 = 71;
/// Times at which wheels slip.
const SLIPS: usize = 3;
/// Scans over which one slip spreads: half a second at 6 Hz.
const SLIP_SCANS: usize = 3;

/// What is wrong with a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    Nothing,
    /// The first scans are missing.
    Dropped(usize),
    EverySecondScan,
    EverySecondBeam,
    /// At three times the odometry reports so many degrees less, or more, than the robot turned.
    Slip(f64),
    /// At one time the odometry of a scan is that of the scan before.
    MissingLine,
    NoOdometry,
}

/// All of them, in the order of the table.
pub const FAULTS_OF_A_LOG: [Fault; 9] = [
    Fault::Nothing,
    Fault::Dropped(5),
    Fault::Dropped(50),
    Fault::EverySecondScan,
    Fault::EverySecondBeam,
    Fault::Slip(5.0),
    Fault::Slip(10.0),
    Fault::MissingLine,
    Fault::NoOdometry,
];

/// A scan with its odometry and the pose it is compared with.
#[derive(Clone, Debug)]
pub struct Sample {
    pub scan: Scan,
    pub odom_from_robot: Pose2,
    pub truth: Pose2,
}

impl Fault {
    /// Whether the seed changes what happens.
    pub const fn is_random(self) -> bool {
        matches!(self, Self::Slip(_) | Self::MissingLine)
    }

    /// A log with this fault, and where its odometry comes from then.
    pub fn put_into(self, samples: &[Sample], seed: u64) -> (Vec<Sample>, OdometrySource) {
        let mut rng = SeededRng::new(seed).stream(FAULTS);
        let mut with = samples.to_vec();
        match self {
            Self::Nothing => {}
            Self::Dropped(count) => with = samples.iter().skip(count).cloned().collect(),
            Self::EverySecondScan => with = samples.iter().step_by(2).cloned().collect(),
            Self::EverySecondBeam => with.iter_mut().for_each(|sample| every_second(&mut sample.scan)),
            Self::Slip(degrees) => {
                for _ in 0..SLIPS {
                    let at = turning(samples, &mut rng);
                    let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
                    slip(&mut with, at, sign * degrees.to_radians());
                }
            }
            Self::MissingLine => {
                let at = 1 + rng.below(samples.len().saturating_sub(1));
                if let (Some(before), true) = (samples.get(at - 1), at < with.len()) {
                    with[at].odom_from_robot = before.odom_from_robot;
                }
            }
            Self::NoOdometry => {}
        }
        let source = if self == Self::NoOdometry { OdometrySource::None } else { OdometrySource::Scans };
        (with, source)
    }
}

/// A time at which the robot turns, drawn from all scans; wheels that stand do not slip.
fn turning(samples: &[Sample], rng: &mut SeededRng) -> usize {
    const TRIES: usize = 200;
    let mut at = 1;
    for _ in 0..TRIES {
        at = 1 + rng.below(samples.len().saturating_sub(1 + SLIP_SCANS));
        let (Some(before), Some(now)) = (samples.get(at - 1), samples.get(at)) else { break };
        let moved = before.odom_from_robot.inverse() * now.odom_from_robot;
        if moved.theta_rad.abs() > 0.02 {
            break;
        }
    }
    at
}

/// From here on the odometry is turned, in equal parts over some scans.
fn slip(samples: &mut [Sample], at: usize, angle_rad: f64) {
    for part in 0..SLIP_SCANS {
        let (Some(before), true) = (at.checked_sub(1).map(|b| b + part), at + part < samples.len()) else {
            return;
        };
        let pivot = samples[before].odom_from_robot;
        let turned = pivot * Pose2::new(0.0, 0.0, angle_rad / SLIP_SCANS as f64) * pivot.inverse();
        for sample in &mut samples[at + part..] {
            sample.odom_from_robot = turned * sample.odom_from_robot;
        }
    }
}

fn every_second(scan: &mut Scan) {
    scan.hits_in_robot = scan.hits_in_robot.iter().step_by(2).copied().collect();
    scan.misses_in_robot = scan.misses_in_robot.iter().step_by(2).copied().collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Vec<Sample> {
        let sample = |k: u32| Sample {
            scan: Scan { time_s: f64::from(k), ..Scan::default() },
            odom_from_robot: Pose2::new(f64::from(k), 0.0, 0.1 * f64::from(k)),
            truth: Pose2::IDENTITY,
        };
        (0..40).map(sample).collect()
    }

    #[test]
    fn a_slip_turns_all_that_follows_by_its_angle_and_moves_nothing_before() {
        let mut with = line();
        slip(&mut with, 10, 0.3);
        assert_eq!(with[9].odom_from_robot, line()[9].odom_from_robot);
        let step = |samples: &[Sample], at: usize| {
            (samples[at - 1].odom_from_robot.inverse() * samples[at].odom_from_robot).theta_rad
        };
        for at in 1..40 {
            let expected = if (10..13).contains(&at) { 0.2 } else { 0.1 };
            assert!((step(&with, at) - expected).abs() < 1e-9, "{at}");
        }
    }

    #[test]
    fn faults_leave_out_what_they_say() {
        let count = |fault: Fault| fault.put_into(&line(), 1).0.len();
        assert_eq!((count(Fault::Dropped(5)), count(Fault::EverySecondScan)), (35, 20));
        assert_eq!(Fault::NoOdometry.put_into(&line(), 1).1, OdometrySource::None);
        let stale = Fault::MissingLine.put_into(&line(), 3).0;
        let changed = stale.iter().zip(line()).filter(|(a, b)| a.odom_from_robot != b.odom_from_robot);
        assert_eq!(changed.count(), 1);
    }
}
