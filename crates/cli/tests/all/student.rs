//! The student's journey: from a bag to a map with its page, by one command.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::replay::room_log;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn has_finding(report: &Value, code: &str) -> bool {
    report["findings"].as_array().unwrap().iter().any(|finding| finding["code"] == code)
}

/// The run in a room without its odometry.
fn log_without_odometry() -> String {
    room_log()
        .lines()
        .filter(|line| !line.contains("{Type Odometry}"))
        .map(|line| format!("{line}\r\n"))
        .collect()
}

#[test]
fn the_journey_is_walked() {
    if Command::new("bash").arg("--version").output().is_err() {
        testkit::skip("bash is not here: journeys/student.sh was not walked");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../journeys/student.sh");
    let walked =
        Command::new("bash").arg(script).env("MAPJUDGE", env!("CARGO_BIN_EXE_mapjudge")).output().unwrap();
    assert!(walked.status.success(), "{}", String::from_utf8_lossy(&walked.stderr));
}

/// It once said "1463 scans, 1 matched", exit code 0.
#[test]
fn a_log_without_odometry_is_mapped_by_its_scans_alone_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.usar"), log_without_odometry()).unwrap();
    let output = run(&["map", "run.usar", "--out", "map", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    let mapped = report(&output);
    assert_eq!((&mapped["scans"], &mapped["matched"]), (&Value::from(40), &Value::from(40)));
    assert!(has_finding(&mapped, "NO_ODOMETRY") && !has_finding(&mapped, "FEW_SCANS_MATCHED"), "{mapped}");
    let poses = std::fs::read_to_string(folder.path().join("map/trajectory.xyt")).unwrap();
    let x_m: f64 = poses.lines().last().unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!((x_m - 39.0 * 0.05).abs() < 0.05, "driven 1.95 m, found {x_m} m");

    let nothing =
        run(&["map", "run.usar", "--mapper", "odometry", "--out", "x", "--format", "json"], folder.path());
    assert_eq!(nothing.status.code(), Some(3), "a mapper that needs odometry has no map");
    assert!(has_finding(&report(&nothing), "FEW_SCANS_MATCHED"));
}

/// An odometry that is always zero moved nothing, and nothing was said.
#[test]
fn an_odometry_that_never_moves_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let frozen = |line: &str| match line.split_once("{Pose ") {
        Some((before, _)) => format!("{before}{{Pose 0,0,0}}\r\n"),
        None => format!("{line}\r\n"),
    };
    std::fs::write(folder.path().join("run.usar"), room_log().lines().map(frozen).collect::<String>())
        .unwrap();
    let mapped = report(&run(&["map", "run.usar", "--out", "map", "--format", "json"], folder.path()));
    assert!(has_finding(&mapped, "ODOMETRY_STANDS"), "{mapped}");
}

#[test]
fn real_logs_without_odometry_are_mapped_whole() {
    let Some(data) = testkit::shared_data("tinyslam-logs") else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["exp1.dat", "test_lab.dat"] {
        let log = data.join(name).display().to_string();
        let output = run(&["map", &log, "--out", name, "--format", "json"], folder.path());
        let mapped = report(&output);
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(
            mapped["scans"].as_u64().unwrap() > 500 && mapped["scans"] == mapped["matched"],
            "{name}: {mapped}"
        );
    }
}

/// A reset of 50 m was once searched for minutes.
#[test]
fn a_jump_of_the_odometry_is_a_finding_and_the_map_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let moved = |line: &str| match line.split_once("{Pose ") {
        Some((before, pose)) => {
            let (x_m, after) = pose.split_once(',').unwrap();
            let x_m: f64 = x_m.parse().unwrap();
            format!("{before}{{Pose {:.4},{after}\r\n", if x_m > 2.0 { x_m + 50.0 } else { x_m })
        }
        None => format!("{line}\r\n"),
    };
    std::fs::write(folder.path().join("run.usar"), room_log().lines().map(moved).collect::<String>())
        .unwrap();
    for mapper in ["graph", "robbie"] {
        let begun = std::time::Instant::now();
        let arguments = ["map", "run.usar", "--mapper", mapper, "--out", "map", "--format", "json"];
        let mapped = report(&run(&arguments, folder.path()));
        assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
        assert!(has_finding(&mapped, "ODOMETRY_JUMP"), "{mapped}");
        let poses = std::fs::read_to_string(folder.path().join("map/trajectory.xyt")).unwrap();
        let x_m: f64 = poses.lines().last().unwrap().split_whitespace().next().unwrap().parse().unwrap();
        assert!((x_m - 38.0 * 0.05).abs() < 0.2, "{mapper}: driven 1.9 m, found {x_m} m");
    }
}

#[test]
fn a_map_is_not_written_over_its_own_log() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.usar"), room_log()).unwrap();
    assert!(run(&["map", "run.usar", "--out", "."], folder.path()).status.success());
    let before = std::fs::read(folder.path().join("corrected.log")).unwrap();
    let output = run(&["map", "corrected.log", "--out", "."], folder.path());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("would replace the input") && message.contains("--out"), "{message}");
    assert!(std::fs::read(folder.path().join("corrected.log")).unwrap() == before);
    assert!(run(&["map", "corrected.log", "--out", "again"], folder.path()).status.success());
}

