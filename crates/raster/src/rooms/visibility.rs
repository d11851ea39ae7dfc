//! Rooms by what the walls see of each other (Pellenz, IV-D): points on the walls with similar views belong to one
//! room.
//!
//! 1. control points on the free side of the walls;
//! 2. a matrix of who sees whom;
//! 3. clusters of points with similar rows: J = |A_i and A_j| / |A_i or A_j|;
//! 4. free cells go to the cluster that reaches them first, or of which they see the largest share.
//!
//! The paper leaves the clustering open; average linkage and the limit 0.2 are ours.

use model::Grid;
use rayon::prelude::*;

use super::clustering::{Linkage, Similarities, agglomerate};
use super::control_points::{Beyond, Borders};
use super::flooding::flood;
pub use super::obstacles::UnknownCells;
use super::obstacles::{BLOCKED, Ignored, OPEN, blocked_plane};
use super::{Rooms, areas_cells};
use crate::components::{Connectivity, label};
use crate::disjoint_sets::DisjointSets;
use crate::dispatch::dispatched;
use crate::sight::{Clearances, Place, is_clear};

/// How free cells find their room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    /// Breadth-first from all control points at once.
    Flood,
    /// The cluster of which the cell sees the largest share of points; a ray per cell and point.
    Share,
}

/// Parameters of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visibility {
    /// Distance of control points along the walls, metres. Default 0.25, ours.
    pub spacing_m: f64,
    /// Points farther apart do not see each other, metres. Default infinite.
    pub max_range_m: f64,
    /// What unknown cells are. Default [`UnknownCells::Block`]: grey edges of walls would let sight through.
    pub unknown: UnknownCells,
    /// Obstacles smaller than this are ignored, metres. Default 0.3, ours.
    pub min_obstacle_m: f64,
    /// Niches and holes that no disc of this radius enters are wall, metres. Default 0: the paper has no such step.
    pub smoothing_m: f64,
    /// How clusters are compared. Default average.
    pub linkage: Linkage,
    /// Clusters at least this similar are joined. Default 0.2, measured on the plans of Bormann et al. 2016.
    pub theta: f64,
    /// How cells find their cluster. Default [`Assign::Flood`].
    pub assign: Assign,
    /// Clusters of fewer points are dropped. Default 5.
    pub min_points: usize,
    /// Smaller rooms are dropped, square metres. Default 1.
    pub min_area_m2: f64,
    /// With more points than this the spacing is increased. Default 2000.
    pub max_points: usize,
}

impl Default for Visibility {
    fn default() -> Self {
        Self {
            spacing_m: 0.25,
            max_range_m: f64::INFINITY,
            unknown: UnknownCells::Block,
            min_obstacle_m: 0.3,
            smoothing_m: 0.0,
            linkage: Linkage::Average,
            theta: 0.2,
            assign: Assign::Flood,
            min_points: 5,
            min_area_m2: 1.0,
            max_points: 2000,
        }
    }
}

/// Rooms, and what they were made from.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibilityRooms {
    pub rooms: Rooms,
    /// Cells of the control points in image order.
    pub points: Vec<usize>,
    /// Cluster of each point, 1 upwards.
    pub clusters: Vec<u32>,
    /// Pairs of different points that see each other.
    pub visible_pairs: u64,
    /// The spacing used; larger than asked for if there were too many points.
    pub spacing_m: f64,
}

/// Finds the rooms of a map.
pub fn visibility_rooms(grid: &Grid, params: &Visibility) -> VisibilityRooms {
    let cell_size_m = grid.geometry().cell_size_m();
    let scene = Scene::of(grid, params);
    let (points, spacing_m) = scene.points(params, cell_size_m);
    let sight = Sight::between(&scene, &points, params.max_range_m / cell_size_m);
    let clusters = agglomerate(sight.similarities(), params.linkage, params.theta);
    let marks = match params.assign {
        Assign::Flood => scene.marks_by_flood(&points, &clusters),
        Assign::Share => scene.marks_by_share(&points, &clusters),
    };
    let min_cells = (params.min_area_m2 / cell_size_m.powi(2)).ceil() as usize;
    let rooms = largest_pieces(marks, &clusters, params.min_points, min_cells, scene.width);
    VisibilityRooms { rooms, visible_pairs: sight.visible_pairs(), points, clusters, spacing_m }
}

