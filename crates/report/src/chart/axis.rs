//! Axes: from values to a share of the axis, with ticks at 1, 2 or 5 times a power of ten.

use crate::number::fixed;

/// What an axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis<'a> {
    /// What is measured, such as `time`.
    pub label: &'a str,
    /// Its unit, such as `s`; empty for a pure number.
    pub unit: &'a str,
}

/// Numbers beyond this are no measurements, and their differences would overflow.
const LARGEST: f64 = 1e100;
/// An axis is wider than this share of the numbers on it; below, digits are lost.
const NARROWEST: f64 = 1e-12;
/// From here on numbers have an exponent.
const EXPONENT_FROM: f64 = 1e6;
/// A whole axis far from zero starts at zero again if its numbers are at least this large, as times of day are.
const OFFSET_FROM: f64 = 1e5;
/// Runs that differ by this factor are drawn over a logarithmic axis.
const LOG_FROM: f64 = 100.0;

/// A place with a number on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) text: String,
}

/// The numbers of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
    /// Subtracted from what the ticks print; 0 for most axes.
    offset: f64,
    pub(super) ticks: Vec<Tick>,
}

/// True for a number that can be drawn.
pub(super) fn drawable(value: f64) -> bool {
    value.abs() <= LARGEST
}

/// The smallest and the largest drawable number.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|&value| drawable(value)).fold(None, |extent: Option<(f64, f64)>, value| {
        Some(extent.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
    })
}

impl Scale {
    /// From `low` to `high` exactly, widened where both are one.
    pub(super) fn tight((low, high): (f64, f64), most_ticks: usize) -> Self {
        let (low, high) = widened(low, high);
        let step = tick_step(high - low, most_ticks);
        let is_far = low.abs() >= OFFSET_FROM && low.abs() > 10.0 * (high - low);
        let first = (low / step).ceil() * step;
        let offset = if is_far { first } else { 0.0 };
        let mut scale = Self { low, high, is_log: false, offset, ticks: Vec::new() };
        scale.ticks = linear_ticks(low, high, step, offset);
        scale
    }

    /// As [`Scale::tight`], with both ends at a tick.
    pub(super) fn round((low, high): (f64, f64), most_ticks: usize) -> Self {
        let (low, high) = widened(low, high);
        let step = tick_step(high - low, most_ticks.saturating_sub(1));
        // A number that is a tick but for its last digit does not ask for another one.
        let (first, last) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        Self {
            low: first,
            high: last,
            is_log: false,
            offset: 0.0,
            ticks: linear_ticks(first, last, step, 0.0),
        }
    }

    /// For values of many runs, the best of which has `typical` ones: logarithmic if all are positive and on an axis
    /// from 0 the best could not be read, else from 0.
    pub(super) fn of_runs((low, high): (f64, f64), typical: f64, most_ticks: usize) -> Self {
        if low > 1.0 / LARGEST && high / typical >= LOG_FROM {
            return Self::logarithmic(low, high, most_ticks);
        }
        Self::round((low.min(0.0), high.max(0.0)), most_ticks)
    }

    fn logarithmic(low: f64, high: f64, most_ticks: usize) -> Self {
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let decades = usize::try_from(last - first).unwrap_or(1).max(1);
        let ticks = (first..=last)
            .step_by(decades.div_ceil(most_ticks))
            .map(|power| Tick { at: 10_f64.powi(power), text: power_text(power) })
            .collect();
        Self { low: 10_f64.powi(first), high: 10_f64.powi(last), is_log: true, offset: 0.0, ticks }
    }

    /// Where a value stands: 0 at the low end, 1 at the high end, never beyond.
    pub(super) fn share(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low).log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// The title of the axis, with its unit and whatever else its numbers need. Not yet escaped.
    pub(super) fn title(&self, axis: Axis<'_>) -> String {
        let mut title = axis.label.to_owned();
        if !axis.unit.is_empty() {
            title.push_str(" in ");
            title.push_str(axis.unit);
        }
        if self.is_log {
            title.push_str(", logarithmic");
        }
        if self.offset != 0.0 {
            title.push_str(&format!(", from {}", self.offset));
        }
        title
    }
}

fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > size * NARROWEST && high - low > 1.0 / LARGEST {
        return (low, high);
    }
    if size <= 1.0 / LARGEST {
        return (0.0, 1.0);
    }
    (low - 0.1 * size, high + 0.1 * size)
}

/// 1, 2 or 5 times a power of ten, so that the span holds at most `most` steps.
pub(crate) fn tick_step(span: f64, most: usize) -> f64 {
    let most = most.max(1) as f64;
    let mut power = 10_f64.powf((span / most).log10().floor());
    loop {
        for factor in [1.0, 2.0, 5.0] {
            // An infinite step ends the search for a span that is no number.
            if span / (factor * power) <= most * (1.0 + 1e-9) || !power.is_normal() {
                return factor * power;
            }
        }
        power *= 10.0;
    }
}

