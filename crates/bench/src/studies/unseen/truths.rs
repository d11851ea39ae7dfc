//! The truths of the studies of unseen maps: simulated places by their seeds, real maps by a hash of their places.

use std::path::{Path, PathBuf};

use formats::{ReadOptions, read_map};
use model::Grid;
use sim::arena::{Arena, MazePlan, OfficeFloorPlan};
use sim::place::{OfficePlan, office};

use super::halls::{corridor, shelves};
use crate::inputs::BenchError;
use crate::studies::halves::{Half, half_of, sorted, stem};

/// A map that stands for the truth.
pub struct Place {
    /// All maps of one place have the same name before the slash.
    pub name: String,
    pub grid: Grid,
}

/// Height at which arenas are cut.
const SLICE_M: f64 = 0.5;
/// Larger real maps take longer and say no more.
const MAX_SIDE_CELLS: usize = 1400;
/// Real maps with fewer walls are test images.
const MIN_WALLS: u64 = 400;
/// Simulated places of each kind.
const SIMULATED: u64 = 5;

/// Places that repeat themselves: half halls of shelves, half corridors.
pub fn repeating(half: Half, count: u64) -> Result<Vec<Place>, BenchError> {
    let seeds = (0..count).map(|step| 2 * step + u64::from(half == Half::HeldOut));
    let place = |seed: u64| {
        let (kind, grid) = if (seed / 2).is_multiple_of(2) {
            ("shelves", shelves(seed)?)
        } else {
            ("corridor", corridor(seed)?)
        };
        Ok(Place { name: format!("{kind}-{seed}"), grid })
    };
    seeds.map(place).collect()
}

/// Simulated and real places that do not.
pub fn places(data: &Path, half: Half) -> Result<Vec<Place>, BenchError> {
    let mut places = simulated(half)?;
    for (name, path) in real_files(data) {
        if half_of(name.split('/').next().unwrap_or(&name)) != half {
            continue;
        }
        let grid = read(&path)?;
        let (width, height) = (grid.geometry().width(), grid.geometry().height());
        if width.max(height) <= MAX_SIDE_CELLS && grid.class_counts()[2] >= MIN_WALLS {
            places.push(Place { name, grid });
        }
    }
    Ok(places)
}

fn simulated(half: Half) -> Result<Vec<Place>, BenchError> {
    let mut places = Vec::new();
    for step in 1..=SIMULATED {
        let seed = 2 * step + u64::from(half == Half::HeldOut);
        let small = OfficePlan { seed, width_m: 18.0, height_m: 13.0, ..OfficePlan::default() };
        let maze = MazePlan { seed, ..MazePlan::default() }.plan().map_err(BenchError::study)?;
        let floor =
            OfficeFloorPlan { seed, ..OfficeFloorPlan::default() }.floor().map_err(BenchError::study)?;
        let arena =
            |plan| Arena::build(&plan).and_then(|arena| arena.truth(SLICE_M)).map_err(BenchError::study);
        for (kind, grid) in [
            ("office", office(&small).map_err(BenchError::study)?),
            ("maze", arena(maze)?),
            ("floor", arena(floor.plan)?),
        ] {
            places.push(Place { name: format!("{kind}-{seed}"), grid });
        }
    }
    Ok(places)
}

/// Names (place, slash, map) and paths of real maps, one per place or a few.
fn real_files(data: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let plans = sorted(&data.join("room-segmentation-ipa/test_maps"), "png");
    let is_plan = |path: &&PathBuf| path.with_file_name(format!("{}_furnitures.png", stem(path))).is_file();
    files.extend(plans.iter().filter(is_plan).map(|path| (stem(path), path.clone())));
    let folders = [
        ("maoris/RobotMap/Maps", "png"),
        ("strands-maps/giraff", "pgm"),
        ("ros-maps/nav2", "pgm"),
        ("ros-maps/navigation", "pgm"),
        ("slam-comparison-leo/ground_truths", "pgm"),
    ];
    for (folder, ending) in folders {
        files.extend(sorted(&data.join(folder), ending).into_iter().map(|path| (stem(&path), path)));
    }
    for year in ["aaf_y2", "aaf_y3", "aaf_y4"] {
        let maps = sorted(&data.join("strands-maps").join(year), "pgm");
        files.extend(maps.into_iter().map(|path| (format!("aaf/{year}"), path)));
    }
    files.push((
        "turtlebot3/reference".to_owned(),
        data.join("turtlebot3-gmapping-variants/reference_map.pgm"),
    ));
    files.retain(|(_, path)| path.is_file());
    files
}

/// Reads a map as ROS does, in cells of 0.05 m.
pub fn read(path: &Path) -> Result<Grid, BenchError> {
    let options = ReadOptions {
        resolution_m: Some(0.05),
        free_thresh: Some(0.196),
        treat_205_as_unknown: true,
        ignore_alpha: true,
        ..ReadOptions::default()
    };
    Ok(read_map(path, &options)?.grid)
}
