//! What the terminal can show: width and colour. Files and pipes get neither, whatever the terminal is.
//!
//! `NO_COLOR` turns colour off, `CLICOLOR_FORCE` turns it on where there is no terminal; `COLUMNS` then tells the width.

use std::io::{IsTerminal, stderr, stdout};

use report::Screen;

const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const RED: &str = "\u{1b}[31m";
const CYAN: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

/// The first words of a line that say how grave it is.
const MARKED: [(&str, &str); 9] = [
    ("error", RED),
    ("MISSED", RED),
    ("WORSE", RED),
    ("undefined", RED),
    ("warning", YELLOW),
    ("hint", CYAN),
    ("tip", CYAN),
    ("better", GREEN),
    ("held", GREEN),
];

/// What results are printed on.
pub fn screen() -> Screen {
    let is_terminal = stdout().is_terminal();
    let told = if is_terminal || is_forced() { std::env::var("COLUMNS").ok() } else { None };
    let told = told.and_then(|columns| columns.parse().ok()).filter(|&columns: &usize| columns > 0);
    let measured = || {
        terminal_size::terminal_size_of(stdout()).map(|(width, _)| usize::from(width.0)).filter(|&w| w > 0)
    };
    Screen { columns: told.or_else(measured), is_coloured: is_coloured(is_terminal) }
}

/// Whether messages on stderr are coloured.
pub fn colours_messages() -> bool {
    is_coloured(stderr().is_terminal())
}

fn is_coloured(is_terminal: bool) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    is_forced() || is_terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn is_forced() -> bool {
    std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0")
}

/// The text with the first word of each line coloured that says how grave it is. In the lines below a table a finding's
/// level is the second word.
pub fn painted(text: &str) -> String {
    text.split_inclusive('\n').map(painted_line).collect()
}

fn painted_line(line: &str) -> String {
    let words = line.trim_start();
    let words = words.strip_prefix("finding").map_or(words, str::trim_start);
    let first = words.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    let Some((_, colour)) = MARKED.iter().find(|(word, _)| *word == first) else { return line.to_owned() };
    let start = line.len() - words.len();
    let (before, rest) = (&line[..start], &words[first.len()..]);
    format!("{before}{colour}{first}{PLAIN}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_says_how_grave_a_line_is_gets_a_colour() {
        assert_eq!(
            painted("error: x\nhint: y\nplain\n"),
            format!("{RED}error{PLAIN}: x\n{CYAN}hint{PLAIN}: y\nplain\n")
        );
        assert_eq!(
            painted_line("finding    warning ODD: x"),
            format!("finding    {YELLOW}warning{PLAIN} ODD: x")
        );
        assert_eq!(painted_line("errors are counted"), "errors are counted");
        assert_eq!(painted_line(""), "");
    }
}
