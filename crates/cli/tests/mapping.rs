//! `mapjudge optimize` as a user runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// 1 m ahead was measured twice, once as 1.2 m: the truth is between, chi2 falls from 0.04 to 0.02.
const TWICE: &str = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\n\
                     EDGE_SE2 0 1 1.0 0 0 1 0 0 1 0 1\nEDGE_SE2 0 1 1.2 0 0 1 0 0 1 0 1\n";

#[test]
fn a_graph_is_solved_and_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("graph.g2o"), TWICE).unwrap();
    let output = run(&["optimize", "graph.g2o", "--out", "solved.g2o", "--format", "json"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let solved: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((solved["chi2_start"].as_f64().unwrap() - 0.04).abs() < 1e-12, "{solved}");
    assert!((solved["chi2"].as_f64().unwrap() - 0.02).abs() < 1e-12, "{solved}");
    assert!(solved["iterations"].is_u64() && solved["cpu_s"].is_f64());
    let written = std::fs::read_to_string(folder.path().join("solved.g2o")).unwrap();
    assert!(written.contains("VERTEX_SE2 1 1.1"), "{written}");
}

#[test]
fn what_is_no_planar_graph_is_refused_with_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let spatial = format!("EDGE_SE3:QUAT 0 1 1 0 0 0 0 0 1 {}\n", vec!["1"; 21].join(" "));
    for (name, text) in [
        ("spatial.g2o", spatial.as_str()),
        ("unmeasured.g2o", "EDGE_SE2 0 1 1 0 0 0 0 0 0 0 0\n"),
        ("negative.g2o", "EDGE_SE2 0 1 1 0 0 -1 0 0 1 0 1\n"),
        ("lonely.g2o", "VERTEX_SE2 0 0 0 0\n"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let output = run(&["optimize", name], folder.path());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.contains("hint:"), "{name}: {message}");
    }
    std::fs::write(folder.path().join("graph.g2o"), TWICE).unwrap();
    let output = run(&["optimize", "graph.g2o", "--kernel", "huber", "--kernel-width", "0"], folder.path());
    assert_eq!(output.status.code(), Some(2));
}
