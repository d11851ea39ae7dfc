//! `mapjudge contest` as a judge uses it: files in, ranking, sheets and bundles out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_geotiff};
use model::{
    Attribute, CellClass, Column, ColumnType, Feature, Grid, GridGeometry, NavigationClass, Point2, Pose2,
    Shape, VectorLayer,
};
use serde_json::Value;

/// Side of the test place in cells of half a metre.
const SIDE: usize = 60;

fn geometry() -> GridGeometry {
    GridGeometry::new(SIDE, SIDE, 0.5, Pose2::IDENTITY).unwrap()
}

/// A place without a wall, so that only the layers of the teams matter.
fn write_truth(folder: &Path) {
    let truth = Grid::new(geometry(), vec![CellClass::Free; SIDE * SIDE]).unwrap();
    let (yaml, pgm) = formats::write_ros_map(&truth, "truth.pgm");
    std::fs::write(folder.join("truth.yaml"), yaml).unwrap();
    std::fs::write(folder.join("truth.pgm"), pgm).unwrap();
    std::fs::write(folder.join("victims.geojson"), victims(&[1, 2, 3, 4], None)).unwrap();
}

/// A navigation layer whose first cells, row by row from the top, are cleared.
fn layer(cleared: usize) -> Vec<u8> {
    let class = |index| if index < cleared { NavigationClass::Cleared } else { NavigationClass::Unknown };
    let cells: Vec<NavigationClass> = (0..SIDE * SIDE).map(class).collect();
    let layers = [GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&cells) }];
    write_geotiff(&geometry(), &GeoTiffFrame::Local("arena".into()), &layers).unwrap()
}

/// Victims 1 and 2 lie in the upper rows, which every team cleared; 3 and 4 where nobody did. The status of `wrong` is.
fn victims(reported: &[usize], wrong: Option<usize>) -> String {
    let feature = |&id: &usize| {
        let row = [5.0, 10.0, 50.0, 55.0][id - 1];
        let status = if wrong == Some(id) { "dead" } else { "alive" };
        Feature {
            shape: Shape::Point(Point2::new(10.25, (SIDE as f64 - row - 0.5) * 0.5)),
            attributes: [format!("V{id}"), status.to_owned(), "0".to_owned()].map(Attribute::Text).into(),
            style: Vec::new(),
        }
    };
    let column = |name: &str| Column { name: name.to_owned(), kind: ColumnType::Text { width: 20 } };
    let columns = ["ID", "STATUS", "T"].map(column).into();
    let features = reported.iter().map(feature).collect();
    formats::write_geojson(&VectorLayer { name: "victims".into(), columns, features }).unwrap()
}

pub struct Team {
    name: &'static str,
    cleared: usize,
    victims: String,
    operators: u32,
    judged: [f64; 5],
}

/// Worked example 05-E4: areas, victims, criteria and operators of four teams.
pub fn four_teams() -> [Team; 4] {
    let team = |name, area_m2: usize, victims, operators, judged| Team {
        name,
        cleared: area_m2 * 4,
        victims,
        operators,
        judged,
    };
    [
        team("A", 373, victims(&[1, 2], None), 1, [4.0, 4.0, 1.0, 5.0, 2.0]),
        team("B", 286, victims(&[1], None), 1, [3.0, 4.0, 2.0, 5.0, 9.0]),
        team("C", 351, victims(&[1, 2, 3], Some(3)), 2, [2.0, 2.0, 3.0, 5.0, 1.0]),
        team("D", 679, victims(&[], None), 1, [1.0, 1.0, 4.0, 5.0, 0.0]),
    ]
}

pub fn write_contest(folder: &Path, teams: &[Team]) -> PathBuf {
    write_truth(folder);
    let mut text = String::from(
        "title = 'E4'\nprofile = 'vr-2008'\n[truth]\nmap = 'truth.yaml'\nvictims = 'victims.geojson'\n\
         [files]\nmap = 'nav.tif'\nvictims = 'victims.geojson'\n\
         [set.victims]\nlocation_weight = 0.5\nstatus_weight = 0.5\n",
    );
    for team in teams {
        let place = folder.join(team.name);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("nav.tif"), layer(team.cleared)).unwrap();
        std::fs::write(place.join("victims.geojson"), &team.victims).unwrap();
        let [utility, skeleton, metric, attribution, grouping] = team.judged;
        write!(
            text,
            "[[teams]]\nname = '{0}'\nfolder = '{0}'\noperators = {1}\n[teams.values]\nutility = {utility}\n\
             skeleton = {skeleton}\nmetric = {metric}\nattribution = {attribution}\ngrouping = {grouping}\n",
            team.name, team.operators
        )
        .unwrap();
    }
    let path = folder.join("contest.toml");
    std::fs::write(&path, text).unwrap();
    path
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::cargo_bin("mapjudge")
        .unwrap()
        .current_dir(folder)
        .arg("contest")
        .args(arguments)
        .output()
        .unwrap()
}

