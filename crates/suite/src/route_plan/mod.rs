//! A path on a given map: to a target, or to where the map can be extended (N-FRONT, N-ET, N-PATH).
//!
//! Schema `mapjudge.plan/1`. One target gives the path transform, all safe frontier cells the exploration transform.
//! Cells are counted as the specification counts them: row from above, then column.

mod layers;

use std::sync::Arc;

use explore::{ExploreError, Path, Planner, Planning, Terrain, Transform, find_frontiers};
use model::{CellClass, Finding, Grid, GridGeometry, Point2, Pose2};
use raster::components::{Connectivity, label};
use serde::Serialize;

use crate::judge::check_map_memory;
use crate::{JobError, Loaded, Map, Verdict};

/// The name of this schema.
pub const PLAN_SCHEMA: &str = "mapjudge.plan/1";

/// Where a path shall lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RouteGoal {
    /// To a place, metres: Zelinsky's path transform.
    Target(Point2),
    /// To the cheapest frontier: the exploration transform.
    Explore,
}

/// What is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteRequest {
    /// Where the robot stands.
    pub start: Pose2,
    /// Where it shall go.
    pub goal: RouteGoal,
    /// Robot, discomfort and frontiers.
    pub planning: Planning,
}

/// How planning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteEnding {
    /// There is a path.
    Found,
    /// There is no frontier: all that can be seen is known.
    NoFrontier,
    /// There are frontiers, but none that is safe and can be reached.
    UnsafeFrontier,
    /// The target is nearer to an obstacle than the robot may be.
    UnsafeTarget,
    /// No safe path leads to the target.
    Unreachable,
}

/// A frontier: cells that touch each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrontierRecord {
    /// Number, by its first cell in image order.
    pub id: usize,
    /// Number of cells.
    pub cells: usize,
    /// Those of them on which the robot may stand.
    pub safe_cells: usize,
    /// Cells times their edge, metres.
    pub length_m: f64,
    /// The cell of the frontier nearest to its centroid.
    pub x_m: f64,
    /// Up.
    pub y_m: f64,
    /// Whether the path leads here.
    pub is_chosen: bool,
    /// All cells as row from above and column.
    pub row_column: Vec<[usize; 2]>,
}

/// A path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathRecord {
    /// Metres.
    pub length_m: f64,
    /// Cells: 1 per straight step, the root of 2 per diagonal one.
    pub length_cells: f64,
    /// Sum of the discomfort of all cells, both ends included, in squared units of the formula.
    pub summed_danger: f64,
    /// Min. distance to an obstacle between its ends, metres; null on a map without one.
    pub min_clearance_m: Option<f64>,
    /// Cells as row from above and column.
    pub row_column: Vec<[usize; 2]>,
    /// Cell centres, metres.
    pub points_m: Vec<[f64; 2]>,
}

/// The report of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct RouteReport {
    /// Always `mapjudge.plan/1`.
    pub schema: &'static str,
    /// The map as given.
    pub map: String,
    /// `target` or `explore`.
    pub goal: &'static str,
    /// Start, metres.
    pub start_m: [f64; 2],
    /// Target, metres; null when exploring.
    pub target_m: Option<[f64; 2]>,
    /// How planning ended.
    pub ending: RouteEnding,
    /// Why there is no path; null if there is one.
    pub reason: Option<String>,
    /// The transform at the start, in units of the formula; null where no goal can be reached.
    pub phi: Option<f64>,
    /// The path; null if there is none.
    pub path: Option<PathRecord>,
    /// Frontier cells of all frontiers, and the safe ones.
    pub frontier_cells: usize,
    /// Where the robot may stand.
    pub safe_frontier_cells: usize,
    /// All frontiers that are long enough.
    pub frontiers: Vec<FrontierRecord>,
    /// The effective parameters.
    pub params: Planning,
    /// What the reader noticed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// A plan with what is drawn of it.
pub struct RoutePlan {
    /// Numbers.
    pub report: RouteReport,
    grid: Arc<Grid>,
    terrain: Terrain,
    transform: Transform,
    path: Option<Path>,
    frontier: Vec<u32>,
}

