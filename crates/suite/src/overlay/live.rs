//! The numbers of a map where it lies: exact, or quickly on both maps in larger cells while it moves.

use align::Resample;
use metrics::{Better, Unit};
use model::{CellClass, Grid, GridGeometry, Similarity2};
use raster::pooling::pool;
use schemars::JsonSchema;
use serde::Serialize;

use super::OverlayPair;
use crate::{AlignmentFile, JobError, Loaded, Map, Plan, Subject, Truth, judge};

/// What a person sees while the map moves, beside the wall score.
const METRICS: [&str; 5] = [
    "image_similarity",
    "picture_distance",
    "overall_error",
    "normalized_map_score_balaguer",
    "known_coverage",
];
/// Cells of a map that moves, at most.
const MOVING_CELLS: usize = 1 << 20;

/// How carefully numbers are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// On both maps in larger cells, at most about a million of them.
    WhileMoving,
    /// As every command computes them.
    Exact,
}

/// The numbers of a map where it lies.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LiveNumbers {
    /// Whether they are those of a report.
    pub exact: bool,
    /// Cells of the truth along the edge of a cell in which they were computed.
    pub pooled_by: usize,
    /// The numbers, in the order in which a page shows them.
    pub numbers: Vec<LiveNumber>,
}

impl LiveNumbers {
    /// Whether a number is missing because the maps are too large for it.
    #[must_use]
    pub fn needs_too_much(&self) -> bool {
        self.numbers.iter().any(|number| number.reasons.contains(&metrics::Reason::OverMemory))
    }
}

/// One number.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LiveNumber {
    /// Id of the metric; `wall_score` for that of the search.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// Unit; empty for none.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// Value; null if it is undefined.
    pub value: Option<f64>,
    /// The value as tables print it; `undefined` without one.
    pub digits: String,
    /// Why it is undefined or doubtful.
    pub reasons: Vec<metrics::Reason>,
}

/// Both maps in larger cells.
#[derive(Debug)]
pub(super) struct PooledPair {
    map: Loaded<Map>,
    truth: Loaded<Map>,
    factor: usize,
}

impl OverlayPair {
    /// The numbers of the map under a transform.
    ///
    /// # Errors
    /// A transform under which there is nothing to compare.
    pub fn live(&self, truth_from_map: Similarity2, precision: Precision) -> Result<LiveNumbers, JobError> {
        let pooled = match precision {
            Precision::WhileMoving => self.pooled(),
            Precision::Exact => None,
        };
        let (map, truth, pooled_by) = match pooled {
            Some(pooled) => (&pooled.map, &pooled.truth, pooled.factor),
            None => (&self.map, &self.truth, 1),
        };
        let plan = Plan {
            metrics: METRICS.map(str::to_owned).to_vec(),
            transform: Some(AlignmentFile::by_hand(truth_from_map)),
            resample: Resample::OccupiedWins,
            ..Plan::default()
        };
        let subject = Subject::of_map("map", map.clone());
        let report = judge(&subject, &Truth { map: Some(truth.clone()), ..Truth::default() }, &plan)?;
        let mut numbers: Vec<LiveNumber> = report.metrics.into_iter().map(LiveNumber::of).collect();
        numbers.sort_by_key(|number| METRICS.iter().position(|id| *id == number.id));
        numbers.push(self.wall_score(truth_from_map));
        Ok(LiveNumbers { exact: pooled_by == 1, pooled_by, numbers })
    }

    fn wall_score(&self, truth_from_map: Similarity2) -> LiveNumber {
        let value = self.wall_fit().map(|fit| fit.score(truth_from_map));
        LiveNumber {
            id: "wall_score".to_owned(),
            title: "Wall score of the search".to_owned(),
            unit: Unit::Ratio,
            better: Better::Higher,
            value,
            digits: value.map_or_else(|| "undefined".to_owned(), |value| report::fixed(value, 4)),
            reasons: Vec::new(),
        }
    }

    /// Both maps in cells so large that neither has too many; none if they are small already.
    fn pooled(&self) -> Option<&PooledPair> {
        let make = || {
            let cells = [&self.map, &self.truth].map(|map| map.value.grid.geometry().cells());
            let factor =
                (2..=1024).find(|factor| cells.iter().all(|cells| cells / (factor * factor) <= MOVING_CELLS));
            let factor = factor.filter(|_| cells.iter().any(|cells| *cells > MOVING_CELLS))?;
            let smaller = |map: &Loaded<Map>| {
                let grid = pooled_grid(&map.value.grid, factor)?;
                Some(Loaded::in_memory(Map::anchored(grid, map.value.anchoring)))
            };
            Some(PooledPair { map: smaller(&self.map)?, truth: smaller(&self.truth)?, factor })
        };
        self.pooled.get_or_init(make).as_ref()
    }
}

