//! CARMEN logs: one record per line, `NAME fields ipc_timestamp ipc_hostname logger_timestamp`.
//!
//! Format: <https://carmen.sourceforge.net/>, `log_io`. `#` begins a comment; `PARAM`, `SYNC` and unknown names are
//! skipped and counted. The time of a record is its ipc stamp, the third field from the end. FLASER, RLASER and
//! LASER do not say where their beams point: see `beam_guess`. Laser 1 to 5 of RAWLASER and ROBOTLASER is the
//! sensor's name; FLASER is `front`, RLASER `rear`. SONAR has the opening of the cone, the ranges and the mounts of a
//! ring, not how far it sees: see `sonar_range`.

mod record;

use std::collections::BTreeMap;
use std::fmt::Write;

use model::{Finding, LaserScan, Level, LogRecord, Pose2, SensorLog, SonarSweep};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::log::beam_guess;
use crate::log::carmen::record::{NoRecord, parse};
use crate::log::sonar_range;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "carmen", title: "CARMEN log", sniff, reader: Reader::Content(read) };

/// Names of skipped records that are told apart.
const MAX_NAMES: usize = 100;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let lines = || without_byte_order_mark(bytes).split(|byte| *byte == b'\n');
    // GMapping's particle logs begin with the parameters of CARMEN.
    let telling = match lines().any(|line| line.starts_with(b"PARAM ")) {
        true => Some(!lines().any(is_of_particles)),
        false => lines().find_map(is_ours),
    };
    if telling == Some(true) { Sniff::ByBytes } else { by_name(name, &[".clf", ".carmen"]) }
}

/// Whether a line belongs to a CARMEN log; none if it does not tell.
fn is_ours(line: &[u8]) -> Option<bool> {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let name = fields.next()?;
    match name {
        // GMapping's particle logs have records of the same name with 5 fields.
        b"ODOM" => Some(fields.count() == 9),
        b"TRUEPOS" => Some(fields.count() == 9),
        b"FLASER" | b"RLASER" | b"LASER" | b"SONAR" => Some(fields.count() >= 4),
        b"SYNC" | b"NEFF" => None,
        _ if name[0] == b'#' => None,
        _ => match name.split_last() {
            Some((b'1'..=b'5', b"RAWLASER" | b"ROBOTLASER")) => Some(true),
            // Records of other sensors may come first.
            _ if name.iter().all(u8::is_ascii_uppercase) => None,
            _ => Some(false),
        },
    }
}

/// Whether a line is a record of GMapping's particle logs.
fn is_of_particles(line: &[u8]) -> bool {
    let names = [&b"LASER_READING "[..], b"SM_UPDATE ", b"ODO_UPDATE "];
    names.iter().any(|name| line.starts_with(name))
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut log = SensorLog::default();
    let mut faults = RowFaults::allowing(options.bad_rows);
    each_line(&mut input.source, |line, text| {
        let text = text.trim_ascii();
        if text.is_empty() || text[0] == b'#' {
            return Ok(());
        }
        match parse(text) {
            Ok(record) => log.records.push(record),
            Err(NoRecord::Damaged(expected)) => faults.add("RECORD_DAMAGED", line, expected, text),
            Err(NoRecord::Skipped) => count_skipped(&mut log.skipped, text),
        }
        Ok(())
    })?;
    let mut findings =
        faults.findings(input.source.name(), log.records.len(), "record of a laser or of odometry")?;
    findings.extend(skipped_finding(&log.skipped));
    findings.extend(beam_guess::settle(beam_guess::scans_of(&mut log), options));
    sonar_range::settle(&mut log, options);
    findings.extend(stamps_of(&log));
    Ok(ReadContent { content: Content::Log(log), findings })
}

/// Counts a record by its name.
pub(crate) fn count_skipped(skipped: &mut Vec<(String, usize)>, line: &[u8]) {
    const NAME_BYTES: usize = 24;
    let name = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let name = name[..name.len().min(NAME_BYTES)].escape_ascii().to_string();
    if let Some((_, count)) = skipped.iter_mut().find(|(known, _)| *known == name) {
        *count += 1;
    } else if skipped.len() < MAX_NAMES {
        skipped.push((name, 1));
    } else if let Some((last, count)) = skipped.last_mut() {
        "others".clone_into(last);
        *count += 1;
    }
}

/// What is said about records that were skipped.
pub(crate) fn skipped_finding(skipped: &[(String, usize)]) -> Option<Finding> {
    let names: Vec<String> = skipped.iter().take(10).map(|(name, count)| format!("{count} {name}")).collect();
    let more = if skipped.len() > names.len() { " and others" } else { "" };
    let message = format!("records that are not needed were skipped: {}{more}", names.join(", "));
    (!skipped.is_empty()).then(|| Finding::new(Level::Info, "RECORDS_SKIPPED", message))
}

