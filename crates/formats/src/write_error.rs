//! Why something could not be written: the format cannot hold it.

/// Content that a format cannot hold, so that reading it back would give something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{format}: {place}: expected {expected}, found {found}")]
pub struct WriteError {
    /// Name of the format.
    pub format: &'static str,
    /// What holds it, such as `feature 3, column NAME`.
    pub place: String,
    /// What the format takes.
    pub expected: String,
    pub found: String,
}

impl WriteError {
    pub(crate) fn new(
        format: &'static str,
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self { format, place: place.into(), expected: expected.into(), found: found.into() }
    }
}
