//! Merged rows as Parquet: one column per metric, zstd, the header in the metadata of the file.

use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::merged_file::{RowSink, parsed};
use super::row_columns::{CellValue, Column, ColumnKind};
use crate::JobError;
use crate::files::WholeFile;
use crate::rows::RowHeader;

/// Rows that are written together; so many are in memory at once.
const ROWS_PER_GROUP: usize = 32_768;
/// Hashes do not repeat: a dictionary of them is larger than they are.
const HASHES: [&str; 2] = ["row", "key"];

/// A Parquet file under way.
pub(super) struct ParquetFile {
    name: String,
    writer: SerializedFileWriter<WholeFile>,
    columns: Vec<Column>,
    /// Cells of the rows of the next group, column by column.
    cells: Vec<Vec<CellValue>>,
}

impl ParquetFile {
    pub(super) fn begin(
        file: WholeFile,
        name: String,
        header: &RowHeader,
        columns: Vec<Column>,
    ) -> Result<Self, JobError> {
        let begun = schema(&columns)
            .and_then(|schema| SerializedFileWriter::new(file, schema, Arc::new(properties(header)?)));
        let writer = begun.map_err(|error| failed(&name, error))?;
        let cells = columns.iter().map(|_| Vec::new()).collect();
        Ok(Self { name, writer, columns, cells })
    }

    fn write_group(&mut self) -> Result<(), JobError> {
        if self.cells.first().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        let written = write_group(&mut self.writer, &self.columns, &self.cells);
        self.cells.iter_mut().for_each(Vec::clear);
        written.map_err(|error| failed(&self.name, error))
    }
}

impl RowSink for ParquetFile {
    fn add(&mut self, line: u64, bytes: &[u8]) -> Result<(), JobError> {
        let row = parsed(line, bytes)?;
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            cells.push(column.cell(line, &row));
        }
        if self.cells.first().is_some_and(|cells| cells.len() >= ROWS_PER_GROUP) {
            self.write_group()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), JobError> {
        self.write_group()?;
        let Self { name, writer, .. } = *self;
        writer.into_inner().map_err(|error| failed(&name, error))?.finish()
    }
}

fn failed(name: &str, error: ParquetError) -> JobError {
    JobError::output(name, std::io::Error::other(error))
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |column: &Column| {
        let (physical, converted) = match column.kind {
            ColumnKind::Boolean => (Physical::BOOLEAN, ConvertedType::NONE),
            ColumnKind::Integer => (Physical::INT64, ConvertedType::NONE),
            ColumnKind::Number => (Physical::DOUBLE, ConvertedType::NONE),
            ColumnKind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        let field = Type::primitive_type_builder(&column.name, physical);
        Ok(Arc::new(field.with_repetition(Repetition::OPTIONAL).with_converted_type(converted).build()?))
    };
    let fields = columns.iter().map(field).collect::<Result<_, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("rows").with_fields(fields).build()?))
}

fn properties(header: &RowHeader) -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by(format!("mapjudge version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![KeyValue::new(
            "mapjudge.rows".to_owned(),
            header.to_line().trim_end().to_owned(),
        )]));
    for name in HASHES {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    Ok(properties.build())
}

fn write_group(
    writer: &mut SerializedFileWriter<WholeFile>,
    columns: &[Column],
    cells: &[Vec<CellValue>],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (column, cells) in columns.iter().zip(cells) {
        match column.kind {
            ColumnKind::Boolean => write_column::<BoolType>(&mut group, cells, |cell| match cell {
                CellValue::Boolean(value) => Some(*value),
                _ => None,
            })?,
            ColumnKind::Integer => write_column::<Int64Type>(&mut group, cells, |cell| match cell {
                CellValue::Integer(value) => Some(*value),
                _ => None,
            })?,
            ColumnKind::Number => write_column::<DoubleType>(&mut group, cells, |cell| match cell {
                CellValue::Number(value) => Some(*value),
                _ => None,
            })?,
            ColumnKind::Text => write_column::<ByteArrayType>(&mut group, cells, |cell| match cell {
                CellValue::Text(text) => Some(ByteArray::from(text.as_str())),
                _ => None,
            })?,
        }
    }
    group.close().map(drop)
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, WholeFile>,
    cells: &[CellValue],
    value: impl Fn(&CellValue) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let values: Vec<Option<T::T>> = cells.iter().map(value).collect();
    let is_there: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    column.typed::<T>().write_batch(&values, Some(&is_there), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::rows::row_columns::ColumnNames;
    use crate::rows::{Row, RowNames, RowRules, RowStatus, row_hash};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    use serde_json::json;

    #[test]
    fn what_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.parquet");
        let tags = json!({"seed": 3, "note": "ü"}).as_object().cloned().unwrap();
        let names = RowNames { row: row_hash("a"), key: row_hash("k"), id: "run".to_owned(), tags };
        let error = Row::of_error(names.clone(), "MALFORMED", "m".to_owned(), None);
        let mut good = Row::of_error(names, "", String::new(), None);
        (good.status, good.code, good.message) = (RowStatus::Ok, None, None);
        good.values = [("overall_error".to_owned(), Some(2.5)), ("f1".to_owned(), None)].into();
        let mut columns = ColumnNames::default();
        columns.add(["overall_error", "f1"].into_iter(), &good.tags).unwrap();
        let header = RowHeader::new(RowRules::default(), json!({}));
        let file = WholeFile::begin(&path).unwrap();
        let begun = ParquetFile::begin(file, "all".to_owned(), &header, columns.columns());
        let mut written = Box::new(begun.unwrap());
        written.add(1, good.to_line().as_bytes()).unwrap();
        written.add(3, error.to_line().as_bytes()).unwrap();
        written.finish().unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let metadata = reader.metadata().file_metadata();
        let noted = metadata.key_value_metadata().unwrap()[0].clone();
        assert_eq!(noted.value, Some(header.to_line().trim_end().to_owned()));
        let at = |name: &str| columns.columns().iter().position(|column| column.name == name).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get_double(at("overall_error")).unwrap(), 2.5);
        assert!(rows[0].get_double(at("f1")).is_err(), "null");
        assert_eq!(rows[1].get_long(at("line")).unwrap(), 3);
        assert_eq!(rows[1].get_string(at("code")).unwrap(), "MALFORMED");
        assert_eq!(rows[1].get_long(at("tags.seed")).unwrap(), 3);
        assert_eq!(rows[0].get_string(at("tags.note")).unwrap(), "ü");
    }
}
