//! Curves over the tolerance as plain SVG: labelled axes, a name at the end of each line, print-safe dashes.
//!
//! Text and axes take the colour of the page (`currentColor`), so that the plot works on white and on black.

use std::fmt::Write;

use crate::chart::{COLOURS, DASHES, escaped, round_tenth, tick_step};
use crate::number::shown;

/// A line of the plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    /// Its name, printed at its end.
    pub(crate) label: String,
    /// Tolerance in cells and value between 0 and 1, in order of the tolerance.
    pub(crate) points: Vec<(f64, f64)>,
}

const PLOT_WIDTH: f64 = 360.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 16.0;
const PLOT_HEIGHT: f64 = 250.0;
/// From the end of the lines to their labels, and the width of a letter.
const LABEL_GAP: f64 = 22.0;
const LETTER_WIDTH: f64 = 7.6;
const LABEL_STEP: f64 = 15.0;
/// Letters of a label; longer names are cut here and stand in full in the table of the page.
const LABEL_LETTERS: usize = 32;

/// The plot of values between 0 and 1 over the tolerance; none without a line of two points.
pub(crate) fn tolerance_svg(value_name: &str, curves: &[Curve], cell_size_m: Option<f64>) -> Option<String> {
    let curves: Vec<&Curve> = curves.iter().filter(|curve| curve.points.len() > 1).collect();
    let ends = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
    let max_cells = ends.max_by(f64::total_cmp).filter(|&max| max > 0.0)?;
    let longest = curves.iter().map(|curve| curve.label.chars().count().min(LABEL_LETTERS)).max()?;
    let width = (LEFT + PLOT_WIDTH + LABEL_GAP + LETTER_WIDTH * longest as f64).ceil();
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" \
         aria-label=\"{value_name} over the tolerance\" xmlns=\"http://www.w3.org/2000/svg\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n"
    );
    value_axis(&mut svg, value_name);
    tolerance_axis(&mut svg, max_cells, cell_size_m);
    let labels = label_heights(&curves);
    for (index, (curve, label_y)) in curves.iter().zip(labels).enumerate() {
        draw_curve(&mut svg, index, curve, max_cells, label_y);
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

fn x_of(cells: f64, max_cells: f64) -> f64 {
    LEFT + cells / max_cells * PLOT_WIDTH
}

fn y_of(value: f64) -> f64 {
    TOP + (1.0 - value.clamp(0.0, 1.0)) * PLOT_HEIGHT
}

fn value_axis(svg: &mut String, value_name: &str) {
    for step in 0..=4 {
        let value = f64::from(step) / 4.0;
        let (y, right) = (y_of(value), LEFT + PLOT_WIDTH);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"currentColor\" opacity=\"0.18\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"currentColor\">{value}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    let middle = TOP + PLOT_HEIGHT / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"14\" y=\"{middle}\" transform=\"rotate(-90 14 {middle})\" text-anchor=\"middle\" \
         fill=\"currentColor\">{value_name}</text>"
    );
}

fn tolerance_axis(svg: &mut String, max_cells: f64, cell_size_m: Option<f64>) {
    let bottom = TOP + PLOT_HEIGHT;
    let step = tick_step(max_cells, 8);
    let ticks = (max_cells / step + 1e-9).floor() as usize;
    for tick in 0..=ticks {
        let cells = tick as f64 * step;
        let x = round_tenth(x_of(cells, max_cells));
        let _ = write!(
            svg,
            "<line x1=\"{x}\" y1=\"{bottom}\" x2=\"{x}\" y2=\"{}\" stroke=\"currentColor\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\">{}</text>",
            bottom + 5.0,
            bottom + 18.0,
            shown(Some(cells))
        );
        if let Some(cell_size_m) = cell_size_m {
            let metres = shown(Some(cells * cell_size_m));
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\" opacity=\"0.7\">{metres} m</text>",
                bottom + 34.0
            );
        }
        svg.push('\n');
    }
    let axis =
        if cell_size_m.is_some() { "tolerance in cells, in metres below" } else { "tolerance in cells" };
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\">{axis}</text>",
        LEFT + PLOT_WIDTH / 2.0,
        bottom + 56.0
    );
}

