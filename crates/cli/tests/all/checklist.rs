//! The checklist of the papers is true: every command of `docs/spec/checklist/` gives the numbers that stand below it.
//!
//! A line is a heading `### C2-06 Title`, a block of shell commands, and bullets that say what comes out: a JSON pointer with
//! its value, a text, an exit code, a file. A line without a block says why it has none.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Lines of the mission that are out of scope.
const WITHOUT_COMMAND: [&str; 5] = ["C0-20", "C1-32", "C2-18", "C3-08", "C4-16"];

/// How many lines each paper has.
const PAPERS: [(&str, usize); 5] = [("C0", 37), ("C1", 33), ("C2", 18), ("C3", 8), ("C4", 16)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One line of the checklist.
#[derive(Debug, Default)]
struct Line {
    code: String,
    script: String,
    expected: Vec<Expected>,
}

#[derive(Debug, PartialEq)]
enum Expected {
    /// A place in the JSON on stdout, and its value as printed in the page.
    Value(String, String),
    Text(String),
    Exit(i32),
    File(String),
}

impl Expected {
    /// A bullet, or a sentence of what is wrong with it.
    fn from_bullet(bullet: &str) -> Result<Self, String> {
        let quoted = |rest: &str| rest.trim().strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
        let read = || -> Option<Self> {
            if let Some(rest) = bullet.strip_prefix("text ") {
                return Some(Self::Text(quoted(rest)?));
            }
            if let Some(rest) = bullet.strip_prefix("file ") {
                return Some(Self::File(quoted(rest)?));
            }
            if let Some(rest) = bullet.strip_prefix("exit ") {
                return Some(Self::Exit(rest.trim().parse().ok()?));
            }
            let (place, value) = bullet.rsplit_once(" = ")?;
            Some(Self::Value(quoted(place)?, value.trim().to_owned()))
        };
        read().ok_or_else(|| format!("not understood: - {bullet}"))
    }

    /// What differs, if anything.
    fn fault(&self, run: &Run) -> Option<String> {
        let is_met = match self {
            Self::Text(text) => run.stdout.contains(text) || run.stderr.contains(text),
            Self::Exit(code) => run.code == *code,
            Self::File(name) => run.folder.join(name).is_file(),
            Self::Value(place, value) => {
                let Ok(json) = serde_json::from_str::<Value>(&run.stdout) else {
                    return Some(format!("{place}: stdout is no JSON: {}", shortened(&run.stdout)));
                };
                let Some(found) = at(&json, place) else { return Some(format!("{place} is not there")) };
                if is_printed_as(found, value) {
                    return None;
                }
                return Some(format!("{place} is {found}, not {value}"));
            }
        };
        (!is_met).then(|| format!("{self:?}"))
    }
}

/// What a script left.
struct Run {
    folder: PathBuf,
    code: i32,
    stdout: String,
    stderr: String,
}

fn shortened(text: &str) -> String {
    text.chars().take(400).collect()
}

/// The value at a pointer whose parts are keys, numbers or `[key=value]`.
fn at<'a>(json: &'a Value, place: &str) -> Option<&'a Value> {
    place.trim_start_matches('/').split('/').filter(|part| !part.is_empty()).try_fold(json, |value, part| {
        let selected = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match (selected.and_then(|rest| rest.split_once('=')), part.parse::<usize>()) {
            (Some((key, wanted)), _) => value.as_array()?.iter().find(|entry| entry[key] == *wanted),
            (None, Ok(index)) if value.is_array() => value.get(index),
            _ => value.get(part),
        }
    })
}

/// Whether a value has the digits that are printed.
fn is_printed_as(found: &Value, printed: &str) -> bool {
    if let (Some(found), Ok(number)) = (found.as_f64(), printed.parse::<f64>()) {
        let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        return (found - number).abs() <= 0.5001 * 10_f64.powi(-i32::try_from(decimals).unwrap());
    }
    serde_json::from_str::<Value>(printed).is_ok_and(|value| value == *found)
}

