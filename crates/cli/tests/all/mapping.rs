//! `mapjudge map` and `optimize` as a user runs them.
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
    let second = written.lines().find_map(|line| line.strip_prefix("VERTEX_SE2 1 ")).unwrap();
    let x_m: f64 = second.split_whitespace().next().unwrap().parse().unwrap();
    assert!((x_m - 1.1).abs() < 1e-9, "{written}");
}

/// A square of 12 poses and a side more, odometry with errors, four loop closures that are right and three that are not.
const FALSE_LOOPS: &str = "\
EDGE_SE2 0 1 1.000 0.015 -0.0055 400 0 0 400 0 2500\n\
EDGE_SE2 1 2 0.955 -0.023 -0.0198 400 0 0 400 0 2500\n\
EDGE_SE2 2 3 1.003 0.067 1.5610 400 0 0 400 0 2500\n\
EDGE_SE2 3 4 0.969 0.024 0.0071 400 0 0 400 0 2500\n\
EDGE_SE2 4 5 1.005 -0.047 -0.0006 400 0 0 400 0 2500\n\
EDGE_SE2 5 6 1.035 -0.067 1.5616 400 0 0 400 0 2500\n\
EDGE_SE2 6 7 0.905 -0.064 -0.0368 400 0 0 400 0 2500\n\
EDGE_SE2 7 8 0.988 -0.063 0.0054 400 0 0 400 0 2500\n\
EDGE_SE2 8 9 1.008 -0.009 1.5205 400 0 0 400 0 2500\n\
EDGE_SE2 9 10 0.973 -0.002 0.0023 400 0 0 400 0 2500\n\
EDGE_SE2 10 11 0.923 -0.024 -0.0196 400 0 0 400 0 2500\n\
EDGE_SE2 11 12 0.960 0.053 1.5546 400 0 0 400 0 2500\n\
EDGE_SE2 12 13 0.998 0.044 -0.0117 400 0 0 400 0 2500\n\
EDGE_SE2 13 14 0.994 0.006 0.0013 400 0 0 400 0 2500\n\
EDGE_SE2 14 15 0.939 0.004 1.5980 400 0 0 400 0 2500\n\
EDGE_SE2 0 12 -0.031 0.017 0.0012 400 0 0 400 0 2500\n\
EDGE_SE2 1 13 -0.013 0.040 0.0076 400 0 0 400 0 2500\n\
EDGE_SE2 2 14 -0.024 0.001 0.0058 400 0 0 400 0 2500\n\
EDGE_SE2 3 15 -0.004 0.014 -0.0007 400 0 0 400 0 2500\n\
EDGE_SE2 0 7 0.300 -0.200 0.4000 400 0 0 400 0 2500\n\
EDGE_SE2 4 10 -0.500 0.100 2.0000 400 0 0 400 0 2500\n\
EDGE_SE2 2 9 0.000 1.000 -1.0000 400 0 0 400 0 2500\n\
";

