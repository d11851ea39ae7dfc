//! `mapjudge serve` from outside: the first link, uploads over kills, what is refused, and the state as a whole.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A contest without a truth: it takes submissions, and scores none.
pub(super) fn contest() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "title = 'Cup'\nprofile = 'vr-2008'\n[serve]\nsubmissions = 10000\nlimits = { uploads_per_minute = 100000 }\n\
                [[teams]]\nname = 'Aurora'\nfolder = 'aurora'\n[[teams]]\nname = 'Borealis'\nfolder = 'borealis'\n";
    std::fs::write(folder.path().join("contest.toml"), text).unwrap();
    folder
}

pub(super) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// A server with the first lines that it told.
pub(super) struct Served {
    program: Child,
    pub(super) address: String,
    told: Vec<String>,
}

impl Served {
    pub(super) fn new(folder: &Path, lines: usize, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        command.args(["serve", ".", "--listen", "127.0.0.1:0"]).args(arguments).current_dir(folder);
        let mut program =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut all = BufReader::new(program.stderr.take().unwrap()).lines().map_while(Result::ok);
        let told: Vec<String> = all.by_ref().take(lines).collect();
        // Nobody reads the rest: the pipe must not fill up.
        std::thread::spawn(move || all.for_each(drop));
        let address =
            told.first().and_then(|line| line.split("http://").nth(1)).expect("an address").to_owned();
        Self { program, address, told }
    }

