//! Figures of an exploration: the transform with a short and a safe path, the paths of the robots, area over time.

use explore::{
    Discomfort, Laser, NeighboursOfUnknown, Path, Planner, RunParams, Terrain, Transform, World,
    find_frontiers,
};
use explore::{GridWorld, GridWorldParams};
use model::{CellClass, Grid, GridGeometry, Point2, Pose2};
use report::chart::{Axis, Series, error_over};
use report::{Figure, GROUND_COLOURS, Layer, Rgb};

use super::{ExplorePlan, OneRun};
use crate::JobError;

/// Min. weight of discomfort in the figure, the default of N-DANGER: with less, both paths look alike.
const SHOWN_ALPHA: f64 = 0.1;
/// Bands of equal width that Φ is drawn in.
const BANDS: usize = 32;
const UNREACHED: u8 = 0;
const FIRST_BAND: u8 = 1;
const UNKNOWN: u8 = FIRST_BAND + BANDS as u8;
const WALL: u8 = UNKNOWN + 1;
const FRONTIER: u8 = WALL + 1;
const SHORT: u8 = FRONTIER + 1;
const SAFE: u8 = SHORT + 1;
const START: u8 = SAFE + 1;
/// Colours of Okabe and Ito (2008).
const VERMILION: Rgb = [213, 94, 0];
const BLUE: Rgb = [0, 114, 178];
const GREEN: Rgb = [0, 158, 115];
const MAGENTA: Rgb = [204, 121, 167];

pub(super) fn figures(
    truth: &Grid,
    start: Pose2,
    plan: &ExplorePlan,
    run: &OneRun,
    baseline: Option<&OneRun>,
) -> Result<Vec<Figure>, JobError> {
    let transform = transform_figure(truth, start, &plan.laser, &plan.params)?;
    let all = [transform, Some(path_figure(truth, run)?), area_figure(run, baseline)];
    Ok(all.into_iter().flatten().collect())
}

/// The transform of what one look around at the start shows, with the shortest path to a frontier and the one that
/// the transform takes, as in figure 9 of Pellenz; none if the first look leaves no frontier.
fn transform_figure(
    truth: &Grid,
    start: Pose2,
    laser: &Laser,
    params: &RunParams,
) -> Result<Option<Figure>, JobError> {
    let geometry = truth.geometry();
    let mut world = GridWorld::new(
        truth.clone(),
        &[start],
        GridWorldParams { laser: *laser, ..GridWorldParams::default() },
    )?;
    let mut seen = vec![CellClass::Unknown; geometry.cells()];
    world.look_around(0, &mut seen);
    let Some(cell) = geometry.cell_at(Point2::new(start.x_m, start.y_m)) else { return Ok(None) };
    let from = farthest_from(truth, geometry.index_of(cell), &seen, params)?;
    let planner = Planner::new(&params.planning)?;
    let planned_with = |discomfort: &Discomfort| -> Result<(Terrain, Transform), JobError> {
        let mut terrain = Terrain::of(geometry, &seen, discomfort)?;
        terrain.allow_leaving(from);
        let min_cells = planner.min_frontier_cells(geometry.cell_size_m());
        let frontiers = find_frontiers(&seen, &terrain, NeighboursOfUnknown::Four, min_cells);
        let transform = Transform::to_goals(&terrain, &frontiers.safe, None);
        Ok((terrain, transform))
    };
    let alpha = params.planning.discomfort.alpha.max(SHOWN_ALPHA);
    let (terrain, transform) = planned_with(&Discomfort { alpha, ..params.planning.discomfort })?;
    let short = planned_with(&Discomfort { alpha: 0.0, ..params.planning.discomfort })?;
    let (Some(safe), Some(short)) =
        (Path::from(from, &transform, &terrain), Path::from(from, &short.1, &short.0))
    else {
        return Ok(None);
    };
    let entries = entries(&seen, &transform, &short, &safe, geometry.width());
    let Some(layer) = enlarged_part(geometry, &entries, &seen) else { return Ok(None) };
    let clearance = |path: &Path| path.smallest_clearance_m.map_or("-".to_owned(), |m| format!("{m:.2} m"));
    let caption = format!(
        "Exploration transform of the first look around, near frontiers dark. Vermilion: the shortest path ({:.2} m, \
         clearance {}). Blue: the path of the transform with alpha {alpha} ({:.2} m, clearance {}). Green: frontiers.",
        short.length_m,
        clearance(&short),
        safe.length_m,
        clearance(&safe)
    );
    Ok(Some(Figure::new("transform", "Exploration transform", caption, vec![layer])))
}

/// The known cell from which the path to a frontier is longest: short and safe differ most where there is far to go.
fn farthest_from(
    truth: &Grid,
    start: usize,
    seen: &[CellClass],
    params: &RunParams,
) -> Result<usize, JobError> {
    let geometry = truth.geometry();
    let terrain = Terrain::of(geometry, seen, &params.planning.discomfort)?;
    let frontiers = find_frontiers(seen, &terrain, NeighboursOfUnknown::Four, 1);
    let transform = Transform::to_goals(&terrain, &frontiers.safe, None);
    let cells = (0..geometry.cells()).filter_map(|cell| Some((transform.phi(cell)?, cell)));
    Ok(cells.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map_or(start, |(_, cell)| cell))
}

/// White, bands from dark to light, then the colours of everything drawn over them.
fn legend() -> Vec<(Rgb, &'static str)> {
    let mut legend = vec![([255, 255, 255], "not reached")];
    legend.extend((0..BANDS).map(|band| {
        let grey = 110 + (band * 130 / BANDS) as u8;
        // Every other band is a little darker, so that the bands read as contour lines.
        let grey = if band % 2 == 0 { grey } else { grey - 14 };
        ([grey, grey, grey.saturating_add(10)], "band of equal cost, near frontiers dark")
    }));
    let ground = [([225, 225, 235], "unknown"), ([0, 0, 0], "wall"), (GREEN, "frontier")];
    let paths = [(VERMILION, "shortest path"), (BLUE, "path of the transform"), (MAGENTA, "start")];
    legend.extend(ground.into_iter().chain(paths));
    legend
}

