//! Runs that give a number and mean nothing raise a warning, and sound ones raise none.

use std::fmt::Write;

use crate::research::{Place, Row, changed, codes, detail, drive, estimate, tum};

const NONSENSE: [&str; 9] = [
    "QUATERNION_ORDER_DOUBTFUL",
    "POSITIONS_IN_OTHER_UNIT",
    "POSITIONS_MAY_BE_DEGREES",
    "SCALE_SUSPECTED",
    "CLOCK_STRETCHED",
    "ESTIMATE_STANDS",
    "TRUTH_IS_ESTIMATE",
    "HEADINGS_MAY_BE_DEGREES",
    "RELATION_ANGLES_MAY_BE_DEGREES",
];

/// Files that give a number and mean nothing, each with the warning that says so.
#[test]
fn nonsense_is_said() {
    let place = Place::new();
    let said = |code: &str, content: &str, arguments: &[&str]| {
        let found = place.findings(content, arguments);
        assert!(found.iter().any(|one| one == code), "{code}: {found:?}");
    };
    let sound = place.findings(&tum(&estimate()), &[]);
    assert!(sound.iter().all(|code| !NONSENSE.contains(&code.as_str())), "{sound:?}");

    let w_first: String = estimate()
        .iter()
        .map(|(t, x, y, h)| format!("{t} {x} {y} 0 {} 0 0 {}\n", (h / 2.0).cos(), (h / 2.0).sin()))
        .collect();
    said("QUATERNION_ORDER_DOUBTFUL", &w_first, &[]);
    said("POSITIONS_IN_OTHER_UNIT", &tum(&changed(|(t, x, y, h)| (t, 1000.0 * x, 1000.0 * y, h))), &[]);
    let degrees = |(t, x, y, h): Row| (t, 8.65 + x / 71_000.0, 49.87 + y / 111_000.0, h);
    said("POSITIONS_MAY_BE_DEGREES", &tum(&changed(degrees)), &[]);
    let latitude_first = |row: Row| {
        let (t, x, y, h) = degrees(row);
        (t, y, x, h)
    };
    said("POSITIONS_MAY_BE_DEGREES", &tum(&changed(latitude_first)), &[]);
    let larger = tum(&changed(|(t, x, y, h)| (t, 1.1 * x, 1.1 * y, h)));
    said("SCALE_SUSPECTED", &larger, &[]);
    assert!(
        !place.findings(&larger, &["--align", "sim3"]).contains(&"SCALE_SUSPECTED".to_owned()),
        "asked for"
    );
    said("CLOCK_STRETCHED", &tum(&changed(|(t, x, y, h)| (100.0 + 1.05 * (t - 100.0), x, y, h))), &[]);
    said("ESTIMATE_STANDS", &tum(&changed(|(t, x, y, h)| (t, 1.0 + 1e-4 * x, 2.0 + 1e-4 * y, h))), &[]);
    said("TRUTH_IS_ESTIMATE", &tum(&drive()), &[]);
    // Stamps in nanoseconds that do not meet the truth are explained.
    let nanoseconds = tum(&changed(|(t, x, y, h)| (t * 1e9, x, y, h)));
    place.write("est.tum", &nanoseconds);
    let report = place.report(&["est.tum", "--truth", "truth.tum"]);
    assert!(report.to_string().contains("are its stamps in"), "{report}");
}

#[test]
fn headings_and_relations_in_degrees_are_said() {
    let place = Place::new();
    let rows: String =
        estimate().iter().map(|(t, x, y, h)| format!("{x} {y} {} {t}\n", h.to_degrees())).collect();
    place.write("degrees.poses", &rows);
    let found = codes(&place.report(&["degrees.poses", "--truth", "truth.tum"]));
    assert!(found.contains(&"HEADINGS_MAY_BE_DEGREES".to_owned()), "{found:?}");
    let rows: String = estimate().iter().map(|(t, x, y, h)| format!("{x} {y} {h} {t}\n")).collect();
    place.write("radians.poses", &rows);
    let found = codes(&place.report(&["radians.poses", "--truth", "truth.tum"]));
    assert!(!found.contains(&"HEADINGS_MAY_BE_DEGREES".to_owned()), "{found:?}");

    // Relations of the truth between poses some steps apart, with yaw in radians and in degrees.
    let relations = |step: usize, factor: f64| {
        let rows = drive();
        let mut text = String::new();
        for window in rows.windows(step + 1).step_by(7) {
            let ((t1, x1, y1, h1), (t2, x2, y2, h2)) = (window[0], window[step]);
            let (dx, dy) = (x2 - x1, y2 - y1);
            let (ahead, left) = (dx * h1.cos() + dy * h1.sin(), dy * h1.cos() - dx * h1.sin());
            writeln!(text, "{t1} {t2} {ahead} {left} 0 0 0 {}", factor * (h2 - h1)).unwrap();
        }
        text
    };
    // Many steps apart some angles are beyond a whole turn, few steps apart none is.
    for (step, factor, is_said) in
        [(40, 57.29578, true), (2, 57.29578, true), (40, 1.0, false), (2, 1.0, false)]
    {
        place.write("truth.relations", &relations(step, factor));
        let found = codes(&place.report(&["slam.tum", "--relations", "truth.relations"]));
        assert_eq!(
            found.contains(&"RELATION_ANGLES_MAY_BE_DEGREES".to_owned()),
            is_said,
            "{step} {factor}: {found:?}"
        );
    }
}

/// No sound run of the shared data is called nonsense.
#[test]
fn real_runs_raise_no_false_alarm() {
    let Some(data) = testkit::shared_data("trajectories") else { return };
    let evo = data.join("evo");
    let place = Place::new();
    let name = |file: &str| evo.join(file).to_str().unwrap().to_owned();
    let sets = [
        ("freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam.txt"),
        ("freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam_drift.txt"),
        ("KITTI_00_gt.txt", "KITTI_00_SPTAM.txt"),
        ("KITTI_00_gt.txt", "KITTI_00_ORB.txt"),
    ];
    for (truth, estimate) in sets {
        let report = place.report(&[&name(estimate), "--truth", &name(truth)]);
        let found = codes(&report);
        for code in NONSENSE {
            assert!(!found.iter().any(|one| one == code), "{estimate}: {found:?}");
        }
    }
    real_relations(&place);
    real_bag(&place);
}

/// Localisation against odometry, two topics of one bag.
fn real_bag(place: &Place) {
    let Some(data) = testkit::shared_data("ros-bags") else { return };
    let bag = data.join("evo/nav2_turtlebot.mcap");
    if !bag.exists() {
        testkit::skip("nav2_turtlebot.mcap of ros-bags is absent");
        return;
    }
    let bag = bag.to_str().unwrap();
    let report = place.report(&[bag, "--topic", "/amcl_pose", "--truth", bag, "--truth-topic", "/odom"]);
    let found = codes(&report);
    assert!(NONSENSE.iter().all(|code| !found.iter().any(|one| one == code)), "{found:?}");
    assert!(detail(&report, "ate_translation")["rmse"].as_f64().unwrap() > 0.1, "two topics, not one");
}

fn real_relations(place: &Place) {
    let Some(data) = testkit::shared_data("freiburg-relations") else { return };
    let file = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let relations = file("intel.relations");
    for log in ["derived-intel-910-corrected.log.gz", "derived-intel-910-rawodom.log.gz", "intel.gfs.log.gz"]
    {
        let found = codes(&place.report(&[&file(log), "--relations", &relations]));
        assert!(NONSENSE.iter().all(|code| !found.iter().any(|one| one == code)), "{log}: {found:?}");
    }
}
