//! Lower envelope of the parabolas of one row: the second dimension of the Euclidean transform in a time
//! linear in the width.
//!
//! Paper: Meijster, Roerdink, Hesselink 2000, "A general algorithm for computing distance transforms in
//! linear time", section 2.2; integers throughout.

use crate::nearness::Nearness;

/// Buffers for the envelope of one row.
pub(crate) struct LowerEnvelope {
    pieces: Vec<Piece>,
}

/// A stretch of the row where one parabola is the lowest.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Column of the vertex.
    column: i64,
    /// Height of the vertex: the squared distance along that column.
    height: i64,
    /// First column of the stretch.
    from: i64,
}

impl Piece {
    fn at(&self, x: i64) -> i64 {
        (x - self.column) * (x - self.column) + self.height
    }

    /// Last column where this piece is not above a parabola with a vertex further right.
    fn last_before(&self, column: i64, height: i64) -> i64 {
        let rise = column * column - self.column * self.column + height - self.height;
        rise.div_euclid(2 * (column - self.column))
    }
}

impl LowerEnvelope {
    pub fn new(width: usize) -> Self {
        Self { pieces: Vec::with_capacity(width) }
    }

    /// Squared distances of a row from its column nearness; at least one column must have a cell.
    pub fn squared_distances(&mut self, nearness: &[u16], squared: &mut [u32]) {
        let width = nearness.len() as i64;
        self.pieces.clear();
        for (column, &near) in (0_i64..).zip(nearness) {
            if near > 0 {
                let distance = i64::from(near.distance());
                self.add(column, distance * distance, width);
            }
        }
        let mut end = width;
        for piece in self.pieces.iter().rev() {
            for x in piece.from..end {
                squared[x as usize] = piece.at(x) as u32;
            }
            end = piece.from;
        }
    }

    /// Adds a parabola whose vertex is right of all before.
    fn add(&mut self, column: i64, height: i64, width: i64) {
        let lowest_there = |piece: &Piece| (piece.from - column).pow(2) + height < piece.at(piece.from);
        while self.pieces.pop_if(|piece| lowest_there(piece)).is_some() {}
        let from = self.pieces.last().map_or(0, |piece| piece.last_before(column, height) + 1);
        if from < width {
            self.pieces.push(Piece { column, height, from });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_parabolas_meet_in_the_middle() {
        let near = |distance: u16| u16::MAX - distance;
        let mut squared = [0; 5];
        LowerEnvelope::new(5).squared_distances(&[near(0), 0, 0, 0, near(1)], &mut squared);
        // From the left 0 1 4 9 16, from the right 17 10 5 2 1.
        assert_eq!(squared, [0, 1, 4, 2, 1]);
    }

    #[test]
    fn a_column_without_a_cell_is_no_vertex() {
        let mut squared = [0; 3];
        LowerEnvelope::new(3).squared_distances(&[0, u16::MAX, 0], &mut squared);
        assert_eq!(squared, [1, 0, 1]);
    }
}
