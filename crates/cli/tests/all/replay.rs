//! `mapjudge replay`, `record` and `challenge` as a user runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_mapjudge");

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(BINARY).args(arguments).current_dir(folder).output().unwrap()
}

/// A log of a robot that drives along x, one metre per second.
fn write_log(folder: &Path, messages: usize) {
    let mut text = String::from("NFO {Level maze}\r\n");
    for index in 0..messages {
        let time_s = index as f64 / 10.0;
        let pose = format!("{time_s:.2},0.00,0.00");
        write!(text, "SEN {{Time {time_s:.2}}} {{Type Odometry}} {{Name Odometry}} {{Pose {pose}}}\r\n")
            .unwrap();
    }
    std::fs::write(folder.join("run.usar"), text).unwrap();
}

/// Starts a replay on a free port; the program and its address.
fn started(arguments: &[&str], folder: &Path) -> (Child, String) {
    let mut child = Command::new(BINARY)
        .args(["replay", "run.usar", "--port", "0", "--format", "json"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
    (child, address)
}

#[test]
fn a_recording_of_a_replay_is_the_log() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 500);
    let (server, address) = started(&["--speed", "max", "--clients", "1"], folder.path());
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let from = format!("tcp://{address}");
    let recorded = run(&["record", "--from", &from, "--out", "copy.usar"], folder.path());
    assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));
    let output = server.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["clients"][0]["end"], &report["clients"][0]["lines"]),
        (&Value::from("finished"), &Value::from(501))
    );
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("run.usar") == read("copy.usar"));
    let info: Value =
        serde_json::from_slice(&run(&["info", "copy.usar", "--format", "json"], folder.path()).stdout)
            .unwrap();
    assert_eq!(
        (&info["files"][0]["format"], &info["files"][0]["counts"]["odometry"]),
        (&Value::from("usarsim"), &Value::from(500))
    );
}

#[test]
fn what_cannot_be_replayed_or_recorded_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 5);
    std::fs::write(folder.path().join("bad.usar"), "SEN {\nlorem ipsum\n").unwrap();
    for arguments in [
        &["replay", "bad.usar", "--port", "0"][..],
        &["replay", "none.usar", "--port", "0"],
        &["replay", "run.usar", "--port", "0", "--speed", "0"],
        &["replay", "run.usar", "--port", "0", "--shared", "--speed", "max"],
        &["replay", "run.usar", "--port", "0", "--from", "99"],
        &["record", "--from", "nowhere", "--out", "x.usar"],
        &["record", "--from", "127.0.0.1:1", "--out", "x.usar", "--wait", "0"],
    ] {
        let output = run(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
}

/// The relations, and a team: a shell script that reads the replay with our own client and hands the odometry in. It looks
/// around first: for variables, in its folder, and whether its parent tells where the relations are.
fn write_team(folder: &Path) {
    std::fs::write(folder.join("truth.relations"), "1 2 1 0 0 0 0 0\n3 5 2.5 0 0 0 0 0\n").unwrap();
    let script = format!(
        "set -e\n\
         [ \"$HOME\" = \"$(pwd)\" ] && [ \"$TMPDIR\" = \"$HOME\" ] && [ -z \"$USER$CARGO_TARGET_DIR$SECRET\" ] || exit 3\n\
         [ -z \"$(ls -A)\" ] || exit 4\n\
         for process in $PPID $$; do\n\
         about=\"$(tr '\\0' ' ' < /proc/$process/cmdline; tr '\\0' ' ' < /proc/$process/environ || true)\"\n\
         about=\"$about $(ls -l /proc/$process/cwd /proc/$process/fd || true)\"\n\
         case \"$about\" in *relations*|*run.usar*|*'{name}/'*) [ $process = $$ ] || {{ echo \"$about\" >&2; exit 5; }};; esac\n\
         done\n\
         '{BINARY}' record --quiet --from \"$1:$2\" --out log.usar\n\
         sed -n 's/.*{{Time \\([^}}]*\\)}}.*{{Pose \\([^,]*\\),\\([^,]*\\),\\([^}}]*\\)}}.*/\\2 \\3 \\4 \\1/p' log.usar > \"$3\"\n",
        name = folder.file_name().unwrap().to_string_lossy()
    );
    std::fs::write(folder.join("team.sh"), script).unwrap();
}

fn challenged(command: &str, extra: &[&str], folder: &Path) -> Output {
    let mut arguments =
        vec!["challenge", "--log", "run.usar", "--relations", "truth.relations", "--command", command];
    arguments.extend(["--speed", "max", "--out", "result", "--format", "json"]);
    arguments.extend(extra);
    Command::new(BINARY).args(&arguments).current_dir(folder).env("SECRET", "relations").output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_changes_the_relations_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 5);
    std::fs::write(folder.path().join("truth.relations"), "0 0.1 0.1 0 0 0 0 0\n").unwrap();
    let cheat = format!(
        "printf '0 0 0 0\\n0 0 0 0.1\\n' > \"$1\"; printf '0 0.1 0 0 0 0 0 0\\n' > '{}'",
        folder.path().join("truth.relations").display()
    );
    std::fs::write(folder.path().join("cheat.sh"), cheat).unwrap();
    let output = challenged("sh cheat.sh {out}", &[], folder.path());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("not what it was before"), "{message}");
    assert!(!folder.path().join("result/report.json").exists());
}

