//! A random office floor of walls without thickness: a ring of corridor, rooms outside and inside of it, furniture.
//!
//! It is the place `sim-office` of the mappers: 40 x 24 m and 35 rooms by default.

use model::{Point2, SeededRng};

use super::plan::{MarkPlan, Plan, StartPlan, WallPlan};
use crate::SimError;

/// What an office floor should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficeFloorPlan {
    /// Chooses the floor: same seed, same plan.
    pub seed: u64,
    /// Width, 30 to 200 m. Default 40 (sim-office).
    pub width_m: f64,
    /// Height, 20 to 200 m. Default 24 (sim-office).
    pub height_m: f64,
    /// Rooms in the upper and in the lower row, at the left and at the right end, and in the two rows of the core.
    /// Default 9, 9, 3, 3, 6, 5: 35 in all (sim-office).
    pub rooms: [usize; 6],
    /// Width of the corridor. Default 2; ours.
    pub corridor_m: f64,
    /// Clear width of the doors. Default 0.9; ours.
    pub door_m: f64,
    /// Boxes of furniture per room. Default 2: about 486 segments (sim-office).
    pub furniture: usize,
}

impl Default for OfficeFloorPlan {
    fn default() -> Self {
        Self {
            seed: 1,
            width_m: 40.0,
            height_m: 24.0,
            rooms: [9, 9, 3, 3, 6, 5],
            corridor_m: 2.0,
            door_m: 0.9,
            furniture: 2,
        }
    }
}

/// A room and the places before and behind its door.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficeRoom {
    /// Lower-left corner.
    pub low: Point2,
    /// Upper-right corner.
    pub high: Point2,
    /// In the middle of the corridor before its door.
    pub before_door: Point2,
    /// Half a metre inside of its door.
    pub behind_door: Point2,
}

/// An office floor with its rooms.
#[derive(Clone, Debug, PartialEq)]
pub struct OfficeFloor {
    pub plan: Plan,
    /// Rooms in the order of a walk around the corridor, counter-clockwise from the lower left.
    pub rooms: Vec<OfficeRoom>,
    /// Corners of the middle line of the corridor, in the same order.
    pub corridor: [Point2; 4],
}

/// Depth of the outer rooms. Ours.
const ROOM_DEPTH_M: f64 = 5.0;
/// Rooms at the corners of the building are this much wider, so that they reach the corridor.
const CORNER_M: f64 = 6.6;
/// Height of furniture: lower than walls, higher than the scanner.
const FURNITURE_HEIGHT_M: f64 = 0.75;
/// Height of the walls.
const WALL_HEIGHT_M: f64 = 2.5;
/// Doors keep this distance from the corners of their room.
const DOOR_OFF_CORNER_M: f64 = 0.35;
/// Streams of the seed.
const ROOMS: u64 = 31;
const FURNITURE: u64 = 32;

/// The side of a room that has the door.
#[derive(Clone, Copy)]
enum DoorSide {
    Left,
    Right,
    Below,
    Above,
}

impl OfficeFloorPlan {
    /// The floor.
    ///
    /// # Errors
    /// A number outside of its range.
    pub fn floor(&self) -> Result<OfficeFloor, SimError> {
        self.check()?;
        let mut builder = Builder {
            plan: self,
            rng: SeededRng::new(self.seed).stream(ROOMS),
            furniture_rng: SeededRng::new(self.seed).stream(FURNITURE),
            walls: Vec::new(),
            rooms: Vec::new(),
        };
        builder.lay_out();
        let half_m = self.corridor_m / 2.0;
        let (low, right, top) = (
            ROOM_DEPTH_M + half_m,
            self.width_m - ROOM_DEPTH_M - half_m,
            self.height_m - ROOM_DEPTH_M - half_m,
        );
        let corridor =
            [Point2::new(low, low), Point2::new(right, low), Point2::new(right, top), Point2::new(low, top)];
        let label = |(index, room): (usize, &OfficeRoom)| {
            let middle = room.middle();
            MarkPlan::new(Some(format!("room {}", index + 1)), middle.x_m, middle.y_m)
        };
        let plan = Plan {
            name: format!("office-{}", self.seed),
            wall_height_m: WALL_HEIGHT_M,
            slice_heights_m: vec![0.3, 1.0],
            size_m: Some([self.width_m, self.height_m]),
            start: Some(StartPlan { at_m: Some([low, low]), heading_deg: 0.0 }),
            labels: builder.rooms.iter().enumerate().map(label).collect(),
            walls: builder.walls,
            ..Plan::default()
        };
        Ok(OfficeFloor { plan, rooms: builder.rooms, corridor })
    }

