//! Fiducial pass rate: the share of split cylinders whose halves meet, by today's rule of the rescue league.
//!
//! ```text
//! 1A, 1B and 2A, 2B = ends of the diameters of the two halves
//! pass: |1A - 2A| <= t, |1B - 2B| <= t and the axes differ by at most 15 degrees;  P = passed / scored
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none; the league's judge tool of 2024 and 2025.
//! Departure: the four points are computed from the fitted halves instead of clicked. The rule is printed with t = 1.5 R,
//! but the tool computed 1.5 times the diameter, so that halves displaced by 3.0 R passed: both are here. The wall
//! between the halves (the pair distance of the layout) is no displacement.
//! Unknown: only outlines count.
//! Known bias: the axis of a half is read off the ends of its arc, good to about one cell over the radius; below six
//! cells of radius use `max_angle_deg = 180`.
//! Variants: `tolerance = as_printed` (1.5 R) or `as_coded` (3.0 R).
//! Undefined: if there is no layout, it has no positions, or it has no pair of barrels of which one was found. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use std::f64::consts::PI;

use model::{FiducialPart, PartKind, Point2, Pose2, wrap};

use super::{Fiducials, FoundPart, matched};
use crate::prelude::*;

/// How far halves may be displaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tolerance {
    /// 1.5 R, as the rule is printed.
    #[default]
    AsPrinted,
    /// 3.0 R, as the judge tool computed.
    AsCoded,
}

impl Tolerance {
    const fn radii(self) -> f64 {
        match self {
            Self::AsPrinted => 1.5,
            Self::AsCoded => 3.0,
        }
    }
}

/// Parameters of the pass rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialPassRate {
    /// How far halves may be displaced. Default `as_printed`, 1.5 radii.
    pub tolerance: Tolerance,
    /// Largest angle between the axes in degrees. Default 15, of the league's rule.
    pub max_angle_deg: f64,
}

impl Default for FiducialPassRate {
    fn default() -> Self {
        Self { tolerance: Tolerance::AsPrinted, max_angle_deg: 15.0 }
    }
}

impl Metric for FiducialPassRate {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Fiducials, "fiducial_pass_rate", "Q-SPLIT", "Fiducial pass rate")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let fiducials = matched(case)?;
        let cylinders: Vec<Cylinder> = self.cylinders(&fiducials).into_iter().flatten().collect();
        if cylinders.is_empty() {
            return Err(Reason::NoMatch.into());
        }
        let passed = cylinders.iter().filter(|cylinder| cylinder.passed).count();
        Ok(Score::new(passed as f64 / cylinders.len() as f64)
            .with_all(fiducials.basis())
            .with("passed", passed)
            .with("scored", cylinders.len())
            .with_table("cylinders", cylinders))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok(fiducials) = case.fiducials() else { return Vec::new() };
        let cylinders = self.cylinders(&fiducials);
        let part = |cylinder: &Option<Cylinder>| {
            cylinder.as_ref().map_or((0.0, 0.0), |cylinder| (f64::from(u8::from(cylinder.passed)), 1.0))
        };
        let unit = SampleUnit::new("split cylinders", cylinders.len());
        vec![Samples::own(unit, Make::ratio(cylinders.iter().map(part)))]
    }
}

/// One split cylinder.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Cylinder {
    fiducial: String,
    /// The larger distance of the two pairs of ends, in radii; none if one half is missing.
    offset_radii: Option<f64>,
    /// Angle between the axes in degrees.
    angle_deg: Option<f64>,
    passed: bool,
}

impl FiducialPassRate {
    /// The split cylinders of the layout; none where no half was found.
    fn cylinders(&self, fiducials: &Fiducials<'_>) -> Vec<Option<Cylinder>> {
        let pose = fiducials.located.truth_from_map.unwrap_or(Pose2::IDENTITY);
        let parts = &fiducials.inputs.layout.parts;
        let mut cylinders = Vec::new();
        for (first, part) in parts.iter().enumerate() {
            let is_other_half =
                |other: &FiducialPart| other.kind == PartKind::Barrel && other.fiducial == part.fiducial;
            let second = (first + 1..parts.len()).find(|&second| is_other_half(&parts[second]));
            let is_first = part.kind == PartKind::Barrel && !parts[..first].iter().any(is_other_half);
            let Some(second) = second.filter(|_| is_first) else { continue };
            let (a, b) = (fiducials.located.parts[first], fiducials.located.parts[second]);
            let is_seen = a.is_some() || b.is_some();
            cylinders.push(is_seen.then(|| self.judged([part, &parts[second]], a.zip(b), pose)));
        }
        cylinders
    }

