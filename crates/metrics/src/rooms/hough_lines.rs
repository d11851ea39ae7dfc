//! Straight lines of walls by the Hough transform (Hough 1962; Duda and Hart 1972), the longest first.
//!
//! Every wall cell votes for the lines through it, in steps of one degree and about one cell. The line with most votes is
//! taken, its cells lose their votes, and so on until no line has enough.

use std::f64::consts::PI;

use model::{CellClass, Grid};

/// A line x cos θ + y sin θ = ρ, rows down, and the middle of its wall cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallLine {
    /// Direction of the normal, 0 to pi.
    pub theta_rad: f64,
    /// Column and row of the middle of its cells.
    pub middle: [f64; 2],
    /// Wall cells on it.
    pub cells: usize,
}

impl WallLine {
    /// Distance of the middle of this line from another line, cells.
    #[must_use]
    pub fn distance_cells(&self, other: &Self) -> f64 {
        let (sin, cos) = other.theta_rad.sin_cos();
        ((self.middle[0] - other.middle[0]) * cos + (self.middle[1] - other.middle[1]) * sin).abs()
    }

    /// Angle between two lines, 0 to pi/2.
    #[must_use]
    pub fn angle_rad(&self, other: &Self) -> f64 {
        let apart = (self.theta_rad - other.theta_rad).abs();
        apart.min(PI - apart)
    }
}

const ANGLES: usize = 180;
/// Wall cells this near to a line, in bins, belong to it.
const NEAR_BINS: f64 = 1.5;
/// Bins along ρ: larger maps have larger bins.
const MAX_BINS: f64 = 4000.0;
/// No more lines are looked for.
const MAX_LINES: usize = 200;

/// The lines of a map with at least so many wall cells.
#[must_use]
pub fn hough_lines(grid: &Grid, min_cells: usize) -> Vec<WallLine> {
    let width = grid.geometry().width();
    let diagonal = (width as f64).hypot(grid.geometry().height() as f64);
    let walls = grid.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Occupied);
    let mut walls: Vec<[f64; 2]> =
        walls.map(|(index, _)| [(index % width) as f64 + 0.5, (index / width) as f64 + 0.5]).collect();
    let mut votes = Votes::new(diagonal);
    walls.iter().for_each(|&wall| votes.change(wall, |count| *count += 1));
    let mut lines = Vec::new();
    while lines.len() < MAX_LINES {
        let Some((theta_rad, rho)) = votes.strongest(min_cells.max(2)) else { break };
        let (sin, cos) = theta_rad.sin_cos();
        let is_near = |[x, y]: &[f64; 2]| (x * cos + y * sin - rho).abs() <= NEAR_BINS * votes.bin_cells;
        let (on_line, rest): (Vec<_>, Vec<_>) = walls.into_iter().partition(is_near);
        on_line.iter().for_each(|&wall| votes.change(wall, |count| *count -= 1));
        walls = rest;
        let count = on_line.len();
        let sum = on_line.iter().fold([0.0, 0.0], |s, wall| [s[0] + wall[0], s[1] + wall[1]]);
        let middle = sum.map(|value| value / count.max(1) as f64);
        lines.push(WallLine { theta_rad, middle, cells: count });
    }
    lines
}

struct Votes {
    counts: Vec<u32>,
    bins: usize,
    bin_cells: f64,
    /// (cos, sin) of each angle.
    normals: Vec<(f64, f64)>,
    diagonal: f64,
}

impl Votes {
    fn new(diagonal: f64) -> Self {
        let bin_cells = (2.0 * diagonal / MAX_BINS).max(1.0);
        let bins = (2.0 * diagonal / bin_cells).ceil() as usize + 2;
        let normals = (0..ANGLES).map(|angle| (angle as f64 * PI / ANGLES as f64).sin_cos());
        let normals = normals.map(|(sin, cos)| (cos, sin)).collect();
        Self { counts: vec![0; ANGLES * bins], bins, bin_cells, normals, diagonal }
    }

    fn change(&mut self, [x, y]: [f64; 2], by: impl Fn(&mut u32)) {
        for (angle, (cos, sin)) in self.normals.iter().enumerate() {
            let bin = ((x * cos + y * sin + self.diagonal) / self.bin_cells) as usize;
            by(&mut self.counts[angle * self.bins + bin.min(self.bins - 1)]);
        }
    }

    /// The line with most votes, at least so many: angle and ρ of the middle of its bin; of equals the first.
    fn strongest(&self, min_votes: usize) -> Option<(f64, f64)> {
        let mut best: Option<(usize, u32)> = None;
        for (index, &count) in self.counts.iter().enumerate() {
            if count as usize >= min_votes && best.is_none_or(|(_, most)| count > most) {
                best = Some((index, count));
            }
        }
        let (angle, bin) = best.map(|(index, _)| (index / self.bins, index % self.bins))?;
        Some((angle as f64 * PI / ANGLES as f64, (bin as f64 + 0.5) * self.bin_cells - self.diagonal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_has_the_lines_of_its_four_walls() {
        let rows: Vec<String> = (0..20)
            .map(|y| {
                (0..30).map(|x| if x == 2 || x == 27 || y == 3 || y == 16 { '#' } else { '.' }).collect()
            })
            .collect();
        let lines = hough_lines(&testkit::grid(&rows), 10);
        assert_eq!(lines.len(), 4, "{lines:?}");
        let places: Vec<(f64, f64)> =
            lines.iter().map(|line| (line.theta_rad.to_degrees(), line.middle[1])).collect();
        assert_eq!((places[0].0, places[1].0), (90.0, 90.0), "the long ones first: {places:?}");
        assert!((places[0].1 - places[1].1).abs() > 12.0);
        assert!((lines[0].distance_cells(&lines[1]) - 13.0).abs() < 0.6);
        assert!((lines[0].angle_rad(&lines[2]) - PI / 2.0).abs() < 1e-9);
    }

    #[test]
    fn maps_without_walls_have_no_lines() {
        assert!(hough_lines(&testkit::grid(["...", "???"]), 1).is_empty());
    }
}
