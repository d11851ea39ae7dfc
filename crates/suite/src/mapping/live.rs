//! Mapping what a USARSim server or a replay sends, scan by scan.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use formats::ReadOptions;
use formats::usarsim::{LiveCounts, LiveReader};
use mapper::{Deadline, RangeDevice, ScanQueue};
use model::{Finding, Level, LogRecord, MemoryLimit, SensorLog};
use sim::replay::{RecordOptions, address_of, receive_lines};

use super::{MapError, MapPlan, MapResult, MappingRun};
use crate::{JobError, Snapshots};

/// The part of the memory limit that received records may take; the mapper keeps what it needs of them beside.
const SHARE_OF_LIMIT: u64 = 4;

/// What is left to do after the last scan may take this part of the duration on top of it, and at least a second.
const FINISH_RATIO: f64 = 0.1;
const MIN_FINISH_S: f64 = 1.0;

/// Maps what a server (`tcp://HOST:PORT` or `HOST:PORT`) sends until it closes, the time of the options is over, or more
/// came than memory should hold. `snapshots` are written while scans come; `progress` is told those that were mapped.
///
/// # Errors
/// Nobody listens there, nothing that came can be mapped, or a parameter is unknown or out of range.
pub fn map_live(
    server: &str,
    plan: &MapPlan,
    connection: &RecordOptions,
    options: &ReadOptions,
    snapshots: Option<Snapshots>,
    progress: &dyn Fn(usize),
) -> Result<MapResult, JobError> {
    let address = address_of(server)?;
    let failed = |error: MapError| match error {
        MapError::Settings(error) => error.into(),
        MapError::NoMap { .. } | MapError::NoSonar { .. } => {
            JobError::NoMap { path: server.to_owned(), why: error.to_string() }
        }
    };
    let mut run = MappingRun::new(plan).map_err(failed)?.with_snapshots(snapshots);
    let mut live = Live::of(server, &run, options)?;
    let full = AtomicBool::new(false);
    let ended = AtomicBool::new(false);
    let mut begun = None;
    let mut each = |line: Option<&[u8]>| {
        // A server may send faster than scans are mapped; the time of the options ends the run all the same, also inside
        // of a step.
        let begun: &mut Instant = begun.get_or_insert_with(|| {
            run.mapper.end_by(Deadline::after(connection.max_time_s));
            Instant::now()
        });
        if begun.elapsed().as_secs_f64() >= connection.max_time_s {
            ended.store(true, Ordering::Relaxed);
            return;
        }
        let Some(record) = live.record(line) else { return };
        if !live.has_room_for(&record) {
            full.store(true, Ordering::Relaxed);
            ended.store(true, Ordering::Relaxed);
            return;
        }
        for (scan, odom_from_robot) in live.queue.push(&record) {
            run.step(&scan, odom_from_robot, live.queue.counts().odometry);
            progress(live.queue.counts().scans);
        }
        live.log.records.push(record);
    };
    receive_lines(&address, connection, &ended, &mut each)?;
    for (scan, odom_from_robot) in live.queue.finish() {
        run.step(&scan, odom_from_robot, live.queue.counts().odometry);
    }
    run.take_failure()?;
    run.mapper.end_by(Deadline::after((FINISH_RATIO * connection.max_time_s).max(MIN_FINISH_S)));
    run.finish();
    let findings = findings(live.reader.counts(), full.load(Ordering::Relaxed));
    let mut result = run.into_result(&live.log, live.queue.counts(), findings).map_err(failed)?;
    server.clone_into(&mut result.report.log);
    Ok(result)
}

/// What has come so far.
struct Live {
    reader: LiveReader,
    queue: ScanQueue,
    log: SensorLog,
    /// Memory of the records so far.
    bytes: u64,
}

impl Live {
    /// Nothing has come yet.
    fn of(server: &str, run: &MappingRun<'_>, options: &ReadOptions) -> Result<Self, JobError> {
        let rules = run.mapper.input_rules();
        if rules.device == RangeDevice::Sonar {
            let why = "sonar is mapped from logs; record the run first, then map the recording";
            return Err(JobError::NoMap { path: server.to_owned(), why: why.to_owned() });
        }
        Ok(Self {
            reader: LiveReader::new(options)?,
            queue: ScanQueue::new(rules.limits).levelling(rules.tilt_gate_m),
            log: SensorLog::default(),
            bytes: 0,
        })
    }