/// What is odd about the stamps of scans, or of odometry where there is no scan.
///
/// Odometry between scans often repeats the stamp of the scan; that alone destroys nothing. Two scanners that scan at the
/// same time destroy nothing either: each is looked at alone.
pub(crate) fn stamps_of(log: &SensorLog) -> Vec<Finding> {
    let mut of_sensors: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for scan in log.scans() {
        of_sensors.entry(&scan.sensor).or_default().push(scan.time_s);
    }
    if !of_sensors.is_empty() {
        let has_one = of_sensors.len() == 1;
        let what =
            |sensor: &str| if has_one { "scans".to_owned() } else { format!("scans of laser '{sensor}'") };
        let diagnose =
            |(sensor, times_s): (&str, Vec<f64>)| stamps::diagnose(times_s.into_iter(), &what(sensor));
        return of_sensors.into_iter().flat_map(diagnose).collect();
    }
    let of_odometry: Vec<f64> = log.odometry().map(|odometry| odometry.time_s).collect();
    stamps::diagnose(of_odometry.into_iter(), "odometry readings")
}

/// A log as CARMEN text, with the digits that give back the same numbers.
///
/// Scans with guessed beams become FLASER, RLASER or LASER, the others ROBOTLASER or, without poses, RAWLASER.
/// Where one of the two poses is missing, the other stands for both; an unknown speed becomes 0. TRUEPOS gets
/// zeros for its odometry, which the model does not keep. Attitudes have no place. Scanners that have a name and no number
/// are numbered in the order in which they come.
#[must_use]
pub fn write(log: &SensorLog) -> String {
    let mut text = String::from(
        "# message formats defined: PARAM SYNC ODOM FLASER RLASER LASER TRUEPOS RAWLASER ROBOTLASER SONAR\n",
    );
    let numbers = laser_numbers(log);
    for record in &log.records {
        match record {
            LogRecord::Attitude(_) => continue,
            LogRecord::Scan(scan) => {
                let number = numbers.get(scan.sensor.as_str()).copied().unwrap_or(MAX_LASER);
                write_scan(&mut text, scan, number);
            }
            LogRecord::Sonar(sweep) => write_sonar(&mut text, sweep),
            LogRecord::Odometry(odometry) => {
                text.push_str("ODOM");
                write_pose(&mut text, odometry.odom_from_robot);
                let speeds =
                    [odometry.speed_mps.unwrap_or(0.0), odometry.turn_rate_radps.unwrap_or(0.0), 0.0];
                write_numbers(&mut text, &speeds);
            }
            LogRecord::TruePose { world_from_robot, .. } => {
                text.push_str("TRUEPOS");
                write_pose(&mut text, *world_from_robot);
                write_numbers(&mut text, &[0.0; 3]);
            }
        }
        // Writing into a string cannot fail.
        let _ = writeln!(text, " {0:?} nohost {0:?}", record.time_s());
    }
    text
}

/// RAWLASER and ROBOTLASER go from 1 to this.
const MAX_LASER: u8 = 5;

/// The number of each scanner: its own where its name is one, else the lowest that is free; the last for all beyond.
fn laser_numbers(log: &SensorLog) -> BTreeMap<&str, u8> {
    let own = |sensor: &str| sensor.parse().ok().filter(|number| (1..=MAX_LASER).contains(number));
    let stated = || log.scans().filter(|scan| !scan.beams.is_guessed).map(|scan| scan.sensor.as_str());
    let mut numbers: BTreeMap<&str, u8> =
        stated().filter_map(|sensor| Some((sensor, own(sensor)?))).collect();
    for sensor in stated() {
        if !numbers.contains_key(sensor) {
            let is_free = |number: &u8| numbers.values().all(|taken| taken != number);
            let number = (1..=MAX_LASER).find(is_free).unwrap_or(MAX_LASER);
            numbers.insert(sensor, number);
        }
    }
    numbers
}

fn write_scan(text: &mut String, scan: &LaserScan, number: u8) {
    let poses = match (scan.world_from_laser, scan.world_from_robot) {
        (Some(laser), Some(robot)) => Some([laser, robot]),
        (Some(pose), None) | (None, Some(pose)) => Some([pose; 2]),
        (None, None) => None,
    };
    let name = match (scan.beams.is_guessed, poses.is_some()) {
        (true, true) if scan.sensor == "rear" => "RLASER".to_owned(),
        (true, true) => "FLASER".to_owned(),
        (true, false) => "LASER".to_owned(),
        (false, true) => format!("ROBOTLASER{number}"),
        (false, false) => format!("RAWLASER{number}"),
    };
    text.push_str(&name);
    if !scan.beams.is_guessed {
        let field_of_view_rad = scan.beams.step_rad * scan.ranges_m.len().saturating_sub(1) as f64;
        let settings = [
            0.0,
            scan.beams.first_rad,
            field_of_view_rad,
            scan.beams.step_rad,
            scan.beams.max_range_m,
            0.0,
            0.0,
        ];
        write_numbers(text, &settings);
    }
    write_list(text, &scan.ranges_m);
    if !scan.beams.is_guessed {
        write_list(text, &scan.remissions);
    }
    for pose in poses.into_iter().flatten() {
        write_pose(text, pose);
    }
    if !scan.beams.is_guessed && poses.is_some() {
        write_numbers(text, &[0.0; 5]);
    }
}

