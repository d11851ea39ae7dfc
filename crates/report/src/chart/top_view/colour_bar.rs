//! Which error has which colour, and the bar that says so.

use std::fmt::Write;

use super::TopView;
use crate::chart::axis::{Axis, Scale, drawable};
use crate::chart::frame::{Anchor, Area, round_tenth, text};
use crate::chart::ink::{RAMP_STEPS, ramp_colour, ramp_step};
use crate::chart::lettering::{cut, escaped, three_digits};

const BAR_WIDTH: f64 = 14.0;
const BAR_GAP: f64 = 34.0;
/// The colours end at this quantile if the largest error is more than twice that.
const EXTREME_SHARE: f64 = 0.99;
const EXTREME_FACTOR: f64 = 2.0;

/// Errors from 0 to `end` as colours.
pub(super) struct ErrorColours {
    end: f64,
    largest: f64,
    title: String,
}

impl ErrorColours {
    pub(super) fn of(view: &TopView<'_>) -> Self {
        let path = view.path.iter().filter_map(|point| point.error);
        let errors = path.chain(view.relations.iter().map(|line| line.error));
        Self::of_errors(errors, Axis { label: view.error_label, unit: view.error_unit })
    }

    /// One scale for all these errors.
    pub(super) fn of_errors(errors: impl Iterator<Item = f64>, axis: Axis<'_>) -> Self {
        let mut errors: Vec<f64> = errors.filter(|&error| drawable(error)).collect();
        let last = errors.len().saturating_sub(1);
        let place = (last as f64 * EXTREME_SHARE) as usize;
        let (mut quantile, mut largest) = (0.0, 0.0);
        if !errors.is_empty() {
            quantile = *errors.select_nth_unstable_by(place, f64::total_cmp).1;
            largest = errors.iter().copied().fold(0.0, f64::max);
        }
        let end = if largest > EXTREME_FACTOR * quantile && quantile > 0.0 { quantile } else { largest };
        let title = Scale::round((0.0, 1.0), 2).title(axis);
        Self { end, largest, title }
    }

    /// The step of the colours for an error. Without any error all have the first.
    pub(super) fn step(&self, error: f64) -> usize {
        if self.end > 0.0 { ramp_step(error / self.end) } else { 0 }
    }

    /// The bar beside the figure.
    pub(super) fn draw(&self, svg: &mut String, area: Area) {
        if self.end <= 0.0 {
            return;
        }
        let x = round_tenth(area.right() + BAR_GAP);
        let step_px = area.height / RAMP_STEPS as f64;
        for step in 0..RAMP_STEPS {
            let y = round_tenth(area.bottom() - (step + 1) as f64 * step_px);
            // Writing into a string cannot fail, here and below.
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{BAR_WIDTH}\" height=\"{}\" fill=\"{}\"/>",
                round_tenth(step_px + 0.3),
                ramp_colour(step)
            );
        }
        svg.push('\n');
        let beside = x + BAR_WIDTH + 6.0;
        let scale = Scale::tight((0.0, self.end), 5);
        let top = area.top;
        // The end has a number of its own; those of ticks close to it would overlap it.
        for tick in scale.ticks.iter().filter(|tick| area.y_of(&scale, tick.at) - top > 16.0) {
            text(svg, (beside, area.y_of(&scale, tick.at)), Anchor::Start, &tick.text);
        }
        let sign = if self.largest > self.end { "≥ " } else { "" };
        text(svg, (beside, top), Anchor::Start, &format!("{sign}{}", three_digits(self.end)));
        if self.largest > self.end {
            let most = format!("largest {}", three_digits(self.largest));
            text(svg, (beside + 50.0, area.bottom() + 18.0), Anchor::End, &most);
        }
        let (middle, title_x) = (round_tenth(area.top + area.height / 2.0), round_tenth(x - 8.0));
        let _ = writeln!(
            svg,
            "<text x=\"{title_x}\" y=\"{middle}\" transform=\"rotate(-90 {title_x} {middle})\" \
             text-anchor=\"middle\" fill=\"currentColor\">{}</text>",
            escaped(&cut(&self.title, area.height))
        );
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::super::PathPoint;
    use super::*;

    fn colours(errors: &[f64]) -> ErrorColours {
        let path: Vec<_> =
            errors.iter().map(|&error| PathPoint { at: Point2::new(0.0, 0.0), error: Some(error) }).collect();
        ErrorColours::of(&TopView {
            error_label: "error",
            error_unit: "m",
            path: &path,
            truth: &[],
            relations: &[],
            worst: &[],
            background: None,
        })
    }

    #[test]
    fn one_extreme_error_does_not_take_all_colours() {
        let mut errors: Vec<f64> = (1..=1000).map(|i| f64::from(i) / 1000.0).collect();
        assert_eq!(colours(&errors).end, 1.0);
        errors.push(80.0);
        let with_extreme = colours(&errors);
        assert!(with_extreme.end < 1.01 && with_extreme.largest == 80.0);
        assert_eq!(with_extreme.step(80.0), RAMP_STEPS - 1);
    }

    #[test]
    fn a_perfect_run_has_one_colour() {
        assert_eq!((colours(&[0.0, 0.0]).step(0.0), colours(&[]).step(1.0)), (0, 0));
    }
}
