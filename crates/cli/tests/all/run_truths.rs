//! What a run is judged by, as `mapjudge traj` and `relations make` see it: truths in space for planar runs, relations that
//! leave parts of the run out, clocks that do not meet, topics of one bag.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::research::{Place, drive, estimate, tum};

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn fine(arguments: &[&str], folder: &Path) {
    let output = run(arguments, folder);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn metric<'a>(report: &'a Value, id: &str) -> &'a Value {
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    metrics.iter().find(|metric| metric["id"] == id).unwrap_or_else(|| panic!("{id}: {report}"))
}

fn finding<'a>(report: &'a Value, code: &str) -> Option<&'a Value> {
    report["cases"][0]["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == code)
}

/// A straight drive of 20 m at 1 m/s: level for 5 m, up a ramp of 15 degrees for 5 m, level for 5 m, and down again. By t,
/// distance travelled, height and pitch (nose up).
fn over_a_ramp() -> Vec<(f64, f64, f64, f64)> {
    let slope = 15_f64.to_radians();
    let mut rows = vec![(0.0, 0.0, 0.0, 0.0)];
    for step in 1..=200 {
        let t = 0.1 * f64::from(step);
        let pitch = if (5.0..10.0).contains(&t) {
            slope
        } else if t >= 15.0 {
            -slope
        } else {
            0.0
        };
        let (_, x, z, _) = rows[rows.len() - 1];
        rows.push((t, x + 0.1 * pitch.cos(), z + 0.1 * pitch.sin(), pitch));
    }
    rows
}

/// The true trajectory in space, and the same seen from above.
fn ramp_place() -> Place {
    let place = Place::new();
    let (mut truth, mut planar) = (String::new(), String::new());
    for (t, x, z, pitch) in over_a_ramp() {
        let (sin, cos) = (-pitch / 2.0).sin_cos();
        writeln!(truth, "{t} {x} 0 {z} 0 {sin} 0 {cos}").unwrap();
        writeln!(planar, "{t} {x} 0 0 0 0 0 1").unwrap();
    }
    place.write("ramp.tum", &truth);
    place.write("planar.tum", &planar);
    place
}

/// A planar run without an error has none against a truth with ramps.
#[test]
fn a_planar_run_is_compared_in_the_plane_and_that_is_said() {
    let place = ramp_place();
    let value = |arguments: &[&str], id: &str| {
        let report =
            place.report(&[&["planar.tum", "--truth", "ramp.tum", "--align", "none"], arguments].concat());
        let is_said = finding(&report, "COMPARED_IN_PLANE").is_some();
        (metric(&report, id)["value"].as_f64().unwrap(), is_said)
    };
    for id in ["ate_translation", "ate_rotation", "rpe_translation", "rpe_rotation"] {
        let (error, is_said) = value(&[], id);
        assert!(error < 1e-6 && is_said, "{id}: {error}");
    }
    let (in_space_deg, is_said) = value(&["--project", "space"], "ate_rotation");
    assert!(in_space_deg > 5.0 && !is_said, "{in_space_deg}");
}

#[test]
fn relations_of_a_ramp_are_made_and_judged_in_the_plane() {
    let place = ramp_place();
    let folder = place.path("");
    fine(&["relations", "make", "ramp.tum", "space.relations"], &folder);
    fine(&["relations", "make", "ramp.tum", "plane.relations", "--project", "xy"], &folder);
    let judged = |arguments: &[&str]| {
        let report = place.report(&[&["planar.tum"], arguments].concat());
        let found = metric(&report, "relative_displacement");
        let worst_deg = found["detail"]["rotation_deg"]["max"].as_f64().unwrap();
        let level = finding(&report, "COMPARED_IN_PLANE").map(|finding| finding["level"].clone());
        (found["value"].as_f64().unwrap(), worst_deg, level)
    };
    let (error_m, worst_deg, level) = judged(&["--relations", "plane.relations"]);
    assert!(error_m < 1e-5 && worst_deg < 1e-3 && level.is_none(), "{error_m} {worst_deg} {level:?}");
    // Relations in space say nothing of how the robot stood: on the ramp they are too long, and that is a warning.
    let (error_m, worst_deg, level) = judged(&["--relations", "space.relations"]);
    assert!(error_m < 0.02 && worst_deg < 1e-3, "{error_m} {worst_deg}");
    assert_eq!(level, Some("warning".into()));
    // The true trajectory beside them says it.
    let (error_m, _, level) = judged(&["--relations", "space.relations", "--truth", "ramp.tum"]);
    assert!(error_m < 1e-5 && level == Some("info".into()), "{error_m} {level:?}");
    let said = run(&["relations", "make", "ramp.tum", "again.relations"], &folder);
    assert!(String::from_utf8_lossy(&said.stderr).contains("RELATIONS_OF_SPACE"));
}

