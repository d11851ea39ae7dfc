//! Barrels in drawn labyrinths and on maps without barrels, and the certificate of layouts.
//!
//! Drawn: labyrinths of even seeds to choose by, 50 of odd seeds from 201 to report on ([`labyrinth`]); the radius is known,
//! as in `mapjudge fiducials detect --radius-px`. Odd seeds below were looked at once, with a setting that was then changed. Real: every map of the shared sets without barrels, split by name, with
//! a radius of six cells. The labelled map of an arena was used to choose; it stands beside both halves.

mod clutter;
mod labyrinth;
mod pen;
mod placements;

use std::path::{Path, PathBuf};

use formats::{ReadOptions, read_map};
use model::{CellClass, Grid};
use raster::circles::Circle;
use raster::circles::outlines::{MIN_QUALITY, OutlineSearch, outlines};

use self::labyrinth::{Labyrinth, labyrinth};
use super::super::Findings;
use super::super::fiducials::{Site, nearest_site, sites};
use super::super::halves::{Half, half_of, stem};
use crate::inputs::BenchError;

const LABYRINTHS: u64 = 50;
/// A drawn barrel is found within this share of its radius, centre and radius, and within two pixels at least.
const NEAR_SHARE: f64 = 0.25;
const NEAR_PX: f64 = 2.0;
/// Radius on maps without barrels, in cells.
const REAL_RADIUS_CELLS: f64 = 6.0;
/// Sets of real maps.
const SETS: [&str; 8] = [
    "halmstad-robot-maps",
    "maoris",
    "robocup-rescue/mrs-testbed-pgm",
    "room-segmentation-ipa",
    "ros-maps",
    "slam-comparison-leo",
    "strands-maps",
    "turtlebot3-gmapping-variants",
];
/// Parts of paths that are no maps: segmentations by people and programs, straightened drawings.
const NO_MAPS: [&str; 10] = [
    "gt",
    "GT",
    "segment",
    "DuDe",
    "Voronoi",
    "Lex_",
    "EzVin",
    "RobotMap/maoris",
    "Sketches/maoris",
    "straighten",
];
/// Round bins of six cells stand along the corridor of the first two maps, and seven round columns of that size in the third;
/// all were looked at.
const WITH_BARRELS: [&str; 3] = [
    "strands-maps/giraff/UMA_236.pgm",
    "strands-maps/giraff/UMA_236_237.pgm",
    "maoris/RobotMap/Maps/NLB.png",
];
/// The first odd seeds were looked at before the last change of a number.
const SEEN_SEEDS: u64 = 200;

pub fn run(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let drawn: Vec<Labyrinth> = (0..LABYRINTHS).map(|index| labyrinth(seed(half, index))).collect();
    drawn_barrels(&drawn, &mut findings)?;
    maps_without_barrels(data, half, &mut findings)?;
    labelled_map(data, &mut findings)?;
    placements::drawn(&drawn, &mut findings)?;
    placements::labelled(data, &mut findings)?;
    Ok(findings)
}

/// Even seeds to choose by, odd ones that nobody saw to report on.
const fn seed(half: Half, index: u64) -> u64 {
    match half {
        Half::Tuning => 2 * index,
        Half::HeldOut => SEEN_SEEDS + 2 * index + 1,
    }
}

fn found(plane: &[u8], width: usize, low: f64, high: f64) -> Result<Vec<Circle>, BenchError> {
    let search = OutlineSearch { min_radius_cells: low, max_radius_cells: high, min_quality: MIN_QUALITY };
    outlines(plane, CellClass::Occupied as u8, width, &search).map_err(BenchError::no_value)
}

