//! The evidence of every metric: samples give back the value they make, and named values are those of the detail.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::borrow::Cow;
use std::f64::consts::PI;
use std::sync::Arc;

use align::trajectory::Association;
use align::{Resample, Window, common_grid};
use mapjudge_metrics::annotation::inputs::{
    AnnotationInputs, Annotations, LabelledPlace, Region, ResponderPath, Victim,
};
use mapjudge_metrics::contest::marked_points::{MarkedPoint, PointInputs};
use mapjudge_metrics::fiducials::{FiducialInputs, FiducialSearch, LayoutFrame};
use mapjudge_metrics::paths::path_inputs::PathInputs;
use mapjudge_metrics::trajectory::{RunInputs, Runs};
use mapjudge_metrics::{self as metrics, Case, Evidence, MetricEvidence, Quantity};
use model::{
    Dimension, FiducialLayout, FiducialPart, Grid, GridGeometry, NavigationClass, Point2, Pose2, PoseSource,
    Relation, StampedPose, TimeBase, Trajectory,
};
use serde_json::Value;

const CELL_M: f64 = 0.05;
const SIZE: (usize, usize) = (240, 180);
/// Split cylinders on the wall at x = 6 m.
const CYLINDERS: [(&str, f64, &str); 2] = [("S", 2.0, "short"), ("L", 7.0, "long")];
const WALL_X_M: f64 = 6.0;
const RADIUS_M: f64 = 0.4;

/// Two rooms of 6 x 9 m with a door between them and a split cylinder in the wall on either side of it. In the map a
/// piece of wall is missing, another one is added, and a corner is unknown.
fn grid(is_map: bool) -> Grid {
    let geometry = GridGeometry::new(SIZE.0, SIZE.1, CELL_M, Pose2::IDENTITY).unwrap();
    let class = |index: usize| {
        let (column, row) = (index % SIZE.0, index / SIZE.0);
        let place = geometry.center_of(geometry.cell_of(index));
        let outer = column < 2 || row < 2 || column >= SIZE.0 - 2 || row >= SIZE.1 - 2;
        let door = (4.0..5.0).contains(&place.y_m);
        let between = (place.x_m - WALL_X_M).abs() < 0.06 && !door;
        let shelf = (place.y_m - 3.0).abs() < 0.06 && (8.0..10.0).contains(&place.x_m);
        let away_m = CYLINDERS.map(|(_, y_m, _)| (place.x_m - WALL_X_M).hypot(place.y_m - y_m));
        let ring = away_m.iter().any(|away_m| (away_m - RADIUS_M).abs() < 0.03);
        let inside = away_m.iter().any(|away_m| *away_m < RADIUS_M - 0.03);
        if is_map && place.x_m > 10.5 && place.y_m > 7.5 {
            return NavigationClass::Unknown;
        }
        if is_map && (place.x_m - 3.0).abs() < 0.06 && (6.0..8.0).contains(&place.y_m) {
            return NavigationClass::Untraversable;
        }
        if ring || (outer || between) && !inside || shelf && !is_map {
            NavigationClass::Untraversable
        } else if inside {
            NavigationClass::Unknown
        } else if place.x_m < WALL_X_M {
            NavigationClass::Cleared
        } else {
            NavigationClass::Uncleared
        }
    };
    Grid::of_navigation(geometry, (0..geometry.cells()).map(class).collect()).unwrap()
}

fn layout() -> FiducialLayout {
    let part = |(fiducial, y_m, range): (&str, f64, &str), side: &str, direction_rad: f64| FiducialPart {
        kind: model::PartKind::Barrel,
        fiducial: fiducial.to_owned(),
        part: format!("{fiducial}{side}"),
        center: Point2::new(WALL_X_M + 0.02, y_m),
        radius_m: RADIUS_M,
        opening_rad: PI,
        direction_rad,
        height_m: 1.0,
        range: range.to_owned(),
    };
    let parts = CYLINDERS.iter().flat_map(|&cylinder| [part(cylinder, "A", PI), part(cylinder, "B", 0.0)]);
    FiducialLayout { parts: parts.collect(), ..FiducialLayout::default() }
}