    fn record(&mut self, line: Option<&[u8]>) -> Option<LogRecord> {
        let Some(line) = line else {
            self.reader.take_too_long();
            return None;
        };
        self.reader.take(line)
    }

    fn has_room_for(&mut self, record: &LogRecord) -> bool {
        self.bytes = self.bytes.saturating_add(bytes_of(record));
        self.bytes <= max_bytes()
    }
}

/// Memory that a record takes in the log.
fn bytes_of(record: &LogRecord) -> u64 {
    let numbers = match record {
        LogRecord::Scan(scan) => scan.ranges_m.len() + scan.remissions.len() + scan.sensor.len(),
        _ => 0,
    };
    (size_of::<LogRecord>() + size_of::<f32>() * numbers) as u64
}

/// Memory that all records may take.
fn max_bytes() -> u64 {
    MemoryLimit::current().bytes() / SHARE_OF_LIMIT
}

fn findings(counts: LiveCounts, is_full: bool) -> Vec<Finding> {
    let LiveCounts { lines, broken, untimed, .. } = counts;
    let mut findings = Vec::new();
    if broken > 0 {
        let message = format!("{broken} of {lines} lines are no messages and were left out");
        findings.push(Finding::warning("RECORD_DAMAGED", message));
    }
    if untimed > 0 {
        let message = format!("{untimed} measurements came before any message told a time and were left out");
        findings.push(Finding::warning("RECORD_UNTIMED", message));
    }
    if is_full {
        let message = format!(
            "the run was ended after {} bytes of records, a quarter of the memory limit",
            max_bytes()
        );
        findings.push(Finding::new(Level::Warning, "LIVE_LOG_FULL", message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use model::{BeamModel, LaserScan};

    use super::*;

    #[test]
    fn a_server_that_never_ends_fills_a_quarter_of_the_limit() {
        MemoryLimit::set(64 << 20);
        let scan = LaserScan {
            time_s: 0.0,
            beams: BeamModel { first_rad: 0.0, step_rad: 0.1, max_range_m: 10.0, is_guessed: false },
            ranges_m: vec![1.0; 1 << 20],
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: String::new(),
        };
        let record = LogRecord::Scan(scan);
        let mut live = Live {
            reader: LiveReader::new(&ReadOptions::default()).unwrap(),
            queue: ScanQueue::new(mapper::RangeLimits { min_m: 0.0, max_m: 10.0 }),
            log: SensorLog::default(),
            bytes: 0,
        };
        let held = (0..100).take_while(|_| live.has_room_for(&record)).count();
        assert_eq!(held, 3, "4 MiB each, and a little");
        assert_eq!(findings(live.reader.counts(), true).len(), 1);
    }

    /// A server that goes on sending scans of 40,000 beams to a filter of 100,000 particles: one step takes longer than
    /// the whole run may.
    #[test]
    fn the_duration_ends_inside_of_a_step() {
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap().to_string();
        let ranges = vec!["3"; 40_000].join(",");
        let sender = std::thread::spawn(move || {
            let (mut stream, _) = server.accept().unwrap();
            for step in 0..1000 {
                let (time_s, x_m) = (f64::from(step) * 0.1, f64::from(step) * 0.05);
                let text = format!(
                    "SEN {{Time {time_s}}} {{Type Odometry}} {{Name O}} {{Pose {x_m},0,0}}\r\n\
                     SEN {{Time {time_s}}} {{Type RangeScanner}} {{Name S}} {{Resolution 0.0001}} {{FOV 4.0}} {{Range {ranges}}}\r\n"
                );
                if stream.write_all(text.as_bytes()).is_err() {
                    break;
                }
            }
        });
        let robbie = mapper::all().iter().find(|entry| entry.name == "robbie").unwrap();
        let mut plan = MapPlan::new(*robbie, 1);
        plan.settings.set_text("particles", "100000").unwrap();
        let connection =
            RecordOptions { init: sim::replay::Init::Silent, max_time_s: 1.0, ..RecordOptions::default() };
        // Not the clock: a busy machine stretches it.
        let before_s = crate::processor_time_s();
        let result = map_live(&address, &plan, &connection, &ReadOptions::default(), None, &|_| {}).unwrap();
        let took_s = crate::processor_time_s() - before_s;
        sender.join().unwrap();
        assert!(took_s < 12.0, "{took_s} s");
        assert!(result.report.scans >= 1, "what came before is mapped");
    }
}
