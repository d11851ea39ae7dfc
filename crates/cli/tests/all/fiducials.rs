//! `mapjudge fiducials` as a user runs it: lists, layouts, reports, and the labelled map of a rescue arena.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sim::BarrelArena;
use tempfile::TempDir;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A folder with a map of the arena and its layout.
fn arena() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let arena = BarrelArena { rotation_rad: 0.4, ..Default::default() }.mapped().unwrap();
    std::fs::write(folder.path().join("map.txt"), formats::write_text_grid(&arena.map)).unwrap();
    std::fs::write(folder.path().join("arena.toml"), formats::write_layout_toml(&arena.layout).unwrap())
        .unwrap();
    folder
}

#[test]
fn a_report_lists_detections_and_all_parts() {
    let folder = arena();
    let judge = ["fiducials", "map.txt", "--layout", "arena.toml", "--format", "json"];
    let report = json(&run(folder.path(), &judge));
    let case = &report["cases"][0];
    let value = |id: &str| {
        case["metrics"].as_array().unwrap().iter().find(|m| m["id"] == id).unwrap()["value"].clone()
    };
    assert_eq!(value("fiducial_coverage"), 1.0);
    assert!(value("fiducial_score").as_f64().unwrap() > 0.95);
    assert_eq!(value("fiducial_global_accuracy"), Value::Null);
    assert_eq!(case["alignment"]["method"], "fiducials");
    let turned = case["alignment"]["truth_from_map"]["theta_rad"].as_f64().unwrap();
    assert!((turned + 0.4).abs() < 0.01, "{turned}");
    let details = &case["detail"]["fiducials"];
    let parts = details["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 16);
    for part in parts {
        assert_eq!(part["found"], true, "{part}");
        assert!(part["error_m"].as_f64().unwrap() < 0.05, "{part}");
        let barrel = &details["detections"][part["detection"].as_u64().unwrap() as usize];
        let away = |key: &str| (barrel[key].as_f64().unwrap() - part[key].as_f64().unwrap()).abs();
        assert!(away("x_m").hypot(away("y_m")) < 0.1, "{part} {barrel}");
    }
    for key in ["x_m", "y_m", "radius_m", "arc_start_deg", "arc_opening_deg", "cells", "rms_m"] {
        assert!(details["detections"][0][key].is_number(), "{key}");
    }
    let again = run(folder.path(), &[&judge[..], &["--threads", "1"]].concat());
    assert_eq!(json(&again), report, "the same bytes with one thread");
}

#[test]
fn the_table_names_every_part_and_out_holds_the_pictures() {
    let folder = arena();
    let output = run(folder.path(), &["fiducials", "map.txt", "--layout", "arena.toml", "--out", "result"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("Fiducial score") && table.contains("F7B") && table.contains("S2A"), "{table}");
    for name in ["map_fiducials.svg", "map_fiducial_1.svg", "map_fiducial_9.svg", "report.html"] {
        assert!(folder.path().join("result").join(name).is_file(), "{name}");
    }
}

#[test]
fn metrics_that_need_a_true_map_are_listed_as_undefined() {
    let folder = arena();
    let judge = ["fiducials", "map.txt", "--layout", "arena.toml", "--metrics", "cells", "--format", "json"];
    let report = json(&run(folder.path(), &judge));
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    assert!(!metrics.is_empty(), "{report:#}");
    assert!(metrics.iter().all(|m| m["status"] == "undefined" && m["value"].is_null()), "{report:#}");
}

#[test]
fn a_drafted_layout_can_be_judged_by() {
    let folder = arena();
    let draft = run(folder.path(), &["fiducials", "init", "map.txt", "--radius-m", "0.3"]);
    assert_eq!(draft.status.code(), Some(0), "{}", text(&draft.stderr));
    std::fs::write(folder.path().join("draft.toml"), draft.stdout).unwrap();
    let flags =
        ["fiducials", "map.txt", "--layout", "draft.toml", "--align", "georeference", "--format", "json"];
    let report = json(&run(folder.path(), &flags));
    let global = report["cases"][0]["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["id"] == "fiducial_global_accuracy");
    assert!(global.unwrap()["value"].as_f64().unwrap() > 0.9, "{global:?}");
}

#[test]
fn the_family_stands_in_score_too() {
    let folder = arena();
    let flags = ["score", "map.txt", "--truth", "map.txt", "--layout", "arena.toml", "--format", "json"];
    let report = json(&run(folder.path(), &flags));
    let ids: Vec<&str> =
        report["cases"][0]["metrics"].as_array().unwrap().iter().filter_map(|m| m["id"].as_str()).collect();
    assert!(ids.contains(&"overall_error") && ids.contains(&"fiducial_coverage"), "{ids:?}");
    // The layout is not in the frame of the map: nothing lies where it should.
    assert!(report["cases"][0]["detail"]["fiducials"]["parts"].is_array());
}

#[test]
fn what_cannot_be_computed_is_said_with_a_hint() {
    let folder = arena();
    for (arguments, expected) in [
        (&["fiducials", "map.txt"][..], "the job names no layout"),
        (&["fiducials", "map.txt", "--layout", "map.txt"], "expected a layout of fiducials"),
        (&["fiducials", "detect", "map.txt", "--radius-px", "1"], "radius of 1 cells: expected 2 to 1000"),
        (&["fiducials", "detect", "map.txt", "--radius-px", "9..4"], "expected a range upwards"),
        (&["fiducials", "init", "map.txt", "--radius-px", "20"], "no barrel of this radius"),
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stdout));
        let message = text(&output.stderr);
        assert!(message.contains(expected) && message.contains("hint:"), "{message}");
    }
}

/// Sites found, true entries, all entries, true entries at the head, mean centre error.
fn on_the_labelled_map(radius: &str) -> Option<(usize, usize, usize, usize, f64)> {
    let folder = testkit::shared_data("robocup-rescue/singapore2010-maze-barrels")?;
    let labels = std::fs::read_to_string(folder.join("barrels.csv")).unwrap();
    let sites: Vec<(String, f64, f64)> = labels
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let site = fields[5].split_whitespace().nth(1).unwrap().to_owned();
            (site, fields[0].parse().unwrap(), fields[1].parse().unwrap())
        })
        .collect();
    let list =
        json(&run(&folder, &["fiducials", "detect", "singa.png", "--radius-px", radius, "--format", "json"]));
    assert_eq!(list["schema"], "mapjudge.detections/1");
    let near = |barrel: &Value| {
        let [x, y] = ["x_px", "y_px"].map(|key| barrel[key].as_f64().unwrap());
        let away = sites.iter().map(|site| ((x - site.1).hypot(y - site.2), site.0.clone()));
        away.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    };
    let found: Vec<(f64, String)> = list["detections"].as_array().unwrap().iter().map(near).collect();
    let hits: Vec<&(f64, String)> = found.iter().filter(|(away, _)| *away <= 2.0).collect();
    let distinct: std::collections::BTreeSet<&String> = hits.iter().map(|(_, site)| site).collect();
    let head = found.iter().take_while(|(away, _)| *away <= 2.0).count();
    let error_px = hits.iter().map(|(away, _)| away).sum::<f64>() / hits.len() as f64;
    Some((distinct.len(), hits.len(), found.len(), head, error_px))
}