/// Expected numbers: graduated non-convexity and a least-squares solution without the false loops, by a program of NumPy and
/// SciPy that shares nothing with this one (the two agree to 3e-8).
#[test]
fn false_loops_are_left_out_and_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("graph.g2o"), FALSE_LOOPS).unwrap();
    let arguments = ["optimize", "graph.g2o", "--kernel", "gnc", "--out", "solved.g2o", "--format", "json"];
    let output = run(&arguments, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let solved: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(solved["rejected"], serde_json::json!([[0, 7], [4, 10], [2, 9]]), "{solved}");
    let number = |key: &str| solved[key].as_f64().unwrap();
    // 9.8178345 of what counts, and 3.3682² for each of the three.
    assert!((number("cost") - 43.852_148).abs() < 1e-4, "{solved}");
    assert!((number("chi2") - 35_561.772).abs() < 0.1, "{solved}");
    let written = std::fs::read_to_string(folder.path().join("solved.g2o")).unwrap();
    for (pose, expected) in [
        (5, [2.887_994_32, 1.969_614_68, 1.623_123_09]),
        (11, [-0.070_438_3, 0.998_703_26, -1.568_104_46]),
        (15, [2.904_741_71, 0.025_073_12, 1.587_660_32]),
    ] {
        let line =
            written.lines().find_map(|line| line.strip_prefix(&format!("VERTEX_SE2 {pose} "))).unwrap();
        let found: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{pose}: {found:?}");
    }
    // Least squares is bent by metres: pose 5 is 3 m away.
    let bent = run(&["optimize", "graph.g2o", "--format", "json"], folder.path());
    let bent: Value = serde_json::from_slice(&bent.stdout).unwrap();
    assert!(bent["chi2"].as_f64().unwrap() > 5000.0 && bent["rejected"] == serde_json::json!([]), "{bent}");
    let text = run(&["optimize", "graph.g2o", "--kernel", "gnc"], folder.path());
    assert!(String::from_utf8_lossy(&text.stdout).contains("3 measurements that contradict the others"));
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

/// A robot in a square room of 6 m, with what the rows add: (time, odometry x, ranges of four beams).
fn log(rows: &[(&str, &str, &str)]) -> String {
    let row = |(time, x, ranges): &(&str, &str, &str)| {
        let count = ranges.split_whitespace().count();
        format!("FLASER {count} {ranges} {x} 0 0 {x} 0 0 {time} host {time}\n")
    };
    rows.iter().map(row).collect()
}

#[test]
fn both_mappers_write_their_files_and_the_same_seed_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let wall = (0..181).map(|beam| {
        let direction = f64::from(beam - 90).to_radians();
        (3.0 / direction.cos().abs().max(1e-9)).min(3.0 / direction.sin().abs().max(1e-9))
    });
    let ranges: String = wall.map(|range| format!("{range:.3} ")).collect();
    let rows: Vec<(String, String)> =
        (0..5).map(|i| (format!("{i}.0"), format!("{:.2}", f64::from(i) * 0.0))).collect();
    let rows: Vec<(&str, &str, &str)> =
        rows.iter().map(|(t, x)| (t.as_str(), x.as_str(), ranges.as_str())).collect();
    std::fs::write(folder.path().join("run.log"), log(&rows)).unwrap();
    for (mapper, graph) in [("robbie", false), ("graph", true)] {
        let map = |out: &str, threads: &str| {
            let arguments =
                ["map", "run.log", "--mapper", mapper, "--out", out, "--threads", threads, "--seed", "5"];
            let output = run(&[&arguments[..], &["--format", "json"]].concat(), folder.path());
            assert!(output.status.success(), "{mapper}: {}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        };
        let (one, two) = (format!("{mapper}1"), format!("{mapper}2"));
        let report = map(&one, "1");
        map(&two, "2");
        assert_eq!((&report["scans"], &report["loops"]), (&5.into(), &0.into()));
        assert!(report["ms_per_scan"]["p50"].is_f64() && report["ms_per_scan"]["p99"].is_f64());
        for name in ["map.pgm", "map.yaml", "map.tif", "trajectory.xyt", "trajectory.tum", "corrected.log"] {
            let read = |out: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
            assert!(read(&one) == read(&two), "{mapper}/{name}");
        }
        assert_eq!(folder.path().join(&one).join("graph.g2o").exists(), graph);
    }
}

#[test]
fn broken_logs_are_mapped_as_far_as_they_go_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        ("5.0", "0", "1 2 2 1"),
        ("4.0", "0.1", "1 2 2 1"),
        ("6.0", "0.2", "0 0 0 0"),
        ("7.0", "0.3", "81.83 81.83 81.83 81.83"),
        ("8.0", "0.4", "nan 2 2 inf"),
        ("9.0", "0.5", "1.5"),
        ("10.0", "0.6", "-1 1 2 1"),
    ];
    std::fs::write(folder.path().join("broken.log"), log(&rows)).unwrap();
    for mapper in ["robbie", "graph"] {
        let arguments = ["map", "broken.log", "--mapper", mapper, "--out", mapper, "--format", "json"];
        let output = run(&arguments, folder.path());
        assert!(output.status.success(), "{mapper}: {}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let counts = &report["counts"];
        assert_eq!(counts["back_in_time"], 1, "{counts}");
        assert!(counts["beams"]["too_short"].as_u64().unwrap() >= 4, "{counts}");
        assert!(counts["beams"]["no_return"].as_u64().unwrap() >= 4, "{counts}");
        assert!(counts["without_hits"].as_u64().unwrap() >= 2, "{counts}");
    }
}

#[test]
fn what_cannot_be_mapped_is_refused_with_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.log"), log(&[("1.0", "0", "0 0"), ("2.0", "0", "0 0")]))
        .unwrap();
    std::fs::write(folder.path().join("run.log"), log(&[("1.0", "0", "1 1")])).unwrap();
    std::fs::write(folder.path().join("graph.g2o"), TWICE).unwrap();
    for arguments in [
        &["map", "empty.log", "--out", "out"][..],
        &["map", "graph.g2o", "--out", "out"],
        &["map", "run.log", "--out", "out", "--set", "colour=red"],
        &["map", "run.log", "--out", "out", "--set", "cell_size_m=0"],
        &["map", "run.log", "--out", "out", "--set", "icp"],
        &["map", "run.log", "--out", "out", "--mapper", "robbie", "--set", "icp=sideways"],
        &["map", "missing.log", "--out", "out"],
    ] {
        let output = run(arguments, folder.path());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains("hint:"), "{arguments:?}: {message}");
    }
}