    fn check(&self) -> Result<(), SimError> {
        let check = SimError::check_range;
        check("width_m", self.width_m, 30.0..=200.0, "30 to 200")?;
        check("height_m", self.height_m, 20.0..=200.0, "20 to 200")?;
        check("corridor_m", self.corridor_m, 1.0..=3.0, "1 to 3")?;
        check("door_m", self.door_m, 0.6..=1.5, "0.6 to 1.5")?;
        check("furniture", self.furniture as f64, 0.0..=8.0, "0 to 8")?;
        let [upper, lower, left, right, ..] = self.rooms;
        let core_m =
            [self.width_m, self.height_m].map(|side_m| side_m - 2.0 * (ROOM_DEPTH_M + self.corridor_m));
        let widest = |length_m: f64| (length_m / 2.4).floor();
        let rows = (self.width_m - 2.0 * CORNER_M, self.height_m - 2.0 * ROOM_DEPTH_M);
        let most = [widest(rows.0) + 2.0, widest(rows.1), widest(core_m[0])];
        check("rooms, upper and lower row", upper.max(lower) as f64, 3.0..=most[0], "3 to one per 2.4 m")?;
        check("rooms, ends", left.max(right) as f64, 1.0..=most[1], "1 to one per 2.4 m")?;
        check("rooms, core", self.rooms[4].max(self.rooms[5]) as f64, 1.0..=most[2], "1 to one per 2.4 m")
    }
}

impl OfficeRoom {
    /// The middle of the room.
    #[must_use]
    pub fn middle(&self) -> Point2 {
        Point2::new((self.low.x_m + self.high.x_m) / 2.0, (self.low.y_m + self.high.y_m) / 2.0)
    }
}

struct Builder<'a> {
    plan: &'a OfficeFloorPlan,
    rng: SeededRng,
    furniture_rng: SeededRng,
    walls: Vec<WallPlan>,
    rooms: Vec<OfficeRoom>,
}

