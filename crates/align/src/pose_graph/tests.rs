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

/// A ring of 60 poses whose odometry drifts by a degree a pose, so that its start is metres off, and loop closures that say
/// where poses are. Measured with the deviation of a centimetre.
fn drifting_ring(false_loops: &[(usize, usize)], kernel: Kernel) -> PlanarGraph {
    let strong = |constraint: Constraint| {
        let information = [[1e4, 0.0, 0.0], [0.0, 1e4, 0.0], [0.0, 0.0, 1e4]];
        Constraint { information, ..constraint }
    };
    let turn = std::f64::consts::TAU / 60.0;
    let step = Pose2::new(1.0, 0.0, turn);
    let weak = [[100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 0.0, 1000.0]];
    let drifting = Pose2::new(1.0, 0.0, turn + 0.017);
    let mut constraints: Vec<Constraint> =
        (0..119).map(|i| Constraint { information: weak, kernel, ..unit(i, i + 1, drifting) }).collect();
    // The second round passes where the first did.
    constraints.extend(
        (0..60).step_by(3).map(|i| Constraint { kernel, ..strong(unit(i, i + 60, Pose2::IDENTITY)) }),
    );
    let wrong = |&(from, to): &(usize, usize)| Constraint { kernel, ..strong(unit(from, to, step)) };
    constraints.extend(false_loops.iter().map(wrong));
    PlanarGraph { poses: vec![Pose2::IDENTITY; 120], constraints, fixed: vec![0] }
}

/// Every kernel finds a solution that costs no more than least squares under the same kernel: without an outlier a kernel
/// that was begun far away took all closures for outliers and stayed metres off.
#[test]
fn no_kernel_stays_behind_least_squares_on_a_clean_ring() {
    let squares = solve(&drifting_ring(&[], Kernel::Square));
    for kernel in
        [Kernel::Huber(1.0), Kernel::Cauchy(1.0), Kernel::GemanMcClure(1.0), Kernel::TruncatedSquare(3.0)]
    {
        let graph = drifting_ring(&[], kernel);
        let cost = Penalty::Kernels.of(&graph, &squares.poses);
        let found = solve(&graph);
        assert!(found.cost <= cost * (1.0 + 1e-6), "{kernel:?}: {} above {cost}", found.cost);
    }
}

#[test]
fn truncated_squares_leave_false_loops_out() {
    let trusted = |mut graph: PlanarGraph| {
        graph.constraints.iter_mut().filter(|c| c.to == c.from + 1).for_each(|c| c.kernel = Kernel::Square);
        graph
    };
    let kernel = Kernel::TruncatedSquare(3.4);
    let clean = solve(&trusted(drifting_ring(&[], kernel)));
    let found = solve(&trusted(drifting_ring(&[(3, 40), (10, 90), (25, 70), (50, 100)], kernel)));
    assert_eq!((clean.rejected.len(), found.rejected.clone()), (0, vec![139, 140, 141, 142]));
    let off_m = |(a, b): (&Pose2, &Pose2)| (a.x_m - b.x_m).hypot(a.y_m - b.y_m);
    let worst_m = clean.poses.iter().zip(&found.poses).map(off_m).fold(0.0, f64::max);
    assert!(worst_m < 1e-3, "{worst_m}");
}

#[test]
fn a_part_that_hangs_on_one_measurement_keeps_it() {
    // Nothing contradicts a single measurement, however far it lies from the given poses.
    let mut constraints = vec![unit(0, 1, ahead(1.0)), unit(2, 3, ahead(1.0))];
    constraints.push(Constraint { kernel: Kernel::TruncatedSquare(1.0), ..unit(1, 2, ahead(50.0)) });
    let graph = PlanarGraph { poses: vec![Pose2::IDENTITY; 4], constraints, fixed: vec![0] };
    let solution = solve(&graph);
    assert!((solution.poses[3].x_m - 52.0).abs() < 1e-6 && solution.rejected.is_empty(), "{solution:?}");
}