#[test]
fn the_demonstration_of_mapping_scores_three_maps_of_a_maze() {
    let folder = tempfile::tempdir().unwrap();
    let demo = |out: &str, threads: &str| {
        let output = run(&["demo", "--mapping", out, "--seed", "2", "--threads", threads], folder.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(folder.path().join(out).join("result/report.json")).unwrap()
    };
    let text = demo("maze", "2");
    let report: Value = serde_json::from_str(&text).unwrap();
    let cases = report["cases"].as_array().unwrap();
    let names: Vec<&str> = cases.iter().filter_map(|case| case["name"].as_str()).collect();
    assert_eq!(names, ["odometry", "robbie", "graph"]);
    let value = |case: usize, id: &str| {
        let metrics = cases[case]["metrics"].as_array().unwrap();
        metrics.iter().find(|metric| metric["id"] == id).unwrap()["value"].as_f64().unwrap()
    };
    for mapper in [1, 2] {
        for id in ["picture_distance", "relative_displacement"] {
            assert!(value(mapper, id) < value(0, id), "{id}: {} beats the odometry", names[mapper]);
        }
    }
    let page = std::fs::read_to_string(folder.path().join("maze/result/index.html")).unwrap();
    assert!(names.iter().all(|name| page.contains(name)) && page.contains("data:image/png"));
    let again = demo("again", "1");
    assert_eq!(text.replace("maze/", ""), again.replace("again/", ""), "same seed, same bytes");
}

/// Every kind of log that we write can be mapped, and gives the odometry that it holds.
#[test]
fn logs_of_all_kinds_give_the_same_trajectory() {
    let folder = tempfile::tempdir().unwrap();
    let ranges: Vec<String> = (0..91).map(|beam| format!("{:.3}", 2.0 + f64::from(beam) * 0.01)).collect();
    let mut text = String::new();
    for step in 0..6 {
        let x_m = f64::from(step) * 0.25;
        text += &format!("SEN {{Time {step}}} {{Type Odometry}} {{Name Odometry}} {{Pose {x_m},0,0}}\r\n");
        text += &format!(
            "SEN {{Time {step}}} {{Type RangeScanner}} {{Name S}} {{Resolution 0.03}} {{FOV 2.7}} {{Range {}}}\r\n",
            ranges.join(",")
        );
    }
    std::fs::write(folder.path().join("run.usar"), text).unwrap();
    let map = |name: &str, topics: &[&str]| {
        let out = format!("of-{name}");
        let arguments = [&["map", name, "--mapper", "odometry", "--out", &out][..], topics].concat();
        let output = run(&arguments, folder.path());
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(folder.path().join(out).join("trajectory.xyt")).unwrap()
    };
    let expected = map("run.usar", &[]);
    assert_eq!(expected.lines().filter(|line| !line.starts_with('#')).count(), 6);
    let bag = ["--topic", "/scan", "--odometry-topic", "/odom"];
    for (name, topics) in [("run.log", &[][..]), ("run.csv", &[]), ("run.mcap", &bag)] {
        let converted = run(&["convert", "run.usar", name, "--lossy"], folder.path());
        assert!(converted.status.success(), "{name}: {}", String::from_utf8_lossy(&converted.stderr));
        assert_eq!(map(name, topics), expected, "{name}");
    }
}

/// Real logs of the kinds that we do not write: rawlog, tinySLAM, a ROS 1 bag.
#[test]
fn real_logs_of_other_kinds_are_mapped() {
    let Some(data) = testkit::shared_data("") else { return };
    let folder = tempfile::tempdir().unwrap();
    let bag = ["--topic", "/scan", "--odometry-topic", "/odom"];
    for (name, file, more) in [
        ("tiny", "tinyslam-logs/test_lab.dat", &[][..]),
        ("bag", "ros-bags/slam_gmapping_test_data/test_replay_crash.bag", &bag),
    ] {
        let log = data.join(file).display().to_string();
        let arguments = [&["map", &log, "--mapper", "odometry", "--out", name, "--format", "json"][..], more];
        let output = run(&arguments.concat(), folder.path());
        // Without odometry this mapper places nothing, and says so.
        let code = if name == "tiny" { 3 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(report["scans"].as_u64().unwrap() > 100, "{name}: {}", report["counts"]);
    }
}

/// A robot that drives to and fro in a room of 8 x 6 m with a niche, 181 beams; from the middle of the run on its odometry is turned
/// by 20 degrees.
fn log_with_a_lost_turn() -> String {
    let range_m = |x_m: f64, direction: f64| {
        let (sin, cos) = direction.sin_cos();
        let to = |wall_m: f64, step: f64| if wall_m / step > 0.0 { wall_m / step } else { f64::INFINITY };
        let across = to(5.0 - x_m, cos).min(to(-3.0 - x_m, cos));
        across.min(to(4.0, sin)).min(to(-2.0, sin))
    };
    let mut text = String::new();
    for scan in 0..120_u32 {
        let phase = f64::from(scan % 40) / 20.0;
        let x_m = 2.0 - 3.0 * (phase - 1.0).abs();
        let beams = (0..181).map(|beam| format!("{:.3}", range_m(x_m, f64::from(beam - 90).to_radians())));
        let ranges = beams.collect::<Vec<_>>().join(" ");
        let turn: f64 = if scan >= 60 { 20_f64.to_radians() } else { 0.0 };
        let pose = format!("{:.4} {:.4} {turn:.4}", x_m * turn.cos(), x_m * turn.sin());
        let time_s = f64::from(scan) * 0.2;
        text += &format!("FLASER 181 {ranges} {pose} {pose} {time_s:.2} host {time_s:.2}\n");
    }
    text
}

#[test]
fn a_map_that_contradicts_itself_says_so_and_strict_makes_it_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.log"), log_with_a_lost_turn()).unwrap();
    let map = |mapper: &str, strict: &[&str]| {
        let out = format!("{mapper}{}", strict.len());
        let words = [&["map", "run.log", "--mapper", mapper, "--out", &out, "--format", "json"], strict];
        let output = run(&words.concat(), folder.path());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let page = std::fs::read_to_string(folder.path().join(out).join("index.html")).unwrap();
        (output.status.code(), report, page)
    };
    let codes = |report: &Value| {
        let findings = report["findings"].as_array().unwrap();
        findings.iter().filter_map(|finding| Some(finding["code"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let (code, report, page) = map("odometry", &[]);
    let check = &report["self_check"];
    assert_eq!((code, check["verdict"].as_str()), (Some(0), Some("broken")), "{check}");
    assert!(check["doubt"].as_f64().unwrap() > 4.0 && codes(&report).contains(&"MAP_BROKEN".to_owned()));
    let place = &check["places"].as_array().unwrap()[0];
    assert!((0.0..=24.0).contains(&place["from_s"].as_f64().unwrap()), "{place}");
    assert!(page.contains("broken (doubt"), "the page shows the verdict");
    assert_eq!(map("odometry", &["--strict"]).0, Some(1));

    // The scans contradict the odometry, and `graph` follows the scans.
    let (code, report, page) = map("graph", &["--strict"]);
    assert_eq!((code, report["self_check"]["verdict"].as_str()), (Some(0), Some("sound")), "{report}");
    assert!(codes(&report).iter().all(|code| !code.starts_with("MAP_")) && page.contains("sound (doubt"));
}
