//! The researcher's work with `mapjudge traj`: single errors, saved results, selected poses, tables and figures for a
//! paper.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A pose: time, x, y, heading.
pub type Row = (f64, f64, f64, f64);

/// A drive with turns, 300 poses at 10 Hz, along its own headings.
pub fn drive() -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut x, mut y) = (1.0, 2.0);
    for i in 0..300 {
        let t = f64::from(i) / 10.0;
        let heading = 1.5 * (0.3 * t).sin() + 0.1 * t;
        rows.push((100.0 + t, x, y, heading));
        x += 0.08 * heading.cos();
        y += 0.08 * heading.sin();
    }
    rows
}

/// The drive as a system with small errors sees it.
pub fn estimate() -> Vec<Row> {
    let shaken = |&(t, x, y, heading): &Row| {
        (t, x + 0.01 * (3.0 * t).sin(), y + 0.01 * (2.3 * t).cos(), heading + 0.01 * (1.7 * t).sin())
    };
    drive().iter().map(shaken).collect()
}

pub fn changed(change: impl Fn(Row) -> Row) -> Vec<Row> {
    estimate().into_iter().map(change).collect()
}

pub fn tum(rows: &[Row]) -> String {
    let mut text = String::new();
    for (t, x, y, heading) in rows {
        let (sin, cos) = (heading / 2.0).sin_cos();
        writeln!(text, "{t} {x} {y} 0 0 0 {sin} {cos}").unwrap();
    }
    text
}

pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("truth.tum", &tum(&drive()));
        place.write("slam.tum", &tum(&estimate()));
        place.write("worse.tum", &tum(&changed(|(t, x, y, h)| (t, x + 0.1 * (0.2 * t).sin(), y, h))));
        place
    }

    pub fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        command.arg("traj").args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    pub fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn report(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// The findings of an estimate against the truth.
    pub fn findings(&self, content: &str, arguments: &[&str]) -> Vec<String> {
        self.write("est.tum", content);
        codes(&self.report(&[&["est.tum", "--truth", "truth.tum"], arguments].concat()))
    }
}

pub fn codes(report: &Value) -> Vec<String> {
    let findings = report["cases"][0]["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

pub fn detail<'a>(report: &'a Value, id: &str) -> &'a Value {
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    &metrics.iter().find(|metric| metric["id"] == id).unwrap()["detail"]
}

/// A column of a CSV text.
fn column(text: &str, name: &str) -> Vec<f64> {
    let index = text.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    text.lines().skip(1).map(|line| line.split(',').nth(index).unwrap().parse().unwrap()).collect()
}

