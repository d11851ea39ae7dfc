//! Rank statistics as pure functions (X-LAB): Kendall's tau-b, AUC, Spearman's rho, clusters, intervals by resampling.
//! `conformance/lab_statistics.py` computes them again from the rows of a run.

/// Kendall's tau-b of two lists of equal length; 0 where one of them never changes, none with fewer than two pairs.
///
/// tau-b = (concordant - discordant) / sqrt((pairs - ties of x) (pairs - ties of y)).
#[must_use]
pub fn tau_b(x: &[f64], y: &[f64]) -> Option<f64> {
    let count = x.len().min(y.len());
    if count < 2 {
        return None;
    }
    let (mut balance, mut untied_x, mut untied_y) = (0_i64, 0_u64, 0_u64);
    for (first, (x1, y1)) in x.iter().zip(y).enumerate() {
        for (x2, y2) in x.iter().zip(y).skip(first + 1) {
            let (dx, dy) = (order(*x1, *x2), order(*y1, *y2));
            balance += dx * dy;
            untied_x += dx.unsigned_abs();
            untied_y += dy.unsigned_abs();
        }
    }
    if untied_x == 0 || untied_y == 0 {
        return Some(0.0);
    }
    Some(balance as f64 / ((untied_x as f64) * (untied_y as f64)).sqrt())
}

fn order(a: f64, b: f64) -> i64 {
    i64::from(b > a) - i64::from(b < a)
}

/// The chance that one of `above` is larger than one of `below`, ties counting one half: the area under the ROC curve.
/// None where one list is empty.
#[must_use]
pub fn auc(above: &[f64], below: &[f64]) -> Option<f64> {
    let twice: i64 = above.iter().flat_map(|a| below.iter().map(move |b| 1 + order(*b, *a))).sum();
    let pairs = above.len() * below.len();
    (pairs > 0).then(|| twice as f64 / (2 * pairs) as f64)
}

/// The share of pairs in which one of `above` is strictly larger than one of `below`; none where one list is empty.
#[must_use]
pub fn share_above(above: &[f64], below: &[f64]) -> Option<f64> {
    let larger = above.iter().map(|a| below.iter().filter(|b| a > b).count()).sum::<usize>();
    let pairs = above.len() * below.len();
    (pairs > 0).then(|| larger as f64 / pairs as f64)
}

/// Spearman's rho: Pearson's correlation of the ranks, ties having their mean rank. None where a list never changes.
#[must_use]
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    let (x, y) = (ranks(x), ranks(y));
    let count = x.len().min(y.len());
    if count < 2 {
        return None;
    }
    let mean = (count as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let spread = product(&x, &x) * product(&y, &y);
    (spread > 0.0).then(|| product(&x, &y) / spread.sqrt())
}

/// Ranks from 1; equal values have the mean of their ranks.
#[must_use]
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for end in 1..=order.len() {
        if end < order.len() && values[order[end]] == values[order[start]] {
            continue;
        }
        let mean = (start + 1 + end) as f64 / 2.0;
        order[start..end].iter().for_each(|index| ranks[*index] = mean);
        start = end;
    }
    ranks
}

/// Groups by average linkage: the two groups with the smallest mean distance of their members become one while that mean is
/// at most `limit`. Groups and members are in ascending order.
#[must_use]
pub fn clusters(distances: &[Vec<f64>], limit: f64) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..distances.len()).map(|index| vec![index]).collect();
    let mean = |a: &[usize], b: &[usize]| {
        let sum: f64 = a.iter().flat_map(|i| b.iter().map(move |j| distances[*i][*j])).sum();
        sum / (a.len() * b.len()) as f64
    };
    loop {
        let mut nearest: Option<(f64, usize, usize)> = None;
        for first in 0..groups.len() {
            for second in first + 1..groups.len() {
                let distance = mean(&groups[first], &groups[second]);
                if distance <= limit && nearest.is_none_or(|(best, ..)| distance < best) {
                    nearest = Some((distance, first, second));
                }
            }
        }
        let Some((_, first, second)) = nearest else { break };
        let joined = groups.remove(second);
        groups[first].extend(joined);
        groups[first].sort_unstable();
    }
    groups.sort();
    groups
}

/// The middle 95 % of the weighted means of some values, each draw saying how often each value counts. Draws in which no value
/// counts are left out.
#[must_use]
pub fn interval(values: &[Option<f64>], draws: &[Vec<u32>]) -> Option<[f64; 2]> {
    let mut means: Vec<f64> = draws.iter().filter_map(|times| weighted_mean(values, times)).collect();
    means.sort_by(f64::total_cmp);
    Some([quantile(&means, 0.025)?, quantile(&means, 0.975)?])
}

fn weighted_mean(values: &[Option<f64>], times: &[u32]) -> Option<f64> {
    let counted = values.iter().zip(times).filter_map(|(value, times)| Some(((*value)?, f64::from(*times))));
    let (sum, weight) =
        counted.fold((0.0, 0.0), |(sum, all), (value, times)| (sum + value * times, all + times));
    (weight > 0.0).then(|| sum / weight)
}

/// The value at a share of sorted values, between two of them in proportion.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let at = share * sorted.len().checked_sub(1)? as f64;
    let (low, high) = (sorted.get(at.floor() as usize)?, sorted.get(at.ceil() as usize)?);
    Some(low + (high - low) * at.fract())
}

/// The mean of what is there.
#[must_use]
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.into_iter().fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six pairs: (1,2) (1,3) (2,3) rise, (1,4) rises, (2,4) ties in y, (3,4) falls: 4 - 1 = 3; x has 6 untied pairs, y 5.
    #[test]
    fn tau_by_hand() {
        let tau = tau_b(&[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 3.0, 2.0]).unwrap();
        assert!((tau - 3.0 / 30_f64.sqrt()).abs() < 1e-15);
        assert_eq!(tau_b(&[1.0, 2.0], &[5.0, 5.0]), Some(0.0));
        assert_eq!(tau_b(&[1.0], &[1.0]), None);
    }

    /// 3 above 1 and 2, 2 above 1 and tied with 2: (2 + 1.5) / 4.
    #[test]
    fn auc_by_hand() {
        assert_eq!(auc(&[3.0, 2.0], &[1.0, 2.0]), Some(0.875));
        assert_eq!(share_above(&[3.0, 2.0], &[1.0, 2.0]), Some(0.75));
        assert_eq!(auc(&[], &[1.0]), None);
    }

    #[test]
    fn ties_share_their_ranks() {
        assert_eq!(ranks(&[10.0, 5.0, 10.0, 1.0]), [3.5, 2.0, 3.5, 1.0]);
        assert!((spearman(&[1.0, 2.0, 3.0], &[1.0, 8.0, 27.0]).unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(spearman(&[1.0, 2.0], &[3.0, 3.0]), None);
    }

    /// 0 and 1 join at 0.05; the mean distance of 2 to both is 0.1, so that it joins at a limit of 0.1 and not at 0.09.
    #[test]
    fn clusters_by_hand() {
        let distances = vec![vec![0.0, 0.05, 0.08], vec![0.05, 0.0, 0.12], vec![0.08, 0.12, 0.0]];
        assert_eq!(clusters(&distances, 0.1), [vec![0, 1, 2]]);
        assert_eq!(clusters(&distances, 0.09), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn quantiles_lie_between_the_values() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
        let draws = vec![vec![2, 0], vec![0, 2], vec![1, 1]];
        let [low, high] = interval(&[Some(0.0), Some(1.0)], &draws).unwrap();
        assert!((low - 0.025).abs() < 1e-15 && (high - 0.975).abs() < 1e-15);
    }
}
