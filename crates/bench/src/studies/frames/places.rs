//! Pairs of truth and map in one frame: simulated ones by their seeds, real ones by a hash of their names.

use std::path::{Path, PathBuf};

use formats::{ReadOptions, read_map};
use model::{Grid, GridGeometry, Pose2};
use sim::arena::{Arena, MazePlan, OfficeFloorPlan};
use sim::damage::{MissingWing, Noise, Unseen, missing_wing, noise, unseen};
use sim::place::{OfficePlan, office};

use crate::inputs::BenchError;
use crate::studies::halves::{Half, half_of, sorted, stem};

/// A truth and a good map of it in the same frame.
pub struct Pair {
    pub name: String,
    pub truth: Grid,
    pub map: Grid,
}

/// Places of each kind.
const PLACES: u64 = 8;
/// Origin of all simulated places, so that a zero or swapped one is wrong.
const ORIGIN: Pose2 = Pose2 { x_m: -7.0, y_m: 3.0, theta_rad: 0.0 };
/// Height at which the arenas are cut.
const SLICE_M: f64 = 0.5;

/// Small offices, mazes and large office floors.
pub fn simulated(half: Half) -> Result<Vec<Pair>, BenchError> {
    let mut pairs = Vec::new();
    for step in 1..=PLACES {
        let seed = 2 * step + u64::from(half == Half::HeldOut);
        let small = OfficePlan { seed, width_m: 16.0, height_m: 12.0, ..OfficePlan::default() };
        let maze = MazePlan { seed, ..MazePlan::default() };
        let floor = OfficeFloorPlan { seed, ..OfficeFloorPlan::default() };
        let arena = |plan| -> Result<Grid, BenchError> {
            Arena::build(&plan).and_then(|arena| arena.truth(SLICE_M)).map_err(BenchError::study)
        };
        let places = [
            ("office", office(&small).map_err(BenchError::study)?),
            ("maze", arena(maze.plan().map_err(BenchError::study)?)?),
            ("floor", arena(floor.floor().map_err(BenchError::study)?.plan)?),
        ];
        for (kind, place) in places {
            let truth = placed_at(&place, place.geometry().cell_size_m(), ORIGIN)?;
            pairs.push(Pair { name: format!("{kind}-{seed}"), map: mapped(&truth, seed)?, truth });
        }
    }
    Ok(pairs)
}

/// A robot's map of a place: faces of walls, noise, a wing that was never entered.
fn mapped(truth: &Grid, seed: u64) -> Result<Grid, BenchError> {
    let seen = unseen(truth, &Unseen::default()).map_err(BenchError::study)?;
    let noisy = noise(&seen, &Noise { seed, ..Noise::default() }).map_err(BenchError::study)?;
    let wing = MissingWing { seed, missing_fraction: 0.25, ..MissingWing::default() };
    missing_wing(&noisy, &wing).map_err(BenchError::study)
}

/// The same cells in another place or size.
pub fn placed_at(map: &Grid, cell_size_m: f64, origin: Pose2) -> Result<Grid, BenchError> {
    let geometry = map.geometry();
    let place = GridGeometry::new(geometry.width(), geometry.height(), cell_size_m, origin)
        .map_err(BenchError::study)?;
    Grid::new(place, map.classes().to_vec()).map_err(BenchError::study)
}

/// Maps of slam-comparison-leo that no one would call distorted.
const INTACT: [&str; 5] = [
    "abstract/gmapping",
    "abstract/slam_toolbox",
    "office/gmapping",
    "office/slam_toolbox",
    "office/lidar_rtabmap",
];
/// Maps of turtlebot3-gmapping-variants; the others are nearly the same.
const VARIANTS: [&str; 4] = ["gmapping_a", "gmapping_bc", "gmapping_cd", "gmapping_e"];

