//! Normalised map score (Collins): the map score over the score of the worst map of the same place.
//!
//! ```text
//! NSSD = SSD(I, M) / SSD(I, W)
//! ```
//!
//! The worst map W turns every empty cell of the truth I into 1. An occupied cell becomes 0, and an unknown one 0
//! or 1 (the cost is 0.25 in both cases), if it lies next to an empty cell and can be detected from there; all other
//! cells keep their value. *Next to* is Chebyshev distance 1. A diagonal neighbour is detectable only past an
//! empty side cell, and that side cell is then an edge neighbour itself; so detectable means: an edge neighbour
//! is empty.
//!
//! Unit: 1. Range: 0 to 1, or above where the map is wrong in cells that W leaves alone. Better: lower.
//! Paper: Collins et al., section 3.2.
//! Departure: *next to* and *detectable* are made precise as above; the paper shows them in a figure only. The paper argues
//! from where the robot can go; by default every empty cell detects, and `reachable_from_m` restricts it to those.
//! Unknown: 0.5 (`unknown_as = half`).
//! Variants: `worst = naive` flips every cell; `domain = detectable` sums only where W differs from I, so that the
//! value cannot exceed 1; `reachable_from_m = [x, y]` lets only empty cells connected to that point detect.
//! Known bias: places with much open space get a large denominator and so a small value.
//! Sees: shift, rotate, bend, cut, thick_walls, ghost_walls, blur, resolution, scale, mirror; late: noise, moved_room,
//! missing_wing, unseen, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if the truth has no empty cell, or no cell is compared.

use model::{CellClass, Grid, Point2};
use raster::components::{Connectivity, components_of};

use super::number_pairs::{NumberPairs, Source, SquaredDifferences, UnknownNumber, pairs_by_cell};
use crate::AlignedGrids;
use crate::prelude::*;

/// How the worst map is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Worst {
    /// Only cells that can be detected from an empty cell change.
    #[default]
    Detectable,
    /// Every cell changes.
    Naive,
}

/// Over which cells the differences are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    /// All cells.
    #[default]
    All,
    /// Cells in which the worst map differs from the truth.
    Detectable,
}

/// Parameters of the normalised map score of Collins et al.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NormalizedMapScoreCollins {
    /// How the worst map is made. Default `detectable`, from the paper.
    pub worst: Worst,
    /// Over which cells the differences are summed. Default `all`, from the paper.
    pub domain: Domain,
    /// Only empty cells connected to this point (x, y in metres) detect. Default none: all empty cells do.
    pub reachable_from_m: Option<[f64; 2]>,
    /// The number of an unknown cell of the map. Default `half`, from the paper.
    pub unknown_as: UnknownNumber,
}

impl Metric for NormalizedMapScoreCollins {
    const SPEC: MetricSpec = MetricSpec::new(
        Family::Cells,
        "normalized_map_score_collins",
        "M-NSSD",
        "Normalised map score (Collins)",
    )
    .measured_in(Unit::Ratio, Better::Lower)
    .best(0.0)
    .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let changed = self.changed_cells(&grids.truth)?;
        let worst_ssd = changed.ssd();
        if worst_ssd == 0.0 || changed.free == 0 {
            return Err(Reason::EmptyWindow.into());
        }
        let ssd = match self.domain {
            Domain::All => NumberPairs::of(case, Source::Probabilities, self.unknown_as)?
                .squared_differences(|_, _| true),
            Domain::Detectable => self.differences_where_changed(grids)?,
        };
        if ssd.cells == 0.0 {
            return Err(Reason::EmptyWindow.into());
        }
        let value = ssd.sum / worst_ssd;
        Ok(Score::new(value)
            .with("ssd", ssd.sum)
            .with("worst_ssd", worst_ssd)
            .with("quality", 1.0 - value)
            .with("coverage", case.coverage()?)
            .warn_if(value > 1.0, Reason::ExceedsOne))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        self.cell_samples(case).into_iter().collect()
    }
}

/// How many cells of each class the worst map changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Changed {
    free: u64,
    unknown: u64,
    occupied: u64,
}

impl Changed {
    /// SSD(I, W): 1 for each changed free or occupied cell, 0.25 for each unknown one.
    fn ssd(self) -> f64 {
        (self.free + self.occupied) as f64 + 0.25 * self.unknown as f64
    }
}

