//! Merged rows as a file: JSON lines, CSV or Parquet. The file appears whole or not at all.

use std::io::Write;
use std::path::Path;

use super::row_columns::{CellValue, Column};
use crate::JobError;
use crate::files::WholeFile;
use crate::rows::{Row, RowHeader};

/// How merged rows are written; the ending of the file says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MergedKind {
    Lines,
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl MergedKind {
    pub(super) fn of(path: &Path) -> Result<Self, JobError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("jsonl") => Ok(Self::Lines),
            Some("csv") => Ok(Self::Csv),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(Self::Parquet),
            _ => {
                let message = "expected a name that ends with .jsonl, .csv or .parquet";
                let hint = "the ending says how merged rows are written";
                Err(JobError::rows(path.display().to_string(), "MERGED_ENDING", message, hint))
            }
        }
    }
}

/// Takes rows in the order of the manifest.
pub(super) trait RowSink {
    /// Adds the row of a line, counted from 1, whose bytes are these.
    fn add(&mut self, line: u64, bytes: &[u8]) -> Result<(), JobError>;

    /// Brings the file to its place.
    fn finish(self: Box<Self>) -> Result<(), JobError>;
}

/// Begins a file of a kind.
pub(super) fn begin(
    path: &Path,
    kind: MergedKind,
    header: &RowHeader,
    columns: Vec<Column>,
) -> Result<Box<dyn RowSink>, JobError> {
    let name = path.display().to_string();
    let mut file = WholeFile::begin(path)?;
    match kind {
        MergedKind::Lines => {
            write(&mut file, &name, header.to_line().as_bytes())?;
            Ok(Box::new(JsonLines { file, name }))
        }
        MergedKind::Csv => {
            let names: Vec<String> = columns.iter().map(|column| report::csv_field(&column.name)).collect();
            write(&mut file, &name, format!("{}\r\n", names.join(",")).as_bytes())?;
            Ok(Box::new(Csv { file, name, columns }))
        }
        #[cfg(feature = "parquet")]
        MergedKind::Parquet => {
            Ok(Box::new(super::parquet_file::ParquetFile::begin(file, name, header, columns)?))
        }
    }
}

fn write(file: &mut WholeFile, name: &str, bytes: &[u8]) -> Result<(), JobError> {
    file.write_all(bytes).map_err(|source| JobError::output(name, source))
}

/// The row of some bytes.
pub(super) fn parsed(line: u64, bytes: &[u8]) -> Result<Row, JobError> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string());
    text.and_then(Row::parse).map_err(|why| {
        let message = format!("the row of line {line} of the manifest: {why}");
        JobError::rows("merge", "ROWS_DAMAGED", message, "remove that row; its pair is scored again")
    })
}

struct JsonLines {
    file: WholeFile,
    name: String,
}

impl RowSink for JsonLines {
    fn add(&mut self, _: u64, bytes: &[u8]) -> Result<(), JobError> {
        write(&mut self.file, &self.name, bytes)
    }

    fn finish(self: Box<Self>) -> Result<(), JobError> {
        self.file.finish()
    }
}

struct Csv {
    file: WholeFile,
    name: String,
    columns: Vec<Column>,
}

impl RowSink for Csv {
    fn add(&mut self, line: u64, bytes: &[u8]) -> Result<(), JobError> {
        let row = parsed(line, bytes)?;
        let field = |column: &Column| match column.cell(line, &row) {
            CellValue::Empty => String::new(),
            CellValue::Boolean(value) => value.to_string(),
            CellValue::Integer(value) => value.to_string(),
            // Without the sign of a zero.
            CellValue::Number(value) => (value + 0.0).to_string(),
            CellValue::Text(text) => report::csv_field(&text),
        };
        let fields: Vec<String> = self.columns.iter().map(field).collect();
        write(&mut self.file, &self.name, format!("{}\r\n", fields.join(",")).as_bytes())
    }

    fn finish(self: Box<Self>) -> Result<(), JobError> {
        self.file.finish()
    }
}
