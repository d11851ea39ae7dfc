//! Gaps in walls: straight stretches of open cells from wall to wall that go on in the direction of a wall.
//!
//! An end of a stretch is a **wall end** if the wall behind it goes on in the same direction, is longer there than it is
//! thick, and has open cells on both sides, reached from the stretch. Lines across a corridor have none: they meet its
//! walls from the side.

use super::obstacles::BLOCKED;

/// What a gap is; ours, measured on one half of the plans of `docs/rooms.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GapRules {
    /// Longer stretches are no gaps, in cells.
    pub max_cells: f64,
    /// How far a wall end reaches beyond the gap at least, as a share of the gap; and where the other end is none.
    pub reach: f64,
    pub single_reach: f64,
}

/// Angles in half a turn. With 16 to 64 the plans have the same rooms but for one or two.
const DIRECTIONS: i32 = 32;
/// Least reach of a wall end, in cells: one or two cells are accidents of the drawing.
const MIN_REACH_CELLS: f64 = 3.0;
/// The thickest wall, as a share of the gap: what is longer is a passage. Below one half, so that the corner of a block is no
/// wall end for a line along its bisector, which is twice as thick as it reaches.
const MAX_THICKNESS: f64 = 0.4;
/// Least length of a wall end for its thickness.
const MIN_ASPECT: f64 = 2.0;
/// Shorter stretches are holes of a ragged wall.
const MIN_GAP_CELLS: f64 = 2.0;

/// A straight stretch of open cells between two walls.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gap {
    /// Where it meets the two walls, in cells from the corner of the first one.
    pub ends: [[f64; 2]; 2],
    pub length_cells: f64,
    /// Length of the wall behind each end, in its direction.
    behind_cells: [f64; 2],
    /// Its cells, each sharing an edge with the next.
    pub cells: Vec<usize>,
    /// Number of its wall ends.
    pub wall_ends: usize,
}

impl Gap {
    fn middle(&self) -> [f64; 2] {
        let [[ax, ay], [bx, by]] = self.ends;
        [(ax + bx) / 2.0, (ay + by) / 2.0]
    }

    fn is_wall_end(&self, end: usize, reach: f64, is_wall: &impl Fn([f64; 2]) -> bool) -> bool {
        let ([ax, ay], [bx, by]) = (self.ends[1 - end], self.ends[end]);
        let along = [(bx - ax) / self.length_cells, (by - ay) / self.length_cells];
        let reach_cells = (reach * self.length_cells).max(MIN_REACH_CELLS);
        if self.behind_cells[end] < reach_cells {
            return false;
        }
        let (middle, far_cells) = (self.middle(), self.length_cells / 2.0 + reach_cells);
        let max_cells = MAX_THICKNESS * self.length_cells;
        let aside = |across| open_aside(middle, along, across, far_cells, max_cells, is_wall);
        let [right, down] = along;
        let (Some(left), Some(right)) = (aside([-down, right]), aside([down, -right])) else { return false };
        let thick_cells = left + right - 1.0;
        thick_cells <= max_cells && self.behind_cells[end] >= MIN_ASPECT * thick_cells
    }

    /// Whether it is a gap in a plane: it has two wall ends, or one that reaches farther.
    pub fn is_gap(&self, rules: &GapRules, is_wall: impl Fn([f64; 2]) -> bool) -> bool {
        let reaches = |end, reach| self.is_wall_end(end, reach, &is_wall);
        match [0, 1].map(|end| reaches(end, rules.reach)) {
            [true, true] => true,
            [false, false] => false,
            [first, _] => reaches(usize::from(!first), rules.single_reach),
        }
    }
}

/// The nearest parallel of a stretch on one side, in cells, that is open from the height of its middle to beyond its end.
fn open_aside(
    [x, y]: [f64; 2],
    [right, down]: [f64; 2],
    [aside_x, aside_y]: [f64; 2],
    far_cells: f64,
    max_cells: f64,
    is_wall: &impl Fn([f64; 2]) -> bool,
) -> Option<f64> {
    let steps = 1..=max_cells as u32;
    steps
        .map(f64::from)
        .map_while(|away| {
            let place = |along: f64| [x + aside_x * away + right * along, y + aside_y * away + down * along];
            let is_open = || (1..=far_cells as u32).rev().all(|along| !is_wall(place(f64::from(along))));
            (!is_wall(place(0.0))).then(|| is_open().then_some(away))
        })
        .find_map(|open| open)
}

