//! What the readers of text share: numbers, lines, delimited fields, encodings, faulty rows, limits.

pub(crate) mod decimal;
pub(crate) mod delimited;
pub(crate) mod lines;
pub(crate) mod misspelt;
pub(crate) mod number_rows;
pub(crate) mod row_faults;
pub(crate) mod table_limits;
pub(crate) mod text_encoding;
pub(crate) mod yaml;
