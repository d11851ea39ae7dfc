//! `sonar-last`: what the last cone said. The baseline of the comparison of sonar mappers.
//!
//! All cells of a cone nearer than the reading are free, all cells at the reading, over the whole width of the cone, are
//! occupied, whatever was known before; cells without an echo are free as far as the transducer sees. So a wall seen once
//! through a mirror is gone, and every reading draws an arc as wide as its cone.

use model::{Grid, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plane::Plane;
use super::{Cone, ListedSonarMapping, SonarMapping};
use crate::{MapperParams, RangeLimits};

/// Parameters of [`LastReading`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LastReadingParams {
    /// Edge of a cell in metres. Default 0.1; ours, a third of the width of a cone at 1 m.
    #[schemars(range(min = 0.005, max = 10.0))]
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Default 0.02, as the other mappers.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_min_m: f64,
    /// Echoes from here on are not believed, metres. Default 5, the usual range of a ring.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub range_max_m: f64,
}

impl Default for LastReadingParams {
    fn default() -> Self {
        Self { cell_size_m: 0.1, range_min_m: 0.02, range_max_m: 5.0 }
    }
}

impl MapperParams for LastReadingParams {}

/// What the last cone said about each cell.
pub struct LastReading {
    params: LastReadingParams,
    /// Whether the cell was occupied when it was last covered.
    plane: Plane<Option<bool>>,
}

impl LastReading {
    /// Nothing has come yet.
    #[must_use]
    pub const fn new(params: LastReadingParams) -> Self {
        Self { plane: Plane::new(params.cell_size_m), params }
    }
}

impl SonarMapping for LastReading {
    fn limits(&self) -> RangeLimits {
        RangeLimits { min_m: self.params.range_min_m, max_m: self.params.range_max_m }
    }

    fn add(&mut self, cones: &[Cone], map_from_robot: Pose2) {
        let half_cell_m = self.params.cell_size_m / 2.0;
        for cone in cones {
            let map_from_transducer = map_from_robot * cone.robot_from_transducer;
            let reach_m = cone.range_m + half_cell_m;
            if !self.plane.make_room(map_from_transducer, reach_m) {
                continue;
            }
            for cell in self.plane.cells_of(map_from_transducer, cone, reach_m) {
                let is_wall = cone.is_echo && cell.range_m > cone.range_m - half_cell_m;
                *self.plane.at(cell.index) = Some(is_wall);
            }
        }
    }

    fn grid(&self) -> Option<Grid> {
        self.plane.to_grid(|_, last| last.map(|is_wall| if is_wall { 1.0 } else { 0.0 }))
    }
}

impl ListedSonarMapping for LastReading {
    const NAME: &'static str = "sonar-last";
    const SUMMARY: &'static str =
        "Sonar at the poses of the odometry: the last reading of each cell, the baseline of sonar maps";
    type Params = LastReadingParams;

    fn with_params(params: LastReadingParams) -> Self {
        Self::new(params)
    }
}

#[cfg(test)]
mod tests {
    use model::{CellClass, Point2};

    use super::*;

    fn class_at(grid: &Grid, x_m: f64) -> Option<CellClass> {
        let cell = grid.geometry().cell_at(Point2::new(x_m, 0.05))?;
        Some(grid.classes()[grid.geometry().index_of(cell)])
    }

    #[test]
    fn the_last_cone_wins() {
        let mut mapping = LastReading::new(LastReadingParams::default());
        assert!(mapping.grid().is_none());
        let cone =
            |range_m: f64, is_echo: bool| Cone { opening_rad: 0.1, range_m, is_echo, ..Cone::default() };
        let robot = Pose2::new(0.0, 0.05, 0.0);
        mapping.add(&[cone(1.05, true)], robot);
        let map = mapping.grid().unwrap();
        assert_eq!(
            (class_at(&map, 0.55), class_at(&map, 1.05)),
            (Some(CellClass::Free), Some(CellClass::Occupied))
        );
        assert_eq!(class_at(&map, 1.55), None, "behind the echo nothing is known");
        mapping.add(&[cone(2.0, false)], robot);
        assert_eq!(class_at(&mapping.grid().unwrap(), 1.05), Some(CellClass::Free));
    }
}
