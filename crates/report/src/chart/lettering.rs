//! Text in charts: escaped, and cut to the room there is.

use crate::number::shown;
use crate::printable::printable;

/// Height of letters in pixels.
pub(super) const FONT_PX: f64 = 13.0;
/// From one line of text to the next.
pub(super) const LINE_PX: f64 = 18.0;

/// A stranger's text as XML text or attribute, in one line.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // No XML file may hold these two.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// The room a text takes: an upper bound for the fonts in use, since nobody here can measure them.
pub(super) fn width_px(text: &str) -> f64 {
    text.chars().map(letter_px).sum()
}

fn letter_px(letter: char) -> f64 {
    FONT_PX
        * match letter {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.36,
            'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '-' => 0.44,
            'a'..='l' | 'n'..='v' | 'x'..='z' | '0'..='9' | '_' => 0.65,
            'A'..='L' | 'N'..='V' | 'X'..='Z' => 0.8,
            _ => 1.0,
        }
}

/// The text, cut with an ellipsis where it would take more than `most_px`. Not yet escaped.
pub(super) fn cut(text: &str, most_px: f64) -> String {
    if width_px(text) <= most_px {
        return text.to_owned();
    }
    let mut room_px = most_px - letter_px('…');
    let fits = |letter: &char| {
        room_px -= letter_px(*letter);
        room_px >= 0.0
    };
    let mut kept: String = text.chars().take_while(fits).collect();
    kept.push('…');
    kept
}

/// A count with a thin gap between groups of three digits.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join("\u{2009}")
}

/// The number with three significant digits, as many as a figure can show.
pub(super) fn three_digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    shown(Some(rounded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_stays_text() {
        assert_eq!(escaped("<script>&\"\u{ffff}"), "&lt;script&gt;&amp;&quot;\u{fffd}");
        assert_eq!(escaped("a\nb"), "a\u{fffd}b");
    }

    #[test]
    fn a_cut_text_fits_and_a_short_one_stays() {
        assert_eq!(cut("short", 100.0), "short");
        for text in ["W".repeat(50), "i".repeat(500), "地図".repeat(30)] {
            let short = cut(&text, 120.0);
            assert!(short.ends_with('…') && width_px(&short) <= 120.0, "{short}");
            assert!(width_px(&short) > 100.0, "{short}");
        }
        assert_eq!(cut("long", 0.0), "…");
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_000_000), "1\u{2009}000\u{2009}000");
    }

    #[test]
    fn charts_show_three_digits() {
        assert_eq!((three_digits(0.123_456), three_digits(1234.5)), ("0.123".to_owned(), "1230".to_owned()));
    }
}
