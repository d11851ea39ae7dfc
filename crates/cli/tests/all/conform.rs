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

/// What a program does on one vector, whose truth begins so, and how its verdict and failure must read. It answers on all others.
struct Deed {
    vector: &'static str,
    truth: &'static str,
    deed: &'static str,
    verdict: &'static str,
    failure: &'static str,
}

const DEEDS: [Deed; 6] = [
    Deed {
        vector: "e1",
        truth: "#####\\n#...#\\n#...#",
        deed: "sys.exit(0)",
        verdict: "crashed",
        failure: "it printed nothing",
    },
    Deed {
        vector: "e6_unequal_walls",
        truth: "#..\\n...\\n..#",
        deed: "print('NaN'); sys.exit(0)",
        verdict: "refused",
        failure: "",
    },
    Deed {
        vector: "e7_two_walls",
        truth: "..#..\\n.....\\n#....",
        deed: "os.abort()",
        verdict: "crashed",
        failure: "",
    },
    Deed {
        vector: "thick_walls",
        truth: ".........\\n",
        deed: "[sys.stdout.write('x' * 1000000) for _ in range(1000)]",
        verdict: "crashed",
        failure: "1 MiB",
    },
    Deed {
        vector: "small_blocks",
        truth: "........\\n",
        deed: "shutil.rmtree(os.getcwd()); sys.exit('gone')",
        verdict: "crashed",
        failure: "",
    },
    Deed {
        vector: "navigation",
        truth: "..#.\\n",
        deed: "[subprocess.Popen(['sleep', '4711.5'], start_new_session=True) for _ in range(5)]; time.sleep(1000)",
        verdict: "timeout",
        failure: "",
    },
];
/// Seconds after which a program that hangs is ended; an answer takes a tenth of one on an idle machine.
const HANGING_S: &str = "10";
/// Vectors that the program reads wrongly on any day: probabilities, and a map whose origin is another one.
const NOT_READ: [&str; 3] = ["e2_probabilities", "probabilities", "disjoint"];

/// One run with all of them: each costs its own verdict, and what a program leaves behind in sessions of its own ends with it.
#[cfg(target_os = "linux")]
#[test]
fn programs_that_misbehave_cost_their_own_verdicts_alone() {
    let folder = tempfile::tempdir().unwrap();
    let branches: String =
        DEEDS.iter().map(|one| format!("if text.startswith('{}'):\n    {}\n", one.truth, one.deed)).collect();
    let program = format!(
        "import os, sys, subprocess, shutil, time\ntext = open(sys.argv[1]).read()\n{branches}{}",
        iou("_ in '#rk'", "'nan'")
    );
    write_tool(folder.path(), &program, "");
    let begun = Instant::now();
    let (_, report) = conformed(folder.path(), &["--timeout", HANGING_S, "--jobs", "2"]);
    assert!(begun.elapsed() < Duration::from_secs(120));
    let values = report["values"].as_array().unwrap();
    for one in &DEEDS {
        let own = values.iter().find(|value| value["vector"] == one.vector).unwrap();
        assert_eq!(own["verdict"], one.verdict, "{own}");
        assert!(own["failure"].as_str().unwrap_or_default().contains(one.failure), "{own}");
    }
    let name = |value: &Value| value["vector"].as_str().unwrap().to_owned();
    let others = values.iter().filter(|value| DEEDS.iter().all(|one| value["vector"] != one.vector));
    let suffered = |value: &&Value| value["verdict"] != "equal" && !NOT_READ.contains(&name(value).as_str());
    let suffered: Vec<&Value> = others.filter(suffered).collect();
    assert!(suffered.is_empty() && values.len() >= 25, "others suffered: {suffered:?}");
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