impl NormalizedMapScoreCollins {
    /// Both sums by block of cells.
    fn cell_samples(&self, case: &Case) -> Result<Samples, Undefined> {
        let (grids, blocks) = (case.grids()?, case.blocks()?);
        let worst = |class: u8| if class == CellClass::Unknown as u8 { 0.25 } else { 1.0 };
        let (mut cells, mut first) = (vec![(0.0, 0.0); grids.cells()], 0);
        self.for_each_detectable_row(&grids.truth, |classes, detectable| {
            for (cell, (&class, &near)) in cells[first..].iter_mut().zip(classes.iter().zip(detectable)) {
                let changes = class == CellClass::Free as u8 || near == 1 || self.worst == Worst::Naive;
                cell.1 = if changes { worst(class) } else { 0.0 };
            }
            first += classes.len();
        })?;
        for (index, g, m) in pairs_by_cell(&grids.truth, &grids.map, self.unknown_as) {
            if self.domain == Domain::All || cells[index].1 > 0.0 {
                cells[index].0 = (g - m) * (g - m);
            }
        }
        Ok(blocks.ratio(cells.into_iter().enumerate().map(|(index, (of, by))| (index, of, by))))
    }

    fn changed_cells(&self, truth: &Grid) -> Result<Changed, Undefined> {
        let [free, unknown, occupied] = truth.class_counts();
        if self.worst == Worst::Naive {
            return Ok(Changed { free, unknown, occupied });
        }
        let mut changed = Changed { free, unknown: 0, occupied: 0 };
        self.for_each_detectable_row(truth, |classes, detectable| {
            // Pieces short enough for counters of one byte, so that many cells are counted at once.
            for (classes, detectable) in classes.chunks(255).zip(detectable.chunks(255)) {
                let count = |class: CellClass| -> u8 {
                    let pairs = classes.iter().zip(detectable);
                    pairs.map(|(&c, &near)| near & u8::from(c == class as u8)).sum()
                };
                changed.unknown += u64::from(count(CellClass::Unknown));
                changed.occupied += u64::from(count(CellClass::Occupied));
            }
        })?;
        Ok(changed)
    }

    fn differences_where_changed(&self, grids: &AlignedGrids) -> Result<SquaredDifferences, Undefined> {
        let (truth, map) = (&grids.truth, &grids.map);
        let number = |index: usize| match (map.classes()[index].is_known(), self.unknown_as) {
            (true, _) | (false, UnknownNumber::Half) => Some(map.number(index)),
            (false, UnknownNumber::Free) => Some(0.0),
            (false, UnknownNumber::Occupied) => Some(1.0),
            (false, UnknownNumber::Exclude) => None,
        };
        let (mut differences, mut index) = (SquaredDifferences { sum: 0.0, cells: 0.0 }, 0);
        self.for_each_detectable_row(truth, |classes, detectable| {
            for (&class, &near) in classes.iter().zip(detectable) {
                let changes = class == CellClass::Free as u8 || near == 1 || self.worst == Worst::Naive;
                if let Some(m) = number(index).filter(|_| changes) {
                    differences.sum += (truth.number(index) - m).powi(2);
                    differences.cells += 1.0;
                }
                index += 1;
            }
        })?;
        Ok(differences)
    }

    /// Calls row by row, top row first, with the classes and a 1 for each cell that has an empty (and, if
    /// asked for, reachable) edge neighbour.
    fn for_each_detectable_row(
        &self,
        truth: &Grid,
        mut call: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), Undefined> {
        let width = truth.geometry().width();
        let classes = truth.class_bytes();
        let empty: Vec<u8> = match self.reachable_from_m {
            None => classes.iter().map(|&c| u8::from(c == CellClass::Free as u8)).collect(),
            Some([x_m, y_m]) => reachable_empties(truth, Point2::new(x_m, y_m))?,
        };
        let beyond = vec![0u8; width];
        let mut detectable = vec![0u8; width];
        for (row, here) in empty.chunks(width).enumerate() {
            let above = row.checked_sub(1).map_or(&beyond[..], |r| &empty[r * width..][..width]);
            let below = empty.get((row + 1) * width..(row + 2) * width).unwrap_or(&beyond);
            for (near, (a, b)) in detectable.iter_mut().zip(above.iter().zip(below)) {
                *near = a | b;
            }
            detectable[1..].iter_mut().zip(here).for_each(|(near, left)| *near |= left);
            detectable.iter_mut().zip(&here[1..]).for_each(|(near, right)| *near |= right);
            call(&classes[row * width..][..width], &detectable);
        }
        Ok(())
    }
}