/// The map as the method sees it.
struct Scene {
    blocked: Vec<u8>,
    /// How far each cell is from a blocked one.
    clearances: Clearances,
    /// Cells that belong to rooms are open.
    open: Vec<u8>,
    width: usize,
    unknown: UnknownCells,
}

impl Scene {
    fn of(grid: &Grid, params: &Visibility) -> Self {
        let ignored =
            Ignored::of_metres(params.min_obstacle_m, params.smoothing_m, grid.geometry().cell_size_m());
        let blocked = blocked_plane(grid, params.unknown, ignored);
        let open = match params.unknown {
            UnknownCells::Block => blocked.clone(),
            UnknownCells::Pass => {
                let cells = blocked.iter().zip(grid.classes());
                cells.map(|(&cell, class)| if class.is_known() { cell } else { BLOCKED }).collect()
            }
        };
        let width = grid.geometry().width();
        let clearances = Clearances::of(&blocked, BLOCKED, width);
        Self { blocked, clearances, open, width, unknown: params.unknown }
    }

    /// The control points and their spacing, which grows until there are few enough. A map of specks has a point per
    /// speck whatever the spacing; then only every second, third, ... point is kept.
    fn points(&self, params: &Visibility, cell_size_m: f64) -> (Vec<usize>, f64) {
        let beyond = match self.unknown {
            UnknownCells::Block => Beyond::Blocked,
            UnknownCells::Pass => Beyond::Open,
        };
        const ROUNDS: usize = 4;
        let (mut spacing_m, most) = (params.spacing_m, params.max_points.max(1));
        let borders = Borders::of(&self.open, &self.blocked, self.width, beyond);
        let placed = |spacing_m: f64| borders.points(spacing_m / cell_size_m);
        let mut points = placed(spacing_m);
        for _ in 0..ROUNDS {
            if points.len() <= most {
                return (points, spacing_m);
            }
            spacing_m = spacing_m.max(cell_size_m) * (points.len() as f64 / most as f64).max(1.05);
            points = placed(spacing_m);
        }
        let stride = points.len().div_ceil(most);
        (points.into_iter().step_by(stride).collect(), spacing_m)
    }

    fn place(&self, cell: usize) -> Place {
        (cell % self.width, cell / self.width)
    }

    /// No wall between two cells; where unknown cells pass, at most half of the line may be unknown.
    fn sees(&self, from: Place, to: Place) -> bool {
        let at = |x: usize, y: usize| y * self.width + x;
        if self.unknown == UnknownCells::Block {
            return self.clearances.is_clear(from, to);
        }
        let (steps, unknown) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
        let clear = is_clear(from, to, |x, y| {
            let cell = at(x, y);
            steps.set(steps.get() + 1);
            unknown.set(unknown.get() + usize::from(self.open[cell] != OPEN && self.blocked[cell] == OPEN));
            self.blocked[cell] == BLOCKED
        });
        clear && 2 * unknown.get() <= steps.get()
    }

    fn marks_by_flood(&self, points: &[usize], clusters: &[u32]) -> Vec<u32> {
        let mut marks = vec![0; self.open.len()];
        for (&cell, &cluster) in points.iter().zip(clusters) {
            marks[cell] = cluster;
        }
        if points.is_empty() {
            // No wall: one room per free component.
            let free: Vec<u8> = self.open.iter().map(|&cell| u8::from(cell == OPEN)).collect();
            return label(&free, self.width, free.len() / self.width, Connectivity::Four).labels;
        }
        flood(&mut marks, &self.open, self.width);
        marks
    }

    fn marks_by_share(&self, points: &[usize], clusters: &[u32]) -> Vec<u32> {
        let count = clusters.iter().copied().max().unwrap_or(0) as usize;
        let mut sizes = vec![0_u32; count + 1];
        clusters.iter().for_each(|&cluster| sizes[cluster as usize] += 1);
        let mark_of = |cell: usize| {
            if self.open[cell] != OPEN {
                return 0;
            }
            let mut seen = vec![0_u32; count + 1];
            for (&point, &cluster) in points.iter().zip(clusters) {
                seen[cluster as usize] += u32::from(self.sees(self.place(cell), self.place(point)));
            }
            let share = |cluster: usize| f64::from(seen[cluster]) / f64::from(sizes[cluster]);
            let seen_ones = (1..=count).filter(|&cluster| seen[cluster] > 0);
            let best = seen_ones.reduce(|best, next| if share(next) > share(best) { next } else { best });
            best.map_or(0, |cluster| cluster as u32)
        };
        (0..self.open.len()).into_par_iter().map(mark_of).collect()
    }
}

