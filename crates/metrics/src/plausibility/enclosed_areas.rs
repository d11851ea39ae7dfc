//! Enclosed areas: the number of free areas that walls or unknown cells part from each other.
//!
//! ```text
//! areas = connected areas of free cells, over corners too, that have a cell with four free neighbours   reading = wide
//! areas = connected areas of free cells, over corners too, that do not touch the image's border        reading = inside
//! ```
//!
//! Unit: areas. Range: 0 upwards. Better: neither, it describes the map. The floor itself is one of them.
//! Paper: Filatov et al. 2017, one of three signs of a map without a truth: walls drawn twice part slivers from the floor.
//! Departure: the programs follow outlines of grey values; here areas are connected parts of the free cells.
//! Unknown: parts areas as walls do.
//! Known bias: a description, not a sign of quality: closed rooms that a robot saw through a window count as slivers do.
//! Variants: on one map two public programs print 7 and 3. `wide` is the reading of SLAM-maps-evaluation, which counts outlines
//! with a free cell inside, `inside` that of a program which leaves out what touches the border, as their code reads; neither
//! was run here.
//! Undefined: if the map has no free cell.

use model::CellClass;
use raster::components::{Connectivity, label};

use super::places::with_cells;
use crate::prelude::*;

/// Parameters of the enclosed areas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnclosedAreas {
    /// Which areas count. Default `wide`, ours: single cells behind a wall are specks.
    pub reading: AreaReading,
}

/// Which areas count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AreaReading {
    /// Those with a cell whose four neighbours are free.
    #[default]
    Wide,
    /// Those that do not touch the border of the image.
    Inside,
}

impl Metric for EnclosedAreas {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Plausibility, "enclosed_areas", "X-PLAUS-E", "Enclosed areas")
            .measured_in(Unit::Ratio, Better::Neither)
            .over_floors(Aggregate::None);

    /// Only where it is asked for by name.
    fn applies(_: &Case) -> bool {
        false
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let map = case.map()?;
        let (width, height) = (map.geometry().width(), map.geometry().height());
        let free: Vec<u8> = map.classes().iter().map(|class| u8::from(*class == CellClass::Free)).collect();
        let areas = label(&free, width, height, Connectivity::Eight);
        if areas.count == 0 {
            return Err(Reason::EmptyWindow.into());
        }
        let mut sizes = vec![0_usize; areas.count as usize + 1];
        let (mut is_wide, mut is_open) = (vec![false; sizes.len()], vec![false; sizes.len()]);
        for (cell, &area) in areas.labels.iter().enumerate().filter(|(_, area)| **area > 0) {
            let (area, x, y) = (area as usize, cell % width, cell / width);
            sizes[area] += 1;
            let at_border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            is_open[area] |= at_border;
            is_wide[area] |= !at_border
                && [cell - 1, cell + 1, cell - width, cell + width].iter().all(|&near| free[near] != 0);
        }
        let counts = |area: usize| match self.reading {
            AreaReading::Wide => is_wide[area],
            AreaReading::Inside => !is_open[area],
        };
        let counted: Vec<usize> = (1..sizes.len()).filter(|&area| counts(area)).collect();
        // The largest is the floor; the others are what a judge looks at.
        let largest = counted.iter().copied().max_by_key(|&area| sizes[area]);
        let others = |cell: &usize| {
            let area = areas.labels[*cell] as usize;
            area > 0 && counts(area) && Some(area) != largest
        };
        let cells: Vec<usize> = (0..free.len()).filter(others).collect();
        let score = Score::new(counted.len() as f64).with("all_areas", areas.count);
        Ok(with_cells(score, "enclosed_places", map, &cells))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn value(reading: AreaReading, rows: &[&str]) -> f64 {
        let case = Case::of_map_alone(Arc::new(testkit::grid(rows)));
        Metric::evaluate(&EnclosedAreas { reading }, &case).unwrap().value
    }

    /// A room of 3 x 3 cells, a closet of one cell, and the outside, two cells wide, at the border of the image.
    const ROWS: [&str; 5] = ["#####.#..", "#...###..", "#...#.#..", "#...###..", "#####?#.."];

    #[test]
    fn both_readings_by_hand() {
        // Wide: the room alone; the outside has no cell with four free neighbours. Inside: room and closet.
        assert_eq!(value(AreaReading::Wide, &ROWS), 1.0);
        assert_eq!(value(AreaReading::Inside, &ROWS), 2.0);
    }

    #[test]
    fn areas_that_touch_at_a_corner_are_one() {
        assert_eq!(value(AreaReading::Inside, &["????", "?.#?", "?#.?", "????"]), 1.0);
    }

    #[test]
    fn a_map_without_free_cells_is_undefined() {
        let case = Case::of_map_alone(Arc::new(testkit::grid(["#?"])));
        assert!(Metric::evaluate(&EnclosedAreas::default(), &case).is_err());
    }
}
