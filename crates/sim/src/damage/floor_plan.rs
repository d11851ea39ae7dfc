//! Rooms, doorways and walls between rooms of a map: what `moved_room`, `closed_door` and `opened_wall` need.
//!
//! Rooms are basins of the distance to the walls (R-ROOM, `watershed`). Large maps are divided on coarser cells, which is
//! enough to choose a door, and keeps the time below that of the damage itself.

use std::collections::BTreeMap;

use model::{CellClass, Grid};
use raster::rooms::watershed::{Watershed, watershed_rooms};

use super::kind::DoorPlace;
use super::resolution::coarser;
use crate::SimError;

/// Rooms are divided on a grid of at most this many cells along a side.
const MAX_SIDE_CELLS: usize = 600;
/// Openings between two rooms that count as doorways, metres.
const DOOR_WIDTHS_M: (f64, f64) = (0.4, 1.8);
/// Walls up to this thickness can be opened, metres.
const MAX_WALL_M: f64 = 0.6;
/// Width of an opening in a wall, metres.
const OPENING_M: f64 = 0.9;

/// The rooms of a map.
pub(super) struct FloorPlan {
    /// The map on the cells of the plan.
    grid: Grid,
    /// Cells of the map along a cell of the plan.
    pub factor: usize,
    /// 0 for no room, else the number of the room.
    labels: Vec<u32>,
}

/// Cells of the plan, (column, row) from the top left.
type PlanCell = (usize, usize);

/// Part of a wall between two rooms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// Cells of the plan, to be closed or opened.
    pub cells: Vec<PlanCell>,
}

impl FloorPlan {
    /// Divides a map into rooms; none where it is too large for exact distances or has no room.
    pub(super) fn of(map: &Grid) -> Result<Option<Self>, SimError> {
        let longer = map.geometry().width().max(map.geometry().height());
        let factor = longer.div_ceil(MAX_SIDE_CELLS);
        let grid = coarser(map, factor)?;
        let rooms = watershed_rooms(&grid, &Watershed::default());
        let found = rooms.filter(|rooms| rooms.count > 0);
        Ok(found.map(|rooms| Self { grid, factor, labels: rooms.labels }))
    }

    fn width(&self) -> usize {
        self.grid.geometry().width()
    }

    fn height(&self) -> usize {
        self.grid.geometry().height()
    }

    pub(super) fn cell_size_m(&self) -> f64 {
        self.grid.geometry().cell_size_m()
    }

    fn label(&self, (column, row): PlanCell) -> u32 {
        self.labels[row * self.width() + column]
    }

    /// For each room its cells, by number: first column, first row, last column, last row, and how many.
    pub(super) fn rooms(&self) -> Vec<([usize; 4], usize)> {
        let mut rooms: BTreeMap<u32, ([usize; 4], usize)> = BTreeMap::new();
        for (index, &label) in self.labels.iter().enumerate().filter(|(_, label)| **label > 0) {
            let (column, row) = (index % self.width(), index / self.width());
            let (bounds, count) = rooms.entry(label).or_insert(([column, row, column, row], 0));
            let [left, top, right, bottom] = *bounds;
            *bounds = [left.min(column), top.min(row), right.max(column), bottom.max(row)];
            *count += 1;
        }
        rooms.into_values().collect()
    }

    /// The borders between two rooms that are as wide as doors.
    pub(super) fn doorways(&self) -> Vec<Passage> {
        let mut borders: BTreeMap<(u32, u32), Vec<PlanCell>> = BTreeMap::new();
        for row in 0..self.height() {
            for column in 0..self.width() {
                let here = self.label((column, row));
                let nexts = [(column + 1, row), (column, row + 1)];
                for next in nexts.into_iter().filter(|next| next.0 < self.width() && next.1 < self.height()) {
                    let there = self.label(next);
                    if here > 0 && there > 0 && here != there {
                        borders.entry((here.min(there), here.max(there))).or_default().push((column, row));
                    }
                }
            }
        }
        let groups = borders.into_values().flat_map(connected);
        let (low, high) = DOOR_WIDTHS_M;
        let is_door = |cells: &Vec<PlanCell>| (low..=high).contains(&(length(cells) * self.cell_size_m()));
        groups.filter(is_door).map(|cells| Passage { cells }).collect()
    }

    /// Places where a straight wall between two rooms could have a door, one per door width along the wall.
    pub(super) fn walls(&self) -> Vec<Passage> {
        let span = ((OPENING_M / self.cell_size_m()).round() as usize).max(1);
        let mut found = Vec::new();
        for (columns, rows, is_turned) in
            [(self.width(), self.height(), false), (self.height(), self.width(), true)]
        {
            let cell = |along: usize, line: usize| if is_turned { (line, along) } else { (along, line) };
            // Walls that cross a line, by what they part and where they begin.
            let lines: Vec<Vec<Wall>> =
                (0..rows).map(|line| self.crossed(columns, |along| cell(along, line))).collect();
            let mut used_until: BTreeMap<(u32, u32), usize> = BTreeMap::new();
            for first in 0..rows.saturating_sub(span) {
                for wall in &lines[first] {
                    if used_until.get(&wall.rooms).is_some_and(|until| first < *until) {
                        continue;
                    }
                    let same = |line: &Vec<Wall>| line.iter().find(|other| other.continues(wall)).cloned();
                    let all: Option<Vec<Wall>> = lines[first..first + span].iter().map(same).collect();
                    let Some(all) = all else { continue };
                    let cells = all.iter().enumerate().flat_map(|(offset, wall)| {
                        (wall.from..wall.to).map(move |along| cell(along, first + offset))
                    });
                    found.push(Passage { cells: cells.collect() });
                    used_until.insert(wall.rooms, first + 2 * span);
                }
            }
        }
        found
    }

