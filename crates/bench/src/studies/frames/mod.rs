//! `mapjudge-study frames` and `frames-held-out`: how often nonsense in the frame of a map is noticed, and how often a map
//! that is merely bad is suspected of it (spec 07, R-PROBE).
//!
//! Numbers of the probe are chosen by the first study alone: even seeds, and real maps whose names have an even hash. The
//! second has the odd ones, and is run to report. Simulated maps need no data; real ones are skipped where the folder is
//! absent.

mod bad_maps;
mod nonsense;
mod places;

use std::path::Path;

use mapjudge::{Loaded, Map, Plan, Subject, Truth, judge};
use model::Grid;

use super::Findings;
use super::halves::Half;
use crate::inputs::BenchError;
use bad_maps::BAD_MAPS;
use nonsense::NONSENSE;
use places::{Pair, real, real_as_they_are, simulated};

pub fn run(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for (title, pairs) in [("simulated", simulated(half)?), ("real", real(data, half)?)] {
        detections(title, &pairs, &mut findings)?;
        false_alarms(title, &pairs, &mut findings)?;
    }
    let real = real_as_they_are(data, half)?;
    let alarms = alarms(real.iter().map(|pair| (pair.name.clone(), pair.map.clone(), &pair.truth)))?;
    findings.report_alarms("real pairs as they are", &alarms, real.len());
    Ok(findings)
}

/// How often each kind of nonsense is noticed, and how often by its own code.
fn detections(title: &str, pairs: &[Pair], findings: &mut Findings) -> Result<(), BenchError> {
    for nonsense in NONSENSE {
        let (mut noticed, mut named, mut missed) = (0, 0, Vec::new());
        for (index, pair) in pairs.iter().enumerate() {
            let (map, truth) = (nonsense.make)(pair, index)?;
            let codes = codes(map, &truth)?;
            noticed += usize::from(!codes.is_empty());
            named += usize::from(codes.iter().any(|code| nonsense.codes.contains(&code.as_str())));
            if codes.is_empty() {
                missed.push(pair.name.as_str());
            }
        }
        let line = format!(
            "{title:9} {:28} noticed {noticed:3} of {:3}, by its code {named:3}   {}",
            nonsense.name,
            pairs.len(),
            missed.join(" ")
        );
        findings.table.push(line.trim_end().to_owned());
    }
    Ok(())
}

/// How often maps that are merely bad are suspected.
fn false_alarms(title: &str, pairs: &[Pair], findings: &mut Findings) -> Result<(), BenchError> {
    for bad in BAD_MAPS {
        let mut maps = Vec::new();
        for (index, pair) in pairs.iter().enumerate() {
            // Far enough in the list to be of another place.
            let other = &pairs[(index + pairs.len() / 2) % pairs.len()];
            maps.push((pair.name.clone(), (bad.make)(pair, other, index as u64)?, &pair.truth));
        }
        let count = maps.len();
        let alarms = alarms(maps.into_iter())?;
        findings.report_alarms(&format!("{title} {}", bad.name), &alarms, count);
    }
    Ok(())
}

impl Findings {
    /// One line of the table; an alarm is a figure that must not be.
    fn report_alarms(&mut self, title: &str, alarms: &[String], count: usize) {
        let line = format!("{title:38} false alarms {:3} of {count:3}   {}", alarms.len(), alarms.join("; "));
        self.table.push(line.trim_end().to_owned());
        if !alarms.is_empty() {
            self.missed.push(format!("{title}: {} false alarms of {count}", alarms.len()));
        }
    }
}

/// Names and codes of the maps that are suspected.
fn alarms<'a>(maps: impl Iterator<Item = (String, Grid, &'a Grid)>) -> Result<Vec<String>, BenchError> {
    let mut alarms = Vec::new();
    for (name, map, truth) in maps {
        let codes = codes(map, truth)?;
        if !codes.is_empty() {
            alarms.push(format!("{name} {}", codes.join(" ")));
        }
    }
    Ok(alarms)
}

/// Codes of what a judge finds in a map whose origin counts.
fn codes(map: Grid, truth: &Grid) -> Result<Vec<String>, BenchError> {
    let plan = Plan { metrics: vec!["overall_error".to_owned()], ..Plan::default() };
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(truth.clone()))), ..Truth::default() };
    let subject = Subject::of_map("map", Loaded::in_memory(Map::new(map)));
    let report = judge(&subject, &truth, &plan).map_err(BenchError::study)?;
    Ok(report.findings.into_iter().map(|finding| finding.code.into_owned()).collect())
}
