//! The commands of a review, one per line.

use std::io::{BufRead, Read};

use model::Pose2;

/// A longer line is no command.
const MAX_LINE_BYTES: u64 = 4096;

/// What the commands do.
pub(super) const HELP: &str = "\
accept [NOTE]          right as it is drawn; adjusted if it was changed (a)
reject [NOTE]          wrong (r)
adjust DX DY DYAW      move it by metres and degrees, and draw it again
set X Y YAW            put it to metres and degrees, and draw it again
match                  lay the scans on each other again from here (m)
second                 ask another person too, who does not see what is decided here
skip                   leave it for the end (s)
show                   tell and draw it again
undo                   take the last decision of this review back (u)
reopen ID              make a proposal of a decided relation
status                 how many are left
quit                   stop; the next review goes on here (q)";

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Accept(Option<String>),
    Reject(Option<String>),
    Adjust(Pose2),
    Set(Pose2),
    Match,
    Second,
    Skip,
    Show,
    Undo,
    Reopen(String),
    Status,
    Help,
    Quit,
}

/// The next command, or why a line is none; nothing at the end of the input. Empty lines and comments are skipped.
pub(super) fn next_command(input: &mut dyn BufRead) -> std::io::Result<Option<Result<Command, String>>> {
    loop {
        let mut bytes = Vec::new();
        let read = Read::take(&mut *input, MAX_LINE_BYTES).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
            let source = format!("a line of more than {MAX_LINE_BYTES} bytes");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, source));
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            return Ok(Some(parse(line)));
        }
    }
}

fn parse(line: &str) -> Result<Command, String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let note = || (!rest.is_empty()).then(|| rest.to_owned());
    let command = match word {
        "accept" | "a" => return Ok(Command::Accept(note())),
        "reject" | "r" => return Ok(Command::Reject(note())),
        "adjust" => return pose(rest).map(Command::Adjust),
        "set" => return pose(rest).map(Command::Set),
        "reopen" if !rest.is_empty() => return Ok(Command::Reopen(rest.to_owned())),
        "match" | "m" => Command::Match,
        "second" => Command::Second,
        "skip" | "s" => Command::Skip,
        "show" => Command::Show,
        "undo" | "u" => Command::Undo,
        "status" => Command::Status,
        "help" | "?" => Command::Help,
        "quit" | "q" => Command::Quit,
        _ => return Err(format!("'{}' is no command", word.escape_debug())),
    };
    if rest.is_empty() { Ok(command) } else { Err(format!("{word} takes nothing behind it")) }
}

fn pose(text: &str) -> Result<Pose2, String> {
    let numbers: Option<Vec<f64>> = text
        .split_whitespace()
        .map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[x_m, y_m, yaw_deg]) => Ok(Pose2::new(x_m, y_m, model::wrap(yaw_deg.to_radians()))),
        _ => Err(format!("'{}': expected three numbers, metres, metres and degrees", text.escape_debug())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Result<Command, String>> {
        let mut input = text.as_bytes();
        std::iter::from_fn(|| next_command(&mut input).unwrap()).collect()
    }

    #[test]
    fn commands_are_words_and_letters() {
        let found = all("a\n\n# no command\nreject wrong wall\nadjust 0.01 -0.02 90\nq\n");
        assert_eq!(found[0], Ok(Command::Accept(None)));
        assert_eq!(found[1], Ok(Command::Reject(Some("wrong wall".to_owned()))));
        assert_eq!(found[2], Ok(Command::Adjust(Pose2::new(0.01, -0.02, std::f64::consts::FRAC_PI_2))));
        assert_eq!(found[3], Ok(Command::Quit));
    }

    #[test]
    fn what_is_no_command_is_told() {
        for line in ["fly", "adjust 1 2", "set a b c", "adjust 1 2 inf", "undo all", "reopen"] {
            assert!(all(line)[0].is_err(), "{line}");
        }
        let long = "x".repeat(5000);
        assert!(next_command(&mut long.as_bytes()).is_err());
    }
}
