//! Barrels with one setting on real and on generated maps, and the whole chain on generated arenas.
//!
//! Real: the labelled map of a rescue arena, and false circles on maps and plans without such barrels. Generated: the
//! benchmark kit's maps, from `.cache/bench` or the folder named by `MAPJUDGE_BENCH_CACHE`. Arenas: example 06-E9.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formats::{ReadOptions, read_map};
use metrics::Case;
use metrics::fiducials::{FiducialInputs, FiducialSearch, LayoutFrame};
use model::{CellClass, Grid, wrap};
use raster::circles::Circle;
use raster::circles::outlines::{MIN_QUALITY, OutlineSearch, outlines};
use sim::BarrelArena;

use super::Findings;
use crate::inputs::BenchError;

/// A labelled site is found within this distance, in pixels.
const SITE_PX: f64 = 2.0;
/// A generated barrel is found within this distance, in cells, as in the benchmark kit.
const BARREL_CELLS: f64 = 3.0;
const ARENAS: u64 = 20;

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    labelled_map(data, &mut findings)?;
    maps_without_barrels(data, &mut findings)?;
    generated_maps(&mut findings)?;
    arenas(&mut findings)?;
    Ok(findings)
}

fn read(path: &Path) -> Result<Grid, BenchError> {
    Ok(read_map(path, &ReadOptions { resolution_m: Some(0.05), ..Default::default() })?.grid)
}

fn barrels(map: &Grid, low: f64, high: f64) -> Result<Vec<Circle>, BenchError> {
    let search = OutlineSearch { min_radius_cells: low, max_radius_cells: high, min_quality: MIN_QUALITY };
    outlines(map.class_bytes(), CellClass::Occupied as u8, map.geometry().width(), &search)
        .map_err(BenchError::no_value)
}

/// A labelled place: site, x, y.
pub(super) type Site = (String, f64, f64);

/// Recall, precision, correct entries at the head of the list and mean centre error on the labelled map.
fn labelled_map(data: &Path, findings: &mut Findings) -> Result<(), BenchError> {
    let folder = data.join("robocup-rescue/singapore2010-maze-barrels");
    let sites = sites(&folder.join("barrels.csv"))?;
    let map = read(&folder.join("singa.png"))?;
    for (low, high, precision_must, head_must) in [(6.0, 6.0, 0.9, 10), (4.0, 10.0, 0.75, 0)] {
        let found = barrels(&map, low, high)?;
        let nearest: Vec<(f64, &str)> = found.iter().map(|circle| nearest_site(&sites, circle)).collect();
        let hits: Vec<&(f64, &str)> = nearest.iter().filter(|(away, _)| *away <= SITE_PX).collect();
        let mut names: Vec<&str> = hits.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        names.dedup();
        let precision = hits.len() as f64 / found.len().max(1) as f64;
        let head = nearest.iter().take_while(|(away, _)| *away <= SITE_PX).count();
        let error_px = hits.iter().map(|(away, _)| away).sum::<f64>() / hits.len().max(1) as f64;
        let line = format!(
            "singa.png radius {low}..{high}: {} of 12 sites, precision {precision:.2}, first {head} true, centre error {error_px:.2} px",
            names.len()
        );
        let holds = names.len() >= 10 && precision >= precision_must && head >= head_must && error_px <= 0.8;
        findings.line(line, holds);
    }
    Ok(())
}

pub(super) fn nearest_site<'a>(sites: &'a [Site], circle: &Circle) -> (f64, &'a str) {
    let away = |(name, x, y): &'a Site| ((circle.x_cells - x).hypot(circle.y_cells - y), name.as_str());
    sites.iter().map(away).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, ""))
}

/// The labels: one row per arc, the note begins with `site N`.
pub(super) fn sites(path: &Path) -> Result<Vec<Site>, BenchError> {
    let wrong = |reason: String| BenchError::Description { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok());
        let site = fields.get(5).and_then(|note| note.split_whitespace().nth(1));
        Some((site?.to_owned(), number(0)?, number(1)?))
    };
    let rows: Option<Vec<Site>> = text.lines().skip(1).map(row).collect();
    rows.ok_or_else(|| wrong("expected x, y, radius, start, opening, note".to_owned()))
}

