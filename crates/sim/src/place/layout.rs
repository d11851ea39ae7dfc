//! Division of a floor into corridors, rooms and the openings between them.
//!
//! Corridors run from left to right with bands of rooms between them; the bands between two corridors are
//! cut by cross corridors, which closes loops. One corner of the building is left out, so that the outline
//! is not symmetric.

use model::{GridGeometry, SeededRng};

use super::canvas::Rect;
use super::office::OfficePlan;
use crate::SimError;

/// Smallest side inside the outer walls beyond the corridor's width: two rows of small rooms.
const MIN_ROOMS_M: f64 = 6.4;
/// One corridor per this height, beyond the corridor's own width: one band of rooms, and its share of walls.
const BAND_PITCH_M: f64 = 5.2;
/// One cross corridor per this width.
const CROSS_CORRIDOR_PITCH_M: f64 = 9.5;
/// Bands deeper than this hold two rows of rooms back to back.
const TWO_ROWS_DEPTH_M: f64 = 7.2;
/// Larger cores are rooms: lifts and cables need no more.
const MAX_SHAFT_M2: f64 = 14.0;
/// Average width of a room.
const ROOM_WIDTH_M: f64 = 3.8;

/// What a space is for; it decides the furniture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpaceKind {
    Corridor,
    /// Open to the corridor on its whole width.
    Lounge,
    Office,
    OpenPlan,
    Meeting,
    Kitchen,
    Washroom,
    Store,
    /// Lifts and cables: no door, never seen from inside.
    Shaft,
}

/// A rectangle of floor, without its walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    pub rect: Rect,
    pub kind: SpaceKind,
}

/// The direction in which one walks through an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Horizontal,
    Vertical,
}

/// Whether an opening has a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    Door,
    Open,
}

/// A hole in a wall, between `room` and the space `beyond` (indices into the spaces).
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub rect: Rect,
    pub axis: Axis,
    pub passage: Passage,
    pub room: usize,
    pub beyond: usize,
}

/// The spaces of a floor and the openings between them.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub spaces: Vec<Space>,
    pub openings: Vec<Opening>,
}

/// Divides the floor of a plan.
pub(super) fn lay_out(plan: &OfficePlan, geometry: &GridGeometry) -> Result<Layout, SimError> {
    let building = building(plan, geometry)?;
    let mut architect = Architect { plan, rng: SeededRng::new(plan.seed), layout: Layout::default() };
    architect.divide(building);
    Ok(architect.layout)
}

/// The rectangle inside the outer walls.
fn building(plan: &OfficePlan, geometry: &GridGeometry) -> Result<Rect, SimError> {
    let border = plan.cells(plan.margin_m) + plan.cells(plan.wall_thickness_m);
    let building = Rect::new(0, 0, geometry.width() as i64, geometry.height() as i64).grown(-border, -border);
    let needed_cells = plan.cells(plan.corridor_width_m + MIN_ROOMS_M);
    let (width_cells, height_cells) = (building.width(), building.height());
    if width_cells < needed_cells || height_cells < needed_cells {
        return Err(SimError::TooSmall { width_cells, height_cells, needed_cells });
    }
    Ok(building)
}

/// Where a row of rooms lies, which corridors it opens to, and how public it is.
#[derive(Clone, Copy)]
struct Row {
    rect: Rect,
    below: Option<usize>,
    above: Option<usize>,
    place: RowPlace,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RowPlace {
    /// Along the outer wall; no corner is left out.
    Facade,
    /// Along the outer wall; the room at the left end is left out.
    FacadeCutLeft,
    /// Along the outer wall; the room at the right end is left out.
    FacadeCutRight,
    /// Between corridors.
    Core,
}

struct Architect<'a> {
    plan: &'a OfficePlan,
    rng: SeededRng,
    layout: Layout,
}

