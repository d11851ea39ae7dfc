//! Results to look at: maps, trajectories, shapes and scores, in one coordinate frame.

use std::sync::Arc;

use mapjudge::overlay::TiledMap;
use mapjudge::{Loaded, Map, Viewed};
use model::{CellClass, Point2, Similarity2, StampedPose};
use serde_json::{Value, json};

use crate::map_info::MapInfo;
use crate::problem::Problem;

/// Poses of a trajectory that a page draws, at most.
const MAX_POSES: usize = 20_000;

/// Everything that one run of `view` shows.
pub struct ViewDesk {
    title: String,
    items: Vec<Item>,
}

/// A map with its tiles.
struct ShownMap {
    info: MapInfo,
    map: Loaded<Map>,
    tiles: TiledMap,
}

enum Item {
    Map(Box<ShownMap>),
    Run { name: String, poses: Vec<[f64; 4]> },
    Other(Value),
}

impl ViewDesk {
    /// These items under a title.
    #[must_use]
    pub fn new(title: impl Into<String>, items: Vec<Viewed>) -> Self {
        let items =
            items.into_iter().enumerate().map(|(index, item)| prepared(&(index + 1).to_string(), item));
        Self { title: title.into(), items: items.collect() }
    }

    pub(crate) fn map_infos(&self) -> Vec<&MapInfo> {
        self.items
            .iter()
            .filter_map(|item| if let Item::Map(shown) = item { Some(&shown.info) } else { None })
            .collect()
    }

    pub(crate) fn tiles(&self, id: &str) -> Result<&TiledMap, Problem> {
        let found = self.items.iter().find_map(|item| match item {
            Item::Map(shown) if shown.info.id == id => Some(&shown.tiles),
            _ => None,
        });
        found.ok_or_else(|| Problem::not_found(format!("there is no map '{id:.20}'")))
    }

    /// All of it, without the cells of maps.
    pub(crate) fn to_json(&self) -> Value {
        let item = |item: &Item| match item {
            Item::Map(shown) => json!({ "kind": "map", "map": shown.info }),
            Item::Run { name, poses } => {
                json!({ "kind": "trajectory", "name": name, "poses": poses, "error": null })
            }
            Item::Other(value) => value.clone(),
        };
        let times = self.items.iter().flat_map(|item| match item {
            Item::Run { poses, .. } => [poses.first(), poses.last()].map(|pose| pose.map(|pose| pose[0])),
            _ => [None, None],
        });
        let times: Vec<f64> = times.flatten().filter(|time| time.is_finite()).collect();
        let (from, to) = (
            times.iter().copied().fold(f64::INFINITY, f64::min),
            times.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        let time = (from < to).then(|| json!({ "from_s": from, "to_s": to }));
        let items: Vec<Value> = self.items.iter().map(item).collect();
        json!({ "title": self.title, "items": items, "time": time })
    }

    /// What lies under a place.
    pub(crate) fn values(&self, at: Point2) -> Value {
        let of_item = |item: &Item| match item {
            Item::Map(shown) => {
                let ShownMap { info, map, .. } = &**shown;
                Some(json!({ "name": info.name, "values": cell_values(map, info.frame, at) }))
            }
            Item::Run { name, poses } => Some(json!({ "name": name, "values": pose_values(poses, at)? })),
            Item::Other(_) => None,
        };
        json!({ "items": self.items.iter().filter_map(of_item).collect::<Vec<_>>() })
    }
}

fn prepared(id: &str, item: Viewed) -> Item {
    match item {
        Viewed::Map { name, map, frame } => {
            let tiles = TiledMap::new(Arc::clone(&map.value.grid));
            let info = MapInfo { frame, ..MapInfo::of(id, &name, &map, &tiles) };
            Item::Map(Box::new(ShownMap { info, map: *map, tiles }))
        }
        Viewed::Trajectory { name, trajectory } => {
            let step = trajectory.poses.len().div_ceil(MAX_POSES).max(1);
            let pose = |stamped: &StampedPose| {
                let pose = stamped.world_from_robot.planar();
                [stamped.time_s, pose.x_m, pose.y_m, pose.theta_rad]
            };
            Item::Run { name, poses: trajectory.poses.iter().step_by(step).map(pose).collect() }
        }
        Viewed::Layer(layer) => {
            let mut value = json!(layer);
            value["kind"] = json!("layer");
            Item::Other(value)
        }
        Viewed::Scores { name, rows } => Item::Other(json!({ "kind": "scores", "name": name, "rows": rows })),
        Viewed::Broken { name, error } => {
            Item::Other(json!({ "kind": "broken", "name": name, "problem": Problem::from(*error) }))
        }
    }
}

fn cell_values(map: &Loaded<Map>, frame: Similarity2, at: Point2) -> Value {
    let (grid, geometry) = (&map.value.grid, map.value.grid.geometry());
    let Some(cell) = geometry.cell_at(frame.inverse() * at) else {
        return json!([{ "title": "cell", "value": "outside of the map" }]);
    };
    let index = geometry.index_of(cell);
    let class = match grid.classes()[index] {
        CellClass::Free => "free",
        CellClass::Occupied => "occupied",
        CellClass::Unknown => "unknown",
    };
    let mut values = vec![
        json!({ "title": "cell", "value": class }),
        json!({ "title": "column, row from below", "value": format!("{}, {}", cell.i, cell.j) }),
    ];
    if let Some(probabilities) = grid.probabilities() {
        values.push(json!({ "title": "probability", "value": report::fixed(probabilities[index], 3) }));
    }
    json!(values)
}

/// The pose nearest to a place.
fn pose_values(poses: &[[f64; 4]], at: Point2) -> Option<Value> {
    let distance_m = |pose: &[f64; 4]| at.distance_m(Point2::new(pose[1], pose[2]));
    let pose = poses.iter().min_by(|a, b| distance_m(a).total_cmp(&distance_m(b)))?;
    Some(json!([
        { "title": "nearest pose, time (s)", "value": report::fixed(pose[0], 3) },
        { "title": "distance to it (m)", "value": report::fixed(distance_m(pose), 3) },
    ]))
}
