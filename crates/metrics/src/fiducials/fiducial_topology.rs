//! Fiducial topology: the share of routes between fiducial parts that the map has, at about their true length.
//!
//! ```text
//! value = routes with (1 - shortcut) L* <= L <= (1 + detour) L*  /  routes between found parts that the truth has
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, sections 1 and 6 (planned there); limits of Balaguer et al. 2009, section 7.
//! Departure: none; the paper gives no formula. A route begins and ends `standoff_m` in front of its part and keeps
//! `radius_m` away from everything that is not free, so that a gap of a cell in a noisy wall is no shortcut
//! (`radius_m = 0` takes every gap). Both limits are widened by two cells: the ends of a route are known to one cell each.
//! A route to a pole, which has no front, ends at the nearest ground; the front of a corner is its free side as found.
//! Unknown: blocks, in both maps.
//! Known bias: parts that were not found do not count; read it beside the coverage.
//! Undefined: if there is no layout or no truth, or the truth has no route between two parts that were found. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use model::{Cell, CellClass, FiducialPart, Grid, PartKind, Point2, Pose2};
use raster::footprint::traversable;
use raster::shortest_paths::{Diagonals, Roads};

use super::{Fiducials, matched};
use crate::prelude::*;

/// Parameters of the fiducial topology.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialTopology {
    /// A route may be longer by this share. Default 0.2, of Balaguer et al. 2009.
    pub detour: f64,
    /// A route may be shorter by this share. Default 0.05, of Balaguer et al. 2009.
    pub shortcut: f64,
    /// Where a route begins: so many metres in front of the barrel. Default 0.3, ours.
    pub standoff_m: f64,
    /// Radius of the robot in metres. Default 0.15: ours, the smallest robot of a rescue arena; six cells of 0.05 m close
    /// every gap that noise makes.
    pub radius_m: f64,
}

impl Default for FiducialTopology {
    fn default() -> Self {
        Self { detour: 0.2, shortcut: 0.05, standoff_m: 0.3, radius_m: 0.15 }
    }
}

impl Metric for FiducialTopology {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Fiducials, "fiducial_topology", "X-TOPO", "Fiducial topology")
            .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.has_fiducials() && case.has_maps()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let fiducials = matched(case)?;
        let routes: Vec<PartRoute> = self.routes(case)?.into_iter().map(|(_, route)| route).collect();
        let count = |verdict: Verdict| routes.iter().filter(|route| route.verdict == verdict).count();
        let correct = count(Verdict::Correct);
        if routes.is_empty() {
            return Err(Undefined::because(Reason::NoTargets).with_all(fiducials.basis()));
        }
        let wrong: Vec<&PartRoute> =
            routes.iter().filter(|route| route.verdict != Verdict::Correct).collect();
        Ok(Score::new(correct as f64 / routes.len() as f64)
            .with_all(fiducials.basis())
            .with("paths", routes.len())
            .with("blocked", count(Verdict::Blocked))
            .with("detours", count(Verdict::Detour))
            .with("shortcuts", count(Verdict::Shortcut))
            .with_table("wrong", wrong))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let (Ok(fiducials), Ok(routes)) = (case.fiducials(), self.routes(case)) else { return Vec::new() };
        let parts = fiducials.located.parts.len();
        let mut pairs = vec![(0.0, 0.0); parts * parts.saturating_sub(1) / 2];
        for ([first, second], route) in routes {
            let is_correct = f64::from(u8::from(route.verdict == Verdict::Correct));
            pairs[second * (second - 1) / 2 + first] = (is_correct, 1.0);
        }
        vec![Samples::own(SampleUnit::new("pairs of fiducial parts", pairs.len()), Make::ratio(pairs))]
    }
}

/// By so many cells a length may be wrong: one at each end.
const ENDS_CELLS: f64 = 2.0;

/// What became of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Correct,
    Blocked,
    Detour,
    Shortcut,
}

/// A route between two parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct PartRoute {
    parts: [String; 2],
    true_m: f64,
    map_m: Option<f64>,
    verdict: Verdict,
}

