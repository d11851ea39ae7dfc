//! F-AREA: explored and cleared area of a navigation layer, and how much of it is right.
//!
//! ```text
//! cleared = n_green res²      explored = (n_green + n_white) res²
//! ```
//!
//! Explored contains cleared (Balaguer et al. 2009, sections 3.2 and 4, do not say so, but explored is the larger
//! number in every case). A cell is correct if the truth is free there; area that the robot cannot have seen is
//! removed first. Victims belong to neither area.

use model::{CellClass, NavigationClass, Point2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::line_of_sight::seen_from_path;
use crate::{Case, Reason, Samples, Score, Undefined};

/// Which area is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Promised to hold no undetected victim.
    Cleared,
    /// Traversable, cleared or not.
    Explored,
}

impl Area {
    const fn contains(self, class: NavigationClass) -> bool {
        match self {
            Self::Cleared => matches!(class, NavigationClass::Cleared),
            Self::Explored => class.is_traversable(),
        }
    }
}

/// Cells of an area by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AreaCells {
    /// Free in the truth, and seen.
    pub correct: u64,
    /// Where no pose of the robot's path can have seen.
    pub unseen: u64,
    /// In obstacles of the truth.
    pub in_obstacles: u64,
    /// Where the truth knows nothing.
    pub outside: u64,
}

impl AreaCells {
    /// Sorts the cells of an area. `seen` marks what the robot can have seen; without it all counts as seen.
    #[must_use]
    pub fn of(
        area: Area,
        navigation: &[NavigationClass],
        truth: &[CellClass],
        seen: Option<&[bool]>,
    ) -> Self {
        let mut cells = Self::default();
        for (index, (&class, &truth)) in navigation.iter().zip(truth).enumerate() {
            if !area.contains(class) {
                continue;
            }
            let is_seen = seen.is_none_or(|seen| seen[index]);
            *match (is_seen, truth) {
                (false, _) => &mut cells.unseen,
                (true, CellClass::Free) => &mut cells.correct,
                (true, CellClass::Occupied) => &mut cells.in_obstacles,
                (true, CellClass::Unknown) => &mut cells.outside,
            } += 1;
        }
        cells
    }

    /// All cells that the map claims.
    #[must_use]
    pub const fn reported(&self) -> u64 {
        self.correct + self.unseen + self.in_obstacles + self.outside
    }

    fn facts(&self, cell_area_m2: f64) -> [(&'static str, Value); 3] {
        let area_m2 = |cells: u64| cells as f64 * cell_area_m2;
        let over = json!({
            "in_obstacles_m2": area_m2(self.in_obstacles),
            "outside_m2": area_m2(self.outside),
            "unseen_m2": area_m2(self.unseen),
        });
        [
            ("reported_m2", area_m2(self.reported()).into()),
            ("correct_m2", area_m2(self.correct).into()),
            ("over_reported", over),
        ]
    }
}

/// What the robot can have seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sight {
    /// How far the robot sees, metres. Default 4, ours: the range that small laser scanners have.
    pub sensor_range_m: f64,
    /// Whether area that it cannot have seen from the submitted path is removed. Default `on`.
    pub seen: Seen,
}

/// Whether area that the robot cannot have seen is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// It is, if a robot path was given.
    #[default]
    On,
    /// It stays.
    Off,
}

impl Default for Sight {
    fn default() -> Self {
        Self { sensor_range_m: 4.0, seen: Seen::On }
    }
}

/// The cells of an area by what became of them; without a robot path all count as seen.
///
/// # Errors
/// There are no maps to compare, or the map has no navigation layer.
pub fn area_cells(case: &Case, area: Area, sight: Sight) -> Result<AreaCells, Undefined> {
    let grids = case.grids()?;
    let navigation = grids.map.navigation().ok_or(Reason::NoNavigation)?;
    let seen = seen_cells(case, area, sight);
    Ok(AreaCells::of(area, navigation, grids.truth.classes(), seen.as_deref()))
}

/// Which cells of an area the robot can have seen; none without its path.
fn seen_cells(case: &Case, area: Area, sight: Sight) -> Option<Vec<bool>> {
    let grids = case.grids().ok()?;
    let navigation = grids.map.navigation()?;
    let is_claimed = |index: usize| area.contains(navigation[index]);
    let paths = robot_paths(case, sight)?;
    Some(seen_from_path(paths, grids.truth.classes(), grids.geometry(), sight.sensor_range_m, is_claimed))
}

/// The correct area by block of cells.
pub(super) fn area_samples(case: &Case, area: Area, sight: Sight) -> Vec<Samples> {
    let (Ok(grids), Ok(blocks)) = (case.grids(), case.blocks()) else { return Vec::new() };
    let Some(navigation) = grids.map.navigation() else { return Vec::new() };
    let seen = seen_cells(case, area, sight);
    let cell_area_m2 = grids.geometry().cell_size_m().powi(2);
    let is_correct = |&index: &usize| {
        area.contains(navigation[index])
            && grids.truth.classes()[index] == CellClass::Free
            && seen.as_ref().is_none_or(|seen| seen[index])
    };
    let correct = (0..navigation.len()).filter(is_correct);
    vec![blocks.sum(correct.map(|index| (index, cell_area_m2)))]
}

