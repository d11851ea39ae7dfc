//! The report as one HTML file that needs nothing else: no network, no script, no font.
//!
//! This file knows what the page says, `html/report.html` in which order; the frame and the look are those of all pages.

mod case;
mod many;
mod metric;
mod ranking;
mod verdict;

use minijinja::{Value, context};

use crate::comparison::Comparison;
use crate::figure::{HEAT_STOPS, OVERLAY_LEGEND, Rgb};
use crate::number::{MISSING, percent};
use crate::page::PageKind;
use crate::plot::{Curve, tolerance_svg};
use crate::printable::printable;
use crate::{CaseReport, RenderError, Report, Status, run_figures};

const PAGE: PageKind =
    PageKind { template: include_str!("html/report.html"), style: "", script: "", class: "" };

/// The metric whose evidence holds the curve over the tolerance.
const CURVE_METRIC: &str = "tolerance_f1_area";
/// With more cases than this a page has thumbnails and a table that can be sorted, and is small enough to mail.
const MAX_CASES_IN_FULL: usize = 12;
/// More lines than this cannot be told apart.
const MAX_CURVES: usize = 8;

/// The report as one HTML page with its figures.
///
/// # Errors
/// A figure cannot be drawn.
pub fn html(report: &Report) -> Result<String, RenderError> {
    let comparison = Comparison::of(report);
    if report.cases.len() > MAX_CASES_IN_FULL {
        return many::page(report, &comparison);
    }
    let cases = report.cases.iter().enumerate().map(|(index, case)| case::view(index, case, report));
    let cases: Vec<_> = cases.collect::<Result<_, _>>()?;
    let page = context! {
        title => title(report),
        is_trajectory => report.cases.iter().any(CaseReport::is_trajectory),
        is_about_places => !report.cases.is_empty() && report.cases.iter().all(CaseReport::is_about_places),
        tool => format!("{} {}", printable(&report.tool.name), printable(&report.tool.version)),
        schema => printable(&report.schema),
        verdict => verdict::view(report, &comparison),
        tiles => verdict::tiles(report, &comparison),
        comparison => comparison_table(&comparison),
        cases => cases,
        plot => plot(report),
        most_curves => MAX_CURVES,
        ranking => report.comparison.as_ref().map(ranking::view),
        figures => run_figures(report).iter().map(case::figure_view).collect::<Result<Vec<_>, _>>()?,
        families => metric::families(&comparison),
        overlay_legend => legend(),
        heat_gradient => gradient(),
    };
    PAGE.render(&title(report), page)
}

fn title(report: &Report) -> String {
    let judged = || report.cases.iter().filter(|case| case.error.is_none());
    match report.cases.as_slice() {
        [] => "Nothing was judged".to_owned(),
        [case] => printable(&case.name),
        cases if judged().next().is_some() && judged().all(CaseReport::is_trajectory) => {
            format!("{} runs against one truth", cases.len())
        }
        cases if judged().next().is_some() && judged().all(CaseReport::is_against_others) => {
            format!("{} maps against each other", cases.len())
        }
        cases if cases.iter().all(CaseReport::is_about_places) => {
            format!("{} submissions against the true places", cases.len())
        }
        cases => format!("{} maps against one truth", cases.len()),
    }
}

/// What the last colour of a heat map stands for; none for other figures.
pub(crate) fn heat_end(figure: &crate::Figure) -> Option<String> {
    case::scale_end(figure)
}

/// The side-by-side table; none for a single case.
fn comparison_table(comparison: &Comparison) -> Option<Value> {
    if comparison.cases.len() < 2 {
        return None;
    }
    let names: Vec<_> = comparison.cases.iter().map(|case| printable(&case.name)).collect();
    let coverage: Option<Vec<_>> =
        comparison.needs_coverage_row().then(|| comparison.cases.iter().map(coverage_of).collect());
    let mut family = "";
    let rows: Vec<_> = comparison
        .rows
        .iter()
        .map(|row| {
            let opens_family = family != row.family;
            family = row.family;
            let digits = row.digits();
            let slots: Vec<_> = row.slots.iter().map(|slot| metric::slot_view(slot, digits)).collect();
            context! {
                id => printable(&row.facts.id),
                title => printable(&row.facts.title),
                unit => unit_of(row.facts.unit),
                better => row.facts.better.name(),
                family => row.family,
                opens_family,
                slots,
            }
        })
        .collect();
    let has_warning = comparison
        .rows
        .iter()
        .flat_map(|row| &row.slots)
        .any(|slot| slot.record.is_some_and(|record| record.status == Status::Warning));
    Some(context! { names, coverage, rows, has_best => comparison.has_best(), has_warning })
}

/// The curve over the tolerance: three lines for one case, the F1 of each for several.
fn plot(report: &Report) -> Option<String> {
    let line = |case: &CaseReport, key: &str, label: &str| Curve {
        label: label.to_owned(),
        points: curve_points(case, key),
    };
    let (name, curves): (_, Vec<Curve>) = match report.cases.as_slice() {
        [case] => {
            let lines = [("precision", "precision"), ("recall", "recall"), ("f1", "F1")];
            ("share", lines.map(|(key, label)| line(case, key, label)).into())
        }
        cases => ("F1", leaders(cases).into_iter().map(|case| line(case, "f1", &case.name)).collect()),
    };
    let mut sizes = report.cases.iter().filter_map(|case| case.grid.as_ref()).map(|grid| grid.cell_size_m);
    let first = sizes.next();
    let common_size = first.filter(|first| sizes.all(|size| size.to_bits() == first.to_bits()));
    tolerance_svg(name, &curves, common_size)
}