impl LiveNumber {
    fn of(record: report::MetricRecord) -> Self {
        Self {
            digits: record.value.map_or_else(|| "undefined".to_owned(), report::shown_number),
            id: record.id,
            title: record.title,
            unit: record.unit,
            better: record.better,
            value: record.value,
            reasons: record.reasons,
        }
    }
}

/// A map in cells that are a whole factor larger. Rows are pooled from the top, so that the lower border may move.
fn pooled_grid(grid: &Grid, factor: usize) -> Option<Grid> {
    let geometry = grid.geometry();
    let (width, height) = (geometry.width(), geometry.height());
    let rows = grid.class_bytes().chunks_exact(width);
    let (pooled_width, pooled_height, classes) = pool(rows, width, height, factor);
    let beyond = (pooled_height * factor - height) as f64;
    let corner = geometry.world_of_grid_point(0.0, -beyond);
    let origin = model::Pose2::new(corner.x_m, corner.y_m, geometry.origin().theta_rad);
    let size_m = geometry.cell_size_m() * factor as f64;
    let pooled = GridGeometry::new(pooled_width, pooled_height, size_m, origin).ok()?;
    let class = |byte: u8| match byte {
        0 => CellClass::Free,
        2 => CellClass::Occupied,
        _ => CellClass::Unknown,
    };
    Grid::new(pooled, classes.into_iter().map(class).collect()).ok()
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::{grid_at, rows};

    use super::*;

    fn loaded(grid: Grid) -> Loaded<Map> {
        Loaded::in_memory(Map::new(grid))
    }

    #[test]
    fn a_map_in_larger_cells_lies_where_it_lay() {
        let grid = grid_at(["#..", "..?", "??#"], 0.5, Pose2::new(1.0, 2.0, 0.0));
        let pooled = pooled_grid(&grid, 2).unwrap();
        assert_eq!(rows(&pooled), ["#.", "?#"]);
        assert_eq!(pooled.geometry().origin(), Pose2::new(1.0, 1.5, 0.0));
        assert_eq!(pooled.geometry().cell_size_m(), 1.0);
    }

    #[test]
    fn numbers_at_rest_are_those_of_a_report() {
        let truth = testkit::seven_rooms(Pose2::IDENTITY);
        let pair = OverlayPair::new(loaded(truth.clone()), loaded(truth.clone()));
        let moved = Similarity2::new(0.3, 0.1, 0.02, 1.0);
        let live = pair.live(moved, Precision::Exact).unwrap();
        let plan = Plan { transform: Some(AlignmentFile::by_hand(moved)), ..Plan::default() };
        let truth = Truth { map: Some(loaded(truth.clone())), ..Truth::default() };
        let report = judge(&Subject::of_map("m", pair.map().clone()), &truth, &plan).unwrap();
        for number in &live.numbers[..METRICS.len()] {
            let record = report.metric(&number.id).unwrap();
            assert_eq!(record.value, number.value, "{}", number.id);
        }
        let at_home = pair.live(Similarity2::IDENTITY, Precision::Exact).unwrap();
        let psi = |live: &LiveNumbers| live.numbers[0].value.unwrap();
        assert_eq!((psi(&at_home), at_home.numbers[0].id.as_str()), (0.0, "image_similarity"));
        assert!(psi(&live) > 0.0, "Psi moves with the map");
    }

    #[test]
    fn a_large_map_is_pooled_while_it_moves() {
        let geometry = GridGeometry::new(1500, 1100, 0.05, Pose2::IDENTITY).unwrap();
        let class = |index: usize| match (index % 1500, index / 1500) {
            (0 | 1499 | 700, _) | (_, 0 | 1099) => CellClass::Occupied,
            _ => CellClass::Free,
        };
        let grid = Grid::new(geometry, (0..geometry.cells()).map(class).collect()).unwrap();
        let pair = OverlayPair::new(loaded(grid.clone()), loaded(grid));
        let live = pair.live(Similarity2::IDENTITY, Precision::WhileMoving).unwrap();
        assert_eq!((live.exact, live.pooled_by), (false, 2));
        assert!(pair.live(Similarity2::IDENTITY, Precision::Exact).unwrap().exact);
    }
}
