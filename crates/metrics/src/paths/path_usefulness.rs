//! Path usefulness: the share of targets for which the map promises a path of about the right length.
//!
//! ```text
//! usefulness = correct / possible,     L* = shortest path on the truth, L = on the map
//! no-information: the map does not know the target     blocked: it has no path there
//! detour: L > (1 + detour) · L*     shortcut: L < (1 - shortcut) · L*     else correct
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, section 7 (planned for the contest of 2009).
//! Departure: without given targets the nodes of the truth's graph are the targets; without a given start the widest
//! place of the largest part of that graph is the start, which the report says. Paths are planned for a robot of
//! `robot_radius_m`, 8-connected, and never cut a corner. A start that is not traversable is moved within `snap_m`.
//! Lengths at a limit itself are correct; the paper does not say.
//! Unknown: an unknown target is `no-information`; elsewhere unknown blocks. `blocked_by_unknown` counts the targets
//! that could be reached if it did not.
//! Known bias: a path of the right length may still lead through a wall: `collision = true` fails those.
//! Sees: noise, shift, thick_walls, ghost_walls, mirror; late: rotate, bend, cut, moved_room, missing_wing,
//! closed_door, opened_wall, blur, resolution, scale; blind to: unseen. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.87);
//! `tolerance_f1_area` does.
//! Variants: `collision`.
//! Undefined: `UNREACHABLE_START` if the robot does not fit near the start on the truth; `NO_TARGETS` if no target can
//! be reached on the truth.

use model::CellClass;
use raster::Steps;
use raster::shortest_paths::Lengths;
use serde_json::json;

use super::linked_floors::{LinkedFloors, LinkedRoute};
use super::path_space::{PathSpace, Start, Target};
use crate::facts;
use crate::prelude::*;

/// Parameters of the path usefulness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathUsefulness {
    /// A path longer than this share above the true one is a detour. Default 0.2, from the paper.
    pub detour: f64,
    /// A path shorter than this share below the true one is a shortcut. Default 0.05, from the paper.
    pub shortcut: f64,
    /// Whether a path of the right length through an occupied cell of the truth fails. Default false, as in the paper.
    pub collision: bool,
}

impl PathUsefulness {
    /// The paper's values.
    pub const PAPER: Self = Self { detour: 0.2, shortcut: 0.05, collision: false };

    const fn follow(&self) -> Follow<'static> {
        if self.collision { Follow::UpToWalls } else { Follow::Lengths }
    }
}

/// What is wanted of paths beside their lengths: thousands of long paths would fill the memory.
#[derive(Clone, Copy, Debug)]
pub enum Follow<'a> {
    Lengths,
    /// The first cell that is occupied in the truth.
    UpToWalls,
    /// The first cell that is 0 in this mask.
    UpTo(&'a [u8]),
    /// The cells as well, up to [`KEPT_CELLS`] of all paths.
    Keep,
}

/// Paths beyond this many cells in all are not kept: 80 MB.
pub const KEPT_CELLS: usize = 20_000_000;

impl Default for PathUsefulness {
    fn default() -> Self {
        Self::PAPER
    }
}

/// What became of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RouteClass {
    /// About the right length.
    Correct,
    /// No path on the map.
    Blocked,
    Detour,
    Shortcut,
    /// The map does not know the target.
    NoInformation,
    /// Not reachable on the truth either, or the start itself; not counted.
    Invalid,
    /// Right length, but through a wall.
    Collision,
}

/// A target and the paths there.
#[derive(Clone, Debug)]
pub struct Route {
    pub target: Target,
    /// What became of it.
    pub class: RouteClass,
    /// Shortest path on the truth.
    pub truth_steps: Option<Steps>,
    /// Shortest path on the map.
    pub map_steps: Option<Steps>,
    /// Cells of the path on the map, or on the truth if the map has none; empty unless they are kept.
    pub cells: Vec<u32>,
    /// First cell of the path on the map that must not be driven on; none unless paths are followed.
    pub wall: Option<u32>,
}

