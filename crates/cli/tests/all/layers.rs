//! `mapjudge layers`, vector maps as cells and the rules of 2008 for layers, as a user runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("nav.txt", "resolution: 0.5\norigin: 1 2 0\ngwbk\nrgwb\n");
    write("heat.txt", "resolution: 0.5\norigin: 1 2 0\n0.1 0.9 0.5 0.2\n0.1 0.9 0.5 0.2\n");
    write("walls.txt", "resolution: 0.5\norigin: 1 2 0\n##..\n?#..\n");
    write("away.txt", "resolution: 0.5\norigin: 9 2 0\n##..\n?#..\n");
    write("empty.mif", "Version 300\nCoordSys NonEarth Units \"m\" Bounds (0, 0) (9, 9)\nColumns 0\nData\n");
    write(
        "walls.mif",
        "Version 300\nCoordSys NonEarth Units \"m\" Bounds (0, 0) (9, 9)\nColumns 0\nData\nLine 0 0 2 0\n",
    );
    folder
}

#[test]
fn layers_go_together_apart_and_through_convert() {
    let folder = folder();
    let together = run(folder.path(), &["layers", "nav.txt", "temperature=heat.txt", "--out", "all.tif"]);
    assert!(together.status.success(), "{}", errors(&together));
    let info = run(folder.path(), &["info", "all.tif", "--format", "json"]);
    let info: Value = serde_json::from_slice(&info.stdout).unwrap();
    let layers = info["files"][0]["layers"].as_array().unwrap();
    let names: Vec<&str> = layers.iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["navigation", "temperature"]);
    let dropped = run(folder.path(), &["convert", "all.tif", "all.yaml"]);
    assert_eq!(dropped.status.code(), Some(2));
    assert!(
        errors(&dropped).contains("would lose navigation classes, the layer temperature"),
        "{}",
        errors(&dropped)
    );
    assert!(!folder.path().join("all.yaml").exists());
    let told = run(folder.path(), &["convert", "all.tif", "all.yaml", "--lossy"]);
    assert!(
        told.status.success() && errors(&told).contains("lost: the layer temperature"),
        "{}",
        errors(&told)
    );
    let one = run(folder.path(), &["layers", "all.tif", "--take", "temperature", "--out", "one.tif"]);
    assert!(one.status.success(), "{}", errors(&one));
    let again = run(folder.path(), &["layers", "nav.txt", "--out", "one.tif"]);
    assert_eq!(again.status.code(), Some(2), "a file is not replaced silently");
}

#[test]
fn what_cannot_be_one_file_is_refused_with_a_reason() {
    let folder = folder();
    let refused = |arguments: &[&str], why: &str| {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors(&output).contains(why), "{arguments:?}: {}", errors(&output));
    };
    refused(&["layers", "nav.txt", "away.txt", "--out", "a.tif"], "found 4 x 2 cells of 0.5 m at (9, 2)");
    refused(&["layers", "nav.txt", "walls.mif", "--out", "a.tif"], "walls.mif");
    refused(&["layers", "nav.txt", "--take", "heat", "--out", "a.tif"], "no layer 'heat'");
    refused(&["layers", "none.tif", "--out", "a.tif"], "none.tif");
    refused(&["layers", "nav.txt", "--out", "nav.txt"], "nav.txt");
    refused(&["convert", "walls.mif", "walls.png"], "expected a resolution");
    refused(&["convert", "walls.mif", "walls.png", "--resolution", "-1"], "resolution");
    refused(&["convert", "empty.mif", "e.png", "--resolution", "0.1"], "no line, area or point");
    assert!(!folder.path().join("a.tif").exists());
}

#[test]
fn a_vector_map_is_drawn_and_read_back() {
    let folder = folder();
    let drawn = run(folder.path(), &["convert", "walls.mif", "walls.png", "--resolution", "0.5"]);
    assert!(drawn.status.success(), "{}", errors(&drawn));
    let info = run(folder.path(), &["info", "walls.png", "--format", "json"]);
    let info: Value = serde_json::from_slice(&info.stdout).unwrap();
    // From -1 to 3.5 m and from -1 to 1.5 m; the line of 2 m crosses four cells.
    assert_eq!(info["files"][0]["layers"][0]["cells"]["occupied"], 4, "{info:#}");
}

#[test]
fn the_rules_of_2008_for_layers_are_findings() {
    let folder = folder();
    assert!(run(folder.path(), &["layers", "walls.txt", "--out", "walls.tif"]).status.success());
    let recoloured = ["layers", "nav.txt", "walls.tif", "--recolour", "--out", "good.tif"];
    assert!(run(folder.path(), &recoloured).status.success());
    let lint = |file: &str| {
        let output = run(folder.path(), &["lint", file, "--profile", "virtual-league-2008"]);
        String::from_utf8_lossy(&output.stdout).into_owned() + &errors(&output)
    };
    let good = lint("good.tif");
    assert!(!good.contains("NAVIGATION_COLOUR_IN_LAYER") && !good.contains("LAYER_WITHOUT_PLACE"), "{good}");
    assert!(good.contains("VICTIMS_MISSING") && good.contains("1 are marked in red"), "{good}");
}