/// Who sees whom: a row of bits per point.
struct Sight {
    rows: Vec<u64>,
    words: usize,
    count: usize,
}

impl Sight {
    fn between(scene: &Scene, points: &[usize], max_range_cells: f64) -> Self {
        let (count, words) = (points.len(), points.len().div_ceil(64));
        let places: Vec<Place> = points.iter().map(|&cell| scene.place(cell)).collect();
        let is_near = |a: Place, b: Place| {
            max_range_cells.is_infinite()
                || (a.0.abs_diff(b.0) as f64).hypot(a.1.abs_diff(b.1) as f64) <= max_range_cells
        };
        let mut rows = vec![0_u64; count * words];
        // Each row up to its own point; the other half follows by symmetry.
        rows.par_chunks_mut(words.max(1)).enumerate().for_each(|(i, row)| {
            for j in 0..i {
                if is_near(places[i], places[j]) && scene.sees(places[i], places[j]) {
                    row[j / 64] |= 1 << (j % 64);
                }
            }
            row[i / 64] |= 1 << (i % 64);
        });
        for i in 0..count {
            for word in 0..i.div_ceil(64) {
                let mut seen = rows[i * words + word];
                while seen != 0 {
                    let j = 64 * word + seen.trailing_zeros() as usize;
                    rows[j * words + i / 64] |= 1 << (i % 64);
                    seen &= seen - 1;
                }
            }
        }
        Self { rows, words, count }
    }

    fn visible_pairs(&self) -> u64 {
        let seen: u64 = self.rows.iter().map(|word| u64::from(word.count_ones())).sum();
        (seen - self.count as u64) / 2
    }

    /// Shared part of what two points see: |A_i and A_j| / |A_i or A_j|.
    fn similarities(&self) -> Similarities {
        let count = self.count;
        let seen: Vec<u32> = self.rows.chunks(self.words.max(1)).map(ones).collect();
        let mut values = vec![0.0_f32; count * count];
        // Up to the diagonal; the other half is the same.
        values.par_chunks_mut(count.max(1)).enumerate().for_each(|(i, row)| {
            shared_parts(&self.rows, self.words, &seen, i, &mut row[..=i]);
        });
        for i in 0..count {
            for j in 0..i {
                values[j * count + i] = values[i * count + j];
            }
        }
        Similarities { values, count }
    }
}

fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

dispatched! {
    /// Similarity of the row of bits `i` to the first rows, of each of which the number of ones is given.
    fn shared_parts(rows: &[u64], words: usize, seen: &[u32], i: usize, parts: &mut [f32]) = shared_parts_kernel;
}

#[inline(always)]
fn shared_parts_kernel(rows: &[u64], words: usize, seen: &[u32], i: usize, parts: &mut [f32]) {
    let own = &rows[i * words..][..words];
    for ((row, &of_row), part) in rows.chunks_exact(words).zip(seen).zip(parts) {
        let both: u32 = own.iter().zip(row).map(|(a, b)| (a & b).count_ones()).sum();
        *part = both as f32 / (seen[i] + of_row - both) as f32;
    }
}

/// The largest connected piece of each cluster, without clusters of few points and small rooms.
fn largest_pieces(
    mut marks: Vec<u32>,
    clusters: &[u32],
    min_points: usize,
    min_cells: usize,
    width: usize,
) -> Rooms {
    let count = marks.iter().copied().max().unwrap_or(0) as usize;
    let mut points = vec![0_usize; count + 1];
    clusters.iter().for_each(|&cluster| points[cluster as usize] += 1);
    let mut largest = vec![(0, 0); count + 1];
    let pieces = pieces_of(&marks, width);
    let sizes = areas_cells(&pieces);
    let mut last = 0;
    for (&mark, &piece) in marks.iter().zip(&pieces) {
        if piece == last {
            continue;
        }
        last = piece;
        let size = sizes[piece as usize];
        let best = &mut largest[mark as usize];
        if size > best.0 {
            *best = (size, piece);
        }
    }
    for (mark, piece) in marks.iter_mut().zip(&pieces) {
        let (size, kept) = largest[*mark as usize];
        // Without any point there were no walls, and each free component is a room.
        let has_points = clusters.is_empty() || points[*mark as usize] >= min_points;
        if *piece != kept || size < min_cells || !has_points {
            *mark = 0;
        }
    }
    Rooms::of_marks(&marks, width)
}