/// Plans a path on a map.
///
/// # Errors
/// The map has no free cell or is too large, start or target lies on no free cell of it, or a parameter makes no sense.
pub fn plan_route(map: &Loaded<Map>, request: &RouteRequest) -> Result<RoutePlan, JobError> {
    let grid = &map.value.grid;
    check_map_memory(grid, metrics::Family::Topology)?;
    let geometry = grid.geometry();
    if grid.classes().iter().all(|class| *class != CellClass::Free) {
        return Err(ExploreError::NoGround.into());
    }
    let start = free_cell(grid, request.start.position())
        .ok_or(ExploreError::Start { x_m: request.start.x_m, y_m: request.start.y_m })?;
    let target = match request.goal {
        RouteGoal::Explore => None,
        RouteGoal::Target(place) => {
            Some(free_cell(grid, place).ok_or(ExploreError::Target { x_m: place.x_m, y_m: place.y_m })?)
        }
    };
    let planner = Planner::new(&request.planning)?;
    let mut terrain = Terrain::of(geometry, grid.classes(), planner.discomfort())?;
    let min_cells = planner.min_frontier_cells(geometry.cell_size_m());
    let found = find_frontiers(grid.classes(), &terrain, request.planning.frontier_neighbours, min_cells);
    terrain.allow_leaving(start);
    let goals = target.map_or_else(|| found.safe.clone(), |cell| vec![cell as u32]);
    let transform = Transform::to_goals(&terrain, &goals, None);
    let path = Path::from(start, &transform, &terrain);
    let ending = match (&path, target) {
        (Some(_), _) => RouteEnding::Found,
        (None, Some(cell)) if !terrain.is_safe(cell) => RouteEnding::UnsafeTarget,
        (None, Some(_)) => RouteEnding::Unreachable,
        (None, None) if found.is_finished() => RouteEnding::NoFrontier,
        (None, None) => RouteEnding::UnsafeFrontier,
    };
    let chosen = path.as_ref().filter(|_| target.is_none()).map(|path| path.target() as u32);
    let report = RouteReport {
        schema: PLAN_SCHEMA,
        map: map.provenance.files.first().map_or_else(String::new, |file| file.path.clone()),
        goal: if target.is_some() { "target" } else { "explore" },
        start_m: [request.start.x_m, request.start.y_m],
        target_m: match request.goal {
            RouteGoal::Target(place) => Some([place.x_m, place.y_m]),
            RouteGoal::Explore => None,
        },
        ending,
        reason: ending.reason(terrain.clearance_m(target.unwrap_or(start)), request, found.cells.len()),
        phi: transform.phi(start),
        path: path.as_ref().map(|path| path_record(path, geometry)),
        frontier_cells: found.cells.len(),
        safe_frontier_cells: found.safe.len(),
        frontiers: frontier_records(&found.cells, &found.safe, geometry, chosen),
        params: request.planning,
        findings: map.findings_as("map"),
    };
    Ok(RoutePlan { report, grid: Arc::clone(grid), terrain, transform, path, frontier: found.cells })
}

fn free_cell(grid: &Grid, place: Point2) -> Option<usize> {
    let geometry = grid.geometry();
    let cell = geometry.index_of(geometry.cell_at(place)?);
    (grid.classes()[cell] == CellClass::Free).then_some(cell)
}

fn row_column(cell: u32, geometry: &GridGeometry) -> [usize; 2] {
    [cell as usize / geometry.width(), cell as usize % geometry.width()]
}

fn path_record(path: &Path, geometry: &GridGeometry) -> PathRecord {
    PathRecord {
        length_m: path.length_m,
        length_cells: path.steps.length_cells(),
        summed_danger: path.summed_danger,
        min_clearance_m: path.smallest_clearance_m,
        row_column: path.cells.iter().map(|&cell| row_column(cell, geometry)).collect(),
        points_m: path.points.iter().map(|point| [point.x_m, point.y_m]).collect(),
    }
}

/// Frontier cells by the frontiers that they form.
fn frontier_records(
    cells: &[u32],
    safe: &[u32],
    geometry: &GridGeometry,
    chosen: Option<u32>,
) -> Vec<FrontierRecord> {
    let mut mask = vec![0_u8; geometry.cells()];
    cells.iter().for_each(|&cell| mask[cell as usize] = 1);
    let labels = label(&mask, geometry.width(), geometry.height(), Connectivity::Eight).labels;
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    for &cell in cells {
        let name = labels[cell as usize];
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(cell),
            None => groups.push((name, vec![cell])),
        }
    }
    let record = |(id, (_, group)): (usize, (u32, Vec<u32>))| {
        let middle = nearest_to_centroid(&group, geometry);
        FrontierRecord {
            id: id + 1,
            cells: group.len(),
            safe_cells: group.iter().filter(|cell| safe.binary_search(cell).is_ok()).count(),
            length_m: group.len() as f64 * geometry.cell_size_m(),
            x_m: middle.x_m,
            y_m: middle.y_m,
            is_chosen: chosen.is_some_and(|cell| group.contains(&cell)),
            row_column: group.iter().map(|&cell| row_column(cell, geometry)).collect(),
        }
    };
    groups.into_iter().enumerate().map(record).collect()
}

fn nearest_to_centroid(cells: &[u32], geometry: &GridGeometry) -> Point2 {
    let place = |cell: u32| geometry.center_of(geometry.cell_of(cell as usize));
    let count = cells.len().max(1) as f64;
    let sum = cells.iter().map(|&cell| place(cell)).fold((0.0, 0.0), |(x, y), p| (x + p.x_m, y + p.y_m));
    let centroid = Point2::new(sum.0 / count, sum.1 / count);
    let away = |cell: &&u32| place(**cell).distance_m(centroid);
    let nearest = cells.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.map_or(centroid, |&cell| place(cell))
}

impl RouteEnding {
    fn reason(self, clearance_m: f64, request: &RouteRequest, frontier_cells: usize) -> Option<String> {
        let d_min_m = request.planning.discomfort.d_min_m;
        match self {
            Self::Found => None,
            Self::NoFrontier => Some("no frontier: every free cell that can be seen is known".to_owned()),
            Self::UnsafeFrontier => Some(format!(
                "{frontier_cells} frontier cells, but none that keeps {d_min_m} m from obstacles can be reached"
            )),
            Self::UnsafeTarget => Some(format!(
                "the target is {clearance_m:.2} m from an obstacle, nearer than the robot may be ({d_min_m} m)"
            )),
            Self::Unreachable => {
                Some(format!("no path to the target keeps {d_min_m} m from all obstacles on known ground"))
            }
        }
    }
}

impl RouteReport {
    /// Undefined where there is no path.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.ending == RouteEnding::Found { Verdict::Fine } else { Verdict::Undefined }
    }
}

#[cfg(test)]
mod tests;
