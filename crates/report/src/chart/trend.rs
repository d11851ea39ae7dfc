//! Values over the entries of a history: a line per case, or of many cases the median and the range.

use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{
    Anchor, Area, MARGIN, WIDTH, X_AXIS_PX, close, note, open, round_tenth, text, y_axis, y_axis_px,
};
use super::ink::{COLOURS, DASHES};
use super::legend::{Entry, Legend, Mark};
use super::lettering::{LINE_PX, cut, width_px};

/// The values of one case, one per entry; none where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrendLine<'a> {
    pub label: &'a str,
    pub values: &'a [Option<f64>],
}

const PLOT_HEIGHT: f64 = 180.0;
/// More lines than this cannot be told apart: the median and the range are drawn instead.
const MAX_LINES: usize = 6;
/// Room between two names of entries.
const NAME_GAP_PX: f64 = 16.0;

/// Draws values over the named entries, the oldest on the left; none without a value. `about` says what is drawn.
#[must_use]
pub fn trend(about: &str, y: Axis<'_>, entries: &[String], lines: &[TrendLine<'_>]) -> Option<String> {
    let finite = |value: &Option<f64>| value.filter(|value| drawable(*value));
    let all = lines.iter().flat_map(|line| line.values.iter().filter_map(finite));
    let y_scale = Scale::round(extent(all)?, 5);
    let x_scale = Scale::tight((0.0, entries.len().max(2) as f64 - 1.0), 2);
    let left = y_axis_px(&y_scale);
    let is_many = lines.len() > MAX_LINES;
    let legend = Legend::new(left, legend_entries(lines, is_many));
    let top = legend.height() + 10.0;
    let area = Area { left, top, width: WIDTH - left - MARGIN, height: PLOT_HEIGHT };
    let mut svg = open(area.bottom() + X_AXIS_PX, &format!("{about} over time"));
    legend.draw(&mut svg, 0.0);
    y_axis(&mut svg, area, &y_scale, &y_scale.title(y));
    entry_names(&mut svg, area, &x_scale, entries);
    let place = |(at, value): (usize, f64)| (area.x_of(&x_scale, at as f64), area.y_of(&y_scale, value));
    if is_many {
        let columns: Vec<Vec<f64>> = (0..entries.len()).map(|at| column(lines, at)).collect();
        for (low, high, opacity) in [(0.0, 1.0, 0.14), (0.25, 0.75, 0.25)] {
            let band = |share: f64| quantiles(&columns, share).into_iter().map(place).collect::<Vec<_>>();
            draw_band(&mut svg, &band(low), &band(high), opacity);
        }
        draw_line(&mut svg, 0, &quantiles(&columns, 0.5).into_iter().map(place).collect::<Vec<_>>());
    } else {
        for (index, line) in lines.iter().enumerate() {
            let values = line.values.iter().enumerate().filter_map(|(at, value)| Some((at, finite(value)?)));
            draw_line(&mut svg, index, &values.map(place).collect::<Vec<_>>());
        }
    }
    let words = format!("{} entries, the oldest on the left", entries.len());
    note(&mut svg, (left, area.bottom() + 14.0 + LINE_PX), &words);
    Some(close(svg))
}

fn legend_entries(lines: &[TrendLine<'_>], is_many: bool) -> Vec<Entry> {
    if is_many {
        let shade = |text: &str| Entry { mark: Mark::Shade(COLOURS[0]), text: text.to_owned() };
        let median = Entry {
            mark: Mark::DottedLine(COLOURS[0], DASHES[0]),
            text: format!("median of {} cases", lines.len()),
        };
        return vec![median, shade("middle half and range")];
    }
    let entry = |(index, line): (usize, &TrendLine<'_>)| Entry {
        mark: Mark::DottedLine(COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]),
        text: line.label.to_owned(),
    };
    lines.iter().enumerate().map(entry).collect()
}

