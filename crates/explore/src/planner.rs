//! The next path of a robot: frontiers, transform, path, and staying with a target that is nearly as good as a new one.

use model::{CellClass, GridGeometry, Point2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::known_part::KnownPart;
use crate::unreachable::is_near;
use crate::{Discomfort, ExploreError, NeighboursOfUnknown, Path, Terrain, Transform, Units, find_frontiers};

/// By what the next frontier is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Length and discomfort of the path, with hysteresis.
    #[default]
    ExplorationTransform,
    /// Length alone, always the nearest: the baseline.
    NearestFrontier,
}

/// Parameters of planning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Planning {
    /// By what the next frontier is chosen.
    pub choice: Choice,
    /// What is uncomfortable. Default in metres with alpha 0.03, ours: enough to keep to the middle of a corridor, too
    /// little to leave a corner for later because it is narrow. On the mazes of `mapjudge-study explore` robots
    /// drive as far as to the nearest frontier on average, and 1.17 times at worst; with alpha 0.1 it was 1.03 times,
    /// and 1.46 at worst.
    pub discomfort: Discomfort,
    /// Which neighbours make a frontier. Default four.
    pub frontier_neighbours: NeighboursOfUnknown,
    /// Radius of the robot, metres. Default 0.2 m.
    pub robot_radius_m: f64,
    /// Frontiers shorter than this are dropped, metres; the diameter of the robot if not given (N-FRONT).
    pub min_frontier_m: Option<f64>,
    /// A new target is taken only if the old one costs this share more. Default 0.2, ours.
    pub hysteresis: f64,
    /// Frontiers within this of the old target are the old target, metres. Default 1 m, ours.
    pub same_target_m: f64,
}

impl Default for Planning {
    fn default() -> Self {
        Self {
            choice: Choice::ExplorationTransform,
            discomfort: Discomfort { units: Units::Metres, alpha: 0.03, ..Discomfort::default() },
            frontier_neighbours: NeighboursOfUnknown::Four,
            robot_radius_m: 0.2,
            min_frontier_m: None,
            hysteresis: 0.2,
            same_target_m: 1.0,
        }
    }
}

/// What a robot should do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Nothing: there is no frontier (`NO_FRONTIER`).
    Finished,
    /// There are frontiers, but none that is safe, allowed and reachable (`UNSAFE_FRONTIER`).
    Unsafe,
    Drive {
        path: Path,
        /// Φ at the start.
        phi: f64,
    },
}

/// Plans the paths of robots.
#[derive(Clone, Copy, Debug)]
pub struct Planner {
    params: Planning,
    /// Discomfort as the choice counts it.
    discomfort: Discomfort,
}

impl Planner {
    /// A planner with these parameters.
    ///
    /// # Errors
    /// A parameter out of its range.
    pub fn new(params: &Planning) -> Result<Self, ExploreError> {
        params.discomfort.check()?;
        let at_least_zero = "a number from 0 on";
        for (name, value) in [
            ("robot_radius_m", params.robot_radius_m),
            ("min_frontier_m", params.min_frontier_m.unwrap_or(0.0)),
            ("hysteresis", params.hysteresis),
            ("same_target_m", params.same_target_m),
        ] {
            ExploreError::check(name, value, value >= 0.0, at_least_zero)?;
        }
        let discomfort = match params.choice {
            Choice::ExplorationTransform => params.discomfort,
            Choice::NearestFrontier => Discomfort { alpha: 0.0, ..params.discomfort },
        };
        Ok(Self { params: *params, discomfort })
    }

    /// Discomfort as the choice counts it.
    #[must_use]
    pub const fn discomfort(&self) -> &Discomfort {
        &self.discomfort
    }

    /// Smallest number of cells of a frontier.
    #[must_use]
    pub fn min_frontier_cells(&self, cell_size_m: f64) -> usize {
        let shortest_m = self.params.min_frontier_m.unwrap_or(2.0 * self.params.robot_radius_m);
        ((shortest_m / cell_size_m * (1.0 + 1e-9)) as usize).max(1)
    }

    /// The path from a position. Frontier cells that `is_allowed` refuses are no targets; `held` is the target of the
    /// last plan.
    ///
    /// # Errors
    /// The position is not on a free cell of the map, or the map is not one that can be planned on.
    pub fn plan(
        &self,
        geometry: &GridGeometry,
        map: &[CellClass],
        position: Point2,
        held: Option<Point2>,
        is_allowed: impl Fn(Point2) -> bool,
    ) -> Result<Plan, ExploreError> {
        if map.len() != geometry.cells() {
            return Err(ExploreError::Size { found: map.len(), expected: geometry.cells() });
        }
        let outside = ExploreError::Start { x_m: position.x_m, y_m: position.y_m };
        let start = geometry.cell_at(position).map(|cell| geometry.index_of(cell));
        let (Some(start), Some(part)) = (start, KnownPart::of(geometry, map)) else { return Err(outside) };
        let start = part.part_cell(start).filter(|&start| part.classes[start] == CellClass::Free);
        let start = start.ok_or(outside)?;
        let center = |cell: u32| geometry.center_of(geometry.cell_of(part.whole_cell(cell as usize)));
        let plan = self.plan_part(&part, start, held, center, is_allowed)?;
        let Plan::Drive { mut path, phi } = plan else { return Ok(plan) };
        path.points = path.cells.iter().map(|&cell| center(cell)).collect();
        path.cells.iter_mut().for_each(|cell| *cell = part.whole_cell(*cell as usize) as u32);
        Ok(Plan::Drive { path, phi })
    }