/// The lines of a page.
fn lines(page: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut is_script = false;
    for text in page.lines() {
        if let Some(heading) = text.strip_prefix("### ") {
            let code = heading.split(' ').next().unwrap().to_owned();
            lines.push(Line { code, ..Line::default() });
            continue;
        }
        let Some(line) = lines.last_mut() else { continue };
        match (is_script, text) {
            (false, "```sh") => is_script = true,
            (true, "```") => is_script = false,
            (true, text) => line.script += &format!("{text}\n"),
            (false, text) => {
                if let Some(bullet) = text.strip_prefix("- ") {
                    let expected = Expected::from_bullet(bullet);
                    line.expected.push(expected.unwrap_or_else(|fault| panic!("{}: {fault}", line.code)));
                }
            }
        }
    }
    lines
}

fn all_lines() -> Vec<Line> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root().join("docs/spec/checklist"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.iter().flat_map(|page| lines(&std::fs::read_to_string(page).unwrap())).collect()
}

/// What every script finds in its folder: the arena of the documentation, and the demonstration.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(root().join("docs/arena")).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    let demo = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args(["demo", "--out", "."])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(demo.status.success());
    folder
}

fn run(line: &Line, made: &Path) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let copied = Command::new("cp").arg("-R").arg(made.join(".")).arg(folder.path()).status().unwrap();
    assert!(copied.success());
    let binary = Path::new(env!("CARGO_BIN_EXE_mapjudge"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-e", "-c", &line.script])
        .env("PATH", path)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let run = Run {
        folder: folder.path().to_owned(),
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    let mut faults: Vec<String> = line.expected.iter().filter_map(|expected| expected.fault(&run)).collect();
    let asks_for_code = line.expected.iter().any(|expected| matches!(expected, Expected::Exit(_)));
    if run.code != 0 && !asks_for_code {
        faults.push(format!("exit {}: {}", run.code, shortened(&run.stderr)));
    }
    faults.into_iter().map(|fault| format!("{}: {fault}", line.code)).collect()
}

#[test]
fn every_line_of_the_papers_comes_out_of_a_command() {
    let made = prepared();
    let lines = all_lines();
    let share = |remainder: usize| -> Vec<String> {
        lines.iter().skip(remainder).step_by(2).flat_map(|line| run(line, made.path())).collect()
    };
    let faults = std::thread::scope(|scope| {
        let odd = scope.spawn(|| share(1));
        [share(0), odd.join().unwrap()].concat()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checklist_has_every_line_of_the_papers_once() {
    let lines = all_lines();
    let mut by_code: BTreeMap<&str, &Line> = BTreeMap::new();
    for line in &lines {
        assert!(by_code.insert(&line.code, line).is_none(), "{} stands twice", line.code);
    }
    for (paper, count) in PAPERS {
        for number in 1..=count {
            let code = format!("{paper}-{number:02}");
            let line = by_code.remove(code.as_str()).unwrap_or_else(|| panic!("{code} is missing"));
            let is_shown = !line.script.is_empty() && !line.expected.is_empty();
            assert_eq!(is_shown, !WITHOUT_COMMAND.contains(&code.as_str()), "{code}: command and bullets");
        }
    }
    assert!(by_code.is_empty(), "not in the mission: {:?}", by_code.keys());
}

#[test]
fn a_bullet_that_is_not_met_is_a_fault() {
    let page = "### C9-01 Trial\n\n```sh\necho '{\"a\": [{\"id\": \"x\", \"v\": 0.8249}], \"b\": true}'\n```\n\n\
        - `/a/[id=x]/v` = 0.82\n- `/b` = true\n- exit 0\n";
    let made = tempfile::tempdir().unwrap();
    let faults = |page: &str| lines(page).iter().flat_map(|line| run(line, made.path())).count();
    assert_eq!(faults(page), 0);
    for (met, unmet) in
        [("= 0.82", "= 0.83"), ("= true", "= false"), ("exit 0", "exit 1"), ("exit 0", "file `x`")]
    {
        assert_eq!(faults(&page.replace(met, unmet)), 1, "{unmet}");
    }
    assert_eq!(faults(&page.replace("- exit 0", "- text `\"id\"`")), 0);
    assert_eq!(faults(&page.replace("- exit 0", "- text `absent`")), 1);
    assert_eq!(faults(&page.replace("echo", "exit 3; echo").replace("- exit 0\n", "")), 3);
}
