//! `mapjudge conform` as a user runs it: right, wrong and hostile programs.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_mapjudge");

/// A program in Python that answers with the ratio of walls of two text grids.
const IOU: &str = "import sys\n\
    def cells(path):\n    return [c for line in open(path) for c in line.strip() if ':' not in line]\n\
    truth, found = cells(sys.argv[1]), cells(sys.argv[2])\n\
    walls = [(WALL(a), WALL(b)) for a, b in zip(truth, found)]\n\
    both, any_ = sum(a and b for a, b in walls), sum(a or b for a, b in walls)\n\
    print(both / any_ if any_ else EMPTY)\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).current_dir(folder).output().unwrap()
}

/// A tool file with one metric that runs a Python program.
fn write_tool(folder: &Path, program: &str, rest: &str) {
    std::fs::write(folder.join("program.py"), program).unwrap();
    let text = format!(
        "[tool]\nname = \"x\"\nversion = \"1\"\n[[metric]]\nid = \"occupied_iou\"\nresult = \"number\"\n\
         command = [\"python3\", \"program.py\", \"{{truth}}\", \"{{map}}\"]\n{rest}"
    );
    std::fs::write(folder.join("tool.toml"), text).unwrap();
}

/// Runs the tool; its exit code and report.
fn conformed(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let words = [&["conform", "run", "tool.toml", "--format", "json", "--quiet"], arguments].concat();
    let output = run(folder, &words);
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

fn iou(wall: &str, empty: &str) -> String {
    IOU.replace("WALL(a)", &wall.replace('_', "a"))
        .replace("WALL(b)", &wall.replace('_', "b"))
        .replace("EMPTY", empty)
}

#[test]
fn a_wrong_reading_of_unknown_cells_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write_tool(folder.path(), &iou("_ in '#?rkb'", "'nan'"), "");
    let (code, report) = conformed(folder.path(), &[]);
    assert_eq!(code, Some(1));
    // Vectors of probabilities are not read by this program; on all others it equals the variant.
    let differing: Vec<&Value> =
        report["values"].as_array().unwrap().iter().filter(|value| value["verdict"] == "differs").collect();
    assert!(!differing.is_empty());
    let named = |value: &&&Value| {
        value["variants"].as_array().is_some_and(|all| all.iter().any(|one| one["unknown_as"] == "occupied"))
    };
    let of_classes = |value: &&&Value| !value["vector"].as_str().unwrap().contains("probabilities");
    let of_window = |value: &&&Value| value["vector"] != "disjoint";
    let classes: Vec<&&Value> = differing.iter().filter(of_classes).filter(of_window).collect();
    assert_eq!(classes.iter().filter(|value| named(value)).count(), classes.len(), "{classes:?}");
}

#[test]
fn a_number_for_empty_maps_is_flattered() {
    let folder = tempfile::tempdir().unwrap();
    write_tool(folder.path(), &iou("_ in '#rk'", "0"), "");
    let (code, report) = conformed(folder.path(), &[]);
    assert_eq!(code, Some(1));
    assert!(report["counts"]["flattered"].as_u64().unwrap() >= 2, "{}", report["counts"]);
    // Told as known it fails no run.
    let known = "[[metric.known]]\nexpect = \"flattered\"\nreason = \"answers 0\"\n\
                 [[metric.known]]\nexpect = \"differs\"\nreason = \"reads neither probabilities nor origins\"\n\
                 [[metric.known]]\nexpect = \"crashed\"\nreason = \"reads no probabilities\"\n";
    write_tool(folder.path(), &iou("_ in '#rk'", "0"), known);
    let (code, report) = conformed(folder.path(), &["--out", "result"]);
    assert_eq!(code, Some(0), "{}", report["counts"]);
    assert!(report["counts"]["explained"].as_u64().unwrap() >= 2);
    for name in ["conform.json", "index.html", "badge.json", "badge.svg"] {
        assert!(folder.path().join("result").join(name).is_file(), "{name}");
    }
    let badge: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("result/badge.json")).unwrap()).unwrap();
    assert_eq!((&badge["schemaVersion"], badge["color"].as_str()), (&Value::from(1), Some("yellowgreen")));
}

/// How the truth of a vector begins, which tells a program where it is.
const E1: &str = "#####\\n#...#\\n#...#";
const E6: &str = "#..\\n...\\n..#";
const E7: &str = "..#..\\n.....\\n#....";

/// The verdict on the vector on which a program misbehaves, and the counts of all.
fn hostile(deed: &str) -> (Value, Value, Duration) {
    hostile_within(deed, "30")
}

/// Seconds after which a program that hangs is ended; an answer takes a tenth of one on an idle machine.
const HANGING_S: &str = "10";

/// The same with another limit of the time of a run.
fn hostile_within(deed: &str, timeout_s: &str) -> (Value, Value, Duration) {
    let (mut own, counts, took) = hostile_on(&[("e1", E1, deed)], timeout_s);
    (own.remove(0), counts, took)
}

