//! Small multiples: one little chart per metric and kind.

use std::fmt::Write;

use super::value::LabCurve;
use crate::chart::round_tenth;

const WIDTH: f64 = 72.0;
const HEIGHT: f64 = 34.0;
const MARGIN: f64 = 3.0;
/// Lines of more maps than this would hide each other, and make the page large.
pub(super) const MAX_LINES: usize = 12;

/// Badness over the levels, one thin line per map and a band over the seeds; empty where no map has a value. All maps share
/// the vertical axis, from the lowest to the highest value. `about` says in words what is drawn.
pub(super) fn panel(about: &str, curves: &[LabCurve]) -> String {
    let drawn = &curves[..curves.len().min(MAX_LINES)];
    let values = drawn.iter().flat_map(|curve| curve.points.iter().flatten()).flatten().copied();
    let ends = values.filter(|value| value.abs() < 1e100).fold(None, |ends: Option<(f64, f64)>, value| {
        Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
    });
    let Some((low, high)) = ends else { return String::new() };
    let span = high - low;
    let levels = drawn.iter().map(|curve| curve.points.len()).max().unwrap_or(0).max(2);
    let x = |level: usize| round_tenth(MARGIN + (WIDTH - 2.0 * MARGIN) * level as f64 / (levels - 1) as f64);
    let y = |value: f64| {
        let share = if span > 0.0 { (value - low) / span } else { 0.0 };
        round_tenth(HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * share)
    };
    let mut svg =
        format!("<svg class=\"panel\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{about}\">");
    for curve in drawn {
        let points = curve.points.iter().enumerate().filter_map(|(level, point)| Some((level, (*point)?)));
        let points: Vec<(usize, [f64; 3])> =
            points.filter(|(_, p)| p.iter().all(|v| v.abs() < 1e100)).collect();
        let is_band = points.iter().any(|(_, [least, _, most])| y(*least) != y(*most));
        if is_band {
            let upper = points.iter().map(|(level, p)| format!("{},{}", x(*level), y(p[2])));
            let lower = points.iter().rev().map(|(level, p)| format!("{},{}", x(*level), y(p[0])));
            let corners: Vec<String> = upper.chain(lower).collect();
            let _ = write!(svg, "<polygon points=\"{}\"/>", corners.join(" "));
        }
        let line: Vec<String> =
            points.iter().map(|(level, p)| format!("{},{}", x(*level), y(p[1]))).collect();
        let _ = write!(svg, "<polyline points=\"{}\"/>", line.join(" "));
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_rise_with_badness_and_bands_are_drawn_where_seeds_differ() {
        let flat = |value: f64| Some([value; 3]);
        let curves = [
            LabCurve { points: vec![flat(0.0), flat(1.0), flat(2.0)] },
            LabCurve { points: vec![flat(0.0), Some([0.5, 1.0, 1.5]), None] },
        ];
        let svg = panel("a on b", &curves);
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<polygon").count()), (2, 1));
        assert!(svg.contains("points=\"3,31 36,17 69,3\""), "{svg}");
        assert!(panel("nothing", &[LabCurve { points: vec![None, None] }]).is_empty());
        assert!(panel("equal", &[LabCurve { points: vec![flat(1.0); 2] }]).contains("3,31 69,31"));
    }
}
