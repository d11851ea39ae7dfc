//! A scored list of labelled points as lines for the terminal.

use std::fmt::Write;

use report::printable;
use serde_json::Value;

use crate::PointsResult;

/// Longest label in the table; the whole one stands in the JSON.
const LABEL_LETTERS: usize = 32;

/// The score, what it rests on, and every point.
#[must_use]
pub fn points_table(result: &PointsResult) -> String {
    let fact = |key: &str| result.facts.get(key).unwrap_or(&Value::Null);
    let mut text = format!("score        {}", number(&result.score.into()));
    if let Some(formula) = fact("formula").as_str() {
        let _ = write!(text, " points    {formula}");
    }
    text.push('\n');
    // Writing into a string cannot fail.
    let mut line = |name: &str, words: String| _ = writeln!(text, "{name:<12} {words}");
    line(
        "adjusted",
        format!("{} ({} points are worth 100)", number(fact("adjusted_score")), result.rules["total_points"]),
    );
    line("coverage", format!("{} of {} true points matched", fact("matched"), fact("truth_points")));
    line(
        "error",
        format!("{} m (threshold {} m)", number(fact("error_m")), result.rules["scoring_threshold"]),
    );
    let corrected = &fact("scale_corrected")["score"];
    line("scale", format!("{}, score with it taken out {}", number(fact("scale")), number(corrected)));
    let mirror =
        if fact("mirrored") == &Value::Bool(true) { "YES: the mirror image fits better" } else { "no" };
    line("mirrored", mirror.to_owned());
    if !result.reasons.is_empty() {
        let codes: Vec<&str> = result.reasons.iter().map(|reason| reason.code()).collect();
        line("reasons", codes.join(", "));
    }
    line("rules", printable(&result.profile));
    points(&mut text, fact("matches"), fact("unmatched"));
    for finding in result.findings.iter().filter(|finding| finding.level >= model::Level::Warning) {
        let hint =
            finding.hint.as_deref().map(|hint| format!(" (hint: {})", printable(hint))).unwrap_or_default();
        let _ = writeln!(text, "warning: {}: {}{hint}", finding.code, printable(&finding.message));
    }
    text
}

fn points(text: &mut String, matches: &Value, unmatched: &Value) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let _ = writeln!(
        text,
        "\n{:<LABEL_LETTERS$} {:>8} {:>10} {:>9} {:>7}",
        "label", "truth", "submission", "error m", "points"
    );
    for point in list(matches) {
        let _ = writeln!(
            text,
            "{:<LABEL_LETTERS$} {:>8} {:>10} {:>9} {:>7}",
            label(&point["label"]),
            label(&point["truth_id"]),
            label(&point["submission_id"]),
            number(&point["error_m"]),
            point["points"]
        );
    }
    for point in list(unmatched) {
        let what = if point["side"] == "truth" { "missed" } else { "no such point" };
        let _ =
            writeln!(text, "{:<LABEL_LETTERS$} {:>8} {what}", label(&point["label"]), label(&point["id"]));
    }
}

fn number(value: &Value) -> String {
    value.as_f64().map_or("-".to_owned(), |number| format!("{number:.4}"))
}

/// A stranger's text, harmless and short.
fn label(value: &Value) -> String {
    let text = printable(value.as_str().unwrap_or_default());
    if text.chars().count() <= LABEL_LETTERS {
        return text;
    }
    text.chars().take(LABEL_LETTERS - 1).chain(['…']).collect()
}