/// The verdicts on the vectors on which a program misbehaves: their names, how their truths begin, and the deeds. It
/// answers on all others.
fn hostile_on(deeds: &[(&str, &str, &str)], timeout_s: &str) -> (Vec<Value>, Value, Duration) {
    let folder = tempfile::tempdir().unwrap();
    let right = iou("_ in '#rk'", "'nan'");
    let branches =
        deeds.iter().map(|(_, truth, deed)| format!("if text.startswith('{truth}'):\n    {deed}\n"));
    let branches: String = branches.collect();
    let program = format!(
        "import os, sys, subprocess, shutil, time\ntext = open(sys.argv[1]).read()\n{branches}{right}"
    );
    write_tool(folder.path(), &program, "");
    let begun = Instant::now();
    let (_, report) = conformed(folder.path(), &["--timeout", timeout_s, "--jobs", "2"]);
    let values = report["values"].as_array().unwrap();
    let own = |(name, ..): &(&str, &str, &str)| {
        values.iter().find(|value| value["vector"] == *name).unwrap().clone()
    };
    let own = deeds.iter().map(own).collect();
    let equal = values.iter().filter(|value| value["verdict"] == "equal").count();
    assert!(equal >= 20, "others suffered: {}", report["counts"]);
    (own, report["counts"].clone(), begun.elapsed())
}

#[test]
fn a_program_that_prints_without_end_is_ended() {
    let (own, _, took) = hostile("[sys.stdout.write('x' * 1000000) for _ in range(1000)]");
    assert_eq!(own["verdict"], "crashed");
    assert!(own["failure"].as_str().unwrap().contains("1 MiB"), "{own}");
    assert!(took < Duration::from_secs(120));
}

#[test]
fn a_program_that_deletes_its_folder_costs_nothing() {
    let (own, ..) = hostile("shutil.rmtree(os.getcwd()); sys.exit('gone')");
    assert_eq!(own["verdict"], "crashed");
}

#[test]
fn a_program_that_prints_nothing_or_nonsense_has_a_verdict() {
    let (own, ..) = hostile_on(
        &[
            ("e1", E1, "sys.exit(0)"),
            ("e6_unequal_walls", E6, "print('NaN'); sys.exit(0)"),
            ("e7_two_walls", E7, "os.abort()"),
        ],
        "30",
    );
    assert_eq!(own[0]["failure"], "it printed nothing");
    assert_eq!([&own[1]["verdict"], &own[2]["verdict"]], ["refused", "crashed"]);
}

/// It costs its own verdict, and what it leaves behind in sessions of its own ends with it. One test for both: each waits
/// until the time of a run is over.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_hangs_and_forks_is_ended_with_all_it_started() {
    let deed =
        "[subprocess.Popen(['sleep', '4711.5'], start_new_session=True) for _ in range(5)]; time.sleep(1000)";
    let (own, counts, _) = hostile_within(deed, HANGING_S);
    assert_eq!((&own["verdict"], counts["timeout"].as_u64()), (&Value::from("timeout"), Some(1)));
    let left = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.starts_with(b"sleep\x004711.5")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn mistakes_are_refused_before_any_run() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], words: &str| {
        let output = run(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: {message}");
    };
    write_tool(folder.path(), "print(1)", "colour = 1\n");
    refused(&["conform", "run", "tool.toml"], "colour");
    let text = std::fs::read_to_string(folder.path().join("tool.toml")).unwrap();
    let write = |text: String| std::fs::write(folder.path().join("tool.toml"), text).unwrap();
    let text = text.replace("colour = 1\n", "");
    write(text.replace(", \"{map}\"", ""));
    refused(&["conform", "run", "tool.toml"], "{map}");
    write(text.replace("\"python3\"", "\"no-such-program\""));
    refused(&["conform", "run", "tool.toml"], "'no-such-program' was not found");
    write(text.replace("version = \"1\"", "version = [\"false\"]"));
    refused(&["conform", "run", "tool.toml"], "version");
    write(text);
    refused(&["conform", "run", "tool.toml", "--vectors", "2.0"], "1.0.0");
    refused(&["conform", "run", "tool.toml", "--metrics", "occupied_f1"], "occupied_f1");
    refused(&["conform", "show", "e0"], "did you mean");
}

#[test]
fn exported_vectors_are_read_back_and_changed_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        assert!(run(folder.path(), &["conform", "export", "--out", "vectors"]).status.success());
    }
    let archive = folder.path().join("vectors/mapjudge-vectors-1.0.tar.zst");
    let bytes = std::fs::read(&archive).unwrap();
    assert!(bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]), "no zstd");
    // The same set as a folder.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors");
    let copied = Command::new("cp").arg("-R").arg(source).arg(folder.path().join("set")).status().unwrap();
    assert!(copied.success());
    let listed = run(folder.path(), &["conform", "list", "--vectors", "set"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("53 rows, 2697 values"));
    std::fs::write(folder.path().join("set/e1/map.txt"), "#\n").unwrap();
    let refused = run(folder.path(), &["conform", "list", "--vectors", "set"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("e1/map.txt was changed"));
}

/// A part of `conformance/tools/mapjudge.toml`; the whole of it is compared through the library.
#[test]
fn mapjudge_equals_itself() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = run(folder.path(), &["conform", "init", "mapjudge"]).stdout;
    std::fs::write(folder.path().join("tool.toml"), shipped).unwrap();
    let (code, report) = conformed(
        folder.path(),
        &["--metrics", "occupied_iou,cell_classes,ate_translation,relative_displacement"],
    );
    assert_eq!(code, Some(0), "{}", report["counts"]);
    assert_eq!(report["counts"]["equal"], report["counts"]["values"]);
    assert!(report["counts"]["values"].as_u64().unwrap() > 150, "{}", report["counts"]);
}
