//! Golden files of this crate.

/// Compares a rendering with `tests/golden/<name>`.
pub(crate) fn assert_golden(name: &str, text: &str) {
    testkit::assert_golden(format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR")), text);
}