/// Programs in the background and in a session of their own end with the program, whether it ends or has to be ended.
#[cfg(target_os = "linux")]
#[test]
fn nothing_that_a_program_started_survives_it() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 5);
    std::fs::write(folder.path().join("truth.relations"), "0 0.1 0.1 0 0 0 0 0\n").unwrap();
    for (end, timeout) in [("sleep 60", "1"), ("true", "60")] {
        let place = folder.path().display();
        let script = format!(
            "sleep 61 & echo $! > '{place}/a'\nsetsid sh -c 'echo $$ > {place}/b; exec sleep 62' &\nsleep 0.5\n{end}\n"
        );
        std::fs::write(folder.path().join("team.sh"), script).unwrap();
        challenged("sh team.sh", &["--timeout", timeout], folder.path());
        for name in ["a", "b"] {
            let number = std::fs::read_to_string(folder.path().join(name)).unwrap();
            let alive = Path::new("/proc").join(number.trim()).exists();
            assert!(!alive, "process {name} outlives a program that does `{end}`");
        }
    }
}

#[test]
fn a_challenge_serves_collects_and_judges() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 100);
    write_team(folder.path());
    let output = challenged("sh team.sh {host} {port} {out}", &[], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    let found = metrics.iter().find(|metric| metric["id"] == "relative_displacement").unwrap();
    assert!((found["detail"]["translation_m"]["max"].as_f64().unwrap() - 0.5).abs() < 1e-9);
    let table = std::fs::read_to_string(folder.path().join("result/table1.md")).unwrap();
    assert!(table.contains("| poses | 2 | 0.2500 ± 0.2500 | 0.1250 ± 0.1250 | 0.5000 |"), "{table}");
    for name in ["poses.xyt", "report.json", "report.html"] {
        assert!(folder.path().join("result").join(name).is_file(), "{name}");
    }
}

#[test]
fn a_program_that_fails_hangs_or_writes_nothing_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 5);
    std::fs::write(folder.path().join("truth.relations"), "0 0.1 0.1 0 0 0 0 0\n").unwrap();
    for (command, why) in [
        ("false", "ended with"),
        ("true", "no poses"),
        ("sleep 60", "was ended after"),
        ("no-such-program", "No such file"),
        ("sh 'unclosed", "quote"),
        ("", "empty"),
    ] {
        let output = challenged(command, &["--timeout", "0.5"], folder.path());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {message}");
        assert!(message.contains(why) && message.contains("hint:"), "{command}: {message}");
    }
}

/// A run in a room of 6 x 4 m as messages: odometry at 10 Hz, a scan between each two readings.
pub(crate) fn room_log() -> String {
    let mut text = String::from("CONF {Type RangeScanner} {Name Scanner1} {MaxRange 8}\r\n");
    for index in 0..40 {
        let time_s = f64::from(index) / 10.0;
        let x_m = 1.0 + 0.05 * f64::from(index);
        write!(
            text,
            "SEN {{Time {time_s:.2}}} {{Type Odometry}} {{Name Odometry}} {{Pose {:.4},0,0}}\r\n",
            1.03 * x_m
        )
        .unwrap();
        let x_m = x_m + 0.025;
        let ranges: Vec<String> = (0..91)
            .map(|beam| {
                let (sin, cos) = (f64::from(beam - 45) * 2.0).to_radians().sin_cos();
                let side = if sin > 0.0 { 2.5 / sin } else { -1.5 / sin };
                format!("{:.3}", side.abs().min((6.0 - x_m) / cos.max(1e-9)))
            })
            .collect();
        write!(
            text,
            "SEN {{Time {:.2}}} {{Type RangeScanner}} {{Name Scanner1}} {{Resolution 0.0349}} {{FOV 3.1416}} {{Range {}}}\r\n",
            time_s + 0.05,
            ranges.join(",")
        )
        .unwrap();
    }
    text
}