fn trajectory(wobble_m: f64) -> Trajectory {
    let pose = |index: u32| {
        let t = f64::from(index) / 2.0;
        let (x, y) = (t, 0.5 * (0.2 * t).sin() + wobble_m * (1.3 * t).sin());
        let world_from_robot = Pose2::new(x, y, 0.1 * (0.2 * t).cos() + wobble_m * (0.7 * t).cos()).into();
        StampedPose { time_s: t, world_from_robot, source: PoseSource::Measured }
    };
    Trajectory {
        time_base: TimeBase::Seconds,
        dimension: Dimension::Planar,
        poses: (0..500).map(pose).collect(),
    }
}

fn run() -> Runs {
    let (truth, estimate) = (trajectory(0.0), trajectory(0.2));
    let relation = |index: u32| Relation {
        from_s: f64::from(index),
        to_s: f64::from(index) + 3.0,
        translation_m: [3.0, 0.1, 0.0],
        roll_pitch_yaw_rad: [0.0, 0.0, 0.05],
    };
    let relations: Vec<Relation> = (0..300).map(relation).collect();
    Runs::new(RunInputs {
        estimate: Cow::Owned(estimate),
        truth: Some(&truth),
        relations: Some(&relations),
        odometry: None,
        association: Association::default(),
        time_offset_s: 0.0,
        plane: None,
    })
}

fn annotations() -> AnnotationInputs {
    let victim =
        |id: &str, x: f64, y: f64| Victim { id: id.to_owned(), position_m: [x, y, 0.0], ..Victim::default() };
    let room = |shift: f64| {
        let corners = [(1.0, 1.0), (5.0, 1.0), (5.0, 8.0), (1.0, 8.0), (1.0, 1.0)];
        let ring = corners.iter().map(|&(x, y)| Point2::new(x + shift, y)).collect();
        Region { label: "room".to_owned(), rings: vec![ring] }
    };
    let label = |x: f64| LabelledPlace { label: "door".to_owned(), at: Point2::new(x, 4.5) };
    let map = Annotations {
        victims: Some(vec![victim("a", 2.1, 2.0), victim("b", 4.0, 7.9), victim("x", 5.0, 5.0)]),
        robot_paths: Some(vec![vec![Point2::new(1.0, 1.0), Point2::new(4.0, 4.5), Point2::new(9.0, 4.5)]]),
        responder_paths: Some(vec![ResponderPath::default()]),
        groups: Some(vec![room(0.3)]),
        labels: Some(vec![label(6.1)]),
        ..Annotations::default()
    };
    let truth = Annotations {
        victims: Some(vec![victim("a", 2.0, 2.0), victim("b", 4.0, 5.0), victim("c", 9.0, 6.0)]),
        groups: Some(vec![room(0.0)]),
        labels: Some(vec![label(6.0)]),
        ..Annotations::default()
    };
    AnnotationInputs { map, truth }
}

fn points() -> PointInputs {
    let point = |name: &str, x: f64, y: f64| MarkedPoint {
        id: name.to_owned(),
        kind: "hazmat".to_owned(),
        name: name.to_owned(),
        position_m: [x, y, 0.0],
    };
    PointInputs {
        truth: vec![point("a", 0.0, 0.0), point("b", 3.0, 0.0), point("c", 0.0, 4.0), point("d", 5.0, 5.0)],
        submission: vec![
            point("a", 0.1, 0.0),
            point("b", 3.0, 0.3),
            point("c", 0.0, 5.5),
            point("e", 1.0, 1.0),
        ],
    }
}

