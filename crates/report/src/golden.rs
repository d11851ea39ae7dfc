//! Golden files: whole renderings of small reports, read by people in review.

use std::path::PathBuf;

/// Compares a rendering with `tests/golden/<name>`; `MAPJUDGE_RENEW=1` writes the file instead.
pub(crate) fn assert_golden(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("MAPJUDGE_RENEW").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        text, expected,
        "tests/golden/{name} differs; renew with MAPJUDGE_RENEW=1 and read the change"
    );
}
