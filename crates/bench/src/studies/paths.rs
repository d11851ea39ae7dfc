//! `mapjudge-study paths`: the path family on real maps.
//!
//! 1. A map against itself has no false negative and no false positive, on every map of three sets.
//! 2. On slam-comparison-leo usefulness ranks gmapping and slam_toolbox above RTAB-Map RGB-D and Cartographer.
//! 3. Salt noise of 0.5 % of the cells changes usefulness by at most 0.05 with `despeckle = 4`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formats::{ReadOptions, read_map};
use metrics::paths::path_inputs::PathInputs;
use metrics::{AnyMetric, Case, Resample, Undefined, Window};
use model::{CellClass, Grid, Point2, Pose2};

use super::Findings;
use crate::inputs::BenchError;

const SETS: [&str; 3] = ["room-segmentation-ipa", "slam-comparison-leo", "halmstad-robot-maps"];
const SALT_SHARE: f64 = 0.005;
const MAX_CHANGE: f64 = 0.05;

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for set in SETS {
        against_themselves(&data.join(set), set, &mut findings)?;
    }
    for world in ["office", "abstract"] {
        rank(&data.join("slam-comparison-leo"), world, &mut findings)?;
    }
    Ok(findings)
}

fn options() -> ReadOptions {
    ReadOptions { treat_205_as_unknown: true, resolution_m: None, ..ReadOptions::default() }
}

/// Maps of a folder and the folders below it; an image without a cell size counts 0.05 m.
fn maps_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), BenchError> {
    let failed = |error: std::io::Error| BenchError::Description {
        path: folder.to_owned(),
        reason: error.to_string(),
    };
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            maps_below(&entry, found)?;
        } else if entry.extension().is_some_and(|ending| ["png", "pgm"].iter().any(|known| ending == *known))
        {
            found.push(entry);
        }
    }
    Ok(())
}

fn against_themselves(folder: &Path, set: &str, findings: &mut Findings) -> Result<(), BenchError> {
    let mut maps = Vec::new();
    maps_below(folder, &mut maps)?;
    let (mut zero, mut without_edges, mut unread) = (0, 0, 0);
    for path in &maps {
        let assumed = ReadOptions { resolution_m: Some(0.05), ..options() };
        let Ok(file) = read_map(path, &assumed) else {
            unread += 1;
            continue;
        };
        let grid = Arc::new(file.grid);
        let case = pair(&grid, &grid, &PathInputs::default())?;
        for id in ["path_false_negatives", "path_false_positives"] {
            match value(id, &case) {
                Ok(0.0) => zero += 1,
                Err(_) => without_edges += 1,
                Ok(other) => findings.missed.push(format!("{}: {id} of itself is {other}", path.display())),
            }
        }
    }
    findings.table.push(format!(
        "{set}: {} maps against themselves: {zero} values 0, {without_edges} undefined (no edge), {unread} files no map",
        maps.len()
    ));
    Ok(())
}

fn rank(folder: &Path, world: &str, findings: &mut Findings) -> Result<(), BenchError> {
    let results = folder.join("test_results").join(world);
    let truth = Arc::new(
        read_map(&folder.join(format!("ground_truths/{world}_ground_truth.yaml")), &options())?.grid,
    );
    let mut values = Vec::new();
    for system in ["gmapping", "slam_toolbox", "lidar_rtabmap", "rgbd_rtabmap", "cartographer"] {
        let map = Arc::new(read_map(&results.join(format!("{system}_map.yaml")), &options())?.grid);
        let start = first_pose(&results.join(format!("{system}_pose_log.csv")))?;
        let inputs = PathInputs { start: Some(node_nearest_to(&truth, start)?), ..PathInputs::default() };
        let usefulness = value("path_usefulness", &pair(&truth, &map, &inputs)?).unwrap_or(0.0);
        let clean = PathInputs { despeckle: 4, ..inputs.clone() };
        let before = value("path_usefulness", &pair(&truth, &map, &clean)?).unwrap_or(0.0);
        let salted = Arc::new(with_salt(&map)?);
        let after = value("path_usefulness", &pair(&truth, &salted, &clean)?).unwrap_or(0.0);
        findings.table.push(format!(
            "{world} {system}: usefulness {usefulness:.4}; despeckled {before:.4}, with salt {after:.4}"
        ));
        if (after - before).abs() > MAX_CHANGE {
            findings.missed.push(format!("{world} {system}: salt moves usefulness from {before} to {after}"));
        }
        values.push(usefulness);
    }
    let (good, bad) = (values[0].min(values[1]), values[3].max(values[4]));
    if good <= bad {
        findings.missed.push(format!("{world}: {good} of the good maps against {bad} of the bad ones"));
    }
    Ok(())
}

/// The true position of the first row of a pose log.
fn first_pose(path: &Path) -> Result<Point2, BenchError> {
    let wrong = |reason: &str| BenchError::Description { path: path.to_owned(), reason: reason.to_owned() };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
    let row = text.lines().nth(1).ok_or_else(|| wrong("expected a row"))?;
    let numbers: Vec<f64> = row.split(',').filter_map(|cell| cell.trim().parse().ok()).collect();
    match numbers[..] {
        [_, _, _, x_m, y_m] => Ok(Point2::new(x_m, y_m)),
        _ => Err(wrong("expected five columns")),
    }
}

fn node_nearest_to(truth: &Arc<Grid>, place: Point2) -> Result<[f64; 2], BenchError> {
    let ground = metrics::paths::ground::Ground::new(truth, &PathInputs::default());
    let no_graph = || BenchError::no_value("graph of the truth");
    let graph = ground.skeleton().map_err(|_| no_graph())?;
    let places = graph.nodes.iter().map(|node| ground.place_of(node.cell as usize));
    let off = |p: &Point2| p.distance_m(place);
    let nearest = places.min_by(|a, b| off(a).total_cmp(&off(b))).ok_or_else(no_graph)?;
    Ok([nearest.x_m, nearest.y_m])
}

fn pair(truth: &Arc<Grid>, map: &Arc<Grid>, inputs: &PathInputs) -> Result<Case, BenchError> {
    let grids = align::common_grid(truth, map, Pose2::IDENTITY, Window::Truth, Resample::OccupiedWins);
    let grids = grids.map_err(BenchError::no_value)?;
    Ok(Case::new(grids).with_paths(inputs.clone()))
}

fn value(id: &str, case: &Case) -> Result<f64, Undefined> {
    let metric: Option<Box<dyn AnyMetric>> = metrics::find(id).map(|entry| (entry.make)());
    metric
        .map_or(Err(metrics::Reason::NoMatch.into()), |metric| metric.evaluate(case))
        .map(|score| score.value)
}

/// The map with a share of its cells occupied, always the same ones.
fn with_salt(map: &Grid) -> Result<Grid, BenchError> {
    let mut state = 2009_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let salted = |class: &CellClass| if draw() < SALT_SHARE { CellClass::Occupied } else { *class };
    let classes = map.classes().iter().map(salted).collect();
    Grid::new(*map.geometry(), classes).map_err(BenchError::no_value)
}
