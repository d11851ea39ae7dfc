//! Text grids.

use model::Grid;

use crate::format::{Format, Input, ReadMap, Reader, Sniff, by_name};
use crate::{Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "text_grid", title: "text grid", sniff, reader: Reader::Map(read) };

fn sniff(_bytes: &[u8], name: &str) -> Sniff {
    by_name(name, &[".txt", ".grid"])
}

fn read(input: Input<'_>, _options: &ReadOptions) -> Result<ReadMap, ReadError> {
    Err(ReadError::malformed(input.name, Place::File, "a text grid", "no reader"))
}

/// A grid as text.
#[must_use]
pub fn write(_grid: &Grid) -> String {
    String::new()
}
