//! Exploration loop (N-RUN): scan, plan, drive at most a metre along the path, repeat.
//!
//! Robots scan while they drive. A path ends early when its target is no frontier any more, when a wall turns up beside
//! it, or when another robot blocks it. The run ends without a safe frontier, or at a limit.

use std::time::Instant;

use model::{CellClass, Point2, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assignment::assign;
use crate::known::{cells_within, is_clear_around, is_frontier_at};
use crate::unreachable::{Unreachable, is_near};
use crate::{AreaLog, AreaSample, ExploreError, Path, Plan, Planner, Planning, World};

/// Parameters of [`run`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RunParams {
    /// How paths are planned.
    pub planning: Planning,
    /// Driven along a path before planning again, metres. Default 1 m (N-RUN).
    pub replan_m: f64,
    /// Driven from scan to scan, metres. Default 0.1 m, ours: 5 Hz at 0.5 m/s.
    pub scan_every_m: f64,
    /// The run ends after this time, seconds. Default 20 minutes, as in the contest.
    pub max_time_s: f64,
    /// The run ends after all robots together drove this far, metres. Default none.
    pub max_distance_m: Option<f64>,
    /// Targets of several robots lie at least this far apart, metres. Default 2 m, ours.
    pub target_spacing_m: f64,
    /// A target that could not be reached is left alone for so many plans. Default 30, ours.
    pub expiry_plans: usize,
}

impl Default for RunParams {
    fn default() -> Self {
        Self {
            planning: Planning::default(),
            replan_m: 1.0,
            scan_every_m: 0.1,
            max_time_s: 1200.0,
            max_distance_m: None,
            target_spacing_m: 2.0,
            expiry_plans: 30,
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// There is no frontier: all is known (`NO_FRONTIER`).
    Explored,
    /// Frontiers are left, but none is safe and reachable (`UNSAFE_FRONTIER`).
    Unsafe,
    /// The time is over.
    TimeLimit,
    /// The distance is driven.
    DistanceLimit,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub ending: Ending,
    pub area: AreaLog,
    /// Seconds.
    pub time_s: f64,
    /// Metres driven by all robots.
    pub distance_m: f64,
    pub scans: usize,
    pub replans: usize,
    /// Plans that gave up a target that was still a frontier.
    pub retargets: usize,
    /// Movements that touched something.
    pub collisions: usize,
    /// Time of each plan, milliseconds of this machine.
    pub plan_ms: Vec<f64>,
    pub map: Vec<CellClass>,
    /// When each cell of the map became known, seconds; infinite for one that never did. As exact as a path is long
    /// that is driven between two plans.
    pub known_at_s: Vec<f32>,
    /// Poses of each robot with their times.
    pub paths: Vec<Vec<(f64, Pose2)>>,
}

/// Explores a place from where the robots stand. `progress` is told the known area in square metres.
///
/// # Errors
/// A parameter out of its range, a robot that does not stand on free ground, a map too large to plan on.
pub fn run(
    world: &mut impl World,
    params: &RunParams,
    progress: &dyn Fn(f64),
) -> Result<Exploration, ExploreError> {
    let begun = Instant::now();
    run_timed(world, params, progress, &|| begun.elapsed().as_secs_f64())
}

/// As [`run`], with the clock in seconds by which planning is timed: one of processor time does not count what other
/// programs take.
///
/// # Errors
/// As [`run`].
pub fn run_timed(
    world: &mut impl World,
    params: &RunParams,
    progress: &dyn Fn(f64),
    clock_s: &dyn Fn() -> f64,
) -> Result<Exploration, ExploreError> {
    check(params)?;
    let mut run = Run::new(world, params, clock_s)?;
    run.look_around_from_all();
    let ending = loop {
        progress(run.result.area.final_area_m2());
        if let Some(ending) = run.limit() {
            break ending;
        }
        let mut plans = run.plans()?;
        if plans.iter().all(|plan| *plan == Plan::Finished) {
            break Ending::Explored;
        }
        let has_path = plans.iter().any(|plan| matches!(plan, Plan::Drive { .. }));
        if !has_path && !run.unreachable.expire_all(run.result.replans) {
            break Ending::Unsafe;
        }
        let robot = run.next_robot();
        run.drive(robot, plans.swap_remove(robot));
    };
    Ok(Exploration { ending, ..run.result })
}

fn check(params: &RunParams) -> Result<(), ExploreError> {
    for (name, value) in [
        ("replan_m", params.replan_m),
        ("scan_every_m", params.scan_every_m),
        ("max_time_s", params.max_time_s),
        ("max_distance_m", params.max_distance_m.unwrap_or(1.0)),
    ] {
        ExploreError::check(name, value, value > 0.0, "above 0")?;
    }
    let spacing_m = params.target_spacing_m;
    ExploreError::check("target_spacing_m", spacing_m, spacing_m >= 0.0, "a number from 0 on")
}

/// Plans after which a run ends whatever happens: a guard against worlds that never become known.
const MAX_PLANS: usize = 200_000;
/// Paths without a step after which a target counts as unreachable.
const STUCK_WAYS: usize = 3;

struct Run<'w, W> {
    world: &'w mut W,
    params: RunParams,
    clock_s: &'w dyn Fn() -> f64,
    planner: Planner,
    unreachable: Unreachable,
    /// Target of the last plan of each robot, and paths in a row that led nowhere.
    targets: Vec<Option<Point2>>,
    stuck: Vec<usize>,
    /// How far each robot has come in time; the one that is furthest behind is next.
    clocks_s: Vec<f64>,
    free_cells: i64,
    result: Exploration,
}

impl<'w, W: World> Run<'w, W> {
    fn new(world: &'w mut W, params: &RunParams, clock_s: &'w dyn Fn() -> f64) -> Result<Self, ExploreError> {
        let robots = world.robots();
        let result = Exploration {
            ending: Ending::Explored,
            area: AreaLog::default(),
            time_s: 0.0,
            distance_m: 0.0,
            scans: 0,
            replans: 0,
            retargets: 0,
            collisions: 0,
            plan_ms: Vec::new(),
            map: vec![CellClass::Unknown; world.geometry().cells()],
            known_at_s: vec![f32::INFINITY; world.geometry().cells()],
            paths: (0..robots).map(|robot| vec![(0.0, world.pose(robot))]).collect(),
        };
        Ok(Self {
            planner: Planner::new(&params.planning)?,
            unreachable: Unreachable::new(params.planning.robot_radius_m.max(0.05), params.expiry_plans),
            targets: vec![None; robots],
            stuck: vec![0; robots],
            clocks_s: vec![0.0; robots],
            free_cells: 0,
            params: *params,
            clock_s,
            world,
            result,
        })
    }

