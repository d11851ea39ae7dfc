//! Tests of the whole mapper: two laps around a block, broken scans, and repeatability.

use model::{Point2, SeededRng};

use super::*;

/// A ring corridor of 12 x 8 m around a block, with boxes that make its corners differ.
pub(super) fn walls() -> Vec<[f64; 4]> {
    let mut walls = Vec::new();
    for [left, bottom, right, top] in [
        [0.0, 0.0, 12.0, 8.0],
        [2.5, 2.5, 9.5, 5.5],
        [0.0, 0.0, 0.6, 0.4],
        [11.2, 7.0, 12.0, 8.0],
        [5.0, 0.0, 5.5, 0.5],
        [7.0, 7.6, 8.5, 8.0],
        [0.0, 5.0, 0.4, 5.8],
    ] {
        walls.extend([
            [left, bottom, right, bottom],
            [right, bottom, right, top],
            [right, top, left, top],
            [left, top, left, bottom],
        ]);
    }
    walls
}

/// Where a ray from a place in a direction meets the first wall.
fn range_m(walls: &[[f64; 4]], from: Point2, direction_rad: f64) -> f64 {
    let (sin, cos) = direction_rad.sin_cos();
    let meet = |&[ax, ay, bx, by]: &[f64; 4]| {
        let (ex, ey) = (bx - ax, by - ay);
        let across = cos * ey - sin * ex;
        let range = ((ax - from.x_m) * ey - (ay - from.y_m) * ex) / across;
        let along = ((ax - from.x_m) * sin - (ay - from.y_m) * cos) / across;
        (across.abs() > 1e-9 && range > 0.0 && (0.0..=1.0).contains(&along)).then_some(range)
    };
    walls.iter().filter_map(meet).fold(f64::INFINITY, f64::min)
}

pub(super) fn scan(walls: &[[f64; 4]], time_s: f64, pose: Pose2, noise: &mut SeededRng) -> Scan {
    let hit = |beam: i32| {
        let direction_rad = f64::from(beam - 90).to_radians();
        let range_m = range_m(walls, Point2::new(pose.x_m, pose.y_m), pose.theta_rad + direction_rad);
        let noisy_m = range_m + 0.01 * noise.normal();
        (range_m < 10.0).then(|| Point2::new(noisy_m * direction_rad.cos(), noisy_m * direction_rad.sin()))
    };
    Scan { time_s, hits_in_robot: (0..181).filter_map(hit).collect(), ..Scan::default() }
}

/// Two laps in the middle of the corridor: true poses, 0.15 m or 9 degrees apart.
pub(super) fn laps() -> Vec<Pose2> {
    let (mut pose, mut poses) = (Pose2::new(1.25, 1.25, 0.0), Vec::new());
    for side in 0..8 {
        let length_m = if side % 2 == 0 { 9.5 } else { 5.5 };
        let steps = (length_m / 0.15_f64).round() as usize;
        for _ in 0..steps {
            poses.push(pose);
            pose = pose * Pose2::new(length_m / steps as f64, 0.0, 0.0);
        }
        for _ in 0..10 {
            poses.push(pose);
            pose = pose * Pose2::new(0.0, 0.0, std::f64::consts::FRAC_PI_2 / 10.0);
        }
    }
    poses
}

/// Maps the laps with odometry that drives 3 % too far and turns 3 % too much; the mapper and the true poses.
fn mapped() -> (Graph, Vec<Pose2>) {
    let (walls, truth) = (walls(), laps());
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(5);
    let mut odometry = Pose2::IDENTITY;
    for (index, &pose) in truth.iter().enumerate() {
        if index > 0 {
            let moved = truth[index - 1].inverse() * pose;
            odometry = odometry * Pose2::new(moved.x_m * 1.03, moved.y_m, moved.theta_rad * 1.03);
        }
        graph.step(&scan(&walls, index as f64 * 0.1, pose, &mut noise), odometry);
    }
    graph.finish();
    (graph, truth)
}

#[test]
fn two_laps_close_and_stay_within_centimetres() {
    let (graph, truth) = mapped();
    assert!(graph.loops() >= 2, "{} loops", graph.loops());
    let found = graph.trajectory(Hindsight::Final);
    let error_m = |(pose, mapped): (&Pose2, &MappedPose)| {
        let expected = truth[0].inverse() * *pose;
        (expected.x_m - mapped.map_from_robot.x_m).hypot(expected.y_m - mapped.map_from_robot.y_m)
    };
    let errors: Vec<f64> = truth.iter().zip(&found).map(error_m).collect();
    let mean_m = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean_m < 0.05, "mean {mean_m} m, last {} m", errors[errors.len() - 1]);
    assert_eq!(graph.trajectory(Hindsight::Online).len(), truth.len());
    let map = graph.map().unwrap();
    let width_m = map.geometry().width() as f64 * map.geometry().cell_size_m();
    assert!((width_m - 12.0).abs() < 0.5, "{width_m} m");
    let poses = graph.pose_graph().unwrap();
    assert!(poses.vertices.len() > 100 && poses.edges.len() > poses.vertices.len());
}

