//! The features of both maps under the transform that they ask for and the walls allow: what eq. (7) and (8) start from.

use std::collections::BTreeMap;

use align::rooms::{Feature, FeatureKind, FeatureMatcher, Matching, Placing, Refusal, features_of};
use model::{Grid, GridGeometry, Similarity2};
use raster::rooms::agreement::counted_pairs;
use raster::rooms::{FoundRooms, RoomFinder, Rooms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{AlignedGrids, Case, Detail, Reason, Undefined};

/// What the walls have to say about a matching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WallCheck {
    /// As `check`, and near the matching's transform the one that fits the walls best is taken.
    #[default]
    Refine,
    /// A transform that the walls contradict is not scored.
    Check,
    /// The cheapest matching counts, wherever it puts the map; as printed.
    Ignore,
}

/// Features of truth and map, and where the matching of them puts the map: the same for every metric that matches alike.
#[derive(Clone, Debug)]
pub(crate) struct PlacedFeatures {
    truth: Vec<Feature>,
    map: Vec<Feature>,
    placing: Result<Placing, Refusal>,
}

impl PlacedFeatures {
    /// Finds and matches them; rooms that were found already are taken as features.
    ///
    /// # Errors
    /// Maps too large.
    pub(crate) fn of(
        grids: &AlignedGrids,
        rooms: Option<&[FoundRooms; 2]>,
        matcher: &FeatureMatcher,
        ignores_walls: bool,
    ) -> Result<Self, Undefined> {
        let of_side = |side: usize| rooms.map(|found| &found[side].rooms);
        let truth = features(matcher, &grids.truth, of_side(0))?;
        let map = features(matcher, &grids.map, of_side(1))?;
        let placing = if ignores_walls {
            let cheapest = matcher.matchings(&truth, &map).into_iter().next();
            let unchecked = |matching: Matching| Placing {
                on_walls: matching.clone(),
                matching,
                wall_score: None,
                contradicted: 0,
            };
            cheapest.map(unchecked).ok_or(Refusal::NoMatch)
        } else {
            matcher.place([&grids.truth, &grids.map], [&truth, &map], &[Similarity2::IDENTITY])
        };
        Ok(Self { truth, map, placing })
    }
}

/// Features of truth and map, and their matching.
pub(super) struct MatchedFeatures {
    pub(super) truth: Vec<Feature>,
    pub(super) map: Vec<Feature>,
    placing: Placing,
    walls: WallCheck,
    /// Pairs dropped because their rooms share half of their union or less.
    cut_differently: usize,
    /// The method that found the rooms, where rooms are matched.
    room_finder: Option<RoomFinder>,
}

impl MatchedFeatures {
    /// Those of a case, from what other metrics of it have found.
    ///
    /// # Errors
    /// No two maps, maps too large, too few pairs, or a transform that the walls contradict.
    pub(super) fn of(
        case: &Case,
        matcher: &FeatureMatcher,
        walls: WallCheck,
        min_pairs: usize,
    ) -> Result<Self, Undefined> {
        if !matcher.rooms.is_finite() {
            return Err(Reason::NotFinite.into());
        }
        let grids = case.grids()?;
        let found_rooms = match matcher.kind {
            FeatureKind::Rooms => Some(case.found_rooms(&matcher.rooms)?),
            FeatureKind::Surf | FeatureKind::Corners => None,
        };
        let placed = case.placed_features(matcher, walls == WallCheck::Ignore)?;
        let PlacedFeatures { truth, map, placing } = (*placed).clone();
        let placing =
            placing.map_err(|refusal| refused(refusal).with_all(counts(&placed.truth, &placed.map)))?;
        let room_finder = found_rooms.as_ref().map(|found| found[0].method);
        let mut found = Self { truth, map, placing, walls, cut_differently: 0, room_finder };
        if let (WallCheck::Refine, Some(rooms)) = (walls, &found_rooms) {
            let rooms = [&rooms[0].rooms, &rooms[1].rooms];
            found.keep_same_rooms(&Overlaps::of(rooms, grids.geometry(), &found.placing.on_walls));
        }
        let pairs = found.matching().pairs.len();
        if pairs < min_pairs {
            let pairs = crate::facts([("pairs", json!(pairs))]);
            let counts = counts(&found.truth, &found.map);
            return Err(Undefined::because(Reason::InsufficientPoints).with_all(counts).with_all(pairs));
        }
        Ok(found)
    }