#[test]
fn barrels_of_the_labelled_map_are_found_by_their_radius() {
    let Some((sites, hits, entries, head, error_px)) = on_the_labelled_map("6") else { return };
    assert!(sites >= 11 && hits as f64 >= 0.9 * entries as f64, "{sites} sites, {hits} of {entries}");
    assert!(head >= 10 && error_px <= 0.8, "{head} first, {error_px} px");
}

#[test]
fn barrels_of_the_labelled_map_are_found_within_a_range() {
    let Some((sites, hits, entries, _, _)) = on_the_labelled_map("4..10") else { return };
    assert!(sites >= 10 && hits as f64 >= 0.75 * entries as f64, "{sites} sites, {hits} of {entries}");
}

/// The example of `docs/fiducials.md`; `MAPJUDGE_RENEW=1` writes it anew.
#[test]
fn the_arena_of_the_documentation_is_current() {
    let arena = BarrelArena { rotation_rad: 0.12, jitter_cells: 0.3, ..Default::default() }.mapped().unwrap();
    let (yaml, _) = formats::write_ros_map(&arena.map, "map.png");
    let files = [
        ("map.png", formats::write_png(&arena.map).unwrap()),
        ("map.yaml", yaml.into_bytes()),
        ("arena.toml", formats::write_layout_toml(&arena.layout).unwrap().into_bytes()),
    ];
    for (name, bytes) in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/arena").join(name);
        if std::env::var_os("MAPJUDGE_RENEW").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap_or_default() == bytes, "docs/arena/{name} is not current");
    }
}