/// False circles per 1000 occupied cells on each map without barrels.
fn maps_without_barrels(data: &Path, findings: &mut Findings) -> Result<(), BenchError> {
    let mut files = Vec::new();
    for set in ["room-segmentation-ipa", "halmstad-robot-maps", "slam-comparison-leo", "ros-maps/nav2"] {
        collect(&data.join(set), &mut files);
    }
    files.sort();
    let (mut worst, mut worst_name, mut total, mut cells) = (0.0, String::new(), 0, 0);
    for file in &files {
        let map = read(file)?;
        let occupied = map.class_counts()[2];
        let found = barrels(&map, 6.0, 6.0)?.len();
        (total, cells) = (total + found, cells + occupied);
        let rate = 1000.0 * found as f64 / occupied.max(1) as f64;
        if rate > worst {
            (worst, worst_name) = (rate, file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    let mean = 1000.0 * total as f64 / cells.max(1) as f64;
    let line = format!(
        "{} maps without barrels, radius 6: {total} false circles, {mean:.3} per 1000 occupied cells, worst {worst:.3} ({worst_name})",
        files.len()
    );
    findings.line(line, worst <= 0.5);
    Ok(())
}

/// Pictures of a folder and its folders that are maps: no ground truths of rooms.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_picture = [".png", ".pgm", ".bmp"].iter().any(|ending| name.ends_with(ending));
        if path.is_dir() {
            collect(&path, files);
        } else if is_picture && !name.contains("_gt_") {
            files.push(path);
        }
    }
}

/// Recall and precision on the benchmark kit's maps.
fn generated_maps(findings: &mut Findings) -> Result<(), BenchError> {
    let cache =
        std::env::var_os("MAPJUDGE_BENCH_CACHE").map_or_else(|| PathBuf::from(".cache/bench"), PathBuf::from);
    for (size, name) in [(800, "truth"), (800, "noise"), (2000, "truth"), (2000, "noise")] {
        let folder = cache.join(format!("inputs/maps/{size}"));
        let true_barrels = described_barrels(&folder.join("truth.json"))?;
        let found = barrels(&read(&folder.join(format!("{name}.png")))?, 6.0, 12.0)?;
        let is_near = |circle: &Circle, barrel: &[f64; 3]| {
            (circle.x_cells - 0.5 - barrel[0]).hypot(circle.y_cells - 0.5 - barrel[1]) <= BARREL_CELLS
        };
        let seen =
            true_barrels.iter().filter(|barrel| found.iter().any(|circle| is_near(circle, barrel))).count();
        let right =
            found.iter().filter(|circle| true_barrels.iter().any(|barrel| is_near(circle, barrel))).count();
        let (recall, precision) =
            (seen as f64 / true_barrels.len().max(1) as f64, right as f64 / found.len().max(1) as f64);
        let line = format!("generated {size} {name}: recall {recall:.3}, precision {precision:.3}");
        findings.line(line, recall >= 0.9 && precision >= 0.85);
    }
    Ok(())
}

fn described_barrels(path: &Path) -> Result<Vec<[f64; 3]>, BenchError> {
    let wrong = |reason: String| BenchError::Description { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let description: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_value(description["barrels"].clone()).map_err(|error| wrong(error.to_string()))
}

/// Example 06-E9 on many seeds, rotations over the full circle, jitter from 0.15 to 0.4 cells.
fn arenas(findings: &mut Findings) -> Result<(), BenchError> {
    let (mut whole, mut turn_deg, mut off_m, mut pair_m) = (0, 0.0_f64, 0.0_f64, 0.0_f64);
    for seed in 1..=ARENAS {
        let part = (seed - 1) as f64 / (ARENAS - 1) as f64;
        let rotation_rad = (-180.0 + 18.0 * (seed as f64 - 0.5)).to_radians();
        let arena =
            BarrelArena { seed, rotation_rad, jitter_cells: 0.15 + 0.25 * part, ..Default::default() };
        let mapped = arena.mapped().map_err(BenchError::no_value)?;
        let case = Case::without_maps().with_fiducials(FiducialInputs {
            layout: mapped.layout,
            map: Arc::new(mapped.map),
            frame: LayoutFrame::Unknown,
            search: FiducialSearch::default(),
        });
        whole += u32::from(value(&case, "fiducial_coverage", "coverage")? == 1.0);
        let relative = detail(&case, "fiducial_relative_accuracy")?;
        let turned_rad = relative["truth_from_map"]["theta_rad"].as_f64().unwrap_or(f64::NAN);
        turn_deg = turn_deg.max(wrap(turned_rad + rotation_rad).to_degrees().abs());
        off_m = off_m.max(value(&case, "fiducial_relative_accuracy", "mean_distance_m")?);
        for id in ["fiducial_short_consistency", "fiducial_long_consistency"] {
            let pairs = detail(&case, id)?;
            let differences = pairs["pairs"].as_array().into_iter().flatten().map(|pair| {
                let found = pair["found_m"].as_f64().unwrap_or(f64::INFINITY);
                (found - pair["true_m"].as_f64().unwrap_or(0.0)).abs()
            });
            pair_m = differences.fold(pair_m, f64::max);
        }
    }
    let line = format!(
        "arenas: 16 of 16 parts in {whole} of {ARENAS}; worst rotation {turn_deg:.2} deg, mean error {off_m:.4} m, pair {pair_m:.4} m"
    );
    let holds = u64::from(whole) == ARENAS && turn_deg <= 0.5 && off_m <= 0.02 && pair_m <= 0.03;
    findings.line(line, holds);
    Ok(())
}

fn detail(case: &Case, id: &str) -> Result<serde_json::Value, BenchError> {
    let entry = metrics::find(id).ok_or_else(|| BenchError::no_value(id))?;
    let score =
        (entry.make)().evaluate(case).map_err(|error| BenchError::NoValue(format!("{id}: {error}")))?;
    Ok(serde_json::Value::Object(score.detail))
}

fn value(case: &Case, id: &str, fact: &str) -> Result<f64, BenchError> {
    detail(case, id)?[fact].as_f64().ok_or_else(|| BenchError::NoValue(format!("{id}: {fact}")))
}
