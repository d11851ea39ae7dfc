//! Navigation success: the share of targets that a robot reaches when it drives the map's plan in reality.
//!
//! ```text
//! success = targets reached / possible targets
//! missing: no plan on the map      collision: the plan touches a wall of the truth
//! detour: L > (1 + detour) · L*    shortcut: L < (1 - shortcut) · L*, without a collision
//! metres lost = Σ max(0, L - L*) over driven plans + Σ L* over targets not reached
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none; the wish of Balaguer et al. 2009, section 7, taken to its end: the plan is driven, not only measured.
//! Departure: not from a paper. A plan collides where the distance to a wall of the truth is at most the robot's radius
//! less `tolerance_cells`: shortest paths follow walls, and both maps are sampled to cells.
//! Unknown: in the map it blocks; in the truth it does not.
//! Known bias: a robot with sensors avoids small differences that count as collisions here.
//! Sees: noise, shift, bend, cut, thick_walls, ghost_walls, blur, mirror; late: rotate, moved_room, missing_wing,
//! closed_door, opened_wall, resolution, scale; blind to: unseen. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.87);
//! `tolerance_f1_area` does.
//! Variants: `tolerance_cells`.
//! Undefined: `UNREACHABLE_START`, `NO_TARGETS`, as for path_usefulness.

use model::CellClass;
use raster::Steps;
use raster::footprint::traversable;

use super::linked_floors::{LinkedFloors, LinkedRoute};
use super::path_space::PathSpace;
use super::path_usefulness::{Follow, LinkedRecord, PathUsefulness, Route, RouteClass, routes};
use crate::prelude::*;

/// Parameters of the navigation success.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NavigationSuccess {
    /// A plan longer than this share above the true path is a detour. Default 0.2, as in path_usefulness.
    pub detour: f64,
    /// A plan shorter than this share below the true path is a shortcut. Default 0.05, as in path_usefulness.
    pub shortcut: f64,
    /// Cells by which the robot may be nearer to a wall than its radius. Default 1, ours: the sampling of both maps.
    pub tolerance_cells: f64,
}

impl Default for NavigationSuccess {
    fn default() -> Self {
        let PathUsefulness { detour, shortcut, .. } = PathUsefulness::PAPER;
        Self { detour, shortcut, tolerance_cells: 1.0 }
    }
}

/// What became of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drive {
    Success,
    Collision,
    Detour,
    Shortcut,
    Missing,
}

impl Metric for NavigationSuccess {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Paths, "navigation_success", "P-NAV", "Navigation success")
            .over_floors(Aggregate::Linked);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let start = space.start()?;
        let mut planned = self.planned(space)?;
        planned.retain(|route| route.class != RouteClass::Invalid);
        if planned.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let drives: Vec<Drive> = planned.iter().map(drive_of).collect();
        let metres = |steps: Option<Steps>| steps.map_or(0.0, |steps| space.metres(steps));
        let lost = planned.iter().zip(&drives);
        let lost =
            lost.map(|(route, drive)| drive.metres_lost(metres(route.truth_steps), metres(route.map_steps)));
        Ok(counted(&drives, lost.sum())
            .warn_if(start.on_map.is_none(), Reason::UnreachableStart)
            .with_all(space.described(&start)))
    }

    fn across(&self, floors: &LinkedFloors<'_>) -> Result<Score, Undefined> {
        let (start, mut routes) = floors.routes(&|space| self.clear_of_walls(space).map(Some))?;
        let rules = PathUsefulness { detour: self.detour, shortcut: self.shortcut, collision: false };
        let class = |route: &LinkedRoute| LinkedRecord::new(route, &rules).class;
        routes.retain(|route| class(route) != RouteClass::Invalid);
        if routes.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let drives: Vec<Drive> = routes
            .iter()
            .map(|route| {
                let is_barred = route.map.is_some_and(|map| map.is_barred);
                drive(class(route), route.map.is_some(), is_barred)
            })
            .collect();
        let lost = routes.iter().zip(&drives).map(|(route, drive)| {
            let [truth_m, map_m] =
                [route.truth_m, route.map.map(|map| map.length_m)].map(Option::unwrap_or_default);
            drive.metres_lost(truth_m, map_m)
        });
        Ok(counted(&drives, lost.sum()).warn_if(start.on_map.is_none(), Reason::UnreachableStart))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok(planned) = case.paths().and_then(|space| self.planned(space)) else { return Vec::new() };
        let part = |route: &Route| match (route.class, drive_of(route)) {
            (RouteClass::Invalid, _) => (0.0, 0.0),
            (_, Drive::Success) => (1.0, 1.0),
            _ => (0.0, 1.0),
        };
        let unit = SampleUnit::new("targets", planned.len());
        vec![Samples::own(unit, Make::ratio(planned.iter().map(part)))]
    }
}

