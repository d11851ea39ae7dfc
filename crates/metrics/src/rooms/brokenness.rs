//! Brokenness: into how many parts the map falls that each fit the truth under a transform of their own.
//!
//! ```text
//! repeat: the transform T with the largest Σ max(0, 1 - d(T p) / (τ + 1)) over the walls p that are left,
//!         the largest stretch of walls with d <= τ under T, taken out as a part (or added to one with its transform)
//! then:   what is left, scattered, is a part if the walls in its hull fit one transform; parts that others explain are none
//! value = number of parts, and one more if what fits nowhere is more than a quarter of the walls
//! ```
//!
//! Unit: parts. Range: 0 upwards. Better: nearest to 1.
//! Paper: Schwertfeger et al. 2010, section 5 (describing Birk): cut out what does not fit, register it, repeat.
//! Departure: the paper gives no procedure; every step is ours, see `docs/rooms.md`. It does not say whether an intact
//! map counts as one part or none; `parts` and `breaks` are both given.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: a map so distorted that only one piece fits anywhere has one part, and the value 2 for its rest; read
//! `intact`, which asks that one part holds three quarters of the walls. Slips below about 2 τ to 2 (τ + 1) cells and 2 to 3 degrees
//! are absorbed, and so is a narrow part that only turned; `PARTS_LOWER_BOUND` says that one may be hidden. Against a drawn plan
//! furniture stays unregistered.
//! Sees: mirror; late: noise, bend, cut, moved_room, thick_walls, ghost_walls, resolution, scale; blind to: shift,
//! rotate, missing_wing, unseen, closed_door, opened_wall, blur. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has no occupied cell, or no stretch of at least 20 wall cells and 5 % of the walls fits anywhere.

use align::piecewise::{Parts, Piecewise, piecewise};
use model::{CellClass, Pose2};
use serde_json::{Value, json};

use super::wall_fit::picture_distance_m;
use crate::AlignedGrids;
use crate::plane_distance::distance_m;
use crate::prelude::*;

/// Parameters of the brokenness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brokenness {
    /// Walls this near count as registered, metres, at least one cell. Default 0.1, ours.
    pub tau_m: f64,
    /// Max rotation tried, degrees. Default 20, ours.
    pub theta_max_deg: f64,
    /// Max translation tried along each axis, metres, from the map's place and from parts that were found. Default 2, ours.
    pub shift_max_m: f64,
    /// Walls farther apart are different stretches, metres. Default 0.3, ours.
    pub gap_m: f64,
    /// The search ends when at most this share of the walls is left. Default 0.05, ours.
    pub stop_fraction: f64,
}

impl Default for Brokenness {
    fn default() -> Self {
        let Piecewise { tau_m, theta_max_deg, shift_max_m, gap_m, stop_fraction, .. } = Piecewise::default();
        Self { tau_m, theta_max_deg, shift_max_m, gap_m, stop_fraction }
    }
}

/// A map in one part is intact if that part holds this share of its walls. Ours: intact maps measured 0.95 and more,
/// distorted ones 0.51 and less.
const MIN_INTACT_SHARE: f64 = 0.75;
/// With a larger share unregistered the number of parts is a lower bound.
const MAX_UNREGISTERED_SHARE: f64 = 0.20;
/// Or with so much in pieces of wall: they may be all that is left of a narrow part whose walls along the slip fit its
/// neighbours too. Ours, from generated floors with two and three cuts that gave too few parts.
const MAX_UNREGISTERED_WALL_SHARE: f64 = 0.003;
/// Or, in a map of several parts, with so much anywhere. Ours, from the same floors.
const MAX_UNREGISTERED_SHARE_OF_TORN: f64 = 0.003;

impl Brokenness {
    /// The parts of the case's map, from the case where the parameters are the usual ones.
    pub(crate) fn parts(&self, case: &Case) -> Result<Parts, Undefined> {
        let grids = case.grids_with_walls()?;
        let params = Piecewise {
            tau_m: self.tau_m,
            theta_max_deg: self.theta_max_deg.clamp(0.0, 180.0),
            shift_max_m: self.shift_max_m.clamp(0.0, 20.0),
            gap_m: self.gap_m,
            stop_fraction: self.stop_fraction,
            ..Piecewise::default()
        };
        if params == Piecewise::default() {
            return case.parts().cloned();
        }
        piecewise(&grids.truth, &grids.map, &params).ok_or_else(|| Reason::NoMatch.into())
    }
}

/// Whether there may be more parts than were found.
fn is_lower_bound(parts: &Parts) -> bool {
    let max_share =
        if parts.parts.len() > 1 { MAX_UNREGISTERED_SHARE_OF_TORN } else { MAX_UNREGISTERED_SHARE };
    parts.unregistered_share() > max_share
        || parts.unregistered_wall_share() > MAX_UNREGISTERED_WALL_SHARE
        || parts.is_one_around_another
}

