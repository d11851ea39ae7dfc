//! Visitors of `mapjudge serve` who say little, or say it slowly.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::serve::{Served, contest, run, send, token, upload};

/// How long a connection lives that has sent this and sends nothing more, and what it got.
fn until_it_ends(address: &str, sent: &str) -> (Duration, String) {
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(100))).unwrap();
    stream.write_all(sent.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (began.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

/// Ten seconds, and on a loaded machine some more, but less than the minute after which any silence ends.
#[test]
fn heads_and_bodies_that_do_not_come_end_after_ten_seconds() {
    let folder = contest();
    let served = Served::new(folder.path(), 1, &["--workers", "0"]);
    let address = served.address.as_str();
    let body = format!(
        "POST /api/v1/login HTTP/1.1\r\nHost: {address}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{\"code\":"
    );
    std::thread::scope(|scope| {
        let connections = ["", "GET / HTTP/1.1\r\nHo", body.as_str()]
            .map(|sent| (sent, scope.spawn(move || until_it_ends(address, sent))));
        for (sent, connection) in connections {
            let (lived, answer) = connection.join().unwrap();
            assert!(lived > Duration::from_secs(9) && lived < Duration::from_secs(50), "{sent}: {lived:?}");
            assert!(!answer.contains("200 OK"), "{sent}: {answer}");
        }
    });
}

/// Visitors who send a byte now and then and begin anew when they are sent away, until told to stop; how often they began.
fn slow_visitors(address: &str, count: usize, stop: &AtomicBool, there: &AtomicUsize) -> usize {
    let connect = || {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.write_all(b"GET / HT").ok()?;
        Some(stream)
    };
    let mut slow: Vec<Option<TcpStream>> = Vec::new();
    let mut begun = 0;
    while !stop.load(Ordering::Relaxed) {
        slow.retain_mut(|stream| stream.as_mut().is_some_and(|stream| stream.write_all(b"T").is_ok()));
        while slow.len() < count && !stop.load(Ordering::Relaxed) {
            slow.push(connect());
            begun += 1;
        }
        there.store(slow.len(), Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(200));
    }
    begun
}

/// They hold up nobody: whoever asks for something is answered at once.
fn slow_connections(count: usize) {
    let folder = contest();
    run(folder.path(), &["serve", "user", "add", "au", "--role", "team", "--team", "Aurora"]);
    let team = token(folder.path(), "au");
    let served = Served::new(folder.path(), 1, &["--workers", "0"]);
    let (stop, there) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| slow_visitors(&served.address, count, &stop, &there));
        let until = Instant::now() + Duration::from_secs(60);
        while there.load(Ordering::Relaxed) < count && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut times = Vec::new();
        let mut statuses = Vec::new();
        for number in 0..20 {
            let began = Instant::now();
            let answer = if number % 4 == 0 {
                upload(&served.address, &team, format!("map {number}").as_bytes())
            } else {
                send(&served.address, "GET /api/v1/contest HTTP/1.1", b"")
            };
            statuses.push(answer.map(|(status, _)| status));
            times.push(began.elapsed());
        }
        stop.store(true, Ordering::Relaxed);
        let begun = slow.join().unwrap();
        times.sort();
        println!(
            "{begun} slow connections begun for {count} at a time; median {:?}, slowest {:?}",
            times[10], times[19]
        );
        let expected: Vec<_> = (0..20).map(|number| Some(if number % 4 == 0 { 201 } else { 200 })).collect();
        assert_eq!(statuses, expected);
        // Without room for those who speak, an answer takes up to the ten seconds of a slow head, many times over.
        assert!(times[10] < Duration::from_secs(5), "{times:?}");
    });
}

#[test]
fn two_thousand_slow_visitors_hold_nobody_up() {
    slow_connections(2000);
}