/// A case with everything that a metric may ask for.
fn everything() -> Case {
    let (truth, map) = (Arc::new(grid(false)), Arc::new(grid(true)));
    let grids = common_grid(&truth, &map, Pose2::IDENTITY, Window::Truth, Resample::OccupiedWins).unwrap();
    let robot = PathInputs { robot_radius_m: 0.1, start: Some([2.0, 2.0]), ..PathInputs::default() };
    let fiducials = FiducialInputs {
        layout: layout(),
        map,
        frame: LayoutFrame::Known(Pose2::IDENTITY),
        search: FiducialSearch::default(),
    };
    Case::new(grids)
        .aligned_by_search()
        .with_paths(robot)
        .with_fiducials(fiducials)
        .with_run(run())
        .with_annotations(annotations())
        .with_points(points())
}

/// Metrics whose values are made of elements of the truth.
const SAMPLED: [&str; 43] = [
    "known_coverage",
    "map_score_balaguer",
    "map_score_collins",
    "normalized_map_score_balaguer",
    "normalized_map_score_collins",
    "occupied_f1",
    "occupied_iou",
    "occupied_map_score_balaguer",
    "occupied_map_score_collins",
    "occupied_precision",
    "occupied_recall",
    "overall_error",
    "navigation_success",
    "path_false_negatives",
    "path_false_positives",
    "path_usefulness",
    "direction_test",
    "portal_coverage",
    "skeleton_quality",
    "fiducial_coverage",
    "fiducial_global_accuracy",
    "fiducial_long_consistency",
    "fiducial_pass_rate",
    "fiducial_relative_accuracy",
    "fiducial_resolution",
    "fiducial_short_consistency",
    "fiducial_topology",
    "corner_match",
    "room_iou",
    "room_recall",
    "scan_difference",
    "ate_full",
    "ate_rotation",
    "ate_translation",
    "kitti_drift_rotation",
    "kitti_drift_translation",
    "relative_displacement",
    "rpe_rotation",
    "rpe_translation",
    "utility",
    "cleared_area",
    "explored_area",
    "victims",
];

#[test]
fn samples_give_back_the_values_they_make() {
    let case = everything();
    let mut sampled = Vec::new();
    for entry in metrics::all() {
        let metric = (entry.make)();
        let Ok(score) = metric.evaluate(&case) else { continue };
        let samples = metric.samples(&case, &score);
        for sample in &samples {
            let measured = score.quantity(&sample.of).expect("a sample makes a value that is there");
            assert!(sample.gives_back(&measured), "{}.{}", entry.spec.id, sample.of);
            assert_eq!(sample.unit.count, sample.make.len(), "{}.{}", entry.spec.id, sample.of);
        }
        if samples.iter().any(|sample| sample.of.is_empty()) {
            sampled.push(entry.spec.id);
        }
    }
    // A new metric needs no line here.
    let lost: Vec<&&str> = SAMPLED.iter().filter(|id| !sampled.contains(id)).collect();
    assert!(lost.is_empty(), "these had samples of their value: {lost:?}");
}

#[test]
fn named_samples_are_those_that_rule_profiles_ask_for() {
    let case = everything();
    let named = |id: &str| -> Vec<String> {
        let metric = (metrics::find(id).unwrap().make)();
        let score = metric.evaluate(&case).unwrap();
        metric.samples(&case, &score).into_iter().map(|sample| sample.of.into_owned()).collect()
    };
    let of_victims = ["", "values", "victims.error_m", "located", "true_victims", "victims_in_cleared"];
    assert_eq!(named("victims")[..6], of_victims);
    assert_eq!(named("victims")[6], "unreported_in_cleared");
    assert_eq!(named("point_score"), ["points", "error_m", "coverage"]);
    assert_eq!(named("relative_displacement"), ["", "rotation_deg.mean"]);
    assert_eq!(named("trajectory_coverage"), ["time_share", "path_share"]);
}

