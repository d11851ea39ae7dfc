//! The live server as a client written from the reference page sees it: answers, readings, several robots, and clients
//! that misbehave.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mapjudge_sim::arena::{Arena, Plan};
use mapjudge_sim::robot::RobotModel;
use mapjudge_sim::sensor::OdometryModel;
use mapjudge_sim::usarsim::{LiveReport, LiveServer};

/// A block of one pallet in the middle of nine.
const BLOCK: &str = "drawing = '''\n+---+---+---+\n| S         |\n+   +---+   +\n|   | x |   |\n+   +---+   +\n|           |\n+---+---+---+\n'''";

struct Client {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn say(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\r\n").as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.reader.read_line(&mut line).unwrap() > 0, "the server has gone");
        assert!(line.ends_with("\r\n"));
        line.trim_end().to_owned()
    }

    /// The next line that begins so.
    fn wait_for(&mut self, start: &str) -> String {
        let begun = Instant::now();
        loop {
            let line = self.line();
            if line.starts_with(start) {
                return line;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "no {start}");
        }
    }
}

/// The value of a key, and the numbers in it.
fn value<'a>(line: &'a str, key: &str) -> &'a str {
    let from =
        line.find(&format!("{{{key} ")).unwrap_or_else(|| panic!("no {key} in {line}")) + key.len() + 2;
    &line[from..from + line[from..].find('}').unwrap()]
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(',').map(|number| number.parse().unwrap()).collect()
}

/// Runs a server while a test talks to it.
fn with_server(speed: f64, test: impl FnOnce(SocketAddr)) -> LiveReport {
    let arena = Arena::build(&Plan::read(BLOCK).unwrap()).unwrap();
    let robot =
        RobotModel { skid: 1.0, slips_per_m: 0.0, odometry: OdometryModel::EXACT, ..RobotModel::default() };
    let server = LiveServer::bind("127.0.0.1:0", &arena, robot, 1, speed).unwrap();
    let (address, stop) = (server.address().unwrap(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let running = scope.spawn(|| server.run(&stop));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(address)));
        stop.store(true, Ordering::Relaxed);
        let report = running.join().unwrap();
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        report
    })
}

#[test]
fn a_client_drives_around_a_block() {
    with_server(10.0, |address| {
        let mut client = Client::connect(address);
        assert!(client.line().starts_with("NFO {Gametype "));
        client.say("GETSTARTPOSES");
        assert!(client.line().starts_with("NFO {StartPoses 1} {Name start Location 0.6,-3"));
        client.say("INIT {ClassName USARBot.P3AT} {Name r1} {Start start}");
        client.say("GETGEO {Type Robot}");
        assert_eq!(value(&client.wait_for("GEO"), "WheelSeparation"), "0.3");
        client.say("GETCONF {Type RangeScanner}");
        assert_eq!(value(&client.wait_for("CONF"), "MaxRange"), "4");
        client.wait_for("STA");
        let scan = client.wait_for("SEN {Time");
        assert!(!scan.is_empty());
        let scan = loop {
            let line = client.wait_for("SEN");
            if line.contains("{Type RangeScanner}") {
                break line;
            }
        };
        assert_eq!(numbers(value(&scan, "Range")).len(), 668);
        // Around the block by odometry alone, which has no fault here: y and theta are those of the simulator.
        for corner in [(2.4, 0.0), (2.4, 2.4), (0.0, 2.4), (0.0, 0.0)] {
            drive_to(&mut client, corner);
        }
        let ins = loop {
            let line = client.wait_for("SEN");
            if line.contains("{Type INS}") {
                break line;
            }
        };
        let location = numbers(value(&ins, "Location"));
        assert!(location[0].abs() < 0.5 && location[1].abs() < 0.5, "{ins}");
    });
}

/// Turns and drives by the odometry until a place is reached.
fn drive_to(client: &mut Client, (x, y): (f64, f64)) {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(60), "the robot does not get to {x}, {y}");
        let line = client.wait_for("SEN");
        if !line.contains("{Type Odometry}") {
            continue;
        }
        let pose = numbers(value(&line, "Pose"));
        let (dx, dy) = (x - pose[0], y - pose[1]);
        if dx.hypot(dy) < 0.15 {
            return client.say("DRIVE {Left 0} {Right 0}");
        }
        let mut error = dy.atan2(dx) - pose[2];
        error = error.sin().atan2(error.cos());
        // Theta grows when the left wheels are faster.
        let (ahead, turn) = (if error.abs() < 0.3 { 0.3 } else { 0.0 }, (0.4 * error).clamp(-0.3, 0.3));
        client.say(&format!(
            "DRIVE {{Left {}}} {{Right {}}} {{Normalized true}}",
            ahead + turn,
            ahead - turn
        ));
    }
}