/// Good real maps: of robots against truths, and robots' maps made of real plans.
pub fn real(data: &Path, half: Half) -> Result<Vec<Pair>, BenchError> {
    let mut pairs = Vec::new();
    for pair in robot_pairs(data)? {
        let is_good = INTACT.contains(&pair.name.as_str()) || VARIANTS.contains(&pair.name.as_str());
        if is_good && half_of(&pair.name) == half {
            pairs.push(pair.read()?.moved_off_zero()?);
        }
    }
    for (index, path) in plans(data).into_iter().enumerate() {
        let name = stem(&path);
        if half_of(&name) == half {
            let plan = read(&path)?;
            let truth = placed_at(&plan, plan.geometry().cell_size_m(), ORIGIN)?;
            pairs.push(Pair { name, map: mapped(&truth, index as u64)?, truth });
        }
    }
    Ok(pairs)
}

/// Every real pair in one frame, good or bad, as its files have it.
pub fn real_as_they_are(data: &Path, half: Half) -> Result<Vec<Pair>, BenchError> {
    let mut files = robot_pairs(data)?;
    for path in plans(data) {
        for suffix in ["furnitures", "trashbins", "furnitures_trashbins"] {
            let map = path.with_file_name(format!("{}_{suffix}.png", stem(&path)));
            if map.is_file() {
                files.push(Files { name: stem(&map), truth: path.clone(), map });
            }
        }
    }
    for map in sorted(&data.join("area-graph/input_afterRemoval"), "png") {
        // The version without noise stands for the truth.
        let noisy = data.join("area-graph/input").join(map.file_name().unwrap_or_default());
        if noisy.is_file() {
            files.push(Files { name: format!("removed/{}", stem(&map)), truth: map, map: noisy });
        }
    }
    let mut pairs = Vec::new();
    for pair in files.into_iter().filter(|pair| half_of(&pair.name) == half) {
        let pair = pair.read()?;
        // One file of the set has another size than its plan.
        if pair.map.geometry().cells() == pair.truth.geometry().cells() || pair.name.contains("gmapping") {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

/// A pair before it is read.
struct Files {
    name: String,
    truth: PathBuf,
    map: PathBuf,
}

impl Pair {
    /// Both at [`ORIGIN`] if the files state none.
    fn moved_off_zero(self) -> Result<Self, BenchError> {
        if self.map.geometry().origin() != Pose2::IDENTITY {
            return Ok(self);
        }
        let placed = |grid: &Grid| placed_at(grid, grid.geometry().cell_size_m(), ORIGIN);
        Ok(Self { truth: placed(&self.truth)?, map: placed(&self.map)?, name: self.name })
    }
}

impl Files {
    fn read(self) -> Result<Pair, BenchError> {
        Ok(Pair { name: self.name, truth: read(&self.truth)?, map: read(&self.map)? })
    }
}

/// Robots' maps in the frames of their truths.
fn robot_pairs(data: &Path) -> Result<Vec<Files>, BenchError> {
    let mut pairs = Vec::new();
    let leo = data.join("slam-comparison-leo");
    for world in ["abstract", "office"] {
        for map in sorted(&leo.join("test_results").join(world), "yaml") {
            let system = stem(&map).trim_end_matches("_map").to_owned();
            let truth = leo.join(format!("ground_truths/{world}_ground_truth.yaml"));
            pairs.push(Files { name: format!("{world}/{system}"), truth, map });
        }
    }
    // The YAML files name images by absolute paths; the origin is the same for all.
    let variants = data.join("turtlebot3-gmapping-variants");
    for map in sorted(&variants.join("maps"), "pgm") {
        pairs.push(Files { name: stem(&map), truth: variants.join("reference_map.pgm"), map });
    }
    Ok(pairs)
}

/// Plain floor plans of room-segmentation-ipa.
fn plans(data: &Path) -> Vec<PathBuf> {
    let all = sorted(&data.join("room-segmentation-ipa/test_maps"), "png");
    let is_plan = |path: &PathBuf| path.with_file_name(format!("{}_furnitures.png", stem(path))).is_file();
    all.into_iter().filter(|path| is_plan(path)).collect()
}

fn read(path: &Path) -> Result<Grid, BenchError> {
    let is_ros = path.extension().is_some_and(|extension| extension == "yaml");
    let options = ReadOptions {
        resolution_m: (!is_ros).then_some(0.05),
        free_thresh: Some(0.196),
        treat_205_as_unknown: true,
        ignore_alpha: true,
        ..ReadOptions::default()
    };
    Ok(read_map(path, &options)?.grid)
}
