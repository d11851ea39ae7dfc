//! Brokenness on the maps of `slam-comparison-leo`: intact and distorted ones, from four start poses.
//!
//! Also: intact maps cut in half and moved must fall into parts, and after alignment every intact map must score better
//! than every distorted one of its world.

use std::path::Path;
use std::sync::Arc;

use align::piecewise::{Parts, Piecewise, piecewise};
use align::{AlignedGrids, Aligner, Correlative, Resample, Window, common_grid};
use formats::{ReadOptions, read_map};
use metrics::rooms::brokenness::is_intact;
use metrics::{Better, Case};
use model::{CellClass, Grid, Pose2};

use super::Findings;
use crate::inputs::BenchError;

const WORLDS: [&str; 2] = ["abstract", "office"];
const SYSTEMS: [&str; 5] = ["cartographer", "gmapping", "lidar_rtabmap", "rgbd_rtabmap", "slam_toolbox"];
/// Start poses: x and y in metres, degrees.
const STARTS: [(f64, f64, f64); 4] =
    [(0.0, 0.0, -11.0), (0.7, -0.4, -3.5), (-1.1, 0.3, 6.0), (0.5, 0.9, 13.0)];
/// Metrics under which intact maps must win.
const RANKED_BY: [&str; 7] = [
    "image_similarity",
    "picture_distance",
    "baron_correlation",
    "map_score_collins",
    "normalized_map_score_collins",
    "normalized_map_score_balaguer",
    "map_score_balaguer",
];
/// Cuts: translation in metres, yaw in degrees.
const CUTS: [(f64, f64); 2] = [(0.30, 0.0), (0.0, 5.0)];

fn is_known_intact(world: &str, system: &str) -> bool {
    matches!((world, system), (_, "gmapping" | "slam_toolbox") | ("office", "lidar_rtabmap"))
}

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let folder = data.join("slam-comparison-leo");
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for world in WORLDS {
        let truth = Arc::new(read(&folder.join(format!("ground_truths/{world}_ground_truth.yaml")))?);
        let mut scored = Vec::new();
        for system in SYSTEMS {
            let map = read(&folder.join(format!("test_results/{world}/{system}_map.yaml")))?;
            let intact = is_known_intact(world, system);
            for (index, start) in STARTS.into_iter().enumerate() {
                let grids = aligned(&truth, &map, start)?;
                judge(&format!("{world} {system} start {index}"), &grids, intact, &mut findings);
                if index == 0 && intact {
                    cut_and_judge(&format!("{world} {system}"), &grids, &mut findings);
                }
                if index == 0 {
                    scored.push((system, intact, Case::new(grids)));
                }
            }
        }
        compare(world, &scored, &mut findings);
    }
    Ok(findings)
}

/// The files' free threshold reads unknown cells as free; the usual one does not.
fn read(path: &Path) -> Result<Grid, BenchError> {
    let options = ReadOptions { free_thresh: Some(0.196), ..ReadOptions::default() };
    Ok(read_map(path, &options)?.grid)
}

/// The map moved to a start pose, found again, and brought onto the cells of the truth.
fn aligned(
    truth: &Arc<Grid>,
    map: &Grid,
    (x_m, y_m, deg): (f64, f64, f64),
) -> Result<AlignedGrids, BenchError> {
    let failed = |what: &dyn std::fmt::Display| BenchError::NoValue(what.to_string());
    let moved = map.geometry().moved_by(Pose2::new(x_m, y_m, deg.to_radians()));
    let moved = Arc::new(map.clone().with_geometry(moved).map_err(|error| failed(&error))?);
    let found = Correlative::default().align(truth, &moved).map_err(|error| failed(&error))?;
    let transform = found.truth_from_map.ok_or_else(|| failed(&"alignment"))?;
    common_grid(truth, &moved, transform, Window::Truth, Resample::OccupiedWins)
        .map_err(|error| failed(&error))
}

fn parts_of(grids: &AlignedGrids) -> Option<Parts> {
    piecewise(&grids.truth, &grids.map, &Piecewise::default())
}