/// All gaps of a plane with one wall end or two, the shortest first.
pub(super) fn gaps(blocked: &[u8], width: usize, rules: &GapRules) -> Vec<Gap> {
    let height = blocked.len() / width.max(1);
    let turned = transposed(blocked, width);
    let angle = |index: i32| (std::f64::consts::PI * f64::from(index) / f64::from(DIRECTIONS)).tan();
    let mut found = Vec::new();
    // Half of the directions run along rows; the other half does so in the turned plane.
    for index in -DIRECTIONS / 4..=DIRECTIONS / 4 {
        found.extend(gaps_along(blocked, width, angle(index), rules));
    }
    for index in 1 - DIRECTIONS / 4..DIRECTIONS / 4 {
        let across = gaps_along(&turned, height, angle(index), rules);
        found.extend(across.into_iter().map(|gap| turned_back(gap, height, width)));
    }
    found.sort_by(|a, b| a.length_cells.total_cmp(&b.length_cells));
    found
}

fn transposed(plane: &[u8], width: usize) -> Vec<u8> {
    let height = plane.len() / width.max(1);
    (0..plane.len()).map(|cell| plane[cell % height * width + cell / height]).collect()
}

fn turned_back(gap: Gap, turned_width: usize, width: usize) -> Gap {
    let cells = gap.cells.into_iter().map(|cell| cell % turned_width * width + cell / turned_width).collect();
    Gap { ends: gap.ends.map(|[x, y]| [y, x]), cells, ..gap }
}

/// Gaps in one direction, which falls by `slope` (-1 to 1) rows from column to column.
fn gaps_along(blocked: &[u8], width: usize, slope: f64, rules: &GapRules) -> Vec<Gap> {
    let height = blocked.len() / width.max(1);
    let line = Line {
        falls: (0..width).map(|column| (slope * column as f64).round() as isize).collect(),
        width,
        slope,
    };
    let last_fall = line.falls.last().copied().unwrap_or(0);
    let is_wall = |[x, y]: [f64; 2]| {
        let is_inside = x >= 0.0 && y >= 0.0 && x < width as f64 && y < height as f64;
        !is_inside || blocked[y as usize * width + x as usize] == BLOCKED
    };
    let (mut found, mut edges) = (Vec::new(), Vec::new());
    for row in -last_fall.max(0)..height as isize - last_fall.min(0) {
        let columns = line.columns_within(row, height);
        line.edges(blocked, row, columns.clone(), &mut edges);
        for index in (0..edges.len()).step_by(2) {
            let first = edges[index];
            let last = edges.get(index + 1).copied().unwrap_or(columns.end);
            let before = first - if index == 0 { columns.start } else { edges[index - 1] };
            let after = edges.get(index + 2).copied().unwrap_or(columns.end) - last;
            let Some(mut gap) = line.gap(row, first..last, [before, after], rules) else { continue };
            gap.wall_ends =
                [0, 1].into_iter().filter(|&end| gap.is_wall_end(end, rules.reach, &is_wall)).count();
            if gap.wall_ends > 0 {
                gap.cells = line.cells(row, first..last);
                found.push(gap);
            }
        }
    }
    found
}

/// All lines of one direction.
struct Line {
    /// By how many rows a line has fallen at each column.
    falls: Vec<isize>,
    width: usize,
    slope: f64,
}

impl Line {
    fn cell(&self, row: isize, column: usize) -> usize {
        (row + self.falls[column]) as usize * self.width + column
    }

    /// The columns in which a line lies within the plane.
    fn columns_within(&self, row: isize, height: usize) -> std::ops::Range<usize> {
        let (rows, is_inside) =
            (0..height as isize, |fall: &isize| (0..height as isize).contains(&(row + fall)));
        let is_before = |fall: &isize| if self.slope < 0.0 { row + fall >= rows.end } else { row + fall < 0 };
        let first = self.falls.partition_point(is_before);
        first..first + self.falls[first..].partition_point(is_inside)
    }

    /// Columns at which a line enters open cells and leaves them, in turn.
    fn edges(&self, blocked: &[u8], row: isize, columns: std::ops::Range<usize>, edges: &mut Vec<usize>) {
        edges.clear();
        let mut last = BLOCKED;
        for column in columns {
            let here = blocked[self.cell(row, column)];
            if here != last {
                edges.push(column);
                last = here;
            }
        }
    }

