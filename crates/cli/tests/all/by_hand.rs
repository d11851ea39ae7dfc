//! `mapjudge align --by-hand` and `view` from outside: the link, what the page saves, and what other commands make of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

fn write_map(folder: &Path, name: &str, rows: &[&str]) {
    let pixels: Vec<u8> = rows.concat().bytes().map(|cell| if cell == b'#' { 0 } else { 254 }).collect();
    let mut pgm = format!("P5\n{} {}\n255\n", rows[0].len(), rows.len()).into_bytes();
    pgm.extend(pixels);
    std::fs::write(folder.join(format!("{name}.pgm")), pgm).unwrap();
    let yaml = format!(
        "image: {name}.pgm\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    );
    std::fs::write(folder.join(format!("{name}.yaml")), yaml).unwrap();
}

/// A truth, a map whose walls lie 0.3 m to the left of it, and another one.
fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = vec![".".repeat(60); 40];
    let wall = |rows: &mut Vec<String>, row: usize, from: usize, to: usize| {
        rows[row].replace_range(from..to, &"#".repeat(to - from));
    };
    wall(&mut rows, 3, 5, 55);
    wall(&mut rows, 35, 5, 55);
    wall(&mut rows, 20, 5, 30);
    for row in 3..36 {
        for column in [5, 40, 54] {
            if column != 40 || row < 15 {
                wall(&mut rows, row, column, column + 1);
            }
        }
    }
    let shifted: Vec<String> = rows.iter().map(|row| format!("{}...", &row[3..])).collect();
    let views: Vec<&str> = rows.iter().map(String::as_str).collect();
    write_map(folder.path(), "truth", &views);
    write_map(folder.path(), "map", &shifted.iter().map(String::as_str).collect::<Vec<_>>());
    write_map(folder.path(), "other", &views);
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A program that shows pages, and a browser that opened its link.
struct Shown {
    program: Child,
    address: String,
    cookie: String,
}

impl Shown {
    fn new(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        command
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let mut lines = BufReader::new(program.stderr.take().unwrap()).lines();
        let first = lines.next().expect("the program says where its page is").unwrap();
        // Nobody reads the rest: the pipe must not fill up.
        std::thread::spawn(move || lines.for_each(drop));
        let (address, code) =
            first.strip_prefix("open http://").expect(&first).split_once("/login#").unwrap();
        let mut shown = Self { program, address: address.to_owned(), cookie: String::new() };
        let (status, head, _) = shown.send("POST", "/api/v1/login", &[], &json!({ "code": code }));
        assert_eq!(status, 200, "{head}");
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        shown.cookie = cookie.split(';').next().unwrap().to_owned();
        shown
    }

    fn send(&self, method: &str, path: &str, headers: &[&str], body: &Value) -> (u16, String, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let extra: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\norigin: http://{}\r\ncookie: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n{extra}connection: close\r\n\r\n{body}",
            self.address,
            self.address,
            self.cookie,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.replace('\r', ""), serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn finished(mut self) -> Output {
        assert_eq!(self.send("POST", "/api/v1/finish", &[], &json!({})).0, 200);
        let status = self.program.wait().unwrap();
        let mut stdout = Vec::new();
        self.program.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        Output { status, stdout, stderr: Vec::new() }
    }
}

const BY_HAND: [&str; 7] = ["align", "map.yaml", "--truth", "truth.yaml", "--by-hand", "--out", "frame.json"];

fn frame(x_m: f64) -> Value {
    json!({ "x_m": x_m, "y_m": 0.0, "theta_rad": 0.0, "scale": 1.0 })
}

fn value(folder: &Path, align: &str, id: &str) -> Value {
    let output = run(
        folder,
        &[
            "score",
            "map.yaml",
            "--truth",
            "truth.yaml",
            "--align",
            align,
            "--metrics",
            id,
            "--format",
            "json",
        ],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["cases"][0].clone()
}

#[test]
fn what_the_page_saves_is_what_score_takes() {
    let folder = place();
    let shown = Shown::new(folder.path(), &BY_HAND);
    let lying = json!({ "truth_from_map": frame(0.3), "exact": true });
    let (status, _, live) = shown.send("POST", "/api/v1/submissions/1/live", &[], &lying);
    assert_eq!(status, 200);
    let choice = json!({ "truth_from_map": frame(0.3), "by": "Ada", "reason": "the left wall", "pairs": [] });
    assert_eq!(shown.send("PUT", "/api/v1/submissions/1/frame", &[], &choice).0, 200);
    let output = shown.finished();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "map.yaml: saved to frame.json\n");
    for number in live["numbers"].as_array().unwrap().iter().take(5) {
        let case = value(folder.path(), "frame.json", number["id"].as_str().unwrap());
        assert_eq!(case["metrics"][0]["value"], number["value"], "{number}");
        let alignment = &case["alignment"];
        assert_eq!((&alignment["method"], &alignment["by"]), (&json!("manual"), &json!("Ada")));
        assert_eq!(alignment["reason"], "the left wall");
    }
    // The same by numbers, and by a transform alone.
    std::fs::write(folder.path().join("alone.json"), frame(0.3).to_string()).unwrap();
    for align in ["0.3,0,0", "alone.json"] {
        let case = value(folder.path(), align, "image_similarity");
        assert_eq!(case["metrics"][0]["value"], live["numbers"][0]["value"], "{align}");
    }
    // Another file of the same name: the frame does not hold for it.
    std::fs::copy(folder.path().join("other.pgm"), folder.path().join("map.pgm")).unwrap();
    let refused =
        run(folder.path(), &["score", "map.yaml", "--truth", "truth.yaml", "--align", "frame.json"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(
        stderr(&refused).contains("another map") && stderr(&refused).contains("--by-hand"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn a_second_browser_needs_a_new_link_and_an_old_frame_stays() {
    let folder = place();
    std::fs::write(folder.path().join("frame.json"), "{}").unwrap();
    let refused = run(folder.path(), &BY_HAND);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("frame.json"), "{}", stderr(&refused));
    let mut shown = Shown::new(folder.path(), &[&BY_HAND[..], &["--overwrite"]].concat());
    let second = Shown { cookie: String::new(), address: shown.address.clone(), program: spare() };
    assert_eq!(second.send("GET", "/api/v1/desk", &[], &Value::Null).0, 401);
    drop(second);
    let (status, _, desk) = shown.send("GET", "/api/v1/desk", &[], &Value::Null);
    assert_eq!((status, &desk["maps"][0]["name"]), (200, &json!("map.yaml")));
    let id = shown.program.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert!(shown.program.wait().unwrap().success(), "Ctrl-C ends it as a finished work");
    assert_eq!(std::fs::read_to_string(folder.path().join("frame.json")).unwrap(), "{}", "nothing was saved");
}

/// A program that has ended, for a browser without one.
fn spare() -> Child {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).arg("--version").stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_broken_map_is_shown_with_its_reason_beside_the_others() {
    let folder = place();
    std::fs::write(
        folder.path().join("bad.yaml"),
        "image: nothing.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n",
    )
    .unwrap();
    let arguments =
        ["align", "map.yaml", "bad.yaml", "--truth", "truth.yaml", "--by-hand", "--out", "frames"];
    let shown = Shown::new(folder.path(), &arguments);
    let (_, _, desk) = shown.send("GET", "/api/v1/desk", &[], &Value::Null);
    assert_eq!(desk["start"], "/compare?of=1,2");
    assert!(desk["maps"][1]["problem"]["detail"].as_str().unwrap().contains("nothing.pgm"), "{desk}");
    let choice = json!({ "truth_from_map": frame(0.3), "by": "Ada" });
    assert_eq!(shown.send("PUT", "/api/v1/submissions/2/frame", &[], &choice).0, 422);
    assert_eq!(shown.send("PUT", "/api/v1/submissions/1/frame", &[], &choice).0, 200);
    shown.finished();
    assert!(folder.path().join("frames/map.json").is_file());
}

#[test]
fn addresses_of_other_machines_are_refused() {
    let folder = place();
    let output = run(folder.path(), &[&BY_HAND[..], &["--listen", "0.0.0.0:0"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("this machine alone"), "{}", stderr(&output));
    for arguments in [
        &["align", "map.yaml", "other.yaml", "--truth", "truth.yaml"][..],
        &["view", "nothing.yaml"],
        &["score", "map.yaml", "--truth", "truth.yaml", "--align", "1,2,x"],
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("hint") || stderr(&output).contains("expected"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_report_is_looked_at_with_its_maps_where_they_were_judged() {
    let folder = place();
    let scored = run(
        folder.path(),
        &["score", "map.yaml", "--truth", "truth.yaml", "--align", "0.3,0,0", "--out", "results"],
    );
    assert!(scored.status.success(), "{}", stderr(&scored));
    std::fs::write(folder.path().join("run.tum"), "0 1 1 0 0 0 0 1\n1 2 1 0 0 0 0 1\n").unwrap();
    let shown = Shown::new(folder.path(), &["view", "results", "run.tum"]);
    let (status, _, view) = shown.send("GET", "/api/v1/view", &[], &Value::Null);
    let kinds: Vec<&str> =
        view["items"].as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!((status, kinds), (200, vec!["map", "map", "scores", "trajectory"]));
    assert_eq!(view["items"][1]["map"]["frame"]["x_m"], 0.3);
    shown.finished();
}

#[test]
fn a_contest_takes_the_frame_of_a_team_and_blames_nobody_for_an_old_one() {
    let folder = place();
    let team = folder.path().join("aurora");
    std::fs::create_dir(&team).unwrap();
    for file in ["map.yaml", "map.pgm"] {
        std::fs::copy(folder.path().join(file), team.join(file)).unwrap();
    }
    let shown = Shown::new(
        folder.path(),
        &["align", "aurora/map.yaml", "--truth", "truth.yaml", "--by-hand", "--out", "frames/aurora.json"],
    );
    shown.send("POST", "/api/v1/submissions/1/align", &[], &json!({}));
    let choice = json!({ "truth_from_map": frame(0.3), "by": "Ada", "reason": "the left wall decides" });
    assert_eq!(shown.send("PUT", "/api/v1/submissions/1/frame", &[], &choice).0, 200);
    shown.finished();
    let rules = "name = 'r'\ntitle = 'R'\nsource = 's'\nformula = 'I'\nbetter = 'higher'\n[inputs]\n\
                 map = { required = true, pattern = 'map.yaml' }\n[plan]\nalign = 'georeference'\n\
                 [[parts]]\nname = 'I'\ntitle = 'I'\nfrom = { kind = 'measured', value = 'occupied_iou' }\n";
    std::fs::write(folder.path().join("rules.toml"), rules).unwrap();
    let rules = "profile = 'rules.toml'\n[truth]\nmap = 'truth.yaml'\n[[teams]]\nname = 'Aurora'\nfolder = 'aurora'\n";
    std::fs::write(folder.path().join("contest.toml"), format!("{rules}align = 'frames/aurora.json'\n"))
        .unwrap();
    let judged = run(folder.path(), &["contest", "contest.toml", "--out", "day"]);
    assert!(judged.status.success(), "{}", stderr(&judged));
    let sheet = walk(&folder.path().join("day"), "sheet.html");
    for words in ["Laid on the truth by hand", "the left wall decides", "Score of the mission"] {
        assert!(sheet.contains(words), "{words}");
    }
    // The team hands in another map: what the judge laid does not hold for it.
    std::fs::copy(folder.path().join("other.pgm"), team.join("map.pgm")).unwrap();
    let again = run(folder.path(), &["contest", "contest.toml", "--format", "json"]);
    let report: Value = serde_json::from_slice(&again.stdout).unwrap();
    let mission = &report["ranking"][0]["missions"][0];
    assert_eq!(mission["outcome"], "undefined", "{mission}");
    assert!(mission["reason"].as_str().unwrap().contains("another map"), "{mission}");
    std::fs::remove_file(folder.path().join("frames/aurora.json")).unwrap();
    let missing = run(folder.path(), &["contest", "contest.toml"]);
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
}

/// The first file of this name below a folder.
fn walk(folder: &Path, name: &str) -> String {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.file_name().is_some_and(|found| found == name) => {
                    return std::fs::read_to_string(path).unwrap();
                }
                _ => {}
            }
        }
    }
    panic!("no {name}");
}
