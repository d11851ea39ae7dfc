//! Two scans on each other, as a displacement lays them: where the second one lies beside the first, it is wrong.

use std::fmt::Write;

use model::Point2;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{
    Area, MARGIN, WIDTH, X_AXIS_PX, close, note, open, round_tenth, x_axis, y_axis, y_axis_px,
};
use super::ink::COLOURS;
use super::lettering::LINE_PX;

/// Two scans in the frame of the first pose.
#[derive(Clone, Copy, Debug)]
pub struct ScanPair<'a> {
    /// Points of the first scan.
    pub first: &'a [Point2],
    /// Points of the second one, moved by the displacement.
    pub second: &'a [Point2],
    /// Where the second pose lies; the first one is the origin.
    pub second_pose: Point2,
    /// What is decided, in words.
    pub about: &'a str,
}

/// Points of a scan that are drawn; of more, every n-th.
const MAX_POINTS: usize = 2000;
/// The largest height of the plot.
const MAX_HEIGHT: f64 = 640.0;

/// Draws both scans with one scale for both directions; none without a point.
#[must_use]
pub fn scan_pair(pair: &ScanPair<'_>) -> Option<String> {
    let all = || {
        let places = [Point2::new(0.0, 0.0), pair.second_pose];
        pair.first.iter().chain(pair.second).copied().chain(places)
    };
    let is_drawn = |point: &Point2| drawable(point.x_m) && drawable(point.y_m);
    if !pair.first.iter().chain(pair.second).any(is_drawn) {
        return None;
    }
    let (left_m, right_m) = extent(all().filter(is_drawn).map(|point| point.x_m))?;
    let (low_m, high_m) = extent(all().filter(is_drawn).map(|point| point.y_m))?;
    let y_scale = Scale::round((low_m, high_m), 8);
    let left = y_axis_px(&y_scale);
    let width = WIDTH - left - MARGIN;
    let px_per_m = (width / (right_m - left_m).max(0.1)).min(MAX_HEIGHT / (high_m - low_m).max(0.1));
    // One scale for both axes: the ends are moved apart so that both fill the plot.
    let height = ((high_m - low_m).max(0.1) * px_per_m).max(200.0);
    let around = |low: f64, high: f64, pixels: f64| {
        let (middle, half) = (f64::midpoint(low, high), 0.5 * pixels / px_per_m);
        (middle - half, middle + half)
    };
    let x_scale = Scale::tight(around(left_m, right_m, width), 8);
    let y_scale = Scale::tight(around(low_m, high_m, height), 8);
    let area = Area { left, top: 12.0 + LINE_PX, width, height };
    let mut svg =
        open(area.bottom() + X_AXIS_PX + LINE_PX, &format!("two scans on each other: {}", pair.about));
    note(&mut svg, (left, 12.0), pair.about);
    y_axis(&mut svg, area, &y_scale, &y_scale.title(Axis { label: "y", unit: "m" }));
    x_axis(
        &mut svg,
        area,
        &x_scale,
        &x_scale.title(Axis { label: "x, seen from the first pose", unit: "m" }),
    );
    let place = |point: Point2| {
        (round_tenth(area.x_of(&x_scale, point.x_m)), round_tenth(area.y_of(&y_scale, point.y_m)))
    };
    for (points, colour, radius) in [(pair.first, COLOURS[0], 2.6), (pair.second, COLOURS[1], 1.6)] {
        let step = points.len().div_ceil(MAX_POINTS).max(1);
        for point in points.iter().filter(|point| is_drawn(point)).step_by(step) {
            let (x, y) = place(*point);
            // Writing into a string cannot fail.
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>");
        }
    }
    for (pose, colour) in [(Point2::new(0.0, 0.0), COLOURS[0]), (pair.second_pose, COLOURS[1])] {
        let (x, y) = place(pose);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
    }
    let words = "large dots: first scan; small dots: second scan as it is moved; rings: the poses";
    note(&mut svg, (left, area.bottom() + X_AXIS_PX + 0.3 * LINE_PX), words);
    Some(close(svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scans_are_drawn_at_one_scale_and_nothing_is_none() {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Point2::new(x, y));
        let pair =
            ScanPair { first: &square, second: &square, second_pose: Point2::new(0.5, 0.0), about: "r1 <b>" };
        let svg = scan_pair(&pair).unwrap();
        assert_eq!(svg.matches("<circle").count(), 4 + 4 + 2);
        assert!(svg.contains("r1 &lt;b&gt;"));
        assert_eq!(scan_pair(&ScanPair { first: &[], second: &[], ..pair }), None);
        let lost = [Point2::new(f64::NAN, 0.0)];
        assert_eq!(scan_pair(&ScanPair { first: &lost, second: &[], ..pair }), None);
    }
}