impl Architect<'_> {
    fn divide(&mut self, building: Rect) {
        let (wall, corridor_width) = (self.wall(), self.plan.cells(self.plan.corridor_width_m));
        let count = (building.height() / self.plan.cells(self.plan.corridor_width_m + BAND_PITCH_M)).max(1);
        let depth = building.height() - count * (corridor_width + 2 * wall);
        let depths = self.shares(depth, &vec![100; count as usize + 1], 12);
        let cut = [RowPlace::FacadeCutLeft, RowPlace::FacadeCutRight];
        let (cut_place, cut_above) = (self.rng.one_of(&cut), self.rng.chance(0.5));
        let mut bottom = building.bottom;
        let mut below = None;
        for (band, depth) in depths.iter().enumerate() {
            let rect = Rect::new(building.left, bottom, building.right, bottom + depth);
            let is_last = band == count as usize;
            let above = (!is_last).then(|| {
                let start = rect.top + wall;
                self.add(
                    Rect::new(building.left, start, building.right, start + corridor_width),
                    SpaceKind::Corridor,
                )
            });
            let is_facade = below.is_none() || above.is_none();
            if is_facade {
                let place = if is_last == cut_above { cut_place } else { RowPlace::Facade };
                self.fill_row(Row { rect, below, above, place });
            } else {
                self.divide_core(rect, below, above);
            }
            bottom = rect.top + 2 * wall + corridor_width;
            below = above;
        }
    }

    /// A band between two corridors: blocks of rooms, and cross corridors between the blocks.
    fn divide_core(&mut self, band: Rect, below: Option<usize>, above: Option<usize>) {
        let (wall, cross_width) = (self.wall(), self.plan.cells(self.plan.corridor_width_m));
        let count = (band.width() / self.plan.cells(CROSS_CORRIDOR_PITCH_M)).max(1);
        let width = band.width() - count * (cross_width + 2 * wall);
        let mut weights = vec![150; count as usize + 1];
        weights[0] = 90;
        weights[count as usize] = 90;
        let mut left = band.left;
        for (block, width) in self.shares(width, &weights, 25).into_iter().enumerate() {
            self.fill_block(Rect::new(left, band.bottom, left + width, band.top), below, above);
            if block < count as usize {
                let start = left + width + wall;
                self.add_cross_corridor(
                    Rect::new(start, band.bottom - wall, start + cross_width, band.top + wall),
                    [below, above],
                );
            }
            left += width + 2 * wall + cross_width;
        }
    }

    fn add_cross_corridor(&mut self, rect: Rect, ends: [Option<usize>; 2]) {
        let cross = self.add(rect, SpaceKind::Corridor);
        let wall = self.wall();
        let mouths = [
            Rect::new(rect.left, rect.bottom, rect.right, rect.bottom + wall),
            Rect::new(rect.left, rect.top - wall, rect.right, rect.top),
        ];
        for (mouth, end) in mouths.into_iter().zip(ends) {
            if let Some(beyond) = end {
                self.open(mouth, Axis::Vertical, Passage::Open, cross, beyond);
            }
        }
    }

    /// One or two rows of rooms between two corridors.
    fn fill_block(&mut self, block: Rect, below: Option<usize>, above: Option<usize>) {
        let place = RowPlace::Core;
        if block.height() < self.plan.cells(TWO_ROWS_DEPTH_M) {
            self.fill_row(Row { rect: block, below, above, place });
            return;
        }
        let depths = self.shares(block.height() - self.wall(), &[100, 100], 20);
        let middle = block.bottom + depths[0];
        let lower = Rect::new(block.left, block.bottom, block.right, middle);
        let upper = Rect::new(block.left, middle + self.wall(), block.right, block.top);
        self.fill_row(Row { rect: lower, below, above: None, place });
        self.fill_row(Row { rect: upper, below: None, above, place });
    }

    /// Rooms side by side, each with a door to a corridor, some with a door to the next room.
    fn fill_row(&mut self, row: Row) {
        let partition = (self.wall() / 2).max(1);
        let count = (row.rect.width() / self.plan.cells(ROOM_WIDTH_M)).max(1);
        let widths = self.shares(row.rect.width() - (count - 1) * partition, &vec![100; count as usize], 35);
        let lounge = self.rng.between(1, count - 2);
        let shaft = self.rng.between(0, count);
        let mut left = row.rect.left;
        let mut previous: Option<usize> = None;
        for (number, width) in (0..).zip(widths) {
            let rect = Rect::new(left, row.rect.bottom, left + width, row.rect.top);
            left += width + partition;
            let is_cut = (row.place == RowPlace::FacadeCutLeft && number == 0)
                || (row.place == RowPlace::FacadeCutRight && number == count - 1);
            if is_cut && count > 2 {
                previous = None;
                continue;
            }
            let is_core = row.place == RowPlace::Core;
            if !is_core && count > 3 && number == lounge {
                self.add_lounge(rect, &row);
                previous = None;
                continue;
            }
            if is_core && number == shaft && self.area_m2(rect) < MAX_SHAFT_M2 {
                self.add(rect, SpaceKind::Shaft);
                previous = None;
                continue;
            }
            let kind = self.kind_of(rect, is_core);
            let room = self.add(rect, kind);
            self.add_corridor_doors(room, rect, &row);
            if let Some(neighbour) = previous {
                self.add_partition_door(room, neighbour, rect, partition);
            }
            previous = Some(room);
        }
    }

    fn kind_of(&mut self, rect: Rect, is_core: bool) -> SpaceKind {
        let area_m2 = self.area_m2(rect);
        if area_m2 < 9.0 {
            return self.rng.one_of(&[SpaceKind::Store, SpaceKind::Office, SpaceKind::Office]);
        }
        if is_core {
            use SpaceKind::{Kitchen, Meeting, Office, Store, Washroom};
            return self.rng.one_of(&[Kitchen, Meeting, Meeting, Office, Office, Store, Washroom]);
        }
        if area_m2 > 19.0 {
            return self.rng.one_of(&[SpaceKind::OpenPlan, SpaceKind::OpenPlan, SpaceKind::Meeting]);
        }
        self.rng.one_of(&[SpaceKind::Office, SpaceKind::Office, SpaceKind::Office, SpaceKind::Meeting])
    }

    fn area_m2(&self, rect: Rect) -> f64 {
        rect.area_cells() as f64 * self.plan.cell_size_m * self.plan.cell_size_m
    }

    /// A lounge reaches through the wall to its corridor.
    fn add_lounge(&mut self, rect: Rect, row: &Row) {
        let wall = self.wall();
        let (reached, mouth, corridor) = match (row.below, row.above) {
            (Some(corridor), _) => {
                let start = rect.bottom - wall;
                (Rect { bottom: start, ..rect }, Rect { bottom: start, top: rect.bottom, ..rect }, corridor)
            }
            (None, Some(corridor)) => {
                let end = rect.top + wall;
                (Rect { top: end, ..rect }, Rect { bottom: rect.top, top: end, ..rect }, corridor)
            }
            (None, None) => return,
        };
        let lounge = self.add(reached, SpaceKind::Lounge);
        self.open(mouth, Axis::Vertical, Passage::Open, lounge, corridor);
    }

    /// One door to a corridor; wide rooms between two corridors may have one to each.
    fn add_corridor_doors(&mut self, room: usize, rect: Rect, row: &Row) {
        let both = self.rng.chance(0.25);
        let prefers_above = self.rng.chance(0.5);
        let (first, second) = if prefers_above { (row.above, row.below) } else { (row.below, row.above) };
        if let Some(corridor) = first {
            self.add_corridor_door(room, rect, corridor);
        }
        if let Some(corridor) = second.filter(|_| both || first.is_none()) {
            self.add_corridor_door(room, rect, corridor);
        }
    }

    fn add_corridor_door(&mut self, room: usize, rect: Rect, corridor: usize) {
        let door = self.plan.cells(self.plan.door_width_m);
        let (first, last) = (rect.left + self.door_clearance(), rect.right - self.door_clearance() - door);
        // Doors mostly stand near a corner, so that the room can be furnished.
        let anywhere = self.rng.between(first, last);
        let left = self.rng.one_of(&[first, last, anywhere]);
        let is_above = self.layout.spaces[corridor].rect.bottom >= rect.top;
        let bottom = if is_above { rect.top } else { rect.bottom - self.wall() };
        let hole = Rect::new(left, bottom, left + door, bottom + self.wall());
        self.open(hole, Axis::Vertical, Passage::Door, room, corridor);
    }

    fn add_partition_door(&mut self, room: usize, neighbour: usize, rect: Rect, partition: i64) {
        if !self.rng.chance(0.25) {
            return;
        }
        let door = self.plan.cells(self.plan.door_width_m);
        // The middle of the wall: the corners near the corridor belong to the corridor's doors.
        let bottom = rect.bottom + (rect.height() - door) / 2;
        let hole = Rect::new(rect.left - partition, bottom, rect.left, bottom + door);
        self.open(hole, Axis::Horizontal, Passage::Door, room, neighbour);
    }

    /// Wall left beside a door: the open leaf needs it.
    fn door_clearance(&self) -> i64 {
        self.plan.cells(0.3)
    }

    fn wall(&self) -> i64 {
        self.plan.cells(self.plan.wall_thickness_m)
    }

    fn add(&mut self, rect: Rect, kind: SpaceKind) -> usize {
        self.layout.spaces.push(Space { rect, kind });
        self.layout.spaces.len() - 1
    }

    fn open(&mut self, rect: Rect, axis: Axis, passage: Passage, room: usize, beyond: usize) {
        self.layout.openings.push(Opening { rect, axis, passage, room, beyond });
    }

    /// Splits a length by weights that vary by up to `variation` per cent; the parts add up exactly.
    fn shares(&mut self, total: i64, weights: &[i64], variation: i64) -> Vec<i64> {
        let varied: Vec<i64> =
            weights.iter().map(|w| w * self.rng.between(100 - variation, 100 + variation)).collect();
        let sum: i64 = varied.iter().sum();
        let mut passed = 0;
        let mut end = 0;
        let ends = varied.iter().map(|weight| {
            passed += weight;
            let (start, stop) = (end, total * passed / sum);
            end = stop;
            stop - start
        });
        ends.collect()
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn floor(seed: u64, width_m: f64, height_m: f64) -> Layout {
        let plan = OfficePlan { seed, width_m, height_m, ..OfficePlan::default() };
        let (width, height) = (plan.cells(width_m) as usize, plan.cells(height_m) as usize);
        let geometry = GridGeometry::new(width, height, plan.cell_size_m, Pose2::IDENTITY).unwrap();
        lay_out(&plan, &geometry).unwrap()
    }

    fn has_walls(space: &Space) -> bool {
        space.kind != SpaceKind::Corridor
    }

    #[test]
    fn shares_add_up_exactly_and_follow_the_weights() {
        let plan = OfficePlan::default();
        let mut architect = Architect { plan: &plan, rng: SeededRng::new(1), layout: Layout::default() };
        assert_eq!(architect.shares(90, &[100, 200], 0), [30, 60]);
        assert_eq!(architect.shares(101, &[100; 7], 35).iter().sum::<i64>(), 101);
    }

    #[test]
    fn rooms_never_overlap_and_every_room_but_a_shaft_has_an_opening() {
        for seed in 0..40 {
            let layout = floor(seed, 24.0 + seed as f64, 16.0 + seed as f64 / 2.0);
            for (number, room) in layout.spaces.iter().enumerate().filter(|(_, s)| has_walls(s)) {
                let others = layout.spaces[..number].iter();
                assert!(others.clone().all(|other| !other.rect.overlaps(room.rect)), "seed {seed}");
                let is_open = layout.openings.iter().any(|o| o.room == number);
                assert_eq!(is_open, room.kind != SpaceKind::Shaft, "seed {seed} room {number}");
            }
        }
    }

    #[test]
    fn the_default_floor_has_a_ring_of_corridors() {
        // 13.8 m of height hold two corridors, 21.8 m of width two cross corridors.
        for seed in 0..20 {
            let corridors = floor(seed, 24.0, 16.0).spaces.into_iter().filter(|s| !has_walls(s));
            assert_eq!(corridors.count(), 4, "seed {seed}");
        }
    }

    #[test]
    fn doors_have_their_width_and_pierce_the_wall() {
        let layout = floor(3, 24.0, 16.0);
        for door in layout.openings.iter().filter(|o| o.passage == Passage::Door) {
            let (along, through) = match door.axis {
                Axis::Vertical => (door.rect.width(), door.rect.height()),
                Axis::Horizontal => (door.rect.height(), door.rect.width()),
            };
            assert_eq!(along, 18);
            assert_eq!(through, if door.axis == Axis::Vertical { 2 } else { 1 });
        }
    }

    #[test]
    fn a_floor_without_room_for_rooms_is_refused() {
        let plan = OfficePlan { height_m: 9.0, ..OfficePlan::default() };
        let geometry = GridGeometry::new(480, 180, 0.05, Pose2::IDENTITY).unwrap();
        // 180 - 2 * (20 + 2) = 136 cells inside; 1.6 m + 6.4 m = 160 cells needed.
        let refused = SimError::TooSmall { width_cells: 436, height_cells: 136, needed_cells: 160 };
        assert_eq!(lay_out(&plan, &geometry).unwrap_err(), refused);
    }
}
