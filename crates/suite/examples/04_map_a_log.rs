//! Map a log and score the map: `cargo run --example 04_map_a_log -- run.log`.
//!
//! Without an argument a robot drives through a generated maze, and its map is judged against the maze.
#![allow(clippy::print_stdout, reason = "an example prints")]

use mapjudge::files::Loader;
use mapjudge::mapping::{MapPlan, make_map};
use mapjudge::model::Pose2;
use mapjudge::report::{Format, render};
use mapjudge::sim::run::MazeWalk;
use mapjudge::{AlignmentFile, Loaded, Map, Plan, Subject, Truth, align, judge, mapper, new_report};

type AnyError = Box<dyn std::error::Error>;

/// Height of the laser above the floor of the maze, metres.
const LASER_M: f64 = 0.3;

pub fn main() -> Result<(), AnyError> {
    let graph = mapper::find("graph")?;
    let plan = MapPlan::new(graph, 1);
    let given = std::env::args().nth(1).filter(|word| word.contains('.'));
    if let Some(path) = given {
        let mapped = make_map(&Loader::default().log(path.as_ref())?.value, &plan, &|_, _| {})?;
        println!("{} scans, {} matched", mapped.report.scans, mapped.report.matched);
        return Ok(());
    }
    let (maze, run) = MazeWalk { columns: 3, rows: 2, ..MazeWalk::default() }.run()?;
    let mapped = make_map(&run.log, &plan, &|_, _| {})?;
    // A mapper begins at its own origin, which is where the robot started.
    let start: Pose2 = maze.start;
    let plan = Plan {
        metrics: vec!["occupied_f1".to_owned(), "known_coverage".to_owned()],
        transform: Some(AlignmentFile::new(align::Alignment::given(
            align::Method::Georeference,
            start.into(),
        ))),
        ..Plan::default()
    };
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(maze.truth(LASER_M)?))), ..Truth::default() };
    let subject = Subject::of_map("graph", Loaded::in_memory(Map::new(mapped.map)));
    println!("{}", render(&new_report(vec![judge(&subject, &truth, &plan)?]), Format::Table)?);
    Ok(())
}