impl Metric for PathUsefulness {
    const SPEC: MetricSpec = MetricSpec::share(Family::Paths, "path_usefulness", "P-USE", "Path usefulness")
        .over_floors(Aggregate::Linked);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let start = space.start()?;
        let routes = routes(space, &start, self, self.follow())?;
        let of = |class: RouteClass| routes.iter().filter(|route| route.class == class).count();
        let possible = routes.len() - of(RouteClass::Invalid);
        let outside = routes.iter().any(|route| route.target.cell.is_none());
        if possible == 0 {
            let undefined = Undefined::because(Reason::NoTargets).also_if(outside, Reason::TargetOutside);
            let targets = facts([("targets", json!(records(space, &routes)))]);
            return Err(undefined.with_all(space.described(&start)).with_all(targets));
        }
        let blocked_by_unknown = blocked_by_unknown(space, &start, &routes)?;
        let evidence = RoutesEvidence { rules: self.clone(), routes: records(space, &routes) };
        Ok(Score::new(of(RouteClass::Correct) as f64 / possible as f64)
            .warn_if(start.on_map.is_none(), Reason::UnreachableStart)
            .warn_if(outside, Reason::TargetOutside)
            .with("possible", possible)
            .with("correct", of(RouteClass::Correct))
            .with("blocked", of(RouteClass::Blocked))
            .with("blocked_by_unknown", blocked_by_unknown)
            .with("detour", of(RouteClass::Detour))
            .with("shortcut", of(RouteClass::Shortcut))
            .with("no_information", of(RouteClass::NoInformation))
            .with("collision", of(RouteClass::Collision))
            .with("invalid", of(RouteClass::Invalid))
            .with_all(space.described(&start))
            .with_table("targets", &evidence.routes)
            .with_evidence(MetricEvidence::Routes(evidence)))
    }

    fn across(&self, floors: &LinkedFloors<'_>) -> Result<Score, Undefined> {
        let walls = |space: &PathSpace| {
            let is_open = |class: &u8| u8::from(*class != CellClass::Occupied as u8);
            Ok(self.collision.then(|| space.truth.classes().iter().map(is_open).collect()))
        };
        let (start, routes) = floors.routes(&walls)?;
        let records: Vec<LinkedRecord> = routes.iter().map(|route| LinkedRecord::new(route, self)).collect();
        let of = |class: RouteClass| records.iter().filter(|record| record.class == class).count();
        let possible = records.len() - of(RouteClass::Invalid);
        if possible == 0 {
            return Err(Reason::NoTargets.into());
        }
        Ok(Score::new(of(RouteClass::Correct) as f64 / possible as f64)
            .warn_if(start.on_map.is_none(), Reason::UnreachableStart)
            .with("possible", possible)
            .with("correct", of(RouteClass::Correct))
            .with("blocked", of(RouteClass::Blocked))
            .with("detour", of(RouteClass::Detour))
            .with("shortcut", of(RouteClass::Shortcut))
            .with("no_information", of(RouteClass::NoInformation))
            .with("collision", of(RouteClass::Collision))
            .with_table("targets", &records))
    }

    fn samples(&self, _: &Case, score: &Score) -> Vec<Samples> {
        let Some(MetricEvidence::Routes(RoutesEvidence { routes, .. })) = &score.evidence.of_metric else {
            return Vec::new();
        };
        let part = |route: &RouteRecord| {
            let is = |class: RouteClass| f64::from(u8::from(route.class == class));
            (is(RouteClass::Correct), 1.0 - is(RouteClass::Invalid))
        };
        let unit = SampleUnit::new("targets", routes.len());
        vec![Samples::own(unit, Make::ratio(routes.iter().map(part)))]
    }
}

/// What became of each target, and the rules that decided it. A figure plans the same routes again with
/// [`routes`], these rules and [`Follow::Keep`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutesEvidence {
    pub rules: PathUsefulness,
    /// In the order of the targets.
    pub routes: Vec<RouteRecord>,
}

/// The paths to all targets, in their order. One search per map serves all of them.
///
/// # Errors
/// The maps are too large for exact distances.
pub fn routes(
    space: &PathSpace,
    start: &Start,
    rules: &PathUsefulness,
    follow: Follow<'_>,
) -> Result<Vec<Route>, Undefined> {
    routes_to(space, start, rules, follow, space.targets()?)
}

/// The paths to given targets, in their order.
///
/// # Errors
/// The maps are too large for exact distances.
pub fn routes_to(
    space: &PathSpace,
    start: &Start,
    rules: &PathUsefulness,
    follow: Follow<'_>,
    targets: Vec<Target>,
) -> Result<Vec<Route>, Undefined> {
    let mut kept = Kept { cells: 0 };
    // One plane of lengths at a time: that of the truth is gone before that of the map is made.
    let mut found: Vec<Route> = {
        let lengths = space.truth_lengths(start)?;
        targets.into_iter().map(|target| Route::on_truth(target, &lengths, follow, &mut kept)).collect()
    };
    let lengths = start.on_map.map(|cell| space.map.lengths_from(cell)).transpose()?;
    for route in found.iter_mut().filter(|route| route.class != RouteClass::Invalid) {
        route.plan_on_map(space, lengths.as_ref(), follow, &mut kept);
        route.class = route.judged(space, rules);
    }
    Ok(found)
}