#[test]
fn layouts_without_positions_or_with_contradictions() {
    let folder = arena();
    let layout = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let judged =
        |name: &str| run(folder.path(), &["fiducials", "map.txt", "--layout", name, "--format", "json"]);
    let head = "fiducial,part,radius_m,opening_deg,direction_deg,range,pair_distance_m\n";
    let pair = |name: &str, range: &str, distance: &str| {
        format!("{name},{name}A,0.3,180,0,{range},{distance}\n{name},{name}B,0.3,180,180,{range},\n")
    };
    layout("walls.csv", &format!("{head}{}{}", pair("F1", "short", "0.05"), pair("F2", "short", "0.05")));
    let report = json(&judged("walls.csv"));
    let metrics = report["cases"][0]["metrics"].as_array().unwrap().clone();
    let of = |id: &str| metrics.iter().find(|metric| metric["id"] == id).unwrap().clone();
    assert!(of("fiducial_short_consistency")["value"].as_f64().unwrap() > 0.9, "{metrics:?}");
    for id in ["fiducial_coverage", "fiducial_relative_accuracy", "fiducial_score"] {
        assert_eq!(of(id)["reasons"][0], "NO_REFERENCE", "{id}");
    }
    for (name, text, expected) in [
        (
            "ranges.csv",
            format!("{head}{}{}", pair("F1", "short", "0.05"), pair("F2", "long", "0.05")),
            "one range",
        ),
        ("no_distance.csv", format!("{head}{}", pair("F1", "short", "")), "a pair distance"),
        ("single.csv", format!("{head}F1,F1A,0.3,180,0,short,0.05\n"), "two parts"),
        (
            "far.csv",
            "fiducial,part,x_m,y_m,radius_m,opening_deg,start_deg,pair_distance_m\n\
             F1,F1A,0,0,0.3,180,0,0.1\nF1,F1B,1,0,0.3,180,180,\n"
                .to_owned(),
            "1.000 m as its two positions are apart",
        ),
    ] {
        layout(name, &text);
        let refused = judged(name);
        assert_eq!(refused.status.code(), Some(2), "{name}: {}", text_of(&refused));
        assert!(text_of(&refused).contains(expected), "{name}: {}", text_of(&refused));
    }
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn the_profile_of_2010_needs_a_layout_alone_and_leaves_out_what_is_undefined() {
    let folder = arena();
    std::fs::create_dir(folder.path().join("team")).unwrap();
    std::fs::rename(folder.path().join("map.txt"), folder.path().join("team/map.txt")).unwrap();
    let layout = std::fs::read_to_string(folder.path().join("arena.toml")).unwrap();
    let without_ranges = layout.replace("\"short\"", "\"none\"").replace("\"long\"", "\"none\"");
    std::fs::write(folder.path().join("none.toml"), without_ranges).unwrap();
    for (layout, consistency) in [("arena.toml", Some(1.0)), ("none.toml", None)] {
        let text = format!(
            "profile = 'rrl-2010-fiducial'\n[truth]\nlayout = '{layout}'\n[files]\nmap = 'map.txt'\n\
             [[teams]]\nname = 'A'\nfolder = 'team'\n"
        );
        std::fs::write(folder.path().join("contest.toml"), text).unwrap();
        let judged = json(&run(folder.path(), &["contest", "contest.toml", "--format", "json"]));
        let team = &judged["ranking"][0];
        assert_eq!(team["parts"]["S"].as_f64(), consistency, "{team}");
        assert!(team["score"].as_f64().unwrap() > 98.0, "{team}");
    }
}

/// A room of 6 x 4 m with two poles, drawn with cells of 0.05 m, and its layout of corners and poles.
fn room() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (width, height) = (140, 100);
    let class = |x: usize, y: usize| {
        let (right, up) = ((x as f64 + 0.5) * 0.05 - 0.5, (y as f64 + 0.5) * 0.05 - 0.5);
        let beyond = |m: f64| right < -m || up < -m || right > 6.0 + m || up > 4.0 + m;
        let pole = |px: f64, py: f64| (right - px).hypot(up - py) < 0.1;
        match (beyond(0.1), beyond(0.0) || pole(2.0, 1.5) || pole(4.5, 3.0)) {
            (true, _) => 205,
            (_, true) => 0,
            _ => 254,
        }
    };
    let pixels: Vec<u8> =
        (0..height).rev().flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| class(x, y)).collect();
    let pgm = [format!("P5\n{width} {height}\n255\n").as_bytes(), &pixels].concat();
    std::fs::write(folder.path().join("room.pgm"), pgm).unwrap();
    let yaml = "image: room.pgm\nresolution: 0.05\norigin: [-0.5, -0.5, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";
    std::fs::write(folder.path().join("room.yaml"), yaml).unwrap();
    let layout = "kind,fiducial,part,x_m,y_m,radius_m,opening_deg,direction_deg,range,pair_distance_m\n\
        corner,south,SW,0,0,,90,45,long,6.0\ncorner,south,SE,6,0,,90,135,long,\n\
        corner,north,NE,6,4,,,,none,\npole,posts,P1,2,1.5,0.1,,,short,2.9155\npole,posts,P2,4.5,3,,,,short,\n";
    std::fs::write(folder.path().join("features.csv"), layout).unwrap();
    folder
}