/// The height of each label: that of the line's end, pushed apart where lines end close together.
fn label_heights(curves: &[&Curve]) -> Vec<f64> {
    let end = |curve: &Curve| curve.points.last().map_or(0.0, |point| y_of(point.1));
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|&a, &b| end(curves[a]).total_cmp(&end(curves[b])));
    let mut heights = vec![0.0; curves.len()];
    let mut lowest_free = TOP;
    for &index in &order {
        heights[index] = end(curves[index]).max(lowest_free);
        lowest_free = heights[index] + LABEL_STEP;
    }
    let overflow = (lowest_free - LABEL_STEP - (TOP + PLOT_HEIGHT)).max(0.0);
    let mut highest_taken = f64::INFINITY;
    for &index in order.iter().rev() {
        // Only labels in the way of the last one move up.
        if overflow > 0.0 {
            heights[index] = heights[index].min(highest_taken - LABEL_STEP).min(TOP + PLOT_HEIGHT);
            highest_taken = heights[index];
        }
    }
    heights
}

fn draw_curve(svg: &mut String, index: usize, curve: &Curve, max_cells: f64, label_y: f64) {
    let colour = COLOURS[index % COLOURS.len()];
    let dash = DASHES[index % DASHES.len()];
    let place = |&(cells, value): &(f64, f64)| {
        format!("{},{}", round_tenth(x_of(cells, max_cells)), round_tenth(y_of(value)))
    };
    let points: Vec<_> = curve.points.iter().map(place).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" \
         stroke-linejoin=\"round\" stroke-dasharray=\"{dash}\"/>",
        points.join(" ")
    );
    let (x, y) = curve.points.last().map_or((0.0, 0.0), |p| (x_of(p.0, max_cells), y_of(p.1)));
    let (x, y, label_y) = (round_tenth(x), round_tenth(y), round_tenth(label_y));
    let _ = writeln!(
        svg,
        "<path d=\"M{} {y} L{} {label_y} h6\" fill=\"none\" stroke=\"{colour}\"/>\
         <text x=\"{}\" y=\"{}\" fill=\"currentColor\">{}</text>",
        x + 2.0,
        x + 10.0,
        x + 20.0,
        label_y + 4.0,
        label(&curve.label)
    );
}

/// A name of a stranger, cut and escaped for XML.
fn label(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.len() > LABEL_LETTERS {
        letters.truncate(LABEL_LETTERS - 1);
        letters.push('…');
    }
    escaped(&String::from_iter(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(label: &str, points: &[(f64, f64)]) -> Curve {
        Curve { label: label.into(), points: points.to_vec() }
    }

    #[test]
    fn a_line_goes_from_corner_to_corner() {
        let svg = tolerance_svg("F1", &[curve("a", &[(0.0, 0.0), (10.0, 1.0)])], Some(0.05)).unwrap();
        assert!(svg.contains("points=\"56,266 416,16\""), "{svg}");
        assert!(svg.contains(">0.5 m</text>"), "10 cells of 0.05 m");
        assert!(svg.contains(">a</text>"));
    }

    #[test]
    fn nothing_to_draw_is_none() {
        assert_eq!(tolerance_svg("F1", &[], None), None);
        assert_eq!(tolerance_svg("F1", &[curve("a", &[(1.0, 1.0)])], None), None);
        assert_eq!(tolerance_svg("F1", &[curve("a", &[(0.0, 1.0), (0.0, 1.0)])], None), None);
    }

    #[test]
    fn labels_of_lines_that_end_together_do_not_overlap() {
        for value in [0.0, 0.5, 1.0] {
            let lines: Vec<_> = (0..6).map(|_| curve("a", &[(0.0, 0.0), (1.0, value)])).collect();
            let mut heights = label_heights(&lines.iter().collect::<Vec<_>>());
            heights.sort_by(f64::total_cmp);
            assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= LABEL_STEP - 1e-9), "{heights:?}");
            assert!(heights[0] >= TOP && heights[5] <= TOP + PLOT_HEIGHT, "{heights:?}");
        }
    }

    #[test]
    fn a_hostile_name_stays_text_and_short() {
        assert_eq!(label("<script>&"), "&lt;script&gt;&amp;");
        assert_eq!(label(&"x".repeat(40)).chars().count(), LABEL_LETTERS);
    }
}