/// How many cells of paths are kept.
struct Kept {
    cells: usize,
}

impl Kept {
    /// The path, or nothing if too many are kept already.
    fn keep(&mut self, path: Vec<u32>, instead_of: &[u32]) -> Vec<u32> {
        self.cells = self.cells + path.len() - instead_of.len();
        if self.cells <= KEPT_CELLS {
            return path;
        }
        self.cells -= path.len();
        Vec::new()
    }
}

impl Route {
    fn on_truth(target: Target, lengths: &Lengths, follow: Follow<'_>, kept: &mut Kept) -> Self {
        let steps = target.cell.and_then(|cell| lengths.steps_to(cell));
        let is_possible = steps.is_some_and(|steps| steps != Steps::default());
        let followed = target.cell.filter(|_| is_possible && matches!(follow, Follow::Keep));
        let path = followed.and_then(|cell| lengths.path_to(cell)).map(|path| kept.keep(path, &[]));
        Self {
            target,
            class: if is_possible { RouteClass::Blocked } else { RouteClass::Invalid },
            truth_steps: steps,
            map_steps: None,
            cells: path.unwrap_or_default(),
            wall: None,
        }
    }

    fn plan_on_map(
        &mut self,
        space: &PathSpace,
        lengths: Option<&Lengths>,
        follow: Follow<'_>,
        kept: &mut Kept,
    ) {
        let (Some(cell), Some(lengths)) = (self.target.cell, lengths) else { return };
        self.map_steps = lengths.steps_to(cell);
        if matches!(follow, Follow::Lengths) {
            return;
        }
        let Some(path) = lengths.path_to(cell) else { return };
        let is_barred = |&&cell: &&u32| match follow {
            Follow::UpTo(open) => open[cell as usize] == 0,
            _ => space.truth.is(cell as usize, CellClass::Occupied),
        };
        self.wall = path.iter().find(is_barred).copied();
        if matches!(follow, Follow::Keep) {
            self.cells = kept.keep(path, &self.cells);
        }
    }

    fn judged(&self, space: &PathSpace, rules: &PathUsefulness) -> RouteClass {
        let (Some(cell), Some(true_steps)) = (self.target.cell, self.truth_steps) else {
            return RouteClass::Invalid;
        };
        if space.map.is(cell, CellClass::Unknown) {
            return RouteClass::NoInformation;
        }
        let Some(steps) = self.map_steps else { return RouteClass::Blocked };
        rules.judged(steps.length_cells() / true_steps.length_cells(), self.wall.is_some())
    }
}

impl PathUsefulness {
    /// What becomes of a target whose path is so many times the true one, and may lead through a wall.
    fn judged(&self, ratio: f64, is_through_wall: bool) -> RouteClass {
        // Both limits themselves are correct, whatever the last bit of the product says.
        const ROUNDING: f64 = 1e-12;
        if ratio > (1.0 + self.detour) * (1.0 + ROUNDING) {
            return RouteClass::Detour;
        }
        if ratio < (1.0 - self.shortcut) * (1.0 - ROUNDING) {
            return RouteClass::Shortcut;
        }
        if self.collision && is_through_wall { RouteClass::Collision } else { RouteClass::Correct }
    }
}

/// Blocked targets that could be reached if every unknown cell of the map were free.
fn blocked_by_unknown(space: &PathSpace, start: &Start, routes: &[Route]) -> Result<usize, Undefined> {
    let blocked: Vec<usize> =
        routes.iter().filter(|r| r.class == RouteClass::Blocked).filter_map(|r| r.target.cell).collect();
    if blocked.is_empty() {
        return Ok(0);
    }
    let (roads, parts) = space.map.if_unknown_were_free()?;
    let home = space.map.snapped(roads, start.cell).and_then(|cell| parts.component_at(cell));
    Ok(blocked.iter().filter(|&&cell| home.is_some() && parts.component_at(cell) == home).count())
}

/// A target, and how long the routes there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteRecord {
    pub x_m: f64,
    pub y_m: f64,
    pub class: RouteClass,
    /// None if the truth has no route.
    pub truth_length_m: Option<f64>,
    /// None if the map has no route.
    pub map_length_m: Option<f64>,
}

/// A target of one of several floors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct LinkedRecord {
    /// Number of the floor, from 0.
    floor: usize,
    x_m: f64,
    y_m: f64,
    pub(super) class: RouteClass,
    truth_length_m: Option<f64>,
    map_length_m: Option<f64>,
}

