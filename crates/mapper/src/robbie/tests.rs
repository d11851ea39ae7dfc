//! Tests of the whole filter: a room, broken scans, and one or two threads.

use model::Point2;

use super::*;
use crate::icp::IcpKind;

/// A room of 6 x 4 m with a pillar, seen from a pose by 121 beams over 240 degrees.
fn scan(time_s: f64, pose: Pose2) -> Scan {
    let range_m = |direction_rad: f64| {
        let (sin, cos) = direction_rad.sin_cos();
        let to = |wall: f64, at: f64, step: f64| {
            if step.abs() < 1e-12 { f64::INFINITY } else { (wall - at) / step }
        };
        let sides = [
            to(5.0, pose.x_m, cos),
            to(-1.0, pose.x_m, cos),
            to(2.5, pose.y_m, sin),
            to(-1.5, pose.y_m, sin),
        ];
        sides.into_iter().filter(|range| *range > 0.0).fold(f64::INFINITY, f64::min)
    };
    let hits = (0..121).filter_map(|beam| {
        let direction_rad = (-120.0 + 2.0 * f64::from(beam)).to_radians();
        let range_m = range_m(pose.theta_rad + direction_rad);
        (range_m < 4.0).then(|| Point2::new(range_m * direction_rad.cos(), range_m * direction_rad.sin()))
    });
    Scan { time_s, hits_in_robot: hits.collect(), ..Scan::default() }
}

/// A drive through the room with odometry that reports 5 % too much way and 3 % too much turn.
fn drive(params: RobbieParams) -> (Robbie, f64) {
    let mut robbie = Robbie::new(params);
    let (mut pose, mut odometry, mut worst_m) = (Pose2::IDENTITY, Pose2::IDENTITY, 0.0_f64);
    for step in 0..60 {
        robbie.step(&scan(f64::from(step) * 0.1, pose), odometry);
        worst_m = worst_m.max((robbie.pose().x_m - pose.x_m).hypot(robbie.pose().y_m - pose.y_m));
        let turn_rad = if step % 20 > 14 { 0.15 } else { 0.0 };
        pose = pose * Pose2::new(0.08, 0.0, turn_rad);
        odometry = odometry * Pose2::new(0.084, 0.0, turn_rad * 1.03);
    }
    (robbie, worst_m)
}

#[test]
fn a_drive_through_a_room_is_followed() {
    for icp in [IcpKind::Line, IcpKind::Point, IcpKind::Off] {
        let (robbie, worst_m) = drive(RobbieParams { icp, ..RobbieParams::PAPER });
        assert!(worst_m < 0.15, "{icp:?}: {worst_m} m");
        assert_eq!(robbie.trajectory(Hindsight::Final).len(), 60);
        assert!(robbie.map().is_some());
    }
}

#[test]
fn one_and_two_threads_give_the_same_bytes() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| drive(RobbieParams::PAPER).0)
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one.trajectory, two.trajectory);
    assert_eq!(one.map(), two.map());
    let other = drive(RobbieParams { seed: 2, ..RobbieParams::PAPER }).0;
    assert_ne!(one.trajectory, other.trajectory);
}

#[test]
fn scans_without_beams_drift_and_one_beam_is_enough_for_a_step() {
    let mut robbie = Robbie::new(RobbieParams { particles: 20, ..RobbieParams::PAPER });
    let empty = Scan::default();
    assert!(robbie.map().is_none());
    robbie.step(&empty, Pose2::IDENTITY);
    robbie.step(&empty, Pose2::new(1.0, 0.0, 0.0));
    assert!((robbie.pose().x_m - 1.0).abs() < 0.5);
    let one = Scan { hits_in_robot: vec![Point2::new(1.0, 0.0)], ..Scan::default() };
    let step = robbie.step(&one, Pose2::new(1.0, 0.0, 0.0));
    assert!(step.effective_particles.unwrap() > 0.0 && robbie.pose().is_finite());
}

/// Each option alone follows the same drive, and changes something.
#[test]
fn options_follow_the_drive_and_are_not_without_effect() {
    let paper = RobbieParams { icp: IcpKind::Off, ..RobbieParams::PAPER };
    let usual = drive(paper.clone()).0;
    let options = [
        ("resampler", RobbieParams { resampler: Resampler::RoundedUp, ..paper.clone() }),
        ("systematic", RobbieParams { resampler: Resampler::Systematic, ..paper.clone() }),
        ("first_by_odometry", RobbieParams { first_by_odometry: true, top_share: 0.02, ..paper.clone() }),
        ("thin_ends_m", RobbieParams { thin_ends_m: 0.1, ..paper.clone() }),
        ("cells_once", RobbieParams { cells_once: true, ..paper.clone() }),
        ("back_side_m", RobbieParams { back_side_m: 0.1, ..paper.clone() }),
        ("hit_weight", RobbieParams { hit_weight: 4, ..paper.clone() }),
        ("pause_turn_radps", RobbieParams { pause_turn_radps: 1.0, ..paper.clone() }),
        ("weight_exponent", RobbieParams { weight_exponent: 4.0, ..paper.clone() }),
        ("p_unseen", RobbieParams { p_unseen: 0.05, ..paper.clone() }),
    ];
    for (name, params) in options {
        let (robbie, worst_m) = drive(params);
        assert!(worst_m < 0.3, "{name}: {worst_m} m");
        assert_ne!(
            (robbie.trajectory.clone(), robbie.map()),
            (usual.trajectory.clone(), usual.map()),
            "{name}"
        );
    }
}

#[test]
fn the_first_particle_goes_where_the_odometry_goes() {
    let params = RobbieParams {
        first_by_odometry: true,
        resample_way_m: 1e9,
        resample_turn_rad: 1e9,
        ..RobbieParams::PAPER
    };
    let mut robbie = Robbie::new(params);
    robbie.step(&scan(0.0, Pose2::IDENTITY), Pose2::IDENTITY);
    robbie.step(&scan(0.1, Pose2::new(0.1, 0.0, 0.0)), Pose2::new(0.2, 0.0, 0.1));
    assert_eq!(robbie.particles[0], Pose2::new(0.2, 0.0, 0.1));
    assert_ne!(robbie.particles[1], robbie.particles[0]);
}

#[test]
fn nothing_is_drawn_in_a_fast_turn_and_a_small_grid_stays_small() {
    let count = |params: RobbieParams, turn_rad: f64| {
        let mut robbie = Robbie::new(params);
        robbie.step(&scan(0.0, Pose2::IDENTITY), Pose2::IDENTITY);
        let before = robbie.grid.counts((0, 0)).1;
        robbie.step(&scan(0.1, Pose2::new(0.0, 0.0, turn_rad)), Pose2::new(0.0, 0.0, turn_rad));
        (robbie.grid.counts((0, 0)).1 - before, robbie.grid.lost())
    };
    let paused = RobbieParams { pause_turn_radps: 0.5, ..RobbieParams::PAPER };
    assert_eq!((count(paused.clone(), 0.1).0, count(paused, 0.01).0), (0, 1));
    let small = RobbieParams { grow: false, side_cells: 20, ..RobbieParams::PAPER };
    assert!(count(small, 0.0).1 > 0 && count(RobbieParams::PAPER, 0.0).1 == 0);
}
