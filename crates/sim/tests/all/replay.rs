//! The replay server and the recording client over loopback.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use formats::NamedBytes;
use formats::usarsim::{MessageLog, read_message_log_bytes};
use mapjudge_sim::replay::{
    ClientEnd, ClientReport, Clock, Reception, RecordOptions, Repeat, ReplayOptions, ReplayReport,
    ReplayServer, Speed, Start, Until, record,
};

const LOOPBACK: &str = "127.0.0.1:0";

fn log_of(text: &str) -> MessageLog {
    read_message_log_bytes(NamedBytes { name: "run.usar", bytes: text.as_bytes() }, 0.0).unwrap()
}

/// A log of so many scans, one per 10 ms.
fn scans(lines: usize) -> String {
    let ranges = vec!["2.1951"; 181].join(",");
    let mut text = String::from("NFO {Gametype BotDeathMatch} {Level maze} {TimeLimit 20}\r\n");
    text.push_str("NFO {StartPoses 1} {Name a Location 1,2,3 Orientation 0,0,0}\r\n");
    text.push_str("GEO {Type RangeScanner} {Name Scanner1 Location 0,0,0 Orientation 0,0,0 Mount HARD}\r\n");
    text.push_str("GEO {Type Odometry} {Name Odometry Location 0,0,0 Orientation 0,0,0 Mount HARD}\r\n");
    for line in 0..lines {
        let time_s = line as f64 / 100.0;
        let head = format!("SEN {{Time {time_s:.2}}} {{Type RangeScanner}} {{Name Scanner1}} {{FOV 3.14}}");
        write!(text, "{head} {{Range {ranges}}}\r\n").unwrap();
        text.push_str("SEN {Type Odometry} {Name Odometry} {Pose 0.4265,0.1643,0.9105}\r\n");
    }
    text
}

fn at_max() -> ReplayOptions {
    ReplayOptions { speed: Speed::Max, until: Until::Idle { linger_s: 0.5 }, ..ReplayOptions::default() }
}

/// Serves a text while `clients` run; what both gave.
fn served<T>(text: &str, options: ReplayOptions, clients: impl FnOnce(SocketAddr) -> T) -> (ReplayReport, T) {
    let server =
        ReplayServer::bind(LOOPBACK.parse().unwrap(), log_of(text), MessageLog::default(), options).unwrap();
    let address = server.address().unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let running = scope.spawn(|| server.run(&stop, &|_| {}));
        let result = clients(address);
        (running.join().unwrap(), result)
    })
}

fn connected(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).unwrap()
}

