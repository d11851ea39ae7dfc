//! The borders of labelled regions: closed walks along the edges of their cells.
//!
//! A walk keeps its region on the right hand. Where two cells of a region touch at a corner only, the walk stays with
//! its own cell, so regions count as connected along edges.

/// One edge of a border, seen from the cell of the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderEdge {
    /// The cell inside, in image order.
    pub cell: usize,
    /// Which of its sides the border runs along.
    pub side: Side,
}

impl BorderEdge {
    /// The cell on the other side; none beyond the plane.
    pub fn across(self, width: usize, height: usize) -> Option<usize> {
        let (right, down) = self.side.across();
        let x = (self.cell % width).checked_add_signed(right).filter(|&x| x < width)?;
        let y = (self.cell / width).checked_add_signed(down).filter(|&y| y < height)?;
        Some(y * width + x)
    }
}

/// A side of a cell, in the order in which a walk around it meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The upper side, walked to the right.
    Top,
    /// The right side, walked down.
    Right,
    /// The lower side, walked to the left.
    Bottom,
    /// The left side, walked up.
    Left,
}

impl Side {
    const ALL: [Self; 4] = [Self::Top, Self::Right, Self::Bottom, Self::Left];

    const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % 4]
    }

    const fn previous(self) -> Self {
        Self::ALL[(self as usize + 3) % 4]
    }

    /// Column and row steps to the cell across this side.
    const fn across(self) -> (isize, isize) {
        match self {
            Self::Top => (0, -1),
            Self::Right => (1, 0),
            Self::Bottom => (0, 1),
            Self::Left => (-1, 0),
        }
    }
}

/// A closed border of one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Border {
    /// Label of the region.
    pub label: u32,
    /// Its edges in walking order, from the region's first cell (in image order) on this border.
    pub edges: Vec<BorderEdge>,
}

impl Border {
    /// The corners where the walk turns, in cells from the upper left corner of the plane (column, row down).
    pub fn corners(&self, width: usize) -> Vec<(usize, usize)> {
        let before = self.edges.iter().cycle().skip(self.edges.len().saturating_sub(1));
        let turns = before.zip(&self.edges).filter(|(before, edge)| before.side != edge.side);
        turns.map(|(_, edge)| start_of(*edge, width)).collect()
    }
}

/// Corner where the walk along an edge starts.
const fn start_of(edge: BorderEdge, width: usize) -> (usize, usize) {
    let (x, y) = (edge.cell % width, edge.cell / width);
    match edge.side {
        Side::Top => (x, y),
        Side::Right => (x + 1, y),
        Side::Bottom => (x + 1, y + 1),
        Side::Left => (x, y + 1),
    }
}

/// Every border of every region with a label other than 0, outer ones and those of holes, by their first cell.
///
/// # Panics
/// The plane does not have `width * height` labels.
pub fn borders(labels: &[u32], width: usize, height: usize) -> Vec<Border> {
    assert_eq!(labels.len(), width * height, "plane of another size");
    let plane = Plane { labels, width, height };
    let mut walked = vec![0_u8; labels.len()];
    let mut found = Vec::new();
    let mut is_inside = vec![0; width];
    for row in 0..height {
        plane.mark_inside(row, &mut is_inside);
        for column in (0..width).filter(|&column| is_inside[column] == 0) {
            let cell = row * width + column;
            for side in Side::ALL.into_iter().filter(|_| labels[cell] != 0) {
                let edge = BorderEdge { cell, side };
                if walked[cell] & bit(side) == 0 && !plane.continues(cell, side) {
                    found.push(Border { label: labels[cell], edges: plane.walk(edge, &mut walked) });
                }
            }
        }
    }
    found
}

const fn bit(side: Side) -> u8 {
    1 << side as u8
}

struct Plane<'a> {
    labels: &'a [u32],
    width: usize,
    height: usize,
}