pub fn contest(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[&["contest.toml", "--format", "json"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn team<'a>(contest: &'a Value, name: &str) -> &'a Value {
    contest["ranking"].as_array().unwrap().iter().find(|team| team["team"] == name).unwrap()
}

#[test]
fn e4_the_score_of_four_teams_comes_out_of_their_files() {
    let folder = tempfile::tempdir().unwrap();
    write_contest(folder.path(), &four_teams());
    let judged = contest(folder.path(), &[]);
    let expected = [
        ("A", 0.549_337, 0.8, vec![1.0, 1.0], 107.4669),
        ("B", 0.321_208, 0.85, vec![1.0], 78.5604),
        ("C", 0.516_937, 0.65, vec![1.0, 1.0, 0.5], 27.0867),
        ("D", 0.8, 0.55, vec![], 67.5),
    ];
    for (name, e, m, v, score) in expected {
        let team = team(&judged, name);
        let part = |name: &str| team["parts"][name].as_f64().unwrap();
        assert!((part("E") - e).abs() < 1e-6, "{name}: E {} {:#}", part("E"), team["missions"]);
        assert!((part("M") - m).abs() < 1e-9, "{name}: M {}", part("M"));
        assert_eq!(team["parts"]["V"], serde_json::json!(v), "{name}");
        assert!((team["score"].as_f64().unwrap() - score).abs() < 5e-5, "{name}: {}", team["score"]);
    }
    let order: Vec<&str> =
        judged["ranking"].as_array().unwrap().iter().map(|t| t["team"].as_str().unwrap()).collect();
    assert_eq!(order, ["A", "B", "D", "C"]);
    assert_eq!(judged["schema"], "mapjudge.contest/1");
    assert_eq!(judged["profile"], "vr-2008");
    let quality = &judged["ranking"][0]["missions"][0]["parts"][1];
    assert_eq!((quality["name"].as_str(), quality["by_judge"].as_bool()), (Some("M"), Some(true)));
}

#[test]
fn the_output_has_everything_a_judge_needs() {
    let folder = tempfile::tempdir().unwrap();
    write_contest(folder.path(), &four_teams());
    let output = run(folder.path(), &["contest.toml", "--out", "result"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("(w_E*E + w_M*M + w_V*sum(V) - w_F*F) / O^exponent"), "{text}");
    let result = folder.path().join("result");
    for name in [
        "contest.json",
        "ranking.txt",
        "ranking.csv",
        "ranking.md",
        "ranking.tex",
        "ranking.xml",
        "index.html",
    ] {
        assert!(result.join(name).is_file(), "{name}");
    }
    let judged: Value = serde_json::from_slice(&std::fs::read(result.join("contest.json")).unwrap()).unwrap();
    for team in judged["ranking"].as_array().unwrap() {
        let mission = &team["missions"][0];
        let read = |key: &str| std::fs::read_to_string(result.join(mission[key].as_str().unwrap())).unwrap();
        let report: Value = serde_json::from_str(&read("report")).unwrap();
        assert_eq!(report["schema"], "mapjudge.report/1");
        let sheet = read("sheet");
        assert!(
            sheet.contains("Judge") && sheet.contains("size: A4") && sheet.contains("entered by a judge")
        );
    }
    assert!(
        judged["significance"].as_array().is_some_and(|pairs| pairs.len() == 6),
        "{}",
        judged["significance"]
    );
    assert!(judged["resampling"]["resampled"].to_string().contains("blocks of cells"));
    let statement = judged["sensitivity"].to_string();
    assert!(statement.contains("flips if w_"), "{statement}");
    let bundles = std::fs::read_dir(result.join("appeals")).unwrap().count();
    assert_eq!(bundles, 4);
    let script = "import zipfile,sys,json; z=zipfile.ZipFile(sys.argv[1]); m=json.loads(z.read('manifest.json')); \
                  assert m['command'].startswith('mapjudge contest contest.toml'), m; \
                  assert all(len(i['blake3'])==64 for i in m['truth']+m['missions'][0]['inputs']), m; \
                  assert m['parameters']['read']['palette']=='navigation', m; \
                  assert 'formula' in z.read('profile.toml').decode(); \
                  assert {'sheet.html','report.json','overlay.png','contest.json'} <= set(z.namelist()), z.namelist()";
    let bundle = std::fs::read_dir(result.join("appeals")).unwrap().next().unwrap().unwrap().path();
    match std::process::Command::new("python3").args(["-c", script]).arg(bundle).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => testkit::skip("python3 is absent"),
    }
}

/// All files below a folder by their path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else {
                found.insert(entry.strip_prefix(folder).unwrap().to_owned(), std::fs::read(&entry).unwrap());
            }
        }
    }
    found
}