/// Sends INIT and reads until the server closes.
fn all_bytes(address: SocketAddr) -> Vec<u8> {
    let mut stream = connected(address);
    stream.write_all(b"INIT {ClassName USARBot.P3AT} {Name r1} {Location 1,2,3}\r\n").unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn sixteen_clients_at_once_get_every_byte() {
    let text = scans(800);
    let (report, all_equal) = served(&text, at_max(), |address| {
        thread::scope(|scope| {
            let clients: Vec<_> = (0..16).map(|_| scope.spawn(move || all_bytes(address))).collect();
            clients.into_iter().all(|client| client.join().unwrap() == text.as_bytes())
        })
    });
    assert!(all_equal, "bytes differ");
    assert_eq!(report.clients.len(), 16);
    assert!(report.clients.iter().all(|client| client.end == ClientEnd::Finished && client.lines == 1604));
}

#[test]
fn a_slow_client_blocks_without_loss_and_disturbs_nobody() {
    let text = scans(6000);
    let (report, (slow, fast_s)) = served(&text, at_max(), |address| {
        thread::scope(|scope| {
            let slow = scope.spawn(move || {
                let mut stream = connected(address);
                stream.write_all(b"INIT {Name slow}\r\n").unwrap();
                thread::sleep(Duration::from_millis(3000));
                let mut bytes = Vec::new();
                stream.read_to_end(&mut bytes).unwrap();
                bytes
            });
            let begun = Instant::now();
            assert_eq!(all_bytes(address).len(), text.len());
            let fast_s = begun.elapsed().as_secs_f64();
            (slow.join().unwrap(), fast_s)
        })
    });
    assert!(slow == text.as_bytes(), "bytes are missing");
    assert!(fast_s < 3.0, "the other client waited for {fast_s} s");
    assert_eq!(report.clients.len(), 2);
}

#[test]
fn a_client_that_takes_nothing_is_dropped_if_asked() {
    let options = ReplayOptions { drop_after_s: Some(0.3), ..at_max() };
    let (report, ()) = served(&scans(20_000), options, |address| {
        let mut stream = connected(address);
        stream.write_all(b"INIT {Name idle}\r\n").unwrap();
        thread::sleep(Duration::from_millis(1500));
    });
    assert_eq!(report.clients[0].end, ClientEnd::Dropped);
}

/// Ends what a client says, and waits for the server to close: a connection that is torn down may lose what was said.
fn hang_up(mut stream: TcpStream) {
    stream.shutdown(Shutdown::Write).unwrap();
    stream.read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn garbage_long_lines_halves_and_disconnects_are_survived_and_counted() {
    let text = scans(50);
    let (report, ()) = served(&text, at_max(), |address| {
        let mut garbage = connected(address);
        garbage.write_all(b"\x00\xff{{{}\n lorem ipsum\nSEN {Time x}\n").unwrap();
        hang_up(garbage);
        let mut long = connected(address);
        long.write_all(&vec![b'x'; 10_000_000]).unwrap();
        long.write_all(b"\nINIT {Name long}\r\nDRIVE {Left 1} {Right 1}\r\n").unwrap();
        let mut bytes = Vec::new();
        long.read_to_end(&mut bytes).unwrap();
        assert!(bytes == text.as_bytes(), "served after its long line");
        drop(long);
        let mut half = connected(address);
        half.write_all(b"INIT {Name half}\r\nDRIVE {Le").unwrap();
        hang_up(half);
        drop(connected(address));
        assert!(all_bytes(address) == text.as_bytes(), "the server lives on");
    });
    assert_eq!(report.clients.len(), 5);
    let sum = |of: fn(&ClientReport) -> usize| report.clients.iter().map(of).sum::<usize>();
    assert_eq!(sum(|client| client.heard.broken), 3);
    assert_eq!(sum(|client| client.heard.too_long), 1);
    assert_eq!(sum(|client| client.heard.ignored), 1);
    assert_eq!(sum(|client| usize::from(client.heard.has_half_message)), 1);
}

#[test]
fn lines_come_when_they_are_due_and_questions_are_answered() {
    let (speed, until) = (Speed::Times(2.0), Until::Clients(1));
    let options = ReplayOptions { speed, until, ..ReplayOptions::default() };
    let (report, (took_s, lines)) = served(&scans(101), options, |address| {
        let mut stream = connected(address);
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut first = String::new();
        reader.read_line(&mut first).unwrap();
        assert!(first.starts_with("NFO {Gametype"), "a greeting before INIT");
        stream.write_all(b"GETGEO {Type Odometry}\r\nGETSTARTPOSES\r\nINIT {Name r}\r\n").unwrap();
        let begun = Instant::now();
        let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
        (begun.elapsed().as_secs_f64(), lines)
    });
    assert!(took_s > 0.45, "one second at double speed took {took_s} s");
    assert_eq!(report.clients[0].answers, 2);
    assert_eq!(lines.iter().filter(|line| line.starts_with("GEO {Type Odometry}")).count(), 2);
    assert_eq!(lines.iter().filter(|line| line.contains("StartPoses")).count(), 2);
    let jitter = report.clients[0].jitter.unwrap();
    assert!(jitter.lines > 200 && jitter.p50_ms <= jitter.max_ms);
}

#[test]
fn a_part_of_a_log_without_init() {
    let options = ReplayOptions { from_s: 0.5, to_s: 0.75, start: Start::AtOnce, ..at_max() };
    let (_, bytes) = served(&scans(200), options, |address| {
        let mut bytes = Vec::new();
        connected(address).read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    });
    assert!(bytes.starts_with("SEN {Time 0.50}"), "{}", &bytes[..40]);
    assert_eq!(bytes.matches("RangeScanner").count(), 26);
}

#[test]
fn a_loop_begins_again() {
    let options = ReplayOptions { repeat: Repeat::ForEver, until: Until::Clients(1), ..at_max() };
    let text = scans(3);
    let (report, ()) = served(&text, options, |address| {
        let mut stream = connected(address);
        stream.write_all(b"INIT {Name r}\r\n").unwrap();
        let mut bytes = vec![0; 3 * text.len()];
        stream.read_exact(&mut bytes).unwrap();
        assert!(bytes == text.repeat(3).as_bytes());
    });
    assert_eq!(report.clients[0].end, ClientEnd::Left);
}

#[test]
fn who_comes_late_to_a_shared_clock_has_missed_something() {
    let options = ReplayOptions {
        clock: Clock::Shared,
        start: Start::AtOnce,
        until: Until::Idle { linger_s: 0.2 },
        ..ReplayOptions::default()
    };
    let (_, (early, late)) = served(&scans(100), options, |address| {
        thread::scope(|scope| {
            let early = scope.spawn(move || all_bytes(address).len());
            thread::sleep(Duration::from_millis(500));
            let late = all_bytes(address).len();
            (early.join().unwrap(), late)
        })
    });
    assert!(late < early * 3 / 4, "{late} of {early} bytes");
}

#[test]
fn what_is_recorded_is_what_was_sent() {
    let text = scans(100);
    let stop = AtomicBool::new(false);
    let (_, (plain, timed)) = served(&text, at_max(), |address| {
        let recorded = |reception| {
            let mut out = Vec::new();
            let options = RecordOptions { reception, ..RecordOptions::default() };
            let recorded = record(&address.to_string(), &mut out, &options, &stop, &|_| {}).unwrap();
            assert_eq!((recorded.bytes, recorded.lines), (text.len() as u64, 204));
            out
        };
        (recorded(Reception::Untimed), recorded(Reception::Timed))
    });
    assert!(plain == text.as_bytes());
    let timed = log_of(&String::from_utf8(timed).unwrap());
    assert!(timed.lines.iter().all(|line| line.received_s.is_some()));
    assert_eq!(timed.lines.iter().flat_map(|line| &line.bytes).count(), text.len());
}

#[test]
fn senseless_options_are_refused() {
    let bind = |options| {
        let address = LOOPBACK.parse().unwrap();
        ReplayServer::bind(address, log_of(&scans(2)), MessageLog::default(), options).map(|_| ())
    };
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(bind(ReplayOptions { speed: Speed::Times(speed), ..at_max() }).is_err(), "{speed}");
    }
    assert!(bind(ReplayOptions { clock: Clock::Shared, ..at_max() }).is_err());
    assert!(bind(ReplayOptions { from_s: 99.0, ..at_max() }).is_err());
    assert!(bind(ReplayOptions { drop_after_s: Some(0.0), ..at_max() }).is_err());
}
