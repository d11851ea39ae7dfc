//! The badge of a conformance report: for the endpoint of shields.io, and as an image that needs nothing.

use serde_json::{Value, json};

use super::{ConformReport, VerdictCounts};

/// What stands on the left half.
const LABEL: &str = "mapjudge vectors";
/// Width of a letter, pixels: the mean of an 11 pixel sans-serif.
const LETTER_PX: usize = 7;
/// Space on both sides of a text, pixels.
const MARGIN_PX: usize = 6;

/// The badge as the endpoint of shields.io reads it.
#[must_use]
pub fn badge_json(report: &ConformReport) -> Value {
    let (colour, _) = colours(&report.counts);
    json!({ "schemaVersion": 1, "label": LABEL, "message": message(&report.counts), "color": colour })
}

/// The badge as an image.
#[must_use]
pub fn badge_svg(report: &ConformReport) -> String {
    let (_, colour) = colours(&report.counts);
    let words = message(&report.counts);
    let [left, right] = [LABEL, &words].map(|text| text.chars().count() * LETTER_PX + 2 * MARGIN_PX);
    let (width, right_at) = (left + right, left + right / 2);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"20\" role=\"img\" aria-label=\"{LABEL}: \
         {words}\">\n<title>{LABEL}: {words}</title>\n<rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\n\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n\
         <text x=\"{}\" y=\"14\">{LABEL}</text>\n<text x=\"{right_at}\" y=\"14\">{words}</text>\n</g>\n</svg>\n",
        left / 2
    )
}

/// Equal values of all.
fn message(counts: &VerdictCounts) -> String {
    format!("{}/{}", counts.equal, counts.values)
}

/// The colour by its name at shields.io, and as the same image has it.
const fn colours(counts: &VerdictCounts) -> (&'static str, &'static str) {
    if counts.values == 0 {
        ("lightgrey", "#6b6b6b")
    } else if counts.unexpected > 0 {
        ("red", "#b3261e")
    } else if counts.explained > 0 {
        ("yellowgreen", "#5f7a00")
    } else {
        ("brightgreen", "#1f7a1f")
    }
}