    /// The walls between two different rooms along a line of cells.
    fn crossed(&self, columns: usize, cell: impl Fn(usize) -> PlanCell) -> Vec<Wall> {
        let max_cells = (MAX_WALL_M / self.cell_size_m()).round().max(1.0) as usize;
        let mut walls = Vec::new();
        let mut last: Option<(u32, usize)> = None;
        for along in 0..columns {
            let label = self.label(cell(along));
            if label == 0 {
                continue;
            }
            if let Some((before, at)) = last {
                let (from, to) = (at + 1, along);
                let is_wall = |along: usize| {
                    let (column, row) = cell(along);
                    self.grid.classes()[row * self.width() + column] == CellClass::Occupied
                };
                if before != label && from < to && to - from <= max_cells && (from..to).any(is_wall) {
                    walls.push(Wall { rooms: (before, label), from, to });
                }
            }
            last = Some((label, along));
        }
        walls
    }

    /// Indices of the map's cells that a cell of the plan covers.
    pub(super) fn cells_of_map<'a>(
        &self,
        map: &'a Grid,
        (column, row): PlanCell,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let (width, height, factor) = (map.geometry().width(), map.geometry().height(), self.factor);
        // The plan has its lower-left corner in common with the map.
        let low = (self.height() - 1 - row) * factor;
        let ups = low..(low + factor).min(height);
        let columns = column * factor..((column + 1) * factor).min(width);
        ups.flat_map(move |up| columns.clone().map(move |column| (height - 1 - up) * width + column))
    }

    /// The cells and those that touch them.
    pub(super) fn with_neighbours(&self, cells: &[PlanCell]) -> Vec<PlanCell> {
        let around = |&(column, row): &PlanCell| {
            let columns = column.saturating_sub(1)..(column + 2).min(self.width());
            let rows = row.saturating_sub(1)..(row + 2).min(self.height());
            rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
        };
        let mut all: Vec<PlanCell> = cells.iter().flat_map(around).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Where a passage lies, in the frame of the world: the middle of its cells, and the longer side of the box around them.
    pub(super) fn place_of(&self, passage: &Passage) -> DoorPlace {
        let cells = &passage.cells;
        let mean = |sum: usize| (sum as f64) / cells.len().max(1) as f64 + 0.5;
        let right = mean(cells.iter().map(|cell| cell.0).sum());
        let down = mean(cells.iter().map(|cell| cell.1).sum());
        let at = self.grid.geometry().world_of_grid_point(right, self.height() as f64 - down);
        DoorPlace { at, width_m: length(cells) * self.cell_size_m() }
    }
}

/// A wall that crosses a line of cells.
#[derive(Clone, Debug)]
struct Wall {
    rooms: (u32, u32),
    from: usize,
    to: usize,
}

impl Wall {
    fn continues(&self, other: &Self) -> bool {
        self.rooms == other.rooms && self.from.abs_diff(other.from) <= 1
    }
}

/// Parts whose cells touch each other.
fn connected(cells: Vec<PlanCell>) -> Vec<Vec<PlanCell>> {
    let mut groups: Vec<Vec<PlanCell>> = Vec::new();
    for cell in cells {
        let touches = |group: &Vec<PlanCell>| {
            group.iter().any(|other| other.0.abs_diff(cell.0) <= 1 && other.1.abs_diff(cell.1) <= 1)
        };
        let (touching, mut apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        let mut group: Vec<PlanCell> = touching.into_iter().flatten().collect();
        group.push(cell);
        apart.push(group);
        groups = apart;
    }
    groups
}

/// The longer side of the box around some cells, in cells.
fn length(cells: &[PlanCell]) -> f64 {
    let span = |values: &mut dyn Iterator<Item = usize>| {
        let (low, high) = values.fold((usize::MAX, 0), |(low, high), v| (low.min(v), high.max(v)));
        high.saturating_sub(low) + 1
    };
    span(&mut cells.iter().map(|cell| cell.0)).max(span(&mut cells.iter().map(|cell| cell.1))) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{OfficePlan, office};

    #[test]
    fn an_office_has_rooms_doors_and_walls_to_open() {
        let map = office(&OfficePlan::default()).unwrap();
        let plan = FloorPlan::of(&map).unwrap().unwrap();
        assert!(plan.rooms().len() >= 8, "{} rooms", plan.rooms().len());
        assert!(plan.doorways().len() >= 6, "{} doorways", plan.doorways().len());
        assert!(plan.walls().len() >= 8, "{} walls", plan.walls().len());
    }

    #[test]
    fn one_room_has_neither() {
        let mut rows = vec![format!("#{}#", ".".repeat(60)); 40];
        rows.insert(0, "#".repeat(62));
        rows.push("#".repeat(62));
        let map = testkit::grid_at(rows, 0.05, model::Pose2::IDENTITY);
        let plan = FloorPlan::of(&map).unwrap().unwrap();
        assert_eq!((plan.rooms().len(), plan.doorways().len(), plan.walls().len()), (1, 0, 0));
    }

    #[test]
    fn cells_that_touch_are_one_group() {
        let groups = connected(vec![(0, 0), (5, 5), (1, 1), (6, 5), (2, 0)]);
        let mut sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [2, 3]);
        assert_eq!(length(&[(2, 3), (5, 4)]), 4.0);
    }
}
