//! Worked examples 07-E5 and 07-E6, and buildings that were moved.

use std::f64::consts::PI;

use model::Pose2;

use super::*;

fn feature(x_m: f64, y_m: f64, area: f64) -> Feature {
    Feature { place: Point2::new(x_m, y_m), descriptor: vec![area] }
}

fn e5() -> (Vec<Feature>, Vec<Feature>) {
    (
        vec![feature(0.0, 0.0, 12.0), feature(6.0, 0.0, 18.0), feature(0.0, 5.0, 30.0)],
        vec![feature(10.0, 2.0, 12.0), feature(10.0, 8.0, 17.0), feature(5.3, 2.0, 33.0)],
    )
}

#[track_caller]
fn nearly(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

#[test]
fn e5_three_rooms() {
    let (truth, map) = e5();
    let found = &RoomAligner::default().matchings(&truth, &map)[0];
    let order: Vec<_> = found.pairs.iter().map(|pair| (pair.truth, pair.map)).collect();
    assert_eq!(order, [(0, 0), (1, 1), (2, 2)]);
    nearly(found.truth_from_map.theta_rad.to_degrees(), -90.8666, 5e-5);
    nearly(found.truth_from_map.x_m, -1.8720, 5e-5);
    nearly(found.truth_from_map.y_m, 10.1595, 5e-5);
    nearly(found.pair_cost_m2(), 0.127115, 5e-7);
    nearly(found.mean_match_error_m2().unwrap(), 0.042372, 5e-7);
    for (pair, expected) in found.pairs.iter().zip([0.0, 0.028571, 0.047619]) {
        nearly(pair.descriptor_m2, expected, 5e-7);
    }
    nearly(found.cost_m2, found.pair_cost_m2(), 1e-12);
}

#[test]
fn e6_a_spurious_room_stays_alone() {
    let (truth, mut map) = e5();
    map.push(feature(40.0, 40.0, 270.0)); // |270 - 30| / 300 = 0.8 to the most similar one
    let found = &RoomAligner::default().matchings(&truth, &map)[0];
    assert_eq!((found.pairs.len(), found.truth_alone, found.map_alone), (3, 0, 1));
    nearly(found.cost_m2, 0.627115, 5e-7);
}

/// Rooms around a corridor, drawn as text with cells of 0.1 m; without any symmetry.
fn building() -> Grid {
    let (width, height) = (90, 60);
    let mut rows = vec![vec![b'#'; width]; height];
    let rooms = [
        (1, 1, 30, 20),
        (32, 1, 20, 20),
        (53, 1, 36, 20),
        (1, 22, 88, 8),
        (1, 31, 18, 28),
        (20, 31, 40, 28),
        (61, 31, 28, 15),
    ];
    for (x, y, w, h) in rooms {
        for row in &mut rows[y..y + h] {
            row[x..x + w].fill(b'.');
        }
    }
    for (x, y) in [(10, 21), (40, 21), (70, 21), (8, 30), (35, 30), (70, 30)] {
        rows[y][x..x + 7].fill(b'.');
    }
    let text: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    testkit::grid_at(text, 0.1, Pose2::IDENTITY)
}

/// The same map, upside down.
fn turned(grid: &Grid) -> Grid {
    let classes = grid.classes().iter().rev().copied().collect();
    Grid::new(*grid.geometry(), classes).unwrap()
}

fn mirrored(grid: &Grid) -> Grid {
    let rows = grid.classes().chunks(grid.geometry().width());
    Grid::new(*grid.geometry(), rows.flat_map(|row| row.iter().rev().copied()).collect()).unwrap()
}

#[test]
fn a_building_turned_upside_down_is_found() {
    let found = RoomAligner::default().align(&building(), &turned(&building())).unwrap();
    let frame = found.truth_from_map.unwrap();
    assert!(frame.theta_rad.abs() > PI - 0.02, "{frame:?}");
    let corner = frame * Point2::new(0.0, 0.0);
    assert!((corner.x_m - 9.0).abs() < 0.15 && (corner.y_m - 6.0).abs() < 0.15, "{corner:?}");
    assert_eq!(found.certificate.verdict, Verdict::Certain);
    assert_eq!(found.certificate.mirror, Mirror::Plain);
}

#[test]
fn a_mirror_image_is_no_match() {
    let found = RoomAligner::default().align(&building(), &mirrored(&building())).unwrap();
    assert_eq!(found.certificate.verdict, Verdict::Mirrored);
}

#[test]
fn maps_without_two_rooms_fail() {
    let blank = testkit::grid(["....", "...."]);
    for (truth, map) in [(&blank, &building()), (&building(), &blank), (&blank, &blank)] {
        let found = RoomAligner::default().align(truth, map).unwrap();
        assert_eq!((found.certificate.verdict, found.truth_from_map), (Verdict::Failed, None));
    }
}
