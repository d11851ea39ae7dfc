//! Rooms by the distance to the walls: basins around the middles of rooms, parted at narrow passes.
//!
//! 1. Euclidean distance of each free cell to the nearest wall;
//! 2. cells in falling order of distance join the basin of the neighbour that lies farthest from the walls, or start one;
//!    a basin that rises less than `height_m` above the pass to a higher one belongs to that one;
//! 3. the two neighbours with the largest ratio of pass width to the smaller room width become one room while that
//!    ratio is at least `merge_ratio` (widths are the largest distances on the common border and inside);
//! 4. small rooms are flooded by their neighbours.

use std::collections::{BTreeMap, BinaryHeap, HashSet};

use model::Grid;

use super::agreement::counted_pairs;
use super::corridors::is_corridor;
use super::flooding::flood;
use super::obstacles::{BLOCKED, Ignored, OPEN, UnknownCells, blocked_plane};
use super::{Rooms, areas_cells};
use crate::disjoint_sets::DisjointSets;
use crate::euclidean::squared_distances;
use crate::neighbours::beside;

/// Parameters of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watershed {
    /// Obstacles smaller than this are ignored, metres. Default 0.3, ours.
    pub min_obstacle_m: f64,
    /// Niches and holes that no disc of this radius enters are wall, metres. Default 0.
    pub smoothing_m: f64,
    /// How far a basin must rise above its pass, metres. Default 0.1, ours.
    pub height_m: f64,
    /// Rooms with a pass at least this wide, relative to the narrower room, are one. Default 0.7, ours.
    pub merge_ratio: f64,
    /// The same for a pass that is long for its width, a corridor. Default 0.7, as for any other.
    pub corridor_ratio: f64,
    /// Smaller rooms are flooded by their neighbours, square metres. Default 1.
    pub min_area_m2: f64,
}

impl Default for Watershed {
    fn default() -> Self {
        Self {
            min_obstacle_m: 0.3,
            smoothing_m: 0.0,
            height_m: 0.1,
            merge_ratio: 0.7,
            corridor_ratio: 0.7,
            min_area_m2: 1.0,
        }
    }
}

impl Watershed {
    pub(super) fn ignored(&self, cell_size_m: f64) -> Ignored {
        Ignored::of_metres(self.min_obstacle_m, self.smoothing_m, cell_size_m)
    }
}

/// Finds the rooms of a map; none if it is too long for exact distances (46340 cells along its diagonal).
pub fn watershed_rooms(grid: &Grid, params: &Watershed) -> Option<Rooms> {
    Some(Flooded::of(grid, params)?.merged(params))
}

/// A map whose basins were found, and none merged yet: several ways to merge them start here.
pub(super) struct Flooded {
    blocked: Vec<u8>,
    squared: Vec<u32>,
    basins: Basins,
    width: usize,
    cell_size_m: f64,
}

impl Flooded {
    /// The basins of a map, by what is ignored and by the height of these parameters; none if it is too long for exact
    /// distances.
    pub(super) fn of(grid: &Grid, params: &Watershed) -> Option<Self> {
        let (width, cell_size_m) = (grid.geometry().width(), grid.geometry().cell_size_m());
        let blocked = blocked_plane(grid, UnknownCells::Block, params.ignored(cell_size_m));
        Self::divided(blocked, &[], width, cell_size_m, params)
    }

    /// The basins of a plane in which some open cells count as walls; rooms take them in the end.
    pub(super) fn divided(
        blocked: Vec<u8>,
        cuts: &[usize],
        width: usize,
        cell_size_m: f64,
        params: &Watershed,
    ) -> Option<Self> {
        let squared = if cuts.is_empty() {
            squared_clearances(&blocked, width)?
        } else {
            let mut closed = blocked.clone();
            cuts.iter().for_each(|&cell| closed[cell] = BLOCKED);
            squared_clearances(&closed, width)?
        };
        let basins = Basins::flooded(&squared, width, params.height_m / cell_size_m);
        Some(Self { blocked, squared, basins, width, cell_size_m })
    }

    /// Basins joined where the pass between them is wide.
    pub(super) fn merged(&self, params: &Watershed) -> Rooms {
        let mut basins = self.basins.clone();
        let weights = self.weights(&basins, params);
        basins.merge(params.merge_ratio, &weights);
        self.without_small(basins, params)
    }