fn values(report: &Value) -> impl Fn(&str) -> f64 + '_ {
    move |id: &str| {
        let metrics = report["cases"][0]["metrics"].as_array().unwrap();
        metrics.iter().find(|m| m["id"] == id).unwrap()["value"].as_f64().unwrap_or(f64::NAN)
    }
}

#[test]
fn corners_and_poles_of_a_layout_are_scored_like_barrels() {
    let folder = room();
    let judge = ["fiducials", "room.yaml", "--layout", "features.csv", "--align", "georeference"];
    let report = json(&run(folder.path(), &[&judge[..], &["--format", "json"]].concat()));
    let value = values(&report);
    assert_eq!(value("fiducial_coverage"), 1.0, "{report:#}");
    for id in ["fiducial_global_accuracy", "fiducial_relative_accuracy"] {
        assert!(value(id) > 0.9, "{id}: {}", value(id));
    }
    for id in ["fiducial_short_consistency", "fiducial_long_consistency"] {
        assert!(value(id) > 0.8, "{id}: {}", value(id));
    }
    assert!(value("fiducial_resolution").is_nan() && value("fiducial_pass_rate").is_nan());
    let parts = report["cases"][0]["detail"]["fiducials"]["parts"].as_array().unwrap();
    let kinds: Vec<&str> = parts.iter().map(|part| part["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["corner", "corner", "corner", "pole", "pole"]);
    let detections = &report["cases"][0]["detail"]["fiducials"]["detections"];
    for part in parts {
        let shown = &detections[part["detection"].as_u64().unwrap() as usize];
        assert_eq!(shown["kind"], part["kind"], "{part} {shown}");
    }
    let output = run(folder.path(), &[&judge[..], &["--out", "result"]].concat());
    assert!(text(&output.stdout).contains("P2"), "{}", text(&output.stdout));
    let svg = std::fs::read_to_string(folder.path().join("result/room_fiducials.svg")).unwrap();
    assert!(!svg.contains("NaN") && svg.contains("SW"), "a ring for the corner");
}

#[test]
fn layouts_of_corners_and_poles_are_drafted_from_a_map() {
    let folder = room();
    for (kind, names) in [("corner", ["C1", "C4"]), ("pole", ["P1", "P2"])] {
        let draft = run(folder.path(), &["fiducials", "init", "room.yaml", "--kind", kind]);
        assert_eq!(draft.status.code(), Some(0), "{}", text(&draft.stderr));
        let layout = text(&draft.stdout);
        assert!(names.iter().all(|name| layout.contains(name)), "{layout}");
        std::fs::write(folder.path().join("draft.toml"), layout).unwrap();
        let judge = ["fiducials", "room.yaml", "--layout", "draft.toml", "--align", "georeference"];
        let report = json(&run(folder.path(), &[&judge[..], &["--format", "json"]].concat()));
        assert_eq!(values(&report)("fiducial_coverage"), 1.0, "{kind}");
    }
    let none = run(folder.path(), &["fiducials", "init", "room.yaml"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no radius"), "{}", text(&none.stderr));
}

#[test]
fn a_layout_that_makes_no_sense_is_refused_with_its_line() {
    let folder = room();
    let layout = std::fs::read_to_string(folder.path().join("features.csv")).unwrap();
    for (from, to, expected) in [
        ("90,45", "180,45", "an angle of 20 to 155 or 205 to 340 degrees"),
        ("90,45", ",45", "the angle of the free side"),
        ("corner,south,SW", "cube,south,SW", "barrel, corner or pole"),
        ("0.1,,,short", "-1,,,short", "a number of metres above 0"),
        ("2,1.5", "inf,1.5", "a finite number under 'x_m'"),
        ("long,6.0", "long,9.0", "as its two positions are apart"),
    ] {
        std::fs::write(folder.path().join("broken.csv"), layout.replacen(from, to, 1)).unwrap();
        let output = run(folder.path(), &["fiducials", "room.yaml", "--layout", "broken.csv"]);
        assert_eq!(output.status.code(), Some(2), "{from} {to}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}
