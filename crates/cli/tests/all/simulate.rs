//! `mapjudge simulate` as a user runs it: the live server driven over its protocol, and a robot that explores ramps.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_mapjudge");

fn mapjudge(folder: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(BINARY).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A server that ends with its test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(BINARY)
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("tcp://").expect("an address").1.to_owned();
        Self { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn numbers(line: &str, key: &str) -> Vec<f64> {
    let from = line.find(&format!("{{{key} ")).expect("the key") + key.len() + 2;
    let value = &line[from..from + line[from..].find('}').unwrap()];
    value.split(',').map(|number| number.parse().unwrap()).collect()
}

/// The next message of a sensor.
fn wait(lines: &mut impl Iterator<Item = String>, kind: &str) -> String {
    lines.find(|line| line.contains(&format!("{{Type {kind}}}"))).unwrap()
}

#[test]
fn a_client_drives_a_robot_of_the_server_and_reads_its_sensors() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "drawing = '''\n+---+---+---+\n| S         |\n+---+---+---+\n'''\n";
    std::fs::write(folder.path().join("corridor.toml"), plan).unwrap();
    let arguments = ["simulate", "corridor.toml", "--serve", "0", "--speed", "10", "--exact-odometry"];
    let server = Server::start(folder.path(), &arguments);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(|line| line.unwrap());
    assert!(lines.next().unwrap().starts_with("NFO {Gametype USARSim}"));
    stream.write_all(b"INIT {ClassName USARBot.P2DX} {Name R1} {Start start}\r\n").unwrap();
    let before = numbers(&wait(&mut lines, "RangeScanner"), "Range");
    assert_eq!(before.len(), 668);
    // 3 rad/s of wheels of 0.1 m: 0.3 m/s.
    stream.write_all(b"DRIVE {Left 3} {Right 3}\r\n").unwrap();
    let pose = std::iter::from_fn(|| Some(numbers(&wait(&mut lines, "Odometry"), "Pose")))
        .find(|pose| pose[0] > 1.0)
        .unwrap();
    assert!(pose[0] < 1.3 && pose[1].abs() < 0.01, "{pose:?}");
    let after = numbers(&wait(&mut lines, "RangeScanner"), "Range");
    let ahead = |ranges: &[f64]| ranges[ranges.len() / 2];
    assert!((ahead(&before) - ahead(&after) - pose[0]).abs() < 0.2, "{} {}", ahead(&before), ahead(&after));
    let inertial = numbers(&wait(&mut lines, "INS"), "Location");
    assert!((inertial[0] - pose[0]).abs() < 0.3, "{inertial:?}");
}

#[test]
fn a_maze_of_ramps_is_explored() {
    let folder = tempfile::tempdir().unwrap();
    let size = ["--width", "6", "--height", "4.8", "--ramps", "0.4", "--seed", "3"];
    mapjudge(folder.path(), &[&["arena", "random", "--out", "maze"][..], &size].concat());
    let arguments = ["simulate", "maze", "--drive", "explore", "--out", "run", "--format", "json"];
    let report: Value = serde_json::from_slice(&mapjudge(folder.path(), &arguments).stdout).unwrap();
    assert!(report["explored_share"].as_f64().unwrap() > 0.95, "{report}");
    assert!(report["collisions"].as_u64().unwrap() <= 2, "{report}");
    let log = std::fs::read_to_string(folder.path().join("run/log.usar")).unwrap();
    assert!(log.contains("{Type IMU} {Name IMU} {Orientation"));
}

/// The report of an exploration of a small maze, whatever its exit code.
fn explored(folder: &Path, maze: &[&str], how: &[&str]) -> (Option<i32>, Value) {
    let size = ["--width", "6", "--height", "4.8", "--seed", "3"];
    mapjudge(folder, &[&["arena", "random", "--out", "maze", "--overwrite"][..], &size, maze].concat());
    let simulate =
        ["simulate", "maze", "--drive", "explore", "--out", "run", "--format", "json", "--overwrite"];
    let output = Command::new(BINARY).args(simulate).args(how).current_dir(folder).output().unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_maze_of_ramps_as_high_as_the_scanner_is_explored() {
    let folder = tempfile::tempdir().unwrap();
    let steep = ["--ramps", "0.4", "--steep"];
    let (code, report) = explored(folder.path(), &steep, &[]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report["explored_share"].as_f64().unwrap() > 0.95 && report["collisions"] == 0, "{report}");
    assert!(report["is_finished"] == true && report["localize"] == "truth", "{report}");
    let number = |report: &Value, key: &str| report["tilt"][key].as_f64().unwrap();
    assert!((number(&report, "robot_max_deg") - 15.0).abs() < 0.5, "{report}");
    assert!(number(&report, "spoilt_share") > 0.0 && number(&report, "level_on_ramp_share") > 0.02);
    let (_, levelled) = explored(folder.path(), &steep, &["--levelled"]);
    assert!(number(&levelled, "residual_rms_deg") < 0.5 * number(&levelled, "robot_rms_deg"), "{levelled}");
}

/// Some scans were put where the robot had been 0.1 s before: on the edge of a ramp, where it tips over, beams that end on the
/// next ramp became walls above all floors, and it knew 20 % of this maze when it gave up.
#[test]
fn the_next_ramp_is_no_wall_for_a_robot_that_tips_over_an_edge() {
    let folder = tempfile::tempdir().unwrap();
    let maze = ["arena", "random", "--ramps", "0.4", "--steep", "--seed", "7", "--out", "maze"];
    mapjudge(folder.path(), &maze);
    let arguments = ["simulate", "maze", "--drive", "explore", "--out", "run", "--format", "json"];
    let report: Value = serde_json::from_slice(&mapjudge(folder.path(), &arguments).stdout).unwrap();
    assert!(report["explored_share"].as_f64().unwrap() > 0.95 && report["collisions"] == 0, "{report}");
    assert!(report["is_finished"] == true && report["ending"].is_string(), "{report}");
    // A drive that the default time ends has not finished, and says so.
    let short = ["simulate", "maze", "--drive", "explore", "--out", "short", "--max-time", "20"];
    let text = String::from_utf8(mapjudge(folder.path(), &short).stdout).unwrap();
    assert!(text.contains("the time was over; the drive did not finish"), "{text}");
}

#[test]
fn a_robot_explores_by_the_pose_of_a_mapper() {
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = explored(folder.path(), &[], &["--localize", "graph", "--snapshot-every", "10"]);
    assert!(code == Some(0) && report["localize"] == "graph", "{report}");
    assert!(report["explored_share"].as_f64().unwrap() > 0.97, "{report}");
    let found = &report["localization"];
    assert!(found["ate_m"].as_f64().unwrap() < 0.05 && found["matched"].as_u64().unwrap() > 100, "{report}");
    // A snapshot is of the first look after its time, which need not be that very tenth of a second.
    let mut snapshots = std::fs::read_dir(folder.path().join("run/snapshots")).unwrap();
    let is_due = |name: &str| name.starts_with("000010.") && name.ends_with(".yaml");
    assert!(snapshots.any(|entry| is_due(&entry.unwrap().file_name().to_string_lossy())));
    for name in ["map.yaml", "map.pgm", "trajectory.tum", "live.png"] {
        assert!(folder.path().join("run").join(name).is_file(), "{name}");
    }
    let table = std::fs::read_to_string(folder.path().join("run/snapshots.csv")).unwrap();
    let area_m2 = |line: &str| line.split(',').nth(4).unwrap().parse::<f64>().unwrap();
    let areas: Vec<f64> = table.lines().skip(1).map(area_m2).collect();
    assert!(areas.len() >= 3 && areas.first() < areas.last(), "{table}");
    let score = ["score", "run/map.yaml", "--truth", "maze/truth.yaml", "--metrics", "overall_error"];
    mapjudge(folder.path(), &score);
}

#[test]
fn a_drive_says_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = explored(folder.path(), &[], &["--max-time", "10"]);
    assert_eq!((code, &report["ending"]), (Some(0), &"time_limit".into()), "the limit was asked for");
    assert_eq!(report["is_finished"], false);
    std::fs::write(folder.path().join("points.txt"), "0.6 0.6\n9 9\n").unwrap();
    let drive = ["simulate", "maze", "--drive", "waypoints:points.txt", "--out", "stuck", "--format", "json"];
    let output = Command::new(BINARY).args(drive).current_dir(folder.path()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["ending"]), (Some(3), &"stuck".into()), "{report}");
    assert_eq!((&report["reached"], &report["waypoints"]), (&1.into(), &2.into()));
    for (wrong, why) in [
        (["--snapshot-every", "0"], "time between snapshots"),
        (["--localize", "guess"], "guess"),
        (["--max-time", "-1"], "--max-time"),
    ] {
        let drive = ["simulate", "maze", "--drive", "explore", "--out", "wrong"];
        let output =
            Command::new(BINARY).args(drive).args(wrong).current_dir(folder.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && stderr.contains(why), "{wrong:?}: {stderr}");
    }
}