/// Relations over the first half of a run say nothing about the second.
#[test]
fn relations_that_leave_half_of_a_run_out_do_not_cover_all_of_it() {
    let place = Place::new();
    let half: Vec<_> = drive().into_iter().take(150).collect();
    place.write("half.tum", &tum(&half));
    fine(&["relations", "make", "half.tum", "half.relations", "--pairs", "consecutive"], &place.path(""));
    let report = place.report(&["slam.tum", "--relations", "half.relations"]);
    let facts = &report["cases"][0]["detail"]["trajectory"];
    let share = |key: &str| facts["relations"][key].as_f64().unwrap();
    assert_eq!((share("matched"), facts["relations"]["parts"].as_u64()), (1.0, Some(1)), "{facts}");
    // 14.9 of 29.9 seconds.
    assert!((share("time") - 14.9 / 29.9).abs() < 1e-6 && (share("path") - 0.5).abs() < 0.02, "{facts}");
    assert!(facts["coverage"].as_f64().unwrap() < 0.51, "{facts}");
    let text = place.text(&["slam.tum", "--relations", "half.relations"]);
    assert!(text.contains("49.8 % of the run's time") && text.contains("in 1 connected part"), "{text}");
}

#[test]
fn the_offset_of_a_clock_is_found_by_relations_too() {
    let place = Place::new();
    fine(&["relations", "make", "truth.tum", "truth.relations", "--step", "0.2"], &place.path(""));
    let late: Vec<_> = estimate().into_iter().map(|(t, x, y, h)| (t + 0.7, x, y, h)).collect();
    place.write("late.tum", &tum(&late));
    let value = |arguments: &[&str]| {
        let report = place.report(&[&["late.tum", "--relations", "truth.relations"], arguments].concat());
        let offset_s = report["cases"][0]["detail"]["trajectory"]["time_offset_s"].as_f64().unwrap();
        let found = &metric(&report, "relative_displacement")["detail"]["rotation_deg"];
        (found["max"].as_f64().unwrap(), offset_s)
    };
    let ((off_deg, _), (found_deg, offset_s)) = (value(&[]), value(&["--estimate-offset", "2"]));
    assert!((offset_s + 0.7).abs() < 0.05, "{offset_s}");
    assert!(found_deg < 0.5 && off_deg > 1.5, "{off_deg} {found_deg}");
}

#[test]
fn times_that_do_not_meet_are_told_with_both_ranges() {
    let place = Place::new();
    fine(&["relations", "make", "truth.tum", "truth.relations"], &place.path(""));
    let later: Vec<_> = estimate().into_iter().map(|(t, x, y, h)| (t + 5000.0, x, y, h)).collect();
    let between: Vec<_> =
        estimate().into_iter().step_by(20).map(|(t, x, y, h)| (t + 0.051, x, y, h)).collect();
    place.write("later.tum", &tum(&later));
    place.write("between.tum", &tum(&between));
    for (estimate, ranges) in [
        ("later.tum", ["5100 to 5129.9", "100 to 129.9"]),
        ("between.tum", ["100.051 to 128.051", "100 to 129.9"]),
    ] {
        for truth in [["--relations", "truth.relations"], ["--truth", "truth.tum"]] {
            let mut arguments = vec!["traj", estimate, "--format", "json", "--max-dt", "0.01"];
            arguments.extend(truth);
            let output = run(&arguments, &place.path(""));
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let message = finding(&report, "NO_COMMON_TIME").map(|finding| finding["message"].to_string());
            let message = message.unwrap_or_else(|| panic!("{arguments:?}: {report}"));
            assert!(ranges.iter().all(|range| message.contains(range)), "{arguments:?}: {message}");
        }
    }
}

/// A truth equal to the estimate is a warning, however it is given: as a file, as relations, with few poses.
#[test]
fn a_truth_that_is_the_estimate_is_a_warning_everywhere() {
    let place = Place::new();
    let few: Vec<_> = drive().into_iter().take(4).collect();
    place.write("few.tum", &tum(&few));
    fine(&["relations", "make", "slam.tum", "own.relations"], &place.path(""));
    fine(&["relations", "make", "few.tum", "few.relations", "--step", "0"], &place.path(""));
    for (arguments, code) in [
        (&["slam.tum", "--truth", "slam.tum"][..], "TRUTH_IS_ESTIMATE"),
        (&["few.tum", "--truth", "few.tum"], "TRUTH_IS_ESTIMATE"),
        (&["slam.tum", "--relations", "own.relations"], "RELATIONS_FROM_THIS_RUN"),
        (&["few.tum", "--relations", "few.relations"], "RELATIONS_FROM_THIS_RUN"),
    ] {
        let report = place.report(arguments);
        assert!(
            finding(&report, code).is_some_and(|finding| finding["level"] == "warning"),
            "{arguments:?}: {report}"
        );
    }
}