#[test]
fn commands_are_answered_and_failures_told() {
    let report = with_server(5.0, |address| {
        let mut client = Client::connect(address);
        client.say("DRIVE {Left 1} {Right 1}");
        assert_eq!(value(&client.wait_for("RES"), "Status"), "Failed", "no robot yet");
        client.say("INIT {ClassName X} {Name r1} {Location 0,0,0}");
        assert_eq!(value(&client.wait_for("RES"), "Status"), "Failed", "in a wall");
        client.say("INIT {ClassName X} {Name r1} {Location 0.6,-0.6,0} {Rotation 0,0,0}");
        client.wait_for("SEN");
        client.say("SET {Type Odometry} {Name Odometry} {Opcode RESET} {Params 0}");
        assert_eq!(value(&client.wait_for("RES"), "Status"), "OK");
        client.say("SET {Type Camera} {Name c} {Opcode ZOOM} {Params 2}");
        assert_eq!(value(&client.wait_for("RES"), "Status"), "Failed");
        client.say("MISPKG {Name pan} {Link 1}");
        client.say("GETCONF {Type INS}");
        client.wait_for("CONF");
    });
    assert_eq!((report.clients, report.robots, report.ignored), (1, 1, 1));
}

#[test]
fn several_robots_live_beside_clients_that_misbehave() {
    let report = with_server(5.0, |address| {
        let mut robots: Vec<Client> = (0..3).map(|_| Client::connect(address)).collect();
        for (index, robot) in robots.iter_mut().enumerate() {
            robot.say(&format!("INIT {{ClassName X}} {{Name r{index}}}"));
        }
        let mut rude = Client::connect(address);
        rude.stream.write_all(b"\xff\xfe{{{\r\n}\r\n").unwrap();
        rude.stream.write_all(&vec![b'x'; 10_000_000]).unwrap();
        rude.stream.write_all(b"\nDRIVE {Le").unwrap();
        // A client that goes with unread bytes resets the connection, and the half message would be lost with it.
        rude.line();
        rude.stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut rest = String::new();
        let _ = rude.reader.read_line(&mut rest);
        drop(rude);
        drop(Client::connect(address));
        for robot in &mut robots {
            for _ in 0..20 {
                robot.wait_for("SEN");
            }
        }
        std::thread::sleep(Duration::from_millis(200));
    });
    assert_eq!((report.clients, report.robots), (5, 3));
    assert_eq!((report.broken, report.too_long, report.half_messages), (2, 1, 1));
}

#[test]
fn a_client_that_does_not_read_loses_nothing() {
    with_server(500.0, |address| {
        let mut client = Client::connect(address);
        client.say("INIT {ClassName X} {Name slow}");
        std::thread::sleep(Duration::from_millis(1500));
        let mut times = Vec::new();
        while times.len() < 2000 {
            let line = client.wait_for("SEN");
            if line.contains("{Type Odometry}") {
                times.push(value(&line, "Time").parse::<f64>().unwrap());
            }
        }
        for pair in times.windows(2) {
            assert!((pair[1] - pair[0] - 0.1).abs() < 1e-6, "{pair:?}");
        }
    });
}

#[test]
fn silent_connections_do_not_keep_others_out() {
    let report = with_server(1.0, |address| {
        let mut driver = Client::connect(address);
        driver.wait_for("NFO");
        driver.say("INIT {ClassName USARBot.P3AT} {Name Driver} {Start start}");
        driver.wait_for("SEN");
        let silent: Vec<TcpStream> = (1..64).map(|_| TcpStream::connect(address).unwrap()).collect();
        std::thread::sleep(Duration::from_secs(3));
        for _ in 0..3 {
            let mut late = Client::connect(address);
            late.wait_for("NFO");
            late.say("INIT {ClassName USARBot.P3AT} {Name Late} {Start start}");
            late.wait_for("SEN");
        }
        driver.wait_for("SEN");
        drop(silent);
    });
    assert_eq!((report.robots, report.refused), (4, 0));
}
