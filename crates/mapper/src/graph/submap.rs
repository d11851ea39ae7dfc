//! A submap: what a stretch of the path saw, in the coordinate frame of the keyframe it began at.

use model::{Point2, Pose2};

use super::field::{Field, Pyramid};
use super::scan_match::Features;
use super::surface_map::SurfaceMap;

/// Levels of the pyramid of a finished submap: squares of up to 32 cells.
const LEVELS: usize = 5;

/// A piece of the map that is rigid in itself.
pub(super) struct Submap {
    /// Keyframe whose coordinate frame this is.
    pub anchor: usize,
    /// Keyframes whose scans are in it, ascending.
    pub keyframes: Vec<usize>,
    pub surfaces: SurfaceMap,
    pub field: Field,
    /// Made when the submap is finished.
    pub pyramid: Option<Pyramid>,
    /// Distance travelled when it began, metres.
    pub began_m: f64,
}

impl Submap {
    pub fn new(anchor: usize, began_m: f64) -> Self {
        Self {
            anchor,
            keyframes: Vec::new(),
            surfaces: SurfaceMap::new(),
            field: Field::default(),
            pyramid: None,
            began_m,
        }
    }

    /// Adds the scan of a keyframe.
    pub fn add(&mut self, keyframe: usize, features: &Features, submap_from_robot: Pose2) {
        self.keyframes.push(keyframe);
        let (sin, cos) = submap_from_robot.theta_rad.sin_cos();
        for (point, shape) in features.points.iter().zip(&features.shapes) {
            let hit = submap_from_robot * *point;
            let turned =
                shape.normal().map(|n| Point2::new(cos * n.x_m - sin * n.y_m, sin * n.x_m + cos * n.y_m));
            self.surfaces.add(hit, turned);
            self.field.add(hit);
        }
    }

    /// Makes it ready for loop searches.
    pub fn finish(&mut self) {
        self.pyramid = Some(self.field.pyramid(LEVELS));
    }
}