/// Labels of the stretches of equal marks that are connected along edges, by their first cell; 0 where the mark is 0.
fn pieces_of(marks: &[u32], width: usize) -> Vec<u32> {
    // Runs of equal marks in a row; those that touch a run of the same mark in the row above are one piece with it.
    let mut runs: Vec<(std::ops::Range<usize>, u32)> = Vec::new();
    let mut sets = DisjointSets::default();
    let mut above = 0..0;
    for (row, cells) in marks.chunks(width.max(1)).enumerate() {
        let first = runs.len();
        let mut start = 0;
        for same in cells.chunk_by(|one, next| one == next) {
            if same[0] != 0 {
                let at = row * width + start;
                runs.push((at..at + same.len(), same[0]));
                sets.push();
            }
            start += same.len();
        }
        let mut here = first..runs.len();
        while !above.is_empty() && !here.is_empty() {
            let ((upper, mark), (lower, of_lower)) = (&runs[above.start], &runs[here.start]);
            if mark == of_lower && upper.start + width < lower.end && lower.start < upper.end + width {
                sets.join(above.start as u32, here.start as u32);
            }
            // The run that ends first touches nothing further on.
            if upper.end + width < lower.end { above.start += 1 } else { here.start += 1 }
        }
        above = first..runs.len();
    }
    let mut pieces = vec![0; marks.len()];
    let (mut numbers, mut count) = (vec![0; runs.len()], 0);
    for (run, (cells, _)) in runs.into_iter().enumerate() {
        // A root is the first run of its piece.
        let root = sets.root(run as u32) as usize;
        if root == run {
            count += 1;
            numbers[run] = count;
        }
        pieces[cells].fill(numbers[root]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::{Random, grid, grid_at};

    use super::*;

    const TWO_ROOMS: [&str; 7] = [
        "###########",
        "#....#....#",
        "#....#....#",
        "#.........#",
        "#....#....#",
        "#....#....#",
        "###########",
    ];
    /// Every cell of the walls is a control point, and nothing is dropped.
    const EVERY_CELL: Visibility = Visibility {
        spacing_m: 1.0,
        max_range_m: f64::INFINITY,
        unknown: UnknownCells::Block,
        min_obstacle_m: 0.0,
        smoothing_m: 0.0,
        linkage: Linkage::Average,
        theta: 0.5,
        assign: Assign::Share,
        min_points: 0,
        min_area_m2: 0.0,
        max_points: 2000,
    };

    fn sizes(found: &VisibilityRooms) -> Vec<usize> {
        let count = found.clusters.iter().copied().max().unwrap_or(0);
        (1..=count).map(|n| found.clusters.iter().filter(|&&c| c == n).count()).collect()
    }

    #[test]
    fn r_room_e1_two_rooms_and_a_door() {
        let found = visibility_rooms(&grid(TWO_ROOMS), &EVERY_CELL);
        assert_eq!((found.points.len(), found.visible_pairs), (27, 193));
        assert_eq!(sizes(&found).len(), 2);
        for (&cell, &cluster) in found.points.iter().zip(&found.clusters) {
            match cell % 11 {
                1..=4 => assert_eq!(cluster, found.clusters[0], "left room, cell {cell}"),
                6..=9 => assert_ne!(cluster, found.clusters[0], "right room, cell {cell}"),
                _ => {}
            }
        }
        assert_eq!(found.rooms.areas_cells()[1..], [21, 20], "the door goes to the left room");
    }

    #[test]
    fn r_room_e2_one_room() {
        let found =
            visibility_rooms(&grid(["#########", "#.......#", "#.......#", "#########"]), &EVERY_CELL);
        assert_eq!(sizes(&found), [14]);
    }

    #[test]
    fn r_room_e3_a_closed_wall_and_a_wall_with_a_hole() {
        let closed = grid(["#########", "#...#...#", "#...#...#", "#...#...#", "#########"]);
        assert_eq!(sizes(&visibility_rooms(&closed, &EVERY_CELL)), [8, 8]);
        let hole = grid(["#########", "#...#...#", "#.......#", "#...#...#", "#########"]);
        let mut parts = sizes(&visibility_rooms(&hole, &EVERY_CELL));
        parts.sort_unstable();
        assert_eq!(parts, [7, 8]);
        let default_limit = Visibility { theta: Visibility::default().theta, ..EVERY_CELL };
        assert_eq!(sizes(&visibility_rooms(&hole, &default_limit)), [15]);
    }

    /// Building of 41 x 61 cells of 0.1 m: two rooms above, a corridor, three rooms below.
    fn building() -> Vec<Vec<u8>> {
        let mut rows = vec![vec![b'.'; 61]; 41];
        for (y, row) in rows.iter_mut().enumerate() {
            for (x, cell) in row.iter_mut().enumerate() {
                let outer = y == 0 || y == 40 || x == 0 || x == 60;
                let wall = y == 15 || y == 25 || (x == 30 && y <= 15) || ((x == 20 || x == 42) && y >= 25);
                if outer || wall {
                    *cell = b'#';
                }
            }
        }
        for (y, first) in [(15, 12), (15, 45), (25, 10), (25, 30), (25, 50)] {
            rows[y][first..first + 5].fill(b'.');
        }
        rows
    }

    fn as_grid(rows: &[Vec<u8>]) -> Grid {
        let text: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        grid_at(text, 0.1, Pose2::IDENTITY)
    }

    #[test]
    fn r_room_e9_six_rooms_whatever_the_limit_the_holes_and_the_noise() {
        let with_holes = |mut rows: Vec<Vec<u8>>| {
            rows[15][35..37].fill(b'.');
            (rows[5][30], rows[6][30]) = (b'.', b'.');
            rows
        };
        let with_noise = |mut rows: Vec<Vec<u8>>| {
            let mut random = Random(2009);
            for _ in 0..41 * 61 / 200 {
                rows[random.below(41)][random.below(61)] = b'#';
            }
            rows
        };
        let plans =
            [building(), with_holes(building()), with_noise(building()), with_noise(with_holes(building()))];
        for (index, plan) in plans.iter().enumerate() {
            for theta in [0.2, 0.3, 0.4, 0.5] {
                let params = Visibility { spacing_m: 0.3, theta, ..Visibility::default() };
                assert_eq!(visibility_rooms(&as_grid(plan), &params).rooms.count, 6, "plan {index}, {theta}");
            }
        }
    }

    #[test]
    fn maps_without_walls_or_without_free_cells() {
        let open = Visibility { unknown: UnknownCells::Pass, min_area_m2: 0.0, ..Visibility::default() };
        assert_eq!(
            visibility_rooms(&grid(["..?..", "..?.."]), &open).rooms.count,
            2,
            "no wall: one per component"
        );
        for rows in [["##", "##"], ["??", "??"]] {
            assert_eq!(visibility_rooms(&grid(rows), &Visibility::default()).rooms.count, 0);
        }
    }

    #[test]
    fn too_many_points_widen_the_spacing() {
        let few = Visibility { max_points: 10, ..EVERY_CELL };
        let found = visibility_rooms(&grid(TWO_ROOMS), &few);
        assert!(
            found.points.len() <= 10 && found.spacing_m > 1.0,
            "{} {}",
            found.points.len(),
            found.spacing_m
        );
    }

    #[test]
    fn a_map_of_specks_ends_too() {
        let rows: Vec<String> =
            (0..60).map(|y| if y % 2 == 0 { ".#".repeat(30) } else { "#.".repeat(30) }).collect();
        let found = visibility_rooms(&grid(rows), &Visibility { max_points: 100, ..EVERY_CELL });
        assert!(found.points.len() <= 100);
    }

    #[test]
    fn unknown_that_passes_blocks_when_most_of_the_way_is_unknown() {
        let half = grid(["#######", "#.???.#", "#######"]);
        let pass = Visibility { unknown: UnknownCells::Pass, ..EVERY_CELL };
        let found = visibility_rooms(&half, &pass);
        assert_eq!((found.points.len(), found.visible_pairs), (2, 0), "three of four steps are unknown");
        let quarter = grid(["#######", "#..?..#", "#######"]);
        assert_eq!(visibility_rooms(&quarter, &pass).visible_pairs, 6);
    }
}