#[test]
fn two_runs_and_any_number_of_threads_give_the_same_bytes_and_no_trace_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_contest(folder.path(), &four_teams());
    run(folder.path(), &["contest.toml", "--out", "one", "--threads", "1"]);
    run(folder.path(), &["contest.toml", "--out", "two", "--threads", "2"]);
    // As an absolute path, from another folder, and a second time over the same output.
    let elsewhere = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        run(elsewhere.path(), &[file.to_str().unwrap(), "--out", "three"]);
    }
    let one = files(&folder.path().join("one"));
    assert!(one.len() > 20, "{:?}", one.keys());
    for other in [folder.path().join("two"), elsewhere.path().join("three")] {
        let other = files(&other);
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        for (name, bytes) in &one {
            assert!(other[name] == *bytes, "{} differs", name.display());
        }
    }
    let user = std::env::var("USER").unwrap_or_default();
    for (name, bytes) in &one {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(folder.path().to_str().unwrap()), "{} names a folder", name.display());
        assert!(user.len() < 5 || !text.contains(&user), "{} names the user", name.display());
    }
    let stamped = contest(folder.path(), &["--stamp", "18 July, 12:00"]);
    assert_eq!(stamped["stamp"], "18 July, 12:00");
}

#[test]
fn a_second_run_measures_only_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    write_contest(folder.path(), &four_teams());
    let first = run(folder.path(), &["contest.toml", "--out", "result"]);
    assert!(!String::from_utf8_lossy(&first.stderr).contains("did not change"));
    let message = |output: Output| String::from_utf8(output.stderr).unwrap();
    assert!(message(run(folder.path(), &["contest.toml", "--out", "result"])).contains("4 of 4 submissions"));
    std::fs::write(folder.path().join("B/nav.tif"), layer(4 * 300)).unwrap();
    assert!(message(run(folder.path(), &["contest.toml", "--out", "result"])).contains("3 of 4 submissions"));
    let anew = run(folder.path(), &["contest.toml", "--out", "result", "--no-cache"]);
    assert!(!message(anew).contains("did not change"), "nothing is taken from an earlier run");
    run(folder.path(), &["contest.toml", "--out", "other", "--no-cache"]);
    assert!(folder.path().join("other/index.html").is_file() && !folder.path().join("other/cache").exists());
    let changed = contest(folder.path(), &["--out", "result"]);
    assert!((team(&changed, "B")["parts"]["E"].as_f64().unwrap() - (300.0 / 679.0 - 0.1)).abs() < 1e-9);
    let caches = std::fs::read_dir(folder.path().join("result/cache")).unwrap().count();
    assert_eq!(caches, 4, "entries that nobody needs are removed");
}

#[test]
fn broken_submissions_get_zero_with_the_reason_and_stop_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_contest(folder.path(), &four_teams());
    let mut text = std::fs::read_to_string(&path).unwrap();
    let whole = layer(1000);
    let yaml_out = String::from("image: ../truth.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n");
    let broken: [(&str, &str, Vec<u8>); 7] = [
        ("empty", "nav.tif", Vec::new()),
        ("cut", "nav.tif", whole[..whole.len() / 2].to_vec()),
        ("noise", "nav.tif", (0..9999_u32).map(|n| (n * 7 % 251) as u8).collect()),
        ("text", "nav.tif", b"see our web page".to_vec()),
        ("huge", "nav.tif", b"II*\0\x08\0\0\0\x01\0\0\x01\x04\0\x01\0\0\0\xff\xff\xff\xff\0\0\0\0".to_vec()),
        ("thief", "nav.yaml", yaml_out.into_bytes()),
        ("nothing", "readme.txt", b"we were ill".to_vec()),
    ];
    for (name, file, bytes) in &broken {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join(file), bytes).unwrap();
        writeln!(text, "[[teams]]\nname = '{name}'\nfolder = '{name}'\nfiles = {{ map = 'nav.*' }}").unwrap();
    }
    writeln!(text, "[[teams]]\nname = 'absent'\nfolder = 'absent'").unwrap();
    std::fs::write(&path, text).unwrap();
    let judged = contest(folder.path(), &["--out", "result"]);
    assert!((team(&judged, "A")["parts"]["E"].as_f64().unwrap() - 0.549_337).abs() < 1e-6);
    for name in broken.iter().map(|(name, ..)| *name).chain(["absent"]) {
        let team = team(&judged, name);
        assert_eq!(team["score"], 0.0, "{name}");
        assert_eq!(team["missions"][0]["outcome"], "broken", "{name}: {:#}", team["missions"][0]);
        let reason = team["missions"][0]["reason"].as_str().unwrap();
        assert!(reason.len() > 5 && !reason.contains(folder.path().to_str().unwrap()), "{name}: {reason}");
    }
    assert!(team(&judged, "thief")["missions"][0]["reason"].to_string().contains("outside of the folder"));
    assert!(judged["findings"].to_string().contains("SUBMISSION_BROKEN"));
}