    /// A stretch of a line, if it may be a gap by its length and by that of the walls behind it.
    fn gap(
        &self,
        row: isize,
        columns: std::ops::Range<usize>,
        behind: [usize; 2],
        rules: &GapRules,
    ) -> Option<Gap> {
        let step_cells = self.slope.hypot(1.0);
        let length_cells = columns.len() as f64 * step_cells;
        let behind_cells = behind.map(|columns| columns as f64 * step_cells);
        let reach_cells = (rules.reach * length_cells).max(MIN_REACH_CELLS);
        let has_wall = behind_cells.iter().any(|&behind| behind >= reach_cells);
        if !has_wall || !(MIN_GAP_CELLS..=rules.max_cells).contains(&length_cells) {
            return None;
        }
        let place = |column: usize| [column as f64, row as f64 + self.slope * (column as f64 - 0.5) + 0.5];
        let ends = [place(columns.start), place(columns.end)];
        Some(Gap { ends, length_cells, behind_cells, cells: Vec::new(), wall_ends: 0 })
    }

    fn cells(&self, row: isize, columns: std::ops::Range<usize>) -> Vec<usize> {
        let mut cells = Vec::with_capacity(columns.len());
        for column in columns.clone() {
            // Where the line falls, the corner between two cells would let rooms touch.
            if column > columns.start && self.falls[column] != self.falls[column - 1] {
                cells.push(self.cell(row, column) - 1);
            }
            cells.push(self.cell(row, column));
        }
        cells
    }
}

/// Of gaps whose middles lie nearer to each other than half of the longer one, the first stays: with two wall ends before
/// one, and the shorter before the longer.
pub(super) fn distinct(mut gaps: Vec<Gap>) -> Vec<Gap> {
    gaps.sort_by_key(|gap| std::cmp::Reverse(gap.wall_ends));
    let mut kept: Vec<Gap> = Vec::new();
    for gap in gaps {
        let [x, y] = gap.middle();
        let is_apart = |other: &Gap| {
            let [other_x, other_y] = other.middle();
            (other_x - x).hypot(other_y - y) > 0.5 * gap.length_cells.max(other.length_cells)
        };
        if kept.iter().all(is_apart) {
            kept.push(gap);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: GapRules = GapRules { max_cells: 50.0, reach: 0.15, single_reach: 0.25 };

    fn found(rows: &[&str]) -> Vec<Gap> {
        let plane: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).map(|c| u8::from(c == b'#')).collect();
        distinct(gaps(&plane, rows[0].len(), &RULES))
    }

    #[test]
    fn a_door_in_a_wall_is_a_gap_with_two_wall_ends() {
        let mut rows = ["###################"; 13];
        rows[1..12].fill("#.................#");
        rows[6] = "#######.....#######";
        let gaps = found(&rows);
        assert_eq!(gaps.len(), 1, "{gaps:?}");
        assert_eq!((gaps[0].wall_ends, gaps[0].length_cells), (2, 5.0));
        assert_eq!(gaps[0].cells, (7..12).map(|column| 6 * 19 + column).collect::<Vec<_>>());
        assert_eq!(gaps[0].ends, [[7.0, 6.5], [12.0, 6.5]]);
    }

    #[test]
    fn a_door_beside_a_corner_has_one() {
        let mut rows = ["###################"; 13];
        rows[1..12].fill("#.................#");
        rows[6] = "#############.....#";
        let gaps = found(&rows);
        assert_eq!(gaps.len(), 1, "{gaps:?}");
        assert_eq!((gaps[0].wall_ends, gaps[0].length_cells), (1, 5.0));
    }

    #[test]
    fn lines_across_rooms_and_corridors_are_none() {
        let mut hall = ["###################"; 13];
        hall[1..12].fill("#.................#");
        assert!(found(&hall).is_empty());
        // A passage as long as it is wide is no door.
        let mut passage = hall;
        passage[4..9].fill("#######.....#######");
        assert!(found(&passage).is_empty(), "{:?}", found(&passage));
    }

    #[test]
    fn slanted_lines_are_chains_of_cells_that_share_edges() {
        let line = Line { falls: vec![0, 0, 1, 1, 2], width: 5, slope: 0.5 };
        assert_eq!(line.cells(0, 0..5), [0, 1, 6, 7, 8, 13, 14]);
        let rising = Line { falls: vec![0, -1, -1], width: 3, slope: -0.5 };
        assert_eq!(rising.cells(1, 0..3), [3, 0, 1, 2]);
        assert_eq!((line.columns_within(0, 2), line.columns_within(-1, 2)), (0..4, 2..5));
        assert_eq!((rising.columns_within(0, 2), rising.columns_within(2, 2)), (0..1, 1..3));
    }

    #[test]
    fn equals_are_found_in_a_turned_plane() {
        let plane: Vec<u8> = (0..12).collect();
        assert_eq!(transposed(&transposed(&plane, 4), 3), plane);
    }
}
