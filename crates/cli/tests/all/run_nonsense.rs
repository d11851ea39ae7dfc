//! Runs that give a number and mean nothing raise a warning, and sound ones raise none.

use std::fmt::Write;
use std::path::{Path, PathBuf};

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
}

/// Stamps of another unit that do not meet the truth are explained by the unit of the file, also where the reader took them
/// for something between, and where the clock starts with the run.
#[test]
fn stamps_of_another_unit_are_hinted_by_their_unit() {
    let place = Place::new();
    for (per_second, unit) in [(1e3, "milliseconds"), (1e6, "microseconds"), (1e9, "nanoseconds")] {
        for start_s in [0.0, 100.0] {
            let stamp = |t: f64| ((t - 100.0 + start_s) * per_second).round();
            place.write("est.tum", &tum(&changed(|(t, x, y, h)| (stamp(t), x, y, h))));
            let report = place.report(&["est.tum", "--truth", "truth.tum"]);
            let expected = format!("are its stamps in {unit}?");
            assert!(report.to_string().contains(&expected), "{unit} from {start_s} s: {report}");
        }
    }
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

/// Folders of the shared data with poses over time; bags and relations have their own tests.
const RUNS: [&str; 6] = [
    "carmen-corrected",
    "freiburg-relations",
    "intel-rawlog",
    "pose-graphs/vertigo",
    "tinyslam-logs",
    "trajectories/evo",
];

/// Every shared run against a copy of itself that is shaken by a centimetre: two sound runs, whatever their format, clock and
/// size, so that no warning has a cause.
#[test]
fn no_shared_run_is_called_nonsense() {
    let place = Place::new();
    let mut judged = 0;
    for folder in RUNS {
        let Some(data) = testkit::shared_data(folder) else { continue };
        for file in files_below(&data) {
            let name = file.to_str().unwrap();
            let Some(poses) = poses_of(&place, name) else { continue };
            place.write("shaken.tum", &shaken(&poses));
            let mut output = place.run(&[name, "--truth", "shaken.tum", "--format", "json"]);
            if !output.status.success() {
                // Some logs have lost their stamps.
                let by_index = ["--associate", "index", "--format", "json"];
                output = place.run(&[&[name, "--truth", "shaken.tum"][..], &by_index].concat());
            }
            let report = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|_| panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            let found = codes(&report);
            assert!(NONSENSE.iter().all(|code| !found.iter().any(|one| one == code)), "{name}: {found:?}");
            judged += 1;
        }
    }
    println!("{judged} runs judged");
}

/// Files of a folder and the folders in it, sorted, without pictures and pages.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_other = |path: &PathBuf| {
        let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().into_owned());
        ["png", "md", "zip", "relations", "g2o"].contains(&ending.as_str())
    };
    let mut found: Vec<PathBuf> = files.into_iter().filter(|path| !is_other(path)).collect();
    found.extend(folders.iter().flat_map(|folder| files_below(folder)));
    found.sort();
    found
}

/// The poses of a run as TUM rows; none if the file has none.
fn poses_of(place: &Place, name: &str) -> Option<String> {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mapjudge"));
    let target = place.path("poses.tum");
    let _ = std::fs::remove_file(&target);
    command.args(["convert", "--lossy", name]).arg(&target).output().unwrap();
    let rows = std::fs::read_to_string(target).ok()?;
    rows.lines().any(|row| !row.starts_with('#')).then_some(rows)
}

fn shaken(rows: &str) -> String {
    let mut text = String::new();
    for (index, row) in rows.lines().filter(|row| !row.starts_with('#')).enumerate() {
        let mut columns: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
        let number = index as f64;
        for (column, by) in [(1, (0.3 * number).sin()), (2, (0.23 * number).cos())] {
            columns[column] = (columns[column].parse::<f64>().unwrap() + 0.01 * by).to_string();
        }
        writeln!(text, "{}", columns.join(" ")).unwrap();
    }
    text
}

