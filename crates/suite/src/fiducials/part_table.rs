//! The parts of a layout as a table for people: all of them, found or not.

use std::fmt::Write;

use metrics::MetricEvidence;
use metrics::fiducials::FiducialEvidence;
use report::CaseReport;

/// How sure the placement of each case is, and one line per part; empty if nothing was looked for.
#[must_use]
pub fn part_table(cases: &[CaseReport]) -> String {
    let mut text = String::new();
    for (case, fiducials) in cases.iter().filter_map(|case| Some((case, evidence_of(case)?))) {
        if let Some(placement) = &fiducials.placement {
            let _ = writeln!(text, "\n{}: placement of the layout\n  {placement}", case.name);
        }
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "\n{}: parts of the layout\n  {:<12} {:>9} {:>9} {:>9} {:>6}",
            case.name, "part", "x [m]", "y [m]", "off [m]", "cells"
        );
        for part in &fiducials.parts {
            let name: String = part.id.chars().filter(|letter| !letter.is_control()).take(12).collect();
            let _ = match part.found {
                true => writeln!(
                    text,
                    "  {name:<12} {:>9} {:>9} {:>9} {:>6}",
                    number(part.x_truth_m),
                    number(part.y_truth_m),
                    number(part.error_m),
                    part.cells
                ),
                false => writeln!(text, "  {name:<12} not found"),
            };
        }
    }
    text
}

fn evidence_of(case: &CaseReport) -> Option<&FiducialEvidence> {
    case.metrics.iter().find_map(|record| match &record.evidence.of_metric {
        Some(MetricEvidence::Fiducials(fiducials)) => Some(fiducials),
        _ => None,
    })
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |number| report::fixed(number, 3))
}
