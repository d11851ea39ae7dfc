//! X-PARETO: which maps no other map beats in everything (Balaguer et al. 2009, section 3.2).
//!
//! One map dominates another if it is at least as good under every criterion and better under one. Equal maps do not
//! dominate each other. An undefined value is worse than any number.

use super::map_quality::Direction;

/// For each row of values, one value per criterion, whether no other row dominates it.
///
/// Values beyond the last direction do not count; missing ones are undefined.
#[must_use]
pub fn non_dominated(rows: &[Vec<Option<f64>>], better: &[Direction]) -> Vec<bool> {
    let merits = |row: &Vec<Option<f64>>| -> Vec<f64> {
        let value = |index: usize| row.get(index).copied().flatten().filter(|v| v.is_finite());
        let merit = |(index, better): (usize, &Direction)| {
            value(index).map_or(f64::NEG_INFINITY, |value| better.merit(value))
        };
        better.iter().enumerate().map(merit).collect()
    };
    let merits: Vec<Vec<f64>> = rows.iter().map(merits).collect();
    merits.iter().map(|row| !merits.iter().any(|other| dominates(other, row))).collect()
}

fn dominates(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a >= b) && a.iter().zip(b).any(|(a, b)| a > b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_pareto_set_1_of_the_paper() {
        let teams = [(22.8908, 373.0), (13.0171, 286.0), (25.7268, 351.0), (19.6739, 679.0)];
        let rows: Vec<Vec<Option<f64>>> = teams.iter().map(|&(a, b)| vec![Some(a), Some(b)]).collect();
        let front = non_dominated(&rows, &[Direction::Lower, Direction::Higher]);
        assert_eq!(front, [false, true, false, true], "teams B and D");
    }

    #[test]
    fn equal_maps_stand_side_by_side_and_undefined_ones_behind() {
        let rows = vec![vec![Some(1.0)], vec![Some(1.0)], vec![None]];
        assert_eq!(non_dominated(&rows, &[Direction::Higher]), [true, true, false]);
        assert!(non_dominated(&[], &[Direction::Higher]).is_empty());
        let near_one = vec![vec![Some(0.8)], vec![Some(1.1)]];
        assert_eq!(non_dominated(&near_one, &[Direction::CloserTo(1.0)]), [false, true]);
    }
}
