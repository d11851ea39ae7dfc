//! Why a contest's arithmetic refuses its inputs.

/// Why a contest's arithmetic refuses its inputs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ContestError {
    /// A run without an operator cannot be divided by their number.
    #[error("operators = {0}: expected at least 1")]
    Operators(u32),
    /// A number lies outside its range.
    #[error("{name} = {value}: expected {expected}")]
    Range { name: String, value: f64, expected: &'static str },
    /// Two lists that go together differ in length.
    #[error("{what}: expected {expected} entries, found {found}")]
    Length {
        what: String,
        /// As many as there are teams or criteria.
        expected: usize,
        /// As many as were given.
        found: usize,
    },
}

/// Refuses a number outside a range, by name.
pub(super) fn check(
    name: &str,
    value: f64,
    is_allowed: impl Fn(f64) -> bool,
    expected: &'static str,
) -> Result<(), ContestError> {
    if is_allowed(value) {
        return Ok(());
    }
    Err(ContestError::Range { name: name.to_owned(), value, expected })
}
