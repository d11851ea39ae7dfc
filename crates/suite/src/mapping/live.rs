//! Mapping what a USARSim server or a replay sends, scan by scan.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use formats::ReadOptions;
use formats::usarsim::{LiveCounts, LiveReader};
use mapper::ScanQueue;
use model::{Finding, Level, LogRecord, SensorLog};
use sim::replay::{RecordOptions, address_of, receive_lines};

use super::{MapError, MapPlan, MapResult, MappingRun};
use crate::JobError;

/// Ranges that are held in memory at most: 1 GiB of them.
const MAX_RANGES: usize = 1 << 28;
/// Other records that are held at most.
const MAX_RECORDS: usize = 1 << 25;

/// Maps what a server (`tcp://HOST:PORT` or `HOST:PORT`) sends until it closes, the time of the options is over, or more
/// came than memory should hold. `progress` is told the scans that were mapped.
///
/// # Errors
/// Nobody listens there, nothing that came can be mapped, or a parameter is unknown or out of range.
pub fn map_live(
    server: &str,
    plan: &MapPlan,
    connection: &RecordOptions,
    options: &ReadOptions,
    progress: &dyn Fn(usize),
) -> Result<MapResult, JobError> {
    let address = address_of(server)?;
    let failed = |error: MapError| match error {
        MapError::Settings(error) => error.into(),
        MapError::NoMap { .. } => JobError::NoMap { path: server.to_owned(), why: error.to_string() },
    };
    let mut run = MappingRun::new(plan).map_err(failed)?;
    let rules = run.mapper.input_rules();
    let mut live = Live {
        reader: LiveReader::new(options)?,
        queue: ScanQueue::new(rules.limits).levelling(rules.tilt_gate_m),
        log: SensorLog::default(),
        ranges: 0,
    };
    let full = AtomicBool::new(false);
    let ended = AtomicBool::new(false);
    let mut begun = None;
    let mut each = |line: Option<&[u8]>| {
        // A server may send faster than scans are mapped; the time of the options ends the run all the same.
        let begun: &mut Instant = begun.get_or_insert_with(Instant::now);
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
    ranges: usize,
}

impl Live {
    fn record(&mut self, line: Option<&[u8]>) -> Option<LogRecord> {
        let Some(line) = line else {
            self.reader.take_too_long();
            return None;
        };
        self.reader.take(line)
    }

    fn has_room_for(&mut self, record: &LogRecord) -> bool {
        if let LogRecord::Scan(scan) = record {
            self.ranges += scan.ranges_m.len();
        }
        self.ranges <= MAX_RANGES && self.log.records.len() < MAX_RECORDS
    }
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
        let message = format!("the run was ended after {MAX_RANGES} ranges or {MAX_RECORDS} records");
        findings.push(Finding::new(Level::Warning, "LIVE_LOG_FULL", message));
    }
    findings
}
