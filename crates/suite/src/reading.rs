//! How a value became a map: the options of a file's reader, or what the numbers of an array were taken for.

use serde::{Deserialize, Serialize};

use crate::ReadOptions;

/// What a report states under `detail.reading`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Reading {
    /// The options of the reader of a file.
    File(ReadOptions),
    /// An array or a message in memory.
    Array(ArrayReading),
}

/// What the numbers of an array were taken for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArrayReading {
    /// `array` or `message`.
    pub source: String,
    /// Type of its elements, such as `uint8`.
    pub dtype: String,
    /// Meaning of its elements: `picture`, `occupancy`, `occupied`, `probability` or `classes`.
    pub values: String,
    /// Where its first row lies: `top` or `bottom`.
    pub rows: String,
    /// A picture is occupied above this probability; null for other values.
    pub occupied_thresh: Option<f64>,
    /// A picture is free below this probability; null for other values.
    pub free_thresh: Option<f64>,
    /// Whether bright means occupied; null for other values than a picture.
    pub negate: Option<bool>,
    /// Elements that are unknown because a mask says so.
    pub masked_cells: u64,
    /// Those of `values`, `rows`, `occupied_thresh`, `free_thresh` and `origin` that the caller did not state.
    pub assumed: Vec<String>,
}

impl Reading {
    /// Whether the value came from an array or a message.
    #[must_use]
    pub fn is_of_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_of_files_keep_their_form() {
        let options = ReadOptions::default();
        let of_file = serde_json::json!(Reading::File(options.clone()));
        assert_eq!(of_file, serde_json::json!(options));
        assert!(!Reading::File(options).is_of_array());
    }

    #[test]
    fn readings_of_arrays_name_what_was_assumed() {
        let reading = Reading::Array(ArrayReading {
            source: "array".to_owned(),
            dtype: "int8".to_owned(),
            values: "occupancy".to_owned(),
            rows: "bottom".to_owned(),
            occupied_thresh: None,
            free_thresh: None,
            negate: None,
            masked_cells: 0,
            assumed: vec!["values".to_owned(), "rows".to_owned()],
        });
        let shown = serde_json::json!(reading);
        assert_eq!((&shown["values"], &shown["assumed"][1]), (&"occupancy".into(), &"rows".into()));
        assert!(shown["negate"].is_null() && reading.is_of_array());
    }
}