    /// Basins joined by the rooms that were found otherwise, and then where the pass between them is wide (steps 3 and 4 of
    /// [`super::combined`]).
    pub(super) fn joined(&self, rooms: &Rooms, params: &Watershed) -> Rooms {
        let basins = self.basins.clone().marks();
        let mut joined = Basins::of_rooms(&given_to_rooms(&basins, rooms), &self.squared);
        let weights = vec![1.0; joined.passes.len()];
        joined.merge(params.merge_ratio, &weights);
        self.without_small(joined, params)
    }

    /// By what the ratio of each pass counts more: corridors join rooms from a ratio of their own on.
    fn weights(&self, basins: &Basins, params: &Watershed) -> Vec<f32> {
        let of_corridors = (params.merge_ratio / params.corridor_ratio) as f32;
        let is_corridor = |pass: &Pass| {
            params.corridor_ratio < params.merge_ratio
                && is_corridor(&self.squared, self.width, pass.cell, f64::from(pass.height_cells))
        };
        basins.passes.iter().map(|pass| if is_corridor(pass) { of_corridors } else { 1.0 }).collect()
    }

    fn without_small(&self, basins: Basins, params: &Watershed) -> Rooms {
        let min_cells = (params.min_area_m2 / self.cell_size_m.powi(2)).ceil() as usize;
        without_small(basins.marks(), &self.blocked, self.width, min_cells)
    }
}

/// Each basin as part of the room that holds most of its cells; basins without a room stay by themselves.
fn given_to_rooms(basins: &[u32], rooms: &Rooms) -> Rooms {
    let shared = counted_pairs(basins.iter().copied().zip(rooms.labels.iter().copied()));
    let mut best: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
    for ((basin, room), cells) in shared {
        let kept = best.entry(basin).or_insert((cells, room));
        if cells > kept.0 {
            *kept = (cells, room);
        }
    }
    let count = basins.iter().copied().max().unwrap_or(0);
    let mark = |basin: u32| match best.get(&basin) {
        Some((_, room)) => *room,
        None if basin == 0 => 0,
        None => rooms.count + basin,
    };
    let marks: Vec<u32> = (0..=count).map(mark).collect();
    Rooms::of_marks(&basins.iter().map(|&basin| marks[basin as usize]).collect::<Vec<_>>(), rooms.width)
}

/// Squared distance in cells of each open cell to the nearest wall, 0 for walls; beyond the plane there is wall.
pub(super) fn squared_clearances(blocked: &[u8], width: usize) -> Option<Vec<u32>> {
    let (wide, height) = (width + 2, blocked.len() / width + 2);
    let mut padded = vec![BLOCKED; wide * height];
    for (row, cells) in blocked.chunks(width).enumerate() {
        padded[(row + 1) * wide + 1..][..width].copy_from_slice(cells);
    }
    let squared = squared_distances(&padded, BLOCKED, wide, height).ok()?;
    let rows = squared.chunks(wide).skip(1).take(height - 2);
    Some(rows.flat_map(|row| row[1..=width].iter().copied()).collect())
}

/// Open cells, those farthest from the walls first, equals in image order.
pub(super) fn falling_order(squared: &[u32]) -> Vec<u32> {
    let max = squared.iter().copied().max().unwrap_or(0);
    let is_open = |cell: &u32| squared[*cell as usize] > 0;
    let open = (0..squared.len() as u32).filter(is_open);
    // Distances across a plane have few squares beside its cells; a counting sort then needs two passes.
    if max as usize > 4 * squared.len() {
        let mut order: Vec<u32> = open.collect();
        order.sort_by_key(|&cell| std::cmp::Reverse(squared[cell as usize]));
        return order;
    }
    let mut starts = vec![0_u32; max as usize + 1];
    for &value in squared.iter().filter(|value| **value > 0) {
        starts[(max - value) as usize + 1] += 1;
    }
    for rank in 1..starts.len() {
        starts[rank] += starts[rank - 1];
    }
    let mut order = vec![0; open.clone().count()];
    for cell in open {
        let start = &mut starts[(max - squared[cell as usize]) as usize];
        order[*start as usize] = cell;
        *start += 1;
    }
    order
}

/// The highest pass between two basins.
#[derive(Clone, Copy)]
struct Pass {
    basins: (u32, u32),
    height_cells: f32,
    /// Where it is highest.
    cell: usize,
}

#[derive(Clone)]
struct Basins {
    /// Basin of each cell, 1 upwards; 0 for walls.
    of_cell: Vec<u32>,
    /// Basins that are one room.
    sets: DisjointSets,
    /// Largest distance inside each.
    peak_cells: Vec<f32>,
    /// The first, and so highest, pass of each two basins that met.
    passes: Vec<Pass>,
    met: HashSet<(u32, u32)>,
}

