//! Corners and poles as fiducials: an arena as drawn, and with known damage.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use mapjudge_metrics::fiducials::{FiducialInputs, FiducialSearch, FoundPart, LayoutFrame, Located};
use model::{CellClass, FiducialLayout, FiducialPart, Grid, GridGeometry, PartKind, Point2, Pose2};

const CELL_M: f64 = 0.05;
/// Free ground of the room: 0 to 6 by 0 to 4 metres, with a box of 1 m in it and two poles.
const ROOM_M: [f64; 2] = [6.0, 4.0];
const BOX_M: [f64; 4] = [2.0, 3.0, 1.0, 2.0];
const POLES_M: [[f64; 3]; 2] = [[4.525, 1.025, 0.1], [4.975, 3.025, 0.15]];

/// What is at a place of the arena. Walls are 0.1 m thick.
fn class_at(Point2 { x_m, y_m }: Point2) -> CellClass {
    let beyond =
        |wall_m: f64| x_m < -wall_m || y_m < -wall_m || x_m > ROOM_M[0] + wall_m || y_m > ROOM_M[1] + wall_m;
    let [left, right, low, high] = BOX_M;
    let in_box = (left..right).contains(&x_m) && (low..high).contains(&y_m);
    let in_pole = POLES_M.iter().any(|[px, py, radius_m]| (x_m - px).hypot(y_m - py) <= *radius_m);
    if beyond(0.1) {
        CellClass::Unknown
    } else if beyond(0.0) || in_box || in_pole {
        CellClass::Occupied
    } else {
        CellClass::Free
    }
}

/// The map of a robot whose frame lies somewhere else; `seen` says what it takes each place for.
fn map(map_from_truth: Pose2, seen: impl Fn(Point2) -> CellClass) -> Arc<Grid> {
    let geometry = GridGeometry::new(400, 400, CELL_M, Pose2::new(-10.0, -10.0, 0.0)).unwrap();
    let truth_from_map = map_from_truth.inverse();
    let class = |index: usize| {
        let cell = geometry.cell_of(index);
        let middle = geometry.world_of_grid_point(cell.i as f64 + 0.5, cell.j as f64 + 0.5);
        seen(truth_from_map * middle)
    };
    Arc::new(Grid::new(geometry, (0..geometry.cells()).map(class).collect()).unwrap())
}

fn part(kind: PartKind, name: &str, [x, y]: [f64; 2], shape: [f64; 3]) -> FiducialPart {
    let [radius_m, opening_rad, direction_rad] = shape;
    FiducialPart {
        kind,
        fiducial: name.to_owned(),
        part: name.to_owned(),
        center: Point2::new(x, y),
        radius_m,
        opening_rad,
        direction_rad,
        height_m: 0.0,
        range: "none".to_owned(),
    }
}

/// Three corners of the room, one of them without its direction, two of the box, and both poles, one of unknown radius.
fn layout() -> FiducialLayout {
    let corner = |name, at, opening, direction_deg: f64| {
        part(PartKind::Corner, name, at, [0.0, opening, direction_deg.to_radians()])
    };
    let parts = vec![
        corner("SW", [0.0, 0.0], FRAC_PI_2, 45.0),
        corner("SE", [6.0, 0.0], FRAC_PI_2, 135.0),
        corner("NW", [0.0, 4.0], 0.0, 0.0),
        corner("box SW", [2.0, 1.0], 1.5 * PI, -135.0),
        corner("box NE", [3.0, 2.0], 1.5 * PI, 45.0),
        part(PartKind::Pole, "P1", [POLES_M[0][0], POLES_M[0][1]], [0.1, TAU, 0.0]),
        part(PartKind::Pole, "P2", [POLES_M[1][0], POLES_M[1][1]], [0.0, TAU, 0.0]),
    ];
    FiducialLayout { parts, ..FiducialLayout::default() }
}

fn located(layout: FiducialLayout, map: Arc<Grid>, frame: LayoutFrame) -> Located {
    Located::of(&FiducialInputs { layout, map, frame, search: FiducialSearch::default() }).unwrap()
}

/// Distance of each part from its place, in metres; none if it was not found.
fn errors_m(layout: &FiducialLayout, found: &Located) -> Vec<Option<f64>> {
    let pose = found.truth_from_map.unwrap();
    let error = |(part, found): (&FiducialPart, &Option<FoundPart>)| {
        found.map(|found| (pose * found.center_in_map).distance_m(part.center))
    };
    layout.parts.iter().zip(&found.parts).map(error).collect()
}