/// A number or a list of numbers at a path of keys; a key of a list is that of each of its entries, without the nulls.
fn at_path(value: &Value, path: &str) -> Option<Quantity> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let found = match value {
        Value::Array(list) => {
            list.iter().filter_map(|entry| entry.get(first)).filter(|x| !x.is_null()).cloned().collect()
        }
        other => other.get(first)?.clone(),
    };
    match (rest, found) {
        (Some(rest), found) => at_path(&found, rest),
        (None, Value::Number(number)) => number.as_f64().map(Quantity::Number),
        (None, Value::Bool(flag)) => Some(Quantity::Number(f64::from(u8::from(flag)))),
        (None, Value::Array(list)) => {
            list.iter().map(Value::as_f64).collect::<Option<_>>().map(Quantity::List)
        }
        (None, _) => None,
    }
}

#[test]
fn named_values_are_those_of_the_detail() {
    let case = everything();
    let mut defined = 0;
    for entry in metrics::all() {
        let Ok(score) = (entry.make)().evaluate(&case) else { continue };
        defined += 1;
        let detail = Value::Object(score.detail.clone());
        for value in &score.evidence.values {
            let shown = at_path(&detail, &value.name);
            assert_eq!(shown.as_ref(), Some(&value.value), "{}.{}", entry.spec.id, value.name);
        }
    }
    assert!(defined > 60, "{defined} metrics are defined");
    let number = |id: &str, name: &str| {
        let score = (metrics::find(id).unwrap().make)().evaluate(&case).unwrap();
        score.quantity(name).unwrap_or_else(|| panic!("{id} has no {name}"))
    };
    for (id, name) in [
        ("victims", "values"),
        ("victims", "victims.error_m"),
        ("victims", "false_alarms"),
        ("point_score", "points"),
        ("point_score", "error_m"),
        ("metric_quality", "local"),
        ("cleared_area", "reported_m2"),
        ("relative_displacement", "rotation_deg.mean"),
    ] {
        number(id, name);
    }
}

#[test]
fn evidence_survives_a_cache() {
    let case = everything();
    for entry in metrics::all() {
        let metric = (entry.make)();
        let Ok(mut score) = metric.evaluate(&case) else { continue };
        score.evidence.samples = metric.samples(&case, &score);
        let text = serde_json::to_string(&score.evidence).unwrap();
        let back: Evidence = serde_json::from_str(&text).unwrap();
        assert_eq!(back, score.evidence, "{}", entry.spec.id);
    }
}

#[test]
fn typed_evidence_is_there_for_those_who_draw() {
    let case = everything();
    let evidence = |id: &str| (metrics::find(id).unwrap().make)().evaluate(&case).unwrap().evidence;
    assert_eq!(evidence("tolerance_f1_area").curve("curve").unwrap().points("f1").len(), 11);
    let Some(MetricEvidence::PointScore(points)) = evidence("point_score").of_metric else {
        panic!("points")
    };
    assert_eq!((points.matches.len(), points.unmatched.len()), (3, 2));
    let Some(MetricEvidence::Routes(routes)) = evidence("path_usefulness").of_metric else {
        panic!("routes")
    };
    assert!(!routes.routes.is_empty() && routes.rules.detour == 0.2);
    let Some(MetricEvidence::Fit(fit)) = evidence("ate_translation").of_metric else { panic!("fit") };
    assert_eq!((fit.method.as_str(), fit.dimensions), ("se2", 2));
    let Some(MetricEvidence::Fiducials(fiducials)) = evidence("fiducial_coverage").of_metric else {
        panic!("parts")
    };
    assert_eq!(fiducials.parts.iter().filter(|part| part.found).count(), 4);
    let Some(MetricEvidence::Portals(portals)) = evidence("portal_coverage").of_metric else {
        panic!("portals")
    };
    assert!(!portals.reached.is_empty());
    assert_eq!(evidence("victims").table("victims").unwrap().rows.len(), 3);
}
