//! Metric quality: how well the map is built inside its parts, into how few parts it falls, and how far these slipped.
//!
//! ```text
//! global = 1 / (1 + Σ c_k)    over all parts but the largest;  c_k = (1 + d_k / (d_k + d_half)) / 2
//! d_k    = mean distance of the cells of part k between its own transform and that of the largest part
//! local  = mean over parts, by size, of the F1 of walls within τ, each part under its own transform;
//!          walls that belong to no part count with the first part that brings them within τ, else with the largest, as false
//! value  = (global + local) / 2
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, section 4.1: local and global quality are judged apart, so that one early error does
//! not ruin the whole map. There by human judges; the arithmetic is ours.
//! Departure: parts are those of `brokenness`. A localisation error costs between half of a whole error (a slip of
//! nearly nothing) and a whole one (far), because the paper judges number and severity and prints no weights. Walls of
//! the truth that no part comes within a metre of belong to none; they are the business of coverage.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: walls of the truth that were never seen cost nothing here; read it with the coverage.
//! Sees: noise, moved_room, unseen, ghost_walls, closed_door, opened_wall, blur, resolution, mirror; late: shift,
//! rotate, bend, cut, thick_walls, scale; saturates: missing_wing. Damage of docs/lab.md, five generated floors.
//! Variants: `severity_half_m = 0` counts localisation errors alone: global = 1 / parts.
//! Undefined: if either map has no occupied cell, or no part fits anywhere.

use align::piecewise::{Parts, walls_of};
use raster::city_block::city_block_transform;
use raster::neighbours::beside;

use super::brokenness::Brokenness;
use crate::AlignedGrids;
use crate::plane_distance::distance_m;
use crate::prelude::*;

/// Parameters of the metric quality; those of the brokenness are at their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MetricQuality {
    /// A slip of this length costs three quarters of a whole localisation error, metres; 0: every slip costs a whole
    /// one. Default 1, ours: about a corridor's width, where a slip leads through another door.
    pub severity_half_m: f64,
}

impl Default for MetricQuality {
    fn default() -> Self {
        Self { severity_half_m: 1.0 }
    }
}

/// Walls of the truth farther from every part belong to none, metres.
const REACH_M: f64 = 1.0;

impl Metric for MetricQuality {
    const SPEC: MetricSpec = MetricSpec::share(Family::Rooms, "metric_quality", "A-METRIC", "Metric quality")
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let parts = Brokenness::default().parts(case)?;
        if parts.parts.is_empty() {
            return Err(Reason::NoMatch.into());
        }
        let grids = case.grids()?;
        let slips = slips(grids, &parts);
        let global = 1.0 / (1.0 + self.localisation_errors(&parts, &slips));
        let qualities = local_qualities(grids, &parts);
        let sizes: Vec<f64> = parts.parts.iter().map(|part| part.cells.len() as f64).collect();
        let weighted = |values: &[f64]| {
            values.iter().zip(&sizes).map(|(v, w)| v * w).sum::<f64>() / sizes.iter().sum::<f64>()
        };
        let local = weighted(&qualities);
        let of_slips = |of: fn(&Slip) -> f64| slips.iter().map(of).collect::<Vec<f64>>();
        Ok(Score::new((global + local) / 2.0)
            .with("global", global)
            .with("local", local)
            .with("parts", parts.parts.len())
            .with("severity_m", weighted(&of_slips(|slip| slip.translation_m)))
            .with("severity_deg", weighted(&of_slips(|slip| slip.yaw_deg)))
            .with("displacement_m", weighted(&of_slips(|slip| slip.displacement_m)))
            .with("unregistered_share", parts.unregistered_share())
            .with("coverage", case.coverage()?)
            .of_seen(case.coverage()?))
    }
}

impl MetricQuality {
    /// Σ c_k: the localisation errors, each by its severity.
    fn localisation_errors(&self, parts: &Parts, slips: &[Slip]) -> f64 {
        let largest = largest_part(parts);
        let cost = |slip: &Slip| match slip.displacement_m + self.severity_half_m {
            sum if sum > 0.0 => (1.0 + slip.displacement_m / sum) / 2.0,
            _ => 1.0,
        };
        let others = slips.iter().enumerate().filter(|(part, _)| Some(*part) != largest);
        others.map(|(_, slip)| cost(slip)).sum()
    }
}

