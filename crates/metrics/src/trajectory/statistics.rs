//! Statistics of errors, as Table 1 of Kleiner et al. prints them, and robust ones beside them.

use serde::{Deserialize, Serialize};

use crate::{Detail, Score};

/// Statistics of a list of errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    pub count: usize,
    pub mean: f64,
    /// Population standard deviation, so that mean^2 + std^2 is the mean square.
    pub std: f64,
    /// Sample standard deviation; none for a single error, and none with weights.
    pub std_sample: Option<f64>,
    /// Half of the errors are smaller.
    pub median: f64,
    /// Median distance from the median.
    pub mad: f64,
    /// 95 % of the errors are smaller.
    pub p95: f64,
    pub min: f64,
    pub max: f64,
    /// Root of the mean square.
    pub rmse: f64,
    /// Mean of the squares.
    pub mean_square: f64,
    /// Population standard deviation of the squares.
    pub std_square: f64,
    /// Sum of the squares, as evo prints it; none with weights.
    #[serde(default)]
    pub sse: Option<f64>,
}

impl Statistics {
    /// Statistics of errors that all count the same; none without an error.
    ///
    /// Quantiles lie between neighbours in proportion (numpy's default).
    #[must_use]
    pub fn of(errors: &[f64]) -> Option<Self> {
        let moments = Moments::of(errors.iter().map(|&error| (error, 1.0)))?;
        let mut sorted = errors.to_vec();
        let (median, p95) = (quantile(&mut sorted, 0.5), quantile(&mut sorted, 0.95));
        let max = sorted.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let min = sorted.iter().copied().fold(f64::INFINITY, f64::min);
        sorted.iter_mut().for_each(|error| *error = (*error - median).abs());
        let mad = quantile(&mut sorted, 0.5);
        let count = errors.len();
        let freedom = count as f64 / (count as f64 - 1.0);
        let std_sample = (count > 1).then(|| moments.std * freedom.sqrt());
        let sse = Some(errors.iter().map(|error| error * error).sum());
        let order = Order { median, mad, p95, min, max };
        Some(Self { sse, ..moments.statistics(count, order, std_sample) })
    }

    /// Statistics of errors with weights; none without an error of positive weight.
    ///
    /// A quantile is the smallest error up to which that share of the weight lies.
    #[must_use]
    pub fn weighted(errors: &[f64], weights: &[f64]) -> Option<Self> {
        let moments = Moments::of(errors.iter().copied().zip(weights.iter().copied()))?;
        let mut sorted: Vec<(f64, f64)> =
            errors.iter().copied().zip(weights.iter().copied()).filter(|pair| pair.1 > 0.0).collect();
        let (median, p95) = (weighted_quantile(&mut sorted, 0.5), weighted_quantile(&mut sorted, 0.95));
        let (min, max) = (sorted.first()?.0, sorted.last()?.0);
        sorted.iter_mut().for_each(|pair| pair.0 = (pair.0 - median).abs());
        let mad = weighted_quantile(&mut sorted, 0.5);
        Some(moments.statistics(errors.len(), Order { median, mad, p95, min, max }, None))
    }

    /// As facts of a report.
    #[must_use]
    pub fn facts(&self) -> Detail {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(facts)) => facts,
            _ => Detail::new(),
        }
    }

    /// A score whose value is the root mean square: the statistics stand in the detail, and under `key` too, where
    /// `relative_displacement` has them.
    #[must_use]
    pub fn rmse_score(&self, key: &'static str) -> Score {
        Score::new(self.rmse).with_all(self.facts()).with(key, self)
    }
}

/// Statistics that need the order of the errors.
#[derive(Clone, Copy)]
struct Order {
    median: f64,
    mad: f64,
    p95: f64,
    min: f64,
    max: f64,
}

/// Statistics that are sums.
struct Moments {
    mean: f64,
    std: f64,
    mean_square: f64,
    std_square: f64,
}

