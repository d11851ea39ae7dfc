//! How large layers and tables may be.
//!
//! A line of a few bytes becomes a value of a hundred, so a hostile file of modest size could fill the memory. The
//! lists of a whole competition have some thousand rows; the limits are ours, with much room.

use crate::source::Source;
use crate::{Place, ReadError};

const MAX_TABLE_BYTES: u64 = 1 << 25;
/// The most features, detections, points or parts.
const MAX_ROWS: usize = 1 << 20;
/// The most columns; MapInfo itself takes 250.
const MAX_COLUMNS: usize = 1024;
/// The most attributes of a layer, rows times columns.
const MAX_ATTRIBUTES: usize = 1 << 23;

/// Name and bytes of a layer or a table; refuses a large one before it is read.
pub(crate) fn table_bytes<'s>(source: &'s mut Source<'_>) -> Result<(&'s str, &'s [u8]), ReadError> {
    if source.bytes() > MAX_TABLE_BYTES {
        return Err(too_long(source.name(), MAX_TABLE_BYTES, source.bytes()));
    }
    source.whole()
}

/// The error of a file that is too long for its format.
pub(crate) fn too_long(file: &str, limit_bytes: u64, found_bytes: u64) -> ReadError {
    ReadError::too_large(
        file,
        Place::File,
        format!("at most {limit_bytes} bytes in a file of this kind"),
        format!("{found_bytes} bytes"),
    )
}

/// Refuses a further row where there are as many as a table may have.
pub(crate) fn check_rows(file: &str, rows: usize) -> Result<(), ReadError> {
    if rows < MAX_ROWS {
        return Ok(());
    }
    Err(ReadError::too_large(file, Place::File, format!("at most {MAX_ROWS} rows"), "more"))
}

/// Refuses a number of columns beyond what a layer may have.
pub(crate) fn check_columns(file: &str, columns: usize) -> Result<(), ReadError> {
    if columns <= MAX_COLUMNS {
        return Ok(());
    }
    Err(ReadError::too_large(
        file,
        Place::File,
        format!("at most {MAX_COLUMNS} columns"),
        columns.to_string(),
    ))
}

/// Refuses a table before its attributes are stored.
pub(crate) fn check_attributes(file: &str, rows: usize, columns: usize) -> Result<(), ReadError> {
    check_columns(file, columns)?;
    if rows.saturating_mul(columns) <= MAX_ATTRIBUTES {
        return Ok(());
    }
    let found = format!("{rows} rows of {columns} columns");
    Err(ReadError::too_large(file, Place::File, format!("at most {MAX_ATTRIBUTES} attributes"), found))
}

#[cfg(test)]
mod tests {
    use crate::{NamedBytes, ReadError, ReadOptions, read_document_bytes};

    fn is_too_large(name: &str, text: &str, mid: &str) -> bool {
        let file = NamedBytes { name, bytes: text.as_bytes() };
        let beside = [NamedBytes { name: "a.mid", bytes: mid.as_bytes() }];
        let result = read_document_bytes(file, &beside, &ReadOptions::default());
        matches!(result, Err(ReadError::TooLarge { .. }))
    }

    #[test]
    fn many_small_rows_are_refused() {
        let many = super::MAX_ROWS + 1;
        assert!(is_too_large(
            "a.mif",
            &format!("Version 300\nColumns 0\nData\n{}", "None\n".repeat(many)),
            ""
        ));
        assert!(is_too_large("a.csv", &format!("id,x,y\n{}", "1,1,1\n".repeat(many)), ""));
        assert!(is_too_large("a.pts", &format!("map\n{}", "a,1,1\n".repeat(many)), ""));
    }

    #[test]
    fn a_column_per_feature_does_not_fill_the_memory() {
        let feature =
            |index| format!("{{\"type\":\"Feature\",\"geometry\":null,\"properties\":{{\"c{index}\":1}}}}");
        let features: Vec<_> = (0..super::MAX_COLUMNS + 1).map(feature).collect();
        let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", features.join(","));
        assert!(is_too_large("a.geojson", &text, ""));
        let columns: String = (0..1000).map(|index| format!("C{index} float\n")).collect();
        let text = format!("Version 300\nColumns 1000\n{columns}Data\n{}", "None\n".repeat(10_000));
        assert!(is_too_large("a.mif", &text, ""));
    }

    #[test]
    fn long_files_are_refused_unparsed() {
        let text = format!("{{\"type\":\"Point\",\"coordinates\":[{}0]}}", "0,".repeat(1 << 23));
        assert!(is_too_large("a.geojson", &text, ""));
        assert!(is_too_large("fiducials.toml", &format!("[[part]]\n{}", "# x\n".repeat(1 << 19)), ""));
    }
}