#[test]
fn a_recording_stays_until_another_one_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.usar");
    std::fs::write(&old, "old").unwrap();
    for more in [&[][..], &["--force"]] {
        let arguments =
            [&["record", "--from", "127.0.0.1:1", "--out", "old.usar", "--wait", "0"][..], more].concat();
        assert_eq!(run(&arguments, folder.path()).status.code(), Some(2));
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn the_topics_of_a_bag_are_picked_and_several_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.usar"), room_log()).unwrap();
    let two = room_log()
        .lines()
        .map(|line| format!("{line}\r\n{}\r\n", line.replace("Scanner1", "Rear")))
        .collect::<String>();
    std::fs::write(folder.path().join("two.usar"), two).unwrap();
    for name in ["run", "two"] {
        let (from, to) = (format!("{name}.usar"), format!("{name}.mcap"));
        assert!(run(&["convert", &from, &to, "--lossy"], folder.path()).status.success());
    }
    let of_log = report(&run(&["map", "run.usar", "--out", "log", "--format", "json"], folder.path()));
    let of_bag = report(&run(&["map", "run.mcap", "--out", "bag", "--format", "json"], folder.path()));
    assert_eq!((&of_bag["scans"], &of_bag["matched"]), (&of_log["scans"], &of_log["matched"]));
    assert!(has_finding(&of_bag, "BAG_TOPICS_PICKED"));
    let alone = ["map", "run.mcap", "--odometry-topic", "none", "--out", "alone", "--format", "json"];
    assert!(has_finding(&report(&run(&alone, folder.path())), "NO_ODOMETRY"));
    let output = run(&["map", "two.mcap", "--out", "x"], folder.path());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("/scan/Rear, /scan/Scanner1") && message.contains("--topic"), "{message}");
    assert!(run(&["map", "two.mcap", "--topic", "/scan/Rear", "--out", "x"], folder.path()).status.success());
}

/// A laser 0.3 m before the middle of a robot that turns: with the mount from tf the bag gives the poses of the log.
#[test]
fn the_place_of_the_laser_comes_from_the_transforms_of_a_bag() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for index in 0..60 {
        let (time_s, yaw_rad) = (f64::from(index) * 0.2, f64::from(index) * 0.05);
        let (x_m, y_m) = (0.3 * yaw_rad.cos(), 0.3 * yaw_rad.sin());
        let ranges: Vec<String> = (0..181)
            .map(|beam| {
                let (sin, cos) = (yaw_rad + f64::from(beam - 90).to_radians()).sin_cos();
                let to = |wall_m: f64, at_m: f64, step: f64| {
                    if wall_m * step > 1e-9 { (wall_m - at_m) / step } else { f64::INFINITY }
                };
                let walls = [to(4.0, x_m, cos), to(-2.0, x_m, cos), to(3.0, y_m, sin), to(-1.5, y_m, sin)];
                format!("{:.3}", walls.into_iter().fold(f64::INFINITY, f64::min))
            })
            .collect();
        let poses = format!("{x_m:.6} {y_m:.6} {yaw_rad:.6} 0 0 {yaw_rad:.6}");
        text += &format!("ODOM 0 0 {yaw_rad:.6} 0 0 0 {time_s:.2} h {time_s:.2}\n");
        text += &format!("FLASER 181 {} {poses} {time_s:.2} h {time_s:.2}\n", ranges.join(" "));
    }
    std::fs::write(folder.path().join("run.log"), text).unwrap();
    assert!(run(&["convert", "run.log", "run.mcap", "--lossy"], folder.path()).status.success());
    let mapped = report(&run(&["map", "run.mcap", "--out", "bag", "--format", "json"], folder.path()));
    assert!(has_finding(&mapped, "LASER_MOUNT"), "{mapped}");
    let furthest = |name: &str| {
        let poses = std::fs::read_to_string(folder.path().join(name).join("trajectory.xyt")).unwrap();
        let place = |line: &str| {
            let numbers: Vec<f64> =
                line.split_whitespace().take(2).map(|number| number.parse().unwrap()).collect();
            numbers[0].hypot(numbers[1])
        };
        poses.lines().filter(|line| !line.starts_with('#')).map(place).fold(0.0, f64::max)
    };
    assert!(furthest("bag") < 0.05, "the robot turned on the spot: {} m", furthest("bag"));
    let wrong = ["map", "run.mcap", "--laser-mount", "0,0,0", "--out", "wrong"];
    assert!(run(&wrong, folder.path()).status.success());
    assert!(furthest("wrong") > 0.1, "{} m", furthest("wrong"));
}

#[test]
fn every_run_has_a_page_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.usar"), room_log()).unwrap();
    assert!(run(&["map", "run.usar", "--out", "map"], folder.path()).status.success());
    assert!(run(&["replay", "run.usar", "--page", "replay.html"], folder.path()).status.success());
    assert!(run(&["arena", "random", "--seed", "7", "--out", "maze"], folder.path()).status.success());
    let simulate = ["simulate", "maze", "--drive", "explore", "--longest", "10", "--out", "run"];
    assert!(run(&simulate, folder.path()).status.success());
    assert!(
        run(&["explore", "maze", "--max-time", "30", "--out", "explored"], folder.path()).status.success()
    );
    for page in ["map/index.html", "replay.html", "run/index.html", "explored/index.html"] {
        let text = std::fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains("<canvas") && text.contains("\"time_s\":["), "{page}");
        let outside = text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            text.len() < 5_000_000 && !outside.contains("http://") && !outside.contains("https://"),
            "{page}"
        );
    }
    let over = run(&["replay", "run.usar", "--page", "run.usar"], folder.path());
    assert_eq!(over.status.code(), Some(2), "a page does not replace its log");
    assert!(std::fs::read_to_string(folder.path().join("run.usar")).unwrap() == room_log());
}
