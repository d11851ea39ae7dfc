//! Messages of USARSim as they come over a connection, one by one.
//!
//! As a log, except for what is known only at its end: a message without a time has that of the last timed one, and before
//! the first it is left out; INS is odometry until a message of odometry comes; how far a scanner sees is what the options
//! or its CONF message say, else 80 m.

use std::collections::BTreeMap;

use model::{Attitude, LaserScan, LogRecord, SonarSweep};

use super::line::split_reception;
use super::message::Message;
use super::sensor::{Measured, measured};
use super::sonar::SonarSetup;
use super::{USUAL_MAX_RANGE_M, odometry};
use crate::{ReadError, ReadOptions};

/// What came over a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveCounts {
    /// Lines that are not empty.
    pub lines: usize,
    /// Lines that are no messages, or whose numbers are none.
    pub broken: usize,
    /// Measurements before any message told a time.
    pub untimed: usize,
    /// Messages that hold nothing needed here.
    pub skipped: usize,
}

/// Reads messages as they come.
#[derive(Clone, Debug)]
pub struct LiveReader {
    options: ReadOptions,
    stated_m: BTreeMap<String, f64>,
    sonar: SonarSetup,
    last_s: Option<f64>,
    has_odometry: bool,
    counts: LiveCounts,
}

/// Sensors whose range is remembered: a stranger may name a new one in each line.
const MAX_SENSORS: usize = 256;

impl LiveReader {
    /// Nothing has come yet.
    ///
    /// # Errors
    /// An option is out of range.
    pub fn new(options: &ReadOptions) -> Result<Self, ReadError> {
        options.check()?;
        Ok(Self {
            options: options.clone(),
            stated_m: BTreeMap::new(),
            sonar: SonarSetup::default(),
            last_s: None,
            has_odometry: false,
            counts: LiveCounts::default(),
        })
    }

    /// What has come so far.
    #[must_use]
    pub const fn counts(&self) -> LiveCounts {
        self.counts
    }

    /// Takes a line that was too long to be a message.
    pub const fn take_too_long(&mut self) {
        self.counts.lines += 1;
        self.counts.broken += 1;
    }

    /// Takes a line; the record that it holds, if there is one.
    pub fn take(&mut self, line: &[u8]) -> Option<LogRecord> {
        let (received_s, text) = split_reception(line.trim_ascii());
        if text.is_empty() {
            return None;
        }
        self.counts.lines += 1;
        let Some((found, own_s)) = self.parse(text) else {
            self.counts.broken += 1;
            return None;
        };
        self.last_s = own_s.or(self.last_s);
        if let Measured::MaxRange { sensor, max_range_m } = found {
            if self.stated_m.len() < MAX_SENSORS {
                self.stated_m.insert(sensor, max_range_m);
            }
            return None;
        }
        if matches!(found, Measured::Other(_)) {
            self.counts.skipped += 1;
            return None;
        }
        let time_s = self.last_s.or(received_s);
        self.counts.untimed += usize::from(time_s.is_none());
        self.record(found, time_s?)
    }

    fn parse(&mut self, text: &[u8]) -> Option<(Measured, Option<f64>)> {
        let message = Message::parse(text).ok()?;
        if self.sonar.take(&message, self.options.usarsim_frame) {
            return Some((Measured::Other(message.head.clone()), message.time_s().ok()?));
        }
        Some((measured(&message, &self.options).ok()?, message.time_s().ok()?))
    }

    fn record(&mut self, found: Measured, time_s: f64) -> Option<LogRecord> {
        match found {
            Measured::Scan(mut scan) => {
                let stated_m = self.options.max_range_m.or_else(|| self.stated_m.get(&scan.sensor).copied());
                scan.beams.max_range_m = stated_m.unwrap_or(USUAL_MAX_RANGE_M);
                Some(LogRecord::Scan(LaserScan { time_s, ..scan }))
            }
            Measured::Odometry(pose) => {
                self.has_odometry = true;
                Some(odometry(time_s, pose))
            }
            Measured::Inertial(_) if self.has_odometry => {
                self.counts.skipped += 1;
                None
            }
            Measured::Inertial(pose) => Some(odometry(time_s, pose)),
            Measured::Sonar(ranges) => {
                let sweep = self.sonar.sweep(&ranges, self.options.max_range_m);
                self.counts.skipped += usize::from(sweep.is_none());
                Some(LogRecord::Sonar(SonarSweep { time_s, ..sweep? }))
            }
            Measured::Attitude(attitude) => Some(LogRecord::Attitude(Attitude { time_s, ..attitude })),
            Measured::TruePose(world_from_robot) => Some(LogRecord::TruePose { time_s, world_from_robot }),
            Measured::MaxRange { .. } | Measured::Other(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, NamedBytes, read_document_bytes};

    const LOG: &str = "CONF {Type RangeScanner} {Name S} {MaxRange 4}\r\n\
        SEN {Time 1} {Type Odometry} {Name O} {Pose 0,0,0}\r\n\
        SEN {Time 1.5} {Type RangeScanner} {Name S} {Resolution 0.1} {FOV 0.3} {Range 1,2,3,4}\r\n\
        STA {Time 1.7} {Battery 9}\r\n\
        SEN {Type Odometry} {Name O} {Pose 1,0,0.5}\r\n";

    #[test]
    fn line_by_line_gives_what_the_file_gives() {
        let mut reader = LiveReader::new(&ReadOptions::default()).unwrap();
        let live: Vec<LogRecord> = LOG.lines().filter_map(|line| reader.take(line.as_bytes())).collect();
        let file = NamedBytes { name: "run.usar", bytes: LOG.as_bytes() };
        let document = read_document_bytes(file, &[], &ReadOptions::default()).unwrap();
        let Content::Log(log) = document.content else { panic!() };
        assert_eq!(live, log.records);
        assert_eq!(reader.counts(), LiveCounts { lines: 5, skipped: 1, ..LiveCounts::default() });
    }

    #[test]
    fn broken_and_untimed_lines_are_counted() {
        let mut reader = LiveReader::new(&ReadOptions::default()).unwrap();
        for line in [
            "SEN {",
            "lorem",
            "",
            "SEN {Type Odometry} {Pose 0,0,0}",
            "SEN {Time x} {Type Odometry} {Pose 0,0,0}",
        ] {
            assert_eq!(reader.take(line.as_bytes()), None, "{line}");
        }
        reader.take_too_long();
        let counts = reader.counts();
        assert_eq!((counts.untimed, counts.lines), (1, 5));
        assert!(counts.broken >= 3, "{counts:?}");
        let inertial = "SEN {Time 3} {Type INS} {Location 1,2,0} {Orientation 0,0,0.5}";
        assert!(matches!(reader.take(inertial.as_bytes()), Some(LogRecord::Odometry(_))));
        reader.take(b"SEN {Time 3} {Type Odometry} {Pose 0,0,0}");
        assert_eq!(reader.take(inertial.as_bytes()), None);
    }
}