fn judge(name: &str, grids: &AlignedGrids, intact: bool, findings: &mut Findings) {
    let Some(parts) = parts_of(grids) else {
        findings.missed.push(format!("{name}: no parts"));
        return;
    };
    let (count, share, rest) = (parts.parts.len(), parts.largest_share(), parts.unregistered_share());
    findings.table.push(format!("{name:36} parts {count} largest {share:.2} unregistered {rest:.2}"));
    let holds = if intact {
        count == 1 && share >= 0.90 && is_intact(&parts)
    } else {
        !is_intact(&parts) && share <= 0.60
    };
    if !holds {
        let expected = if intact { "1 part of at least 0.90" } else { "no part above 0.60" };
        findings.missed.push(format!("{name}: {count} parts, largest {share:.2}, expected {expected}"));
    }
}

/// Moves the right half of an intact map; it must fall into parts.
fn cut_and_judge(name: &str, grids: &AlignedGrids, findings: &mut Findings) {
    for (shift_m, turn_deg) in CUTS {
        let cut = AlignedGrids { map: Arc::new(cut(&grids.map, shift_m, turn_deg)), ..grids.clone() };
        let count = parts_of(&cut).map_or(0, |parts| parts.parts.len());
        findings.table.push(format!("{name:36} cut by {shift_m:.2} m, {turn_deg} degrees: parts {count}"));
        if count < 2 {
            findings.missed.push(format!("{name}: cut by {shift_m} m, {turn_deg} degrees: {count} parts"));
        }
    }
}

/// The map with the walls of its right half moved up and turned about its middle.
pub fn cut(map: &Grid, shift_m: f64, turn_deg: f64) -> Grid {
    cut_by(map, shift_m, turn_deg).0
}

/// The same, and the motion of the right half.
pub fn cut_by(map: &Grid, shift_m: f64, turn_deg: f64) -> (Grid, Pose2) {
    let geometry = map.geometry();
    let walls: Vec<usize> =
        (0..geometry.cells()).filter(|&cell| map.classes()[cell] == CellClass::Occupied).collect();
    let center = |cell: usize| geometry.center_of(geometry.cell_of(cell));
    let mean =
        |of: fn(model::Point2) -> f64| walls.iter().map(|&w| of(center(w))).sum::<f64>() / walls.len() as f64;
    let (x_m, y_m) = (mean(|p| p.x_m), mean(|p| p.y_m));
    let middle = Pose2::new(x_m, y_m, 0.0);
    let motion = Pose2::new(0.0, shift_m, 0.0)
        * middle
        * Pose2::new(0.0, 0.0, turn_deg.to_radians())
        * middle.inverse();
    let mut classes = map.classes().to_vec();
    let right: Vec<usize> = walls.into_iter().filter(|&wall| center(wall).x_m > x_m).collect();
    right.iter().for_each(|&wall| classes[wall] = CellClass::Free);
    for &wall in &right {
        if let Some(cell) = geometry.cell_at(motion * center(wall)) {
            classes[geometry.index_of(cell)] = CellClass::Occupied;
        }
    }
    (Grid::new(*geometry, classes).unwrap_or_else(|_| map.clone()), motion)
}

/// Every intact map must be better than every distorted one.
fn compare(world: &str, scored: &[(&str, bool, Case)], findings: &mut Findings) {
    for id in RANKED_BY {
        let Some(entry) = metrics::find(id) else { continue };
        let metric = (entry.make)();
        // Larger is better after this.
        let goodness = |case: &Case| {
            let value = metric.evaluate(case).map_or(f64::NAN, |score| score.value);
            if entry.spec.better == Better::Higher { value } else { -value }
        };
        let of = |wanted: bool| scored.iter().filter(move |(_, intact, _)| *intact == wanted);
        let worst_intact = of(true).map(|(.., case)| goodness(case)).fold(f64::INFINITY, f64::min);
        let best_distorted = of(false).map(|(.., case)| goodness(case)).fold(f64::NEG_INFINITY, f64::max);
        findings.table.push(format!(
            "{world:9} {id:32} worst intact {:.4} best distorted {:.4}",
            worst_intact.abs(),
            best_distorted.abs()
        ));
        if worst_intact <= best_distorted || worst_intact.is_nan() || best_distorted.is_nan() {
            findings.missed.push(format!("{world} {id}: a distorted map is not worse than every intact one"));
        }
    }
}