    fn judged(
        &self,
        parts: [&FiducialPart; 2],
        halves: Option<(FoundPart, FoundPart)>,
        pose: Pose2,
    ) -> Cylinder {
        let fiducial = parts[0].fiducial.clone();
        let Some((a, b)) = halves else {
            return Cylinder { fiducial, offset_radii: None, angle_deg: None, passed: false };
        };
        let yaw_errors_rad = [yaw_error_rad(parts[0], &a, pose), yaw_error_rad(parts[1], &b, pose)];
        let angle_deg = wrap(yaw_errors_rad[0] - yaw_errors_rad[1]).abs().to_degrees();
        // Ends of the diameters; true ends differ by the wall between the halves.
        let found =
            [ends(parts[0], &a, yaw_errors_rad[0], pose), ends(parts[1], &b, yaw_errors_rad[1], pose)];
        let wall = [parts[1].center.x_m - parts[0].center.x_m, parts[1].center.y_m - parts[0].center.y_m];
        let offset = |end: usize| {
            let (first, second) = (found[0][end], found[1][end]);
            (second.x_m - first.x_m - wall[0]).hypot(second.y_m - first.y_m - wall[1])
        };
        let offset_radii = offset(0).max(offset(1)) / parts[0].radius_m;
        let passed = offset_radii <= self.tolerance.radii() && angle_deg <= self.max_angle_deg;
        Cylinder { fiducial, offset_radii: Some(offset_radii), angle_deg: Some(angle_deg), passed }
    }
}

/// Yaw of a half against where it should face.
fn yaw_error_rad(part: &FiducialPart, found: &FoundPart, pose: Pose2) -> f64 {
    wrap(found.direction_in_map_rad + pose.theta_rad - part.direction_rad)
}

/// The ends of the diameter of a half, in the truth's frame: the same ends for both halves of a cylinder.
fn ends(part: &FiducialPart, found: &FoundPart, yaw_error_rad: f64, pose: Pose2) -> [Point2; 2] {
    let Point2 { x_m, y_m } = pose * found.center_in_map;
    // Both halves share one axis, a line along the wall.
    let axis_rad = (part.direction_rad + PI / 2.0).rem_euclid(PI) + yaw_error_rad;
    let (sin, cos) = axis_rad.sin_cos();
    [1.0, -1.0].map(|side| Point2::new(x_m + side * part.radius_m * cos, y_m + side * part.radius_m * sin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;
    use crate::fiducials::example::{found_at, part};

    fn cylinder(tolerance: Tolerance, shift_radii: f64, turn_deg: f64) -> Cylinder {
        let a = part("F", "A", [0.0, 0.0], 0.0, "none");
        let b = part("F", "B", [-0.01, 0.0], PI, "none");
        let mut found_b = found_at(-0.01, shift_radii * 0.3);
        found_b.direction_in_map_rad = PI + turn_deg.to_radians();
        let rule = FiducialPassRate { tolerance, ..Default::default() };
        rule.judged([&a, &b], Some((found_at(0.0, 0.0), found_b)), Pose2::IDENTITY)
    }

    #[test]
    fn halves_displaced_by_two_radii_pass_only_as_coded() {
        for (shift, printed, coded) in
            [(0.0, true, true), (1.4, true, true), (2.0, false, true), (3.1, false, false)]
        {
            assert_eq!(cylinder(Tolerance::AsPrinted, shift, 0.0).passed, printed, "{shift}");
            let as_coded = cylinder(Tolerance::AsCoded, shift, 0.0);
            assert_eq!(as_coded.passed, coded, "{shift}");
            nearly(as_coded.offset_radii.unwrap(), shift, 1e-9);
        }
    }

    #[test]
    fn halves_turned_by_more_than_fifteen_degrees_fail() {
        assert!(cylinder(Tolerance::AsPrinted, 0.0, 14.0).passed);
        let turned = cylinder(Tolerance::AsPrinted, 0.0, -16.0);
        nearly(turned.angle_deg.unwrap(), 16.0, 1e-9);
        assert!(!turned.passed);
    }
}