impl Builder<'_> {
    /// Rooms in the order of a walk: lower row and core above it, right end, upper row and core below it, left end.
    fn lay_out(&mut self) {
        let (width_m, height_m) = (self.plan.width_m, self.plan.height_m);
        let [upper, lower, left, right, core_upper, core_lower] = self.plan.rooms;
        let core_low_m = ROOM_DEPTH_M + self.plan.corridor_m;
        let (core_right_m, core_top_m) = (width_m - core_low_m, height_m - core_low_m);
        let middle_m = height_m / 2.0;
        let along_lower = self.row(lower, width_m);
        let core = self.cuts(core_lower, core_low_m, core_right_m);
        self.rooms_between(&along_lower, |a, b| ([a, 0.0], [b, ROOM_DEPTH_M], DoorSide::Above));
        self.rooms_between(&core, |a, b| ([a, core_low_m], [b, middle_m], DoorSide::Below));
        let ends = self.cuts(right, ROOM_DEPTH_M, height_m - ROOM_DEPTH_M);
        self.rooms_between(&ends, |a, b| ([width_m - ROOM_DEPTH_M, a], [width_m, b], DoorSide::Left));
        let mut along_upper = self.row(upper, width_m);
        let mut core = self.cuts(core_upper, core_low_m, core_right_m);
        along_upper.reverse();
        core.reverse();
        let top_m = height_m - ROOM_DEPTH_M;
        self.rooms_between(&along_upper, |b, a| ([a, top_m], [b, height_m], DoorSide::Below));
        self.rooms_between(&core, |b, a| ([a, middle_m], [b, core_top_m], DoorSide::Above));
        let mut ends = self.cuts(left, ROOM_DEPTH_M, height_m - ROOM_DEPTH_M);
        ends.reverse();
        self.rooms_between(&ends, |b, a| ([0.0, a], [ROOM_DEPTH_M, b], DoorSide::Right));
    }

    /// Borders of a row along the whole width: wide rooms at both ends.
    fn row(&mut self, rooms: usize, width_m: f64) -> Vec<f64> {
        let mut cuts = vec![0.0];
        cuts.extend(self.cuts(rooms - 2, CORNER_M, width_m - CORNER_M));
        cuts.push(width_m);
        cuts
    }

    /// Borders of equal rooms, moved by up to a tenth of a room, to whole centimetres.
    fn cuts(&mut self, rooms: usize, from_m: f64, to_m: f64) -> Vec<f64> {
        let room_m = (to_m - from_m) / rooms as f64;
        let mut cut = |index: usize| {
            if index == 0 || index == rooms {
                return if index == 0 { from_m } else { to_m };
            }
            let moved_m = room_m / 1000.0 * self.rng.between(-100, 100) as f64;
            ((from_m + room_m * index as f64 + moved_m) * 100.0).round() / 100.0
        };
        (0..=rooms).map(&mut cut).collect()
    }

    fn rooms_between(&mut self, cuts: &[f64], room: impl Fn(f64, f64) -> ([f64; 2], [f64; 2], DoorSide)) {
        for pair in cuts.windows(2) {
            let (low, high, side) = room(pair[0], pair[1]);
            self.room(Point2::new(low[0], low[1]), Point2::new(high[0], high[1]), side);
        }
    }

    fn room(&mut self, low: Point2, high: Point2, side: DoorSide) {
        let corners = [low, Point2::new(high.x_m, low.y_m), high, Point2::new(low.x_m, high.y_m)];
        let door_edge = match side {
            DoorSide::Below => 0,
            DoorSide::Right => 1,
            DoorSide::Above => 2,
            DoorSide::Left => 3,
        };
        for edge in (0..4).filter(|edge| *edge != door_edge) {
            self.wall(corners[edge], corners[(edge + 1) % 4], None);
        }
        let (from, to) = (corners[door_edge], corners[(door_edge + 1) % 4]);
        let door = self.door(from, to);
        let half_m = self.plan.door_m / 2.0;
        let along = unit(from, to);
        self.wall(from, moved(door, along, -half_m), None);
        self.wall(moved(door, along, half_m), to, None);
        // Inwards is to the left of an edge that runs counter-clockwise.
        let inwards = Point2::new(-along.y_m, along.x_m);
        let room = OfficeRoom {
            low,
            high,
            before_door: moved(door, inwards, -self.plan.corridor_m / 2.0),
            behind_door: moved(door, inwards, 0.5),
        };
        self.furnish(&room);
        self.rooms.push(room);
    }

    /// The middle of the door: anywhere on the part of the edge that faces the corridor.
    fn door(&mut self, from: Point2, to: Point2) -> Point2 {
        let plan = self.plan;
        let keep_m = DOOR_OFF_CORNER_M + plan.door_m / 2.0;
        let facing = |v: f64, side_m: f64| v.clamp(ROOM_DEPTH_M, side_m - ROOM_DEPTH_M);
        let from = Point2::new(facing(from.x_m, plan.width_m), facing(from.y_m, plan.height_m));
        let to = Point2::new(facing(to.x_m, plan.width_m), facing(to.y_m, plan.height_m));
        let length_m = (to.x_m - from.x_m).hypot(to.y_m - from.y_m);
        let room_m = (length_m - 2.0 * keep_m).max(0.0);
        let at_m = length_m.min(2.0 * keep_m) / 2.0 + room_m * self.rng.between(0, 100) as f64 / 100.0;
        moved(from, unit(from, to), at_m)
    }

    /// Boxes along the walls, away from the door and from the middle of the room.
    fn furnish(&mut self, room: &OfficeRoom) {
        let (width_m, depth_m) = (room.high.x_m - room.low.x_m, room.high.y_m - room.low.y_m);
        for _ in 0..self.plan.furniture {
            let rng = &mut self.furniture_rng;
            let size = [0.4 + 0.1 * rng.between(0, 4) as f64, 0.4 + 0.1 * rng.between(0, 4) as f64];
            let (is_right, is_upper) = (rng.chance(0.5), rng.chance(0.5));
            let inset = [rng.between(5, 60) as f64 / 100.0, rng.between(5, 60) as f64 / 100.0];
            let x_m = if is_right { width_m - size[0] - inset[0] } else { inset[0] };
            let y_m = if is_upper { depth_m - size[1] - inset[1] } else { inset[1] };
            let low = Point2::new(room.low.x_m + x_m, room.low.y_m + y_m);
            let near = |p: Point2| {
                let gap = |v: f64, low: f64, side: f64| (low - v).max(v - low - side).max(0.0);
                gap(p.x_m, low.x_m, size[0]).hypot(gap(p.y_m, low.y_m, size[1])) < 0.8
            };
            if near(room.behind_door) || near(room.middle()) {
                continue;
            }
            let high = Point2::new(low.x_m + size[0], low.y_m + size[1]);
            let corners = [low, Point2::new(high.x_m, low.y_m), high, Point2::new(low.x_m, high.y_m)];
            (0..4).for_each(|c| self.wall(corners[c], corners[(c + 1) % 4], Some(FURNITURE_HEIGHT_M)));
        }
    }

    fn wall(&mut self, from: Point2, to: Point2, height_m: Option<f64>) {
        let rounded = |p: Point2| [p.x_m, p.y_m].map(|v| (v * 1e4).round() / 1e4);
        self.walls.push(WallPlan { from_m: rounded(from), to_m: rounded(to), height_m });
    }
}

