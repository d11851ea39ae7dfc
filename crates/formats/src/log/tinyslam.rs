//! tinySLAM logs (`.dat`): one scan of a Hokuyo URG-04LX per line, blanks between the columns.
//!
//! The first column is the time in microseconds and the last 682 are ranges in millimetres, 0 for no return; what
//! stands between them differs (25 columns before the ranges in the public logs `exp1` to `exp3`, 13 in
//! `test_lab`) and holds wheel ticks, whose length in metres the file does not say. The beams are those of the
//! scanner: 1024 steps per turn, the middle one ahead.

use std::f64::consts::TAU;

use model::{BeamModel, Finding, LaserScan, Level, LogRecord, SensorLog};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::log::beam_guess::lay_over;
use crate::log::carmen::stamps_of;
use crate::text::number_rows::{NumberRow, each_number_row, read_row};
use crate::text::row_faults::RowFaults;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "tinyslam", title: "tinySLAM log", sniff, reader: Reader::Content(read) };

/// Ranges of a scan.
const BEAMS: usize = 682;
/// Columns of a line, of both kinds that are known.
const COLUMNS: [usize; 2] = [707, 695];
/// The farthest the URG-04LX can print, metres; at 5.6 m it ends.
const MAX_RANGE_M: f64 = 5.6;
/// What a row is, for messages.
const ROW: &str = "707 or 695 numbers, the last 682 of them ranges";

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let first = without_byte_order_mark(bytes).split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut numbers = [f64::NAN; COLUMNS[0]];
    let row = read_row(first, &mut numbers);
    if COLUMNS.contains(&row.fields) && !row.is_unreadable { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut log = SensorLog::default();
    let mut faults = RowFaults::allowing(options.bad_rows);
    let each = |row: NumberRow<'_>, numbers: &[f64; COLUMNS[0]], _: &mut RowFaults| {
        log.records.push(LogRecord::Scan(scan(&numbers[..row.fields], options)));
    };
    each_number_row(&mut input.source, &mut faults, (&COLUMNS, ROW), each)?;
    let mut findings = faults.findings(input.source.name(), log.records.len(), "scan")?;
    let message = "the wheels are given in ticks of unknown length; odometry was left out";
    findings.push(Finding::new(Level::Info, "ODOMETRY_IN_TICKS", message));
    if options.fov_deg.is_none() {
        let message =
            format!("{BEAMS} beams were taken as those of a Hokuyo URG-04LX: 360/1024 degrees apart");
        findings.push(Finding::new(Level::Info, "BEAMS_GUESSED", message));
    }
    findings.extend(stamps_of(&log));
    Ok(ReadContent { content: Content::Log(log), findings })
}

#[allow(clippy::cast_possible_truncation, reason = "ranges are numbers of 32 bits")]
fn scan(numbers: &[f64], options: &ReadOptions) -> LaserScan {
    let step_rad = TAU / 1024.0;
    let ranges_mm = &numbers[numbers.len() - BEAMS..];
    let first_rad = -step_rad * (BEAMS - 1) as f64 / 2.0;
    let mut beams = BeamModel { first_rad, step_rad, max_range_m: MAX_RANGE_M, is_guessed: true };
    lay_over(&mut beams, BEAMS, options);
    LaserScan {
        time_s: numbers[0] / 1e6,
        beams,
        ranges_m: ranges_mm.iter().map(|range_mm| (range_mm / 1e3) as f32).collect(),
        remissions: Vec::new(),
        world_from_laser: None,
        world_from_robot: None,
        sensor: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::carmen::tests::log;
    use crate::trajectory::tum::tests::{codes, document};

    fn line(time_us: u64, columns: usize) -> String {
        let ranges = (0..BEAMS).map(|beam| (beam * 5).to_string());
        let header = std::iter::once(time_us.to_string()).chain((1..columns - BEAMS).map(|i| i.to_string()));
        header.chain(ranges).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_last_682_columns_are_ranges_in_millimetres() {
        for columns in COLUMNS {
            let found =
                log("run.dat", &format!("{}\n{} \n", line(1_500_000, columns), line(1_600_000, columns)));
            let scans: Vec<_> = found.scans().collect();
            assert_eq!((scans.len(), scans[0].time_s, scans[1].time_s), (2, 1.5, 1.6));
            assert_eq!(
                (scans[0].ranges_m.len(), scans[0].ranges_m[0], scans[0].ranges_m[200]),
                (682, 0.0, 1.0)
            );
            let beams = scans[0].beams;
            let last_rad = beams.first_rad + beams.step_rad * 681.0;
            assert!((beams.first_rad + last_rad).abs() < 1e-12, "not symmetric");
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_named() {
        let document = document("run.dat", &format!("{}\n1 2 3\n", line(1, 707))).unwrap();
        assert_eq!(codes(&document)[0], ("ROW_FIELDS", Some(2)));
    }
}
