//! A metric of your own beside those of the list: the share of the truth's walls that the map calls unknown.
#![allow(clippy::print_stdout, reason = "an example prints")]

use mapjudge::metrics::{Better, Case, Family, Metric, MetricSpec, Reason, Score, Undefined, Unit};
use mapjudge::model::{CellClass, Grid, GridGeometry, Pose2};
use mapjudge::{Loaded, Map, Plan, Subject, Truth, judge_with};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of the metric; it has none.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct OverlookedWalls {}

impl Metric for OverlookedWalls {
    const SPEC: MetricSpec = MetricSpec::new(Family::Cells, "overlooked_walls", "OWN-1", "Overlooked walls")
        .measured_in(Unit::Ratio, Better::Lower)
        .between(0.0, 1.0)
        .with_card("Overlooked walls: the share of the truth's walls that the map calls unknown.");

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let walls = || {
            let cells = grids.truth.classes().iter().zip(grids.map.classes());
            cells.filter(|(truth, _)| **truth == CellClass::Occupied)
        };
        let (all, overlooked) =
            (walls().count(), walls().filter(|(_, map)| **map == CellClass::Unknown).count());
        if all == 0 {
            return Err(Reason::NoOccupiedGt.into());
        }
        Ok(Score::new(overlooked as f64 / all as f64).with("walls", all))
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let geometry = GridGeometry::new(4, 1, 0.05, Pose2::IDENTITY)?;
    let map = |classes: [CellClass; 4]| -> Result<_, Box<dyn std::error::Error>> {
        Ok(Loaded::in_memory(Map::new(Grid::new(geometry, classes.to_vec())?)))
    };
    let [free, wall, unknown] = [CellClass::Free, CellClass::Occupied, CellClass::Unknown];
    let truth = Truth { map: Some(map([wall, free, free, wall])?), ..Truth::default() };
    let subject = Subject::of_map("mine", map([wall, free, free, unknown])?);
    let plan = Plan { metrics: vec!["occupied_recall".to_owned()], ..Plan::default() };
    let report = judge_with(&subject, &truth, &plan, &[&OverlookedWalls {}])?;
    for record in &report.metrics {
        println!("{:<20} {:?}", record.title, record.value);
    }
    assert_eq!(report.metric("overlooked_walls").and_then(|record| record.value), Some(0.5));
    Ok(())
}
