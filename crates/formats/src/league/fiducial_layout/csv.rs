//! Fiducial layouts as CSV; what the columns mean stands in [`crate::league::fiducial_layout`].

use crate::error::excerpt;
use crate::league::fiducial_layout::{Row, Rows, note_unknown_key};
use crate::notices::Notices;
use crate::text::delimited::{Field, fields};
use crate::text::table_limits::check_rows;
use crate::{Place, ReadError};

/// Where a number of a column goes.
fn slot<'r>(row: &'r mut Row, column: &str) -> Option<&'r mut Option<f64>> {
    Some(match column {
        "x_m" | "x" => &mut row.x_m,
        "y_m" | "y" => &mut row.y_m,
        "radius_m" | "radius" => &mut row.radius_m,
        "opening_deg" | "opening" => &mut row.opening_deg,
        "opening_rad" => &mut row.opening_rad,
        "direction_deg" => &mut row.direction_deg,
        "direction_rad" => &mut row.direction_rad,
        "start_deg" | "phi0_deg" | "phi0" => &mut row.start_deg,
        "height_m" | "height" => &mut row.height_m,
        "pair_distance_m" | "pair_distance" => &mut row.pair_distance_m,
        _ => return None,
    })
}

/// The first line that is no comment, its number counted from 0, and its column names.
fn columns(text: &str) -> Option<(usize, Vec<String>)> {
    let is_content = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
    let (index, line) = text.lines().enumerate().find(is_content)?;
    let names: Vec<_> =
        fields(line, ',').ok()?.iter().map(|field| field.text.trim().to_lowercase()).collect();
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    (has(&["fiducial"]) && has(&["radius_m", "radius", "kind"])).then_some((index, names))
}

/// True if a text begins with the columns of a layout.
pub(crate) fn has_columns(text: &str) -> bool {
    columns(text).is_some()
}

/// Reads the rows of a layout.
pub(crate) fn rows(file: &str, text: &str, notices: &mut Notices) -> Result<Rows, ReadError> {
    let Some((header, names)) = columns(text) else {
        return Err(ReadError::malformed(
            file,
            Place::File,
            "a row of columns with 'fiducial' and 'radius_m' or 'kind'",
            "none",
        ));
    };
    for name in &names {
        let is_word = matches!(name.as_str(), "id" | "kind" | "fiducial" | "part" | "range" | "");
        if !is_word && slot(&mut Row::default(), name).is_none() {
            note_unknown_key(notices, name, header + 1);
        }
    }
    // Where there is an `id`, it is the unique name, and `part` is only the side, A or B.
    let part_column = if names.iter().any(|name| name == "id") { "id" } else { "part" };
    let mut parts = Vec::new();
    for (index, line) in text.lines().enumerate().skip(header + 1) {
        if line.trim_matches([',', ' ', '\t']).is_empty() || line.starts_with('#') {
            continue;
        }
        check_rows(file, parts.len())?;
        parts.push(row(file, index + 1, line, &names, part_column)?);
    }
    Ok(Rows { parts, pairs: Vec::new() })
}

fn row(file: &str, line: usize, text: &str, names: &[String], part_column: &str) -> Result<Row, ReadError> {
    let wrong =
        |expected: &str, found: String| ReadError::malformed(file, Place::Line(line), expected, found);
    let fields = fields(text, ',').map_err(|fault| wrong(fault.expected(), excerpt(text.as_bytes())))?;
    if fields.len() != names.len() {
        return Err(wrong(&format!("{} fields", names.len()), fields.len().to_string()));
    }
    let mut row = Row { line, ..Row::default() };
    for (name, Field { text, .. }) in names.iter().zip(&fields) {
        match name.as_str() {
            "fiducial" => row.fiducial = text.to_string(),
            "kind" if !text.trim().is_empty() => row.kind = Some(text.to_string()),
            name if name == part_column => row.part = text.to_string(),
            "range" if !text.is_empty() => row.range = Some(text.to_string()),
            name => {
                let Some(slot) = slot(&mut row, name).filter(|_| !text.is_empty()) else { continue };
                let number = text.trim().parse();
                *slot =
                    Some(number.map_err(|_| {
                        wrong(&format!("a number in column {name}"), excerpt(text.as_bytes()))
                    })?);
            }
        }
    }
    Ok(row)
}
