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

/// Whether results go to a terminal.
pub fn is_terminal() -> bool {
    stdout().is_terminal()
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

/// Codes of our own tables that may reach a terminal: colours and their end.
const OWN_CODES: [&str; 10] = ["0", "1", "2", "22", "31", "32", "33", "36", "39", "90"];

/// The text without anything that steers a terminal, except for line ends and tabs, and for the colours of our own tables
/// where there are any. Names and messages come from files of strangers.
pub fn harmless(text: &str, may_be_coloured: bool) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(steers) {
        let (before, from) = rest.split_at(at);
        clean.push_str(before);
        let own = own_code(from).filter(|_| may_be_coloured);
        let length = own.map_or_else(|| from.chars().next().map_or(0, char::len_utf8), str::len);
        clean.push_str(own.unwrap_or("\u{fffd}"));
        rest = &from[length..];
    }
    clean + rest
}

/// The colour code at the beginning of a text, if it is one of ours.
fn own_code(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("\u{1b}[")?;
    let end = inner.find('m')?;
    OWN_CODES.contains(&&inner[..end]).then(|| &text[..2 + end + 1])
}

/// Control characters but for line ends and tabs, and marks that change the direction of writing.
fn steers(letter: char) -> bool {
    !matches!(letter, '\n' | '\t') && report::steers(letter)
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
    fn escapes_of_files_do_not_reach_the_terminal() {
        let hostile = "a\u{1b}]0;title\u{7}b\u{1b}[2J\u{9b}2Jc\rd\u{202e}e\n\tf\u{1b}[8mg";
        for may_be_coloured in [false, true] {
            let clean = harmless(hostile, may_be_coloured);
            assert!(!clean.contains(['\u{1b}', '\u{7}', '\r']), "{clean:?}");
            assert!(!clean.contains(['\u{9b}', '\u{202e}']) && clean.contains("\n\tf"), "{clean:?}");
        }
        let ours = format!("{RED}error{PLAIN}: Büro 地図\n");
        assert_eq!(harmless(&ours, true), ours);
        assert!(!harmless(&ours, false).contains('\u{1b}'));
    }

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
