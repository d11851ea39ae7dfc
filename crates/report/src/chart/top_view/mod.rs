//! A path seen from above, coloured by its error, with the worst places ringed; over a map if there is one.
//!
//! One metre is as long in both directions. Colours run from 0 to the largest error; a few extreme errors do not take
//! all colours for themselves: the scale then ends at the 99 % quantile, and its last number says so. What is worse is
//! drawn on top.

mod colour_bar;
mod layout;
mod path;
mod places;
mod runs;

use std::fmt::Write;

use model::Point2;

use super::frame::{WIDTH, close, note, open, round_tenth};
use super::lettering::LINE_PX;
use crate::figure::base64;
use colour_bar::ErrorColours;
use layout::Layout;
pub use runs::{RunPath, runs_by_error, runs_together};

/// A pose of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Where it lies, in metres.
    pub at: Point2,
    /// Its error; none where it could not be judged.
    pub error: Option<f64>,
}

/// A relation between two poses of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationLine {
    /// Where it begins, in metres.
    pub from: Point2,
    /// Where it ends, in metres.
    pub to: Point2,
    /// Its error.
    pub error: f64,
}

/// A place to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where it lies, in metres.
    pub at: Point2,
    /// What is there.
    pub label: String,
}

/// An image under the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background<'a> {
    /// The bytes of a PNG file, north up.
    pub png: &'a [u8],
    /// Its lower left corner, in metres.
    pub min: Point2,
    /// Its upper right corner, in metres.
    pub max: Point2,
}

/// What the view shows. Points that are not finite are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopView<'a> {
    /// What the colours mean, such as `translation error`.
    pub error_label: &'a str,
    /// Unit of the error, such as `m`.
    pub error_unit: &'a str,
    /// The path judged, in order of time.
    pub path: &'a [PathPoint],
    /// The path taken as true; empty for none.
    pub truth: &'a [Point2],
    /// Relations; empty for none.
    pub relations: &'a [RelationLine],
    /// The worst places, worst first; each gets a ring with its number, and a line below the figure.
    pub worst: &'a [Place],
    /// A map under it all.
    pub background: Option<Background<'a>>,
}

/// Draws the view; none without a point.
#[must_use]
pub fn top_view(view: &TopView<'_>) -> Option<String> {
    let layout = Layout::of(view)?;
    let colours = ErrorColours::of(view);
    let (relations, left_out) = path::chosen_relations(&layout, view.relations);
    let worst = places::listed(view.worst);
    let mut below = layout.area.bottom() + layout::FOOT_PX;
    let height = below + (worst.len() + usize::from(left_out > 0)) as f64 * LINE_PX;

    let mut svg = open(height, &format!("path seen from above, coloured by {}", view.error_label));
    if let Some(background) = &view.background {
        draw_background(&mut svg, &layout, background);
    }
    path::draw_truth(&mut svg, &layout, view.truth);
    path::draw_relations(&mut svg, &layout, &colours, &relations);
    path::draw_path(&mut svg, &layout, &colours, view.path);
    places::draw_rings(&mut svg, &layout, worst);
    layout.draw_scale_bar(&mut svg);
    colours.draw(&mut svg, layout.area);
    if left_out > 0 {
        let words = format!("the {} worst of {} relations are drawn", relations.len(), view.relations.len());
        note(&mut svg, (layout.area.left, below), &words);
        below += LINE_PX;
    }
    places::draw_list(&mut svg, worst, (layout.area.left, below), WIDTH);
    Some(close(svg))
}

fn draw_background(svg: &mut String, layout: &Layout, background: &Background<'_>) {
    let (left, bottom) = layout.place(background.min);
    let (right, top) = layout.place(background.max);
    let (width, height) = (round_tenth(right - left), round_tenth(bottom - top));
    if !(width > 0.0 && height > 0.0) {
        return;
    }
    // Writing into a string cannot fail.
    let _ = writeln!(
        svg,
        "<image x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
         opacity=\"0.55\" href=\"data:image/png;base64,{}\"/>",
        round_tenth(left),
        round_tenth(top),
        base64(background.png)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::assert_golden;

    fn empty<'a>() -> TopView<'a> {
        TopView {
            error_label: "translation error",
            error_unit: "m",
            path: &[],
            truth: &[],
            relations: &[],
            worst: &[],
            background: None,
        }
    }

    fn point(x_m: f64, y_m: f64, error: f64) -> PathPoint {
        PathPoint { at: Point2::new(x_m, y_m), error: Some(error) }
    }

    #[test]
    fn a_small_view_is_as_it_was() {
        let path = [point(0.0, 0.0, 0.0), point(4.0, 0.0, 0.1), point(4.0, 3.0, 0.4), point(8.0, 3.0, 0.2)];
        let truth = [Point2::new(0.0, 0.1), Point2::new(8.0, 3.2)];
        let relations = [RelationLine { from: path[0].at, to: path[2].at, error: 0.3 }];
        let worst = [Place { at: path[2].at, label: "0.4 m at 12 s <loop>".into() }];
        let background =
            Some(Background { png: b"PNG", min: Point2::new(-1.0, -1.0), max: Point2::new(9.0, 4.0) });
        let view = TopView {
            path: &path,
            truth: &truth,
            relations: &relations,
            worst: &worst,
            background,
            ..empty()
        };
        assert_golden("top_view.svg", &top_view(&view).unwrap());
    }

    #[test]
    fn nothing_to_draw_is_none() {
        assert_eq!(top_view(&empty()), None);
        let path = [point(f64::NAN, 0.0, 1.0)];
        assert_eq!(top_view(&TopView { path: &path, ..empty() }), None);
    }

    #[test]
    fn a_robot_that_stands_still_has_a_view() {
        let path = vec![point(3.0, -2.0, 0.0); 50];
        let svg = top_view(&TopView { path: &path, ..empty() }).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn a_million_poses_and_relations_make_a_small_view_with_the_worst_on_top() {
        let place =
            |i: u32| Point2::new((f64::from(i) * 0.001).sin() * 30.0, (f64::from(i) * 0.00137).cos() * 20.0);
        let error = |i: u32| if i == 654_321 { 5.0 } else { f64::from(i) / 1e6 };
        let path: Vec<_> =
            (0..1_000_000).map(|i| PathPoint { at: place(i), error: Some(error(i)) }).collect();
        let relations: Vec<_> = (0..1_000_000)
            .map(|i| RelationLine { from: place(i), to: place(i * 7 % 1_000_000), error: error(i) })
            .collect();
        let svg = top_view(&TopView { path: &path, relations: &relations, ..empty() }).unwrap();
        assert!(svg.len() < 300_000, "{} bytes", svg.len());
        let (dark, light) =
            (svg.find("stroke=\"#440154\"").unwrap(), svg.rfind("stroke=\"#fde725\"").unwrap());
        assert!(dark < light, "the largest errors are drawn last");
        assert!(svg.contains("largest 5<"), "the one extreme error is said");
    }
}
