//! F-AREA: explored and cleared area of a navigation layer, and how much of it is right.
//!
//! ```text
//! cleared = n_green res²      explored = (n_green + n_white) res²
//! ```
//!
//! Explored contains cleared (Balaguer et al. 2009, sections 3.2 and 4, do not say so, but explored is the larger
//! number in every case). A cell is correct if the truth is free there; area that the robot cannot have seen is
//! removed first. Victims belong to neither area.

use model::{CellClass, NavigationClass};
use serde_json::{Value, json};

use crate::{Case, Reason, Score, Undefined};

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

/// The correct area in square metres, with what was claimed too much.
pub(super) fn correct_area(case: &Case, area: Area) -> Result<Score, Undefined> {
    let grids = case.grids()?;
    let navigation = grids.map.navigation().ok_or(Reason::NoNavigation)?;
    let cells = AreaCells::of(area, navigation, grids.truth.classes(), None);
    let cell_area_m2 = grids.geometry().cell_size_m().powi(2);
    let free = case.table()?.truth_counts()[0] as f64 * cell_area_m2;
    let facts = crate::facts(cells.facts(cell_area_m2));
    Ok(Score::new(cells.correct as f64 * cell_area_m2)
        .between(free, 0.0)
        .with_all(facts)
        .with("coverage", case.coverage()?)
        .warn_if(true, Reason::NoPath))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn f_area_the_papers_areas_from_cell_counts() {
        for (green, area_m2) in [(84_400, 211.0), (149_200, 373.0), (102_800, 257.0), (140_400, 351.0)] {
            let navigation = vec![NavigationClass::Cleared; green];
            let cells = AreaCells::of(Area::Cleared, &navigation, &vec![CellClass::Free; green], None);
            assert!((cells.reported() as f64 * 0.05f64.powi(2) - area_m2).abs() < 1e-9);
        }
    }
}
