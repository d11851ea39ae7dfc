//! `mapjudge rooms` as a user runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

use serde_json::Value;

#[test]
fn rooms_writes_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        "###########",
        "#....#....#",
        "#....#....#",
        "#.........#",
        "#....#....#",
        "#....#....#",
        "###########",
    ];
    std::fs::write(folder.path().join("map.txt"), formats::write_text_grid(&testkit::grid(rows))).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let json = run(&[
        "rooms",
        "map.txt",
        "--method",
        "watershed",
        "--format",
        "json",
        "--labels",
        "l.png",
        "--out",
        "out",
    ]);
    let list: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(list["schema"], "mapjudge.rooms/1");
    for key in ["id", "area_m2", "x_m", "y_m", "box", "neighbours"] {
        assert!(!list["rooms"][0][key].is_null(), "{key}");
    }
    for file in [
        "l.png",
        "out/rooms.svg",
        "out/labels.png",
        "out/rooms.json",
        "out/rooms.geojson",
        "out/rooms.mif",
        "out/rooms.mid",
    ] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    assert!(run(&["rooms", "map.txt", "--method", "watershed"]).contains("2 rooms"));
    assert_eq!(run(&["rooms", "map.txt", "--method", "watershed", "--format", "csv"]).lines().count(), 3);
    run(&["info", "out/rooms.geojson", "out/rooms.mif"]);
}
