//! Message logs of USARSim (W-LOG): one message per line (`message.rs`), with an optional time of reception `@123.456 `
//! in front.
//!
//! A line without a time has that of the last timed line; before the first one, that of the first. Where no message
//! tells a time, the times of reception count. Frame: y and yaw change their signs, unless an option changes that.
//! INS is odometry where the log has no other; GroundTruth is the true pose; IMU with an orientation is an attitude of
//! the robot, or of the scanner whose name it has; sonar is placed by GEO messages (`sonar.rs`). Broken lines are left out and counted,
//! up to a share of 1 %.

mod line;
mod live;
mod message;
mod sensor;
mod sonar;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use model::{Attitude, Finding, LaserScan, Level, LogRecord, Odometry, Pose2, SensorLog, SonarSweep};

pub use line::{LogLine, MessageLog, read_message_log, read_message_log_bytes};
pub use live::{LiveCounts, LiveReader};
pub use message::{MAX_LINE_BYTES, Message, MessageError, Segment};
pub use sensor::{
    DEFAULT_MAX_BAD_SHARE, Frame, ScanDirection, attitude_message, beam_count, odometry_message,
    pose_message, scan_message, scanner_configuration,
};
pub use sonar::{sonar_message, sonar_setup};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::log::beam_guess;
use crate::log::carmen::{count_skipped, skipped_finding, stamps_of};
use crate::log::usarsim::line::{LineTimes, split_reception};
use crate::log::usarsim::sensor::{Measured, measured};
use crate::log::usarsim::sonar::SonarSetup;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "usarsim", title: "USARSim message log", sniff, reader: Reader::Content(read) };

/// Heads by which a log is recognised.
const HEADS: [&str; 9] = ["SEN", "STA", "NFO", "GEO", "CONF", "RES", "MISSTA", "EFF", "INIT"];

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let mut lines = without_byte_order_mark(bytes).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    let (_, text) = split_reception(first);
    let head = text.split(|byte| *byte == b'{').next().unwrap_or_default().trim_ascii();
    let has_segment = text.contains(&b'{');
    let is_ours = has_segment && HEADS.iter().any(|known| head.eq_ignore_ascii_case(known.as_bytes()));
    if is_ours { Sniff::ByBytes } else { by_name(name, &[".usar", ".usarsim"]) }
}

/// A log that is being read.
#[derive(Default)]
struct Reading {
    measured: Vec<Measured>,
    times: LineTimes,
    max_ranges_m: BTreeMap<String, f64>,
    sonar: SonarSetup,
    skipped: Vec<(String, usize)>,
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut reading = Reading::default();
    let mut faults = RowFaults::allowing(options.bad_rows);
    let (mut lines, mut bad) = (0_usize, 0_usize);
    each_line(&mut input.source, |number, line| {
        let (received_s, text) = split_reception(line.trim_ascii());
        if text.is_empty() {
            return Ok(());
        }
        lines += 1;
        if let Err(expected) = reading.take(received_s, text, options) {
            bad += 1;
            faults.add("RECORD_DAMAGED", number, &expected, text);
        }
        Ok(())
    })?;
    let file = input.source.name();
    let kept = reading.measured.iter().filter(|found| !matches!(found, Measured::Attitude(_))).count();
    let findings = faults.findings(file, kept, "message of a scanner or of odometry")?;
    check_bad_share(file, bad, lines, options)?;
    reading.finish(file, findings, options)
}

/// Refuses a log with too large a share of broken lines.
fn check_bad_share(file: &str, bad: usize, lines: usize, options: &ReadOptions) -> Result<(), ReadError> {
    let share = options.max_bad_share.unwrap_or(DEFAULT_MAX_BAD_SHARE);
    if bad as f64 <= share * lines as f64 {
        return Ok(());
    }
    let expected = format!("at most {} % broken lines", 100.0 * share);
    let error = ReadError::malformed(file, Place::File, expected, format!("{bad} of {lines}"));
    Err(error.with_hint("repair the log, or allow more with the option max_bad_share"))
}

