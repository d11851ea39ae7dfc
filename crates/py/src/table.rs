//! Columns in memory as a stream of Arrow's C interface, which polars, DuckDB, pandas and pyarrow take without a copy of
//! ours in between: <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors;

/// A column: its values, and with them its type, which does not depend on what is null.
#[derive(FromPyObject)]
pub enum Column {
    /// Doubles, under the key `numbers`.
    #[pyo3(transparent)]
    Numbers(Numbers),
    /// Text, under the key `texts`.
    #[pyo3(transparent)]
    Texts(Texts),
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Numbers {
    numbers: Vec<Option<f64>>,
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Texts {
    texts: Vec<Option<String>>,
}

/// One batch of named columns, in a capsule of the name that the interface asks for.
#[pyfunction]
pub fn arrow_stream<'py>(py: Python<'py>, columns: Vec<(String, Column)>) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = stream(columns).map_err(|error| errors::internal(py, &error.to_string()))?;
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn stream(columns: Vec<(String, Column)>) -> Result<FFI_ArrowArrayStream, ArrowError> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().map(field_and_array).unzip();
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)?;
    Ok(FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema))))
}

fn field_and_array((name, column): (String, Column)) -> (Field, ArrayRef) {
    match column {
        Column::Numbers(Numbers { numbers }) => {
            (Field::new(name, DataType::Float64, true), Arc::new(Float64Array::from(numbers)))
        }
        Column::Texts(Texts { texts }) => {
            (Field::new(name, DataType::Utf8, true), Arc::new(StringArray::from(texts)))
        }
    }
}
