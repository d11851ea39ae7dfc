//! `mapjudge explore` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// A room of 4 x 3 m with a wall in it.
fn write_room(folder: &Path) {
    let (free, wall) = (".".repeat(80), "#".repeat(82));
    let mut text = format!("resolution: 0.05\norigin: 0 0 0\n{wall}\n");
    for row in 0..60 {
        let inner = if row == 30 { format!("{}{}", "#".repeat(50), ".".repeat(30)) } else { free.clone() };
        text.push_str(&format!("#{inner}#\n"));
    }
    std::fs::write(folder.join("room.txt"), text + &wall + "\n").unwrap();
}

#[test]
fn the_report_has_the_promised_keys_and_repeats() {
    let folder = tempfile::tempdir().unwrap();
    write_room(folder.path());
    let arguments =
        ["explore", "room.txt", "--start", "1,0.7", "--baseline", "--format", "json", "--out", "out"];
    let report = || -> Value {
        let output = run(&arguments, folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let mut first = report();
    assert_eq!(first["schema"], "mapjudge.exploration/1");
    assert!(first["coverage"].as_f64().unwrap() > 0.99 && first["collisions"] == 0, "{first}");
    assert!(first["distance_m"].as_f64().unwrap() > 0.0 && first["replans"].as_u64().unwrap() > 0);
    assert!(first["plan_ms"]["p50"].as_f64().unwrap() <= first["plan_ms"]["p95"].as_f64().unwrap());
    for name in ["map.yaml", "map.pgm", "exploration.json", "transform.png", "paths.png", "area.svg"] {
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
    }
    let mut second = report();
    for report in [&mut first, &mut second] {
        report["plan_ms"] = Value::Null;
        report["baseline"]["plan_ms"] = Value::Null;
    }
    assert_eq!(first, second);
}

#[test]
fn what_cannot_be_explored_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write_room(folder.path());
    for (arguments, why) in [
        (&["room.txt"][..], "start"),
        (&["room.txt", "--start", "0,0"], "free cell"),
        (&["room.txt", "--start", "1"], "X,Y"),
        (&["room.txt", "--start", "1,0.7", "--robots", "0"], "robots"),
        (&["room.txt", "--start", "1,0.7", "--alpha", "-1"], "alpha"),
        (&["room.txt", "--start", "1,0.7", "--laser-beams", "1"], "beams"),
        (&["none.txt", "--start", "1,1"], "none.txt"),
    ] {
        let output = run(&[&["explore"], arguments].concat(), folder.path());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(why), "{arguments:?}: {message}");
    }
}
