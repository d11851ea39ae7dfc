//! The lab's page: the matrix, small multiples, agreement, costs. One HTML file that needs nothing else.

use minijinja::{Value, context};

use super::panel::{MAX_LINES, panel};
use super::table::used;
use super::value::{LabAnswer, LabCost, LabKind, LabMap, LabMetric, LabReport};
use crate::RenderError;
use crate::number::{fixed, shown};
use crate::page::PageKind;
use crate::printable::printable;

const PAGE: PageKind =
    PageKind { template: include_str!("page.html"), style: include_str!("page.css"), script: "", class: "" };

/// The page of a lab.
///
/// # Errors
/// The template fails.
pub fn lab_page(report: &LabReport, costs: &[LabCost]) -> Result<String, RenderError> {
    let metrics: Vec<Value> =
        report.metrics.iter().enumerate().map(|(index, metric)| metric_view(report, index, metric)).collect();
    let names = report.metrics.first().map(|metric| metric.invariance.keys().cloned().collect::<Vec<_>>());
    let page = context! {
        maps => report.maps.iter().map(map_line).collect::<Vec<_>>(),
        kinds => report.kinds.iter().map(kind_view).collect::<Vec<_>>(),
        pairs => report.kinds.iter().map(|kind| kind.pairs).sum::<usize>(),
        seeds => report.seeds,
        seed => report.seed,
        version => report.tool.version.clone(),
        max_level => report.kinds.iter().flat_map(|kind| &kind.levels).max(),
        is_cut => report.maps.len() > MAX_LINES,
        max_lines => MAX_LINES,
        metrics,
        invariances => names.unwrap_or_default(),
        verdicts => used(report).iter().map(|v| context! { name => v.name(), meaning => v.meaning() }).collect::<Vec<_>>(),
        notes => report.notes.clone(),
        clusters => report.clusters.iter().filter(|c| c.len() > 1).map(|c| c.join(", ")).collect::<Vec<_>>(),
        costs => costs.iter().map(cost_view).collect::<Vec<_>>(),
    };
    PAGE.render("Lab", page)
}

fn map_line(map: &LabMap) -> String {
    let name = printable(&map.name);
    format!("{name}: {} x {} cells of {} m", map.width_cells, map.height_cells, shown(Some(map.cell_size_m)))
}

fn kind_view(kind: &LabKind) -> Value {
    let ends = [kind.strengths.first(), kind.strengths.last()]
        .map(|end| end.map(f64::to_string).unwrap_or_default());
    let span = if kind.strengths.len() > 1 {
        format!("{} to {} {}", ends[0], ends[1], kind.unit)
    } else {
        String::new()
    };
    context! { name => kind.name.clone(), title => kind.title.clone(), span => span.trim_end() }
}

fn metric_view(report: &LabReport, index: usize, metric: &LabMetric) -> Value {
    let count = report.kinds.len();
    let cell = |(at, kind): (usize, &LabKind)| {
        let answer = report.answers.get(index * count + at);
        let curves = report.curves.get(index * count + at).map_or(&[][..], Vec::as_slice);
        let word = answer.map(LabAnswer::word).unwrap_or_default();
        context! {
            verdict => answer.map(|answer| answer.verdict.name()),
            about => answer.map(about),
            panel => panel(&format!("{} under {}: {word}", metric.id, kind.name), curves),
            word,
        }
    };
    context! {
        id => metric.id.clone(),
        title => metric.title.clone(),
        cells => report.kinds.iter().enumerate().map(cell).collect::<Vec<_>>(),
        invariance => metric.invariance.values().map(|value| shown(*value)).collect::<Vec<_>>(),
        one_cell => shown(metric.one_cell),
        one_degree => shown(metric.one_degree),
    }
}

/// The numbers behind a word.
fn about(answer: &LabAnswer) -> String {
    let two = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| fixed(value, 2));
    let ends = |interval: Option<[f64; 2]>| {
        interval.map_or_else(String::new, |[low, high]| format!(" ({} to {})", fixed(low, 2), fixed(high, 2)))
    };
    let by_level: Vec<String> = answer.separation_by_level.iter().map(|value| two(*value)).collect();
    format!(
        "tau {}{}, AUC {}{}, by level {}, undefined {}",
        two(answer.tau),
        ends(answer.tau_interval),
        two(answer.separation),
        ends(answer.separation_interval),
        by_level.join(" "),
        two(answer.undefined)
    )
}

fn cost_view(cost: &LabCost) -> Value {
    context! { metric => cost.metric.clone(), ms => fixed(cost.processor_ms, 2), mb => fixed(cost.memory_bytes as f64 / 1e6, 1) }
}