impl Reading {
    /// Takes a line; the error is what was expected.
    fn take(&mut self, received_s: Option<f64>, text: &[u8], options: &ReadOptions) -> Result<(), String> {
        let message = Message::parse(text).map_err(|error| error.to_string())?;
        let own_s = message.time_s().map_err(|error| error.to_string())?;
        if self.sonar.take(&message, options.usarsim_frame) {
            self.times.pass(own_s);
            return Ok(());
        }
        match measured(&message, options)? {
            Measured::MaxRange { sensor, max_range_m } => {
                self.times.pass(own_s);
                self.max_ranges_m.insert(sensor, max_range_m);
            }
            Measured::Other(name) => {
                self.times.pass(own_s);
                count_skipped(&mut self.skipped, name.as_bytes());
            }
            found => {
                self.times.push(own_s, received_s);
                self.measured.push(found);
            }
        }
        Ok(())
    }

    fn finish(
        mut self,
        file: &str,
        mut findings: Vec<Finding>,
        options: &ReadOptions,
    ) -> Result<ReadContent, ReadError> {
        let times_s = std::mem::take(&mut self.times).settle().ok_or_else(|| {
            let error = ReadError::malformed(file, Place::File, "a message with {Time ..}", "none");
            error.with_hint("record the log with times of reception")
        })?;
        let has_odometry = self.measured.iter().any(|found| matches!(found, Measured::Odometry(_)));
        let mut log = SensorLog { records: Vec::with_capacity(times_s.len()), skipped: self.skipped };
        let mut inertial = 0_usize;
        for (found, time_s) in self.measured.into_iter().zip(times_s) {
            match found {
                Measured::Scan(scan) => log.records.push(LogRecord::Scan(LaserScan { time_s, ..scan })),
                Measured::Odometry(pose) => log.records.push(odometry(time_s, pose)),
                Measured::Inertial(_) if has_odometry => count_skipped(&mut log.skipped, b"SEN/INS"),
                Measured::Inertial(pose) => {
                    inertial += 1;
                    log.records.push(odometry(time_s, pose));
                }
                Measured::Sonar(ranges) => match self.sonar.sweep(&ranges, options.max_range_m) {
                    Some(sweep) => log.records.push(LogRecord::Sonar(SonarSweep { time_s, ..sweep })),
                    None => count_skipped(&mut log.skipped, b"SEN/Sonar"),
                },
                Measured::Attitude(attitude) => {
                    log.records.push(LogRecord::Attitude(Attitude { time_s, ..attitude }));
                }
                Measured::TruePose(world_from_robot) => {
                    log.records.push(LogRecord::TruePose { time_s, world_from_robot });
                }
                Measured::MaxRange { .. } | Measured::Other(_) => {}
            }
        }
        if inertial > 0 {
            let message = format!("{inertial} INS poses were taken as odometry, since the log has no other");
            findings.push(Finding::new(Level::Info, "ODOMETRY_FROM_INS", message));
        }
        findings.extend(skipped_finding(&log.skipped));
        let mut scans = beam_guess::scans_of(&mut log);
        settle_max_ranges(&mut scans, &self.max_ranges_m, options);
        findings.extend(beam_guess::settle(scans, options));
        findings.extend(stamps_of(&log));
        Ok(ReadContent { content: Content::Log(log), findings })
    }
}

fn odometry(time_s: f64, odom_from_robot: Pose2) -> LogRecord {
    LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None })
}

/// Ranges from here on are no returns, where the range of a sensor is not stated.
const USUAL_MAX_RANGE_M: f64 = 80.0;
/// Share of all ranges of a sensor from which on its largest one is the "no return" of the simulator, which writes
/// exactly the largest range then. Ours: a wall is hardly ever met at exactly the same largest distance so often.
const MISS_SHARE: f64 = 0.001;

/// Gives each sensor its largest range: that of the options, else of its CONF message, else the largest one seen if
/// it is frequent, else 80 m.
fn settle_max_ranges(scans: &mut [&mut LaserScan], stated_m: &BTreeMap<String, f64>, options: &ReadOptions) {
    // Largest range of a sensor, how often it occurs, and how many ranges there are.
    let mut largest: BTreeMap<String, (f32, usize, usize)> = BTreeMap::new();
    for scan in scans.iter() {
        let entry = largest.entry(scan.sensor.clone()).or_insert((0.0, 0, 0));
        for &range_m in scan.ranges_m.iter().filter(|range_m| range_m.is_finite()) {
            if range_m > entry.0 {
                (entry.0, entry.1) = (range_m, 0);
            }
            entry.1 += usize::from(range_m == entry.0);
            entry.2 += 1;
        }
    }
    let seen_m = |sensor: &str| match largest.get(sensor) {
        Some(&(range_m, misses, all)) if misses > 1 && misses as f64 >= MISS_SHARE * all as f64 => {
            f64::from(range_m)
        }
        Some(&(range_m, ..)) => USUAL_MAX_RANGE_M.max(f64::from(range_m) + 1.0),
        None => USUAL_MAX_RANGE_M,
    };
    for scan in scans.iter_mut().filter(|scan| !scan.beams.is_guessed) {
        let stated_m = options.max_range_m.or_else(|| stated_m.get(&scan.sensor).copied());
        scan.beams.max_range_m = stated_m.unwrap_or_else(|| seen_m(&scan.sensor));
    }
}

