//! Outlines of the set cells of a mask, and their simplification.
//!
//! An outline runs along the edges of cells with the set cells on its right; cells that share a corner
//! belong together. Points are corners of cells, (column, row) from the upper left, rows downwards.

/// A corner of a cell.
pub type Corner = (i32, i32);

/// The closed outlines of the cells that are not 0, outer ones and those of holes: their turning points.
///
/// # Panics
/// The mask does not have `width * height` cells.
pub fn outlines(mask: &[u8], width: usize, height: usize) -> Vec<Vec<Corner>> {
    assert_eq!(mask.len(), width * height, "mask of another size");
    let image = Image { mask, width, height };
    // Each outline has an edge with a set cell below and none above.
    let mut seen = vec![false; mask.len()];
    let mut found = Vec::new();
    for index in 0..mask.len() {
        let (x, y) = ((index % width) as i32, (index / width) as i32);
        if image.is_set(x, y) && !image.is_set(x, y - 1) && !seen[index] {
            found.push(image.follow((x, y), &mut seen));
        }
    }
    found
}

struct Image<'a> {
    mask: &'a [u8],
    width: usize,
    height: usize,
}

/// East, south, west, north.
const AHEAD: [Corner; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// The cell on the left beyond a corner, as an offset from the corner, for each direction.
const LEFT: [Corner; 4] = [(0, -1), (0, 0), (-1, 0), (-1, -1)];
/// The cell on the right beyond it.
const RIGHT: [Corner; 4] = [(0, 0), (-1, 0), (-1, -1), (0, -1)];

impl Image<'_> {
    fn is_set(&self, x: i32, y: i32) -> bool {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
        inside && self.mask[y as usize * self.width + x as usize] != 0
    }

    /// Follows an outline eastwards from the upper left corner of a cell until it closes.
    fn follow(&self, start: Corner, seen: &mut [bool]) -> Vec<Corner> {
        let mut turns = Vec::new();
        let (mut at, mut direction) = (start, 0);
        loop {
            if direction == 0 {
                seen[at.1 as usize * self.width + at.0 as usize] = true;
            }
            at = (at.0 + AHEAD[direction].0, at.1 + AHEAD[direction].1);
            let beyond = |side: Corner| self.is_set(at.0 + side.0, at.1 + side.1);
            let next = if beyond(LEFT[direction]) {
                (direction + 3) % 4
            } else if beyond(RIGHT[direction]) {
                direction
            } else {
                (direction + 1) % 4
            };
            if next != direction {
                turns.push(at);
            }
            direction = next;
            if at == start && direction == 0 {
                return turns;
            }
        }
    }
}

/// A closed outline with fewer points, none of the others farther than `tolerance` from it (Douglas and
/// Peucker 1973), started at two corners that are far from each other: where it starts, a point always stays.
pub fn simplified(outline: &[Corner], tolerance: f64) -> Vec<Corner> {
    let Some(&first) = outline.first() else { return Vec::new() };
    let start = farthest(outline, first);
    let mut closed = outline.to_vec();
    closed.rotate_left(start);
    let first = closed[0];
    let far = farthest(&closed, first);
    closed.push(first);
    let mut kept = vec![false; closed.len()];
    let mut spans = vec![(0, far), (far, closed.len() - 1)];
    while let Some((from, to)) = spans.pop() {
        kept[from] = true;
        let off = |&index: &usize| distance(closed[index], closed[from], closed[to]);
        let worst = (from + 1..to).rev().max_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(worst) = worst.filter(|worst| off(worst) > tolerance) {
            spans.extend([(from, worst), (worst, to)]);
        }
    }
    closed.iter().zip(&kept).take(outline.len()).filter(|(_, kept)| **kept).map(|(&point, _)| point).collect()
}

/// Number of the point farthest from another, the first of equal ones.
fn farthest(outline: &[Corner], from: Corner) -> usize {
    let squared = |p: Corner| f64::from(p.0 - from.0).powi(2) + f64::from(p.1 - from.1).powi(2);
    let best = (0..outline.len()).rev().max_by(|&a, &b| squared(outline[a]).total_cmp(&squared(outline[b])));
    best.unwrap_or(0)
}