#[test]
fn the_same_scans_give_the_same_poses() {
    assert_eq!(mapped().0.trajectory(Hindsight::Final), mapped().0.trajectory(Hindsight::Final));
}

#[test]
fn broken_scans_are_carried_by_the_odometry() {
    let mut graph = Graph::with_params(GraphParams::default());
    assert!(graph.map().is_none() && graph.pose_graph().is_none());
    graph.finish();
    let one = Scan { hits_in_robot: vec![Point2::new(1.0, 0.0)], ..Scan::default() };
    for (index, scan) in [Scan::default(), one.clone(), Scan::default(), one].iter().enumerate() {
        let step = graph.step(scan, Pose2::new(index as f64, 0.0, 0.0));
        assert_eq!(step.is_matched, index == 0);
    }
    graph.finish();
    assert!((graph.pose().x_m - 3.0).abs() < 1e-9);
    assert_eq!(graph.trajectory(Hindsight::Final).len(), 4);
}

#[test]
fn along_a_corridor_without_ends_the_odometry_is_believed() {
    let walls = [[-20.0, -1.1, 60.0, -1.1], [60.0, 1.1, -20.0, 1.1]];
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(6);
    for index in 0..200 {
        let travelled_m = f64::from(index) * 0.15;
        let pose = Pose2::new(travelled_m, 0.0, 0.0);
        graph.step(
            &scan(&walls, travelled_m, pose, &mut noise),
            Pose2::new(travelled_m * 1.01, 0.0, 0.001 * travelled_m),
        );
    }
    let end = graph.pose();
    assert!((end.x_m - 0.15 * 199.0).abs() < 0.6, "{end:?}");
    assert!(end.y_m.abs() < 0.05 && end.theta_rad.abs() < 0.01, "{end:?}");
}

/// Mean and largest distance of the found poses from the true ones, metres.
pub(super) fn errors_m(graph: &Graph, truth: &[Pose2]) -> (f64, f64) {
    let found = graph.trajectory(Hindsight::Final);
    let error_m = |(pose, mapped): (&Pose2, &MappedPose)| {
        (truth[0].inverse() * *pose).position().distance_m(mapped.map_from_robot.position())
    };
    let errors: Vec<f64> = truth.iter().zip(&found).map(error_m).collect();
    (errors.iter().sum::<f64>() / errors.len() as f64, errors.iter().copied().fold(0.0, f64::max))
}

#[test]
fn without_odometry_two_laps_are_matched_scan_by_scan() {
    let (walls, truth) = (walls(), laps());
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(5);
    let mut matched = 0;
    for (index, &pose) in truth.iter().enumerate() {
        let step = graph.step_without_odometry(&scan(&walls, index as f64 * 0.1, pose, &mut noise));
        matched += usize::from(step.is_matched);
        assert!(step.on_surface.is_none_or(|share| share > 0.4));
    }
    graph.finish();
    assert_eq!(matched, truth.len());
    let (mean_m, max_m) = errors_m(&graph, &truth);
    assert!(mean_m < 0.1 && max_m < 0.3, "mean {mean_m} m, max {max_m} m");
    assert!(graph.loops() >= 1);
    assert_eq!(graph.loop_closures().len(), graph.loops());
}

#[test]
fn without_odometry_a_robot_that_stands_does_not_drift() {
    let walls = walls();
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(7);
    for index in 0..300 {
        graph.step_without_odometry(&scan(&walls, f64::from(index) * 0.1, laps()[0], &mut noise));
    }
    let end = graph.pose();
    assert!(end.x_m.hypot(end.y_m) < 0.05 && end.theta_rad.abs() < 0.02, "{end:?}");
}

/// The search once grew with the cube of a step: a reset of 50 m took minutes.
#[test]
fn a_jump_of_the_odometry_costs_no_more_than_a_moment() {
    let (walls, truth) = (walls(), laps());
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(8);
    let begun = std::time::Instant::now();
    for (index, &pose) in truth.iter().take(20).enumerate() {
        let jump_m = if index < 10 { 0.0 } else { 50.0 };
        let odometry = Pose2::new(jump_m, 0.0, 0.0) * (truth[0].inverse() * pose);
        graph.step(&scan(&walls, index as f64 * 0.1, pose, &mut noise), odometry);
    }
    assert!(begun.elapsed().as_secs_f64() < 10.0, "{:?}", begun.elapsed());
}

#[test]
fn over_a_break_of_the_odometry_the_scans_lead() {
    let (walls, truth) = (walls(), laps());
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(8);
    for (index, &pose) in truth.iter().take(120).enumerate() {
        let scan = scan(&walls, index as f64 * 0.1, pose, &mut noise);
        let jump_m = if index < 60 { 0.0 } else { 50.0 };
        match index {
            60 => graph.step_without_odometry(&scan),
            _ => graph.step(&scan, Pose2::new(jump_m, 0.0, 0.0) * (truth[0].inverse() * pose)),
        };
    }
    graph.finish();
    let (_, max_m) = errors_m(&graph, &truth[..120]);
    assert!(max_m < 0.15, "{max_m} m");
}
