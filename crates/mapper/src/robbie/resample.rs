//! Which particles live on: the gate, the copies of the sorted list, and the heaviest few (L-PF 1, 5).

use model::SeededRng;

/// Rounding of sums must not close the gate: 20 mm made of twenty steps of 1 mm are 20 mm.
const ROUNDING: f64 = 1e-9;

/// Resampling waits for this distance, metres, or this turn, radians (Pellenz 2008, III-B: 20 mm, 5 degrees).
const RESAMPLE_DISTANCE_M: f64 = 0.02;
const RESAMPLE_TURN_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;

/// Whether the robot moved enough to resample.
pub(super) fn is_due(moved_m: f64, turned_rad: f64) -> bool {
    moved_m >= RESAMPLE_DISTANCE_M - ROUNDING || turned_rad >= RESAMPLE_TURN_RAD - ROUNDING
}

/// Indices by weight, the largest first; ties: the lower index first.
fn by_weight(weights: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    order
}

/// round-half-up(w N) copies of each, largest weight first, until there are N; if too few came out, one more of each
/// down the list again.
pub(super) fn sorted(weights: &[f64], count: usize) -> Vec<usize> {
    let order = by_weight(weights);
    let mut picked = Vec::with_capacity(count);
    for &index in &order {
        let copies = (weights[index] * count as f64 + 0.5).floor().max(0.0) as usize;
        picked.extend(std::iter::repeat_n(index, copies.min(count - picked.len())));
    }
    let missing = count - picked.len();
    picked.extend(order.into_iter().cycle().take(missing));
    picked
}

/// round(w N + 0.5) copies of each, largest weight first, until there are N; the tail is cut. Where weights are no numbers
/// and too few came out, the rest is filled by chance.
pub(super) fn rounded_up(weights: &[f64], count: usize, rng: &mut SeededRng) -> Vec<usize> {
    let mut picked = Vec::with_capacity(count);
    for index in by_weight(weights) {
        let copies = (weights[index] * count as f64 + 0.5).round().max(0.0) as usize;
        picked.extend(std::iter::repeat_n(index, copies.min(count - picked.len())));
    }
    while picked.len() < count {
        picked.push((rng.uniform() * weights.len() as f64) as usize);
    }
    picked
}

/// For k = 0 .. N the first particle whose running sum of weights is at least (k + 0.5) / N.
#[must_use]
pub fn systematic(weights: &[f64], count: usize) -> Vec<usize> {
    let mut picked = Vec::with_capacity(count);
    let (mut index, mut sum) = (0, weights.first().copied().unwrap_or(0.0));
    for k in 0..count {
        let mark = (k as f64 + 0.5) / count as f64;
        while sum < mark && index + 1 < weights.len() {
            index += 1;
            sum += weights[index];
        }
        picked.push(index);
    }
    picked
}

/// The heaviest ceil(share N) particles, at least one.
pub(super) fn heaviest(weights: &[f64], share: f64) -> Vec<usize> {
    let wanted = (share * weights.len() as f64 - ROUNDING).ceil().clamp(1.0, weights.len() as f64) as usize;
    let mut order = by_weight(weights);
    order.truncate(wanted);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_09_e3_the_gate() {
        let due = |moved_m: f64, turned_deg: f64| is_due(moved_m, turned_deg.to_radians());
        assert!(!due(0.019, 0.0) && due(0.020, 0.0) && due(0.0, 5.0) && !due(0.0, 4.9));
    }

    #[test]
    fn spec_09_e4_copies() {
        let copies = |weights: &[f64], count: usize| {
            let picked = sorted(weights, count);
            assert_eq!(picked.len(), count);
            (0..weights.len()).map(|i| picked.iter().filter(|&&p| p == i).count()).collect::<Vec<_>>()
        };
        assert_eq!(copies(&[0.5, 0.3, 0.2], 4), [2, 1, 1]);
        assert_eq!(copies(&[0.26, 0.25, 0.25, 0.24], 4), [1, 1, 1, 1]);
        assert_eq!(copies(&[0.9, 0.05, 0.05], 10), [9, 1, 0]);
        assert_eq!(copies(&[0.35, 0.35, 0.3], 2), [1, 1, 0]);
    }

    #[test]
    fn rounding_up_cuts_the_tail_and_fills_by_chance() {
        // 4 w + 0.5 = 2.5, 1.7, 1.3: three copies, one, and no room for the last.
        let mut rng = SeededRng::new(1);
        assert_eq!(rounded_up(&[0.5, 0.3, 0.2], 4, &mut rng), [0, 0, 0, 1]);
        let lost = rounded_up(&[f64::NAN; 3], 5, &mut rng);
        assert!(lost.len() == 5 && lost.iter().all(|&index| index < 3), "{lost:?}");
    }

    #[test]
    fn marks_on_the_running_sum() {
        assert_eq!(systematic(&[0.5, 0.25, 0.25], 4), [0, 0, 1, 2]);
        assert_eq!(systematic(&[0.0, 1.0], 2), [1, 1]);
    }

    #[test]
    fn five_percent_of_300_are_15_and_one_is_the_least() {
        assert_eq!(heaviest(&vec![1.0; 300], 0.05), (0..15).collect::<Vec<_>>());
        assert_eq!(heaviest(&[0.1, 0.9], 0.05), [1]);
    }
}