impl LinkedRecord {
    pub(super) fn new(route: &LinkedRoute, rules: &PathUsefulness) -> Self {
        let truth_m = route.truth_m.filter(|length_m| *length_m > 0.0 && route.target.cell.is_some());
        let class = match (truth_m, route.map) {
            (None, _) => RouteClass::Invalid,
            (Some(_), _) if route.is_unknown => RouteClass::NoInformation,
            (Some(_), None) => RouteClass::Blocked,
            (Some(truth_m), Some(map)) => rules.judged(map.length_m / truth_m, map.is_barred),
        };
        Self {
            floor: route.floor,
            x_m: route.target.place.x_m,
            y_m: route.target.place.y_m,
            class,
            truth_length_m: route.truth_m,
            map_length_m: route.map.map(|map| map.length_m),
        }
    }
}

fn records(space: &PathSpace, routes: &[Route]) -> Vec<RouteRecord> {
    let record = |route: &Route| RouteRecord {
        x_m: route.target.place.x_m,
        y_m: route.target.place.y_m,
        class: route.class,
        truth_length_m: route.truth_steps.map(|steps| space.metres(steps)),
        map_length_m: route.map_steps.map(|steps| space.metres(steps)),
    };
    routes.iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{nearly, path_case_with};
    use crate::paths::path_inputs::PathInputs;

    const ROOMS: [&str; 7] = [
        "###########",
        "#....#....#",
        "#....#....#",
        "#.........#",
        "#....#....#",
        "#....#....#",
        "###########",
    ];

    /// (row, column) of 03-E6 as a place of a drawing with seven rows.
    fn place(row: usize, column: usize) -> [f64; 2] {
        [column as f64 + 0.5, 6.5 - row as f64]
    }

    fn inputs() -> PathInputs {
        PathInputs {
            robot_radius_m: 0.0,
            start: Some(place(1, 1)),
            targets: vec![place(1, 9), place(5, 9), place(1, 4), place(3, 5), place(0, 0)],
            ..Default::default()
        }
    }

    fn map_with(changes: &[(usize, usize, char)]) -> Vec<String> {
        let mut rows: Vec<Vec<char>> = ROOMS.iter().map(|row| row.chars().collect()).collect();
        changes.iter().for_each(|&(row, column, letter)| rows[row][column] = letter);
        rows.into_iter().map(|row| row.into_iter().collect()).collect()
    }

    fn judged(metric: &PathUsefulness, map: &[String], inputs: &PathInputs) -> (f64, Vec<String>) {
        let map: Vec<&str> = map.iter().map(String::as_str).collect();
        let score = metric.evaluate(&path_case_with(&ROOMS, &map, inputs)).unwrap();
        let targets = score.detail["targets"].as_array().unwrap();
        (score.value, targets.iter().map(|t| t["class"].as_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn e6_closed_door() {
        let (value, classes) = judged(&PathUsefulness::PAPER, &map_with(&[(3, 5, '#')]), &inputs());
        assert_eq!(classes, ["blocked", "blocked", "correct", "blocked", "invalid"]);
        assert_eq!(value, 0.25);
    }

    #[test]
    fn e6_extra_hole() {
        let (value, classes) = judged(&PathUsefulness::PAPER, &map_with(&[(1, 5, '.')]), &inputs());
        assert_eq!(classes, ["shortcut", "correct", "correct", "correct", "invalid"]);
        assert_eq!(value, 0.75);
    }

    #[test]
    fn e6_moved_door() {
        let map = map_with(&[(3, 5, '#'), (5, 5, '.')]);
        let (value, classes) = judged(&PathUsefulness::PAPER, &map, &inputs());
        assert_eq!(classes, ["detour", "correct", "correct", "blocked", "invalid"]);
        assert_eq!(value, 0.5);
        let wary = PathUsefulness { collision: true, ..PathUsefulness::PAPER };
        assert_eq!(judged(&wary, &map, &inputs()).1[1], "collision", "through the new door");
    }

    #[test]
    fn e6_right_room_unknown() {
        let right: Vec<_> = (1..6).flat_map(|row| (6..10).map(move |column| (row, column, '?'))).collect();
        let (value, classes) = judged(&PathUsefulness::PAPER, &map_with(&right), &inputs());
        assert_eq!(classes, ["no-information", "no-information", "correct", "correct", "invalid"]);
        assert_eq!(value, 0.5);
    }

    #[test]
    fn e6_lengths_are_in_metres_and_the_invalid_target_has_none() {
        let map: Vec<String> = map_with(&[]);
        let lines: Vec<&str> = map.iter().map(String::as_str).collect();
        let score = PathUsefulness::PAPER.evaluate(&path_case_with(&ROOMS, &lines, &inputs())).unwrap();
        let targets = &score.detail["targets"];
        nearly(targets[0]["truth_length_m"].as_f64().unwrap(), 9.656_854, 5e-7);
        nearly(targets[3]["map_length_m"].as_f64().unwrap(), 4.828_427, 5e-7);
        assert!(targets[4]["truth_length_m"].is_null());
        assert_eq!(score.value, 1.0);
    }

    #[test]
    fn limits_themselves_are_correct() {
        // Path of 5 on the truth; 6 = 1.2 · 5 on the map.
        let truth = ["......", "######"];
        let route = |steps: u64| Route {
            target: Target { place: model::Point2::new(5.5, 1.5), cell: Some(5) },
            class: RouteClass::Blocked,
            truth_steps: Some(Steps { straight: 5, diagonal: 0 }),
            map_steps: Some(Steps { straight: steps, diagonal: 0 }),
            cells: Vec::new(),
            wall: None,
        };
        let case = path_case_with(&truth, &truth, &inputs());
        let class = |steps| route(steps).judged(case.paths().unwrap(), &PathUsefulness::PAPER);
        assert_eq!(
            [class(6), class(7), class(5), class(4)],
            [RouteClass::Correct, RouteClass::Detour, RouteClass::Correct, RouteClass::Shortcut]
        );
    }

    #[test]
    fn starts_and_targets_that_cannot_be_have_their_reason() {
        let lines: Vec<&str> = ROOMS.to_vec();
        let with =
            |inputs: PathInputs| PathUsefulness::PAPER.evaluate(&path_case_with(&lines, &lines, &inputs));
        let outside = with(PathInputs { start: Some([-3.0, 2.0]), ..inputs() });
        assert_eq!(outside.unwrap_err().reasons, [Reason::UnreachableStart]);
        let in_wall = with(PathInputs { start: Some(place(0, 0)), ..inputs() });
        assert_eq!(in_wall.unwrap_err().reasons, [Reason::UnreachableStart]);
        let nowhere = with(PathInputs { targets: vec![[99.0, 99.0]], ..inputs() });
        assert_eq!(nowhere.unwrap_err().reasons, [Reason::NoTargets, Reason::TargetOutside]);
        let one_outside = with(PathInputs { targets: vec![[99.0, 99.0], place(1, 4)], ..inputs() }).unwrap();
        assert_eq!((one_outside.value, &one_outside.warnings[..]), (1.0, &[Reason::TargetOutside][..]));
    }

    #[test]
    fn a_start_that_the_map_does_not_know_blocks_everything() {
        let left: Vec<_> = (0..7).flat_map(|row| (0..4).map(move |column| (row, column, '?'))).collect();
        let map = map_with(&left);
        let lines: Vec<&str> = map.iter().map(String::as_str).collect();
        let score = PathUsefulness::PAPER.evaluate(&path_case_with(&ROOMS, &lines, &inputs())).unwrap();
        assert_eq!((score.value, &score.warnings[..]), (0.0, &[Reason::UnreachableStart][..]));
        assert_eq!(score.detail["blocked"], 4);
    }

    #[test]
    fn without_inputs_the_graph_gives_start_and_targets() {
        let own = PathInputs { robot_radius_m: 0.0, ..Default::default() };
        let score = PathUsefulness::PAPER.evaluate(&path_case_with(&ROOMS, &ROOMS, &own)).unwrap();
        assert_eq!(score.value, 1.0);
        assert_eq!(score.detail["start"]["chosen"], "widest place of the truth's graph");
        let random = PathInputs { random_targets: 7, ..own };
        let drawn = PathUsefulness::PAPER.evaluate(&path_case_with(&ROOMS, &ROOMS, &random)).unwrap();
        assert_eq!(drawn.detail["targets"].as_array().unwrap().len(), 7);
    }

    #[test]
    fn maps_without_ground_are_undefined() {
        for rows in [&["#"][..], &["?"], &["??", "??"], &["."]] {
            let case = path_case_with(rows, rows, &PathInputs { robot_radius_m: 0.0, ..Default::default() });
            let reasons = PathUsefulness::PAPER.evaluate(&case).unwrap_err().reasons;
            assert!(
                [[Reason::UnreachableStart], [Reason::NoTargets]].contains(&[reasons[0]]),
                "{rows:?}: {reasons:?}"
            );
        }
    }
}