/// How far a part lies from where the largest part says that it is.
#[derive(Clone, Copy, Debug, Default)]
struct Slip {
    /// Of its own middle.
    translation_m: f64,
    yaw_deg: f64,
    /// Mean over its cells; holds translation and rotation.
    displacement_m: f64,
}

fn largest_part(parts: &Parts) -> Option<usize> {
    (0..parts.parts.len()).rev().max_by_key(|&part| parts.parts[part].cells.len())
}

/// The slip of each part against the largest.
fn slips(grids: &AlignedGrids, parts: &Parts) -> Vec<Slip> {
    let geometry = grids.geometry();
    let Some(largest) = largest_part(parts).map(|part| &parts.parts[part]) else { return Vec::new() };
    let slip = |part: &align::piecewise::Part| {
        let centers = || part.cells.iter().map(|&cell| geometry.center_of(geometry.cell_of(cell)));
        let moved_m = |place| distance_m(part.truth_from_part * place, largest.truth_from_part * place);
        let sum = centers().fold((0.0, 0.0), |s, p| (s.0 + p.x_m, s.1 + p.y_m));
        let n = part.cells.len().max(1) as f64;
        let yaw_rad = model::wrap(part.truth_from_part.theta_rad - largest.truth_from_part.theta_rad);
        Slip {
            translation_m: moved_m(model::Point2::new(sum.0 / n, sum.1 / n)),
            yaw_deg: yaw_rad.abs().to_degrees(),
            displacement_m: centers().map(moved_m).sum::<f64>() / n,
        }
    };
    parts.parts.iter().map(slip).collect()
}

/// The walls of each part, and with them those that belong to none: each goes to the first part that brings it within τ of
/// a wall of the truth, else to the largest.
fn with_the_rest(grids: &AlignedGrids, parts: &Parts, to_truth: &Nearest) -> Vec<Vec<usize>> {
    let geometry = grids.geometry();
    let mut cells: Vec<Vec<usize>> = parts.parts.iter().map(|part| part.cells.clone()).collect();
    let fits = |part: &align::piecewise::Part, cell: usize| {
        let place = part.truth_from_part * geometry.center_of(geometry.cell_of(cell));
        let target = geometry.cell_at(place).map(|target| geometry.index_of(target));
        target.is_some_and(|target| to_truth.distance[target] <= parts.tau_cells)
    };
    for &cell in &parts.unregistered {
        let part = parts.parts.iter().position(|part| fits(part, cell)).or_else(|| largest_part(parts));
        part.into_iter().for_each(|part| cells[part].push(cell));
    }
    cells
}

/// F1 of the walls of each part under its own transform.
fn local_qualities(grids: &AlignedGrids, parts: &Parts) -> Vec<f64> {
    let geometry = grids.geometry();
    let width = geometry.width();
    // As in the map's parts: the inside of solid areas is no wall.
    let is_wall = walls_of(&grids.truth);
    let walls: Vec<usize> = (0..geometry.cells()).filter(|&cell| is_wall[cell]).collect();
    let to_truth = Nearest::from(std::slice::from_ref(&walls), geometry.cells(), width, parts.tau_cells);
    let cells_of_parts = with_the_rest(grids, parts, &to_truth);
    let moved = parts.parts.iter().zip(&cells_of_parts).map(|(part, cells)| -> Vec<usize> {
        let place = |&cell: &usize| part.truth_from_part * geometry.center_of(geometry.cell_of(cell));
        cells.iter().filter_map(|cell| Some(geometry.index_of(geometry.cell_at(place(cell))?))).collect()
    });
    let moved: Vec<Vec<usize>> = moved.collect();
    let reach = (REACH_M / geometry.cell_size_m()).round() as u32;
    let to_parts = Nearest::from(&moved, geometry.cells(), width, reach);
    let quality = |(number, cells): (usize, &Vec<usize>)| {
        let near = cells.iter().filter(|&&cell| to_truth.distance[cell] <= parts.tau_cells).count();
        let own = walls.iter().filter(|&&w| to_parts.owner[w] == number && to_parts.distance[w] <= reach);
        let (own, found) = own.fold((0, 0), |(own, found), &wall| {
            (own + 1, found + usize::from(to_parts.distance[wall] <= parts.tau_cells))
        });
        let all = cells_of_parts[number].len();
        let precision = near as f64 / all as f64;
        let recall = if own > 0 { found as f64 / f64::from(own) } else { 0.0 };
        if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
    };
    moved.iter().enumerate().map(quality).collect()
}

