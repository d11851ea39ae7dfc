//! One case on the page: pictures, window, alignment, findings, inputs.

use minijinja::{Value, context};

use crate::base64::base64;
use crate::footer::{alignment_words, coverage_words, level_word, window_words};
use crate::number::shown;
use crate::printable::printable;
use crate::{CasePictures, CaseReport, Figure, Image, Input, Report};

pub(super) fn view(
    index: usize,
    case: &CaseReport,
    report: &Report,
    pictures: Option<&CasePictures>,
) -> Value {
    let overlay = pictures.map(|p| data_uri(&p.overlay_png)).filter(|uri| !uri.is_empty());
    let heat = pictures.map(|p| data_uri(&p.heat_png)).filter(|uri| !uri.is_empty());
    let findings: Vec<_> = case.findings.iter().map(finding_view).collect();
    let missed = report.limits.iter().filter(|limit| limit.case == case.name && !limit.held).count();
    context! {
        anchor => format!("case-{index}"),
        name => printable(&case.name),
        is_trajectory => case.is_trajectory(),
        coverage => coverage_words(case),
        window => case.grid.as_ref().map(window_words),
        alignment => alignment_words(case.alignment.as_ref()),
        certificate => case.alignment.as_ref().and_then(|a| a.certificate.as_ref()).map(super::metric::facts),
        overlay,
        heat,
        heat_max => pictures.map(|p| shown(Some(p.heat_max_m))),
        figures => pictures.map(|p| p.figures.iter().map(figure_view).collect::<Vec<_>>()),
        findings,
        missed,
        inputs => case.inputs.iter().map(input_view).collect::<Vec<_>>(),
    }
}

pub(super) fn figure_view(figure: &Figure) -> Value {
    let (uri, svg) = match &figure.image {
        Image::Png(bytes) => (Some(data_uri(bytes)), None),
        Image::Svg(text) => (None, Some(text)),
    };
    context! { title => printable(&figure.title), caption => printable(&figure.caption), uri, svg }
}

fn finding_view(finding: &model::Finding) -> Value {
    context! {
        level => level_word(finding.level),
        code => printable(&finding.code),
        message => printable(&finding.message),
        hint => finding.hint.as_deref().map(printable),
    }
}

fn input_view(input: &Input) -> Value {
    context! {
        role => printable(&input.role),
        path => printable(&input.path),
        format => printable(&input.format),
        blake3 => printable(&input.blake3),
    }
}

/// A picture inside the page; empty for no picture.
fn data_uri(png: &[u8]) -> String {
    if png.is_empty() { String::new() } else { format!("data:image/png;base64,{}", base64(png)) }
}
