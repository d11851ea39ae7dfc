//! What the terminal gets: widths, colours, help in groups, pages, completions, manual pages.

use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command.args(arguments).envs(environment.iter().copied()).current_dir(folder).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = run(Path::new("."), arguments, &[]);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn maps() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let grid = "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#...#\n#####\n";
    for name in ["truth.txt", "a.txt", "b.txt"] {
        std::fs::write(folder.path().join(name), grid).unwrap();
    }
    folder
}

const SCORE: [&str; 4] = ["score", "a.txt", "--truth", "truth.txt"];

#[test]
fn pipes_are_plain_and_no_color_is_obeyed() {
    let folder = maps();
    let score = |environment: &[(&str, &str)]| run(folder.path(), &SCORE, environment).stdout;
    let plain = score(&[]);
    assert!(!plain.contains(&0x1b));
    assert_eq!(score(&[("COLUMNS", "60")]), plain, "a pipe has no width");
    assert_eq!(score(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]), plain);
    assert!(score(&[("CLICOLOR_FORCE", "1")]).contains(&0x1b));
    let error = run(folder.path(), &["score", "none.txt"], &[("CLICOLOR_FORCE", "1")]).stderr;
    assert!(String::from_utf8_lossy(&error).starts_with("\u{1b}[31merror\u{1b}[0m: "));
}

#[test]
fn tables_fit_the_width_and_keep_the_ids() {
    let folder = maps();
    for maps in [&["a.txt"][..], &["a.txt", "b.txt"]] {
        for columns in ["60", "80", "100"] {
            let arguments = [&["score"], maps, &["--truth", "truth.txt"]].concat();
            let environment = [("CLICOLOR_FORCE", "1"), ("COLUMNS", columns)];
            let table = String::from_utf8(run(folder.path(), &arguments, &environment).stdout).unwrap();
            let rules = table.lines().filter(|line| line.starts_with('─'));
            assert!(rules.clone().count() >= 2, "{table}");
            let width: usize = columns.parse().unwrap();
            assert!(rules.into_iter().all(|rule| rule.chars().count() <= width), "{columns}\n{table}");
            assert!(table.contains("normalized_mutual_information"), "{table}");
        }
    }
}

#[test]
fn help_lists_every_command_in_one_group() {
    let help = text(&["--help"]);
    assert!(
        help.contains("Judge maps:") && help.contains("Contests:") && !help.contains("Others:"),
        "{help}"
    );
    for command in
        ["demo", "score", "traj", "contest", "map", "convert", "completions", "help", "lint", "truth"]
    {
        let lines = help.lines().filter(|line| line.starts_with(&format!("  {command} ")));
        assert_eq!(lines.count(), 1, "{command}: {help}");
    }
}

#[test]
fn every_page_that_the_help_names_can_be_printed() {
    for (topic, words) in
        [("contest", "# Contests"), ("score", "# The report"), ("docs/job.md", "# Job files")]
    {
        assert!(text(&["help", topic]).starts_with(words), "{topic}");
    }
    assert!(text(&["help", "contest"]).contains("mapjudge contest --help"));
    assert!(text(&["help", "contest", "init"]).contains("Usage: mapjudge contest init"));
    assert!(text(&["help", "completions"]).contains("Usage: mapjudge completions"));
    let pages = text(&["help"]);
    for page in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).unwrap() {
        let path = page.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(pages.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
            assert_eq!(
                text(&["help", &name]).lines().next(),
                std::fs::read_to_string(&path).unwrap().lines().next()
            );
        }
    }
}

#[test]
fn completions_and_manual_pages_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&["completions", shell]);
        assert!(script.contains("contest") && script.contains("robot-radius"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["completions", "man", "--out", "man1"], &[]);
    assert!(output.status.success());
    let page = std::fs::read_to_string(folder.path().join("man1/mapjudge-score.1")).unwrap();
    assert!(
        page.starts_with(".ie") && page.contains(".TH mapjudge-score") && page.contains("truth"),
        "{page:.300}"
    );
    assert!(folder.path().join("man1/mapjudge-contest-init.1").is_file());
    assert!(text(&["completions", "man"]).contains(".TH mapjudge"));
}

#[test]
fn flags_for_one_thing_have_one_name() {
    for (command, flags) in [
        ("demo", &["--out"][..]),
        ("simulate", &["--host", "--max-time", "--out"]),
        ("replay", &["--host"]),
        ("record", &["--duration", "--out", "--force"]),
        ("map", &["--duration", "--out"]),
        ("explore", &["--max-time", "--out"]),
        ("convert", &["--force"]),
    ] {
        let help = text(&[command, "--help"]);
        for flag in flags {
            assert!(
                help.contains(&format!("{flag} ")) || help.contains(&format!("{flag}\n")),
                "{command} {flag}"
            );
        }
        for old in ["--bind", "--longest", "--seconds", "text"] {
            assert!(!help.contains(&format!("      {old} <")), "{command} {old}");
        }
    }
}

#[test]
fn a_run_that_is_ended_leaves_whole_files_only() {
    let folder = maps();
    let arguments = ["score", "a.txt", "--truth", "truth.txt", "--out", "result"];
    assert!(run(folder.path(), &arguments, &[]).status.success());
    let names = std::fs::read_dir(folder.path().join("result")).unwrap();
    assert!(names.flatten().all(|entry| !entry.file_name().to_string_lossy().contains(".part")));
}
