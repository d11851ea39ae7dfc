//! Faults of logs, put into two laps around a block: what goes wrong must neither bend the map nor stay unsaid.

use model::{Pose2, SeededRng};

use super::tests::{errors_m, laps, scan, walls};
use super::*;
use crate::{MapCheck, SelfCheck};

/// Maps scans with these odometry poses; the mapper and its self-check. None is a scan without odometry.
fn mapped(truth: &[Pose2], odometry: &[Option<Pose2>], every_beam: usize) -> (Graph, MapCheck) {
    let walls = walls();
    let mut graph = Graph::with_params(GraphParams::default());
    let (mut noise, mut check) = (SeededRng::new(5), SelfCheck::default());
    for (index, (pose, odom_from_robot)) in truth.iter().zip(odometry).enumerate() {
        let mut scan = scan(&walls, index as f64 * 0.1, *pose, &mut noise);
        scan.hits_in_robot = scan.hits_in_robot.iter().step_by(every_beam).copied().collect();
        let step = match odom_from_robot {
            Some(odom_from_robot) => graph.step(&scan, *odom_from_robot),
            None => graph.step_without_odometry(&scan),
        };
        check.take(&scan, &step, graph.pose());
    }
    graph.finish();
    let check = check.finish(&graph.trajectory(Hindsight::Final), graph.pose_graph().as_ref());
    (graph, check)
}

/// Odometry that turns 3 % too much; the step to each of these scans reports so much less of its turn.
fn odometry(truth: &[Pose2], slips: &[(usize, f64)]) -> Vec<Option<Pose2>> {
    let mut all = vec![Some(Pose2::IDENTITY)];
    let mut here = Pose2::IDENTITY;
    for (index, pair) in truth.windows(2).enumerate() {
        let moved = pair[0].inverse() * pair[1];
        let slipped_rad: f64 = slips.iter().filter(|(at, _)| *at == index + 1).map(|(_, turn)| turn).sum();
        here = here * Pose2::new(moved.x_m * 1.03, moved.y_m, moved.theta_rad * 1.03 - slipped_rad);
        all.push(Some(here));
    }
    all
}

#[track_caller]
fn holds((graph, check): &(Graph, MapCheck), truth: &[Pose2], mean_m: f64) {
    let (found_m, max_m) = errors_m(graph, truth);
    assert!(found_m < mean_m, "mean {found_m} m, max {max_m} m, {check:?}");
    assert!(check.is_sound(), "{check:?}");
}

/// The wheels reported 1 to 3 degrees where the robot turned 5 to 9; 11 degrees were lost, silently.
#[test]
fn wheels_that_slip_in_a_turn_do_not_bend_the_map() {
    let truth = laps();
    // The first corner is turned from scan 63 on, by 9 degrees a scan.
    let slip = |at: usize| (at, 7.0 * DEGREE);
    let slips = [slip(65), slip(66), slip(67), slip(200), slip(201)];
    holds(&mapped(&truth, &odometry(&truth, &slips), 1), &truth, 0.05);
}

#[test]
fn one_slip_of_fifteen_degrees_is_found_by_the_second_look() {
    let truth = laps();
    holds(&mapped(&truth, &odometry(&truth, &[(30, 15.0 * DEGREE)]), 1), &truth, 0.05);
}

#[test]
fn a_line_of_odometry_that_is_missing_is_made_up_for() {
    let truth = laps();
    let mut odometry = odometry(&truth, &[]);
    odometry[66] = odometry[65];
    odometry[150] = odometry[149];
    holds(&mapped(&truth, &odometry, 1), &truth, 0.05);
}

/// It was one scan of 577 that was used.
#[test]
fn odometry_that_stands_while_the_scans_move_is_not_believed() {
    let truth = laps();
    let odometry = vec![Some(Pose2::IDENTITY); truth.len()];
    let (graph, check) = mapped(&truth, &odometry, 1);
    let (mean_m, max_m) = errors_m(&graph, &truth);
    assert!(mean_m < 0.15 && max_m < 0.5, "mean {mean_m} m, max {max_m} m, {check:?}");
}

#[test]
fn every_second_scan_and_every_third_beam_are_enough() {
    let truth: Vec<Pose2> = laps().into_iter().step_by(2).collect();
    holds(&mapped(&truth, &odometry(&truth, &[]), 1), &truth, 0.06);
    let truth = laps();
    holds(&mapped(&truth, &odometry(&truth, &[]), 3), &truth, 0.06);
}

/// 1.2 m or 72 degrees between scans, and nothing said about it: the map was 7.5 m off.
#[test]
fn scans_far_apart_without_odometry_make_a_map() {
    let truth: Vec<Pose2> = laps().into_iter().step_by(8).collect();
    let walls = walls();
    let mut graph = Graph::with_params(GraphParams::default());
    let mut noise = SeededRng::new(5);
    for (index, pose) in truth.iter().enumerate() {
        graph.step_without_odometry(&scan(&walls, index as f64, *pose, &mut noise));
    }
    graph.finish();
    let (mean_m, max_m) = errors_m(&graph, &truth);
    assert!(mean_m < 0.05 && max_m < 0.1, "mean {mean_m} m, max {max_m} m");
}

/// A robot that is carried around a corner with its laser covered: no scan tells, and the map says so.
#[test]
fn a_map_that_lost_its_robot_is_not_called_sound() {
    let truth = laps();
    let walls = walls();
    let mut graph =
        Graph::with_params(GraphParams { loop_min_score: 1.0, final_rounds: 0, ..GraphParams::default() });
    let (mut noise, mut check) = (SeededRng::new(5), SelfCheck::default());
    let slips: Vec<(usize, f64)> = (90..=130).map(|at| (at, 1.5 * DEGREE)).collect();
    for (index, (pose, odom_from_robot)) in truth.iter().zip(odometry(&truth, &slips)).enumerate() {
        let mut scan = scan(&walls, index as f64 * 0.1, *pose, &mut noise);
        if (90..=130).contains(&index) {
            scan.hits_in_robot.clear();
        }
        let step = graph.step(&scan, odom_from_robot.unwrap_or(Pose2::IDENTITY));
        check.take(&scan, &step, graph.pose());
    }
    graph.finish();
    let check = check.finish(&graph.trajectory(Hindsight::Final), graph.pose_graph().as_ref());
    let (mean_m, _) = errors_m(&graph, &truth);
    assert!(mean_m > 0.5, "the test needs a broken map: {mean_m} m");
    assert!(!check.is_sound() && !check.places.is_empty(), "{mean_m} m: {check:?}");
}
