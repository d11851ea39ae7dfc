//! Rooms on the plans of Bormann et al. 2016 (`room-segmentation-ipa`), plain and furnished.
//!
//! F1 of rooms that share more than half with a reference room, mean over plans; seconds of the slowest plan.

use std::path::Path;
use std::time::Instant;

use formats::{ReadOptions, read_map};
use model::{CellClass, Grid};
use raster::rooms::Rooms;
use raster::rooms::agreement::agreement;
use raster::rooms::combined::{Combined, combined_rooms};
use raster::rooms::visibility::{Visibility, visibility_rooms};
use raster::rooms::watershed::{Watershed, watershed_rooms};

use super::Findings;
use crate::inputs::BenchError;

/// Smaller white parts of the reference are no rooms, cells.
const MIN_REFERENCE_CELLS: usize = 400;
/// Only white is free in these plans: walls and what lies outside are drawn in greys up to 211 of 255.
const FREE_THRESH: f64 = 0.02;
/// A method's name, how it finds rooms, and the F1 it must reach on plain and furnished plans.
type Method = (&'static str, fn(&Grid) -> Option<Rooms>, [f64; 2]);
const METHODS: [Method; 3] = [
    ("visibility", |grid| Some(visibility_rooms(grid, &Visibility::default()).rooms), [0.84, 0.80]),
    ("combined", |grid| combined_rooms(grid, &Combined::default()), [0.88, 0.86]),
    ("watershed", |grid| watershed_rooms(grid, &Watershed::default()), [0.85, 0.78]),
];
const KINDS: [(&str, &str); 2] = [("plain", ""), ("furnished", "_furnitures")];
const SLOWEST_S: f64 = 2.0;

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let folder = data.join("room-segmentation-ipa/test_maps");
    let plans = plans(&folder)?;
    let mut findings = Findings { table: vec![format!("{} plans", plans.len())], missed: Vec::new() };
    for (name, find_rooms, musts) in METHODS {
        for ((kind, ending), must) in KINDS.into_iter().zip(musts) {
            let rows = plans.iter().map(|plan| judge(&folder, plan, ending, find_rooms));
            let rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
            let mean = |of: fn(&Row) -> f64| rows.iter().map(of).sum::<f64>() / rows.len().max(1) as f64;
            let slowest_s = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
            let (f1, precision, recall) = (mean(|r| r.f1), mean(|r| r.precision), mean(|r| r.recall));
            let list: Vec<String> =
                plans.iter().zip(&rows).map(|(plan, row)| format!("{plan} {:.2}", row.f1)).collect();
            findings.table.push(format!(
                "{name:10} {kind:9} F1 {f1:.3} precision {precision:.3} recall {recall:.3} slowest {slowest_s:.2} s | {}",
                list.join(", ")
            ));
            if f1 < must {
                findings.missed.push(format!("{name}, {kind}: F1 {f1:.3}, expected at least {must}"));
            }
            if slowest_s > SLOWEST_S {
                findings
                    .missed
                    .push(format!("{name}, {kind}: {slowest_s:.2} s, expected at most {SLOWEST_S}"));
            }
        }
    }
    Ok(findings)
}

struct Row {
    f1: f64,
    precision: f64,
    recall: f64,
    seconds: f64,
}

/// Names of the plans that have a reference.
fn plans(folder: &Path) -> Result<Vec<String>, BenchError> {
    let described = |error: std::io::Error| BenchError::Description {
        path: folder.to_owned(),
        reason: error.to_string(),
    };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(described)? {
        let file = entry.map_err(described)?.file_name().to_string_lossy().into_owned();
        names.extend(file.strip_suffix("_gt_segmentation.png").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn judge(
    folder: &Path,
    plan: &str,
    ending: &str,
    find_rooms: fn(&Grid) -> Option<Rooms>,
) -> Result<Row, BenchError> {
    let options =
        ReadOptions { resolution_m: Some(0.05), free_thresh: Some(FREE_THRESH), ..ReadOptions::default() };
    let map = read_map(&folder.join(format!("{plan}{ending}.png")), &options)?.grid;
    let reference = read_map(&folder.join(format!("{plan}_gt_segmentation.png")), &options)?.grid;
    let white: Vec<u8> =
        reference.classes().iter().map(|class| u8::from(*class == CellClass::Free)).collect();
    let reference = Rooms::of_components(&white, reference.geometry().width(), MIN_REFERENCE_CELLS);
    let start = Instant::now();
    let found = find_rooms(&map).ok_or_else(|| BenchError::no_value(plan))?;
    let seconds = start.elapsed().as_secs_f64();
    if found.labels.len() != reference.labels.len() {
        return Err(BenchError::NoValue(format!(
            "{plan}{ending}, which has another size than its reference"
        )));
    }
    let agreement = agreement(&reference, &found);
    let or_zero = |value: Option<f64>| value.unwrap_or(0.0);
    Ok(Row {
        f1: or_zero(agreement.f1()),
        precision: or_zero(agreement.precision()),
        recall: or_zero(agreement.recall()),
        seconds,
    })
}