fn linear_ticks(low: f64, high: f64, step: f64, offset: f64) -> Vec<Tick> {
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    let largest = (low - offset).abs().max((high - offset).abs());
    let tick = |index: i64| {
        let at = index as f64 * step;
        Tick { at, text: tick_text(at - offset, step, largest) }
    };
    (first..=last).map(tick).collect()
}

/// The number with as many decimals as the step needs; with an exponent if the axis holds large numbers.
fn tick_text(value: f64, step: f64, largest: f64) -> String {
    let step_power = step.log10().floor() as i32;
    if (value / step).abs() < 1e-6 {
        return "0".to_owned();
    }
    if largest >= EXPONENT_FROM || step_power < -5 {
        let digits = usize::try_from(value.abs().log10().floor() as i32 - step_power).unwrap_or(0);
        let text = format!("{value:.digits$e}");
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = if mantissa.contains('.') {
            mantissa.trim_end_matches('0').trim_end_matches('.')
        } else {
            mantissa
        };
        return format!("{mantissa}e{power}");
    }
    let decimals = usize::try_from(-step_power).unwrap_or(0);
    fixed(value, decimals)
}

fn power_text(power: i32) -> String {
    match power {
        -4..=0 => format!("{:.*}", usize::try_from(-power).unwrap_or(0), 10_f64.powi(power)),
        1..=5 => format!("{}", 10_f64.powi(power)),
        _ => format!("1e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_and_few() {
        assert_eq!(tick_step(10.0, 8), 2.0);
        assert_eq!(tick_step(8.0, 8), 1.0);
        assert_eq!(tick_step(0.4, 8), 0.05);
        assert_eq!(tick_step(300.0, 8), 50.0);
    }

    #[test]
    fn a_tight_scale_has_ticks_inside_and_a_round_one_at_its_ends() {
        assert_eq!(texts(&Scale::tight((0.3, 2.2), 5)), ["0.5", "1.0", "1.5", "2.0"]);
        let round = Scale::round((0.0, 0.31), 5);
        assert_eq!(texts(&round), ["0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!((round.share(0.2), round.share(-1.0), round.share(9.0)), (0.5, 0.0, 1.0));
    }

    #[test]
    fn a_clock_starts_at_zero_and_says_where_that_is() {
        let scale = Scale::tight((976_052_896.7, 976_053_501.2), 8);
        assert_eq!(texts(&scale), ["0", "100", "200", "300", "400", "500", "600"]);
        let title = scale.title(Axis { label: "time", unit: "s" });
        assert_eq!(title, "time in s, from 976052900");
    }

    #[test]
    fn runs_of_very_different_size_get_a_logarithmic_axis() {
        let scale = Scale::of_runs((0.02, 35.0), 0.1, 8);
        assert_eq!(texts(&scale), ["0.01", "0.1", "1", "10", "100"]);
        assert!((scale.share(1.0) - 0.5).abs() < 1e-12);
        assert_eq!(scale.share(0.0), 0.0, "nothing lies below the axis");
        assert_eq!(scale.title(Axis { label: "error", unit: "m" }), "error in m, logarithmic");
        assert_eq!(texts(&Scale::of_runs((0.4, 1.0), 0.4, 6)), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn equal_values_have_an_axis_around_them() {
        assert_eq!(texts(&Scale::round((0.0, 0.0), 3)), ["0", "0.5", "1.0"]);
        assert!(Scale::tight((5.0, 5.0), 6).share(5.0) > 0.4);
    }

    #[test]
    fn large_and_small_numbers_have_an_exponent() {
        assert_eq!(texts(&Scale::round((0.0, 2.5e8), 6)), ["0", "5e7", "1e8", "1.5e8", "2e8", "2.5e8"]);
        assert_eq!(texts(&Scale::round((0.0, 2e-7), 3)), ["0", "1e-7", "2e-7"]);
    }

    proptest! {
        #[test]
        fn every_axis_has_few_ticks_in_order_with_different_numbers(
            a in prop::num::f64::NORMAL | prop::num::f64::ZERO,
            b in prop::num::f64::NORMAL | prop::num::f64::ZERO,
        ) {
            let Some(ends) = extent([a, b].into_iter()) else { return Ok(()) };
            for scale in [Scale::tight(ends, 8), Scale::round(ends, 8), Scale::of_runs(ends, ends.0, 8)] {
                prop_assert!(scale.low < scale.high);
                prop_assert!((1..=9).contains(&scale.ticks.len()), "{:?}", scale);
                prop_assert!(scale.ticks.windows(2).all(|pair| pair[0].at < pair[1].at));
                prop_assert!(scale.ticks.windows(2).all(|pair| pair[0].text != pair[1].text), "{:?}", scale);
                prop_assert!(scale.share(ends.0).is_finite() && scale.share(ends.1).is_finite());
            }
        }
    }
}