fn rmse(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

#[test]
fn every_error_of_every_pose_pair_and_relation_is_written() {
    let place = Place::new();
    place.write(
        "truth.relations",
        "100 101 0.8 0 0 0 0 0.2\n101 103 1.5 0.2 0 0 0 0.5\n100 120 3 2 0 0 0 1\n",
    );
    let report =
        place.report(&["slam.tum", "--truth", "truth.tum", "--relations", "truth.relations", "--out", "o"]);
    let errors = place.read("o/errors.csv");
    assert_eq!(errors.lines().count(), 301);
    for (id, name) in [("ate_translation", "translation_error_m"), ("ate_rotation", "rotation_error_deg")] {
        let value = detail(&report, id)["rmse"].as_f64().unwrap();
        assert!((rmse(&column(&errors, name)) - value).abs() < 1e-12, "{id}");
    }
    let (x, true_x) = (column(&errors, "x_m"), column(&errors, "true_x_m"));
    assert!(x.iter().zip(&true_x).all(|(a, b)| (a - b).abs() < 0.1), "places are in the frame of the truth");
    let pairs = place.read("o/pair_errors.csv");
    let value = detail(&report, "rpe_translation")["rmse"].as_f64().unwrap();
    assert!((rmse(&column(&pairs, "translation_error_m")) - value).abs() < 1e-12);
    let relations = column(&place.read("o/relation_errors.csv"), "translation_error_m");
    assert_eq!(relations.len(), 3);
    let mean = detail(&report, "relative_displacement")["translation_m"]["mean"].as_f64().unwrap();
    assert!((relations.iter().sum::<f64>() / 3.0 - mean).abs() < 1e-12);
}

/// Errors and figures rest on the fit that the metric used, not on the default one.
#[test]
fn errors_and_figures_follow_the_options_of_the_metric() {
    let place = Place::new();
    place.write("far.tum", &tum(&changed(|(t, x, y, h)| (t, x + 5.0, y, h))));
    place.text(&["far.tum", "--truth", "truth.tum", "--align", "none", "--out", "o"]);
    assert!(column(&place.read("o/errors.csv"), "translation_error_m").iter().all(|error| *error > 4.0));
    assert!(place.read("o/far_path.svg").contains("5.0"), "the scale of colours reaches to 5 m");
}

#[test]
fn the_table_has_the_statistics_that_evo_prints() {
    let place = Place::new();
    let table = place.text(&["slam.tum", "worse.tum", "--truth", "truth.tum"]);
    for name in ["rmse", "mean", "median", "std", "min", "max", "sse"] {
        assert!(table.contains(name), "{name}: {table}");
    }
    let report = place.report(&["slam.tum", "--truth", "truth.tum"]);
    let detail = detail(&report, "ate_translation");
    let (rmse, count) = (detail["rmse"].as_f64().unwrap(), detail["count"].as_f64().unwrap());
    assert!((detail["sse"].as_f64().unwrap() - rmse * rmse * count).abs() < 1e-12);
}

#[test]
fn saved_results_are_compared_without_measuring_again() {
    let place = Place::new();
    for run in ["slam", "worse"] {
        let out = format!("results/{run}");
        place.text(&[&format!("{run}.tum"), "--truth", "truth.tum", "--out", &out]);
        std::fs::remove_file(place.path(&format!("{run}.tum"))).unwrap();
    }
    let table = place.text(&["compare", "results/slam", "results/worse", "--out", "both"]);
    let row = table.lines().find(|line| line.contains("Absolute trajectory error, translation")).unwrap();
    assert_eq!(row.matches('*').count(), 1, "the best is marked: {table}");
    assert!(!table.contains("RUNS_NOT_COMPARABLE"), "{table}");
    for file in
        ["paths.pdf", "paths.svg", "errors_over_time.pdf", "poses_over_time.pdf", "errors.csv", "report.html"]
    {
        assert!(place.path(&format!("both/{file}")).exists(), "{file}");
    }
    // A run that was judged otherwise says so.
    place.write("slam.tum", &tum(&estimate()));
    place.text(&["slam.tum", "--truth", "truth.tum", "--align", "none", "--out", "results/other"]);
    let table = place.text(&["compare", "results/slam/report.json", "results/other"]);
    assert!(table.contains("RUNS_NOT_COMPARABLE") && table.contains("other parameters"), "{table}");
    assert!(
        table.contains("slam/slam") && table.contains("other/slam"),
        "equal names get their folder: {table}"
    );
    // What is no result is refused.
    let output = place.run(&["compare", "truth.tum"]);
    assert_eq!(output.status.code(), Some(2));
    let output = place.run(&["compare", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn figures_of_all_runs_are_written_as_svg_and_pdf() {
    let place = Place::new();
    place.text(&["slam.tum", "worse.tum", "--truth", "truth.tum", "--out", "o"]);
    for name in
        ["paths", "paths_by_error", "errors_over_time", "poses_over_time", "ranking", "boxes", "slam_path"]
    {
        assert!(place.read(&format!("o/{name}.svg")).starts_with("<svg"), "{name}");
        let pdf = std::fs::read(place.path(&format!("o/{name}.pdf"))).unwrap();
        assert!(pdf.starts_with(b"%PDF-1.4") && pdf.ends_with(b"%%EOF\n"), "{name}");
    }
    let together = place.read("o/paths.svg");
    assert!(together.contains(">truth<") && together.contains(">slam<") && together.contains(">worse<"));
    assert_eq!(place.read("o/paths_by_error.svg").matches(">error in m<").count(), 1, "one colour bar");
    let states = place.read("o/poses_over_time.svg");
    assert!(states.contains(">x in m<") && states.contains(">y in m<") && states.contains(">yaw in deg<"));
    assert!(place.read("o/report.html").contains("All runs together"));
}

#[test]
fn poses_are_selected_as_evo_does_it() {
    let place = Place::new();
    let count = |arguments: &[&str]| {
        let report = place.report(&[&["slam.tum", "--truth", "truth.tum"], arguments].concat());
        detail(&report, "ate_translation")["count"].as_u64().unwrap()
    };
    assert_eq!(count(&[]), 300);
    assert_eq!(count(&["--t-start", "105", "--t-end", "110"]), 51);
    assert_eq!(count(&["--downsample", "50"]), 50);
    let filtered = count(&["--motion-filter", "0.5", "180", "--max-dt", "0.2"]);
    assert!((40..=60).contains(&filtered), "24 m of path: {filtered}");
    assert_eq!(count(&["--project", "xy"]), 300);
    for (arguments, word) in [
        (&["--t-start", "9", "--t-end", "8"][..], "t_end_s"),
        (&["--downsample", "0"], "downsample"),
        (&["--motion-filter", "-1", "2"], "motion_filter"),
        (&["--project", "zz"], "xy, xz, yz"),
    ] {
        let output = place.run(&[&["slam.tum", "--truth", "truth.tum"], arguments].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && message.contains(word), "{arguments:?}: {message}");
    }
}

/// A planar estimate against a truth with ramps is compared in the plane, unless it is asked to be compared in space.
#[test]
fn a_projection_takes_heights_and_tilts_away() {
    let place = Place::new();
    let mut tilted = String::new();
    for (i, (t, x, y, heading)) in drive().iter().enumerate() {
        let (sin, cos) = (heading / 2.0).sin_cos();
        // Yaw after a pitch of 0.2 rad.
        let (ps, pc) = (0.1_f64.sin(), 0.1_f64.cos());
        let z = 0.01 * i as f64;
        writeln!(tilted, "{t} {x} {y} {z} {} {} {} {}", -sin * ps, cos * ps, sin * pc, cos * pc).unwrap();
    }
    place.write("ramp.tum", &tilted);
    let rotation = |arguments: &[&str]| {
        let report =
            place.report(&[&["slam.tum", "--truth", "ramp.tum", "--align", "none"], arguments].concat());
        (
            detail(&report, "ate_rotation")["rmse"].as_f64().unwrap(),
            detail(&report, "ate_translation")["max"].as_f64().unwrap(),
        )
    };
    let (tilt_deg, height_m) = rotation(&["--project", "space"]);
    assert!(tilt_deg > 10.0 && height_m > 2.0, "{tilt_deg} {height_m}");
    for arguments in [&["--project", "xy"][..], &[]] {
        let (flat_deg, flat_m) = rotation(arguments);
        assert!(flat_deg < 1.0 && flat_m < 0.05, "{flat_deg} {flat_m}");
    }
}

#[test]
fn tables_for_papers_have_the_digits_units_and_names_asked_for() {
    let place = Place::new();
    let metrics =
        ["--metrics", "ate_translation,ate_rotation", "--name", "slam=Ours & co", "--name", "worse=Theirs"];
    let base = [&["slam.tum", "worse.tum", "--truth", "truth.tum"][..], &metrics].concat();
    let latex = |more: &[&str]| place.text(&[&base[..], &["--format", "latex"], more].concat());
    let rows = latex(&["--digits", "2", "--unit", "mm"]);
    assert!(
        rows.contains("\\begin{tabular}{lrrr}") && rows.contains("(mm)") && rows.contains("(deg)"),
        "{rows}"
    );
    let ours = rows.lines().find(|line| line.starts_with("Ours \\& co & ")).unwrap();
    assert!(ours.contains("\\mathbf{") && ours.ends_with("\\\\"), "{ours}");
    let number = ours.split("\\mathbf{").nth(1).unwrap().split('}').next().unwrap();
    assert_eq!(number.split('.').nth(1).unwrap().len(), 2, "{number}");
    let columns = latex(&["--transpose"]);
    assert!(columns.contains("Metric & Unit & ") && !columns.contains("Method & ATE"), "{columns}");
    let markdown = place
        .text(&[&base[..], &["--format", "md", "--transpose", "--digits", "1", "--unit", "cm"]].concat());
    assert!(markdown.contains("| Theirs |") && markdown.contains("ATE in cm"), "{markdown}");
    for (wrong, word) in [("other=x", "nothing is called"), ("slam=worse", "already"), ("slam", "OLD=NEW")] {
        let output = place.run(&["slam.tum", "worse.tum", "--truth", "truth.tum", "--name", wrong]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && message.contains(word), "{wrong}: {message}");
    }
}

/// Estimate and truth of one bag are two topics of it.
#[test]
fn the_truth_of_a_bag_has_a_topic_of_its_own() {
    let place = Place::new();
    let folder = place.folder.path();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
            .args(arguments)
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["arena", "random", "--seed", "3", "--width", "6", "--height", "3.6", "--out", "arena"]);
    run(&["simulate", "arena", "--drive", "explore", "--longest", "20", "--out", "drive"]);
    run(&["convert", "drive/log.usar", "run.mcap", "--lossy"]);
    let same = place.report(&["run.mcap", "--topic", "/odom", "--truth", "run.mcap"]);
    assert!(codes(&same).contains(&"TRUTH_IS_ESTIMATE".to_owned()), "{:?}", codes(&same));
    let other =
        place.run(&["run.mcap", "--topic", "/odom", "--truth", "run.mcap", "--truth-topic", "/mocap"]);
    let message = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.code() == Some(2) && message.contains("/mocap"), "{message}");
    let of_file = place.report(&["drive/truth.tum", "--truth", "run.mcap", "--truth-topic", "/odom"]);
    assert!(!codes(&of_file).contains(&"TRUTH_IS_ESTIMATE".to_owned()), "{:?}", codes(&of_file));
    assert!(detail(&of_file, "ate_translation")["rmse"].as_f64().unwrap() > 1e-4);
}

#[test]
fn the_journey_of_the_researcher_takes_three_commands() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../journeys/researcher.sh");
    if Command::new("bash").arg("--version").output().is_err() {
        testkit::skip("bash is absent");
        return;
    }
    let output =
        Command::new("bash").arg(script).env("MAPJUDGE", env!("CARGO_BIN_EXE_mapjudge")).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("in 3 commands"), "{out}{err}");
}