    fn kill(&mut self) {
        self.program.kill().unwrap();
        self.program.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// One request; none if the server went away meanwhile.
pub(super) fn send(address: &str, head: &str, body: &[u8]) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let length = body.len();
    let head = format!("{head}\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1)?.parse().ok()?;
    let body = text.split_once("\r\n\r\n")?.1;
    Some((status, serde_json::from_str(body).unwrap_or(Value::Null)))
}

pub(super) fn upload(address: &str, token: &str, bytes: &[u8]) -> Option<(u16, Value)> {
    let head = format!(
        "POST /api/v1/submissions HTTP/1.1\r\nAuthorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=x"
    );
    let mut body =
        b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"map.tif\"\r\n\r\n".to_vec();
    body.extend_from_slice(bytes);
    body.extend(b"\r\n--x--\r\n");
    send(address, &head, &body)
}

pub(super) fn token(folder: &Path, name: &str) -> String {
    String::from_utf8(run(folder, &["serve", "user", "token", name]).stdout).unwrap().trim().to_owned()
}

/// Uploads from several threads until the server is killed; what was confirmed.
fn under_upload(served: &mut Served, token: &str, round: u64) -> Vec<(String, Value)> {
    let (address, token) = (served.address.clone(), token.to_owned());
    let workers: Vec<_> = (0..3_u64)
        .map(|worker| {
            let (address, token) = (address.clone(), token.clone());
            std::thread::spawn(move || {
                let mut taken = Vec::new();
                for number in 0.. {
                    let bytes = format!("{round}-{worker}-{number} ").repeat(2000);
                    match upload(&address, &token, bytes.as_bytes()) {
                        Some((201, receipt)) => taken.push((blake3_of(&receipt), receipt)),
                        Some((status, answer)) => panic!("{status}: {answer}"),
                        None => return taken,
                    }
                }
                taken
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(150 + 97 * (round % 5)));
    served.kill();
    workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
}

fn blake3_of(receipt: &Value) -> String {
    receipt["files"][0]["blake3"].as_str().unwrap().to_owned()
}

fn kills_under_upload(rounds: u64) {
    let folder = contest();
    run(folder.path(), &["serve", "user", "add", "au", "--role", "team", "--team", "Aurora"]);
    run(folder.path(), &["serve", "user", "add", "jo", "--role", "judge"]);
    let (team, judge) = (token(folder.path(), "au"), token(folder.path(), "jo"));
    let mut confirmed = Vec::new();
    for round in 0..rounds {
        let mut served = Served::new(folder.path(), 1, &[]);
        confirmed.extend(under_upload(&mut served, &team, round));
    }
    assert!(confirmed.len() as u64 >= rounds, "only {} uploads were taken", confirmed.len());
    let check = run(folder.path(), &["serve", "check"]);
    assert!(check.status.success(), "{}", words(&check));
    let served = Served::new(folder.path(), 1, &[]);
    let mut events = std::collections::BTreeMap::new();
    let mut after = 0;
    loop {
        let head = format!("GET /api/v1/audit?after={after} HTTP/1.1\r\nAuthorization: Bearer {judge}");
        let page = send(&served.address, &head, b"").unwrap().1;
        let items = page["items"].as_array().unwrap().clone();
        let Some(last) = items.last() else { break };
        after = last["seq"].as_i64().unwrap();
        events.extend(items.into_iter().map(|event| (event["seq"].as_i64().unwrap(), event)));
    }
    for (hash, receipt) in &confirmed {
        let event = &events[&receipt["receipt"]["seq"].as_i64().unwrap()];
        assert_eq!((&event["hash"], &event["subject"]), (&receipt["receipt"]["hash"], &receipt["id"]));
        assert!(folder.path().join(".mapjudge/objects").join(&hash[..2]).join(hash).exists());
    }
    println!("{rounds} kills, {} uploads confirmed, {} events", confirmed.len(), events.len());
}

#[test]
fn what_was_confirmed_survives_kills() {
    kills_under_upload(3);
}

#[test]
#[ignore = "100 kills of the server under upload: minutes"]
fn what_was_confirmed_survives_a_hundred_kills() {
    kills_under_upload(100);
}

#[test]
fn the_first_start_prints_a_link_that_works_once() {
    let folder = contest();
    let served = Served::new(folder.path(), 2, &[]);
    let code = served.told[1].split_once("/login#").expect(&served.told[1]).1;
    let body = json!({ "code": code }).to_string();
    let head = "POST /api/v1/login HTTP/1.1\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin";
    assert_eq!(send(&served.address, head, body.as_bytes()).unwrap().0, 204);
    assert_eq!(send(&served.address, head, body.as_bytes()).unwrap().0, 403);
    let second = run(folder.path(), &["serve", ".", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(2));
    assert!(words(&second).contains("another server runs this contest"), "{}", words(&second));
    // Users are added beside the running server.
    let added = run(folder.path(), &["serve", "user", "add", "jo", "--role", "judge"]);
    assert!(added.status.success() && words(&added).contains("/login#"), "{}", words(&added));
}

/// The stream of events until a line has these words, from the last event that was heard on.
fn heard(
    address: &str,
    token: Option<&str>,
    last: Option<i64>,
    until: &str,
) -> std::thread::JoinHandle<String> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let token = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    let last = last.map_or_else(String::new, |seq| format!("Last-Event-ID: {seq}\r\n"));
    let head = format!("GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\n{token}{last}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    // The comment that says hello: from here on nothing is missed.
    let greeting: Vec<String> = lines.by_ref().take_while(|line| !line.contains("hello")).collect();
    assert!(greeting[0].contains("200"), "{greeting:?}");
    let until = until.to_owned();
    std::thread::spawn(move || {
        let mut text = String::new();
        for line in lines {
            text += &format!("{line}\n");
            if line.contains(&until) {
                break;
            }
        }
        text
    })
}

#[test]
fn open_pages_hear_what_is_for_them_and_nothing_else() {
    let folder = contest();
    run(folder.path(), &["serve", "user", "add", "au", "--role", "team", "--team", "Aurora"]);
    run(folder.path(), &["serve", "user", "add", "jo", "--role", "judge"]);
    let (team, judge) = (token(folder.path(), "au"), token(folder.path(), "jo"));
    let served = Served::new(folder.path(), 1, &["--workers", "0"]);
    let streams = [Some(judge.as_str()), Some(team.as_str()), None]
        .map(|who| heard(&served.address, who, None, "notice_added"));
    upload(&served.address, &team, b"map").unwrap();
    let head = format!(
        "POST /api/v1/notices HTTP/1.1\r\nAuthorization: Bearer {judge}\r\nContent-Type: application/json"
    );
    assert_eq!(send(&served.address, &head, b"{\"text\":\"lunch\"}").unwrap().0, 201);
    let [judge, team, public] = streams.map(|stream| stream.join().unwrap());
    for text in [&judge, &team, &public] {
        assert!(text.contains("event: notice") && text.contains("id: "), "{text}");
    }
    assert!(judge.contains("submission_received") && team.contains("submission_received"), "{judge}{team}");
    assert!(!public.contains("submission"), "{public}");
}

#[test]
fn a_page_that_comes_back_hears_what_it_missed_and_after_too_much_reads_everything() {
    let folder = contest();
    run(folder.path(), &["serve", "user", "add", "au", "--role", "team", "--team", "Aurora"]);
    run(folder.path(), &["serve", "user", "add", "jo", "--role", "judge"]);
    let (team, judge) = (token(folder.path(), "au"), token(folder.path(), "jo"));
    let served = Served::new(folder.path(), 1, &["--workers", "0"]);
    let receipt = upload(&served.address, &team, b"map").unwrap().1;
    let seq = receipt["receipt"]["seq"].as_i64().unwrap();
    let notice = |number: usize| {
        let head = format!(
            "POST /api/v1/notices HTTP/1.1\r\nAuthorization: Bearer {judge}\r\nContent-Type: application/json"
        );
        let body = json!({ "text": format!("notice {number}") }).to_string();
        assert_eq!(send(&served.address, &head, body.as_bytes()).unwrap().0, 201);
    };
    notice(0);
    let missed = heard(&served.address, Some(&team), Some(seq - 1), "notice_added").join().unwrap();
    let place = |words: &str| missed.find(words).unwrap_or_else(|| panic!("{words}: {missed}"));
    assert!(place(&format!("id: {seq}\n")) < place(&format!("id: {}\n", seq + 1)), "{missed}");
    assert!(place("event: submission") < place("event: notice"), "{missed}");
    let public = heard(&served.address, None, Some(seq - 1), "notice_added").join().unwrap();
    assert!(!public.contains("submission"), "{public}");
    (1..=200).for_each(notice);
    let late = heard(&served.address, None, Some(seq - 1), "resync").join().unwrap();
    assert!(late.contains("event: resync") && !late.contains("notice_added"), "{late}");
}

#[test]
fn strangers_are_not_let_in_by_accident() {
    let folder = contest();
    for (arguments, told) in [
        (vec!["--listen", "0.0.0.0:0"], "no user"),
        (vec!["--listen", "0.0.0.0:0", "--no-login"], "without log-in"),
        (
            vec!["--listen", "127.0.0.1:0", "--public-url", "https://x.example", "--no-login"],
            "without log-in",
        ),
        (vec!["--listen", "127.0.0.1:0", "--public-url", "x.example"], "expected a URL"),
        (vec!["--db", "postgres://nobody@127.0.0.1:1/none", "--listen", "127.0.0.1:0"], "database"),
    ] {
        let refused = run(folder.path(), &[vec!["serve", "."], arguments.clone()].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(words(&refused).contains(told) && words(&refused).contains("hint:"), "{}", words(&refused));
    }
    run(folder.path(), &["serve", "user", "add", "jo", "--role", "admin"]);
    let refused = run(folder.path(), &["serve", ".", "--listen", "0.0.0.0:0"]);
    assert!(words(&refused).contains("plain http"), "{}", words(&refused));
    let none = run(folder.path(), &["serve", "user", "add", "x", "--role", "team", "--team", "Nobody"]);
    assert!(words(&none).contains("Aurora, Borealis"), "{}", words(&none));
}

#[test]
fn a_backup_is_the_whole_state_and_damage_is_noticed() {
    let folder = contest();
    run(folder.path(), &["serve", "user", "cards", "--out", "cards.html"]);
    let cards = std::fs::read_to_string(folder.path().join("cards.html")).unwrap();
    assert_eq!(cards.matches("/login#").count(), 2);
    let team = token(folder.path(), "Aurora");
    let served = Served::new(folder.path(), 1, &["--workers", "0"]);
    let (status, receipt) = upload(&served.address, &team, b"map").unwrap();
    assert_eq!(status, 201, "{receipt}");
    // Beside the running server.
    let backup = run(folder.path(), &["serve", "backup", "all.tar"]);
    assert!(backup.status.success(), "{}", words(&backup));
    let head = receipt["receipt"]["hash"].as_str().unwrap();
    let checked = run(folder.path(), &["serve", "check", "--format", "json"]);
    let before: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(
        (&before["head"], &before["faults"], &before["objects"]),
        (&json!(head), &json!([]), &json!(1))
    );
    drop(served);
    let places = ["--db", "sqlite:other.db", "--objects", "other"];
    let restored = run(folder.path(), &[&["serve", "restore", "all.tar"][..], &places].concat());
    assert!(restored.status.success() && words(&restored).contains(head), "{}", words(&restored));
    let twice = run(folder.path(), &[&["serve", "restore", "all.tar"][..], &places].concat());
    assert_eq!(twice.status.code(), Some(2), "{}", words(&twice));
    let mut bytes = std::fs::read(folder.path().join("all.tar")).unwrap();
    let at = bytes.windows(3).position(|three| three == b"map").unwrap();
    bytes[at] = b'M';
    std::fs::write(folder.path().join("bad.tar"), bytes).unwrap();
    let damaged = ["serve", "restore", "bad.tar", "--db", "sqlite:bad.db", "--objects", "bad"];
    assert_eq!(run(folder.path(), &damaged).status.code(), Some(2));
    let object = folder.path().join("other").join(&blake3_of(&receipt)[..2]).join(blake3_of(&receipt));
    std::fs::write(object, "mop").unwrap();
    let checked = run(folder.path(), &[&["serve", "check"][..], &places].concat());
    assert_eq!(checked.status.code(), Some(1), "{}", words(&checked));
    assert!(words(&checked).contains(&blake3_of(&receipt)));
}