    /// The path from a cell of the known part of a map; cells of the path are those of the part.
    fn plan_part(
        &self,
        part: &KnownPart,
        start: usize,
        held: Option<Point2>,
        center: impl Fn(u32) -> Point2,
        is_allowed: impl Fn(Point2) -> bool,
    ) -> Result<Plan, ExploreError> {
        let mut terrain = Terrain::of(&part.geometry, &part.classes, &self.discomfort)?;
        let min_cells = self.min_frontier_cells(part.geometry.cell_size_m());
        let frontiers = find_frontiers(&part.classes, &terrain, self.params.frontier_neighbours, min_cells);
        if frontiers.is_finished() {
            return Ok(Plan::Finished);
        }
        terrain.allow_leaving(start);
        let goals: Vec<u32> =
            frontiers.safe.iter().copied().filter(|&cell| is_allowed(center(cell))).collect();
        let Some((path, phi)) = cheapest_path(&terrain, &goals, start) else { return Ok(Plan::Unsafe) };
        let new_target = center(path.target() as u32);
        let is_other = |old: &Point2| !is_near(*old, new_target, self.params.same_target_m);
        let keeps = self.params.choice == Choice::ExplorationTransform;
        if let Some(old) = held.filter(is_other).filter(|_| keeps) {
            let near_old: Vec<u32> = goals
                .iter()
                .copied()
                .filter(|&cell| is_near(center(cell), old, self.params.same_target_m))
                .collect();
            if let Some((kept, kept_phi)) = cheapest_path(&terrain, &near_old, start)
                && kept_phi <= (1.0 + self.params.hysteresis) * phi
            {
                return Ok(Plan::Drive { path: kept, phi: kept_phi });
            }
        }
        Ok(Plan::Drive { path, phi })
    }
}

fn cheapest_path(terrain: &Terrain, goals: &[u32], start: usize) -> Option<(Path, f64)> {
    let transform = Transform::to_goals(terrain, goals, Some(start));
    Some((Path::from(start, &transform, terrain)?, transform.phi(start)?))
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    /// Unknown on both ends, the right one nearer by a little.
    const CORRIDOR: [&str; 3] = ["###########", "?.........?", "###########"];

    fn plan(params: &Planning, held: Option<Point2>) -> Plan {
        let map = grid(CORRIDOR);
        let start = Point2::new(5.5 + 0.01, 1.5);
        Planner::new(params).unwrap().plan(map.geometry(), map.classes(), start, held, |_| true).unwrap()
    }

    fn small() -> Planning {
        let discomfort = Discomfort { d_min_m: 0.5, d_opt_m: 1.0, ..Discomfort::default() };
        Planning { discomfort, robot_radius_m: 0.3, ..Planning::default() }
    }

    fn target_x(plan: &Plan) -> f64 {
        match plan {
            Plan::Drive { path, .. } => path.points.last().unwrap().x_m,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ties_go_to_the_first_cell_unless_a_target_is_held() {
        assert_eq!(target_x(&plan(&small(), None)), 1.5);
        let right = Some(Point2::new(9.5, 1.5));
        assert_eq!(target_x(&plan(&small(), right)), 9.5);
        let nearest = Planning { choice: Choice::NearestFrontier, ..small() };
        assert_eq!(target_x(&plan(&nearest, right)), 1.5, "the baseline has no memory");
    }

    #[test]
    fn endings_are_told_apart() {
        let of = |rows: &[&str], d_min_m: f64, is_allowed: bool| {
            let map = grid(rows);
            let params = Planning { discomfort: Discomfort { d_min_m, ..Discomfort::default() }, ..small() };
            let planner = Planner::new(&params).unwrap();
            planner.plan(map.geometry(), map.classes(), Point2::new(1.5, 1.5), None, |_| is_allowed)
        };
        assert_eq!(of(&["####", "#..#", "####"], 0.5, true), Ok(Plan::Finished));
        assert_eq!(of(&["####", "#..?", "####"], 1.5, true), Ok(Plan::Unsafe));
        assert_eq!(of(&["####", "#..?", "####"], 0.5, false), Ok(Plan::Unsafe));
        assert!(matches!(of(&["####", "##.?", "####"], 0.5, true), Err(ExploreError::Start { .. })));
    }

    #[test]
    fn a_frontier_must_be_as_wide_as_the_robot() {
        let planner = Planner::new(&Planning::default()).unwrap();
        assert_eq!((planner.min_frontier_cells(0.05), planner.min_frontier_cells(1.0)), (8, 1));
    }
}
