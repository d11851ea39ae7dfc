//! Intervals and paired tests for errors that follow each other in time: the circular block bootstrap.
//!
//! Errors of neighbouring poses are alike, so single errors cannot be resampled; blocks can. The block is as long as
//! the errors remember: twice the lag at which their autocorrelation falls below a tenth, at least the cube root of
//! their number and at most a fifth of it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Resampled sums of several series over the same blocks, so that runs can be compared in pairs.
pub(super) struct Resampled {
    /// Length of a block.
    pub block: usize,
    /// One row per resample: the mean of each series.
    pub means: Vec<Vec<f64>>,
}

/// The mean of each series in every resample. All series have the same length.
pub(super) fn resample(series: &[Vec<f64>], resamples: usize, seed: u64) -> Resampled {
    let count = series.first().map_or(0, Vec::len);
    if count == 0 {
        return Resampled { block: 0, means: Vec::new() };
    }
    let block = series.iter().map(|errors| block_length(errors)).max().unwrap_or(1);
    let sums: Vec<Vec<f64>> = series.iter().map(|errors| running_sums(errors)).collect();
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let blocks = count.div_ceil(block);
    let one = |_| {
        let starts: Vec<usize> = (0..blocks).map(|_| below(&mut draws, count)).collect();
        // The last block is cut so that every resample has as many errors as the series.
        let lengths = (0..blocks).map(|index| block.min(count - index * block));
        let mean = |sums: &Vec<f64>| {
            starts
                .iter()
                .zip(lengths.clone())
                .map(|(&start, length)| around(sums, start, length))
                .sum::<f64>()
                / count as f64
        };
        sums.iter().map(mean).collect()
    };
    Resampled { block, means: (0..resamples).map(one).collect() }
}

/// A number below `count`; the bias of the multiplication is below one in a million.
fn below(draws: &mut ChaCha8Rng, count: usize) -> usize {
    ((u128::from(draws.next_u64()) * count as u128) >> 64) as usize
}

/// Sums of the first 0, 1, 2 .. errors.
fn running_sums(errors: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    std::iter::once(0.0)
        .chain(errors.iter().map(|error| {
            sum += error;
            sum
        }))
        .collect()
}

/// The sum of `length` errors from `start` on, going on at the front past the end.
fn around(sums: &[f64], start: usize, length: usize) -> f64 {
    let count = sums.len() - 1;
    let end = start + length;
    if end <= count { sums[end] - sums[start] } else { sums[count] - sums[start] + sums[end - count] }
}

fn block_length(errors: &[f64]) -> usize {
    let count = errors.len();
    let mean = errors.iter().sum::<f64>() / count as f64;
    let variance = errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>();
    let longest = (count / 5).max(1);
    let shortest = ((count as f64).cbrt().round() as usize).clamp(1, longest);
    if variance <= 0.0 {
        return shortest;
    }
    let correlation = |lag: usize| {
        errors.iter().zip(&errors[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / variance
    };
    // Lags grow by a quarter: the answer needs no more digits, and a million errors need few sums.
    let lags = std::iter::successors(Some(1_usize), |lag| Some(lag + (lag / 4).max(1)));
    let memory = lags.take_while(|&lag| lag < longest).find(|&lag| correlation(lag) < 0.1).unwrap_or(longest);
    (2 * memory).clamp(shortest, longest)
}

/// The 2.5 % and 97.5 % quantiles.
pub(super) fn interval(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let at =
        |share: f64| values.get((share * (values.len().checked_sub(1)?) as f64).round() as usize).copied();
    Some((at(0.025)?, at(0.975)?))
}

/// Two-sided p that a difference is 0: how often its resamples lie on the other side.
pub(super) fn two_sided_p(differences: &[f64]) -> f64 {
    let count = differences.len() as f64;
    let share =
        |is_there: fn(f64) -> bool| differences.iter().filter(|d| is_there(**d)).count() as f64 / count;
    (2.0 * share(|d| d <= 0.0).min(share(|d| d >= 0.0))).clamp(1.0 / count, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors with memory: a slow wave and a little noise.
    fn wave(count: usize, phase: f64) -> Vec<f64> {
        (0..count)
            .map(|i| 1.0 + 0.5 * (i as f64 / 40.0 + phase).sin() + 0.01 * ((i * 7919) % 13) as f64)
            .collect()
    }

    #[test]
    fn blocks_are_as_long_as_the_memory() {
        assert!(block_length(&wave(2000, 0.0)) > 60, "{}", block_length(&wave(2000, 0.0)));
        let white: Vec<f64> = (0..2000_u64).map(|i| ((i * 2_654_435_761) % 1000) as f64).collect();
        assert!(block_length(&white) < 30, "{}", block_length(&white));
        assert_eq!((block_length(&[1.0]), block_length(&[2.0; 100])), (1, 5));
    }

    #[test]
    fn resamples_scatter_around_the_mean_and_repeat() {
        let series = [wave(1000, 0.0)];
        let mean = series[0].iter().sum::<f64>() / 1000.0;
        let once = resample(&series, 500, 7);
        let means: Vec<f64> = once.means.iter().map(|row| row[0]).collect();
        let (low, high) = interval(means.clone()).unwrap();
        assert!(low < mean && mean < high && high - low < 0.5, "{low} {mean} {high}");
        assert_eq!(resample(&series, 500, 7).means, once.means);
        let whole = means.iter().sum::<f64>() / 500.0;
        assert!((whole - mean).abs() < 0.05);
    }

    #[test]
    fn pairs_see_small_differences_that_intervals_hide() {
        let (a, b) = (wave(1000, 0.0), wave(1000, 0.0).iter().map(|e| e + 0.02).collect::<Vec<_>>());
        let both = resample(&[a, b], 400, 1);
        let differences: Vec<f64> = both.means.iter().map(|row| row[1] - row[0]).collect();
        assert!(two_sided_p(&differences) < 0.05);
        assert_eq!(two_sided_p(&[-1.0, 1.0]), 1.0);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(resample(&[Vec::new()], 10, 1).means.is_empty() && resample(&[], 10, 1).means.is_empty());
        assert_eq!(interval(Vec::new()), None);
    }
}