    fn limit(&self) -> Option<Ending> {
        let result = &self.result;
        if result.time_s >= self.params.max_time_s || result.replans >= MAX_PLANS {
            return Some(Ending::TimeLimit);
        }
        let is_driven = self.params.max_distance_m.is_some_and(|limit_m| result.distance_m >= limit_m);
        is_driven.then_some(Ending::DistanceLimit)
    }

    fn look_around_from_all(&mut self) {
        for robot in 0..self.world.robots() {
            self.look_around(robot);
        }
        self.note_area();
    }

    fn look_around(&mut self, robot: usize) {
        let (moved, more_free) = self.world.look_around(robot, &mut self.result.map);
        self.clocks_s[robot] += moved.time_s;
        self.free_cells += more_free;
        self.result.scans += 1;
    }

    /// The robot that is furthest behind in time.
    fn next_robot(&self) -> usize {
        let clocks_s = self.clocks_s.iter().enumerate();
        clocks_s.min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(robot, _)| robot)
    }

    /// Notes what is known at the time that all robots have reached.
    fn note_area(&mut self) {
        let now_s = self.clocks_s.iter().copied().fold(f64::INFINITY, f64::min);
        self.result.time_s = self.result.time_s.max(if now_s.is_finite() { now_s } else { 0.0 });
        let now_s = self.result.time_s as f32;
        for (class, known_at_s) in self.result.map.iter().zip(&mut self.result.known_at_s) {
            if *class != CellClass::Unknown {
                *known_at_s = known_at_s.min(now_s);
            }
        }
        let cell_size_m = self.world.geometry().cell_size_m();
        self.result.area.samples.push(AreaSample {
            time_s: self.result.time_s,
            distance_m: self.result.distance_m,
            area_m2: self.free_cells as f64 * cell_size_m * cell_size_m,
        });
    }

    fn position(&self, robot: usize) -> Point2 {
        let pose = self.world.pose(robot);
        Point2::new(pose.x_m, pose.y_m)
    }

    fn plans(&mut self) -> Result<Vec<Plan>, ExploreError> {
        let robots = self.world.robots();
        let mut durations_ms = Vec::new();
        let plans = assign(robots, self.params.target_spacing_m, |robot, is_open| {
            let begun_s = (self.clock_s)();
            let map = self.map_without_other_robots(robot);
            let map = map.as_deref().unwrap_or(&self.result.map);
            let is_allowed =
                |place: Point2| is_open(place) && !self.unreachable.holds(place, self.result.replans);
            let (geometry, held) = (self.world.geometry(), self.targets[robot]);
            let plan = self.planner.plan(geometry, map, self.position(robot), held, is_allowed);
            durations_ms.push(((self.clock_s)() - begun_s) * 1e3);
            plan
        })?;
        self.result.replans += durations_ms.len();
        self.result.plan_ms.extend(durations_ms);
        Ok(plans)
    }

