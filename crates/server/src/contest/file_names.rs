//! Names of files that strangers hand in: relative, short, and the same on every system. Colons stay: hector writes them.

/// Folders and the name itself.
const MAX_PARTS: usize = 4;
/// Bytes of one part.
const MAX_PART_BYTES: usize = 120;

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing is left of it.
    #[error("the name is empty")]
    Empty,
    /// It leads elsewhere.
    #[error("the name leads out of the folder of the submission")]
    Leaves,
    /// Too deep.
    #[error("the name has more than 4 levels")]
    Deep,
    /// Too long.
    #[error("a part of the name is longer than 120 bytes")]
    Long,
    /// Letters that nobody sees, or that turn the text around.
    #[error("the name has control characters")]
    Control,
}

/// Checks a name.
///
/// # Errors
/// It is refused.
pub fn check(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    if name.chars().any(is_control) {
        return Err(NameFault::Control);
    }
    if name.contains('\\') || name.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(NameFault::Leaves);
    }
    if name.split('/').count() > MAX_PARTS {
        return Err(NameFault::Deep);
    }
    if name.split('/').any(|part| part.len() > MAX_PART_BYTES) {
        return Err(NameFault::Long);
    }
    Ok(())
}

/// Control characters, and those that change the direction of the text around them.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Two names that are one where case does not matter.
#[must_use]
pub fn twins(names: &[&str]) -> Option<(String, String)> {
    let mut seen = std::collections::BTreeMap::new();
    names.iter().find_map(|name| {
        let other = seen.insert(name.to_lowercase(), *name)?;
        Some((other.to_owned(), (*name).to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        let (deep, long) = ("a/b/c/d/e", "x".repeat(121));
        for (name, fault) in [
            ("", NameFault::Empty),
            ("..", NameFault::Leaves),
            ("a/../b", NameFault::Leaves),
            ("/etc/passwd", NameFault::Leaves),
            ("a//b", NameFault::Leaves),
            ("..\\..\\x", NameFault::Leaves),
            ("./a", NameFault::Leaves),
            ("a\nb", NameFault::Control),
            ("a\0", NameFault::Control),
            ("map\u{202e}fdp.exe", NameFault::Control),
            (deep, NameFault::Deep),
            (long.as_str(), NameFault::Long),
        ] {
            assert_eq!(check(name), Err(fault), "{name:?}");
        }
        for name in ["nav.tif", "final/map 1.yaml", "a:b.tfw", "Übung/карта.png", "...", ".hidden"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn names_of_one_spelling_in_two_cases_are_twins() {
        assert_eq!(twins(&["a.tif", "b.tif"]), None);
        assert_eq!(twins(&["a.tif", "A.TIF"]), Some(("a.tif".into(), "A.TIF".into())));
        assert_eq!(twins(&["a.tif", "a.tif"]), Some(("a.tif".into(), "a.tif".into())));
    }
}
