//! Scans with poses as JSON, keyed by time: `{"map": {"<seconds>": {"range": [..], "theta": .., "x": .., "y": ..}}}`.
//!
//! Met in public data of 2D SLAM tutorials. Ranges in metres, the pose of the robot in metres and radians. The file
//! does not state where the beams point: see `beam_guess`. Scans come in the order of the file.

use std::fmt;

use model::{LaserScan, LogRecord, Pose2, SensorLog};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::log::beam_guess::{guess, settle};
use crate::log::carmen::stamps_of;
use crate::text::table_limits::too_long;
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "scan_json", title: "JSON of scans", sniff, reader: Reader::Content(read) };

/// The largest file: some 15,000 scans.
const MAX_JSON_BYTES: u64 = 1 << 26;

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let text = without_byte_order_mark(bytes).trim_ascii_start();
    let head: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(200).collect();
    let has_ranges = head.windows(10).any(|window| window == b"{\"range\":[");
    if head.starts_with(b"{\"map\":{\"") && has_ranges { Sniff::ByBytes } else { Sniff::No }
}

#[derive(Deserialize)]
struct ScanFile {
    map: Scans,
}

#[derive(Deserialize)]
struct Scan {
    range: Vec<f32>,
    theta: f64,
    x: f64,
    y: f64,
}

/// Times and scans in the order of the file.
struct Scans(Vec<(String, Scan)>);

impl<'de> Deserialize<'de> for Scans {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Scans;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("scans by time")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scans, A::Error> {
                let mut scans = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    scans.push(entry);
                }
                Ok(Scans(scans))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = input.source.whole()?;
    if bytes.len() as u64 > MAX_JSON_BYTES {
        return Err(too_long(file, MAX_JSON_BYTES, bytes.len() as u64));
    }
    let ScanFile { map: Scans(scans) } =
        serde_json::from_slice(without_byte_order_mark(bytes)).map_err(|error| {
            let place = Place::Line(error.line());
            ReadError::malformed(file, place, "scans by time: range, theta, x, y", error.to_string())
        })?;
    let mut scans =
        scans.into_iter().map(|(time, scan)| scan_of(file, &time, scan)).collect::<Result<Vec<_>, _>>()?;
    let mut findings = settle(scans.iter_mut().collect(), options);
    let log = SensorLog { records: scans.into_iter().map(LogRecord::Scan).collect(), skipped: Vec::new() };
    findings.extend(stamps_of(&log));
    Ok(ReadContent { content: Content::Log(log), findings })
}

fn scan_of(file: &str, time: &str, scan: Scan) -> Result<LaserScan, ReadError> {
    let time_s = time.parse().ok().filter(|time_s: &f64| time_s.is_finite()).ok_or_else(|| {
        ReadError::malformed(file, Place::field("map"), "a time in seconds", format!("'{time}'"))
    })?;
    let pose = Pose2::new(scan.x, scan.y, scan.theta);
    Ok(LaserScan {
        time_s,
        beams: guess(scan.range.len()),
        ranges_m: scan.range,
        remissions: Vec::new(),
        world_from_laser: Some(pose),
        world_from_robot: Some(pose),
        sensor: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::carmen::tests::log;
    use crate::trajectory::tum::tests::{codes, document};

    const TWO: &str = r#"{"map": {"10.5": {"range": [1.5, 81.83, 2], "theta": 0.5, "x": 1, "y": 2},
        "11.25": {"range": [1, 2, 3], "theta": 0.25, "x": 3, "y": 4}}}"#;

    #[test]
    fn scans_come_with_time_and_pose() {
        let found = log("run.json", TWO);
        let scans: Vec<_> = found.scans().collect();
        assert_eq!((scans.len(), scans[0].time_s, scans[1].time_s), (2, 10.5, 11.25));
        assert_eq!(scans[0].world_from_robot, Some(Pose2::new(1.0, 2.0, 0.5)));
        assert_eq!((scans[0].ranges_m[1], scans[0].beams.max_range_m), (81.83, 80.0));
        assert_eq!(codes(&document("run.json", TWO).unwrap())[0].0, "BEAMS_GUESSED");
    }

    #[test]
    fn a_key_that_is_no_time_is_refused() {
        let error = document("run.json", &TWO.replace("10.5", "noon")).unwrap_err().to_string();
        assert!(error.contains("expected a time in seconds, found 'noon'"), "{error}");
    }
}