#[test]
fn a_live_run_gives_the_trajectory_of_its_log() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.usar"), room_log()).unwrap();
    for mapper in ["robbie", "graph", "odometry"] {
        let arguments = ["map", "run.usar", "--mapper", mapper, "--out", "file", "--format", "json"];
        let file = run(&arguments, folder.path());
        assert!(file.status.success(), "{mapper}: {}", String::from_utf8_lossy(&file.stderr));
        let (server, address) = started(&["--speed", "max", "--clients", "1"], folder.path());
        // With a scheme and without one.
        let from = if mapper == "graph" { address } else { format!("tcp://{address}") };
        let live = run(
            &["map", "--from", &from, "--mapper", mapper, "--out", "live", "--overwrite", "--format", "json"],
            folder.path(),
        );
        assert!(live.status.success(), "{mapper}: {}", String::from_utf8_lossy(&live.stderr));
        assert!(server.wait_with_output().unwrap().status.success());
        let report = |output: &Output| serde_json::from_slice::<Value>(&output.stdout).unwrap();
        assert_eq!(report(&live)["scans"], 39, "the last scan has no odometry after it");
        assert_eq!(report(&live)["counts"], report(&file)["counts"]);
        for name in ["trajectory.xyt", "trajectory.tum", "map.pgm", "map.tif", "corrected.log", "filled.csv"]
        {
            let bytes = |from: &str| std::fs::read(folder.path().join(from).join(name)).unwrap();
            assert!(bytes("live") == bytes("file"), "{mapper}: {name}");
        }
        assert!(folder.path().join("live/steps.csv").exists());
    }
}

#[test]
fn broken_lines_of_a_live_run_are_counted_and_a_run_may_be_ended() {
    let folder = tempfile::tempdir().unwrap();
    let log = room_log();
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap().to_string();
    let sender = std::thread::spawn(move || {
        let (mut client, _) = server.accept().unwrap();
        let spoiled = log.replacen("{Pose", "{Pose x", 1);
        std::io::Write::write_all(&mut client, format!("lorem\r\nSEN {{\r\n{spoiled}").as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_secs(3));
    });
    let arguments = ["map", "--from", &address, "--out", "live", "--duration", "1", "--format", "json"];
    let live = run(&arguments, folder.path());
    assert!(live.status.success(), "{}", String::from_utf8_lossy(&live.stderr));
    let report: Value = serde_json::from_slice(&live.stdout).unwrap();
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("2 of 83 lines"), "{report}");
    sender.join().unwrap();
    let nobody = run(&["map", "--from", "127.0.0.1:9", "--out", "x", "--wait", "0"], folder.path());
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("hint:"));
}

#[test]
fn several_teams_stand_in_one_table_and_one_that_fails_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 20);
    std::fs::write(folder.path().join("truth.relations"), "0.5 1.5 1 0 0 0 0 0\n").unwrap();
    std::fs::write(folder.path().join("a.txt"), "0.5 0 0 0.5\n1.5 0 0 1.5\n").unwrap();
    std::fs::write(folder.path().join("b.txt"), "0.5 0 0 0.5\n1.75 0 0 1.5\n").unwrap();
    let serve =
        ["challenge", "--log", "run.usar", "--relations", "truth.relations", "--speed", "max", "--out", "o"];
    let teams =
        ["--command", "alpha=cp a.txt {out}", "--command", "beta=cp b.txt {out}", "--command", "gamma=false"];
    let output = run(&[&serve[..], &teams].concat(), folder.path());
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}");
    assert!(words.contains("gamma is left out: "), "{words}");
    let table = std::fs::read_to_string(folder.path().join("o/table1.md")).unwrap();
    assert!(table.contains("| alpha | 1 | 0.0000 ± 0.0000 |"), "{table}");
    assert!(table.contains("| beta | 1 | 0.2500 ± 0.0000 |") && !table.contains("gamma"), "{table}");
    for file in ["alpha.xyt", "beta.xyt", "report.html"] {
        assert!(folder.path().join("o").join(file).is_file(), "{file}");
    }
    for commands in [
        &["--command", "cp a.txt {out}", "--command", "b=cp b.txt {out}"][..],
        &["--command", "a=x", "--command", "a=y"],
    ] {
        let refused = run(&[&serve[..], commands].concat(), folder.path());
        assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    }
}