#[test]
fn all_are_found_within_a_cell_in_a_given_frame() {
    let found = located(layout(), map(Pose2::IDENTITY, class_at), LayoutFrame::Known(Pose2::IDENTITY));
    for (error_m, part) in errors_m(&layout(), &found).iter().zip(layout().parts) {
        assert!(error_m.is_some_and(|error_m| error_m <= CELL_M), "{}: {error_m:?}", part.part);
    }
}

#[test]
fn the_frame_is_found_from_corners_and_poles_alone() {
    for turn_deg in [0.0, 17.0, 90.0, -140.0_f64] {
        let map_from_truth = Pose2::new(1.5, 0.7, turn_deg.to_radians());
        let found = located(layout(), map(map_from_truth, class_at), LayoutFrame::Unknown);
        let pose = found.truth_from_map.unwrap();
        let off_deg = model::wrap(pose.theta_rad + turn_deg.to_radians()).to_degrees();
        assert!(off_deg.abs() < 1.5, "{turn_deg}: {off_deg}");
        assert_eq!(found.found(), 7, "{turn_deg}: {:?}", errors_m(&layout(), &found));
        assert!(errors_m(&layout(), &found).iter().flatten().all(|error_m| *error_m < 2.0 * CELL_M));
    }
}

#[test]
fn a_corner_that_was_not_mapped_is_missing() {
    // Nothing is known within 1.2 m of the south-west corner; its walls are gone.
    let damaged = |place: Point2| {
        if place.x_m.hypot(place.y_m) < 1.2 { CellClass::Unknown } else { class_at(place) }
    };
    let found = located(layout(), map(Pose2::IDENTITY, damaged), LayoutFrame::Known(Pose2::IDENTITY));
    assert!(found.parts[0].is_none());
    assert_eq!(found.found(), 6);
}

#[test]
fn a_displaced_box_and_pole_are_found_with_their_error() {
    // The box and the first pole 0.3 m further east.
    let shifted = |place: Point2| {
        let there = Point2::new(place.x_m - 0.3, place.y_m);
        let is_moved = (1.5..4.9).contains(&place.x_m) && place.y_m > 0.3 && place.y_m < 2.7;
        if is_moved { class_at(there) } else { class_at(place) }
    };
    let found = located(layout(), map(Pose2::IDENTITY, shifted), LayoutFrame::Known(Pose2::IDENTITY));
    let errors = errors_m(&layout(), &found);
    for (index, expected_m) in [(0, 0.0), (1, 0.0), (3, 0.3), (4, 0.3), (5, 0.3), (6, 0.0)] {
        let error_m = errors[index].unwrap();
        assert!((error_m - expected_m).abs() <= CELL_M, "{index}: {error_m}");
    }
}

#[test]
fn what_is_further_than_the_distance_of_a_pair_is_missing() {
    let mut layout = layout();
    layout.parts[5].center = Point2::new(4.5, 2.0);
    let found = located(layout, map(Pose2::IDENTITY, class_at), LayoutFrame::Known(Pose2::IDENTITY));
    assert!(found.parts[5].is_none(), "the nearest pole is 1 m away");
}

#[test]
fn a_corner_of_another_shape_or_direction_is_no_match() {
    for (opening_rad, direction_deg) in [(1.5 * PI, 45.0), (FRAC_PI_2, 225.0), (FRAC_PI_2, 90.0)] {
        let direction_rad = f64::to_radians(direction_deg);
        let asked = part(PartKind::Corner, "SW", [0.0, 0.0], [0.0, opening_rad, direction_rad]);
        let layout = FiducialLayout { parts: vec![asked], ..FiducialLayout::default() };
        let found = located(layout, map(Pose2::IDENTITY, class_at), LayoutFrame::Known(Pose2::IDENTITY));
        assert_eq!(found.found(), 0, "{opening_rad} {direction_deg}");
    }
}

#[test]
fn one_corner_serves_one_part() {
    let parts = ["A", "B"].map(|name| {
        let mut part = part(PartKind::Corner, name, [0.0, 0.0], [0.0, 0.0, 0.0]);
        part.fiducial = "twice".to_owned();
        part
    });
    let layout = FiducialLayout { parts: parts.to_vec(), ..FiducialLayout::default() };
    let found = located(layout, map(Pose2::IDENTITY, class_at), LayoutFrame::Known(Pose2::IDENTITY));
    assert_eq!(found.found(), 1);
}

#[test]
fn maps_that_show_nothing_find_nothing() {
    for class in [CellClass::Unknown, CellClass::Free, CellClass::Occupied] {
        for frame in [LayoutFrame::Unknown, LayoutFrame::Known(Pose2::IDENTITY)] {
            let found = located(layout(), map(Pose2::IDENTITY, |_| class), frame);
            assert_eq!(found.found(), 0);
        }
    }
}