/// 1 for each empty cell that is connected to the start by edges.
fn reachable_empties(truth: &Grid, start: Point2) -> Result<Vec<u8>, Undefined> {
    let geometry = truth.geometry();
    let free = CellClass::Free as u8;
    let parts =
        components_of(truth.class_bytes(), free, geometry.width(), geometry.height(), Connectivity::Four);
    let home = geometry.cell_at(start).and_then(|cell| parts.component_at(geometry.index_of(cell)));
    let home = home.ok_or(Reason::UnreachableStart)?;
    let mut reached = vec![0u8; geometry.cells()];
    parts.runs().filter(|(part, _)| *part == home).for_each(|(_, cells)| reached[cells].fill(1));
    Ok(reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(params: &NormalizedMapScoreCollins, truth: &[&str], map: &[&str]) -> Score {
        Metric::evaluate(params, &case(truth, map)).unwrap()
    }

    const ROOM: [&str; 4] = ["#####", "#..#?", "#..##", "####?"];

    #[test]
    fn e3_room_with_hidden_corners() {
        let map = ["#####", "#..#.", "#..#.", "##.#?"];
        let result = score(&NormalizedMapScoreCollins::default(), &ROOM, &map);
        assert_eq!(result.detail["worst_ssd"], 12.0);
        assert_eq!(result.detail["ssd"], 2.25);
        assert_eq!(result.value, 0.1875);
        let naive = NormalizedMapScoreCollins { worst: Worst::Naive, ..Default::default() };
        let result = score(&naive, &ROOM, &map);
        assert_eq!(result.detail["worst_ssd"], 18.5);
        nearly(result.value, 0.121622, 5e-7);
    }

    #[test]
    fn e3_second_and_third_case() {
        let worst = |truth: &[&str]| {
            score(&NormalizedMapScoreCollins::default(), truth, truth).detail["worst_ssd"].as_f64()
        };
        assert_eq!(worst(&["##.", "#..", "..."]), Some(8.0));
        assert_eq!(worst(&["?#?", "#.#", "?#?"]), Some(5.0));
    }

    #[test]
    fn errors_behind_walls_may_exceed_one_but_not_over_the_detectable_cells() {
        let (truth, map) = (["#####", "#.###", "#####"], ["....#", ".#.##", "....#"]);
        let all = score(&NormalizedMapScoreCollins::default(), &truth, &map);
        assert_eq!(all.detail["worst_ssd"], 5.0);
        assert_eq!(all.value, 11.0 / 5.0);
        assert_eq!(all.warnings, [Reason::ExceedsOne]);
        let only = NormalizedMapScoreCollins { domain: Domain::Detectable, ..Default::default() };
        assert_eq!(score(&only, &truth, &map).value, 1.0);
    }

    #[test]
    fn only_reachable_space_detects() {
        let truth = ["#####", "#.#.#", "#####"];
        let from_left =
            NormalizedMapScoreCollins { reachable_from_m: Some([1.5, 1.5]), ..Default::default() };
        assert_eq!(score(&from_left, &truth, &truth).detail["worst_ssd"], 6.0, "two empty, four walls");
        let all = NormalizedMapScoreCollins::default();
        assert_eq!(score(&all, &truth, &truth).detail["worst_ssd"], 9.0, "two empty, seven walls");
        let from_wall =
            NormalizedMapScoreCollins { reachable_from_m: Some([0.5, 0.5]), ..Default::default() };
        let refused = Metric::evaluate(&from_wall, &case(&truth, &truth)).unwrap_err();
        assert_eq!(refused.reasons, [Reason::UnreachableStart]);
    }

    #[test]
    fn a_truth_without_empty_space_has_no_worst_map() {
        let refused = Metric::evaluate(&NormalizedMapScoreCollins::default(), &case(&["##"], &["##"]));
        assert_eq!(refused.unwrap_err().reasons, [Reason::EmptyWindow]);
    }
}
