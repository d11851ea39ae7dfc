//! Control points: open cells along the walls, every so many cells of the border.

use std::f64::consts::SQRT_2;

use super::obstacles::{BLOCKED, OPEN};
use crate::outline::{Border, BorderEdge, borders};

/// What lies beyond the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Blocked,
    Open,
}

/// The borders along which control points stand.
pub(super) struct Borders<'a> {
    borders: Vec<Border>,
    blocked: &'a [u8],
    width: usize,
    beyond: Beyond,
}

impl<'a> Borders<'a> {
    /// `inside` marks the cells that may be control points, `blocked` the walls.
    pub(super) fn of(inside: &[u8], blocked: &'a [u8], width: usize, beyond: Beyond) -> Self {
        let labels: Vec<u32> = inside.iter().map(|&cell| u32::from(cell == OPEN)).collect();
        let borders = borders(&labels, width, inside.len() / width.max(1));
        Self { borders, blocked, width, beyond }
    }

    /// Cells (in image order) of the control points, border by border, each once. The first of each border is its first
    /// cell in image order that touches a wall.
    pub(super) fn points(&self, spacing_cells: f64) -> Vec<usize> {
        let mut is_taken = vec![false; self.blocked.len()];
        let mut points = Vec::new();
        for border in &self.borders {
            for cell in along(border, self.blocked, self.width, spacing_cells, self.beyond) {
                if !std::mem::replace(&mut is_taken[cell], true) {
                    points.push(cell);
                }
            }
        }
        points
    }
}

/// The cells of one border that touch a wall and lie the spacing apart, measured along the border.
fn along(border: &Border, blocked: &[u8], width: usize, spacing_cells: f64, beyond: Beyond) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut walked_cells = f64::INFINITY;
    let mut last = None;
    for &edge in &border.edges {
        if let Some(last) = last.replace(edge.cell) {
            walked_cells += distance_cells(last, edge.cell, width);
        }
        if walked_cells >= spacing_cells && touches_wall(edge, blocked, width, beyond) {
            walked_cells = 0.0;
            chosen.push(edge.cell);
        }
    }
    chosen
}

/// Distance of two cells that follow each other along a border: the same, one beside or one across a corner.
fn distance_cells(a: usize, b: usize, width: usize) -> f64 {
    match a.abs_diff(b) {
        0 => 0.0,
        // In a plane of two columns the cell across a corner may be one further on.
        1 if a / width == b / width => 1.0,
        rows if rows == width => 1.0,
        _ => SQRT_2,
    }
}

fn touches_wall(edge: BorderEdge, blocked: &[u8], width: usize, beyond: Beyond) -> bool {
    let across = edge.across(width, blocked.len() / width);
    across.map_or(beyond == Beyond::Blocked, |across| blocked[across] == BLOCKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rows: &[&str], spacing_cells: f64) -> usize {
        let plane: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).map(|c| u8::from(c == b'#')).collect();
        Borders::of(&plane, &plane, rows[0].len(), Beyond::Blocked).points(spacing_cells).len()
    }

    #[test]
    fn r_room_examples_have_their_numbers_of_points() {
        let e1 = [
            "###########",
            "#....#....#",
            "#....#....#",
            "#.........#",
            "#....#....#",
            "#....#....#",
            "###########",
        ];
        assert_eq!(points(&e1, 1.0), 27);
        assert_eq!(points(&["#########", "#.......#", "#.......#", "#########"], 1.0), 14);
        assert_eq!(points(&["#########", "#...#...#", "#...#...#", "#...#...#", "#########"], 1.0), 16);
        assert_eq!(points(&["#########", "#...#...#", "#.......#", "#...#...#", "#########"], 1.0), 15);
    }

    #[test]
    fn spacing_thins_them_out() {
        // The border of 7 x 2 cells is a walk of 14 cells.
        assert_eq!(points(&["#########", "#.......#", "#.......#", "#########"], 3.0), 5);
    }

    #[test]
    fn the_border_of_the_plane_is_a_wall_if_told() {
        let points = |beyond| Borders::of(&[0, 0], &[0, 0], 2, beyond).points(1.0);
        assert_eq!((points(Beyond::Blocked).len(), points(Beyond::Open).len()), (2, 0));
    }
}
