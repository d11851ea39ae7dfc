//! The documentation is true: commands shown in it run, generated pages are current, links lead somewhere.
//!
//! `MAPJUDGE_RENEW=1` writes the generated pages anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let markdown = |folder: &str| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
    };
    let mut pages = [markdown("."), markdown("docs"), markdown("conformance")].concat();
    pages.sort();
    pages
}

/// The lines of the fenced blocks of a kind.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line.trim_start()) {
            (false, fence) if fence == format!("```{kind}") => inside = true,
            (true, "```") => inside = false,
            (true, _) => found.push(line.to_owned()),
            (false, _) => {}
        }
    }
    found
}

/// Commands that are run elsewhere: the test command runs these tests, the benchmark kit and the reference have
/// their own place.
const RUN_ELSEWHERE: [&str; 6] = [
    "./test.sh",
    "FUZZ_SECONDS=0 ./test.sh",
    "python3 conformance/reference.py",
    "../shared/bench/",
    "cargo build --release",
    "cargo install --path crates/cli",
];

#[test]
fn commands_shown_in_the_documentation_run() {
    let made = tempfile::tempdir().unwrap();
    prepare(made.path());
    let pages = pages();
    // Pages are independent: one worker each for the odd and the even ones.
    let run = |remainder: usize| {
        pages.iter().skip(remainder).step_by(2).map(|page| run_page(page, made.path())).sum()
    };
    let commands: usize = std::thread::scope(|scope| {
        let odd = scope.spawn(|| run(1));
        let even: usize = run(0);
        even + odd.join().unwrap()
    });
    assert!(commands >= 10, "only {commands} commands found");
}

/// Runs the commands of a page in a copy of the folder that was made; their number.
fn run_page(page: &Path, made: &Path) -> usize {
    let text = std::fs::read_to_string(page).unwrap();
    let commands: Vec<String> = blocks(&text, "sh")
        .iter()
        .map(|line| line.split(" # ").next().unwrap().trim().replace("cargo run --release --", "mapjudge"))
        .filter(|command| {
            !command.is_empty() && !RUN_ELSEWHERE.iter().any(|known| command.starts_with(known))
        })
        .collect();
    if commands.is_empty() {
        return 0;
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_mapjudge"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let folder = tempfile::tempdir().unwrap();
    let copied = Command::new("cp").arg("-R").arg(made.join(".")).arg(folder.path()).status().unwrap();
    assert!(copied.success());
    for command in &commands {
        let output = Command::new("sh")
            .args(["-c", &ended(command)])
            .env("PATH", &path)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {command}\n{message}", page.display());
        // JSON gives numbers back to the bit; people read the rest.
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        for text in [message, printed].iter().filter(|text| !text.trim_start().starts_with(['{', '['])) {
            assert_eq!(signed_zero(text), None, "{}: {command}", page.display());
        }
    }
    assert_no_signed_zero_in_tables(folder.path());
    commands.len()
}

/// Pages stay until somebody ends them: here Ctrl-C does, after the page could be opened.
fn ended(command: &str) -> String {
    let is_page = command.contains("--by-hand")
        || command.starts_with("mapjudge view ")
        || command.starts_with("mapjudge serve demo")
        || (command.starts_with("mapjudge truth review ") && !command.contains("--terminal"));
    if is_page {
        format!("timeout --foreground --signal=INT --preserve-status 4 {command}")
    } else {
        command.to_owned()
    }
}

/// The tables that commands have written are free of signed zeros too.
fn assert_no_signed_zero_in_tables(folder: &Path) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            assert_no_signed_zero_in_tables(&path);
        } else if path.extension().is_some_and(|extension| extension == "csv" || extension == "md") {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            assert_eq!(signed_zero(&text), None, "{}", path.display());
        }
    }
}

/// The line with the first number of a text that is zero and has a sign.
fn signed_zero(text: &str) -> Option<&str> {
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let is_signed_zero = |line: &str, at: usize| {
        let is_joined = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
        let rest = line[at + 1..].trim_start_matches(is_number);
        let digits = &line[at + 1..line.len() - rest.len()];
        let is_word = line[..at].ends_with(is_joined) || rest.starts_with(|letter: char| is_joined(letter));
        !is_word && digits.bytes().all(|digit| b"0.".contains(&digit))
    };
    text.lines().find(|line| line.match_indices("-0").any(|(at, _)| is_signed_zero(line, at)))
}

#[test]
fn signed_zeros_are_seen_and_other_numbers_are_not_taken_for_them() {
    for line in ["x -0.00 m", "-0", "a,-0.0,1", "(-0.0, 1.0)", "yaw -0 deg"] {
        assert_eq!(signed_zero(line), Some(line));
    }
    for line in ["x -0.01 m", "2026-01-00", "F-0", "map-0.png", "--0", "-0.5", "0.0", "1-0", "-0e-3"] {
        assert_eq!(signed_zero(line), None, "{line}");
    }
}

/// The files that `docs/job.md` and `docs/fiducials.md` speak of: the maps of the demonstration, a limits file, the job
/// itself, and the arena.
fn prepare(folder: &Path) {
    let job = blocks(&std::fs::read_to_string(root().join("docs/job.md")).unwrap(), "toml").join("\n");
    std::fs::write(folder.join("job.toml"), job).unwrap();
    std::fs::write(folder.join("limits.txt"), "overall_error <= 99999\n").unwrap();
    for file in std::fs::read_dir(root().join("docs/arena")).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let demo = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args(["demo", "--out", "."])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(demo.status.success());
}

