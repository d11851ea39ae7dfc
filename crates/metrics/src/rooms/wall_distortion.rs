//! Wall distortion: how far walls lie from where one rigid motion of the whole map would put them.
//!
//! ```text
//! T_k = motion under which the walls of tile k of the truth lie on walls of the map, followed from tile to tile
//! R   = rigid motion with the smallest Σ over walls p of |T_k p - R p|²
//! distortion = sqrt(mean over walls p of |T_k p - R p|²)
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. Where a map is placed as a whole does not count; bends, tears, stretches and rooms out
//! of place do.
//! Paper: none; ours, because the penalty of Pellenz' warp (`warp_penalty`) rests on the centres of few rooms and grows with a bend
//! only where these are enough. Tiles of 2 m are registered as the parts of `brokenness` are (Schwertfeger et al. 2010, section 5).
//! Departure: none.
//! Unknown: not looked at; walls that the map does not have cost nothing.
//! Known bias: tiles are found to about a quarter of a cell, so that a value below that says nothing. What no motion of a
//! tile brings onto the map is left out, and a wall of long straight lines may slide along itself unseen.
//! Sees: bend, cut, scale, mirror; late: noise, moved_room, thick_walls, unseen, opened_wall, resolution; saturates:
//! shift, rotate; blind to: missing_wing, ghost_walls, closed_door; undefined under: blur. Damage of docs/lab.md, five
//! generated floors.
//! Undefined: if either map has no occupied cell, or if fewer than half of the truth's walls that lie where the map knows
//! something were found: the rest could be anywhere.

use align::closed_form::{Motion, PointPair, fit};
use align::piecewise::{LocalMotions, TileMotion, Tiles, local_motions};
use model::{Pose2, Similarity2};
use serde_json::{Value, json};

use crate::AlignedGrids;
use crate::plane_distance::distance_m;
use crate::prelude::*;

/// Parameters of the wall distortion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WallDistortion {
    /// Side of a tile, metres. Default 2, ours: most tiles hold a corner, and a bend hardly shows within one.
    pub tile_m: f64,
    /// Walls this near count as found, metres, at least one cell. Default 0.1, as in `brokenness`.
    pub tau_m: f64,
}

impl Default for WallDistortion {
    fn default() -> Self {
        let Tiles { tile_m, tau_m } = Tiles::default();
        Self { tile_m, tau_m }
    }
}

/// Fewer found walls are no answer.
const MIN_FOUND_SHARE: f64 = 0.5;
/// With fewer the value is a lower bound.
const SURE_FOUND_SHARE: f64 = 0.8;

impl Metric for WallDistortion {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Rooms, "wall_distortion", "R-DISTORT", "Wall distortion")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids_with_walls()?;
        // Where parts of the map lie; what is in place already starts from where it is.
        let parts = case.parts().map_or_else(|_| Vec::new(), |parts| parts.parts.clone());
        let starts = parts.iter().map(|part| part.truth_from_part.inverse());
        let starts: Vec<Pose2> = std::iter::once(Pose2::IDENTITY).chain(starts).collect();
        let tiles = Tiles { tile_m: self.tile_m.clamp(0.1, 100.0), tau_m: self.tau_m.clamp(0.0, 2.0) };
        let motions = local_motions(&grids.truth, &grids.map, &starts, &tiles).ok_or(Reason::NoMatch)?;
        let pairs = pairs(grids, &motions);
        let found_share = found_share(grids, &motions);
        let known = [("found_share", json!(found_share)), ("tiles", json!(motions.tiles.len()))];
        let rigid = fit(&pairs, Motion::Rigid).filter(|_| found_share >= MIN_FOUND_SHARE);
        let rigid =
            rigid.ok_or_else(|| Undefined::because(Reason::NoMatch).with_all(crate::facts(known.clone())))?;
        let off_m = |pair: &PointPair| distance_m(rigid * pair.in_map, pair.in_truth);
        let mean = pairs.iter().map(|pair| off_m(pair).powi(2)).sum::<f64>() / pairs.len() as f64;
        let max_m = pairs.iter().map(off_m).fold(0.0, f64::max);
        Ok(Score::new(mean.sqrt())
            .warn_if(found_share < SURE_FOUND_SHARE, Reason::PartsLowerBound)
            .with_all(crate::facts(known))
            .with("max_m", max_m)
            .with("field", records(&motions, rigid))
            .with("coverage", case.coverage()?)
            .of_seen(case.coverage()?))
    }
}

/// Each wall that was found: in the truth (as the map of the fit), and where the map has it.
fn pairs(grids: &AlignedGrids, motions: &LocalMotions) -> Vec<PointPair> {
    let geometry = grids.geometry();
    let of_tile = |tile: &TileMotion| {
        let pair = |&cell: &usize| {
            let in_map = geometry.center_of(geometry.cell_of(cell));
            PointPair { in_map, in_truth: tile.map_from_truth * in_map }
        };
        tile.found.iter().map(pair).collect::<Vec<_>>()
    };
    motions.tiles.iter().flat_map(of_tile).collect()
}

/// Walls that were found, by the walls of the truth where the map knows something.
fn found_share(grids: &AlignedGrids, motions: &LocalMotions) -> f64 {
    let found: usize = motions.tiles.iter().map(|tile| tile.found.len()).sum();
    let walls = align::piecewise::walls_of(&grids.truth);
    let seen = walls.iter().zip(grids.map.classes()).filter(|(wall, class)| **wall && class.is_known());
    (found as f64 / seen.count().max(1) as f64).min(1.0)
}

/// Where the walls of each tile lie, and how far from where the rigid motion has them.
fn records(motions: &LocalMotions, rigid: Similarity2) -> Vec<Value> {
    let record = |tile: &TileMotion| {
        let (at, expected) = (tile.map_from_truth * tile.middle, rigid * tile.middle);
        let turn_rad = model::wrap(tile.map_from_truth.theta_rad - rigid.theta_rad);
        json!({
            "x_m": tile.middle.x_m, "y_m": tile.middle.y_m,
            "dx_m": at.x_m - expected.x_m, "dy_m": at.y_m - expected.y_m,
            "turn_deg": turn_rad.to_degrees(), "cells": tile.found.len(),
        })
    };
    motions.tiles.iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{building, case_of, slipped_building};

    fn score(truth: model::Grid, map: model::Grid) -> Score {
        Metric::evaluate(&WallDistortion::default(), &case_of(truth, map)).unwrap()
    }

    #[test]
    fn a_map_that_lies_elsewhere_is_not_distorted() {
        // Exact where it lies in its place; elsewhere tiles are found to a quarter of a cell of 0.1 m.
        for (shift, below_m) in [(0, 1e-9), (4, 0.025)] {
            let score = score(building(0), building(shift));
            assert!(score.value < below_m, "{shift}: {}", score.value);
            assert!(score.detail["found_share"].as_f64().unwrap() >= 0.95);
        }
    }

    /// The part that slipped by 0.5 m has 141 of the 322 walls of both parts: without a turn the root mean square would be
    /// 0.5 sqrt(w (1 - w)) = 0.248 m; the best rigid motion also turns, and leaves less.
    #[test]
    fn a_slip_by_hand() {
        let score = score(building(0), slipped_building(5));
        assert!((0.10..=0.25).contains(&score.value), "{}", score.value);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        let open = testkit::grid(["..."]);
        assert!(Metric::evaluate(&WallDistortion::default(), &case_of(open.clone(), open)).is_err());
    }
}