/// City-block distance to the nearest of several sets of cells, and which one that is (of equals the first); beyond the
/// reach nobody asks.
struct Nearest {
    distance: Vec<u32>,
    owner: Vec<usize>,
}

impl Nearest {
    fn from(sets: &[Vec<usize>], cells: usize, width: usize, reach: u32) -> Self {
        if let [set] = sets {
            return Self::of_one(set, cells, width);
        }
        let (mut distance, mut owner) = (vec![u32::MAX; cells], vec![usize::MAX; cells]);
        let (mut ring, mut next_ring) = (Vec::new(), Vec::new());
        for (number, set) in sets.iter().enumerate() {
            for &cell in set {
                if distance[cell] != 0 {
                    (distance[cell], owner[cell]) = (0, number);
                    ring.push(cell);
                }
            }
        }
        for further in 1..=reach {
            for cell in ring.drain(..) {
                for next in beside(cell, width, cells) {
                    if distance[next] == u32::MAX {
                        (distance[next], owner[next]) = (further, owner[cell]);
                        next_ring.push(next);
                    }
                }
            }
            std::mem::swap(&mut ring, &mut next_ring);
            if ring.is_empty() {
                break;
            }
        }
        Self { distance, owner }
    }

    /// With one set nobody asks whose a cell is, and two sweeps give all distances.
    fn of_one(set: &[usize], cells: usize, width: usize) -> Self {
        let mut is_there = vec![0_u8; cells];
        set.iter().for_each(|&cell| is_there[cell] = 1);
        let distance = city_block_transform(&is_there, 1, width, cells / width.max(1));
        Self { distance: distance.unwrap_or_else(|| vec![u32::MAX; cells]), owner: vec![0; cells] }
    }
}

#[cfg(test)]
mod tests {
    use model::CellClass;

    use super::*;
    use crate::drawing::{building, case_of, nearly, slipped_building};

    fn score(map: model::Grid) -> Score {
        Metric::evaluate(&MetricQuality::default(), &case_of(building(0), map)).unwrap()
    }

    #[test]
    fn an_intact_map_has_both_qualities() {
        nearly(score(building(4)).value, 1.0, 1e-12);
    }

    #[test]
    fn objects_that_are_not_there_cost_local_quality() {
        let mut classes = building(0).classes().to_vec();
        // A box of 2 x 20 cells in the room above on the left.
        for cell in (20..22).flat_map(|row| (16..36).map(move |column| row * 85 + column)) {
            classes[cell] = CellClass::Occupied;
        }
        let map = model::Grid::new(*building(0).geometry(), classes).unwrap();
        let (own, cluttered) = (score(building(0)), score(map));
        assert_eq!(own.value, 1.0);
        assert!(cluttered.value < own.value, "{:?}", cluttered.detail);
    }

    #[test]
    fn a_slip_costs_global_quality_and_hardly_any_local() {
        let score = score(slipped_building(5));
        // One error of 0.5 m: c = (1 + 0.5 / 1.5) / 2 = 2/3, so that global = 1 / (1 + 2/3).
        nearly(score.detail["global"].as_f64().unwrap(), 0.6, 0.01);
        assert!(score.detail["local"].as_f64().unwrap() > 0.95, "{:?}", score.detail);
        // 141 of 322 registered cells slipped by 0.5 m.
        nearly(score.detail["severity_m"].as_f64().unwrap(), 0.5 * 141.0 / 322.0, 0.02);
    }

    #[test]
    fn a_longer_slip_costs_more() {
        let of = |down| score(slipped_building(down)).detail["global"].as_f64().unwrap();
        // c = (1 + 0.4/1.4) / 2 and (1 + 0.8/1.8) / 2.
        nearly(of(4), 1.0 / (1.0 + (1.0 + 0.4 / 1.4) / 2.0), 0.01);
        nearly(of(8), 1.0 / (1.0 + (1.0 + 0.8 / 1.8) / 2.0), 0.01);
        assert!(score(slipped_building(4)).value > score(slipped_building(8)).value);
        let number_alone = MetricQuality { severity_half_m: 0.0 };
        for down in [4, 8] {
            let case = case_of(building(0), slipped_building(down));
            let found = Metric::evaluate(&number_alone, &case).unwrap();
            assert_eq!(found.detail["global"].as_f64(), Some(0.5));
        }
        assert_eq!(Metric::evaluate(&number_alone, &case_of(building(0), building(0))).unwrap().value, 1.0);
    }
}
