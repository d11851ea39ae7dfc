//! `mapjudge-study unseen-brokenness` (and `..-tuning`): every map against itself, and cut through its middle; and whether
//! the search for an alignment finds a part of a map that is broken.

use std::path::Path;

use align::piecewise::{Parts, Piecewise, piecewise};
use align::{Aligner, Correlative, Verdict, worst_corner_m};
use metrics::rooms::brokenness::is_intact;
use model::Similarity2;
use raster::rooms::visibility::{Visibility, visibility_rooms};

use super::truths::{Place, places};
use crate::inputs::BenchError;
use crate::measure::cpu_s;
use crate::studies::Findings;
use crate::studies::brokenness::{cut, cut_by};
use crate::studies::halves::Half;

/// Metres and degrees of each cut, and the share of the maps on which it must be found.
const CUTS: [(f64, f64, f64); 3] = [(0.3, 0.0, 0.9), (0.0, 5.0, 0.9), (0.25, 0.0, 0.75)];
/// Cuts must be found on maps with so many rooms.
const MIN_ROOMS: u32 = 4;
/// Breaks of which the larger part should be aligned, degrees, and how near its corners must come.
const BREAKS_DEG: [f64; 2] = [7.0, 10.0];
const NEAR_M: f64 = 1.0;
const SLOWEST_S: f64 = 5.0;
const MIN_SHARE: f64 = 0.9;

pub fn run(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let places = places(data, half)?;
    let mut cut_up = Vec::new();
    for place in &places {
        let start_s = cpu_s();
        let parts = taken_apart(place, &place.grid)?;
        let seconds = cpu_s() - start_s;
        let rooms = visibility_rooms(&place.grid, &Visibility::default()).rooms.count;
        let share = parts.largest_share();
        findings.table.push(format!("{:<44} {rooms:3} rooms share {share:.2} {seconds:.2} s", place.name));
        if !is_intact(&parts) || share < MIN_SHARE || seconds > SLOWEST_S {
            findings.missed.push(format!("{} against itself: share {share:.2}, {seconds:.2} s", place.name));
        }
        if rooms >= MIN_ROOMS {
            cut_up.push(place);
        }
    }
    for (shift_m, turn_deg, must) in CUTS {
        let mut missed = Vec::new();
        for place in &cut_up {
            let parts = taken_apart(place, &cut(&place.grid, shift_m, turn_deg))?;
            if is_intact(&parts) {
                missed.push(place.name.as_str());
            }
        }
        let found = cut_up.len() - missed.len();
        findings.table.push(format!(
            "cut by {shift_m} m, {turn_deg} degrees: found on {found} of {}; not on {}",
            cut_up.len(),
            missed.join(", ")
        ));
        if (found as f64) < must * cut_up.len() as f64 {
            findings
                .missed
                .push(format!("cut by {shift_m} m, {turn_deg} degrees: {found} of {}", cut_up.len()));
        }
    }
    for turn_deg in BREAKS_DEG {
        align_broken(&cut_up, turn_deg, &mut findings)?;
    }
    Ok(findings)
}

/// How many broken maps get the frame of one of their parts for certain; none may get another.
fn align_broken(places: &[&Place], turn_deg: f64, findings: &mut Findings) -> Result<(), BenchError> {
    let (mut certain, mut wrong) = (0, Vec::new());
    for place in places {
        let (map, motion) = cut_by(&place.grid, 0.0, turn_deg);
        let found = Correlative::default().align(&place.grid, &map).map_err(BenchError::no_value)?;
        let off_m = |part: Similarity2| {
            found.truth_from_map.map_or(f64::INFINITY, |found| worst_corner_m(&map, found, part))
        };
        let off_m = off_m(Similarity2::IDENTITY).min(off_m(motion.inverse().into()));
        if found.certificate.verdict == Verdict::Certain {
            certain += 1;
            if off_m > NEAR_M {
                wrong.push(format!("{} {off_m:.2} m off", place.name));
            }
        }
    }
    let line = format!(
        "turned by {turn_deg} degrees: aligned for certain {certain} of {}; wrong: {}",
        places.len(),
        if wrong.is_empty() { "none".to_owned() } else { wrong.join(", ") }
    );
    findings.line(line, wrong.is_empty());
    Ok(())
}

fn taken_apart(place: &Place, map: &model::Grid) -> Result<Parts, BenchError> {
    piecewise(&place.grid, map, &Piecewise::default()).ok_or_else(|| BenchError::no_value(&place.name))
}
