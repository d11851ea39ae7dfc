//! Layouts and found parts for the tests of this family.

use std::f64::consts::PI;

use model::{FiducialLayout, FiducialPart, Point2};

use super::located::FoundPart;

/// Half barrels in pairs, each with its true distance, all at the origin of their own fiducial.
pub(crate) fn pair_layout(true_m: &[f64], range: &str) -> FiducialLayout {
    let mut layout = FiducialLayout::default();
    for (index, &distance_m) in true_m.iter().enumerate() {
        let fiducial = format!("F{index}");
        for (side, x_m, direction_rad) in [("A", 0.0, PI), ("B", distance_m, 0.0)] {
            layout.parts.push(part(
                &fiducial,
                &format!("{fiducial}{side}"),
                [x_m, 0.0],
                direction_rad,
                range,
            ));
        }
        layout.pair_distances_m.push((fiducial, distance_m));
    }
    layout
}

/// A half barrel of the paper's size.
pub(crate) fn part(
    fiducial: &str,
    name: &str,
    [x, y]: [f64; 2],
    direction_rad: f64,
    range: &str,
) -> FiducialPart {
    FiducialPart {
        kind: model::PartKind::Barrel,
        fiducial: fiducial.to_owned(),
        part: name.to_owned(),
        center: Point2::new(x, y),
        radius_m: 0.3,
        opening_rad: PI,
        direction_rad,
        height_m: 1.0,
        range: range.to_owned(),
    }
}

/// A part that was found.
pub(crate) fn found_at(x_m: f64, y_m: f64) -> FoundPart {
    FoundPart {
        detection: 0,
        center_in_map: Point2::new(x_m, y_m),
        direction_in_map_rad: 0.0,
        rms_m: 0.0,
        cells: 20,
        is_displaced: false,
    }
}
