//! What several maps on the same cells agree on.
//!
//! A cell that some map calls a wall is one if most of the maps that know the cell have a wall there or beside it:
//! maps of one place never agree to the cell. Other cells are free if most of those that know them say so.

use crate::dilation::dilated;

/// Class bytes: 0 free, 1 unknown, 2 occupied.
const FREE: u8 = 0;
const UNKNOWN: u8 = 1;
const OCCUPIED: u8 = 2;

/// Votes of several maps, cell by cell.
#[derive(Clone, Debug)]
pub struct Votes {
    planes: Vec<Plane>,
    cells: usize,
}

#[derive(Clone, Debug)]
struct Plane {
    classes: Vec<u8>,
    near_wall: Vec<u8>,
}

impl Votes {
    /// Votes of planes of equal size.
    ///
    /// # Panics
    /// Planes of unequal size, or of no whole number of rows.
    pub fn of<'a>(planes: impl IntoIterator<Item = &'a [u8]>, width: usize) -> Self {
        let plane = |classes: &[u8]| {
            let walls: Vec<u8> = classes.iter().map(|&class| u8::from(class == OCCUPIED)).collect();
            Plane { classes: classes.to_vec(), near_wall: dilated(&walls, width, 1) }
        };
        let planes: Vec<Plane> = planes.into_iter().map(plane).collect();
        let cells = planes.first().map_or(0, |plane| plane.classes.len());
        assert!(planes.iter().all(|plane| plane.classes.len() == cells), "planes of unequal size");
        Self { planes, cells }
    }

    /// What most maps say, one of them left out if asked for.
    pub fn majority(&self, left_out: Option<usize>) -> Vec<u8> {
        let voters: Vec<&Plane> = (0..)
            .zip(&self.planes)
            .filter(|(number, _)| Some(*number) != left_out)
            .map(|(_, plane)| plane)
            .collect();
        let class = |cell: usize| {
            let (mut known, mut walls, mut near) = (0, 0, 0);
            for plane in &voters {
                known += u32::from(plane.classes[cell] != UNKNOWN);
                walls += u32::from(plane.classes[cell] == OCCUPIED);
                near += u32::from(plane.classes[cell] != UNKNOWN && plane.near_wall[cell] != 0);
            }
            let free = known - walls;
            match known {
                0 => UNKNOWN,
                _ if walls > 0 && 2 * near > known => OCCUPIED,
                _ if 2 * free > known => FREE,
                _ => UNKNOWN,
            }
        };
        (0..self.cells).map(class).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(text: &str) -> Vec<u8> {
        text.bytes()
            .map(|letter| [b'.', b'?', b'#'].iter().position(|&l| l == letter).unwrap() as u8)
            .collect()
    }

    fn majority(rows: &[&str], left_out: Option<usize>) -> String {
        let planes: Vec<Vec<u8>> = rows.iter().map(|row| plane(row)).collect();
        let votes = Votes::of(planes.iter().map(Vec::as_slice), rows[0].len());
        votes.majority(left_out).iter().map(|&class| ['.', '?', '#'][class as usize]).collect()
    }

    #[test]
    fn most_maps_decide_and_a_wall_may_be_one_cell_off() {
        // Column 1: a wall in two maps, in the third one cell beside; column 5: a wall in one map of three.
        assert_eq!(majority(&[".#...#?", ".#....?", "..#...?"], None), ".##...?");
        assert_eq!(majority(&["...#...", ".......", "......."], None), ".......");
    }

    #[test]
    fn who_does_not_know_does_not_vote() {
        assert_eq!(majority(&["#....", "?????", "?????"], None), "#....");
        assert_eq!(majority(&["#....", ".....", "?????"], None), "?....", "one against one");
    }

    #[test]
    fn one_map_is_left_out() {
        assert_eq!(majority(&["#....", "#....", "....."], Some(2)), "#....");
        assert_eq!(majority(&["#....", ".....", "....."], Some(0)), ".....");
    }
}