/// The cases with the largest area under the curve, in the order of the report.
fn leaders(cases: &[CaseReport]) -> Vec<&CaseReport> {
    let area = |case: &CaseReport| case.metric(CURVE_METRIC).and_then(|record| record.value);
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order
        .sort_by(|&a, &b| area(&cases[b]).partial_cmp(&area(&cases[a])).unwrap_or(std::cmp::Ordering::Equal));
    order.truncate(MAX_CURVES);
    order.sort_unstable();
    order.into_iter().map(|index| &cases[index]).collect()
}

fn curve_points(case: &CaseReport, series: &str) -> Vec<(f64, f64)> {
    let curve = case.metric(CURVE_METRIC).and_then(|record| record.evidence.curve("curve"));
    curve.map(|curve| curve.points(series)).unwrap_or_default()
}

fn coverage_of(case: &CaseReport) -> String {
    case.coverage().map_or_else(|| MISSING.to_owned(), percent)
}

/// A unit as HTML can print it.
pub(crate) const fn unit_of(unit: metrics::Unit) -> &'static str {
    match unit {
        metrics::Unit::SquareMetres => "m²",
        other => other.symbol(),
    }
}

fn legend() -> Vec<Value> {
    // Errors first: they are what a reader looks for.
    let rows = OVERLAY_LEGEND.iter().rev();
    rows.map(|(colour, meaning)| context! { colour => css_colour(*colour), meaning => *meaning }).collect()
}

pub(crate) fn gradient() -> String {
    HEAT_STOPS.map(css_colour).join(", ")
}

fn css_colour([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::golden::assert_golden;
    use crate::page::{STYLE, prose};

    #[test]
    fn one_case_is_a_page() {
        let mut report = example::one_case();
        // A card belongs to its metric; rewording it must not change this file.
        report.cases[0].metrics.retain(|record| metrics::find(&record.id).is_none());
        assert_golden("one_case.html", &html(&report).unwrap().replace(STYLE, ""));
    }

    #[test]
    fn several_cases_stand_side_by_side_on_a_page() {
        let text = html(&example::two_cases()).unwrap();
        assert!(text.contains("2 maps against one truth"));
        assert!(text.contains("class=\"best\""));
    }

    #[test]
    fn a_case_that_could_not_be_judged_is_said_first_and_at_its_place() {
        let text = html(&example::with_failure()).unwrap();
        assert!(text.contains("1 of 3 cases could not be judged: broken"), "{text}");
        assert!(text.contains("<code>MALFORMED</code> broken.png: expected a PNG"), "{text}");
        assert!(text.contains("class=\"verdict missed\"") && !text.contains("nothing was aligned"));
    }

    #[test]
    fn every_text_of_a_stranger_is_escaped() {
        let text = html(&example::hostile()).unwrap();
        assert!(!text.contains("<b>"), "no tag of a file name may open");
        assert!(text.contains("&lt;b&gt;"));
    }

    #[test]
    fn the_page_asks_the_network_for_nothing() {
        let mut report = example::one_case();
        report.cases[0].figures = example::figures();
        let text = html(&report).unwrap();
        let overlay = report.cases[0].figure("overlay").unwrap().data_uri().unwrap();
        assert!(
            text.contains(&format!("src=\"{overlay}\"")) && overlay.starts_with("data:image/png;base64,")
        );
        assert!(text.contains("<span>0.2 m</span>") && text.contains("Truth and map of office"));
        let outside = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!outside.contains("http://") && !outside.contains("https://"));
        assert!(!outside.contains("<script") && !outside.contains("@import"));
    }

    #[test]
    fn the_curve_of_the_tolerance_is_drawn() {
        let mut report = example::one_case();
        let mut record = example::harmony(Some(0.5), &[]);
        record.id = CURVE_METRIC.into();
        record.evidence.curves.push(metrics::Curve {
            name: "curve".into(),
            axis: "tolerance_cells".into(),
            at: vec![0.0, 4.0],
            series: vec![("precision".into(), vec![0.5, 1.0]), ("recall".into(), vec![0.25, 0.5])],
        });
        report.cases[0].metrics.push(record);
        let text = html(&report).unwrap();
        assert!(text.contains(">precision</text>") && text.contains(">recall</text>"));
        assert!(!text.contains(">F1</text>"), "a line without values is not drawn");
    }

    #[test]
    fn of_many_maps_the_best_are_drawn_in_their_order() {
        let values: Vec<_> = (0..10).map(|i| Some(f64::from(i))).collect();
        let mut report = example::one_metric(metrics::Better::Higher, None, &values);
        for case in &mut report.cases {
            case.metrics[0].id = CURVE_METRIC.into();
        }
        let names: Vec<_> = leaders(&report.cases).into_iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["map2", "map3", "map4", "map5", "map6", "map7", "map8", "map9"]);
    }

    #[test]
    fn every_listed_metric_stands_on_the_page_with_its_meaning() {
        let record = |entry: &metrics::Entry| crate::MetricRecord {
            id: entry.spec.id.into(),
            title: entry.spec.title.into(),
            unit: entry.spec.unit,
            better: entry.spec.better,
            params: (entry.make)().params(),
            ..example::overall_error(1.0)
        };
        let case = example::case("a", metrics::all().map(record).collect());
        let text = html(&example::report(vec![case])).unwrap();
        for entry in metrics::all() {
            let meaning = prose(&metric::capitalized(&entry.spec.meaning()));
            assert!(text.contains(&meaning), "{}: {meaning}", entry.spec.id);
        }
    }

    #[test]
    fn the_empty_report_is_a_page_too() {
        assert!(html(&example::report(Vec::new())).unwrap().contains("Nothing was judged"));
    }
}
