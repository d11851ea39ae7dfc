//! A contest of three teams without a file system: truth, maps and victims are made in memory, judged and ranked.
#![allow(clippy::print_stdout, reason = "an example prints")]

use mapjudge::contest::{
    Combine, Contest, ContestOptions, MemoryStore, Mission, Profile, Submission, judge_contest,
};
use mapjudge::model::{CellClass, Grid, GridGeometry, Pose2};
use mapjudge::report::{Format, ranking};
use mapjudge::{Loaded, Map, Subject, Truth};

type AnyError = Box<dyn std::error::Error>;

/// The rules: how many walls are right, of all that are there or are claimed.
const RULES: &str = r#"
name = "walls"
title = "Walls"
source = "this example"
formula = "100 * I"
better = "higher"
inputs = {}
[[parts]]
name = "I"
title = "Intersection over union of walls"
from = { kind = "measured", value = "occupied_iou" }
"#;

/// A square room; a `hole` in its wall of so many cells.
fn room(hole: usize) -> Result<Loaded<Map>, AnyError> {
    let edge = 20;
    let is_wall = |x: usize, y: usize| x == 0 || y == 0 || x == edge - 1 || y == edge - 1;
    let class = |index: usize| {
        let (x, y) = (index % edge, index / edge);
        if is_wall(x, y) && !(y == 0 && x < hole) { CellClass::Occupied } else { CellClass::Free }
    };
    let geometry = GridGeometry::new(edge, edge, 0.05, Pose2::IDENTITY)?;
    Ok(Loaded::in_memory(Map::new(Grid::new(geometry, (0..edge * edge).map(class).collect())?)))
}

pub fn main() -> Result<(), AnyError> {
    let teams = [("Aurora", 2), ("Borealis", 9), ("Cascade", 0)];
    let contest = Contest {
        title: "In memory".to_owned(),
        profile: Profile::parse(RULES, "rules")?,
        combine: Combine::Sum,
        missions: vec![Mission::new(Truth { map: Some(room(0)?), ..Truth::default() })],
        teams: teams.map(|(name, _)| name.to_owned()).to_vec(),
    };
    let submission = |(name, hole)| Ok(vec![Submission::new(Subject::of_map(name, room(hole)?))]);
    let submissions: Vec<Vec<Submission>> =
        teams.into_iter().map(submission).collect::<Result<_, AnyError>>()?;
    let store = MemoryStore::default();
    let result = judge_contest(&contest, &submissions, &ContestOptions::default(), Some(&store), &|_| {})?;
    println!("{}", ranking(&result.report, Format::Table)?);
    assert_eq!(result.report.ranking[0].team, "Cascade");
    Ok(())
}
