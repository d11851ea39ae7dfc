//! Why a file could not be read: which file, where in it, what was expected and what was found.

use std::borrow::Cow;
use std::fmt;

use crate::{Kind, OptionError};

/// Where in a file something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
    /// A named field of a header.
    Field(String),
    /// A row of cells, counted from 1 at the top.
    Row(usize),
    /// Not in the file: an option of this name.
    Option(&'static str),
}

impl Place {
    pub(crate) fn field(name: &str) -> Self {
        Self::Field(name.to_owned())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => write!(f, "file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Field(name) => write!(f, "field '{name}'"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Option(name) => write!(f, "option '{name}'"),
        }
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is missing, a folder, or not readable.
    #[error("{file}: expected a readable file, found: {found}")]
    Open {
        file: String,
        /// What the operating system said.
        found: String,
        hint: Option<String>,
    },
    /// Something in the file breaks its format.
    #[error("{file}: {place}: expected {expected}, found {found}")]
    Malformed {
        file: String,
        place: Place,
        /// What the format asks for.
        expected: String,
        found: String,
        hint: Option<String>,
    },
    /// The file ends too early.
    #[error("{file}: {place}: expected {expected_bytes} bytes, found {found_bytes}")]
    Truncated {
        file: String,
        /// Where the missing part begins.
        place: Place,
        /// Bytes the header promises.
        expected_bytes: u64,
        /// Bytes that are there.
        found_bytes: u64,
    },
    /// The file, or what its header claims, is beyond what this program takes.
    #[error("{file}: {place}: expected {expected}, found {found}")]
    TooLarge {
        file: String,
        /// Where the size stands.
        place: Place,
        expected: String,
        found: String,
    },
    /// A map names an image that is not there.
    #[error("{file}: field 'image': expected an image, found none under {}", tried.join(", "))]
    ImageMissing {
        /// Which file names it.
        file: String,
        /// The name as written.
        image: String,
        /// Paths that were tried, in order.
        tried: Vec<String>,
    },
    /// An option has a value that no file could be read with.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The file is sound, and holds something else than a map.
    #[error("{file}: expected a map, found {} ({format})", kind.noun())]
    NoMap {
        file: String,
        /// What it holds.
        kind: Kind,
        /// Stable name of its format.
        format: &'static str,
    },
    /// An option states another value than the file does.
    #[error("{file}: field '{field}': the file states {stated}, the option {given}")]
    Contradiction { file: String, field: &'static str, stated: String, given: String },
    /// No format claims the file.
    #[error("{file}: expected a file of a known format, found {found}")]
    UnknownFormat {
        file: String,
        formats: Vec<&'static str>,
        /// How the file begins.
        found: String,
    },
}

impl ReadError {
    /// Something in `file` breaks its format.
    pub(crate) fn malformed(
        file: &str,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (file, expected, mut found) = (file.to_owned(), expected.into(), found.into());
        if found.is_empty() {
            found.push_str("nothing");
        }
        Self::Malformed { file, place, expected, found, hint: None }
    }

    /// An option states another value than `file` does.
    pub(crate) fn contradiction(file: &str, field: &'static str, stated: String, given: String) -> Self {
        Self::Contradiction { file: file.to_owned(), field, stated, given }
    }

    /// Something is beyond what this program takes.
    pub(crate) fn too_large(
        file: &str,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (file, expected, found) = (file.to_owned(), expected.into(), found.into());
        Self::TooLarge { file, place, expected, found }
    }

    /// The same error with advice, where the variant has room for it.
    pub(crate) fn with_hint(mut self, advice: impl Into<String>) -> Self {
        if let Self::Malformed { hint, .. } | Self::Open { hint, .. } = &mut self {
            *hint = Some(advice.into());
        }
        self
    }

    /// Stable code of the kind of error, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Open { .. } => "file_not_readable",
            Self::Malformed { .. } => "malformed",
            Self::Truncated { .. } => "truncated",
            Self::TooLarge { .. } => "too_large",
            Self::ImageMissing { .. } => "image_missing",
            Self::NoMap { .. } => "not_a_map",
            Self::UnknownFormat { .. } => "unknown_format",
            Self::Contradiction { .. } => "option_contradicts_file",
            Self::Option(error) => error.code(),
        }
    }

