//! Length of a path over cells, counted exactly: straight and diagonal steps.

use std::f64::consts::SQRT_2;

/// Straight and diagonal steps of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Steps {
    /// Steps along a row or a column, of length 1.
    pub straight: u64,
    /// Steps over a corner, of length √2.
    pub diagonal: u64,
}

impl Steps {
    /// Length in cells, rounded once.
    pub fn length_cells(self) -> f64 {
        self.straight as f64 + self.diagonal as f64 * SQRT_2
    }

    /// The steps along a chain of neighbouring cells of a plane of this width.
    pub fn along(cells: &[u32], width: usize) -> Self {
        let mut steps = Self::default();
        for pair in cells.windows(2) {
            let (apart, first) = (pair[0].abs_diff(pair[1]) as usize, pair[0].min(pair[1]) as usize);
            // In a plane two cells wide, cells one apart may lie on a diagonal.
            if apart == width || apart == 1 && first % width != width - 1 {
                steps.straight += 1;
            } else {
                steps.diagonal += 1;
            }
        }
        steps
    }
}

impl std::ops::Add for Steps {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { straight: self.straight + other.straight, diagonal: self.diagonal + other.diagonal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knights_way_has_one_step_of_each_kind() {
        // Width 5: from (0,0) east to (0,1), then south-east to (1,2).
        let steps = Steps::along(&[0, 1, 7], 5);
        assert_eq!(steps, Steps { straight: 1, diagonal: 1 });
        assert_eq!((steps + steps).length_cells(), 2.0 + 2.0 * SQRT_2);
        assert_eq!(Steps::along(&[3], 5).length_cells(), 0.0);
    }

    #[test]
    fn a_diagonal_of_a_plane_two_cells_wide_is_seen() {
        assert_eq!(Steps::along(&[1, 2], 2), Steps { straight: 0, diagonal: 1 });
        assert_eq!(Steps::along(&[0, 1, 3], 2), Steps { straight: 2, diagonal: 0 });
    }

    #[test]
    fn a_column_of_a_plane_one_cell_wide_is_straight() {
        assert_eq!(Steps::along(&[0, 1, 2], 1), Steps { straight: 2, diagonal: 0 });
    }
}
