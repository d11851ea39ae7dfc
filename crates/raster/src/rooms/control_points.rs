//! Control points: open cells along the walls, every so many cells of the border.

use super::obstacles::{BLOCKED, OPEN};
use crate::outline::{Border, BorderEdge, borders};

/// What lies beyond the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Blocked,
    Open,
}

/// Cells (in image order) of the control points, border by border, each once.
///
/// `inside` marks the cells that may be control points, `blocked` the walls. The first of each border is its first
/// cell in image order that touches a wall.
pub(super) fn control_points(
    inside: &[u8],
    blocked: &[u8],
    width: usize,
    spacing_cells: f64,
    beyond: Beyond,
) -> Vec<usize> {
    let labels: Vec<u32> = inside.iter().map(|&cell| u32::from(cell == OPEN)).collect();
    let mut is_taken = vec![false; inside.len()];
    let mut points = Vec::new();
    for border in borders(&labels, width, inside.len() / width.max(1)) {
        for cell in along(&border, blocked, width, spacing_cells, beyond) {
            if !std::mem::replace(&mut is_taken[cell], true) {
                points.push(cell);
            }
        }
    }
    points
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

fn distance_cells(a: usize, b: usize, width: usize) -> f64 {
    let (right, down) = ((a % width).abs_diff(b % width), (a / width).abs_diff(b / width));
    (right as f64).hypot(down as f64)
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
        control_points(&plane, &plane, rows[0].len(), spacing_cells, Beyond::Blocked).len()
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
        assert_eq!(control_points(&[0, 0], &[0, 0], 2, 1.0, Beyond::Blocked).len(), 2);
        assert!(control_points(&[0, 0], &[0, 0], 2, 1.0, Beyond::Open).is_empty());
    }
}