    /// The map with the places of the other robots as obstacles; none if there is one robot.
    fn map_without_other_robots(&self, robot: usize) -> Option<Vec<CellClass>> {
        if self.world.robots() == 1 {
            return None;
        }
        let mut map = self.result.map.clone();
        let geometry = self.world.geometry();
        let radius_m = self.params.planning.robot_radius_m;
        let own = self.position(robot);
        for other in (0..self.world.robots()).filter(|&other| other != robot) {
            let middle = self.position(other);
            for cell in cells_within(geometry, middle, radius_m) {
                let place = geometry.center_of(geometry.cell_of(cell));
                // Who stands beside another robot must be able to leave.
                if !is_near(place, own, radius_m) {
                    map[cell] = CellClass::Occupied;
                }
            }
        }
        Some(map)
    }

    /// A robot drives along its path for a while, or waits.
    fn drive(&mut self, robot: usize, plan: Plan) {
        /// How long a robot waits that has nothing to do, seconds.
        const WAIT_S: f64 = 0.5;
        let before_s = self.clocks_s[robot];
        if let Plan::Drive { path, .. } = plan {
            self.note_target(robot, &path);
            self.follow(robot, &path);
        }
        if self.clocks_s[robot] == before_s {
            self.clocks_s[robot] += WAIT_S;
        }
        self.note_area();
    }

    fn note_target(&mut self, robot: usize, path: &Path) {
        let target = path.points.last().copied();
        if let (Some(old), Some(new)) = (self.targets[robot], target)
            && !is_near(old, new, self.params.planning.same_target_m)
            && self.is_frontier_at(old)
        {
            self.result.retargets += 1;
        }
        self.targets[robot] = target;
    }

    /// Follows a path until something changes.
    fn follow(&mut self, robot: usize, path: &Path) {
        let Some(&target) = path.points.last() else { return };
        let (mut driven_m, mut unscanned_m, mut has_collided) = (0.0, 0.0, false);
        for (at, &point) in path.points.iter().enumerate().skip(1) {
            if self.is_blocked(robot, point) {
                break;
            }
            let moved = self.world.move_to(robot, point);
            self.clocks_s[robot] += moved.time_s;
            driven_m += moved.distance_m;
            unscanned_m += moved.distance_m;
            self.result.distance_m += moved.distance_m;
            has_collided = moved.has_collided;
            self.result.collisions += usize::from(has_collided);
            let pose = self.world.pose(robot);
            self.result.paths[robot].push((self.clocks_s[robot], pose));
            let is_last = at + 1 == path.points.len() || has_collided;
            if unscanned_m < self.params.scan_every_m && !is_last {
                continue;
            }
            unscanned_m = 0.0;
            self.free_cells += self.world.observe(robot, &mut self.result.map);
            self.result.scans += 1;
            let rest = &path.cells[at..];
            let is_over = driven_m >= self.params.replan_m || has_collided;
            if is_over || !self.is_frontier_at(target) || !self.is_path_clear(rest) {
                break;
            }
        }
        let got_on = driven_m > 0.0 && !has_collided;
        if got_on {
            self.stuck[robot] = 0;
        }
        self.settle_target(robot, target, got_on);
    }

    /// A robot that stands at its target, or could not move, must not try the same again for ever.
    fn settle_target(&mut self, robot: usize, target: Point2, got_on: bool) {
        let cell_size_m = self.world.geometry().cell_size_m();
        if is_near(self.position(robot), target, cell_size_m) && self.is_frontier_at(target) {
            self.look_around(robot);
            if self.is_frontier_at(target) {
                self.unreachable.add(target, self.result.replans);
            }
        } else if !got_on {
            self.stuck[robot] += 1;
            if self.stuck[robot] >= STUCK_WAYS {
                self.stuck[robot] = 0;
                self.unreachable.add(target, self.result.replans);
            }
        }
    }

    fn is_frontier_at(&self, position: Point2) -> bool {
        is_frontier_at(self.world.geometry(), &self.result.map, position)
    }

    /// Whether no wall that was found meanwhile is too close to the next metre of a path. Cells that were too close
    /// when the path was planned, as behind a start near a wall, do not stop it.
    fn is_path_clear(&self, cells: &[u32]) -> bool {
        let geometry = self.world.geometry();
        let ahead = (self.params.replan_m / geometry.cell_size_m()).ceil() as usize + 1;
        // A cell's own half diagonal and rounding are within a hundredth of a cell of the planner's limit.
        let within_m = self.params.planning.discomfort.d_min_m - 0.01 * geometry.cell_size_m();
        let mut next = cells.iter().take(ahead).skip(1);
        next.all(|&cell| is_clear_around(geometry, &self.result.map, cell as usize, within_m))
    }