/// Recall and precision over all labyrinths, with the radius known, known to a fifth, and only known to be 5 to 40.
fn drawn_barrels(drawn: &[Labyrinth], findings: &mut Findings) -> Result<(), BenchError> {
    let known = |l: &Labyrinth| (l.radius_px, l.radius_px);
    let roughly = |l: &Labyrinth| (0.8 * l.radius_px, 1.2 * l.radius_px);
    let [low, high] = labyrinth::RADII_PX;
    type Range<'a> = &'a dyn Fn(&Labyrinth) -> (f64, f64);
    let ranges: [(&str, Range<'_>, bool); 3] = [
        ("radius known", &known, true),
        ("radius known to a fifth", &roughly, false),
        ("radius 5 to 40", &|_| (low, high), false),
    ];
    for (name, range, must_hold) in ranges {
        let (mut sites, mut seen, mut entries, mut right) = (0, 0, 0, 0);
        for labyrinth in drawn {
            let (low, high) = range(labyrinth);
            let circles = found(&labyrinth.cells, labyrinth.width, low, high)?;
            let is_near = |circle: &Circle, site: &[f64; 2]| {
                let reach = (NEAR_SHARE * labyrinth.radius_px).max(NEAR_PX);
                let away = (circle.x_cells - site[0]).hypot(circle.y_cells - site[1]);
                away <= reach && (circle.radius_cells - labyrinth.radius_px).abs() <= reach
            };
            sites += labyrinth.sites.len();
            entries += circles.len();
            seen += labyrinth
                .sites
                .iter()
                .filter(|site| circles.iter().any(|circle| is_near(circle, site)))
                .count();
            right += circles
                .iter()
                .filter(|circle| labyrinth.sites.iter().any(|site| is_near(circle, site)))
                .count();
        }
        let (recall, precision) = (ratio(seen, sites), ratio(right, entries));
        let line = format!(
            "{} labyrinths, {name}: {seen} of {sites} barrels (recall {recall:.3}), {right} of {entries} entries (precision {precision:.3})",
            drawn.len()
        );
        findings.line(line, !must_hold || (recall >= 0.9 && precision >= 0.95));
    }
    Ok(())
}

fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// False circles on each real map of a half; at most one is allowed.
fn maps_without_barrels(data: &Path, half: Half, findings: &mut Findings) -> Result<(), BenchError> {
    let mut files = Vec::new();
    SETS.iter().for_each(|set| collect(&data.join(set), &mut files));
    files.sort();
    files.retain(|file| half_of(&stem(file)) == half && !WITH_BARRELS.iter().any(|map| file.ends_with(map)));
    let (mut maps, mut total, mut above) = (0, 0, Vec::new());
    for file in &files {
        let Ok(map) = read(file) else { continue };
        let circles = found(map.class_bytes(), map.geometry().width(), REAL_RADIUS_CELLS, REAL_RADIUS_CELLS)?;
        (maps, total) = (maps + 1, total + circles.len());
        if circles.len() > 1 {
            above.push(format!("{} has {}", stem(file), circles.len()));
        }
    }
    let more = if above.is_empty() { "none".to_owned() } else { above.join(", ") };
    let line = format!("{maps} maps without barrels, radius 6: {total} false circles; more than one: {more}");
    findings.line(line, above.is_empty());
    Ok(())
}

fn read(path: &Path) -> Result<Grid, BenchError> {
    Ok(read_map(path, &ReadOptions { resolution_m: Some(0.05), ..Default::default() })?.grid)
}

/// Images of a folder and its folders that are maps.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.to_string_lossy();
        let is_image = [".png", ".pgm", ".bmp"].iter().any(|ending| name.ends_with(ending));
        if path.is_dir() {
            collect(&path, files);
        } else if is_image && !NO_MAPS.iter().any(|part| name.contains(part)) {
            files.push(path);
        }
    }
}

/// The labelled map of an arena, as it is and enlarged: each cell becomes two by two.
fn labelled_map(data: &Path, findings: &mut Findings) -> Result<(), BenchError> {
    let (map, sites) = labelled(data)?;
    let width = map.geometry().width();
    let enlarged = enlarged(map.class_bytes(), width);
    for (name, plane, scale, low, high) in [
        ("as it is", map.class_bytes(), 1.0, 6.0, 6.0),
        ("as it is", map.class_bytes(), 1.0, 4.0, 10.0),
        ("enlarged twice", &enlarged[..], 2.0, 12.0, 12.0),
    ] {
        let mut circles = found(plane, width * scale as usize, low, high)?;
        for circle in &mut circles {
            (circle.x_cells, circle.y_cells) = (circle.x_cells / scale, circle.y_cells / scale);
        }
        let nearest: Vec<(f64, &str)> = circles.iter().map(|circle| nearest_site(&sites, circle)).collect();
        let mut names: Vec<&str> =
            nearest.iter().filter(|(away, _)| *away <= NEAR_PX).map(|(_, name)| *name).collect();
        let precision = ratio(names.len(), circles.len());
        names.sort_unstable();
        names.dedup();
        let line = format!(
            "labelled map {name}, radius {low}..{high}: {} of 12 sites, precision {precision:.2}",
            names.len()
        );
        findings.line(line, names.len() >= 10 && precision >= 0.9);
    }
    Ok(())
}

fn labelled(data: &Path) -> Result<(Grid, Vec<Site>), BenchError> {
    let folder = data.join("robocup-rescue/singapore2010-maze-barrels");
    Ok((read(&folder.join("singa.png"))?, sites(&folder.join("barrels.csv"))?))
}

fn enlarged(plane: &[u8], width: usize) -> Vec<u8> {
    let double = |row: &[u8]| row.iter().flat_map(|&cell| [cell, cell]).collect::<Vec<u8>>();
    plane.chunks(width).map(double).flat_map(|row| [row.clone(), row].concat()).collect()
}
