//! Lines of sight between the centres of two cells.

/// A cell by column and row, top row first.
pub type Place = (usize, usize);

/// Walks all cells that the segment between two cell centres passes through, the first one left out, until `stop`
/// is true of one of them. True if the walk reached the second cell without being stopped.
///
/// Where the segment passes exactly through a corner it is stopped only if both side cells stop it.
pub fn is_clear(from: Place, to: Place, stop: impl Fn(usize, usize) -> bool) -> bool {
    let (across, down) = (from.0.abs_diff(to.0) as i64, from.1.abs_diff(to.1) as i64);
    let step = |at: usize, towards: usize| if towards > at { at + 1 } else { at - 1 };
    let (mut x, mut y) = from;
    // Which border comes next: (1 + 2i) / across against (1 + 2j) / down, brought to one denominator.
    let mut lead = down - across;
    while (x, y) != to {
        if lead == 0 {
            let (next_x, next_y) = (step(x, to.0), step(y, to.1));
            if stop(next_x, y) && stop(x, next_y) {
                return false;
            }
            (x, y) = (next_x, next_y);
            lead += 2 * (down - across);
        } else if lead < 0 {
            x = step(x, to.0);
            lead += 2 * down;
        } else {
            y = step(y, to.1);
            lead -= 2 * across;
        }
        if stop(x, y) {
            return false;
        }
    }
    true
}

/// How far each cell is from the next one that stops a line of sight, so that long lines over open ground need few looks.
#[derive(Clone, Debug)]
pub struct Clearances {
    /// Chebyshev distance to the nearest cell that stops, at most 255; 0 for one that does.
    cells: Vec<u8>,
    width: usize,
}

/// From this distance on several cells are passed at once.
const MIN_LEAP: u8 = 4;

impl Clearances {
    /// Of a plane; cells of this byte stop lines of sight, the border of the plane does not.
    pub fn of(plane: &[u8], stopping: u8, width: usize) -> Self {
        let width = width.max(1);
        let mut cells: Vec<u8> =
            plane.iter().map(|&cell| if cell == stopping { 0 } else { u8::MAX }).collect();
        // One pass down with the neighbours above and to the left, one up with the others.
        for _ in 0..2 {
            let mut above = vec![u8::MAX; width];
            for row in cells.chunks_exact_mut(width) {
                let mut left = u8::MAX;
                for (x, cell) in row.iter_mut().enumerate() {
                    let corners = above[x.saturating_sub(1)].min(above[(x + 1).min(width - 1)]);
                    let nearest = left.min(above[x]).min(corners).saturating_add(1);
                    left = nearest.min(*cell);
                    *cell = left;
                }
                above.copy_from_slice(row);
            }
            cells.reverse();
        }
        Self { cells, width }
    }

    /// [`is_clear`] with cells that stop wherever the plane has them.
    ///
    /// A line of `across >= down` columns and rows that has just passed its i-th border between columns has passed as many
    /// borders between rows as there are odd numbers up to (2 i - 1) down / across.
    pub fn is_clear(&self, from: Place, to: Place) -> bool {
        let (across, down) = (from.0.abs_diff(to.0) as i64, from.1.abs_diff(to.1) as i64);
        let towards = |from: usize, to: usize| if to >= from { 1 } else { -1 };
        let (right, below) = (towards(from.0, to.0), towards(from.1, to.1));
        let at = |i: i64, j: i64| {
            let (x, y) = (from.0 as i64 + right * i, from.1 as i64 + below * j);
            self.cells[y as usize * self.width + x as usize]
        };
        let (mut i, mut j) = (0, 0);
        let mut clearance = at(0, 0);
        while (i, j) != (across, down) {
            if clearance >= MIN_LEAP {
                let leap = i64::from(clearance) - 1;
                if across >= down {
                    i = (i + leap).min(across);
                    j = j.max(((2 * i - 1) * down / across + 1) / 2);
                } else {
                    j = (j + leap).min(down);
                    i = i.max(((2 * j - 1) * across / down + 1) / 2);
                }
            } else {
                let lead = (1 + 2 * i) * down - (1 + 2 * j) * across;
                if lead == 0 && at(i + 1, j) == 0 && at(i, j + 1) == 0 {
                    return false;
                }
                (i, j) = (i + i64::from(lead <= 0), j + i64::from(lead >= 0));
            }
            clearance = at(i, j);
            if clearance == 0 {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaps_over_open_ground_see_what_single_steps_see() {
        let mut random = testkit::Random(29);
        let (width, height) = (70, 50);
        for share in [40, 200, 1000] {
            let plane: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(share) == 0)).collect();
            let clearances = Clearances::of(&plane, 1, width);
            let mut clear = 0;
            for _ in 0..20_000 {
                let mut place = || (random.below(width), random.below(height));
                let (from, to) = (place(), place());
                let expected = is_clear(from, to, |x, y| plane[y * width + x] == 1);
                assert_eq!(clearances.is_clear(from, to), expected, "{from:?} {to:?}");
                clear += usize::from(expected);
            }
            assert!((500..20_000).contains(&clear), "{clear}");
        }
    }

    #[test]
    fn clearances_are_distances_to_the_next_stop() {
        let clearances = Clearances::of(&[0, 0, 0, 1, 0, 0, 0, 0, 0, 0], 1, 5);
        assert_eq!(clearances.cells, [3, 2, 1, 0, 1, 3, 2, 1, 1, 1]);
        assert_eq!(Clearances::of(&[0, 0], 1, 2).cells, [255, 255]);
        assert!(Clearances::of(&[0, 0], 1, 2).is_clear((0, 0), (1, 0)));
    }

    const ROOMS: [&str; 7] = [
        "###########",
        "#....#....#",
        "#....#....#",
        "#.........#",
        "#....#....#",
        "#....#....#",
        "###########",
    ];

    /// Cells as (row, column), as the example gives them.
    fn visible(rows: &[&str], (row, column): (usize, usize), (to_row, to_column): (usize, usize)) -> bool {
        is_clear((column, row), (to_column, to_row), |x, y| rows[y].as_bytes()[x] == b'#')
    }

    #[test]
    fn r_room_e4_sight_through_a_door() {
        assert!(!visible(&ROOMS, (1, 1), (1, 9)));
        assert!(visible(&ROOMS, (3, 1), (3, 9)));
        assert!(visible(&ROOMS, (1, 1), (5, 9)), "through the middle of the door");
    }

    #[test]
    fn a_corner_blocks_only_with_walls_on_both_sides() {
        assert!(visible(&[".#", ".."], (0, 0), (1, 1)));
        assert!(!visible(&[".#", "#."], (0, 0), (1, 1)));
    }

    #[test]
    fn sight_is_symmetric() {
        let free: Vec<_> = (0..7)
            .flat_map(|y| (0..11).map(move |x| (y, x)))
            .filter(|&(y, x)| ROOMS[y].as_bytes()[x] == b'.')
            .collect();
        for &a in &free {
            for &b in &free {
                assert_eq!(visible(&ROOMS, a, b), visible(&ROOMS, b, a), "{a:?} {b:?}");
            }
        }
    }
}
