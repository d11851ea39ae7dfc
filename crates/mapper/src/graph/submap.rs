//! A submap: what a stretch of the path saw, in the coordinate frame of the keyframe it began at.

use std::cell::OnceCell;

use model::{Point2, Pose2};

use super::field::{Field, Pyramid};
use super::scan_match::Features;
use super::surface_map::SurfaceMap;

/// Levels of the pyramid of a submap that grows: squares of up to 16 cells, since windows are some metres wide.
const LEVELS: usize = 4;

/// Between neighbouring hits on one wall points are added so far apart, metres: beams that lie wide apart leave gaps in which
/// the next scan would find no surface. Ours: the edge of a cell.
const FILL_M: f64 = 0.1;
/// Neighbours further apart than this, metres, and this share of their range do not bound one wall: as for normals.
const MAX_GAP_M: f64 = 0.1;
const MAX_GAP_RATIO: f64 = 0.06;
/// Normals that agree to this cosine, and look across the line between their points to this one, belong to one wall.
const SAME_WALL: f64 = 0.95;
const ACROSS: f64 = 0.2;
/// What an added point counts, of a hit: where there are hits, they decide.
const FILL_WEIGHT: f32 = 0.1;

/// A piece of the map that is rigid in itself.
pub(super) struct Submap {
    /// Keyframe whose coordinate frame this is.
    pub anchor: usize,
    /// Keyframes whose scans are in it, ascending.
    pub keyframes: Vec<usize>,
    pub surfaces: SurfaceMap,
    /// While the submap grows; a search in a finished one makes it anew.
    pub field: Field,
    /// Of the field as it is, made when it is searched.
    pyramid: OnceCell<Pyramid>,
    pub is_finished: bool,
    /// Distance travelled when it began, metres.
    pub began_m: f64,
    /// Part of the map that it belongs to: scans of one part were matched with each other.
    pub part: usize,
}

impl Submap {
    pub fn new(anchor: usize, began_m: f64, part: usize) -> Self {
        Self {
            anchor,
            keyframes: Vec::new(),
            surfaces: SurfaceMap::new(),
            field: Field::default(),
            pyramid: OnceCell::new(),
            is_finished: false,
            began_m,
            part,
        }
    }

    /// Adds the scan of a keyframe.
    pub fn add(&mut self, keyframe: usize, features: &Features, submap_from_robot: Pose2) {
        self.keyframes.push(keyframe);
        self.pyramid = OnceCell::new();
        let (sin, cos) = submap_from_robot.theta_rad.sin_cos();
        let turned = |n: Point2| Point2::new(cos * n.x_m - sin * n.y_m, sin * n.x_m + cos * n.y_m);
        for (point, shape) in features.points.iter().zip(&features.shapes) {
            let hit = submap_from_robot * *point;
            self.surfaces.add(hit, shape.normal().map(turned), 1.0);
            self.field.add(hit);
        }
        for (point, normal) in between_hits(features) {
            let hit = submap_from_robot * point;
            self.surfaces.add(hit, Some(turned(normal)), FILL_WEIGHT);
            self.field.add(hit);
        }
    }

    /// For searches around the robot while the submap grows.
    pub fn pyramid(&self) -> &Pyramid {
        self.pyramid.get_or_init(|| self.field.pyramid(LEVELS))
    }

    /// Nothing is added from here on: it may be searched for loop closures, and keeps only its surfaces.
    pub fn finish(&mut self) {
        self.surfaces.finish();
        self.field = Field::default();
        self.pyramid = OnceCell::new();
        self.is_finished = true;
    }
}

/// Points on walls between neighbouring hits that lie further apart than [`FILL_M`], with their normals.
fn between_hits(features: &Features) -> Vec<(Point2, Point2)> {
    let mut added = Vec::new();
    let pairs = features.points.windows(2).zip(features.shapes.windows(2));
    for (points, shapes) in pairs {
        let (from, to) = (points[0], points[1]);
        let (Some(a), Some(b)) = (shapes[0].normal(), shapes[1].normal()) else { continue };
        let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
        let (gap_m, range_m) = (dx.hypot(dy), from.x_m.hypot(from.y_m));
        let is_one_wall = gap_m <= MAX_GAP_M + MAX_GAP_RATIO * range_m
            && a.x_m * b.x_m + a.y_m * b.y_m > SAME_WALL
            && (a.x_m * dx + a.y_m * dy).abs() < ACROSS * gap_m;
        if gap_m <= FILL_M || !is_one_wall {
            continue;
        }
        let parts = (gap_m / FILL_M).ceil();
        let point = |k: usize| {
            let along = k as f64 / parts;
            Point2::new(from.x_m + along * dx, from.y_m + along * dy)
        };
        added.extend((1..parts as usize).map(|k| (point(k), a)));
    }
    added
}

#[cfg(test)]
mod tests {
    use super::super::scan_match::Shape;
    use super::*;

    #[test]
    fn a_wall_seen_by_beams_wide_apart_has_no_gaps_and_a_door_stays_open() {
        let normal = Shape::Line(Point2::new(-1.0, 0.0));
        let hit = |y_m: f64| Point2::new(5.0, y_m);
        let features = |points: Vec<Point2>| Features { shapes: vec![normal; points.len()], points };
        let wall = between_hits(&features(vec![hit(0.0), hit(0.35)]));
        let at: Vec<f64> = wall.iter().map(|(point, _)| point.y_m).collect();
        assert_eq!(at.len(), 3);
        assert!((at[0] - 0.0875).abs() < 1e-12 && wall.iter().all(|(point, _)| point.x_m == 5.0));
        assert!(between_hits(&features(vec![hit(0.0), hit(0.9)])).is_empty(), "a door");
        assert!(between_hits(&features(vec![hit(0.0), hit(0.08)])).is_empty(), "dense enough");
        let behind = Point2::new(5.3, 0.2);
        assert!(between_hits(&features(vec![hit(0.0), behind])).is_empty(), "one wall behind the other");
    }
}