    /// Drops pairs of rooms that were cut differently: they say nothing about where the map lies.
    fn keep_same_rooms(&mut self, overlaps: &Overlaps) {
        let matching = &mut self.placing.on_walls;
        let before = matching.pairs.len();
        let room = |feature: &Feature| feature.room.unwrap_or(0);
        let (truth, map) = (&self.truth, &self.map);
        matching
            .pairs
            .retain(|pair| overlaps.iou(room(&truth[pair.truth]), room(&map[pair.map])) > SAME_ROOM_IOU);
        self.cut_differently = before - matching.pairs.len();
        matching.truth_alone += self.cut_differently;
        matching.map_alone += self.cut_differently;
    }

    pub(super) const fn matching(&self) -> &Matching {
        match self.walls {
            WallCheck::Refine => &self.placing.on_walls,
            WallCheck::Check | WallCheck::Ignore => &self.placing.matching,
        }
    }

    /// Numbers of features, of pairs, and what the walls say.
    pub(super) fn facts(&self) -> Detail {
        let mut facts = counts(&self.truth, &self.map);
        facts.extend(crate::facts([
            ("pairs", json!(self.matching().pairs.len())),
            ("wall_score", json!(self.placing.wall_score)),
            ("contradicted", json!(self.placing.contradicted)),
            ("cut_differently", json!(self.cut_differently)),
            ("room_finder", json!(self.room_finder.map(RoomFinder::name))),
        ]));
        facts
    }
}

/// Two rooms are the same if they share more than this part of their union, as in the room metrics.
const SAME_ROOM_IOU: f64 = 0.5;

/// Features of a map: its rooms where those are the features.
fn features(matcher: &FeatureMatcher, grid: &Grid, rooms: Option<&Rooms>) -> Result<Vec<Feature>, Undefined> {
    match rooms {
        Some(rooms) => Ok(features_of(rooms, grid.geometry())),
        None => matcher.features(grid).map_err(|_| Undefined::because(Reason::TooLarge)),
    }
}

/// How many cells rooms of truth and map share under a transform.
struct Overlaps {
    shared: BTreeMap<(u32, u32), usize>,
    of_truth: Vec<usize>,
    of_map: Vec<usize>,
}

impl Overlaps {
    fn of([truth, map]: [&Rooms; 2], geometry: &GridGeometry, matching: &Matching) -> Self {
        let there = |cell: usize| {
            let moved = matching.truth_from_map * geometry.center_of(geometry.cell_of(cell));
            geometry.cell_at(moved).map_or(0, |cell| truth.labels[geometry.index_of(cell)])
        };
        let in_rooms = map.labels.iter().enumerate().filter(|(_, room)| **room != 0);
        let shared = counted_pairs(in_rooms.map(|(cell, &room)| (there(cell), room)));
        Self { shared, of_truth: truth.areas_cells(), of_map: map.areas_cells() }
    }

    /// Shared part of the union of two rooms; of no room, 0.
    fn iou(&self, truth: u32, map: u32) -> f64 {
        let shared = self.shared.get(&(truth, map)).copied().unwrap_or(0);
        let cells = |areas: &[usize], room: u32| areas.get(room as usize).copied().unwrap_or(0);
        let union = cells(&self.of_truth, truth) + cells(&self.of_map, map) - shared;
        if union > 0 { shared as f64 / union as f64 } else { 0.0 }
    }
}

fn counts(truth: &[Feature], map: &[Feature]) -> Detail {
    crate::facts([("rooms_truth", json!(truth.len())), ("rooms_map", json!(map.len()))])
}

fn refused(refusal: Refusal) -> Undefined {
    match refusal {
        Refusal::NoMatch => Undefined::because(Reason::NoMatch),
        Refusal::Contradicted { wall_score, best_wall_score } => {
            let facts = [("wall_score", json!(wall_score)), ("best_wall_score", json!(best_wall_score))];
            Undefined::because(Reason::WallsContradict).with_all(crate::facts(facts))
        }
    }
}
