//! What the output of a program means.

use report::ConformAnswer;
use serde_json::Value;

use super::tool_file::{ResultRule, ToolMetric};

/// What came of one run of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Answered(ConformAnswer),
    /// The program said that there is no value.
    Undefined,
    /// It failed, or its output has no value; why, in words.
    Crashed(String),
    /// It was ended because its time was over.
    TimedOut,
}

/// Longest excerpt of an output in a message.
const MAX_EXCERPT: usize = 200;

/// The outcome of a program that ended by itself: its exit code, if it had one, and its outputs.
pub(crate) fn read_outcome(metric: &ToolMetric, code: Option<i32>, output: &[u8], errors: &[u8]) -> Outcome {
    let (output, errors) = (String::from_utf8_lossy(output), String::from_utf8_lossy(errors));
    if metric.undefined.list().iter().any(|rule| is_said(rule, code, &errors)) {
        return Outcome::Undefined;
    }
    if code != Some(0) {
        let ended =
            code.map_or_else(|| "it was ended by a signal".to_owned(), |code| format!("exit code {code}"));
        let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Outcome::Crashed(format!("{ended}: {}", excerpt(last)));
    }
    value_of(metric, &output)
}

/// Whether a rule about exit codes and stderr holds.
fn is_said(rule: &str, code: Option<i32>, errors: &str) -> bool {
    match rule.split_once(':') {
        Some(("exit", wanted)) => wanted.parse().ok() == code,
        Some(("stderr", words)) => code != Some(0) && !words.is_empty() && errors.contains(words),
        _ => false,
    }
}

fn value_of(metric: &ToolMetric, output: &str) -> Outcome {
    let is_undefined = |text: &str| {
        let text = text.trim();
        metric.undefined.list().iter().any(|word| word.eq_ignore_ascii_case(text))
    };
    if output.trim().is_empty() && !is_undefined("") {
        return Outcome::Crashed("it printed nothing".to_owned());
    }
    let token = match &metric.result {
        ResultRule::Cells => return cells_of(output),
        ResultRule::Number => output.trim().to_owned(),
        ResultRule::Json(pointer) => {
            let parsed: Result<Value, _> = serde_json::from_str(output);
            match parsed.as_ref().map(|value| value.pointer(pointer)) {
                Err(error) => return Outcome::Crashed(format!("its output is no JSON: {error}")),
                Ok(None) => return Outcome::Crashed(format!("its output has no '{pointer}'")),
                Ok(Some(Value::Null)) => return Outcome::Undefined,
                Ok(Some(Value::String(text))) => text.clone(),
                Ok(Some(value)) => value.to_string(),
            }
        }
        ResultRule::Regex(pattern) => match pattern.find(output) {
            Some(found) => found,
            None if is_undefined(output) => return Outcome::Undefined,
            None => {
                return Outcome::Crashed(format!("the pattern is not in its output: {}", excerpt(output)));
            }
        },
    };
    if is_undefined(&token) {
        return Outcome::Undefined;
    }
    match token.trim().parse::<f64>() {
        // A negative zero is zero.
        Ok(number) if number.is_finite() => Outcome::Answered(ConformAnswer::Number(number + 0.0)),
        // Neither NaN nor infinity is a value.
        Ok(_) => Outcome::Undefined,
        Err(_) => Outcome::Crashed(format!("its output is no number: {}", excerpt(&token))),
    }
}

/// The rows of cell classes; other lines, such as a header, are not looked at. Rows of probabilities are classes at one
/// half.
fn cells_of(output: &str) -> Outcome {
    let rows: Vec<String> = output.lines().map(str::trim).filter_map(row_of).collect();
    if rows.is_empty() {
        return Outcome::Crashed(format!("its output has no row of # . ?: {}", excerpt(output)));
    }
    Outcome::Answered(ConformAnswer::Cells(rows))
}

fn row_of(line: &str) -> Option<String> {
    if line.is_empty() {
        return None;
    }
    if line.chars().all(|letter| "#.?".contains(letter)) {
        return Some(line.to_owned());
    }
    let class = |word: &str| match word.parse::<f64>().ok() {
        Some(p) if (0.0..=1.0).contains(&p) => Some(if p > 0.5 {
            '#'
        } else if p < 0.5 {
            '.'
        } else {
            '?'
        }),
        _ => (word == "?").then_some('?'),
    };
    line.split_whitespace().map(class).collect()
}

fn excerpt(text: &str) -> String {
    let text = text.trim();
    let short: String = text.chars().take(MAX_EXCERPT).collect();
    if short.len() < text.len() { format!("{short}..") } else { short }
}

#[cfg(test)]
mod tests {
    use super::super::tool_file::ToolFile;
    use super::*;

    fn metric(lines: &str) -> ToolMetric {
        let head = "[tool]\nname = \"x\"\nversion = \"1\"\n[[metric]]\nid = \"a\"\ncommand = [\"a\"]\n";
        ToolFile::parse(&format!("{head}{lines}")).unwrap().metrics.remove(0)
    }

    fn number(value: f64) -> Outcome {
        Outcome::Answered(ConformAnswer::Number(value))
    }

    #[test]
    fn numbers_are_found_where_the_file_says() {
        let read = |lines: &str, output: &str| read_outcome(&metric(lines), Some(0), output.as_bytes(), b"");
        assert_eq!(read("result = \"number\"", " 1.5e-3\n"), number(1.5e-3));
        assert_eq!(read("result = \"json:/a/0\"", "{\"a\": [2]}"), number(2.0));
        assert_eq!(read("result = \"json:/a\"", "{\"a\": null}"), Outcome::Undefined);
        assert_eq!(read("result = \"regex:rmse (\\\\S+)\"", "x\nrmse 3\n"), number(3.0));
        let cells = ConformAnswer::Cells(vec!["#.".to_owned(), "??".to_owned()]);
        assert_eq!(
            read("result = \"cells\"", "resolution: 1\n0.9 0\n0.5 ?\n"),
            Outcome::Answered(cells.clone())
        );
        assert_eq!(read("result = \"cells\"", "resolution: 1\n#.\n??\n"), Outcome::Answered(cells));
    }

    #[test]
    fn no_value_is_told_apart_from_a_failure() {
        let plain = metric("result = \"number\"");
        for output in ["nan", "NaN\n", "inf", "-inf"] {
            assert_eq!(read_outcome(&plain, Some(0), output.as_bytes(), b""), Outcome::Undefined);
        }
        let is_crash = |code, output: &[u8], errors: &[u8], words: &str| match read_outcome(
            &plain, code, output, errors,
        ) {
            Outcome::Crashed(why) => assert!(why.contains(words), "{why}"),
            other => panic!("{other:?}"),
        };
        is_crash(Some(0), b"", b"", "printed nothing");
        is_crash(Some(0), b"1 2", b"", "no number: 1 2");
        is_crash(Some(0), b"\xff\xfe", b"", "no number");
        is_crash(Some(3), b"1", b"Traceback\nValueError: x\n\n", "exit code 3: ValueError: x");
        is_crash(None, b"1", b"", "signal");
        let told = metric("result = \"number\"\nundefined = [\"none\", \"exit:3\", \"stderr:no walls\"]");
        assert_eq!(read_outcome(&told, Some(3), b"", b""), Outcome::Undefined);
        assert_eq!(read_outcome(&told, Some(1), b"", b"error: no walls"), Outcome::Undefined);
        assert_eq!(read_outcome(&told, Some(0), b"None", b"no walls"), Outcome::Undefined);
        assert!(matches!(read_outcome(&told, Some(1), b"", b"error"), Outcome::Crashed(_)));
    }
}
