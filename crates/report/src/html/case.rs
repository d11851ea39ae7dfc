//! One case on the page: figures, window, alignment, findings, inputs.

use minijinja::{Value, context};

use crate::figure::switched;
use crate::footer::{alignment_of, coverage_words, level_word, window_words};
use crate::number::shown;
use crate::printable::printable;
use crate::{CaseReport, Cells, Content, Figure, ImageError, Input, Layer, Palette, Report};

/// The figures that stand beside each other at the head of a case.
const PAIR: [&str; 2] = ["overlay", "errors"];

pub(super) fn view(index: usize, case: &CaseReport, report: &Report) -> Result<Value, ImageError> {
    let [overlay, errors] = PAIR.map(|name| case.figure(name));
    let uri = |figure: Option<&Figure>| figure.map(Figure::data_uri).transpose();
    let others = case.figures.iter().filter(|figure| !PAIR.contains(&figure.name.as_str()));
    let findings: Vec<_> = case.findings.iter().map(finding_view).collect();
    let missed = report.limits.iter().filter(|limit| limit.case == case.name && !limit.held).count();
    Ok(context! {
        anchor => format!("case-{index}"),
        name => printable(&case.name),
        is_failed => case.error.is_some(),
        is_trajectory => case.is_trajectory(),
        is_about_places => case.is_about_places(),
        coverage => (!case.is_about_places()).then(|| coverage_words(case)),
        window => case.grid.as_ref().map(window_words),
        alignment => alignment_of(case),
        certificate => case.alignment.as_ref().and_then(|a| a.certificate.as_ref()).map(super::metric::facts),
        overlay => uri(overlay)?,
        heat => uri(errors)?,
        heat_max => errors.and_then(scale_end),
        figures => others.map(figure_view).collect::<Result<Vec<_>, _>>()?,
        findings,
        missed,
        inputs => case.inputs.iter().map(input_view).collect::<Vec<_>>(),
    })
}

/// What the last colour of the heat map stands for.
pub(super) fn scale_end(errors: &Figure) -> Option<String> {
    match &errors.layer("errors")?.content {
        Content::Cells(Cells { palette: Palette::Scale { max, .. }, .. }) => Some(shown(Some(*max))),
        _ => None,
    }
}

pub(super) fn figure_view(figure: &Figure) -> Result<Value, ImageError> {
    let switched = switched(figure)?;
    let (uri, svg) = match switched {
        Some(_) => (None, None),
        None if figure.is_vector() => (None, Some(figure.svg()?)),
        None => (Some(figure.data_uri()?), None),
    };
    Ok(context! {
        title => printable(&figure.title),
        caption => printable(&figure.caption),
        is_detail => switched.is_none() && is_detail(figure),
        switched,
        uri,
        svg,
    })
}

/// Whether a figure shows a few cells of a map, and is drawn small beside others.
fn is_detail(figure: &Figure) -> bool {
    const MAX_CELLS: usize = 48;
    let is_small = |layer: &Layer| match &layer.content {
        Content::Cells(Cells { geometry, .. }) => geometry.width().max(geometry.height()) <= MAX_CELLS,
        _ => true,
    };
    let has_cells = figure.layers.iter().any(|layer| matches!(layer.content, Content::Cells(_)));
    has_cells && figure.layers.iter().all(is_small)
}

pub(super) fn finding_view(finding: &model::Finding) -> Value {
    context! {
        level => level_word(finding.level),
        code => printable(&finding.code),
        message => printable(&finding.message),
        hint => finding.hint.as_deref().map(printable),
    }
}

pub(super) fn input_view(input: &Input) -> Value {
    context! {
        role => printable(&input.role),
        path => printable(&input.path),
        format => printable(&input.format),
        blake3 => printable(&input.blake3),
    }
}
