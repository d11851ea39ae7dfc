//! Why a file could not be read: which file, where in it, what was expected and what was found.

use std::fmt;

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
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => write!(f, "file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Field(name) => write!(f, "field '{name}'"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// Why a map could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is missing, a folder, or not readable.
    #[error("{file}: expected a readable file, found: {found}")]
    Open {
        /// Which file.
        file: String,
        /// What the operating system said.
        found: String,
        /// What to do.
        hint: Option<String>,
    },
    /// Something in the file breaks its format.
    #[error("{file}: {place}: expected {expected}, found {found}")]
    Malformed {
        /// Which file.
        file: String,
        /// Where in it.
        place: Place,
        /// What the format asks for.
        expected: String,
        /// What stands there.
        found: String,
        /// What to do.
        hint: Option<String>,
    },
    /// The file ends too early.
    #[error("{file}: {place}: expected {expected_bytes} bytes, found {found_bytes}")]
    Truncated {
        /// Which file.
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
        /// Which file.
        file: String,
        /// Where the size stands.
        place: Place,
        /// The limit.
        expected: String,
        /// The size.
        found: String,
    },
    /// A map names a picture that is not there.
    #[error("{file}: field 'image': expected a picture, found none under {}", tried.join(", "))]
    ImageMissing {
        /// Which file names it.
        file: String,
        /// The name as written.
        image: String,
        /// Paths that were tried, in order.
        tried: Vec<String>,
    },
    /// No format claims the file.
    #[error("{file}: expected one of {}, found {found}", formats.join(", "))]
    UnknownFormat {
        /// Which file.
        file: String,
        /// Formats understood.
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
        let (file, expected, found) = (file.to_owned(), expected.into(), found.into());
        Self::Malformed { file, place, expected, found, hint: None }
    }

    /// The same error with advice, where the variant has room for it.
    pub(crate) fn with_hint(mut self, advice: impl Into<String>) -> Self {
        if let Self::Malformed { hint, .. } | Self::Open { hint, .. } = &mut self {
            *hint = Some(advice.into());
        }
        self
    }

    /// The file at fault, which may be the picture that the given file names.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Self::Open { file, .. }
            | Self::Malformed { file, .. }
            | Self::Truncated { file, .. }
            | Self::TooLarge { file, .. }
            | Self::ImageMissing { file, .. }
            | Self::UnknownFormat { file, .. } => file,
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
                "put the picture '{image}' at one of these places, or correct 'image': {}",
                tried.join(", ")
            )),
            Self::UnknownFormat { .. } => {
                Some("give the YAML of a ROS map, a picture, or a text grid".to_owned())
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
