//! Cell sizes that files state, that flags give, and that contradict each other; and a frame that cannot be right.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const CELLS: &str = "#####\n#...#\n#...#\n#####\n";

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
    command.args(arguments).current_dir(folder.path()).output().unwrap()
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A truth that states 0.5 m, a map that states 0.2 m, and one that states nothing.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: String| std::fs::write(folder.path().join(name), content).unwrap();
    write("truth.txt", format!("resolution: 0.5\norigin: 0 0 0\n{CELLS}"));
    write("fine.txt", format!("resolution: 0.2\norigin: 0 0 0\n{CELLS}"));
    write("plain.txt", format!("origin: 0 0 0\n{CELLS}"));
    folder
}

#[test]
fn a_resolution_for_both_leaves_a_truth_that_states_its_own_alone() {
    let folder = place();
    let score = ["score", "plain.txt", "--truth", "truth.txt", "--resolution", "0.25", "--format", "json"];
    let output = run(&folder, &score);
    assert_eq!(output.status.code(), Some(0), "{}", error_of(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["cases"][0]["grid"]["cell_size_m"], 0.5, "the truth's own");
    assert!(error_of(&output).contains("RESOLUTION_OF_FILE_KEPT"), "{}", error_of(&output));
    assert_eq!(report["cases"][0]["detail"]["reading"]["resolution_m"], 0.25, "that of the map");
}

#[test]
fn a_contradiction_names_both_values_and_force_goes_over_the_file() {
    let folder = place();
    for command in ["score", "paths"] {
        for flags in [["--map-resolution", "0.25"], ["--truth-resolution", "0.25"], ["--resolution", "0.25"]]
        {
            let arguments = [&[command, "fine.txt", "--truth", "truth.txt"][..], &flags].concat();
            let output = run(&folder, &arguments);
            let message = error_of(&output);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
            let stated = if flags[0] == "--truth-resolution" { "0.5 m" } else { "0.2 m" };
            assert!(message.contains(stated) && message.contains("0.25 m"), "{message}");
            assert!(message.contains("--force"), "{message}");
        }
    }
    let forced =
        ["score", "fine.txt", "--truth", "truth.txt", "--resolution", "0.25", "--force", "--format", "json"];
    let output = run(&folder, &forced);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["cases"][0]["grid"]["cell_size_m"], 0.25, "{}", error_of(&output));
    let align = run(&folder, &["align", "fine.txt", "--truth", "truth.txt", "--map-resolution", "0.1"]);
    assert_eq!(align.status.code(), Some(2), "{}", error_of(&align));
    let compare = ["compare", "fine.txt", "plain.txt", "--truth", "truth.txt", "--truth-resolution", "1"];
    assert_eq!(run(&folder, &compare).status.code(), Some(2));
    let graph = run(&folder, &["graph", "fine.txt", "--resolution", "0.1"]);
    assert_eq!(graph.status.code(), Some(2), "{}", error_of(&graph));
}

#[test]
fn a_job_file_gives_the_resolution_of_one_side() {
    let folder = place();
    let job = |text: &str| {
        let text = format!("truth = \"truth.txt\"\nmaps = [\"fine.txt\"]\n{text}");
        std::fs::write(folder.path().join("job.toml"), text).unwrap();
        run(&folder, &["score", "--job", "job.toml", "--format", "json"])
    };
    let refused = job("map_resolution_m = 0.25\n");
    assert_eq!(refused.status.code(), Some(2), "{}", error_of(&refused));
    let forced = job("map_resolution_m = 0.25\nforce = true\n");
    assert_eq!(forced.status.code(), Some(0), "{}", error_of(&forced));
    assert_eq!(job("map_resolution_m = 0.2\n").status.code(), Some(0), "both state the same");
}

#[test]
fn origins_0_6_m_apart_are_said_with_the_flag_that_helps() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&folder, &["demo", "demo", "--quiet"]).status.code(), Some(0));
    let yaml = std::fs::read_to_string(folder.path().join("demo/noise.yaml")).unwrap();
    let moved = yaml.replace("origin: [0.0, 0.0, 0.0]", "origin: [-0.61, -0.57, 0.0]");
    assert_ne!(moved, yaml);
    std::fs::write(folder.path().join("demo/moved.yaml"), moved).unwrap();
    for arguments in [
        &["score", "demo/moved.yaml", "--truth", "demo/truth.yaml"][..],
        &["compare", "demo/noise.yaml", "demo/moved.yaml", "--truth", "demo/truth.yaml"],
    ] {
        let output = run(&folder, arguments);
        let all = format!("{}{}", String::from_utf8_lossy(&output.stdout), error_of(&output));
        let words = all.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("FRAME_DOUBTFUL"), "{arguments:?}: {all}");
        assert!(
            words.contains("a shift of 0.") && words.contains("m fits far better"),
            "{arguments:?}: {all}"
        );
        assert!(words.contains("--align auto"), "{arguments:?}: {all}");
    }
}
