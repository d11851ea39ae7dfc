//! Rules for names of files that travel between computers.

use std::path::Path;

use model::Finding;

/// Findings about the name of a file.
pub fn check(path: &Path) -> Vec<Finding> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut findings = Vec::new();
    if name.contains(|c| r#":*?"<>|\"#.contains(c)) {
        let message = format!("'{name}' has a character that Windows does not allow in names");
        findings.push(
            Finding::warning("NAME_NOT_PORTABLE", message)
                .hint("write times as 12-30-00 instead of 12:30:00"),
        );
    }
    if name.contains(char::is_whitespace) {
        let message = format!("'{name}' has a blank in its name");
        findings.push(Finding::warning("NAME_HAS_BLANK", message).hint("use - or _ instead"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_and_blanks_are_found() {
        let codes =
            |name: &str| check(Path::new(name)).iter().map(|f| f.code.to_string()).collect::<Vec<_>>();
        assert_eq!(codes("map.yaml"), [] as [&str; 0]);
        assert_eq!(codes("RoboCup_12:30:00.tif"), ["NAME_NOT_PORTABLE"]);
        assert_eq!(codes("my map.tif"), ["NAME_HAS_BLANK"]);
    }
}
