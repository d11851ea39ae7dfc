//! Score a map against its ground truth: `cargo run --example 01_score -- map.yaml truth.yaml`.
//!
//! Without arguments two small maps are made in memory.
#![allow(clippy::print_stdout, reason = "an example prints")]

use mapjudge::files::Loader;
use mapjudge::model::{CellClass, Grid, GridGeometry, Pose2};
use mapjudge::report::{Format, render};
use mapjudge::{Loaded, Map, Plan, Subject, Truth, judge, new_report};

type AnyError = Box<dyn std::error::Error>;

/// A map of one row: `#` occupied, `.` free, `?` unknown.
fn row(cells: &str) -> Result<Loaded<Map>, AnyError> {
    let classes = cells.chars().map(|cell| match cell {
        '#' => CellClass::Occupied,
        '.' => CellClass::Free,
        _ => CellClass::Unknown,
    });
    let geometry = GridGeometry::new(cells.len(), 1, 0.05, Pose2::IDENTITY)?;
    Ok(Loaded::in_memory(Map::new(Grid::new(geometry, classes.collect())?)))
}

pub fn main() -> Result<(), AnyError> {
    let paths: Vec<String> = std::env::args().skip(1).filter(|word| word.contains('.')).collect();
    let [map, truth] = match paths.as_slice() {
        [map, truth] => [Loader::default().map(map.as_ref())?, Loader::default().map(truth.as_ref())?],
        _ => [row("#..?.#")?, row("#....#")?],
    };
    let truth = Truth { map: Some(truth), ..Truth::default() };
    let plan = Plan { metrics: vec!["cells".to_owned()], ..Plan::default() };
    let case = judge(&Subject::of_map("mine", map), &truth, &plan)?;
    println!("{}", render(&new_report(vec![case]), Format::Table)?);
    Ok(())
}
