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

#[cfg(test)]
mod tests {
    use super::*;

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
