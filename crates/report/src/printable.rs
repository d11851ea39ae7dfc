//! File names and messages come from strangers: nothing in them may steer a terminal or reorder a line.

/// The text with control characters and direction overrides replaced by `\u{fffd}`, in one line.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// Letters of a name that a page shows; the JSON has all of them.
const NAME_LETTERS: usize = 60;

/// A stranger's name for a page or a table: printable, and cut where nobody would read on.
#[must_use]
pub fn name(text: &str) -> String {
    let mut letters = text.chars();
    let short: String = letters.by_ref().take(NAME_LETTERS).collect();
    let rest = if letters.next().is_some() { "…" } else { "" };
    format!("{}{rest}", printable(&short))
}

/// True for control characters and for the marks that change the direction of writing.
#[must_use]
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_and_overrides_lose_their_power() {
        assert_eq!(printable("a\u{1b}[31mb"), "a\u{fffd}[31mb");
        assert_eq!(printable("a\nb\u{202e}c"), "a\u{fffd}b\u{fffd}c");
    }

    #[test]
    fn letters_of_all_scripts_stay() {
        assert_eq!(printable("Büro 地図"), "Büro 地図");
    }
}
