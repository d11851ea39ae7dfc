//! File names and messages come from strangers: nothing in them may steer a terminal or reorder a line.

/// The text with control characters and direction overrides replaced by `\u{fffd}`, in one line.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// True for control characters and for the marks that change the direction of writing.
pub(crate) fn steers(c: char) -> bool {
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
