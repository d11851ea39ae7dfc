//! A scored list of labelled points as lines for the terminal.

use std::fmt::Write;

use metrics::contest::point_score::{PointScoreEvidence, PointSide};
use report::printable;

use crate::PointsResult;

/// Longer labels are cut in the table; the whole one stands in the JSON.
const LABEL_LETTERS: usize = 32;

/// The score, what it rests on, and every point.
#[must_use]
pub fn points_table(result: &PointsResult) -> String {
    let evidence = result.points();
    let fact = |name: &str| number(result.evidence.number(name));
    let count = |name: &str| result.evidence.number(name).unwrap_or(0.0);
    let mut text = format!("score        {}", number(result.score));
    if let Some(evidence) = evidence {
        let _ = write!(text, " points    {}", evidence.formula);
    }
    text.push('\n');
    // Writing into a string cannot fail.
    let mut line = |name: &str, words: String| _ = writeln!(text, "{name:<12} {words}");
    let total_points = &result.rules["total_points"];
    line("adjusted", format!("{} ({total_points} points are worth 100)", fact("adjusted_score")));
    line("coverage", format!("{} of {} true points matched", count("matched"), count("truth_points")));
    let threshold_m = &result.rules["scoring_threshold"];
    line("error", format!("{} m (threshold {threshold_m} m)", fact("error_m")));
    line("scale", format!("{}, score with it taken out {}", fact("scale"), fact("scale_corrected.score")));
    let is_mirrored = evidence.is_some_and(|evidence| evidence.mirrored);
    line("mirrored", if is_mirrored { "YES: the mirror image fits better" } else { "no" }.to_owned());
    if !result.reasons.is_empty() {
        let codes: Vec<&str> = result.reasons.iter().map(|reason| reason.code()).collect();
        line("reasons", codes.join(", "));
    }
    line("rules", printable(&result.profile));
    if let Some(evidence) = evidence {
        points(&mut text, evidence);
    }
    for finding in result.findings.iter().filter(|finding| finding.level >= model::Level::Warning) {
        let hint =
            finding.hint.as_deref().map(|hint| format!(" (hint: {})", printable(hint))).unwrap_or_default();
        let _ = writeln!(text, "warning: {}: {}{hint}", finding.code, printable(&finding.message));
    }
    text
}

fn points(text: &mut String, evidence: &PointScoreEvidence) {
    let _ = writeln!(
        text,
        "\n{:<LABEL_LETTERS$} {:>8} {:>10} {:>9} {:>7}",
        "label", "truth", "submission", "error m", "points"
    );
    for point in &evidence.matches {
        let _ = writeln!(
            text,
            "{:<LABEL_LETTERS$} {:>8} {:>10} {:>9} {:>7}",
            label(&point.label),
            label(&point.truth_id),
            label(&point.submission_id),
            number(point.error_m),
            serde_json::json!(point.points)
        );
    }
    for point in &evidence.unmatched {
        let what = if point.side == PointSide::Truth { "missed" } else { "no such point" };
        let _ = writeln!(text, "{:<LABEL_LETTERS$} {:>8} {what}", label(&point.label), label(&point.id));
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |number| report::fixed(number, 4))
}

/// A stranger's text, harmless and short.
fn label(text: &str) -> String {
    let text = printable(text);
    if text.chars().count() <= LABEL_LETTERS {
        return text;
    }
    text.chars().take(LABEL_LETTERS - 1).chain(['…']).collect()
}