/// Distance of a point from a segment.
fn distance(point: Corner, from: Corner, to: Corner) -> f64 {
    let as_f64 = |p: Corner, q: Corner| (f64::from(p.0 - q.0), f64::from(p.1 - q.1));
    let ((dx, dy), (px, py)) = (as_f64(to, from), as_f64(point, from));
    let length = dx * dx + dy * dy;
    let ratio = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (px - ratio * dx).hypot(py - ratio * dy)
}

/// Angles in degrees on the side of the set cells at each point of a closed outline.
pub fn interior_angles_deg(outline: &[Corner]) -> Vec<f64> {
    let count = outline.len();
    let heading = |from: Corner, to: Corner| f64::from(to.1 - from.1).atan2(f64::from(to.0 - from.0));
    (0..count)
        .map(|k| {
            let (before, here, after) =
                (outline[(k + count - 1) % count], outline[k], outline[(k + 1) % count]);
            // Rows run down, so a positive change of heading is a turn to the right, towards the cells.
            let turn = (heading(here, after) - heading(before, here)).to_degrees();
            (180.0 - turn).rem_euclid(360.0)
        })
        .collect()
}

/// The set cells, by column and row, on the right of an outline just before and just after its turning point of this
/// number.
pub fn cells_beside(outline: &[Corner], number: usize) -> [Corner; 2] {
    let count = outline.len();
    let (before, here, after) =
        (outline[(number + count - 1) % count], outline[number], outline[(number + 1) % count]);
    let step = |from: Corner, to: Corner| ((to.0 - from.0).signum(), (to.1 - from.1).signum());
    // Where an edge begins: one step before the point, and the point itself.
    let (inwards, onwards) = (step(before, here), step(here, after));
    let right_of = |from: Corner, ahead: Corner| match ahead {
        (1, _) => from,
        (_, 1) => (from.0 - 1, from.1),
        (-1, _) => (from.0 - 1, from.1 - 1),
        _ => (from.0, from.1 - 1),
    };
    [right_of((here.0 - inwards.0, here.1 - inwards.1), inwards), right_of(here, onwards)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_beside_a_corner_are_set() {
        let rows = ["....", ".##.", ".#..", "...."];
        let cells: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter == b'#')).collect();
        for outline in outlines(&cells, 4, 4) {
            for number in 0..outline.len() {
                for (x, y) in cells_beside(&outline, number) {
                    assert_eq!(cells[y as usize * 4 + x as usize], 1, "{outline:?} at {number}: {x} {y}");
                }
            }
        }
        // The upper left corner: from the left cell of the upper row upwards, then along it.
        let outline = &outlines(&cells, 4, 4)[0];
        let number = outline.iter().position(|&corner| corner == (1, 1)).unwrap();
        assert_eq!(cells_beside(outline, number), [(1, 1), (1, 1)]);
    }

    fn drawn(rows: &[&str]) -> Vec<Vec<Corner>> {
        let cells: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter == b'#')).collect();
        outlines(&cells, rows[0].len(), rows.len())
    }

    #[test]
    fn a_cell_has_four_right_corners() {
        let found = drawn(&["...", ".#.", "..."]);
        assert_eq!(found, [[(2, 1), (2, 2), (1, 2), (1, 1)]]);
        assert_eq!(interior_angles_deg(&found[0]), [90.0; 4]);
    }

    #[test]
    fn cells_that_share_a_corner_have_one_outline() {
        assert_eq!(drawn(&["#.", ".#"]).len(), 1);
        assert_eq!(drawn(&["#.#"]).len(), 2);
    }

    #[test]
    fn a_ring_has_an_outer_and_an_inner_outline() {
        let found = drawn(&["###", "#.#", "###"]);
        assert_eq!(found.len(), 2);
        let angles: Vec<_> = found.iter().map(|outline| interior_angles_deg(outline)).collect();
        assert_eq!(angles, [vec![90.0; 4], vec![270.0; 4]]);
    }

    #[test]
    fn small_steps_vanish_and_corners_stay() {
        // A bar with a bump of one cell.
        let found = drawn(&["...#....", "########", "########", "########", "########"]);
        assert_eq!(simplified(&found[0], 1.5).len(), 4, "{:?}", simplified(&found[0], 1.5));
        assert_eq!(simplified(&found[0], 0.1).len(), 8);
        assert_eq!(simplified(&[], 1.0), []);
    }
}