#[test]
fn hostile_names_are_escaped_everywhere_and_stay_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_contest(folder.path(), &four_teams()[..2]);
    let names = [
        "<script>alert(1)</script>".to_owned(),
        "../../escape".to_owned(),
        "/etc/passwd".to_owned(),
        "line\nbreak".to_owned(),
        "x".repeat(10_000),
        "\u{202e}reversed".to_owned(),
        "..".to_owned(),
        "CON".to_owned(),
        "=cmd()".to_owned(),
        "a|b`c".to_owned(),
    ];
    let mut text = std::fs::read_to_string(&path).unwrap();
    for (index, name) in names.iter().enumerate() {
        let quoted = serde_json::to_string(name).unwrap();
        writeln!(text, "[[teams]]\nname = {quoted}\nfolder = '{}'", ["A", "B"][index % 2]).unwrap();
    }
    let label = victims(&[1, 2], None).replace("alive", "<script>alert(3)</script>");
    std::fs::write(folder.path().join("A/victims.geojson"), label).unwrap();
    text = text.replace("title = 'E4'", "title = '<script>alert(2)</script>'");
    std::fs::write(&path, text).unwrap();
    let before = files(folder.path()).len();
    let judged = contest(folder.path(), &["--out", "deep/result"]);
    assert_eq!(judged["ranking"].as_array().unwrap().len(), 12);
    assert!(names.iter().all(|name| !team(&judged, name)["rank"].is_null()));
    let result = files(&folder.path().join("deep/result"));
    assert_eq!(files(folder.path()).len(), before + result.len(), "no file outside of the output");
    for (name, bytes) in &result {
        assert!(name.to_str().unwrap().len() < 200, "{}", name.display());
        let text = String::from_utf8_lossy(bytes);
        let ending = name.extension().unwrap_or_default().to_str().unwrap();
        if ["html", "txt", "md", "tex", "xml"].contains(&ending) {
            assert!(ending == "txt" || !text.contains("<script"), "{}", name.display());
            assert!(!text.contains('\u{202e}') && !text.contains(&"x".repeat(200)), "{}", name.display());
        }
        if ending == "csv" {
            assert!(!text.contains("\n=") && !text.contains(",=cmd"), "{text}");
        }
    }
}

#[test]
fn init_writes_a_file_that_can_be_scored() {
    let folder = tempfile::tempdir().unwrap();
    write_contest(folder.path(), &four_teams()[..3]);
    let output = run(folder.path(), &["init", "."]);
    assert!(output.status.success());
    std::fs::write(folder.path().join("contest.toml"), &output.stdout).unwrap();
    let judged = contest(folder.path(), &["--resamples", "0"]);
    assert_eq!(judged["ranking"].as_array().unwrap().len(), 3);
    assert!(judged["ranking"][0]["parts"]["E"].as_f64().is_some(), "{judged:#}");
}

#[test]
fn mistakes_of_the_judge_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_contest(folder.path(), &four_teams());
    let whole = std::fs::read_to_string(&path).unwrap();
    let changes = [
        ("profile = 'vr-2008'", "profile = 'vr-2009'", "did you mean 'vr-2008'"),
        ("truth.yaml", "thruth.yaml", "thruth.yaml"),
        ("operators = 2", "operators = 0", "operators below 1"),
        ("title =", "titel =", "titel"),
    ];
    for (from, to, words) in changes {
        std::fs::write(&path, whole.replacen(from, to, 1)).unwrap();
        let output = run(folder.path(), &["contest.toml"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(words) && message.contains("hint:"), "{message}");
    }
}