/// Compares a page with what the program says, or renews it.
fn current(name: &str, text: &str) {
    let path = root().join(name);
    if std::env::var_os("MAPJUDGE_RENEW").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{name} is not current; renew it with MAPJUDGE_RENEW=1 and read the difference");
}

fn run(arguments: &[&str]) -> Vec<u8> {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).output().unwrap().stdout
}

#[test]
fn the_page_of_metrics_is_current() {
    let metrics: Value = serde_json::from_slice(&run(&["metrics", "--format", "json"])).unwrap();
    let mut text = String::from(
        "# Metrics\n\nMade from the program; `mapjudge metrics ID` prints the same. Each card is the header of the \
         metric's source file; codes such as M-PSI are explained in the [specification](spec/README.md).\n\n| id | code | unit | better | best | what it measures |\n|---|---|---|---|---|---|\n",
    );
    let word = |metric: &Value, key: &str| metric[key].as_str().unwrap().to_owned();
    for m in metrics.as_array().unwrap() {
        let (id, best) = (word(m, "id"), m["best"].as_f64().map_or(String::new(), |best| best.to_string()));
        let row = [
            format!("[`{id}`](#{id})"),
            word(m, "code"),
            word(m, "unit"),
            word(m, "better"),
            best,
            word(m, "meaning"),
        ];
        writeln!(text, "| {} |", row.join(" | ")).unwrap();
    }
    for m in metrics.as_array().unwrap() {
        let card = String::from_utf8(run(&["metrics", &word(m, "id")])).unwrap();
        let body = card.split_once("\n\n").unwrap().1;
        write!(
            text,
            "\n## {}\n\n**{}** ({})\n\n{}",
            word(m, "id"),
            word(m, "title"),
            word(m, "code"),
            as_list(body)
        )
        .unwrap();
    }
    current("docs/metrics.md", &text);
}

/// Puts the entries of a card on lines of their own, which Markdown would join.
fn as_list(card: &str) -> String {
    let mut text = String::new();
    for line in card.lines() {
        match metrics::CARD_KEYS.iter().find(|key| line.starts_with(&format!("{key}: "))) {
            Some(key) => writeln!(text, "- **{key}**:{}", &line[key.len() + 1..]).unwrap(),
            None => writeln!(text, "{line}").unwrap(),
        }
    }
    text
}

#[test]
fn every_finding_is_documented_and_every_documented_finding_exists() {
    let documented: BTreeSet<String> =
        mapjudge::files::lint::codes().iter().map(|code| code.code.to_owned()).collect();
    let mut files = Vec::new();
    for folder in ["crates/formats/src", "crates/align/src", "crates/suite/src", "crates/truth/src"] {
        sources(&root().join(folder), &mut files);
    }
    // Tests name codes of errors, and rows carry them.
    let is_of_rows = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "rows");
    files.retain(|path| {
        !path.ends_with("tests.rs") && !path.ends_with("worker_process.rs") && !is_of_rows(path)
    });
    let text = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let mut used: BTreeSet<String> = files.iter().flat_map(|f| codes(&text(f))).collect();
    // Names of columns, of the build, of the environment and of errors that look like codes of findings.
    for other in [
        "CARGO_PKG_VERSION",
        "LENGTH_M",
        "MAPJUDGE_FINGERPRINT",
        "OUT_DIR",
        "PUBLISHED_STATISTICS",
        "THETA_RAD",
        "XDG_STATE_HOME",
    ] {
        used.remove(other);
    }
    let undocumented: Vec<_> = used.difference(&documented).collect();
    let unused: Vec<_> = documented.difference(&used).collect();
    assert!(undocumented.is_empty() && unused.is_empty(), "undocumented {undocumented:?}, unused {unused:?}");
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

#[test]
fn the_page_of_findings_is_current() {
    let mut text = String::from(
        "# Findings\n\nWhat the readers notice about a file, and the rules of `mapjudge lint`. Nothing is fixed silently. \
         Made from the program.\n\n| code | level | what it means | example | what to do |\n|---|---|---|---|---|\n",
    );
    for code in mapjudge::files::lint::codes() {
        let level = format!("{:?}", code.level).to_lowercase();
        writeln!(
            text,
            "| `{}` | {level} | {} | {} | {} |",
            code.code, code.meaning, code.example, code.remedy
        )
        .unwrap();
    }
    current("docs/lint.md", &text);
}

/// String literals of capitals and underscores before the tests of a file.
fn codes(source: &str) -> Vec<String> {
    // Arms such as `Self::Open => "FILE_NOT_READABLE"` are the codes of errors, which are no findings.
    let is_error = |line: &&str| line.trim_start().starts_with("Self::") && line.contains(" => ");
    let lines = source.split("#[cfg(test)]").next().unwrap_or_default().lines();
    let code = lines.filter(|line| !is_error(line)).collect::<Vec<_>>().join("\n");
    let is_code = |text: &&str| {
        text.contains('_')
            && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && text.starts_with(|c: char| c.is_ascii_uppercase())
    };
    // Every quote may open a literal, but not that of bytes; what stands up to the next one must look like a code.
    let is_text = |at: usize| !code[..at].ends_with('b');
    let quotes = code.match_indices('"').map(|(at, _)| at).filter(|at| is_text(*at));
    let after_quotes = quotes.filter_map(|at| code[at + 1..].split('"').next());
    after_quotes.filter(is_code).map(str::to_owned).collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let path = page.parent().unwrap().join(file);
            assert!(path.exists(), "{}: link to {target}", page.display());
        }
    }
}

#[test]
fn pages_name_no_absolute_path() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for machine in ["/home/", "/work/", "/root/", "C:\\"] {
            assert!(!text.contains(machine), "{}: {machine}", page.display());
        }
    }
}