fn entries(seen: &[CellClass], transform: &Transform, short: &Path, safe: &Path, width: usize) -> Vec<u8> {
    let largest = (0..seen.len()).filter_map(|cell| transform.phi(cell)).fold(0.0, f64::max).max(1e-9);
    let entry = |(cell, class): (usize, &CellClass)| match class {
        CellClass::Occupied => WALL,
        CellClass::Unknown => UNKNOWN,
        CellClass::Free if transform.is_goal(cell) => FRONTIER,
        CellClass::Free => transform.phi(cell).map_or(UNREACHED, |phi| {
            FIRST_BAND + ((phi / largest * BANDS as f64) as usize).min(BANDS - 1) as u8
        }),
    };
    let mut entries: Vec<u8> = seen.iter().enumerate().map(entry).collect();
    for (path, colour) in [(short, SHORT), (safe, SAFE)] {
        path.cells.iter().for_each(|&cell| entries[cell as usize] = colour);
    }
    // A start of three by three cells can be found.
    let from = safe.cells[0] as usize;
    for cell in [from.checked_sub(width), Some(from), Some(from + width)].into_iter().flatten() {
        for near in [cell.wrapping_sub(1), cell, cell + 1] {
            if let Some(entry) = entries.get_mut(near) {
                *entry = START;
            }
        }
    }
    entries
}

/// The known part with a margin, each cell divided into so many that a side has about 800; none without a cell.
fn enlarged_part(geometry: &GridGeometry, entries: &[u8], seen: &[CellClass]) -> Option<Layer> {
    const MARGIN_CELLS: usize = 4;
    const SIDE_PIXELS: usize = 800;
    let width = geometry.width();
    let known = || (0..seen.len()).filter(|&cell| seen[cell] != CellClass::Unknown);
    let span = |places: &mut dyn Iterator<Item = usize>, side: usize| {
        let (first, last) = places.fold((side - 1, 0), |(first, last), at| (at.min(first), at.max(last)));
        first.saturating_sub(MARGIN_CELLS)..(last + MARGIN_CELLS + 1).min(side).max(1)
    };
    let columns = span(&mut known().map(|cell| cell % width), width);
    let rows = span(&mut known().map(|cell| cell / width), seen.len() / width);
    let pixels = (SIDE_PIXELS / columns.len().max(rows.len()).max(1)).max(1);
    let mut enlarged = Vec::with_capacity(columns.len() * rows.len() * pixels * pixels);
    for row in rows.clone() {
        let cells = &entries[row * width..][columns.clone()];
        let line: Vec<u8> = cells.iter().flat_map(|&entry| std::iter::repeat_n(entry, pixels)).collect();
        (0..pixels).for_each(|_| enlarged.extend_from_slice(&line));
    }
    let corner = geometry.world_of_grid_point(columns.start as f64, (geometry.height() - rows.end) as f64);
    let origin = Pose2::new(corner.x_m, corner.y_m, geometry.origin().theta_rad);
    let (wide, high) = (columns.len() * pixels, rows.len() * pixels);
    let part = GridGeometry::new(wide, high, geometry.cell_size_m() / pixels as f64, origin).ok()?;
    Some(Layer::cells("transform", &part, enlarged, &legend()))
}

/// The paths of the robots over the final map.
fn path_figure(truth: &Grid, run: &OneRun) -> Result<Figure, JobError> {
    let geometry = truth.geometry();
    let colours = [VERMILION, BLUE, GREEN, MAGENTA];
    let paths = run.paths.iter().take(12).zip(colours.into_iter().cycle()).map(|(path, colour)| {
        let cell = |(_, pose): &(f64, Pose2)| geometry.cell_at(Point2::new(pose.x_m, pose.y_m));
        let cells = path.iter().filter_map(cell).map(|cell| geometry.index_of(cell) as u32).collect();
        (colour, "path of a robot", cells)
    });
    let layers = vec![
        Layer::classes("map", geometry, run.map.class_bytes(), GROUND_COLOURS),
        Layer::lines("paths", geometry, &paths.collect::<Vec<_>>())?,
    ];
    let report = &run.report;
    let who = match report.robots {
        1 => "One robot".to_owned(),
        robots => format!("{robots} robots"),
    };
    let caption = format!(
        "{who} drove {:.1} m in {:.0} s and knew {:.2} % of what can be reached.",
        report.distance_m,
        report.time_s,
        100.0 * report.coverage
    );
    Ok(Figure::new("paths", "Paths on the final map", caption, layers))
}

/// Area over time, of the baseline too.
fn area_figure(run: &OneRun, baseline: Option<&OneRun>) -> Option<Figure> {
    let points = |run: &OneRun| -> Vec<(f64, f64)> {
        run.report.area.samples.iter().map(|sample| (sample.time_s, sample.area_m2)).collect()
    };
    let (own, other) = (points(run), baseline.map(points).unwrap_or_default());
    let mut series = vec![Series { label: "exploration transform", points: &[], running_mean: &own }];
    if !other.is_empty() {
        series.push(Series { label: "nearest frontier", points: &[], running_mean: &other });
    }
    let x = Axis { label: "time", unit: "s" };
    let y = Axis { label: "known free area", unit: "m²" };
    let svg = error_over(x, y, &series, &[])?;
    Some(Figure::chart("area", "Area over time", "Known free area over time.", svg))
}