    /// Whether another robot is where this one wants to go.
    fn is_blocked(&self, robot: usize, point: Point2) -> bool {
        let apart_m = 2.0 * self.params.planning.robot_radius_m + 0.05;
        let own = self.position(robot);
        (0..self.world.robots()).filter(|&other| other != robot).any(|other| {
            let there = self.position(other);
            let distance_m = |from: Point2| (from.x_m - there.x_m).hypot(from.y_m - there.y_m);
            distance_m(point) < apart_m && distance_m(point) < distance_m(own)
        })
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid_at;

    use super::*;
    use crate::{Choice, GridWorld, GridWorldParams};

    /// Rooms of 3 x 3 m with doors, cells of 0.1 m: each letter of the plan is 0.5 m.
    fn rooms() -> model::Grid {
        let plan = [
            "#####################",
            "#......#......#.....#",
            "#......#......#.....#",
            "#.............#.....#",
            "#......#............#",
            "#......#......#.....#",
            "####.###########.####",
            "#......#......#.....#",
            "#......#............#",
            "#...................#",
            "#......#......#.....#",
            "#####################",
        ];
        let wide = |row: &str| row.chars().flat_map(|cell| std::iter::repeat_n(cell, 10)).collect::<String>();
        let rows: Vec<String> = plan.iter().flat_map(|row| std::iter::repeat_n(wide(row), 10)).collect();
        grid_at(&rows, 0.1, Pose2::IDENTITY)
    }

    fn explored(starts: &[Pose2], params: &RunParams) -> (GridWorld, Exploration) {
        let mut world = GridWorld::new(rooms(), starts, GridWorldParams::default()).unwrap();
        let result = run(&mut world, params, &|_| {}).unwrap();
        (world, result)
    }

    fn coverage(world: &GridWorld, result: &Exploration) -> f64 {
        let reachable = world.reachable();
        let all = reachable.iter().filter(|&&is| is).count();
        let seen = reachable.iter().zip(&result.map).filter(|(is, class)| **is && **class == CellClass::Free);
        seen.count() as f64 / all as f64
    }

    const START: Pose2 = Pose2 { x_m: 2.0, y_m: 2.0, theta_rad: 0.0 };

    #[test]
    fn rooms_are_explored_whole_without_collisions() {
        for choice in [Choice::ExplorationTransform, Choice::NearestFrontier] {
            let params =
                RunParams { planning: Planning { choice, ..Planning::default() }, ..RunParams::default() };
            let (world, result) = explored(&[START], &params);
            assert!(coverage(&world, &result) > 0.99, "{choice:?}: {}", coverage(&world, &result));
            assert_eq!(result.collisions, 0, "{choice:?}");
            assert!(matches!(result.ending, Ending::Explored | Ending::Unsafe), "{:?}", result.ending);
            assert_eq!(result.plan_ms.len(), result.replans);
        }
    }

    #[test]
    fn the_same_start_gives_the_same_run() {
        let (_, one) = explored(&[START], &RunParams::default());
        let (_, two) = explored(&[START], &RunParams::default());
        assert_eq!((one.distance_m, one.area, one.paths), (two.distance_m, two.area, two.paths));
    }

    #[test]
    fn two_robots_are_faster_than_one_and_keep_apart() {
        let (_, one) = explored(&[START], &RunParams::default());
        let (world, two) = explored(&[START, Pose2::new(3.0, 2.0, 0.0)], &RunParams::default());
        assert!(coverage(&world, &two) > 0.99 && two.time_s < one.time_s, "{} {}", two.time_s, one.time_s);
        assert_eq!(two.collisions, 0);
    }

    #[test]
    fn limits_end_a_run() {
        let short = RunParams { max_time_s: 20.0, ..RunParams::default() };
        assert_eq!(explored(&[START], &short).1.ending, Ending::TimeLimit);
        let near = RunParams { max_distance_m: Some(2.0), ..RunParams::default() };
        let (_, result) = explored(&[START], &near);
        assert!(result.ending == Ending::DistanceLimit && result.distance_m < 3.5);
        let wrong = RunParams { replan_m: 0.0, ..RunParams::default() };
        let mut world = GridWorld::new(rooms(), &[START], GridWorldParams::default()).unwrap();
        assert!(run(&mut world, &wrong, &|_| {}).is_err());
    }
}