/// Nonsense that gives a number, what says so, and the test that fails without it.
const TABLE: [(&str, &str, &str); 25] = [
    ("map mirrored", "MAP_MIRRORED", "mirrored_and_upside_down_maps_are_never_a_match"),
    ("map upside down", "MAP_MIRRORED", "mirrored_and_upside_down_maps_are_never_a_match"),
    ("map shifted", "FRAME_DOUBTFUL", "shifts_from_0_3_to_5_m_and_rotations_are_found"),
    ("map turned by 90 degrees", "FRAME_DOUBTFUL", "shifts_from_0_3_to_5_m_and_rotations_are_found"),
    ("map scaled by 1.1", "SCALE_DOUBTFUL", "maps_in_other_units_of_length_are_named"),
    ("resolution wrong by 1.1", "SCALE_DOUBTFUL", "a_wrong_cell_size_is_named"),
    ("origin swapped", "FRAME_DOUBTFUL", "origins_that_are_zero_swapped_or_turned_in_degrees_are_doubtful"),
    ("origin zero", "FRAME_DOUBTFUL", "origins_that_are_zero_swapped_or_turned_in_degrees_are_doubtful"),
    (
        "yaw of the origin in degrees",
        "FRAME_DOUBTFUL",
        "origins_that_are_zero_swapped_or_turned_in_degrees_are_doubtful",
    ),
    ("negate", "MAP_NEGATED", "swapped_colours_random_cells_and_an_unknown_truth_have_their_own_words"),
    ("arguments swapped", "TRUTH_LIKE_A_ROBOT_MAP", "exchanged_arguments_are_noticed"),
    (
        "random cells",
        "MAP_WITHOUT_STRUCTURE",
        "swapped_colours_random_cells_and_an_unknown_truth_have_their_own_words",
    ),
    (
        "truth of unknown cells only",
        "NO_KNOWN_CELLS_IN_TRUTH",
        "swapped_colours_random_cells_and_an_unknown_truth_have_their_own_words",
    ),
    ("quaternions w first", "QUATERNION_ORDER_DOUBTFUL", "nonsense_is_said"),
    ("headings in degrees", "HEADINGS_MAY_BE_DEGREES", "headings_and_relations_in_degrees_are_said"),
    ("millimetres", "POSITIONS_IN_OTHER_UNIT", "nonsense_is_said"),
    ("latitude and longitude", "POSITIONS_MAY_BE_DEGREES", "nonsense_is_said"),
    ("scale 1.1", "SCALE_SUSPECTED", "nonsense_is_said"),
    ("a clock stretched by 5 %", "CLOCK_STRETCHED", "nonsense_is_said"),
    (
        "relations with yaw in degrees",
        "RELATION_ANGLES_MAY_BE_DEGREES",
        "headings_and_relations_in_degrees_are_said",
    ),
    ("a standing estimate", "ESTIMATE_STANDS", "nonsense_is_said"),
    ("stamps in nanoseconds", "NO_COMMON_TIME", "stamps_of_another_unit_are_hinted_by_their_unit"),
    ("a truth equal to the estimate", "TRUTH_IS_ESTIMATE", "nonsense_is_said"),
    ("no false alarm, real maps", "FRAME_DOUBTFUL", "real_maps_in_the_frame_of_their_truth_raise_no_doubt"),
    ("no false alarm, real runs", "SCALE_SUSPECTED", "no_shared_run_is_called_nonsense"),
];

#[test]
fn every_line_of_nonsense_has_a_code_and_a_test() {
    let tests = [include_str!("run_nonsense.rs"), include_str!("../../../suite/tests/all/frame.rs")].concat();
    let codes = include_str!("../../../suite/src/files/lint/codes.tsv");
    for (line, code, test) in TABLE {
        assert!(codes.lines().any(|row| row.starts_with(code)), "{line}: {code} is no known code");
        assert!(tests.contains(&format!("#[test]\nfn {test}()")), "{line}: {test} is no test");
    }
}