/// Names of entries below the plot, as many as have room; first and last always.
fn entry_names(svg: &mut String, area: Area, scale: &Scale, entries: &[String]) {
    let mut free_from = f64::NEG_INFINITY;
    let last = entries.len().saturating_sub(1);
    let of = |at: usize| {
        let text = cut(&entries[at], area.width / 3.0);
        let half = width_px(&text) / 2.0;
        let x = area.x_of(scale, at as f64);
        (x, x.clamp(half, WIDTH - half), half, text)
    };
    let end = entries.get(last).map(|_| of(last));
    let last_left = end.map_or(WIDTH, |(_, middle, half, _)| middle - half);
    for at in 0..entries.len() {
        let (x, middle, half, name) = of(at);
        let fits = middle - half >= free_from && middle + half + NAME_GAP_PX <= last_left;
        if at != last && at != 0 && !fits {
            continue;
        }
        free_from = middle + half + NAME_GAP_PX;
        let _ = writeln!(
            svg,
            "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"currentColor\" opacity=\"0.18\"/>",
            round_tenth(x),
            round_tenth(area.top),
            round_tenth(area.bottom() + 5.0)
        );
        text(svg, (middle, area.bottom() + 14.0), Anchor::Middle, &name);
    }
}

/// The values of one entry, sorted.
fn column(lines: &[TrendLine<'_>], at: usize) -> Vec<f64> {
    let values = lines.iter().filter_map(|line| line.values.get(at).copied().flatten());
    let mut values: Vec<f64> = values.filter(|value| drawable(*value)).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The value at a share of each column, by the number of its entry.
fn quantiles(columns: &[Vec<f64>], share: f64) -> Vec<(usize, f64)> {
    let of = |(at, column): (usize, &Vec<f64>)| {
        let index = (share * column.len().saturating_sub(1) as f64).round() as usize;
        Some((at, *column.get(index)?))
    };
    columns.iter().enumerate().filter_map(of).collect()
}

fn draw_band(svg: &mut String, low: &[(f64, f64)], high: &[(f64, f64)], opacity: f64) {
    let points = points_of(low.iter().chain(high.iter().rev()));
    let _ = writeln!(svg, "<polygon points=\"{points}\" fill=\"{}\" opacity=\"{opacity}\"/>", COLOURS[0]);
}

fn draw_line(svg: &mut String, index: usize, points: &[(f64, f64)]) {
    let (colour, dash) = (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" \
         stroke-dasharray=\"{dash}\"/>",
        points_of(points.iter())
    );
    let dots: String =
        points.iter().map(|&(x, y)| format!("M{} {}h0", round_tenth(x), round_tenth(y))).collect();
    let _ =
        writeln!(svg, "<path d=\"{dots}\" stroke=\"{colour}\" stroke-width=\"5\" stroke-linecap=\"round\"/>");
}

fn points_of<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> String {
    let words: Vec<_> = points.map(|&(x, y)| format!("{},{}", round_tenth(x), round_tenth(y))).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const Y: Axis<'_> = Axis { label: "value", unit: "cells" };

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("commit-{at:07}")).collect()
    }

    #[test]
    fn a_few_cases_have_a_line_each_with_gaps_left_out() {
        let values = [Some(1.0), None, Some(3.0)];
        let line = TrendLine { label: "a<b", values: &values };
        let svg =
            trend("Overall error", Y, &names(3), &[line, TrendLine { label: "c", values: &[Some(2.0)] }])
                .unwrap();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("a&lt;b") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn many_cases_are_a_median_with_its_range() {
        let values: Vec<Vec<Option<f64>>> = (0..50).map(|i| vec![Some(f64::from(i)); 100]).collect();
        let lines: Vec<_> = values.iter().map(|values| TrendLine { label: "x", values }).collect();
        let svg = trend("Overall error", Y, &names(100), &lines).unwrap();
        assert_eq!((svg.matches("<polygon").count(), svg.matches("<polyline").count()), (2, 1));
        assert!(svg.contains("median of 50 cases") && svg.len() < 20_000, "{} bytes", svg.len());
        assert!(svg.contains("commit-0000000") && svg.contains("commit-0000099"), "first and last are named");
        assert!(svg.matches("commit-").count() < 12, "names keep apart");
    }

    #[test]
    fn nothing_to_draw_is_none() {
        assert_eq!(trend("Overall error", Y, &names(2), &[]), None);
        assert_eq!(
            trend("Overall error", Y, &[], &[TrendLine { label: "a", values: &[Some(f64::NAN), None] }]),
            None
        );
        assert!(
            trend("Overall error", Y, &names(1), &[TrendLine { label: "a", values: &[Some(0.0)] }]).is_some()
        );
    }
}