/// Whether a map is in one piece, and that piece is nearly all of it.
#[must_use]
pub fn is_intact(parts: &Parts) -> bool {
    parts.parts.len() == 1 && parts.largest_share() >= MIN_INTACT_SHARE
}

impl Metric for Brokenness {
    const SPEC: MetricSpec = MetricSpec::new(Family::Rooms, "brokenness", "M-BROKEN", "Brokenness")
        .measured_in(Unit::Ratio, Better::Closer)
        .best(1.0)
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let parts = self.parts(case)?;
        let grids = case.grids()?;
        let count = parts.parts.len();
        if count == 0 {
            let known = [("walls", json!(parts.walls)), ("intact", json!(false))];
            return Err(Undefined::because(Reason::NoMatch).with_all(crate::facts(known)));
        }
        let lower_bound = is_lower_bound(&parts);
        let repairs = repairs(grids, &parts);
        let records: Vec<Value> = parts
            .parts
            .iter()
            .zip(repairs)
            .map(|(part, repaired_m)| {
                let Pose2 { x_m, y_m, theta_rad } = part.truth_from_part;
                let (shift_m, turn_deg) = (shift_m(grids, part.truth_from_part), theta_rad.to_degrees());
                json!({
                    "truth_from_part": {"x_m": x_m, "y_m": y_m, "theta_rad": theta_rad},
                    "shift_m": shift_m, "turn_deg": turn_deg,
                    "cells": part.cells.len(), "share": part.cells.len() as f64 / parts.walls as f64,
                    "mean_distance_cells": part.mean_distance_cells,
                    "picture_distance_if_repaired_m": repaired_m,
                })
            })
            .collect();
        // What fits nowhere is no part of the one that does: a torn map never has the best value.
        let rest = usize::from(parts.unregistered_share() > 1.0 - MIN_INTACT_SHARE);
        Ok(Score::new((count + rest) as f64)
            .warn_if(lower_bound, Reason::PartsLowerBound)
            .with("parts", count)
            .with("breaks", count.saturating_sub(1))
            .with("intact", is_intact(&parts))
            .with("largest_share", parts.largest_share())
            .with("unregistered_share", parts.unregistered_share())
            .with("unregistered_wall_share", parts.unregistered_wall_share())
            .with("lower_bound", lower_bound)
            .with("smallest_slip_m", 2.0 * f64::from(parts.tau_cells) * grids.geometry().cell_size_m())
            .with("picture_distance_m", picture_distance_m(&grids.truth, grids.map.class_bytes()))
            .with("part_list", records)
            .with("coverage", case.coverage()?)
            .of_seen(case.coverage()?))
    }
}

/// How far a motion moves the middle of the compared window, metres.
fn shift_m(grids: &AlignedGrids, motion: Pose2) -> f64 {
    let geometry = grids.geometry();
    let middle = geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0);
    let moved = motion * middle;
    distance_m(moved, middle)
}

/// For each part the picture distance that the map would have if this part alone were moved to its place.
fn repairs(grids: &AlignedGrids, parts: &Parts) -> Vec<Option<f64>> {
    let geometry = grids.geometry();
    let repaired = |part: &align::piecewise::Part| {
        let mut plane = grids.map.class_bytes().to_vec();
        part.cells.iter().for_each(|&cell| plane[cell] = CellClass::Free as u8);
        for &cell in &part.cells {
            let place = part.truth_from_part * geometry.center_of(geometry.cell_of(cell));
            if let Some(target) = geometry.cell_at(place) {
                plane[geometry.index_of(target)] = CellClass::Occupied as u8;
            }
        }
        picture_distance_m(&grids.truth, &plane)
    };
    parts.parts.iter().map(repaired).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{building, case_of, slipped_building};

    fn score(truth: model::Grid, map: model::Grid) -> Score {
        Metric::evaluate(&Brokenness::default(), &case_of(truth, map)).unwrap()
    }

    #[test]
    fn an_intact_map_is_one_part_wherever_it_lies() {
        for shift in [0, 4] {
            let score = score(building(0), building(shift));
            assert_eq!((score.value, &score.detail["intact"]), (1.0, &json!(true)));
            assert_eq!(score.detail["largest_share"], 1.0);
        }
    }

    #[test]
    fn a_slip_is_found_and_its_repair_is_worth_it() {
        let score = score(building(0), slipped_building(5));
        assert_eq!(
            (score.value, &score.detail["breaks"], &score.detail["intact"]),
            (2.0, &json!(1), &json!(false))
        );
        let before = score.detail["picture_distance_m"].as_f64().unwrap();
        let slipped = &score.detail["part_list"][1];
        assert!((slipped["shift_m"].as_f64().unwrap() - 0.5).abs() < 0.1, "{slipped}");
        assert!(slipped["picture_distance_if_repaired_m"].as_f64().unwrap() < before / 2.0, "{slipped}");
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        let open = testkit::grid(["..."]);
        assert!(Metric::evaluate(&Brokenness::default(), &case_of(open.clone(), open)).is_err());
    }
}