/// A log as messages with CR LF at the end of each line, with the digits that give back the same numbers.
///
/// First comes the configuration of each scanner. Poses and remissions of scans and speeds of odometry have no place.
#[must_use]
pub fn write(log: &SensorLog, frame: Frame, direction: ScanDirection) -> String {
    let mut text = String::new();
    let mut line = |message: &Message| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{message}\r\n");
    };
    let mut known = BTreeSet::new();
    for scan in log.scans().filter(|scan| known.insert(&scan.sensor)) {
        line(&scanner_configuration(scan));
    }
    log.sonar().take(1).flat_map(|sweep| sonar_setup(sweep, frame)).for_each(|message| line(&message));
    for record in &log.records {
        line(&match record {
            LogRecord::Scan(scan) => scan_message(scan, direction),
            LogRecord::Sonar(sweep) => sonar_message(sweep),
            LogRecord::Odometry(odometry) => {
                odometry_message(odometry.time_s, odometry.odom_from_robot, frame)
            }
            LogRecord::Attitude(attitude) => attitude_message(attitude, frame),
            LogRecord::TruePose { time_s, world_from_robot } => {
                pose_message("GroundTruth", *time_s, *world_from_robot, frame)
            }
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use model::BeamModel;
    use proptest::prelude::*;

    use super::*;
    use crate::log::carmen::tests::log;
    use crate::trajectory::tum::tests::{codes, document};

    const SCAN: &str = "SEN {Time 45.14} {Type RangeScanner} {Name Scanner1} {Resolution 0.0174} {FOV 3.1415} {Range 2.1951,2.1962,2.1956}";
    const ODOMETRY: &str = "SEN {Type Odometry} {Name Odometry} {Pose 0.4265,0.1643,0.9105}";

    #[test]
    fn lines_without_a_time_take_the_last_and_the_early_ones_the_first() {
        let text = format!(
            "{ODOMETRY}\r\n{SCAN}\r\n{ODOMETRY}\r\nSTA {{Time 50}} {{Battery 1200}}\r\n{ODOMETRY}\r\n"
        );
        let found = log("run.log", &text);
        let times: Vec<f64> = found.records.iter().map(LogRecord::time_s).collect();
        assert_eq!(times, [45.14, 45.14, 45.14, 50.0]);
        assert_eq!(found.skipped, [("STA".to_owned(), 1)]);
        let scan = found.scans().next().unwrap();
        assert_eq!(
            (scan.ranges_m.len(), scan.sensor.as_str(), scan.beams.max_range_m),
            (3, "Scanner1", 80.0)
        );
    }

    #[test]
    fn times_of_reception_count_where_there_is_no_other() {
        let found = log("run.log", &format!("@12.5 {ODOMETRY}\n@13.5 {ODOMETRY}\n{ODOMETRY}\n"));
        let times: Vec<f64> = found.records.iter().map(LogRecord::time_s).collect();
        assert_eq!(times, [12.5, 13.5, 13.5]);
        let timed = log("run.log", &format!("@12.5 {ODOMETRY}\n@13.5 {SCAN}\n"));
        assert!(timed.records.iter().all(|record| record.time_s() == 45.14));
        let error = document("run.usar", ODOMETRY).unwrap_err();
        assert!(error.to_string().contains("{Time ..}"), "{error}");
    }

    #[test]
    fn broken_lines_are_named_and_more_than_one_percent_refused() {
        let bad = "SEN {Time 1} {Type Odometry} {Pose 1,2";
        let with = |good: usize| format!("{SCAN}\n{bad}\n{}", format!("{ODOMETRY}\n").repeat(good - 1));
        let read = document("run.usar", &with(99)).unwrap();
        assert_eq!(codes(&read)[0], ("RECORD_DAMAGED", Some(2)));
        let error = document("run.usar", &with(98)).unwrap_err();
        assert_eq!(error.to_string(), "run.usar: file: expected at most 1 % broken lines, found 1 of 99");
    }

    #[test]
    fn ins_is_odometry_only_without_other() {
        let ins = "SEN {Time 1} {Type INS} {Name INS} {Location 1,2,3} {Orientation 0,0,0.5}\n";
        let alone = document("run.log", ins).unwrap();
        assert_eq!(codes(&alone)[0].0, "ODOMETRY_FROM_INS");
        assert_eq!(
            log("run.log", ins).odometry().next().unwrap().odom_from_robot,
            Pose2::new(1.0, -2.0, -0.5)
        );
        let both = log("run.log", &format!("{ins}{ODOMETRY}\n"));
        assert_eq!((both.odometry().count(), both.skipped[0].0.as_str()), (1, "SEN/INS"));
    }

    #[test]
    fn the_largest_range_is_stated_or_frequent() {
        let scan = |range: &str| {
            format!("SEN {{Time 1}} {{Type RangeScanner}} {{Name S}} {{FOV 2}} {{Range {range}}}\n")
        };
        let max_range_m = |text: &str| log("run.log", text).scans().next().unwrap().beams.max_range_m;
        assert_eq!(max_range_m(&scan("1,4,4,2")), 4.0);
        assert_eq!(max_range_m(&scan("1,4,3,2")), 80.0);
        let stated = format!("CONF {{Type RangeScanner}} {{Name S}} {{MaxRange 5.6}}\n{}", scan("1,4,4,2"));
        assert_eq!(max_range_m(&stated), 5.6);
    }

    #[test]
    fn other_texts_are_not_ours() {
        for text in ["SEN 1 2 3", "lorem {a b}", "{\"SEN\": 1}"] {
            assert_eq!(sniff(text.as_bytes(), "f.txt"), Sniff::No, "{text}");
        }
        assert_eq!(sniff(b"@1.5 sta {Time 1}", "f"), Sniff::ByBytes);
    }

    fn any_record() -> impl Strategy<Value = LogRecord> {
        let pose = || (-1e4_f64..1e4, -1e4_f64..1e4, -3_f64..3.0).prop_map(|(x, y, t)| Pose2::new(x, y, t));
        let scan = (0_f64..1e6, prop::collection::vec(0_f32..20.0, 2..9), 1_u32..64);
        let scan = scan.prop_map(|(time_s, ranges_m, sixteenths)| {
            // Angles that doubles halve and multiply exactly.
            let step_rad = f64::from(sixteenths) / 256.0;
            let first_rad = -step_rad * (ranges_m.len() - 1) as f64 / 2.0;
            let beams = BeamModel { first_rad, step_rad, max_range_m: 20.0, is_guessed: false };
            let sensor = "Scanner1".to_owned();
            let (remissions, world_from_laser, world_from_robot) = (Vec::new(), None, None);
            LogRecord::Scan(LaserScan {
                time_s,
                beams,
                ranges_m,
                remissions,
                world_from_laser,
                world_from_robot,
                sensor,
            })
        });
        let odometry = (0_f64..1e6, pose()).prop_map(|(time_s, pose)| odometry(time_s, pose));
        let truth = (0_f64..1e6, pose())
            .prop_map(|(time_s, world_from_robot)| LogRecord::TruePose { time_s, world_from_robot });
        let attitude = (0_f64..1e6, [-1_f64..1.0, -1_f64..1.0, -3_f64..3.0]).prop_map(|(time_s, angles)| {
            LogRecord::Attitude(Attitude { time_s, sensor: "IMU".to_owned(), roll_pitch_yaw_rad: angles })
        });
        prop_oneof![scan, odometry, truth, attitude]
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(records in prop::collection::vec(any_record(), 1..12)) {
            // A log of attitudes alone is refused.
            let mut records = records;
            records.push(odometry(1.0, Pose2::IDENTITY));
            let written = SensorLog { records, skipped: Vec::new() };
            prop_assert_eq!(log("run.usar", &write(&written, Frame::default(), ScanDirection::default())), written);
        }
    }
}