impl Basins {
    fn flooded(squared: &[u32], width: usize, height_cells: f64) -> Self {
        let mut basins = Self {
            of_cell: vec![0; squared.len()],
            sets: DisjointSets::new(1),
            peak_cells: vec![0.0],
            passes: Vec::new(),
            met: HashSet::new(),
        };
        for cell in falling_order(squared) {
            basins.take(cell as usize, squared, width, height_cells as f32);
        }
        basins
    }

    /// Rooms as basins, with the highest pass of each two that touch.
    fn of_rooms(rooms: &Rooms, squared: &[u32]) -> Self {
        let clearance = |squared: u32| (squared as f32).sqrt();
        let mut peaks_squared = vec![0; rooms.count as usize + 1];
        for (&room, &squared) in rooms.labels.iter().zip(squared) {
            let peak = &mut peaks_squared[room as usize];
            *peak = squared.max(*peak);
        }
        let peak_cells = peaks_squared.into_iter().map(clearance).collect();
        let mut highest = BTreeMap::new();
        rooms.for_each_meeting(|one, other| {
            let (room, next) = (rooms.labels[one], rooms.labels[other]);
            let height = clearance(squared[one].min(squared[other]));
            let pass = highest.entry((room.min(next), room.max(next))).or_insert((height, one));
            if height > pass.0 {
                *pass = (height, one);
            }
        });
        let pass = |(&basins, &(height_cells, cell)): (&(u32, u32), &(f32, usize))| Pass {
            basins,
            height_cells,
            cell,
        };
        Self {
            of_cell: rooms.labels.clone(),
            sets: DisjointSets::new(rooms.count as usize + 1),
            peak_cells,
            passes: highest.iter().map(pass).collect(),
            met: HashSet::new(),
        }
    }

    /// Gives a cell to the basin uphill of it, or starts one, and notes where basins meet. Uphill, and not the highest
    /// basin that it touches: that one would run along the walls of the lower one beyond their pass.
    fn take(&mut self, cell: usize, squared: &[u32], width: usize, height_cells: f32) {
        let (mut uphill, mut steepest) = (0, 0);
        let around = beside(cell, width, squared.len());
        for neighbour in around.clone() {
            if self.of_cell[neighbour] != 0 && squared[neighbour] > steepest {
                (uphill, steepest) = (self.of_cell[neighbour], squared[neighbour]);
            }
        }
        let clearance = (squared[cell] as f32).sqrt();
        if uphill == 0 {
            uphill = self.sets.push();
            self.peak_cells.push(clearance);
        }
        self.of_cell[cell] = uphill;
        for neighbour in around {
            let beside = self.of_cell[neighbour];
            if beside == 0 || beside == uphill {
                continue;
            }
            let (home, other) = (self.sets.root(uphill), self.sets.root(beside));
            if other != home {
                self.meet((home, other), cell, clearance, height_cells);
            }
        }
    }

    /// Two basins meet: a low one belongs to the higher one, else their first meeting is their pass.
    fn meet(&mut self, (one, other): (u32, u32), cell: usize, clearance: f32, height_cells: f32) {
        let (high, low) = self.by_height(one, other);
        if self.peak_cells[low as usize] - clearance < height_cells {
            self.sets.adopt(low, high);
        } else if self.met.insert((high, low)) {
            self.passes.push(Pass { basins: (high, low), height_cells: clearance, cell });
        }
    }

    /// The higher basin first; of equals the earlier.
    fn by_height(&self, a: u32, b: u32) -> (u32, u32) {
        let (of_a, of_b) = (self.peak_cells[a as usize], self.peak_cells[b as usize]);
        if of_a > of_b || (of_a >= of_b && a < b) { (a, b) } else { (b, a) }
    }

    /// Joins neighbours, those with the relatively widest pass first. A ratio only falls as rooms grow, so one that is
    /// still the same when its turn comes is the largest. The ratio of each pass counts by its weight.
    fn merge(&mut self, merge_ratio: f64, weights: &[f32]) {
        // Bits of positive numbers are in their order; of equals the earlier pass comes first.
        let key = |ratio: f32, pass: usize| (ratio.to_bits(), std::cmp::Reverse(pass));
        let mut queue = BinaryHeap::new();
        for (pass, weight) in weights.iter().enumerate() {
            queue.extend(self.ratio(pass).map(|(ratio, ..)| key(weight * ratio, pass)));
        }
        while let Some((bits, std::cmp::Reverse(pass))) = queue.pop() {
            let Some((ratio, a, b)) = self.ratio(pass) else { continue };
            let ratio = weights[pass] * ratio;
            if f64::from(ratio) < merge_ratio {
                continue;
            }
            if ratio.to_bits() < bits {
                queue.push(key(ratio, pass));
                continue;
            }
            let (high, low) = self.by_height(a, b);
            self.sets.adopt(low, high);
        }
    }

