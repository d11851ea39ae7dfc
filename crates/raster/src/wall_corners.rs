//! Corners of walls: places where two straight stretches of an outline meet (D-CORNER).
//!
//! The outline of the set cells, gaps of one or two cells closed, is walked cell by cell. At each of its cells two lines are
//! fitted to the stretch before and to the stretch after it; a corner is where they meet, so that it is known to a
//! fraction of a cell. Of neighbouring cells the one with the least distance of the stretches from their lines counts, and
//! its lines are then fitted to as much of both walls as is straight: a short stretch of a slanted wall is a staircase.
//!
//! Columns run to the right from the left edge of the image, rows down from its upper edge. Lines run through the middles of
//! the cells at the outline: the face of a wall lies within the cell that a beam marked.

use std::f64::consts::{PI, TAU};

use crate::dilation::dilated;
use crate::outlines::{Corner, outlines};

/// What counts as a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CornerSearch {
    /// Cells of the outline on each side to which a line is fitted.
    pub arm_cells: usize,
    /// Lines that turn by less are one wall, radians.
    pub min_turn_rad: f64,
    /// Root mean square distance of the cells from their lines above which there is no wall.
    pub max_rms_cells: f64,
}

impl CornerSearch {
    /// Ours: 25 degrees is more than a straight wall of 8 cells bends by noise, one cell is how rough walls are.
    #[must_use]
    pub const fn of_arm(arm_cells: usize) -> Self {
        Self { arm_cells, min_turn_rad: 25.0 * PI / 180.0, max_rms_cells: 1.0 }
    }
}

/// Two walls that meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallCorner {
    pub x_cells: f64,
    pub y_cells: f64,
    /// Middle of the free side, counter-clockwise from the right as the image is seen.
    pub direction_rad: f64,
    /// Angle of the free side: a quarter turn in the corner of a room, three quarters around the corner of a box.
    pub opening_rad: f64,
    /// Root mean square distance of the walls' cells from their lines.
    pub rms_cells: f64,
}

/// Lines that meet further than this from the outline are no corner, in cells.
const MAX_AWAY_CELLS: f64 = 2.5;
/// Walls are followed for so many times the first stretch, as long as each further cell lies this near to their line.
const MAX_ARMS: usize = 3;
const STRAIGHT_CELLS: f64 = 1.25;
/// Cells at the far end of a wall that may belong to the next one already.
const NEXT_WALL_CELLS: usize = 2;
/// Share of a wall's cells that must have a free cell before them.
const MIN_FREE_SHARE: f64 = 0.5;

/// The corners of the cells of class `occupied` that look onto cells of class `free`, the straightest walls first.
///
/// # Panics
/// The plane is no whole number of rows.
pub fn wall_corners(
    plane: &[u8],
    [occupied, free]: [u8; 2],
    width: usize,
    search: &CornerSearch,
) -> Vec<WallCorner> {
    if width == 0 || plane.is_empty() || search.arm_cells < 2 {
        return Vec::new();
    }
    let closed = closed(plane, occupied, width);
    let height = closed.len() / width;
    let is_free = |x: i32, y: i32| {
        let inside = x >= 0 && y >= 0 && (x as usize) < width && (y as usize) < height;
        inside && plane[y as usize * width + x as usize] == free
    };
    let mut found: Vec<WallCorner> = Vec::new();
    for outline in outlines(&closed, width, height) {
        let walk = walk(&outline, is_free);
        found.extend(corners_of(&walk, search));
    }
    found.sort_by(|a, b| {
        let place = |corner: &WallCorner| (corner.rms_cells, corner.y_cells, corner.x_cells);
        let ((a, ay, ax), (b, by, bx)) = (place(a), place(b));
        a.total_cmp(&b).then(ay.total_cmp(&by)).then(ax.total_cmp(&bx))
    });
    found
}

/// The set cells after a dilation and an erosion by one cell.
fn closed(plane: &[u8], occupied: u8, width: usize) -> Vec<u8> {
    let mask: Vec<u8> = plane.iter().map(|&class| u8::from(class == occupied)).collect();
    let outside: Vec<u8> = dilated(&mask, width, 1).iter().map(|&set| 1 - set).collect();
    dilated(&outside, width, 1).iter().map(|&set| 1 - set).collect()
}

/// A cell of the outline.
#[derive(Clone, Copy)]
struct Step {
    /// Its middle.
    at: [f64; 2],
    /// Whether the cell across the outline is free.
    is_free: bool,
}

