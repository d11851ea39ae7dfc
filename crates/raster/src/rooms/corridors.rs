//! Passes that are corridors: long for their width.

/// Directions in half a turn in which a pass is looked through.
const DIRECTIONS: u32 = 32;
/// A pass ends where the distance to the walls exceeds its own by this factor: beside a thin wall after 0.57 times that
/// distance.
const WIDER: f64 = 1.15;
/// A pass longer than this many of its widths is a corridor; with 1.5 and 3 the plans have the same rooms.
const MIN_WIDTHS: f64 = 2.0;
/// A look along it that comes nearer to a wall than this share of its distance leaves it.
const MIN_CLEARANCE: f64 = 0.5;

/// Whether a pass, of which the highest cell and its distance to the walls are given, is a corridor. One that bends out of
/// sight is.
pub(super) fn is_corridor(squared: &[u32], width: usize, cell: usize, half_width_cells: f64) -> bool {
    let height = squared.len() / width.max(1);
    let (x, y) = ((cell % width) as f64, (cell / width) as f64);
    let clearance = |sin_cos: (f64, f64), away: f64| {
        let (column, row) = ((x + sin_cos.1 * away).round(), (y + sin_cos.0 * away).round());
        let is_inside = column >= 0.0 && row >= 0.0 && column < width as f64 && row < height as f64;
        let squared = if is_inside { squared[row as usize * width + column as usize] } else { 0 };
        f64::from(squared).sqrt()
    };
    let both_sides =
        |sin_cos| clearance(sin_cos, half_width_cells).min(clearance(sin_cos, -half_width_cells));
    let directions = (0..DIRECTIONS)
        .map(|index| (std::f64::consts::PI * f64::from(index) / f64::from(DIRECTIONS)).sin_cos());
    let along = directions.max_by(|&a, &b| both_sides(a).total_cmp(&both_sides(b)));
    let max_cells = MIN_WIDTHS * 2.0 * half_width_cells;
    let to_end = |sense: f64| {
        let mut aways = (1..=max_cells as u32).map(f64::from);
        let (end, seen) = aways.find_map(|away| {
            let seen = clearance(along?, sense * away) / half_width_cells;
            (!(MIN_CLEARANCE..WIDER).contains(&seen)).then_some((away, seen))
        })?;
        (seen >= WIDER).then_some(end)
    };
    match (to_end(1.0), to_end(-1.0)) {
        (Some(one), Some(other)) => one + other > max_cells,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::watershed::squared_clearances;
    use super::*;

    /// Two rooms of 15 x 15 cells and a passage of 5 cells width between them: is it a corridor?
    fn is_corridor_of(length: usize) -> bool {
        let (width, height) = (32 + length, 17);
        let is_open = |x: usize, y: usize| {
            (1..16).contains(&y) && ((1..16).contains(&x) || (16 + length..31 + length).contains(&x))
                || (6..11).contains(&y) && (16..16 + length).contains(&x)
        };
        let plane: Vec<u8> =
            (0..width * height).map(|cell| u8::from(!is_open(cell % width, cell / width))).collect();
        let squared = squared_clearances(&plane, width).unwrap();
        is_corridor(&squared, width, 8 * width + 16 + length / 2, 3.0)
    }

    #[test]
    fn a_passage_is_a_corridor_from_about_two_of_its_widths_on() {
        assert!(!is_corridor_of(1), "a door");
        assert!(!is_corridor_of(5), "as long as wide");
        assert!(is_corridor_of(13));
        assert!(is_corridor_of(40), "the ends are out of sight");
    }
}