/// Where routes to a found part begin, in the frame of the truth.
struct Stand {
    /// In the layout.
    number: usize,
    part: String,
    in_truth: Point2,
    in_map: Point2,
}

impl FiducialTopology {
    /// The routes between found parts that the truth has, with the numbers of both parts in the layout.
    fn routes(&self, case: &Case) -> Result<Vec<([usize; 2], PartRoute)>, Undefined> {
        let fiducials = matched(case)?;
        let grids = case.grids()?;
        let stands = self.stands(&fiducials);
        let in_truth = self.lengths_m(&grids.truth, stands.iter().map(|stand| stand.in_truth))?;
        let in_map = self.lengths_m(&grids.map, stands.iter().map(|stand| stand.in_map))?;
        let slack_m = ENDS_CELLS * grids.truth.geometry().cell_size_m();
        let mut routes = Vec::new();
        for (first, a) in stands.iter().enumerate() {
            for (second, b) in stands.iter().enumerate().skip(first + 1) {
                if let Some(true_m) = in_truth[first][second] {
                    let parts = [a.part.clone(), b.part.clone()];
                    let judged = self.judged(parts, true_m, in_map[first][second], slack_m);
                    routes.push(([a.number, b.number], judged));
                }
            }
        }
        Ok(routes)
    }

    fn stands(&self, fiducials: &Fiducials<'_>) -> Vec<Stand> {
        let pose = fiducials.located.truth_from_map.unwrap_or(Pose2::IDENTITY);
        let parts = fiducials.inputs.layout.parts.iter().zip(&fiducials.located.parts);
        let in_front = |center: Point2, direction_rad: f64, reach_m: f64| {
            let (sin, cos) = direction_rad.sin_cos();
            Point2::new(center.x_m + reach_m * cos, center.y_m + reach_m * sin)
        };
        let stand = |number: usize, part: &FiducialPart, found: &super::FoundPart| {
            let (direction_rad, reach_m) = match part.kind {
                PartKind::Barrel => (part.direction_rad, part.radius_m + self.standoff_m),
                PartKind::Corner => (found.direction_in_map_rad + pose.theta_rad, self.standoff_m),
                PartKind::Pole => (0.0, 0.0),
            };
            Stand {
                number,
                part: part.part.clone(),
                in_truth: in_front(part.center, direction_rad, reach_m),
                in_map: in_front(pose * found.center_in_map, direction_rad, reach_m),
            }
        };
        let numbered = parts.enumerate();
        numbered.filter_map(|(number, (part, found))| Some(stand(number, part, found.as_ref()?))).collect()
    }

    /// Lengths between all places of a map, `[i][j]` for i < j; none where there is no route.
    fn lengths_m(
        &self,
        map: &Grid,
        places: impl Iterator<Item = Point2>,
    ) -> Result<Vec<Vec<Option<f64>>>, Undefined> {
        let geometry = map.geometry();
        let (width, height, cell_m) = (geometry.width(), geometry.height(), geometry.cell_size_m());
        let free: Vec<u8> = map.classes().iter().map(|class| u8::from(*class == CellClass::Free)).collect();
        let open = traversable(&free, width, height, self.radius_m / cell_m).map_err(|_| Reason::TooLarge)?;
        // A place beyond the map is a cell that no route reaches.
        let snap = (self.standoff_m / cell_m).max(1.0) as usize;
        let cells: Vec<Option<usize>> =
            places.map(|place| nearest_open(&open, geometry, place, snap)).collect();
        let ends: Vec<usize> = cells.iter().map(|cell| cell.unwrap_or(0)).collect();
        let steps = Roads::new(&open, width, height, Diagonals::BothSidesSet).all_pairs(&ends);
        let length = |i: usize, j: usize| {
            let both = cells[i].is_some() && cells[j].is_some();
            steps[i][j].filter(|_| both).map(|steps| steps.length_cells() * cell_m)
        };
        Ok((0..cells.len())
            .map(|i| (0..cells.len()).map(|j| if i < j { length(i, j) } else { None }).collect())
            .collect())
    }

