//! Golden files: whole outputs of small cases, read by people in review.

use std::path::Path;

/// Compares a text with a stored file byte for byte; `MAPJUDGE_RENEW=1` writes the file instead.
pub fn assert_golden(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if std::env::var_os("MAPJUDGE_RENEW").is_some_and(|value| value == "1") {
        std::fs::write(path, text).expect("a golden file can be written");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        text,
        expected,
        "{} differs; renew it with MAPJUDGE_RENEW=1 and read the change",
        path.display()
    );
}