fn unit(from: Point2, to: Point2) -> Point2 {
    let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
    let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
    Point2::new(dx / length, dy / length)
}

fn moved(point: Point2, direction: Point2, by_m: f64) -> Point2 {
    Point2::new(point.x_m + by_m * direction.x_m, point.y_m + by_m * direction.y_m)
}

#[cfg(test)]
mod tests {
    use model::CellClass;

    use super::*;
    use crate::arena::Arena;

    #[test]
    fn the_default_floor_has_35_rooms_that_can_all_be_reached() {
        for seed in 1..6 {
            let floor = OfficeFloorPlan { seed, ..OfficeFloorPlan::default() }.floor().unwrap();
            assert_eq!(floor.rooms.len(), 35);
            assert!((350..600).contains(&floor.plan.walls.len()), "{} walls", floor.plan.walls.len());
            let truth = Arena::build(&floor.plan).unwrap().truth(0.3).unwrap();
            let is_free = |point: Point2| {
                let cell = truth.geometry().cell_at(point).unwrap();
                truth.classes()[truth.geometry().index_of(cell)] == CellClass::Free
            };
            for (index, room) in floor.rooms.iter().enumerate() {
                let places = [room.before_door, room.behind_door, room.middle()];
                assert!(places.into_iter().all(is_free), "seed {seed}, room {index}: {room:?}");
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_floor_and_nonsense_is_refused() {
        let plan = OfficeFloorPlan { seed: 3, ..OfficeFloorPlan::default() };
        assert_eq!(plan.floor().unwrap(), plan.floor().unwrap());
        assert!(OfficeFloorPlan { rooms: [0; 6], ..plan }.floor().is_err());
        assert!(OfficeFloorPlan { width_m: f64::INFINITY, ..plan }.floor().is_err());
    }
}