impl NavigationSuccess {
    /// The routes to all targets, followed up to the first wall of the truth.
    fn planned(&self, space: &PathSpace) -> Result<Vec<Route>, Undefined> {
        let rules = PathUsefulness { detour: self.detour, shortcut: self.shortcut, collision: false };
        let open = self.clear_of_walls(space)?;
        routes(space, &space.start()?, &rules, Follow::UpTo(&open))
    }

    /// Cells of the truth where the robot, less the tolerance, touches no wall.
    fn clear_of_walls(&self, space: &PathSpace) -> Result<Vec<u8>, Reason> {
        let not_wall: Vec<u8> =
            space.truth.classes().iter().map(|&class| u8::from(class != CellClass::Occupied as u8)).collect();
        let (width, height) = space.truth.size();
        let radius_cells = space.inputs.robot_radius_m / space.truth.cell_size_m() - self.tolerance_cells;
        traversable(&not_wall, width, height, radius_cells.max(0.0)).map_err(|_| Reason::TooLarge)
    }
}

fn drive_of(route: &Route) -> Drive {
    drive(route.class, route.map_steps.is_some(), route.wall.is_some())
}

fn drive(class: RouteClass, is_planned: bool, is_barred: bool) -> Drive {
    match class {
        _ if !is_planned => Drive::Missing,
        RouteClass::NoInformation => Drive::Missing,
        _ if is_barred => Drive::Collision,
        RouteClass::Detour => Drive::Detour,
        RouteClass::Shortcut => Drive::Shortcut,
        _ => Drive::Success,
    }
}

impl Drive {
    /// What the drive cost, from the lengths of the true path and of the plan.
    fn metres_lost(self, truth_m: f64, map_m: f64) -> f64 {
        match self {
            Self::Missing | Self::Collision => truth_m,
            _ => (map_m - truth_m).max(0.0),
        }
    }
}

/// The share of successes, with how often what happened.
fn counted(drives: &[Drive], metres_lost: f64) -> Score {
    let of = |kind: Drive| drives.iter().filter(|drive| **drive == kind).count();
    Score::new(of(Drive::Success) as f64 / drives.len() as f64)
        .with("possible", drives.len())
        .with("success", of(Drive::Success))
        .with("collision", of(Drive::Collision))
        .with("detour", of(Drive::Detour))
        .with("shortcut", of(Drive::Shortcut))
        .with("missing", of(Drive::Missing))
        .with("metres_lost", metres_lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{nearly, path_case_with};
    use crate::paths::path_inputs::PathInputs;

    const ROOMS: [&str; 5] = ["###########", "#....#....#", "#.........#", "#....#....#", "###########"];

    fn score(map: &[&str]) -> Score {
        let inputs = PathInputs {
            robot_radius_m: 0.0,
            start: Some([1.5, 2.5]),
            targets: vec![[9.5, 2.5], [4.5, 2.5]],
            ..Default::default()
        };
        NavigationSuccess::default().evaluate(&path_case_with(&ROOMS, map, &inputs)).unwrap()
    }

    #[test]
    fn the_truth_itself_leads_everywhere() {
        let own = score(&ROOMS);
        assert_eq!((own.value, own.detail["metres_lost"].as_f64()), (1.0, Some(0.0)));
    }

    #[test]
    fn a_door_in_the_wrong_place_is_a_collision_and_a_closed_one_misses() {
        let moved = score(&["###########", "#.........#", "#....#....#", "#....#....#", "###########"]);
        assert_eq!((moved.value, moved.detail["collision"].as_u64()), (0.5, Some(1)));
        nearly(moved.detail["metres_lost"].as_f64().unwrap(), 8.0, 1e-12);
        let closed = score(&["###########", "#....#....#", "#....#....#", "#....#....#", "###########"]);
        assert_eq!((closed.value, closed.detail["missing"].as_u64()), (0.5, Some(1)));
    }

    #[test]
    fn a_wide_robot_touches_what_a_narrow_one_passes() {
        let truth: Vec<String> = (0..21).map(|_| ".".repeat(41)).collect();
        let mut map = truth.clone();
        let mut real = truth;
        // The truth has a post that the map does not have, three cells off the straight path.
        real[13].replace_range(20..21, "#");
        map[13].replace_range(20..21, ".");
        let lines = |rows: &[String]| rows.join("\n");
        let (real, map) = (lines(&real), lines(&map));
        let case = |radius: f64| {
            let inputs = PathInputs {
                robot_radius_m: radius,
                start: Some([5.5, 10.5]),
                targets: vec![[35.5, 10.5]],
                ..Default::default()
            };
            path_case_with(&real.lines().collect::<Vec<_>>(), &map.lines().collect::<Vec<_>>(), &inputs)
        };
        let value = |radius: f64| NavigationSuccess::default().evaluate(&case(radius)).unwrap().value;
        assert_eq!([value(2.0), value(4.5)], [1.0, 0.0]);
    }
}