    /// The file at fault, which may be the image that the given file names; none if an option is at fault.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Open { file, .. }
            | Self::Malformed { file, .. }
            | Self::Truncated { file, .. }
            | Self::TooLarge { file, .. }
            | Self::ImageMissing { file, .. }
            | Self::NoMap { file, .. }
            | Self::Contradiction { file, .. }
            | Self::UnknownFormat { file, .. } => Some(file),
            Self::Option(_) => None,
        }
    }

    /// Where in the file, or which option.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::Malformed { place, .. } | Self::Truncated { place, .. } | Self::TooLarge { place, .. } => {
                place.clone()
            }
            Self::ImageMissing { .. } => Place::field("image"),
            Self::Contradiction { field, .. } => Place::field(field),
            Self::Option(error) => Place::Option(error.name()),
            Self::Open { .. } | Self::NoMap { .. } | Self::UnknownFormat { .. } => Place::File,
        }
    }

    /// What would be accepted there.
    #[must_use]
    pub fn expected(&self) -> Cow<'_, str> {
        match self {
            Self::Open { .. } => "a readable file".into(),
            Self::Malformed { expected, .. } | Self::TooLarge { expected, .. } => expected.into(),
            Self::Truncated { expected_bytes, .. } => format!("{expected_bytes} bytes").into(),
            Self::ImageMissing { .. } => "an image".into(),
            Self::NoMap { .. } => "a map".into(),
            Self::Contradiction { given, .. } => given.into(),
            Self::UnknownFormat { formats, .. } => format!("one of {}", formats.join(", ")).into(),
            Self::Option(error) => error.expected().into(),
        }
    }

    /// What was found instead.
    #[must_use]
    pub fn found(&self) -> Cow<'_, str> {
        match self {
            Self::Open { found, .. }
            | Self::Malformed { found, .. }
            | Self::TooLarge { found, .. }
            | Self::UnknownFormat { found, .. } => found.into(),
            Self::Truncated { found_bytes, .. } => format!("{found_bytes} bytes").into(),
            Self::ImageMissing { tried, .. } => format!("none under {}", tried.join(", ")).into(),
            Self::NoMap { kind, format, .. } => format!("{} ({format})", kind.noun()).into(),
            Self::Contradiction { stated, .. } => stated.into(),
            Self::Option(error) => error.value().into(),
        }
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Open { hint, .. } | Self::Malformed { hint, .. } => hint.clone(),
            Self::Truncated { .. } => {
                Some("the file was cut off, perhaps while it was copied; fetch it again".to_owned())
            }
            Self::TooLarge { .. } => Some("crop the map, or use a coarser resolution".to_owned()),
            Self::ImageMissing { image, tried, .. } => Some(format!(
                "put the image '{image}' at one of these places, or correct 'image': {}",
                tried.join(", ")
            )),
            Self::Option(error) => {
                Some(format!("correct the option {}; it holds for every file that is read", error.name()))
            }
            Self::NoMap { kind: Kind::Bag, .. } => {
                Some("name the topic of the map with the option topic".to_owned())
            }
            Self::Contradiction { field, .. } => {
                Some(format!("leave the {field} to the file, correct the file, or force the option"))
            }
            Self::NoMap { .. } | Self::UnknownFormat { .. } => {
                Some("give the YAML of a ROS map, an image, or a text grid".to_owned())
            }
        }
    }
}

/// The start of some bytes as text for a message: short, and without control characters.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN_BYTES: usize = 24;
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let shown = &bytes[..bytes.len().min(SHOWN_BYTES)];
    let dots = if bytes.len() > SHOWN_BYTES { "..." } else { "" };
    format!("\"{}{dots}\"", shown.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_error_are_those_of_its_text() {
        let (file, place) = ("map.pgm".to_owned(), Place::Byte(9));
        let truncated = ReadError::Truncated { file, place, expected_bytes: 4, found_bytes: 1 };
        let missing = ReadError::ImageMissing {
            file: "map.yaml".to_owned(),
            image: "a.pgm".to_owned(),
            tried: vec!["a.pgm".to_owned(), "b/a.pgm".to_owned()],
        };
        for error in [truncated, missing, ReadError::malformed("a.tum", Place::Line(3), "8 numbers", "7")] {
            let text = error.to_string();
            let parts =
                [error.file().unwrap(), &error.place().to_string(), &error.expected(), &error.found()];
            // The text of a truncated file says "bytes" once.
            let is_in_text = |part: &&str| text.contains(part.trim_end_matches(" bytes"));
            assert!(parts.iter().all(is_in_text), "{text}: {parts:?}");
        }
        let option = ReadError::from(OptionError::unknown_palette("sepia"));
        assert_eq!((option.code(), option.file()), ("unknown_palette", None));
        assert_eq!(option.place().to_string(), "option 'palette'");
    }
}
