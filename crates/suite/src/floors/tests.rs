//! Three floors by hand; swapped, missing and equal floors; connectors.

use metrics::Reason;
use model::{GridGeometry, Pose2};

use super::*;
use crate::AlignBy;

/// A map of text with cells of half a metre.
fn map(rows: &[&str]) -> Loaded<Map> {
    let geometry = GridGeometry::new(rows[0].len(), rows.len(), 0.5, Pose2::IDENTITY).unwrap();
    let class = |letter| match letter {
        '#' => CellClass::Occupied,
        '.' => CellClass::Free,
        _ => CellClass::Unknown,
    };
    let classes = rows.iter().flat_map(|row| row.chars()).map(class).collect();
    Loaded::in_memory(Map::new(Grid::new(geometry, classes).unwrap()))
}

const GROUND: [&str; 4] = ["######", "#....#", "#....#", "######"];
const FIRST: [&str; 4] = ["######", "#.#..#", "#.#..#", "#....#"];
const TOP: [&str; 4] = ["..##..", "..##..", "......", "##..##"];

fn connector(from: &str, to: &str) -> Connector {
    let end = |floor: &str| ConnectorEnd { floor: floor.to_owned(), at_m: [0.75, 0.75] };
    Connector {
        name: "stairs A".to_owned(),
        kind: ConnectorKind::Stairs,
        from: end(from),
        to: end(to),
        length_m: 6.0,
    }
}

fn building() -> Building {
    let floor = |(name, rows): (&str, [&str; 4])| Floor {
        name: name.to_owned(),
        truth: Truth { map: Some(map(&rows)), ..Truth::default() },
    };
    let floors = [("ground", GROUND), ("first", FIRST), ("top", TOP)].map(floor).to_vec();
    Building { floors, connectors: vec![connector("ground", "first"), connector("first", "top")] }
}

fn plan() -> Plan {
    Plan { align: AlignBy::None, ..Plan::default() }
}

fn judged(maps: &FloorMaps) -> Vec<CaseReport> {
    judge_building("team", maps, &building(), &plan()).unwrap()
}

fn record<'a>(cases: &'a [CaseReport], id: &str) -> &'a report::MetricRecord {
    cases[0].metrics.iter().find(|record| record.id == id).unwrap()
}

fn value(cases: &[CaseReport], id: &str) -> Option<f64> {
    record(cases, id).value
}

#[test]
fn three_floors_by_hand() {
    // Ground: a wall of the corner is missed. First: one wall too many. Top: as it is.
    let ground = ["#####.", "#....#", "#....#", "######"];
    let first = ["######", "#.#..#", "#.#..#", "##...#"];
    let cases = judged(&FloorMaps::Named(vec![Some(map(&ground)), Some(map(&first)), Some(map(&TOP))]));
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["team", "team/ground", "team/first", "team/top"]);
    // Counts: 1 + 1 + 0 cells differ.
    assert_eq!(value(&cases, "overall_error"), Some(2.0));
    // Walls of the truth 16 + 14 + 8 = 38, of the maps 15 + 15 + 8 = 38, common 15 + 14 + 8 = 37: F1 = 74 / 76.
    assert_eq!(value(&cases, "occupied_f1"), Some(74.0 / 76.0));
    assert_eq!(value(&cases, "known_coverage"), Some(1.0));
    // The missed wall is one cell of half a metre from the next one, the false one too; the top has none.
    assert_eq!(value(&cases, "hausdorff_distance"), Some(0.5));
    assert_eq!(record(&cases, "occupied_f1").detail["floors"], "3 of 3");
    assert_eq!(record(&cases, "occupied_f1").detail["aggregate"], "pooled");
    // Nothing says how this one would be put together, and no mean is made.
    assert!(cases[0].metrics.iter().all(|record| record.id != "structural_similarity"));
    assert!(cases[0].findings.is_empty(), "{:?}", cases[0].findings);
}

#[test]
fn a_missing_floor_lowers_coverage_and_is_told() {
    let cases = judged(&FloorMaps::Named(vec![Some(map(&GROUND)), Some(map(&FIRST)), None]));
    // 24 + 24 of 72 known cells.
    assert_eq!(value(&cases, "known_coverage"), Some(48.0 / 72.0));
    // The 8 walls of the top are missed: 2 * 30 / (38 + 30).
    assert_eq!(value(&cases, "occupied_f1"), Some(60.0 / 68.0));
    assert_eq!(record(&cases, "occupied_f1").detail["floors"], "2 of 3");
    let undefined = record(&cases, "hausdorff_distance");
    assert!(undefined.value.is_none() && undefined.reasons.contains(&Reason::NoOccupiedMap));
    assert_eq!(cases[0].findings[0].code, "FLOOR_MISSING");
    assert_eq!(value(&cases, "connector_coverage"), Some(0.5));
}

#[test]
fn swapped_floors_are_noticed() {
    let cases = judged(&FloorMaps::Named(vec![Some(map(&TOP)), Some(map(&FIRST)), Some(map(&GROUND))]));
    assert_eq!(cases[0].findings[0].code, "FLOORS_SWAPPED");
    assert!(cases[0].findings[0].message.contains("ground fits top"), "{:?}", cases[0].findings);
}

#[test]
fn maps_without_names_are_assigned_by_their_fit() {
    let cases = judged(&FloorMaps::Unnamed(vec![map(&TOP), map(&GROUND), map(&FIRST)]));
    assert_eq!(value(&cases, "overall_error"), Some(0.0));
    let floors = &cases[0].detail.as_ref().unwrap()["floors"];
    assert_eq!(floors["assignment"], "by_alignment");
    assert!(floors["gap"].as_f64().unwrap() >= MIN_GAP);
}

#[test]
fn equal_maps_are_not_guessed() {
    let doubled = FloorMaps::Unnamed(vec![map(&GROUND), map(&GROUND), map(&FIRST)]);
    let error = judge_building("team", &doubled, &building(), &plan()).unwrap_err();
    assert_eq!(error.code(), "FLOORS_AMBIGUOUS");
}

#[test]
fn floors_in_one_frame_are_consistent() {
    let cases = judged(&FloorMaps::Named(vec![Some(map(&GROUND)), Some(map(&FIRST)), Some(map(&TOP))]));
    assert_eq!(value(&cases, "connector_coverage"), Some(1.0));
    assert_eq!(value(&cases, "connector_consistency"), Some(0.0));
    assert_eq!(record(&cases, "connector_consistency").detail["rotation_deg"], 0.0);
}
