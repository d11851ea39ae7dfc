//! The examples do what they say.

#[path = "../../examples/01_score.rs"]
mod score;

#[path = "../../examples/02_contest_in_memory.rs"]
mod contest_in_memory;

#[path = "../../examples/03_own_metric.rs"]
mod own_metric;

#[path = "../../examples/04_map_a_log.rs"]
mod map_a_log;

#[path = "../../examples/05_serve_report.rs"]
#[allow(dead_code, reason = "the example serves without end")]
mod serve_report;

use std::io::{Read, Write};

#[test]
fn a_map_is_scored() {
    score::main().unwrap();
}

#[test]
fn three_teams_are_ranked_without_a_file_system() {
    contest_in_memory::main().unwrap();
}

#[test]
fn a_metric_of_your_own_stands_beside_the_others() {
    own_metric::main().unwrap();
}

#[test]
fn a_log_is_mapped_and_the_map_is_scored() {
    map_a_log::main().unwrap();
}

#[test]
fn a_report_is_served_from_memory() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let server = std::thread::spawn(move || {
        serve_report::serve(3, |port| sender.send(port).unwrap()).map_err(|error| error.to_string())
    });
    let port = receiver.recv().unwrap();
    let fetched = |path: &str| {
        let mut stream = std::net::TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    assert!(fetched("/").contains("data:image/png"));
    assert!(fetched("/nothing").starts_with("HTTP/1.1 404"));
    assert!(fetched("/report.json").contains("mapjudge.report/1"));
    server.join().unwrap().unwrap();
}
