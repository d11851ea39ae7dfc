//! 51 typical mistakes: every message names the cause and the next step, and none calls a sound file damaged.

use std::path::Path;
use std::process::{Command, Output};

/// Arguments `=>` what the message says about the cause `=>` what the hint says.
const MISTAKES: &str = "
score mpa.txt --truth truth.txt => mpa.txt: expected a readable file => did you mean map.txt?
score far/away.yaml --truth truth.txt => far/away.yaml => check the path
score map.txt --truth thruth.txt => thruth.txt => did you mean truth.txt?
scroe map.txt --truth truth.txt => 'scroe' => score
score map.txt --trth truth.txt => '--trth' => --truth
score map.txt => names no truth => --truth FILE
score --truth truth.txt => names no map => name at least one map
score map.txt --truth truth.txt --metrics iou => 'iou' => occupied_iou
score map.txt --truth truth.txt --metrics overal_error => 'overal_error' => overall_error
metrics Hausdorff => 'Hausdorff' => hausdorff_distance
traj run.tum --truth run.tum --metrics ape => 'ape' => ate_translation
score run.tum --truth truth.txt => run.tum: expected a map, found a trajectory => mapjudge traj run.tum --truth
score map.txt --truth run.tum => run.tum: expected a map, found a trajectory => mapjudge traj TRAJECTORY --truth run.tum
score graph.g2o --truth truth.txt => found a pose graph => mapjudge optimize graph.g2o
score true.relations --truth truth.txt => found relations => mapjudge traj TRAJECTORY --relations true.relations
score run.log --truth truth.txt => found a log of scans => mapjudge map run.log --out
score report.json --truth truth.txt => report.json => a report of mapjudge
score run.mcap --truth truth.txt => found a bag => --topic
score notes.md --truth truth.txt => notes.md: expected a file of a known format => mapjudge help formats
score map.xml --truth truth.txt => map.xml: expected a file of a known format, found XML; IEEE 1873 is not supported yet => mapjudge help formats
score maps.zip --truth truth.txt => maps.zip => unpack it
score nothing --truth truth.txt => a folder => is empty
score maps --truth truth.txt => a folder => maps/map.yaml
score empty.yaml --truth truth.txt => empty.yaml => has no bytes
score cut.png --truth truth.txt => cut.png => fetch it again
score noimage.yaml --truth truth.txt => field 'image' => a ROS map has image
score lost.yaml --truth truth.txt => gone.pgm => put the image
score map.txt --truth truth.txt --resolution 5cm => '5cm' => correct --resolution
score map.txt --truth truth.txt --format excel => 'excel' => correct --format
score map.txt --truth truth.txt --align corelative => corelative => correlative
score map.txt --truth truth.txt --set overall_error.tol=3 => no parameter 'tol' => mapjudge metrics overall_error
score map.txt --truth truth.txt --limits report.json => report.json => a report of mapjudge
score map.txt --truth truth.txt --baseline limits.txt => limits.txt => --limits
score map.txt --truth truth.txt --job limits.txt => limits.txt => --limits
score map.txt --truth truth.txt --out map.txt => map.txt => not taken by a file
score map.txt --truth truth.txt --threads -1 => -1 => --help
traj map.txt --truth run.tum => found a map => mapjudge score map.txt --truth
traj run.tum --truth map.yaml => found a map => mapjudge score MAP --truth map.yaml
traj run.tum => names no truth or relations => --truth TRAJECTORY
traj run.mcap --truth run.tum => found a bag => --topic
traj run.mcap --topic /scann --truth run.tum => /scann => mapjudge info
map map.yaml --out made => found a map => mapjudge score map.yaml --truth
map run.log --mapper gmapping --out made => 'gmapping' => correct --mapper
map run.log => --out => add --out
optimize run.tum => found a trajectory => mapjudge traj run.tum --truth
simulate map.yaml --drive explore --out made => map.yaml => mapjudge score map.yaml --truth
contest report.json => report.json => a report of mapjudge
contest nothing => nothing => is empty
points run.tum --truth map.txt => expected labelled points => mapjudge
convert map.txt map.xyz => cannot be written as '.xyz' => mapjudge convert --help
convert map.txt run.tum => the file exists => --force
help contst => 'contst' => mapjudge help contest
";

