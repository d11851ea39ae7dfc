//! The parts of a layout as a table for people: all of them, found or not.

use std::fmt::Write;

use report::CaseReport;
use serde_json::Value;

/// One line per part of each case; empty if nothing was looked for.
#[must_use]
pub fn part_table(cases: &[CaseReport]) -> String {
    let mut text = String::new();
    for case in cases {
        let parts = case.detail.as_ref().and_then(|detail| detail.get("fiducials")?.get("parts")?.as_array());
        let Some(parts) = parts else { continue };
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "\n{}: parts of the layout\n  {:<12} {:>9} {:>9} {:>9} {:>6}",
            case.name, "part", "x [m]", "y [m]", "off [m]", "cells"
        );
        for part in parts {
            let name: String =
                word(&part["id"]).chars().filter(|letter| !letter.is_control()).take(12).collect();
            let _ = match part["found"].as_bool() {
                Some(true) => writeln!(
                    text,
                    "  {name:<12} {:>9} {:>9} {:>9} {:>6}",
                    number(&part["x_truth_m"]),
                    number(&part["y_truth_m"]),
                    number(&part["error_m"]),
                    part["cells"]
                ),
                _ => writeln!(text, "  {name:<12} not found"),
            };
        }
    }
    text
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> String {
    value.as_f64().map_or_else(String::new, |number| format!("{number:.3}"))
}
