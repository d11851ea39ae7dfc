//! Worked examples 07-E5 and 07-E6, and buildings that were moved.

use std::f64::consts::PI;

use model::Pose2;

use super::*;

fn feature(x_m: f64, y_m: f64, area: f64) -> Feature {
    Feature { place: Point2::new(x_m, y_m), descriptor: vec![area], ..Feature::default() }
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
    let found = &FeatureMatcher::default().matchings(&truth, &map)[0];
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
    let found = &FeatureMatcher::default().matchings(&truth, &map)[0];
    assert_eq!((found.pairs.len(), found.truth_alone, found.map_alone), (3, 0, 1));
    nearly(found.cost_m2, 0.627115, 5e-7);
}

/// Rooms 0 and 1 of the truth are neighbours, 0 and 2 are not; in the map 0 and 1 are, and 1 lies nearer to the truth's 2.
fn neighbours() -> (Vec<Feature>, Vec<Feature>) {
    let beside = |x_m: f64, y_m: f64, neighbours: &[usize]| Feature {
        neighbours: neighbours.to_vec(),
        ..feature(x_m, y_m, 12.0)
    };
    (
        vec![
            beside(0.0, 0.0, &[1]),
            beside(4.0, 0.0, &[0]),
            beside(4.0, 0.7, &[]),
            beside(0.0, 9.0, &[]),
            beside(9.0, 9.0, &[]),
        ],
        vec![beside(0.0, 0.0, &[1]), beside(4.0, 0.4, &[0]), beside(0.0, 9.0, &[]), beside(9.0, 9.0, &[])],
    )
}

#[test]
fn topology_makes_neighbours_match_neighbours() {
    let (truth, map) = neighbours();
    let with = |topology_m2: f64| {
        let objective = Objective { topology_m2, ..Objective::default() };
        FeatureMatcher { objective, ..FeatureMatcher::default() }.matchings(&truth, &map).remove(0)
    };
    let partner = |m: &Matching| m.pairs.iter().find(|pair| pair.map == 1).map(|pair| pair.truth);
    let free = with(0.0);
    assert_eq!((partner(&free), free.broken_adjacencies), (Some(2), 1), "the nearer one");
    let bound = with(0.2);
    assert_eq!((partner(&bound), bound.broken_adjacencies), (Some(1), 0), "the neighbour");
    // One room of the truth stays alone either way, and a broken adjacency costs its weight.
    nearly(bound.cost_m2, bound.pair_cost_m2() + 0.5, 1e-12);
    assert!(bound.cost_m2 < free.cost_m2 + 0.2);
}

#[test]
fn the_warp_of_eq_8_finds_partners_that_the_rigid_fit_loses() {
    // Nine rooms in a row and one beside it, stretched along the row: at the ends the rigid fit is more than 1 m off.
    let place = |k: u32, stretch: f64| {
        let x_m = f64::from(k) * 6.0 - 27.0;
        feature(x_m * stretch, if k % 3 == 1 { 4.0 } else { 0.0 }, 10.0 + f64::from(k))
    };
    let truth: Vec<Feature> = (0..10).map(|k| place(k, 1.0)).collect();
    let map: Vec<Feature> = (0..10).map(|k| place(k, 1.06)).collect();
    let matcher = FeatureMatcher::default();
    let rigid = &matcher.matchings(&truth, &map)[0];
    assert!(rigid.pairs.len() < 10, "{}", rigid.pairs.len());
    let (warped, warp) = matcher.warped([&truth, &map], rigid, 1).unwrap();
    assert_eq!(warped.pairs.len(), 10);
    nearly(warped.pairs.iter().map(|pair| pair.position_m2).sum(), 0.0, 1e-9);
    nearly(warp.rms_m, 0.0, 1e-6);
    assert!(matcher.warped([&truth, &map], rigid, 3).is_none(), "too few pairs for degree 3");
}

fn building() -> Grid {
    testkit::seven_rooms(Pose2::IDENTITY)
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
