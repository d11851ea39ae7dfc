//! Numbers of things on the command line: targets, samples, robots. None of them may ask for all memory at once.

/// The largest number of anything that a flag asks for.
const MAX_COUNT: usize = 1_000_000;

/// A number of things, at most a million.
///
/// # Errors
/// No whole number, or more.
pub fn count(text: &str) -> Result<usize, String> {
    let expected = || format!("expected a whole number from 0 to {MAX_COUNT}");
    text.parse().ok().filter(|count| *count <= MAX_COUNT).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_fill_the_memory_are_refused() {
        assert_eq!((count("0"), count("1000000")), (Ok(0), Ok(1_000_000)));
        for wrong in ["1000001", "4294967296", "18446744073709551615", "-1", "1e3", ""] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }

    /// Every flag that is a plain number of things has a bound: a parser of its own, or a small type.
    #[test]
    fn every_count_flag_has_a_bound() {
        let mut unbounded = Vec::new();
        let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    folders.push(entry);
                    continue;
                }
                let text = std::fs::read_to_string(&entry).unwrap();
                let mut attribute = String::new();
                for line in text.lines().map(str::trim) {
                    if line.starts_with("#[arg(") || !attribute.is_empty() && !attribute.ends_with(")]") {
                        attribute = if line.starts_with("#[arg(") { String::new() } else { attribute } + line;
                        continue;
                    }
                    let is_count = ["usize", "u32", "u64"].iter().any(|kind| {
                        line.ends_with(&format!(": {kind},")) || line.ends_with(&format!(": Option<{kind}>,"))
                    });
                    // A seed may be any number.
                    let is_seed = line.starts_with("seed:");
                    if !attribute.is_empty() && is_count && !is_seed && !attribute.contains("value_parser") {
                        unbounded.push(format!("{}: {line}", entry.display()));
                    }
                    attribute.clear();
                }
            }
        }
        assert!(unbounded.is_empty(), "{unbounded:#?}");
    }
}