fn write_sonar(text: &mut String, sweep: &SonarSweep) {
    text.push_str("SONAR");
    write_numbers(text, &[sweep.cone_rad]);
    let count = sweep.ranges_m.len().min(sweep.robot_from_transducers.len());
    write_list(text, &sweep.ranges_m[..count]);
    sweep.robot_from_transducers.iter().take(count).for_each(|mount| write_pose(text, *mount));
}

fn write_pose(text: &mut String, pose: Pose2) {
    write_numbers(text, &[pose.x_m, pose.y_m, pose.theta_rad]);
}

fn write_numbers(text: &mut String, numbers: &[f64]) {
    for number in numbers {
        let _ = write!(text, " {number:?}");
    }
}

fn write_list(text: &mut String, values: &[f32]) {
    let _ = write!(text, " {}", values.len());
    for value in values {
        let _ = write!(text, " {value:?}");
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use model::{BeamModel, Odometry};
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{codes, document};

    /// The log of a text.
    pub fn log(name: &str, text: &str) -> SensorLog {
        match document(name, text).unwrap().content {
            Content::Log(log) => log,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_record_of_the_format_is_read() {
        let text = "# comment\nPARAM robot_length 30\nSYNC tag\nNMEAGGA 1 2\n\
                    ODOM 1 2 0.5 0.1 0.2 0 10.5 host 10.6\n\
                    FLASER 3 1.5 81.91 2 0 0 0.25 1 2 0.5 11.5 host 11.6\n\
                    RLASER 1 4 0 0 0 1 2 0.5 12.5 host 1\n\
                    LASER 2 1 2 13.5 host 1\n\
                    RAWLASER2 0 -1.57 3.14 1.57 30 0.01 0 3 1 2 3 2 7 8 14.5 host 1\n\
                    ROBOTLASER1 0 -1.57 3.14 1.57 30 0.01 0 3 1 2 3 0 4 5 0.5 1 2 0.25 0.1 0.2 0.3 0.4 0.5 15.5 h 1\n\
                    TRUEPOS 7 8 0.5 1 2 3 16.5 host 1\n";
        let document = document("run.log", text).unwrap();
        let Content::Log(found) = &document.content else { panic!() };
        let times: Vec<f64> = found.records.iter().map(LogRecord::time_s).collect();
        assert_eq!(times, [10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5]);
        assert_eq!(found.skipped, [("PARAM".into(), 1), ("SYNC".into(), 1), ("NMEAGGA".into(), 1)]);
        let scans: Vec<_> = found.scans().collect();
        let summary = |scan: &LaserScan| (scan.sensor.clone(), scan.ranges_m.len(), scan.beams.is_guessed);
        let summaries: Vec<_> = scans.iter().map(|scan| summary(scan)).collect();
        let expected =
            [("front", 3, true), ("rear", 1, true), ("", 2, true), ("2", 3, false), ("1", 3, false)];
        assert_eq!(summaries, expected.map(|(sensor, beams, guessed)| (sensor.to_owned(), beams, guessed)));
        assert_eq!(scans[0].world_from_laser, Some(Pose2::new(0.0, 0.0, 0.25)));
        assert_eq!(
            (scans[0].world_from_robot, scans[0].beams.max_range_m),
            (Some(Pose2::new(1.0, 2.0, 0.5)), 80.0)
        );
        assert_eq!((scans[3].remissions.as_slice(), scans[3].beams.max_range_m), (&[7.0, 8.0][..], 30.0));
        assert_eq!(scans[4].world_from_robot, Some(Pose2::new(1.0, 2.0, 0.25)));
        let last = LogRecord::TruePose { time_s: 16.5, world_from_robot: Pose2::new(7.0, 8.0, 0.5) };
        assert_eq!(found.records[6], last);
        assert_eq!(codes(&document)[0], ("RECORDS_SKIPPED", None));
    }

    #[test]
    fn damaged_records_are_left_out_and_named() {
        let good = "FLASER 2 1 2 0 0 0 0 0 0 1 h 1\n";
        for bad in [
            "FLASER 2 1 2 0 0 0 0 0 0 1 h\n",
            "FLASER 3 1 2 0 0 0 0 0 0 1 h 1\n",
            "FLASER 99999999999 1 2 0 0 0 0 0 0 1 h 1\n",
            "FLASER -1 1 2\n",
            "FLASER 2 1 nan 0 0 0 0 0 0 1 h 1\n",
            "ODOM 1 2 3 nan\n",
            "ODOM 1 2 3 4 5 6 7 h 8 9\n",
            "ROBOTLASER1 0\n",
        ] {
            let document = document("run.log", &format!("{good}{bad}{good}")).unwrap();
            assert_eq!(codes(&document)[0], ("RECORD_DAMAGED", Some(2)), "{bad}");
        }
        assert!(document("run.clf", "lorem ipsum\n").is_err());
    }

    #[test]
    fn two_scanners_that_scan_together_are_two_lasers_with_stamps_in_order() {
        let scan = |sensor: &str, time_s: f64| {
            LogRecord::Scan(LaserScan {
                time_s,
                beams: BeamModel { first_rad: -1.0, step_rad: 1.0, max_range_m: 4.0, is_guessed: false },
                ranges_m: vec![1.0, 2.0],
                remissions: Vec::new(),
                world_from_laser: Some(Pose2::IDENTITY),
                world_from_robot: Some(Pose2::IDENTITY),
                sensor: sensor.to_owned(),
            })
        };
        let times = [0.1, 0.2, 0.3];
        let records = times.iter().flat_map(|time_s| [scan("Scanner1", *time_s), scan("Scanner2", *time_s)]);
        let text = write(&SensorLog { records: records.collect(), skipped: Vec::new() });
        assert_eq!(text.matches("ROBOTLASER1 ").count(), 3, "{text}");
        assert_eq!(text.matches("ROBOTLASER2 ").count(), 3, "{text}");
        let document = document("run.log", &text).unwrap();
        assert_eq!(codes(&document), []);
    }

    #[test]
    fn destroyed_stamps_are_found_among_the_scans() {
        let text: String = (0..4).map(|_| "FLASER 1 1 0 0 0 0 0 0 1.01893e+09 h 0\n").collect();
        let document = document("run.log", &text).unwrap();
        assert!(codes(&document).contains(&("DESTROYED_STAMPS", None)));
    }

    fn any_pose() -> impl Strategy<Value = Pose2> {
        (-1e4_f64..1e4, -1e4_f64..1e4, -4_f64..4.0).prop_map(|(x, y, theta)| Pose2::new(x, y, theta))
    }

    fn any_record() -> impl Strategy<Value = LogRecord> {
        let ranges = || prop::collection::vec(0_f32..90.0, 0..12);
        let beams = (-4_f64..4.0, 0.001_f64..0.1, 1_f64..100.0);
        let explicit =
            (0_f64..2e9, beams, ranges(), ranges(), prop::option::of((any_pose(), any_pose())), 1_u8..=5);
        let explicit = explicit.prop_map(
            |(time_s, (first_rad, step_rad, max_range_m), ranges_m, remissions, poses, number)| {
                LogRecord::Scan(LaserScan {
                    time_s,
                    beams: BeamModel { first_rad, step_rad, max_range_m, is_guessed: false },
                    ranges_m,
                    remissions,
                    world_from_laser: poses.map(|poses| poses.0),
                    world_from_robot: poses.map(|poses| poses.1),
                    sensor: number.to_string(),
                })
            },
        );
        let guessed = (0_f64..2e9, ranges(), any_pose(), any_pose(), prop::bool::ANY);
        let guessed = guessed.prop_map(|(time_s, mut ranges_m, laser, robot, is_rear)| {
            // One beam without return fixes the largest range.
            ranges_m.push(81.91);
            LogRecord::Scan(LaserScan {
                time_s,
                beams: beam_guess::guess(ranges_m.len()),
                ranges_m,
                remissions: Vec::new(),
                world_from_laser: Some(laser),
                world_from_robot: Some(robot),
                sensor: if is_rear { "rear" } else { "front" }.to_owned(),
            })
        });
        let odometry = (0_f64..2e9, any_pose(), -3_f64..3.0, -3_f64..3.0);
        let odometry = odometry.prop_map(|(time_s, odom_from_robot, speed, turn)| {
            let (speed_mps, turn_rate_radps) = (Some(speed), Some(turn));
            LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps, turn_rate_radps })
        });
        let truth = (0_f64..2e9, any_pose());
        let truth =
            truth.prop_map(|(time_s, world_from_robot)| LogRecord::TruePose { time_s, world_from_robot });
        prop_oneof![explicit, guessed, odometry, truth]
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(records in prop::collection::vec(any_record(), 1..12)) {
            let written = SensorLog { records, skipped: Vec::new() };
            prop_assert_eq!(log("run.log", &write(&written)), written);
        }
    }
}
