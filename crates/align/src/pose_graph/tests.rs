//! Tests of the solver: graphs small enough to solve by hand, and laws.

use std::f64::consts::FRAC_PI_2;

use super::*;

fn unit(from: usize, to: usize, from_from_to: Pose2) -> Constraint {
    let information = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    Constraint { from, to, from_from_to, information, kernel: Kernel::Square }
}

fn ahead(metres: f64) -> Pose2 {
    Pose2::new(metres, 0.0, 0.0)
}

fn solve(graph: &PlanarGraph) -> Solution {
    Solver::default().solve(graph).unwrap()
}

#[test]
fn two_measurements_of_one_way_meet_in_the_middle() {
    let constraints = vec![unit(0, 1, ahead(1.0)), unit(0, 1, ahead(1.2))];
    let graph = PlanarGraph { poses: vec![Pose2::IDENTITY; 2], constraints, fixed: vec![0] };
    let solution = solve(&graph);
    assert!((solution.poses[1].x_m - 1.1).abs() < 1e-12, "{solution:?}");
    // 0.1² + 0.1² at the solution, 1 + 1.44 before.
    assert!((solution.chi2 - 0.02).abs() < 1e-12 && (solution.chi2_given - 2.44).abs() < 1e-12);
}

#[test]
fn the_error_of_a_loop_is_shared_by_its_sides() {
    // Four sides, one measured 0.4 m too long; all headings right. Each of the four takes a quarter of it, two of them sideways.
    let mut sides: Vec<Constraint> =
        (0..4).map(|i| unit(i, (i + 1) % 4, Pose2::new(1.0, 0.0, FRAC_PI_2))).collect();
    sides[0].from_from_to.x_m = 1.4;
    sides.iter_mut().for_each(|side| side.information[2][2] = 1e8);
    let graph = PlanarGraph { poses: vec![Pose2::IDENTITY; 4], constraints: sides, fixed: Vec::new() };
    let solution = solve(&graph);
    assert!((solution.poses[1].x_m - 1.3).abs() < 1e-4, "{:?}", solution.poses);
    assert!((solution.chi2 - 0.04).abs() < 1e-4, "{}", solution.chi2);
}

#[test]
fn parts_without_a_fixed_pose_keep_their_first() {
    let constraints = vec![unit(0, 1, ahead(1.0)), unit(3, 2, ahead(2.0))];
    let poses = vec![ahead(5.0), ahead(0.0), ahead(7.0), ahead(0.0), ahead(9.0)];
    let solution = solve(&PlanarGraph { poses, constraints, fixed: Vec::new() });
    let found: Vec<f64> = solution.poses.iter().map(|pose| pose.x_m).collect();
    for (x_m, expected) in found.iter().zip([5.0, 6.0, 7.0, 5.0, 9.0]) {
        assert!((x_m - expected).abs() < 1e-9, "{found:?}");
    }
    assert_eq!(solution.parts, 3);
}

#[test]
fn a_robust_kernel_outvotes_a_wrong_loop() {
    let mut constraints: Vec<Constraint> = (0..9).map(|i| unit(i, i + 1, ahead(1.0))).collect();
    constraints.push(unit(0, 9, ahead(9.0)));
    constraints
        .push(Constraint { kernel: Kernel::GemanMcClure(1.0), ..unit(0, 9, Pose2::new(0.0, 3.0, 1.0)) });
    let graph = PlanarGraph { poses: vec![Pose2::IDENTITY; 10], constraints, fixed: Vec::new() };
    let solution = solve(&graph);
    assert!((solution.poses[9].x_m - 9.0).abs() < 0.3, "{:?}", solution.poses[9]);
    assert!(solution.cost < 1.1 && solution.chi2 > 50.0);
}

#[test]
fn moving_everything_changes_nothing() {
    let mut graph = PlanarGraph { poses: vec![Pose2::IDENTITY; 5], ..PlanarGraph::default() };
    graph.constraints = (0..4).map(|i| unit(i, i + 1, Pose2::new(1.0, 0.1, 0.7))).collect();
    graph.constraints.push(unit(4, 0, Pose2::new(0.2, -0.4, 2.9)));
    let here = solve(&graph);
    graph.poses[0] = Pose2::new(100.0, -50.0, 2.0);
    let there = solve(&graph);
    assert!((here.chi2 - there.chi2).abs() < 1e-9);
    for (a, b) in here.poses.iter().zip(&there.poses) {
        let moved = graph.poses[0] * *a;
        assert!((moved.x_m - b.x_m).abs() < 1e-6 && (moved.y_m - b.y_m).abs() < 1e-6);
    }
}

#[test]
fn a_ring_with_a_bad_start_is_solved_by_rotations_first() {
    // 36 poses on a circle, headings that turn once around; the given poses are all at the origin.
    let step = Pose2::new(1.0, 0.0, std::f64::consts::TAU / 36.0);
    let constraints = (0..36).map(|i| unit(i, (i + 1) % 36, step)).collect();
    let graph = PlanarGraph { poses: vec![Pose2::IDENTITY; 36], constraints, fixed: Vec::new() };
    let solver = Solver { starts: vec![Start::RotationsFirst], ..Solver::default() };
    let solution = solver.solve(&graph).unwrap();
    assert!(solution.chi2 < 1e-6, "{}", solution.chi2);
}

#[test]
fn nothing_to_solve() {
    assert_eq!(solve(&PlanarGraph::default()).iterations, 0);
    let alone = PlanarGraph { poses: vec![ahead(1.0)], ..PlanarGraph::default() };
    assert_eq!(solve(&alone).poses, [ahead(1.0)]);
    let to_itself = PlanarGraph { constraints: vec![unit(0, 0, ahead(2.0))], ..alone };
    assert_eq!(solve(&to_itself).chi2, 4.0);
}

#[test]
fn what_is_not_measured_at_all_is_an_error() {
    let mut nothing = unit(0, 1, ahead(1.0));
    nothing.information = [[0.0; 3]; 3];
    let graph =
        PlanarGraph { poses: vec![Pose2::IDENTITY; 2], constraints: vec![nothing], fixed: Vec::new() };
    assert!(Solver::default().solve(&graph).is_err());
}