/// The submitted path, if there is one and it matters.
fn robot_paths(case: &Case, sight: Sight) -> Option<&[Vec<Point2>]> {
    let given = case.annotations().ok().filter(|_| sight.seen == Seen::On)?;
    given.map.robot_paths.as_deref()
}

/// The correct area in square metres, with what was claimed too much.
pub(super) fn correct_area(case: &Case, area: Area, sight: Sight) -> Result<Score, Undefined> {
    let grids = case.grids()?;
    let cells = area_cells(case, area, sight)?;
    let cell_area_m2 = grids.geometry().cell_size_m().powi(2);
    let free = case.table()?.truth_counts()[0] as f64 * cell_area_m2;
    let facts = crate::facts(cells.facts(cell_area_m2));
    Ok(Score::new(cells.correct as f64 * cell_area_m2)
        .between(free, 0.0)
        .with_all(facts)
        .with("coverage", case.coverage()?)
        .warn_if(robot_paths(case, sight).is_none(), Reason::NoPath))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotation::inputs::{AnnotationInputs, Annotations, Victim};
    use crate::contest::victims::Victims;

    fn layer(rows: &[&str]) -> Vec<NavigationClass> {
        let class = |letter| match letter {
            'g' => NavigationClass::Cleared,
            'w' => NavigationClass::Uncleared,
            'b' => NavigationClass::Unknown,
            'r' => NavigationClass::Victim,
            _ => NavigationClass::Untraversable,
        };
        rows.iter().flat_map(|row| row.chars()).map(class).collect()
    }

    #[test]
    fn f_area_claims_in_walls_and_out_of_sight_are_removed() {
        let navigation = layer(&["gggb", "gwwb", "grkb"]);
        let truth: Vec<CellClass> = testkit::grid(["..#.", "....", ".##."]).classes().to_vec();
        let mut seen = [true; 12];
        seen[1] = false;
        let cells = AreaCells::of(Area::Cleared, &navigation, &truth, Some(&seen));
        assert_eq!(cells, AreaCells { correct: 3, unseen: 1, in_obstacles: 1, outside: 0 });
        let cell_area_m2 = 0.25;
        assert_eq!(cells.reported() as f64 * cell_area_m2, 1.25);
        assert_eq!(cells.correct as f64 * cell_area_m2, 0.75);
        assert_eq!(AreaCells::of(Area::Explored, &navigation, &truth, None).reported(), 7);
    }

    /// A map that claims everything as cleared, over a truth of two rooms that no door joins; cells of 1 m.
    fn claims_all() -> Case {
        let truth = testkit::grid(["#######", "#..#..#", "#..#..#", "#######"]);
        let navigation = vec![NavigationClass::Cleared; 28];
        let map = model::Grid::of_navigation(*truth.geometry(), navigation).unwrap();
        crate::drawing::case_of(truth, map)
    }

    #[test]
    fn f_area_what_the_path_cannot_have_seen_is_removed() {
        let path = vec![vec![Point2::new(1.5, 1.5), Point2::new(1.5, 2.5)]];
        let map = Annotations { robot_paths: Some(path), ..Default::default() };
        let case = claims_all().with_annotations(AnnotationInputs { map, ..Default::default() });
        let seen = correct_area(&case, Area::Cleared, Sight::default()).unwrap();
        assert_eq!((seen.value, seen.warnings.len()), (4.0, 0), "the left room alone");
        let over = &seen.detail["over_reported"];
        assert_eq!(over["unseen_m2"].as_f64().unwrap() + over["in_obstacles_m2"].as_f64().unwrap(), 24.0);
        let near = Sight { sensor_range_m: 0.0, ..Sight::default() };
        assert_eq!(
            correct_area(&case, Area::Cleared, near).unwrap().value,
            2.0,
            "the cells of the path alone"
        );
        let off = Sight { seen: Seen::Off, ..Sight::default() };
        let all = correct_area(&case, Area::Cleared, off).unwrap();
        assert_eq!((all.value, all.warnings.as_slice()), (8.0, &[Reason::NoPath][..]));
    }

    #[test]
    fn s_e_victims_in_cleared_area_are_told_apart() {
        let victim = |x: f64, y: f64| Victim { position_m: [x, y, 0.0], ..Default::default() };
        let truth = Annotations {
            victims: Some(vec![victim(1.5, 1.5), victim(5.5, 1.5), victim(90.0, 1.5)]),
            ..Default::default()
        };
        let map = Annotations { victims: Some(vec![victim(1.6, 1.5)]), ..Default::default() };
        let case = claims_all().with_annotations(AnnotationInputs { map, truth });
        let score = crate::Metric::evaluate(&Victims::default(), &case).unwrap();
        let count = |key: &str| score.detail[key].as_u64();
        assert_eq!((count("victims_in_cleared"), count("unreported_in_cleared")), (Some(2), Some(1)));
    }

    #[test]
    fn f_area_the_papers_areas_from_cell_counts() {
        for (green, area_m2) in [(84_400, 211.0), (149_200, 373.0), (102_800, 257.0), (140_400, 351.0)] {
            let navigation = vec![NavigationClass::Cleared; green];
            let cells = AreaCells::of(Area::Cleared, &navigation, &vec![CellClass::Free; green], None);
            assert!((cells.reported() as f64 * 0.05f64.powi(2) - area_m2).abs() < 1e-9);
        }
    }
}
