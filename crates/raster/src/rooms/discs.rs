//! How much room there is around each cell: the largest disc without a wall that covers it.

/// Squared radius, in cells, of the largest disc of open cells that covers each open cell; 0 for walls.
///
/// Discs are painted from the largest to the smallest, and each cell once: a row remembers its next cell without paint. So
/// the work is linear in the cells and in the rows of the discs.
pub(super) fn disc_radii_squared(clearance_squared: &[u32], width: usize) -> Vec<u32> {
    let height = clearance_squared.len() / width.max(1);
    let mut centres: Vec<usize> = (0..clearance_squared.len())
        .filter(|&cell| is_centre(cell, clearance_squared, width, height))
        .collect();
    centres.sort_by_key(|&cell| (std::cmp::Reverse(clearance_squared[cell]), cell));
    let mut painted =
        Painted { radii: vec![0; clearance_squared.len()], next: (0..=clearance_squared.len()).collect() };
    for centre in centres {
        painted.disc(centre, clearance_squared[centre], width, height);
    }
    // A cell that rounding left without a disc has its own.
    for (radius, &own) in painted.radii.iter_mut().zip(clearance_squared) {
        *radius = if own == 0 { 0 } else { (*radius).max(own) };
    }
    painted.radii
}

/// Whether the disc around an open cell lies in that of no neighbour.
fn is_centre(cell: usize, squared: &[u32], width: usize, height: usize) -> bool {
    let radius = f64::from(squared[cell]).sqrt();
    let (column, row) = (cell % width, cell / width);
    let rows = row.saturating_sub(1)..=(row + 1).min(height - 1);
    let is_inside = |x: usize, y: usize| {
        let apart = ((x.abs_diff(column) + y.abs_diff(row)) as f64).sqrt();
        apart > 0.0 && f64::from(squared[y * width + x]).sqrt() >= radius + apart - 1e-6
    };
    let columns = column.saturating_sub(1)..=(column + 1).min(width - 1);
    squared[cell] > 0 && !rows.into_iter().any(|y| columns.clone().any(|x| is_inside(x, y)))
}

struct Painted {
    radii: Vec<u32>,
    /// From each cell on, the next without paint; paths are halved as they are walked.
    next: Vec<usize>,
}

impl Painted {
    fn disc(&mut self, centre: usize, radius_squared: u32, width: usize, height: usize) {
        let (column, row) = (centre % width, centre / width);
        let radius = (radius_squared - 1).isqrt() as usize;
        for y in row.saturating_sub(radius)..=(row + radius).min(height - 1) {
            // Strictly inside the disc: x² + y² < r².
            let half = (radius_squared - 1 - (y.abs_diff(row) as u32).pow(2)).isqrt() as usize;
            let last = y * width + (column + half).min(width - 1);
            let mut cell = self.unpainted_from(y * width + column.saturating_sub(half));
            while cell <= last {
                self.radii[cell] = radius_squared;
                self.next[cell] = cell + 1;
                cell = self.unpainted_from(cell);
            }
        }
    }

    fn unpainted_from(&mut self, mut cell: usize) -> usize {
        while self.next[cell] != cell {
            self.next[cell] = self.next[self.next[cell]];
            cell = self.next[cell];
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::watershed::squared_clearances;

    fn radii(rows: &[&str]) -> Vec<u32> {
        let plane: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).map(|c| u8::from(c == b'#')).collect();
        disc_radii_squared(&squared_clearances(&plane, rows[0].len()).unwrap(), rows[0].len())
    }

    #[test]
    fn a_corridor_beside_a_room_has_the_width_of_its_own() {
        // The middle of the room is 3 cells from the walls, the corridor 1.
        let found = radii(&[
            "#########",
            "#.....###",
            "#.....###",
            "#........",
            "#.....###",
            "#.....###",
            "#########",
        ]);
        assert_eq!(found[3 * 9 + 3], 9, "the middle");
        assert_eq!(found[3 * 9 + 1], 9, "the disc reaches the walls");
        assert_eq!(found[9 + 1], 9, "the corner: 2² + 2² < 3²");
        assert_eq!(found[3 * 9 + 7], 1, "the corridor");
        assert_eq!(found[0], 0, "a wall");
    }

    #[test]
    fn equals_the_largest_disc_found_by_trying_all() {
        let mut random = testkit::Random(11);
        for _ in 0..20 {
            let (width, height) = (13, 9);
            let plane: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(9) == 0)).collect();
            let squared = squared_clearances(&plane, width).unwrap();
            let covers = |centre: usize, cell: usize| {
                let (x, y) =
                    ((centre % width).abs_diff(cell % width), (centre / width).abs_diff(cell / width));
                ((x * x + y * y) as u32) < squared[centre]
            };
            let slow: Vec<u32> = (0..plane.len())
                .map(|cell| {
                    (0..plane.len()).filter(|&c| covers(c, cell)).map(|c| squared[c]).max().unwrap_or(0)
                })
                .collect();
            assert_eq!(disc_radii_squared(&squared, width), slow);
        }
    }
}