    /// Width of a pass relative to the narrower of its two rooms; none if they are one room by now.
    fn ratio(&mut self, pass: usize) -> Option<(f32, u32, u32)> {
        let Pass { basins: (a, b), height_cells, .. } = self.passes[pass];
        let (a, b) = (self.sets.root(a), self.sets.root(b));
        let narrower = self.peak_cells[a as usize].min(self.peak_cells[b as usize]);
        (a != b).then(|| (height_cells / narrower, a, b))
    }

    fn marks(self) -> Vec<u32> {
        let roots = self.sets.roots();
        self.of_cell.iter().map(|&basin| roots[basin as usize] as u32).collect()
    }
}

/// Small rooms are taken over by the neighbours that reach them; those without neighbours vanish.
pub(super) fn without_small(mut marks: Vec<u32>, blocked: &[u8], width: usize, min_cells: usize) -> Rooms {
    let areas = areas_cells(&marks);
    for mark in &mut marks {
        if areas[*mark as usize] < min_cells {
            *mark = 0;
        }
    }
    debug_assert_eq!(OPEN, 0);
    flood(&mut marks, blocked, width);
    Rooms::of_marks(&marks, width)
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    const EVERY_ROOM: Watershed = Watershed {
        min_obstacle_m: 0.0,
        smoothing_m: 0.0,
        height_m: 0.1,
        merge_ratio: 0.7,
        corridor_ratio: 0.7,
        min_area_m2: 0.0,
    };

    fn areas(rows: &[&str], params: &Watershed) -> Vec<usize> {
        watershed_rooms(&grid(rows), params).unwrap().areas_cells()[1..].to_vec()
    }

    #[test]
    fn a_door_parts_two_rooms() {
        let rows = [
            "###########",
            "#....#....#",
            "#....#....#",
            "#.........#",
            "#....#....#",
            "#....#....#",
            "###########",
        ];
        let found = areas(&rows, &EVERY_ROOM);
        assert_eq!(found.len(), 2);
        assert_eq!(found.iter().sum::<usize>(), 41);
    }

    #[test]
    fn a_wide_opening_does_not() {
        // The pass is 2 wide, the rooms 2: ratio 1.
        let rows = ["#########", "#...#...#", "#.......#", "#.......#", "#.......#", "#########"];
        assert_eq!(areas(&rows, &EVERY_ROOM), [27]);
    }

    #[test]
    fn a_small_room_is_flooded_by_its_neighbour() {
        let rows = ["###########", "#.....#...#", "#.........#", "#.....#...#", "###########"];
        assert_eq!(areas(&rows, &EVERY_ROOM).len(), 2);
        let large = Watershed { min_area_m2: 12.0, ..EVERY_ROOM };
        assert_eq!(areas(&rows, &large), [25]);
    }

    #[test]
    fn a_room_keeps_the_cells_along_its_walls_below_the_height_of_its_pass() {
        // The pass is 3 wide: cells beside the walls of the small room lie lower than it, and are still cells of that room.
        let rows = [
            "##################",
            "#.........########",
            "#.........#......#",
            "#.........#......#",
            "#................#",
            "#................#",
            "#................#",
            "#.........#......#",
            "#.........########",
            "#.........########",
            "##################",
        ];
        let rooms = watershed_rooms(&grid(rows), &EVERY_ROOM).unwrap();
        assert_eq!(rooms.count, 2);
        for (row, column) in [(2, 16), (7, 16), (2, 12), (7, 12)] {
            assert_eq!(rooms.labels[row * 18 + column], rooms.labels[5 * 18 + 14], "{row} {column}");
        }
    }

    #[test]
    fn the_farthest_cells_come_first_and_equals_in_image_order() {
        assert_eq!(falling_order(&[0, 4, 1, 9, 4, 0]), [3, 1, 4, 2]);
        assert_eq!(falling_order(&[1, 900, 0]), [1, 0], "few cells, large distances");
        assert!(falling_order(&[0, 0]).is_empty() && falling_order(&[]).is_empty());
    }

    #[test]
    fn no_wall_gives_one_room_per_component_and_no_free_cell_none() {
        assert_eq!(areas(&["..?..", "..?.."], &EVERY_ROOM), [4, 4]);
        assert_eq!(areas(&["......"], &EVERY_ROOM), [6]);
        assert!(areas(&["##", "??"], &EVERY_ROOM).is_empty());
    }
}