impl Plane<'_> {
    /// The cell across a side, if it belongs to the same region.
    fn same_at(&self, cell: usize, side: Side) -> Option<usize> {
        // A column costs a division, and is asked for only where the row does not tell.
        let there = match side {
            Side::Top => cell.checked_sub(self.width)?,
            Side::Right => Some(cell + 1).filter(|next| !next.is_multiple_of(self.width))?,
            Side::Bottom => cell + self.width,
            Side::Left => (!cell.is_multiple_of(self.width)).then(|| cell - 1)?,
        };
        (self.labels.get(there) == Some(&self.labels[cell])).then_some(there)
    }

    /// Marks the cells of a row that have no edge of a border by 1: those whose four neighbours belong to their region, or
    /// to none like themselves. No branch, so that a row is compared many cells at a time.
    fn mark_inside(&self, row: usize, is_inside: &mut [u8]) {
        let width = self.width;
        is_inside.fill(0);
        let of_row = |row: usize| &self.labels[row * width..][..width];
        if row == 0 || row + 1 == self.height || width < 3 {
            return;
        }
        let (above, here, below) = (of_row(row - 1), of_row(row), of_row(row + 1));
        let around = above[1..].iter().zip(&below[1..]).zip(here).zip(&here[2..]);
        let marks = is_inside[1..].iter_mut().zip(&here[1..]);
        for ((mark, cell), (((above, below), left), right)) in marks.zip(around) {
            *mark = u8::from((above == cell) & (below == cell) & (left == cell) & (right == cell));
        }
    }

    fn continues(&self, cell: usize, side: Side) -> bool {
        self.same_at(cell, side).is_some()
    }

    fn walk(&self, first: BorderEdge, walked: &mut [u8]) -> Vec<BorderEdge> {
        let mut edges = Vec::new();
        let mut edge = first;
        loop {
            walked[edge.cell] |= bit(edge.side);
            edges.push(edge);
            edge = self.after(edge);
            if edge == first {
                return edges;
            }
        }
    }

    /// Right if the cell ahead is foreign, left if the cell ahead on the left is our own, else straight on.
    fn after(&self, edge: BorderEdge) -> BorderEdge {
        // Walking along a side leads towards the cell across the next side.
        let Some(front) = self.same_at(edge.cell, edge.side.next()) else {
            return BorderEdge { cell: edge.cell, side: edge.side.next() };
        };
        match self.same_at(front, edge.side) {
            Some(front_left) => BorderEdge { cell: front_left, side: edge.side.previous() },
            None => BorderEdge { cell: front, side: edge.side },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(rows: &[&str]) -> (Vec<u32>, usize, usize) {
        let cells = rows.iter().flat_map(|row| row.bytes()).map(|b| u32::from(b.saturating_sub(b'0')));
        (cells.map(|v| if v > 9 { 0 } else { v }).collect(), rows[0].len(), rows.len())
    }

    fn corners(rows: &[&str]) -> Vec<(u32, Vec<(usize, usize)>)> {
        let (plane, width, height) = labels(rows);
        borders(&plane, width, height).iter().map(|b| (b.label, b.corners(width))).collect()
    }

    #[test]
    fn a_rectangle_has_four_corners() {
        assert_eq!(corners(&["00000", "01110", "01110"]), [(1, vec![(1, 1), (4, 1), (4, 3), (1, 3)])]);
    }

    #[test]
    fn a_hole_has_a_border_of_its_own_that_runs_the_other_way() {
        let found = corners(&["111", "101", "111"]);
        assert_eq!(found[0], (1, vec![(0, 0), (3, 0), (3, 3), (0, 3)]));
        let area = |ring: &[(usize, usize)]| {
            let next = ring.iter().cycle().skip(1);
            ring.iter().zip(next).map(|(a, b)| (a.0 * b.1) as i64 - (b.0 * a.1) as i64).sum::<i64>() / 2
        };
        assert_eq!((area(&found[0].1), area(&found[1].1)), (9, -1));
    }

    #[test]
    fn cells_that_touch_at_a_corner_have_borders_of_their_own() {
        assert_eq!(corners(&["10", "01"]).len(), 2);
        assert_eq!(corners(&["12"]).len(), 2, "regions side by side");
    }

    #[test]
    fn every_edge_is_walked_once() {
        let (plane, width, height) = labels(&["1101", "0111", "1100", "1012"]);
        let edges: usize = borders(&plane, width, height).iter().map(|b| b.edges.len()).sum();
        let across = |cell: usize, side: Side| Plane { labels: &plane, width, height }.continues(cell, side);
        let counted = (0..plane.len())
            .filter(|&cell| plane[cell] != 0)
            .flat_map(|cell| Side::ALL.map(|side| (cell, side)))
            .filter(|(cell, side)| !across(*cell, *side))
            .count();
        assert_eq!(edges, counted);
    }
}
