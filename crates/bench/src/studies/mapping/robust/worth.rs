//! What a self-check is worth: how well its doubt separates maps that are wrong from maps that are right.

/// Maps with a larger error are wrong, with a smaller one right, metres; those between count for neither.
const WRONG_M: f64 = 0.3;
const RIGHT_M: f64 = 0.1;

/// The probability that a wrong map has more doubt than a right one, ties counting half (area under the ROC curve), with the numbers
/// of wrong and right maps. None without one of each.
pub fn separation(runs: &[(f64, f64)]) -> Option<(f64, usize, usize)> {
    let doubts = |keep: fn(f64) -> bool| -> Vec<f64> {
        runs.iter().filter(|(error_m, _)| keep(*error_m)).map(|(_, doubt)| *doubt).collect()
    };
    let (wrong, right) = (doubts(|error_m| error_m > WRONG_M), doubts(|error_m| error_m < RIGHT_M));
    if wrong.is_empty() || right.is_empty() {
        return None;
    }
    let pairs = wrong.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    let won: f64 = pairs.map(|(a, b)| if a > b { 1.0 } else { f64::from(u8::from(a >= b)) * 0.5 }).sum();
    Some((won / (wrong.len() * right.len()) as f64, wrong.len(), right.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_that_of_pairs_counted_by_hand() {
        // Wrong 0.9 and 0.4, right 0.4 and 0.1: three pairs won, one tie; 0.2 m is neither.
        let runs = [(0.5, 0.9), (1.0, 0.4), (0.05, 0.4), (0.01, 0.1), (0.2, 5.0)];
        assert_eq!(separation(&runs), Some((3.5 / 4.0, 2, 2)));
        assert_eq!(separation(&runs[..2]), None);
    }
}