    fn judged(&self, parts: [String; 2], true_m: f64, map_m: Option<f64>, slack_m: f64) -> PartRoute {
        let (longest_m, shortest_m) = ((1.0 + self.detour) * true_m, (1.0 - self.shortcut) * true_m);
        let verdict = match map_m {
            None => Verdict::Blocked,
            Some(map_m) if map_m > longest_m + slack_m + 1e-9 => Verdict::Detour,
            Some(map_m) if map_m < shortest_m - slack_m - 1e-9 => Verdict::Shortcut,
            Some(_) => Verdict::Correct,
        };
        PartRoute { parts, true_m, map_m, verdict }
    }
}

/// The open cell nearest to a place, within a number of cells; of equal ones the first in row-major order.
fn nearest_open(open: &[u8], geometry: &model::GridGeometry, place: Point2, snap: usize) -> Option<usize> {
    let middle = geometry.cell_at(place)?;
    let span = |at: usize, side: usize| at.saturating_sub(snap)..(at + snap + 1).min(side);
    let mut near: Vec<(usize, usize)> = Vec::new();
    for j in span(middle.j, geometry.height()) {
        for i in span(middle.i, geometry.width()) {
            let index = geometry.index_of(Cell { i, j });
            if open[index] == 1 {
                near.push((i.abs_diff(middle.i).pow(2) + j.abs_diff(middle.j).pow(2), index));
            }
        }
    }
    near.into_iter().min().map(|(_, index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    const METRIC: FiducialTopology =
        FiducialTopology { detour: 0.2, shortcut: 0.05, standoff_m: 0.3, radius_m: 0.0 };

    #[test]
    fn both_limits_themselves_are_correct() {
        let verdict = |map_m| METRIC.judged([String::new(), String::new()], 10.0, map_m, 0.0).verdict;
        for (map_m, expected) in [
            (Some(12.0), Verdict::Correct),
            (Some(12.1), Verdict::Detour),
            (Some(9.5), Verdict::Correct),
            (Some(9.4), Verdict::Shortcut),
            (None, Verdict::Blocked),
        ] {
            assert_eq!(verdict(map_m), expected, "{map_m:?}");
        }
    }

    #[test]
    fn a_cell_at_each_end_is_no_shortcut() {
        let verdict = |map_m| METRIC.judged([String::new(), String::new()], 1.0, Some(map_m), 0.1).verdict;
        assert_eq!((verdict(0.86), verdict(0.84)), (Verdict::Correct, Verdict::Shortcut));
        assert_eq!((verdict(1.29), verdict(1.31)), (Verdict::Correct, Verdict::Detour));
    }

    #[test]
    fn a_gap_of_one_cell_is_no_way_for_a_robot() {
        let map =
            testkit::grid([".........", "....#....", ".........", "....#....", "....#....", "....#...."]);
        let ends = || [Point2::new(1.5, 3.5), Point2::new(7.5, 3.5)].into_iter();
        let robot = FiducialTopology { radius_m: 1.2, standoff_m: 1.0, ..METRIC };
        assert!(METRIC.lengths_m(&map, ends()).unwrap()[0][1].is_some());
        assert_eq!(robot.lengths_m(&map, ends()).unwrap()[0][1], None);
    }

    #[test]
    fn routes_lead_around_a_wall_and_end_where_it_is_closed() {
        let places = || [Point2::new(0.5, 0.5), Point2::new(4.5, 0.5), Point2::new(9.0, 9.0)].into_iter();
        let open = testkit::grid([".....", "..#..", "..#.."]);
        // A diagonal, four straight steps around the wall, whose corners are not cut, and a diagonal.
        let lengths = METRIC.lengths_m(&open, places()).unwrap();
        nearly(lengths[0][1].unwrap(), 4.0 + 2.0 * 2.0_f64.sqrt(), 1e-9);
        assert_eq!(lengths[0][2], None, "beyond the map");
        let closed = testkit::grid(["..#..", "..#..", "..#.."]);
        assert_eq!(METRIC.lengths_m(&closed, places()).unwrap()[0][1], None);
    }
}
