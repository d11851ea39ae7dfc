//! The systemd unit and the compose file of `examples/serve`, as far as they can be tried without systemd and without containers:
//! every flag is one of the program, and the service starts, is asked, and ends as systemd would have it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::serve::{contest, run};

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join("examples/serve").join(name)).unwrap()
}

/// Checks the flags of a command line against the help of its command; its words without the flags and their values.
fn checked(words: &[&str]) -> Vec<String> {
    let commands: Vec<&str> =
        words.iter().copied().take_while(|word| !word.starts_with(['-', '/'])).collect();
    // The longest beginning that is a command: `serve user add` has a name behind it.
    let help = (1..=commands.len()).rev().find_map(|count| {
        let output = run(Path::new("."), &[&commands[..count], &["--help"]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let usage = format!("Usage: mapjudge {} ", commands[..count].join(" "));
        (output.status.success() && text.contains(&usage)).then_some((count, text))
    });
    let (count, help) = help.unwrap_or_else(|| panic!("no command: {words:?}"));
    let mut rest = Vec::new();
    let mut words = words[count..].iter();
    while let Some(word) = words.next() {
        let Some(flag) = word.strip_prefix("--") else {
            rest.push((*word).to_owned());
            continue;
        };
        let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
        let line = help.lines().find(|line| line.split_whitespace().any(|part| part == format!("--{name}")));
        let line = line.unwrap_or_else(|| panic!("--{name} is no flag of {}", commands[..count].join(" ")));
        if line.contains('<') && value.is_none() {
            assert!(words.next().is_some(), "--{name} without its value");
        }
    }
    rest
}

/// The value of a key of a unit.
fn values<'a>(unit: &'a str, key: &str) -> Vec<&'a str> {
    unit.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('=')).collect()
}

#[test]
fn the_systemd_unit_starts_a_contest_and_ends_it() {
    let unit = example("mapjudge.service");
    let [start] = values(&unit, "ExecStart")[..] else { panic!("one command: {unit}") };
    let words: Vec<&str> = start.split(' ').collect();
    assert_eq!(words[0], "/usr/local/bin/mapjudge");
    assert_eq!(checked(&words[1..]), ["/var/lib/mapjudge/contest"]);
    assert!(
        values(&unit, "ReadWritePaths").contains(&"/var/lib/mapjudge"),
        "what it writes lies in the contest"
    );
    // The same command with a folder and a port of the test.
    let folder = contest();
    let flags = words.iter().skip_while(|word| **word != "--public-url");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
    command.args(["serve", ".", "--listen", "127.0.0.1:0"]).args(flags).current_dir(folder.path());
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let told: Vec<String> = lines.by_ref().take(3).collect();
    assert!(told[0].ends_with("https://maps.example.org"), "{told:?}");
    assert!(
        told[1].contains("https://maps.example.org/login#"),
        "the link of the admin, for the journal: {told:?}"
    );
    let [signal] = values(&unit, "KillSignal")[..] else { panic!("one signal") };
    let process = server.id().to_string();
    let signal = signal.trim_start_matches("SIG");
    assert!(Command::new("kill").args(["-s", signal, &process]).status().unwrap().success());
    assert!(server.wait().unwrap().success(), "it ends by itself");
    assert!(folder.path().join(".mapjudge/judge.db").exists());
}

#[test]
fn the_compose_file_names_flags_that_are_there() {
    let text = example("compose.yaml");
    let file: serde_json::Value = serde_saphyr::from_str(&text).unwrap();
    let services = &file["services"];
    for (name, command) in [("server", "serve"), ("worker", "worker")] {
        let words: Vec<&str> =
            services[name]["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(words[0], command);
        let rest = checked(&words);
        assert_eq!(rest, if name == "server" { vec!["/contest"] } else { vec![] });
        assert!(words.iter().any(|word| word.starts_with("--db=postgres://")), "{words:?}");
        assert!(words.contains(&"--objects=/objects"), "{words:?}");
        let volumes = services[name]["volumes"].to_string();
        assert!(volumes.contains("objects:/objects"), "both see the folder of objects: {volumes}");
    }
    assert_eq!(services["worker"]["deploy"]["replicas"], 2);
    assert!(services["database"]["image"].as_str().unwrap().starts_with("postgres:"));
    // The command of the comment that makes the admin.
    let comment: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('#')).collect();
    let comment = comment.join(" ").replace('\\', " ");
    let (_, first) = comment.split_once("--build server ").unwrap();
    let words: Vec<&str> = first.split_whitespace().take_while(|word| *word != "#").collect();
    assert_eq!(checked(&words), ["admin"]);
}
