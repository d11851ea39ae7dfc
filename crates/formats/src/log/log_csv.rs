//! Logs as CSV: `record,time_s,sensor,x_m,y_m,theta_rad,first_rad,step_rad,max_range_m,ranges_m`.
//!
//! Ours. `record` is `scan`, `odometry` or `truth`. The pose is that of the robot; a scan may have none. Angles are
//! radians counter-clockwise; the ranges of a scan stand in the last field, first beam first, with blanks between.
//! A scan whose beams were guessed leaves `first_rad` and `step_rad` empty.

use std::fmt::Write;

use model::{BeamModel, LaserScan, LogRecord, Odometry, Pose2, SensorLog};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::log::beam_guess;
use crate::log::carmen::stamps_of;
use crate::text::decimal;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "log_csv", title: "CSV of scans and odometry", sniff, reader: Reader::Content(read) };

const HEADER: &str = "record,time_s,sensor,x_m,y_m,theta_rad,first_rad,step_rad,max_range_m,ranges_m";

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let is_ours = without_byte_order_mark(bytes).starts_with(HEADER.as_bytes());
    if is_ours { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut log = SensorLog::default();
    let mut faults = RowFaults::allowing(options.bad_rows);
    each_line(&mut input.source, |number, line| {
        let text = line.trim_ascii();
        if text.is_empty() || number == 1 {
            return Ok(());
        }
        match record_of(text) {
            Ok(record) => log.records.push(record),
            Err(expected) => faults.add("RECORD_DAMAGED", number, expected, text),
        }
        Ok(())
    })?;
    let mut findings = faults.findings(input.source.name(), log.records.len(), "record")?;
    findings.extend(beam_guess::settle(beam_guess::scans_of(&mut log), options));
    findings.extend(stamps_of(&log));
    Ok(ReadContent { content: Content::Log(log), findings })
}

/// Fields of a row.
const FIELDS: usize = 10;

fn record_of(text: &[u8]) -> Result<LogRecord, &'static str> {
    let fields: Vec<&[u8]> = text.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
    let fields: [&[u8]; FIELDS] = fields.try_into().map_err(|_| "10 fields")?;
    let number = |field: usize| decimal::number(fields[field]).filter(|number| number.is_finite());
    let time_s = number(1).ok_or("a number for time_s")?;
    let pose = match (number(3), number(4), number(5)) {
        (Some(x_m), Some(y_m), Some(theta_rad)) => Some(Pose2::new(x_m, y_m, theta_rad)),
        _ if fields[3..6].iter().all(|field| field.is_empty()) => None,
        _ => return Err("three numbers for x_m, y_m, theta_rad, or three empty fields"),
    };
    match (fields[0], pose) {
        (b"odometry", Some(odom_from_robot)) => {
            let (speed_mps, turn_rate_radps) = (None, None);
            Ok(LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps, turn_rate_radps }))
        }
        (b"truth", Some(world_from_robot)) => Ok(LogRecord::TruePose { time_s, world_from_robot }),
        (b"scan", pose) => {
            let tokens = fields[9].split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
            let range = |token: &[u8]| decimal::single(token).filter(|range_m| !range_m.is_nan());
            let ranges_m: Option<Vec<f32>> = tokens.map(range).collect();
            let ranges_m = ranges_m.ok_or("numbers for ranges_m")?;
            let beams = match (number(6), number(7), number(8)) {
                (Some(first_rad), Some(step_rad), Some(max_range_m)) => {
                    BeamModel { first_rad, step_rad, max_range_m, is_guessed: false }
                }
                _ if fields[6].is_empty() && fields[7].is_empty() => beam_guess::guess(ranges_m.len()),
                _ => return Err("three numbers for first_rad, step_rad, max_range_m"),
            };
            let sensor = String::from_utf8_lossy(fields[2]).into_owned();
            let (remissions, world_from_laser) = (Vec::new(), None);
            Ok(LogRecord::Scan(LaserScan {
                time_s,
                beams,
                ranges_m,
                remissions,
                world_from_laser,
                world_from_robot: pose,
                sensor,
            }))
        }
        _ => Err("scan, or odometry or truth with a pose"),
    }
}

/// A log as CSV, with the digits that give back the same numbers. Poses of lasers, remissions, speeds, attitudes
/// and sonar have no place; commas and line ends in names of sensors become blanks.
#[must_use]
pub fn write(log: &SensorLog) -> String {
    let mut text = format!("{HEADER}\n");
    for record in &log.records {
        let pose = |pose: Pose2| format!("{},{},{}", pose.x_m, pose.y_m, pose.theta_rad);
        // Writing into a string cannot fail.
        let _ = match record {
            LogRecord::Attitude(_) | LogRecord::Sonar(_) => continue,
            LogRecord::Odometry(odometry) => {
                writeln!(text, "odometry,{},,{},,,,", odometry.time_s, pose(odometry.odom_from_robot))
            }
            LogRecord::TruePose { time_s, world_from_robot } => {
                writeln!(text, "truth,{time_s},,{},,,,", pose(*world_from_robot))
            }
            LogRecord::Scan(scan) => {
                let beams = match scan.beams {
                    BeamModel { is_guessed: true, .. } => ",,".to_owned(),
                    beams => format!("{},{},{}", beams.first_rad, beams.step_rad, beams.max_range_m),
                };
                let sensor = scan.sensor.replace(|letter: char| letter == ',' || letter.is_control(), " ");
                let ranges: Vec<String> = scan.ranges_m.iter().map(|range_m| format!("{range_m}")).collect();
                let pose = scan.world_from_robot.map_or_else(|| ",,".to_owned(), pose);
                writeln!(text, "scan,{},{sensor},{pose},{beams},{}", scan.time_s, ranges.join(" "))
            }
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::carmen::tests::log;
    use crate::trajectory::tum::tests::{codes, document};

    #[test]
    fn a_log_comes_back_as_it_was_written() {
        let text = format!(
            "{HEADER}\nodometry,1.5,,0.25,-1,0.5,,,,\ntruth,1.5,,1,2,3,,,,\n\
             scan,2,front,1,2,0.5,-1.5,0.5,20,1 2.5 20\nscan,3,,,,,-1.5,0.5,20,1\n"
        );
        let found = log("log.csv", &text);
        assert_eq!(found.records.len(), 4);
        assert_eq!(write(&found), text);
        let scan = found.scans().next().unwrap();
        assert_eq!((scan.ranges_m.as_slice(), scan.sensor.as_str()), (&[1.0, 2.5, 20.0][..], "front"));
    }

    #[test]
    fn rows_that_are_no_records_are_named() {
        let good = "odometry,1,,0,0,0,,,,\n";
        for bad in [
            "odometry,1,,0,0,0\n",
            "odometry,1,,,,,,,,\n",
            "sonar,1,,0,0,0,,,,\n",
            "odometry,soon,,0,0,0,,,,\n",
            "scan,1,,0,,,-1,1,1,1\n",
            "scan,1,,,,,-1,,1,1\n",
            "scan,1,,,,,-1,1,1,1 x\n",
        ] {
            let read = document("log.csv", &format!("{HEADER}\n{good}{bad}")).unwrap();
            assert_eq!(codes(&read)[0], ("RECORD_DAMAGED", Some(3)), "{bad}");
        }
        assert!(document("log.csv", HEADER).is_err());
    }
}