const GRID: [&str; 7] = [
    "############",
    "#....#.....#",
    "#....#.....#",
    "#..........#",
    "#....#.....#",
    "#....#.....#",
    "############",
];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// Sound files of every kind, and a few that are not.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let grid = format!("resolution: 0.5\norigin: 0 0 0\n{}\n", GRID.join("\n"));
    let poses: String = (0..20).map(|t| format!("{t} {} 0 0 0 0 0 1\n", f64::from(t) / 2.0)).collect();
    let scans: String = (0..10).map(|t| format!("FLASER 4 1 1 1 1 {t} 0 0 {t} 0 0 {t} host {t}\n")).collect();
    let files = [
        ("truth.txt", grid.as_str()),
        ("map.txt", &grid),
        ("run.tum", &poses),
        ("run.log", &scans),
        ("empty.yaml", ""),
        ("noimage.yaml", "resolution: 0.05\norigin: [0, 0, 0]\n"),
        ("lost.yaml", "image: gone.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n"),
        ("true.relations", "0 1 0.5 0 0 0 0 0\n1 2 0.5 0 0 0 0 0\n"),
        ("limits.txt", "overall_error <= 5\n"),
        ("notes.md", "# Notes\nHello\n"),
        ("map.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map/>\n"),
        ("maps.zip", "PK\u{3}\u{4}"),
        ("graph.g2o", "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\nEDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for name in ["nothing", "maps"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    for arguments in [
        &["convert", "map.txt", "map.yaml"][..],
        &["convert", "map.txt", "maps/map.yaml"],
        &["convert", "map.txt", "map.png", "--lossy"],
        &["convert", "run.log", "run.mcap", "--lossy"],
    ] {
        let output = run(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let report = run(folder.path(), &["score", "map.txt", "--truth", "truth.txt", "--format", "json"]);
    std::fs::write(folder.path().join("report.json"), report.stdout).unwrap();
    let image = std::fs::read(folder.path().join("map.png")).unwrap();
    std::fs::write(folder.path().join("cut.png"), &image[..image.len() * 3 / 4]).unwrap();
    folder
}

#[test]
fn every_mistake_names_the_cause_and_the_next_step() {
    let folder = folder();
    let mistakes: Vec<&str> = MISTAKES.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(mistakes.len(), 52);
    let mut faults = Vec::new();
    for mistake in mistakes {
        let [arguments, cause, step] = mistake.split(" => ").collect::<Vec<_>>()[..] else {
            panic!("{mistake}")
        };
        let output = run(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let message = words.split("hint: ").next().unwrap_or_default();
        let hint = words.split("hint: ").nth(1).unwrap_or_default();
        let is_calm = !words.contains("damaged") && !words.contains("corrupt");
        let is_short = words.chars().count() < 700;
        let is_right = words.starts_with("error: ") && message.contains(cause) && hint.contains(step);
        if output.status.code() != Some(2)
            || !is_right
            || !is_short
            || !(is_calm || arguments.contains("cut.png"))
        {
            faults.push(format!("{mistake}\nexit {:?}\n{words}", output.status.code()));
        }
    }
    assert!(faults.is_empty(), "{} of 51:\n{}", faults.len(), faults.join("\n"));
}

#[cfg(unix)]
#[test]
fn an_output_that_cannot_be_written_says_so() {
    let folder = folder();
    for out in ["/proc/nowhere", "/dev/null/here"] {
        let output = run(folder.path(), &["score", "map.txt", "--truth", "truth.txt", "--out", out]);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(
            words.contains(out) && words.contains("hint: choose a place that can be written to"),
            "{words}"
        );
    }
}

#[test]
fn timestamps_that_do_not_match_leave_nothing_to_judge() {
    let folder = folder();
    let poses: String = (0..20).map(|t| format!("{} {t} 0 0 0 0 0 1\n", t + 5000)).collect();
    std::fs::write(folder.path().join("late.tum"), poses).unwrap();
    let arguments = ["traj", "run.tum", "--truth", "late.tum", "--metrics", "ate_translation"];
    let output = run(folder.path(), &arguments);
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{table}");
    assert!(table.contains("UNMATCHED_TIME") && table.contains("ate_translation"), "{table}");
}

#[test]
fn a_file_that_exists_is_replaced_by_force_alone() {
    let folder = folder();
    let path = folder.path().join("copy.txt");
    std::fs::write(&path, "mine").unwrap();
    let convert = |more: &[&str]| run(folder.path(), &[&["convert", "map.yaml", "copy.txt"], more].concat());
    assert_eq!(convert(&[]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    assert!(convert(&["--force"]).status.success());
    assert!(std::fs::read_to_string(&path).unwrap().contains("###"));
    // The image beside a YAML is a file of its own.
    std::fs::write(folder.path().join("other.pgm"), "mine").unwrap();
    assert_eq!(run(folder.path(), &["convert", "map.txt", "other.yaml"]).status.code(), Some(2));
    assert!(!folder.path().join("other.yaml").exists());
    for arguments in [
        &["optimize", "graph.g2o", "--out", "copy.txt"][..],
        &["relations", "make", "run.tum", "true.relations"],
        &["record", "--from", "127.0.0.1:1", "--wait", "0", "--out", "copy.txt"],
    ] {
        let output = run(folder.path(), arguments);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.contains("--force"), "{arguments:?}: {words}");
    }
}