/// The cells along an outline, which has the set cells on its right.
fn walk(outline: &[Corner], is_free: impl Fn(i32, i32) -> bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for (index, &from) in outline.iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        let (dx, dy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        // The cells on both sides of an edge, as offsets from where it begins.
        let (right, left) = match (dx, dy) {
            (1, _) => ((0, 0), (0, -1)),
            (-1, _) => ((-1, -1), (-1, 0)),
            (_, 1) => ((-1, 0), (0, 0)),
            _ => ((0, -1), (-1, -1)),
        };
        let (mut x, mut y) = from;
        while (x, y) != to {
            let at = [f64::from(x + right.0) + 0.5, f64::from(y + right.1) + 0.5];
            steps.push(Step { at, is_free: is_free(x + left.0, y + left.1) });
            (x, y) = (x + dx, y + dy);
        }
    }
    steps
}

/// The corners of one outline.
fn corners_of(walk: &[Step], search: &CornerSearch) -> Vec<WallCorner> {
    let (count, arm) = (walk.len(), search.arm_cells);
    // Both stretches and what lies between them.
    if count < 2 * arm + 2 {
        return Vec::new();
    }
    let sums = Sums::of(walk, MAX_ARMS * arm + 2);
    let corner = |index: usize| corner_at(walk, &sums, index, [arm; 2], search);
    let all: Vec<Option<WallCorner>> = (0..count).map(corner).collect();
    let is_best = |index: usize| {
        let Some(own) = all[index] else { return false };
        (1..=arm).all(|away| {
            let before = all[(index + count - away) % count];
            let after = all[(index + away) % count];
            // Of equal ones the first.
            before.is_none_or(|other| other.rms_cells > own.rms_cells)
                && after.is_none_or(|other| other.rms_cells >= own.rms_cells)
        })
    };
    let followed = |index: usize| {
        let arms = [Side::Before, Side::After].map(|side| straight_cells(walk, &sums, index, side, arm));
        corner_at(walk, &sums, index, arms, search).or(all[index])
    };
    (0..count).filter(|&index| is_best(index)).filter_map(followed).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

/// How many cells of the wall on one side of a cell are straight, at least the first stretch.
fn straight_cells(walk: &[Step], sums: &Sums, index: usize, side: Side, arm: usize) -> usize {
    let count = walk.len();
    let most = (MAX_ARMS * arm).min((count - 2) / 2);
    let is_straight = |cells: &usize| {
        let (line, further) = match side {
            Side::Before => (sums.line(index + count + 1 - cells, cells - 1), index + count - cells),
            Side::After => (sums.line(index + 1, cells - 1), index + cells),
        };
        line.distance(walk[further % count].at) <= STRAIGHT_CELLS
    };
    let straight = (arm + 1..=most).take_while(is_straight).last().unwrap_or(arm);
    straight.saturating_sub(NEXT_WALL_CELLS).max(arm)
}

/// Running sums over the cells of an outline, some of its beginning repeated: a line of any stretch takes one look.
struct Sums {
    /// Number of cells with a free cell before them, then sums of x, y, xx, xy, yy.
    before: Vec<[f64; 6]>,
    count: usize,
    /// Coordinates count from here, so that squares stay exact.
    origin: [f64; 2],
}

impl Sums {
    fn of(walk: &[Step], repeated: usize) -> Self {
        let origin = walk.first().map_or([0.0; 2], |step| step.at);
        let mut before = vec![[0.0; 6]];
        let mut sums = [0.0; 6];
        for step in walk.iter().chain(walk.iter().take(repeated)) {
            let (x, y) = (step.at[0] - origin[0], step.at[1] - origin[1]);
            let own = [f64::from(u8::from(step.is_free)), x, y, x * x, x * y, y * y];
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            before.push(sums);
        }
        Self { before, count: walk.len(), origin }
    }

    /// The line through `cells` cells from a cell on.
    fn line(&self, from: usize, cells: usize) -> Line {
        let from = from % self.count;
        let (first, last) = (self.before[from], self.before[from + cells]);
        let mean = |slot: usize| (last[slot] - first[slot]) / cells as f64;
        let (x, y) = (mean(1), mean(2));
        let (xx, xy, yy) = (mean(3) - x * x, mean(4) - x * y, mean(5) - y * y);
        let angle_rad = 0.5 * (2.0 * xy).atan2(xx - yy);
        let (sin, cos) = angle_rad.sin_cos();
        let across = xx * sin * sin - 2.0 * xy * sin * cos + yy * cos * cos;
        Line {
            through: [x + self.origin[0], y + self.origin[1]],
            along: [cos, sin],
            mean_square: across.max(0.0),
            free_share: mean(0),
        }
    }
}

/// A straight stretch of an outline.
#[derive(Clone, Copy)]
struct Line {
    through: [f64; 2],
    along: [f64; 2],
    /// Mean squared distance of its cells, in squared cells.
    mean_square: f64,
    free_share: f64,
}

impl Line {
    /// Walked from one place towards another.
    fn towards(self, from: [f64; 2], to: [f64; 2]) -> Self {
        let ahead = self.along[0] * (to[0] - from[0]) + self.along[1] * (to[1] - from[1]);
        let along = if ahead < 0.0 { self.along.map(|v| -v) } else { self.along };
        Self { along, ..self }
    }

    fn distance(&self, at: [f64; 2]) -> f64 {
        let (dx, dy) = (at[0] - self.through[0], at[1] - self.through[1]);
        (dx * self.along[1] - dy * self.along[0]).abs()
    }

    fn meets(&self, other: &Self) -> Option<[f64; 2]> {
        let cross = self.along[0] * other.along[1] - self.along[1] * other.along[0];
        let (dx, dy) = (other.through[0] - self.through[0], other.through[1] - self.through[1]);
        let ahead = (dx * other.along[1] - dy * other.along[0]) / cross;
        let at = [self.through[0] + ahead * self.along[0], self.through[1] + ahead * self.along[1]];
        at.iter().all(|v| v.is_finite()).then_some(at)
    }
}

/// The corner between the stretches before and after a cell; none if they are no walls or one wall.
fn corner_at(
    walk: &[Step],
    sums: &Sums,
    index: usize,
    [cells_before, cells_after]: [usize; 2],
    search: &CornerSearch,
) -> Option<WallCorner> {
    let count = walk.len();
    let at = |step: usize| walk[step % count].at;
    // The cell itself belongs to neither wall.
    let (start, next) = (index + count - cells_before, index + 1);
    let before = sums.line(start, cells_before).towards(at(start), at(index));
    let after = sums.line(next, cells_after).towards(at(index), at(next + cells_after - 1));
    if before.free_share < MIN_FREE_SHARE || after.free_share < MIN_FREE_SHARE {
        return None;
    }
    let rms_cells = (0.5 * (before.mean_square + after.mean_square)).sqrt();
    // Rows run down: a growing angle is a turn to the right, towards the set cells.
    let heading = |line: &Line| line.along[1].atan2(line.along[0]);
    let turn_rad = wrapped(heading(&after) - heading(&before));
    if rms_cells > search.max_rms_cells || turn_rad.abs() < search.min_turn_rad {
        return None;
    }
    let [x_cells, y_cells] = before.meets(&after)?;
    let own = at(index);
    if (x_cells - own[0]).hypot(y_cells - own[1]) > MAX_AWAY_CELLS {
        return None;
    }
    // The free side lies on the left: it begins along the wall ahead and ends along the wall behind.
    let opening_rad = PI + turn_rad;
    let ahead_rad = -heading(&after);
    let direction_rad = wrapped(ahead_rad + opening_rad / 2.0);
    Some(WallCorner { x_cells, y_cells, direction_rad, opening_rad, rms_cells })
}

fn wrapped(angle_rad: f64) -> f64 {
    let turned = angle_rad.rem_euclid(TAU);
    if turned > PI { turned - TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OCCUPIED: u8 = 2;
    const FREE: u8 = 0;
    const UNKNOWN: u8 = 1;

    /// A plane of `side` x `side` cells from a question per cell middle.
    fn plane(side: usize, class: impl Fn(f64, f64) -> u8) -> Vec<u8> {
        (0..side * side).map(|cell| class((cell % side) as f64 + 0.5, (cell / side) as f64 + 0.5)).collect()
    }

    fn found(plane: &[u8], side: usize) -> Vec<WallCorner> {
        wall_corners(plane, [OCCUPIED, FREE], side, &CornerSearch::of_arm(8))
    }

    fn assert_near(corner: &WallCorner, [x, y]: [f64; 2], direction_deg: f64, opening_deg: f64) {
        let away = (corner.x_cells - x).hypot(corner.y_cells - y);
        assert!(away < 0.3, "{away} cells: {corner:?}");
        let turned = wrapped(corner.direction_rad - direction_deg.to_radians()).to_degrees();
        assert!(turned.abs() < 3.0, "{turned} degrees: {corner:?}");
        assert!((corner.opening_rad.to_degrees() - opening_deg).abs() < 5.0, "{corner:?}");
    }

    #[test]
    fn a_room_has_four_corners_that_look_inwards() {
        // Walls of one cell around free cells 11 to 28; unknown beyond.
        let room = plane(40, |x, y| {
            let (far, near) = ((x - 20.0).abs().max((y - 20.0).abs()), 10.0);
            if far > near {
                UNKNOWN
            } else if far > near - 1.0 {
                OCCUPIED
            } else {
                FREE
            }
        });
        let mut corners = found(&room, 40);
        assert_eq!(corners.len(), 4, "{corners:?}");
        corners.sort_by(|a, b| (a.y_cells, a.x_cells).partial_cmp(&(b.y_cells, b.x_cells)).unwrap());
        // The middles of the corner cells; the upper left corner looks right and down.
        assert_near(&corners[0], [10.5, 10.5], -45.0, 90.0);
        assert_near(&corners[1], [29.5, 10.5], -135.0, 90.0);
        assert_near(&corners[2], [10.5, 29.5], 45.0, 90.0);
        assert_near(&corners[3], [29.5, 29.5], 135.0, 90.0);
    }

    #[test]
    fn a_box_has_four_corners_that_look_outwards() {
        let solid =
            plane(
                40,
                |x, y| {
                    if (x - 20.0).abs() < 10.0 && (y - 20.0).abs() < 10.0 { OCCUPIED } else { FREE }
                },
            );
        let mut corners = found(&solid, 40);
        assert_eq!(corners.len(), 4, "{corners:?}");
        corners.sort_by(|a, b| (a.y_cells, a.x_cells).partial_cmp(&(b.y_cells, b.x_cells)).unwrap());
        assert_near(&corners[0], [10.5, 10.5], 135.0, 270.0);
        assert_near(&corners[3], [29.5, 29.5], -45.0, 270.0);
    }

    #[test]
    fn corners_of_turned_rooms_are_found_to_a_fraction_of_a_cell() {
        for turn_deg in [7.0_f64, 23.0, 45.0, 70.0] {
            let (sin, cos) = turn_deg.to_radians().sin_cos();
            let room = plane(80, |x, y| {
                let (dx, dy) = (x - 40.0, y - 40.0);
                let far = (cos * dx + sin * dy).abs().max((cos * dy - sin * dx).abs());
                if far > 22.0 {
                    UNKNOWN
                } else if far > 20.0 {
                    OCCUPIED
                } else {
                    FREE
                }
            });
            let corners = found(&room, 80);
            assert_eq!(corners.len(), 4, "{turn_deg}: {corners:?}");
            for corner in &corners {
                let (dx, dy) = (corner.x_cells - 40.0, corner.y_cells - 40.0);
                // The faces lie at 20 cells, the middles of their cells on average half a cell behind.
                let (along, across) = ((cos * dx + sin * dy).abs(), (cos * dy - sin * dx).abs());
                assert!((along - 20.4).abs() < 0.5 && (across - 20.4).abs() < 0.5, "{turn_deg}: {corner:?}");
                assert!((corner.opening_rad.to_degrees() - 90.0).abs() < 6.0, "{turn_deg}: {corner:?}");
            }
        }
    }

    #[test]
    fn gaps_of_one_cell_do_not_hide_a_corner() {
        let room = plane(40, |x, y| {
            let far = (x - 20.0).abs().max((y - 20.0).abs());
            let gap = (x as usize * 7 + y as usize * 3).is_multiple_of(9);
            if far > 10.0 {
                UNKNOWN
            } else if far > 9.0 && !gap {
                OCCUPIED
            } else {
                FREE
            }
        });
        assert_eq!(found(&room, 40).iter().filter(|corner| corner.opening_rad < PI).count(), 4);
    }

    #[test]
    fn walls_without_a_corner_have_none() {
        let straight = plane(40, |_, y| if (18.0..20.0).contains(&y) { OCCUPIED } else { FREE });
        // Where the wall leaves the image no free cell lies before it.
        assert_eq!(found(&straight, 40), []);
        let disc = plane(60, |x, y| if (x - 30.0).hypot(y - 30.0) < 24.0 { OCCUPIED } else { FREE });
        assert_eq!(found(&disc, 60), []);
        for class in [UNKNOWN, FREE, OCCUPIED] {
            assert_eq!(found(&plane(20, |_, _| class), 20), []);
        }
        assert_eq!(found(&[OCCUPIED], 1), []);
        assert_eq!(found(&[], 0), []);
    }
}
