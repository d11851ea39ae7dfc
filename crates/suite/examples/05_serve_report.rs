//! Serves one report over HTTP from memory: `cargo run --example 05_serve_report`, then open the printed address.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use mapjudge::model::{CellClass, Grid, GridGeometry, Pose2};
use mapjudge::report::{Format, Report, render};
use mapjudge::{Figures, Loaded, Map, Plan, Subject, Truth, judge, new_report};

type AnyError = Box<dyn std::error::Error>;

/// A corridor whose wall is `missing` cells short.
fn corridor(missing: usize) -> Result<Loaded<Map>, AnyError> {
    let (width, height) = (60, 12);
    let class = |index: usize| match (index % width, index / width) {
        (x, 0) if x < missing => CellClass::Unknown,
        (_, 0 | 11) => CellClass::Occupied,
        _ => CellClass::Free,
    };
    let geometry = GridGeometry::new(width, height, 0.1, Pose2::IDENTITY)?;
    Ok(Loaded::in_memory(Map::new(Grid::new(geometry, (0..width * height).map(class).collect())?)))
}

fn report() -> Result<Report, AnyError> {
    let truth = Truth { map: Some(corridor(0)?), ..Truth::default() };
    let plan = Plan { figures: Figures::Draw, ..Plan::default() };
    Ok(new_report(vec![judge(&Subject::of_map("corridor", corridor(15)?), &truth, &plan)?]))
}

/// Answers one request: `/` is the page, `/report.json` the value.
fn answer(mut stream: TcpStream, report: &Report) -> Result<(), AnyError> {
    let mut request = String::new();
    BufReader::new(&stream).read_line(&mut request)?;
    let (status, kind, body) = match request.split_whitespace().nth(1) {
        Some("/") => ("200 OK", "text/html", render(report, Format::Html)?),
        Some("/report.json") => ("200 OK", "application/json", render(report, Format::Json)?),
        _ => ("404 Not Found", "text/plain", "there are / and /report.json\n".to_owned()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\n"
    )?;
    write!(stream, "Connection: close\r\n\r\n{body}")?;
    Ok(())
}

/// Serves so many requests on the loopback interface; `ready` is told the port.
pub fn serve(requests: usize, ready: impl FnOnce(u16)) -> Result<(), AnyError> {
    let report = report()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    ready(listener.local_addr()?.port());
    listener.incoming().take(requests).try_for_each(|stream| answer(stream?, &report))
}

pub fn main() -> Result<(), AnyError> {
    serve(usize::MAX, |port| println!("http://127.0.0.1:{port}/ (Ctrl-C ends)"))
}
