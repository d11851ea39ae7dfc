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

fn drive(params: RobbieParams) -> (Robbie, f64) {
    drive_by(Robbie::with_params(params))
}

/// A drive through the room with odometry that reports 5 % too much distance and 3 % too much turn.
fn drive_by(mut robbie: Robbie) -> (Robbie, f64) {
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
    let mut robbie = Robbie::with_params(RobbieParams { particles: 20, ..RobbieParams::PAPER });
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
    let rules = Rules::PAPER;
    let options = [
        ("resampler", RobbieParams { resampler: Resampler::RoundedUp, ..paper.clone() }, rules),
        ("systematic", RobbieParams { resampler: Resampler::Systematic, ..paper.clone() }, rules),
        (
            "first_by_odometry",
            RobbieParams { top_ratio: 0.02, ..paper.clone() },
            Rules { first_by_odometry: true, ..rules },
        ),
        ("thin_ends_m", paper.clone(), Rules { thin_ends_m: 0.1, ..rules }),
        ("cells_once", paper.clone(), Rules { cells_once: true, ..rules }),
        ("back_side_m", paper.clone(), Rules { back_side_m: 0.1, ..rules }),
        ("hit_weight", paper.clone(), Rules { hit_weight: 4, ..rules }),
        ("pause_turn_radps", paper.clone(), Rules { pause_turn_radps: 1.0, ..rules }),
        ("later", paper.clone(), Rules::LATER),
    ];
    for (name, params, rules) in options {
        let (robbie, worst_m) = drive_by(Robbie::with_rules(params, rules));
        assert!(worst_m < 0.3, "{name}: {worst_m} m");
        assert_ne!(
            (robbie.trajectory.clone(), robbie.map()),
            (usual.trajectory.clone(), usual.map()),
            "{name}"
        );
    }
    let later = Robbie::with_params(RobbieParams { variant: Variant::Later, ..paper });
    assert_eq!(later.rules, Rules::LATER);
}

#[test]
fn the_first_particle_goes_where_the_odometry_goes() {
    let rules = Rules { first_by_odometry: true, ..Rules::PAPER };
    let mut robbie = Robbie::with_rules(RobbieParams::PAPER, rules);
    robbie.step(&scan(0.0, Pose2::IDENTITY), Pose2::IDENTITY);
    robbie.step(&scan(0.1, Pose2::new(0.1, 0.0, 0.0)), Pose2::new(0.2, 0.0, 0.1));
    assert_eq!(robbie.particles[0], Pose2::new(0.2, 0.0, 0.1));
    assert_ne!(robbie.particles[1], robbie.particles[0]);
}

#[test]
fn nothing_is_drawn_in_a_fast_turn() {
    let count = |turn_rad: f64| {
        let rules = Rules { pause_turn_radps: 0.5, ..Rules::PAPER };
        let mut robbie = Robbie::with_rules(RobbieParams::PAPER, rules);
        robbie.step(&scan(0.0, Pose2::IDENTITY), Pose2::IDENTITY);
        let before = robbie.grid.counts((0, 0)).1;
        robbie.step(&scan(0.1, Pose2::new(0.0, 0.0, turn_rad)), Pose2::new(0.0, 0.0, turn_rad));
        robbie.grid.counts((0, 0)).1 - before
    };
    assert_eq!((count(0.1), count(0.01)), (0, 1));
}

#[test]
fn without_odometry_the_scans_lead_and_particles_that_merely_drift_are_no_match() {
    for (icp, is_followed) in [(IcpKind::Line, true), (IcpKind::Off, false)] {
        let mut robbie = Robbie::with_params(RobbieParams { icp, ..RobbieParams::PAPER });
        let (mut pose, mut matched) = (Pose2::IDENTITY, 0);
        for step in 0..40 {
            let found = robbie.step_without_odometry(&scan(f64::from(step) * 0.1, pose));
            matched += usize::from(found.is_matched);
            pose = pose * Pose2::new(0.04, 0.0, if step % 20 > 14 { 0.05 } else { 0.0 });
        }
        assert_eq!(matched > 30, is_followed, "{icp:?}: {matched} matched");
        // The wall ahead is out of range for long, so that nothing tells how far the robot drove along the side walls.
        let found = robbie.pose();
        let is_near = (found.y_m - pose.y_m).abs() < 0.05 && (found.theta_rad - pose.theta_rad).abs() < 0.1;
        assert_eq!(is_near, is_followed, "{icp:?}: {found:?}, not {pose:?}");
    }
}

/// 100,000 particles and 40,000 beams: without a deadline the second step takes many seconds.
#[test]
fn a_slow_step_is_cut_at_the_deadline() {
    let far = |time_s: f64| Scan {
        time_s,
        hits_in_robot: (0..40_000).map(|beam| Point2::new(3.0, f64::from(beam) * 1e-4 - 2.0)).collect(),
        ..Scan::default()
    };
    let params = RobbieParams { particles: 100_000, icp: IcpKind::Off, ..RobbieParams::default() };
    let mut robbie = Robbie::with_params(params);
    robbie.step(&far(0.0), Pose2::IDENTITY);
    let begun = std::time::Instant::now();
    robbie.end_by(Deadline::after(0.2));
    robbie.step(&far(0.1), Pose2::new(0.1, 0.0, 0.0));
    let took_s = begun.elapsed().as_secs_f64();
    assert!((0.2..2.5).contains(&took_s), "{took_s} s");
    let is_whole = robbie.weights.iter().all(|weight| (weight * 1e5 - 1.0).abs() < 1e-9);
    assert!(is_whole, "a filter that was weighed in part keeps its weights");
    assert_eq!(robbie.trajectory.len(), 2, "the scan is kept, moved by the odometry");
}