impl Moments {
    /// Two passes: the one-pass formula cancels for large numbers of small deviations.
    fn of(weighted: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Self> {
        let add = |[w, x, xx]: [f64; 3], (error, weight): (f64, f64)| {
            [w + weight, x + weight * error, xx + weight * error * error]
        };
        let [weight, sum, squares] = weighted.clone().fold([0.0; 3], add);
        if weight.is_nan() || weight <= 0.0 {
            return None;
        }
        let (mean, mean_square) = (sum / weight, squares / weight);
        let spread = |[v, q]: [f64; 2], (error, share): (f64, f64)| {
            [v + share * (error - mean).powi(2), q + share * (error * error - mean_square).powi(2)]
        };
        let [variance, square_variance] = weighted.fold([0.0; 2], spread).map(|sum| sum / weight);
        Some(Self { mean, std: variance.sqrt(), mean_square, std_square: square_variance.sqrt() })
    }

    fn statistics(&self, count: usize, order: Order, std_sample: Option<f64>) -> Statistics {
        let Order { median, mad, p95, min, max } = order;
        let Self { mean, std, mean_square, std_square } = *self;
        let rmse = mean_square.sqrt();
        Statistics {
            count,
            mean,
            std,
            std_sample,
            median,
            mad,
            p95,
            min,
            max,
            rmse,
            mean_square,
            std_square,
            sse: None,
        }
    }
}

/// The quantile of a list that is not empty, which it reorders.
#[must_use]
pub fn quantile(errors: &mut [f64], share: f64) -> f64 {
    let place = share * (errors.len() - 1) as f64;
    let below = place.floor();
    let (_, &mut low, above) = errors.select_nth_unstable_by(below as usize, f64::total_cmp);
    let high = above.iter().copied().fold(f64::INFINITY, f64::min);
    if place > below { low + (place - below) * (high - low) } else { low }
}

fn weighted_quantile(pairs: &mut [(f64, f64)], share: f64) -> f64 {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole: f64 = pairs.iter().map(|pair| pair.1).sum();
    let mut below = 0.0;
    let found = pairs.iter().find(|pair| {
        below += pair.1;
        below >= share * whole
    });
    found.or(pairs.last()).map_or(f64::NAN, |pair| pair.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spec_08_e7() {
        let found = Statistics::of(&[0.0, 1.0, 3.0]).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 5e-7;
        assert!(near(found.mean, 1.333_333) && near(found.std, 1.247_219));
        assert!(near(found.std_sample.unwrap(), 1.527_525));
        assert!(near(found.mean_square, 3.333_333) && near(found.std_square, 4.027_682));
        assert!(found.max == 3.0 && found.min == 0.0 && near(found.rmse, 1.825_742));
        assert!(found.median == 1.0 && near(found.p95, 2.8) && found.mad == 1.0);
    }

    /// Kleiner et al., Table 1: mean and deviation of the absolute error say what the squared error is.
    #[test]
    fn spec_08_e8_table_1_of_the_paper() {
        let printed = [(1.08, 1.81, 4.44, 4.4425), (1.40, 1.77, 5.08, 5.0929), (0.48, 1.04, 1.32, 1.3120)];
        for (mean, std, mean_square, expected) in printed {
            let from_both = f64::mul_add(mean, mean, std * std);
            assert!((from_both - expected).abs() < 5e-5, "{from_both}");
            let low = (mean - 0.005_f64).powi(2) + (std - 0.005_f64).powi(2);
            let high = (mean + 0.005_f64).powi(2) + (std + 0.005_f64).powi(2);
            assert!(low <= mean_square + 0.005 && mean_square - 0.005 <= high, "{low} {mean_square} {high}");
        }
    }

    #[test]
    fn one_error_has_no_sample_deviation_and_none_has_nothing() {
        let one = Statistics::of(&[2.0]).unwrap();
        assert_eq!((one.std, one.std_sample, one.median, one.p95), (0.0, None, 2.0, 2.0));
        assert_eq!(Statistics::of(&[]), None);
        assert_eq!(Statistics::weighted(&[1.0], &[0.0]), None);
    }

    proptest! {
        #[test]
        fn the_squares_add_up(errors in prop::collection::vec(0.0..10.0_f64, 1..50)) {
            let found = Statistics::of(&errors).unwrap();
            prop_assert!((found.mean.powi(2) + found.std.powi(2) - found.mean_square).abs() < 1e-9);
            prop_assert!(found.min <= found.median && found.median <= found.p95 && found.p95 <= found.max);
        }

        #[test]
        fn equal_weights_change_no_mean(errors in prop::collection::vec(0.0..10.0_f64, 1..50), weight in 0.1..5.0_f64) {
            let plain = Statistics::of(&errors).unwrap();
            let weighted = Statistics::weighted(&errors, &vec![weight; errors.len()]).unwrap();
            prop_assert!((plain.rmse - weighted.rmse).abs() < 1e-9 && (plain.mean - weighted.mean).abs() < 1e-9);
            prop_assert!((plain.std - weighted.std).abs() < 1e-9 && plain.max == weighted.max);
        }

        #[test]
        fn quantiles_agree_with_sorting(mut errors in prop::collection::vec(0.0..10.0_f64, 1..50), share in 0.0..=1.0_f64) {
            let found = quantile(&mut errors.clone(), share);
            errors.sort_by(f64::total_cmp);
            let place = share * (errors.len() - 1) as f64;
            let (low, high) = (errors[place.floor() as usize], errors[place.ceil() as usize]);
            prop_assert!((found - (low + place.fract() * (high - low))).abs() < 1e-12);
        }
    }
}
