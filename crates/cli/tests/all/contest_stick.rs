//! `mapjudge contest` on a stick as teams fill it: labelled points, wrong names, copies, archives and thieves.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const HEAD: &str = "\"pois\"\n\"1.2\"\n\"Team\"\n\"Country\"\n\"2025-07-19\"\n\"14:30:05\"\n\"Final\"\n\n\
                    id,time,text,x,y,z,robot,mode,type\n";

fn list(shift_m: f64) -> String {
    let rows = [("7", "ar_tag", 0.0, 0.0), ("8", "ar_tag", 6.0, 1.0), ("helmet", "real_object", 1.0, 8.0)];
    let row = |(id, (text, kind, x, y)): (usize, (&str, &str, f64, f64))| {
        format!("{},14:32:10,\"{text}\",{},{y},0.3,\"r1\",A,{kind}\n", id + 1, x + shift_m)
    };
    HEAD.to_owned() + &rows.into_iter().enumerate().map(row).collect::<String>()
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Scores `contest.toml` of a folder.
fn judged(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[&["contest", "contest.toml", "--format", "json"], arguments].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn team<'a>(contest: &'a Value, name: &str) -> &'a Value {
    contest["ranking"].as_array().unwrap().iter().find(|team| team["team"] == name).unwrap()
}

fn codes_of(contest: &Value, name: &str) -> Vec<String> {
    let findings = contest["findings"].as_array().unwrap().iter().filter(|finding| finding["team"] == name);
    findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

fn teams(names: &[&str]) -> String {
    names.iter().map(|name| format!("[[teams]]\nname = '{name}'\nfolder = '{name}'\n")).collect()
}

const RULES: &str = "profile = 'rrl-2025'\n[truth]\npoints = 'truth.csv'\n";

#[test]
fn without_true_points_the_judge_is_told_and_no_team_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a/pois.csv", list(0.0));
    write(folder.path(), "contest.toml", format!("profile = 'rrl-2025'\n{}", teams(&["a"])));
    let output = run(folder.path(), &["contest", "contest.toml", "--out", "result"]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("the contest names no true points: without it no team has P, coverage"),
        "{message}"
    );
    assert!(message.contains("hint: add points = \"FILE\" under [truth]"), "{message}");
    assert!(output.stdout.is_empty() && !folder.path().join("result").exists());
    let check = run(folder.path(), &["contest", "check", "contest.toml"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&check.stdout).contains("no true points"), "{check:?}");
}

#[test]
fn case_copies_and_missing_files_are_said_and_ambiguity_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write(place, "truth.csv", list(0.0));
    write(place, "upper/POIS.CSV", list(1.0));
    write(place, "copy/pois.csv", list(2.0));
    write(place, "copy/pois (1).csv", list(2.0));
    write(place, "two/pois.csv", list(3.0));
    write(place, "two/pois_old.csv", HEAD);
    let names = teams(&["upper", "copy", "two"]);
    let text = format!("{RULES}[files]\npoints = '*.csv'\nmap = 'map.tif'\n{names}");
    write(place, "contest.toml", &text);
    let contest = judged(place, &[]);
    for name in ["upper", "copy"] {
        assert_eq!(team(&contest, name)["score"], 15.0, "{name}");
        assert!(codes_of(&contest, name).contains(&"OPTIONAL_FILE_MISSING".to_owned()), "{name}");
    }
    assert!(codes_of(&contest, "upper").contains(&"FILE_NAME_CASE".to_owned()));
    assert!(codes_of(&contest, "copy").contains(&"FILE_COPIED".to_owned()));
    let two = team(&contest, "two");
    assert!(two["score"].is_null() && two["rank"].is_null(), "no score, and no zero either: {two:#}");
    assert_eq!(two["missions"][0]["outcome"], "undefined");
    assert!(two["missions"][0]["reason"].to_string().contains("pois.csv, pois_old.csv"), "{two:#}");
    assert!(codes_of(&contest, "two").contains(&"FILE_AMBIGUOUS".to_owned()));
    write(place, "contest.toml", format!("{text}files = {{ points = 'pois.csv' }}\n"));
    assert_eq!(team(&judged(place, &[]), "two")["score"], 15.0);
}

#[test]
fn the_same_bytes_of_two_teams_and_those_of_the_truth_are_findings() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "truth.csv", list(0.0));
    for (name, shift_m) in [("a", 1.0), ("b", 1.0), ("c", 2.0), ("d", 0.0)] {
        write(folder.path(), &format!("{name}/pois.csv"), list(shift_m));
    }
    write(folder.path(), "contest.toml", format!("{RULES}{}", teams(&["a", "b", "c", "d"])));
    let contest = judged(folder.path(), &[]);
    for (name, expected) in [
        ("a", Some("FILE_OF_ANOTHER_TEAM")),
        ("b", Some("FILE_OF_ANOTHER_TEAM")),
        ("c", None),
        ("d", Some("FILE_OF_THE_TRUTH")),
    ] {
        let found = codes_of(&contest, name).into_iter().find(|code| code.starts_with("FILE_OF"));
        assert_eq!(found.as_deref(), expected, "{name}");
    }
}

#[test]
fn no_team_takes_the_folder_of_another_and_removed_teams_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write(place, "truth.csv", list(0.0));
    write(place, "a/pois.csv", list(1.0));
    let entry = |name: &str| format!("[[teams]]\nname = '{name}'\nfolder = 'a'\n");
    write(place, "contest.toml", format!("{RULES}{}", entry("Aurora")));
    let stolen = judged(place, &["--out", "result"])["ranking"][0]["folder"].as_str().unwrap().to_owned();
    let thief = stolen.strip_prefix("teams/").unwrap();
    let names = ["Aurora", "AURORA", "aurora", thief];
    write(place, "contest.toml", format!("{RULES}{}", names.map(entry).concat()));
    let contest = judged(place, &["--out", "result"]);
    let mut sheets: Vec<String> = names
        .iter()
        .map(|name| team(&contest, name)["missions"][0]["sheet"].as_str().unwrap().to_lowercase())
        .collect();
    for (name, sheet) in names.iter().zip(&sheets) {
        let page = std::fs::read_to_string(place.join("result").join(sheet)).unwrap();
        assert!(page.contains(&format!("<h1>{name}</h1>")), "{sheet} is not that of {name}");
    }
    sheets.sort();
    sheets.dedup();
    assert_eq!(sheets.len(), 4);
    write(place, "result/teams/mine/notes.txt", "kept");
    write(place, "contest.toml", format!("{RULES}{}", entry("aurora")));
    judged(place, &["--out", "result"]);
    let listed = |name: &str| {
        let entries = std::fs::read_dir(place.join("result").join(name)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(listed("teams"), ["aurora", "mine"], "only what mapjudge wrote is removed");
    assert_eq!(listed("appeals"), ["aurora.zip"]);
}

#[cfg(unix)]
#[test]
fn no_path_of_a_submission_leads_out_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let secret = "TOP-SECRET-0123456789";
    write(place, "secret.txt", secret);
    write(place, "secret.mid", format!("\"{secret}\"\n"));
    write(place, "truth.pts", "truth\ncube,0,0\n");
    let yaml = |image: &str| format!("image: {image}\nresolution: 0.5\norigin: [0, 0, 0]\n");
    write(place, "absolute/map.yaml", yaml(&place.join("secret.txt").display().to_string()));
    write(place, "relative/map.yaml", yaml("../secret.txt"));
    write(place, "device/map.yaml", yaml("/dev/zero"));
    write(place, "linked/map.yaml", yaml("map.pgm"));
    std::os::unix::fs::symlink(place.join("secret.txt"), place.join("linked/map.pgm")).unwrap();
    let mif =
        "Version 300\nCharset \"Neutral\"\nDelimiter \",\"\nColumns 1\n  NAME char(40)\nData\n\nPoint 1 1\n";
    write(place, "middle/victims.mif", mif);
    write(place, "middle/map.yaml", yaml("map.pgm"));
    write(place, "middle/map.pgm", b"P5 2 2 255\n\x00\xff\xff\x00");
    std::os::unix::fs::symlink(place.join("secret.mid"), place.join("middle/victims.mid")).unwrap();
    let fifo = place.join("pipe/map.yaml");
    std::fs::create_dir(place.join("pipe")).unwrap();
    let made = Command::new("mkfifo").arg(&fifo).status().is_ok_and(|status| status.success());
    let names = ["absolute", "relative", "device", "linked", "middle", "pipe"];
    let rules = "name = 'r'\ntitle = 'R'\nsource = 's'\nformula = 'I'\nbetter = 'higher'\n[inputs]\n\
                 map = { required = true, pattern = 'map.yaml' }\nvictims = { pattern = 'victims.mif' }\n\
                 [[parts]]\nname = 'I'\ntitle = 'I'\nfrom = { kind = 'measured', value = 'occupied_iou' }\n";
    write(place, "rules.toml", rules);
    write(place, "truth.yaml", yaml("truth.pgm"));
    write(place, "truth.pgm", b"P5 2 2 255\n\x00\xff\xff\x00");
    let text = format!("profile = 'rules.toml'\n[truth]\nmap = 'truth.yaml'\n{}", teams(&names));
    write(place, "contest.toml", text);
    let output = run(place, &["contest", "contest.toml", "--format", "json", "--out", "result"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let everything = [output.stdout.clone(), output.stderr.clone()].concat();
    assert!(!String::from_utf8_lossy(&everything).contains("TOP-SECRET"), "bytes of another file are quoted");
    let contest: Value = serde_json::from_slice(&output.stdout).unwrap();
    for name in names.iter().filter(|name| **name != "middle" && (made || **name != "pipe")) {
        assert_eq!(team(&contest, name)["missions"][0]["outcome"], "broken", "{name}");
    }
    assert_eq!(team(&contest, "middle")["score"], 1.0);
    assert!(codes_of(&contest, "middle").contains(&"CANNOT_READ".to_owned()));
}

#[test]
fn a_sheet_answers_an_appeal() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write(place, "truth.csv", list(0.0));
    // One label missed, one reported twice, one that nobody placed.
    let rows = list(2.0).replace("\"helmet\"", "\"7\"").replace(",real_object", ",ar_tag");
    write(place, "a/pois.csv", rows + "4,14:32:10,\"99\",4,4,0.3,\"r1\",A,hazmat\n");
    let values = "values.F = { value = 0.5, by = 'R. Judge', reason = 'two barrels seen on the day' }\n";
    write(place, "contest.toml", format!("{RULES}{}{values}", teams(&["a"])));
    let contest = judged(place, &["--out", "result"]);
    let entered = &team(&contest, "a")["missions"][0]["entered"][0];
    assert_eq!((entered["name"].as_str(), entered["by"].as_str()), (Some("F"), Some("R. Judge")));
    let page =
        std::fs::read_to_string(place.join("result/teams/a/sheet.html")).unwrap().replace("&#x2f;", "/");
    for words in [
        "2 of 3 labels found, 1 missed, 1 reported twice, 1 without such a label",
        "real_object helmet",
        "no such label",
        "R. Judge",
        "two barrels seen on the day",
        "P / (1 + Err) * 100 / total_points = ",
        "Labelled points",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn folders_and_archives_are_judged_alike() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write(place, "stick/truth/pois.csv", list(0.0));
    write(place, "stick/a/pois.csv", list(1.0));
    write(place, "stick/b/pois.csv", list(2.0));
    let init = run(place, &["contest", "init", "stick", "--profile", "rrl-2025"]);
    write(place, "stick/contest.toml", &init.stdout);
    let scores = |path: &str| {
        let output = run(place, &["contest", path, "--format", "json"]);
        assert!(output.status.success(), "{path}: {}", stderr(&output));
        let contest: Value = serde_json::from_slice(&output.stdout).unwrap();
        ["a", "b"].map(|name| team(&contest, name)["score"].as_f64().unwrap())
    };
    assert_eq!(scores("stick"), [15.0, 15.0]);
    let script = "import shutil; shutil.make_archive('whole', 'zip', '.', 'stick'); \
                  shutil.make_archive('stick/c', 'zip', 'stick/a')";
    if !Command::new("python3").args(["-c", script]).current_dir(place).status().is_ok_and(|s| s.success()) {
        return testkit::skip("python3 is absent");
    }
    assert_eq!(scores("whole.zip"), [15.0, 15.0]);
    let linted = run(place, &["lint", "whole.zip"]);
    let text = String::from_utf8_lossy(&linted.stdout).into_owned();
    assert!(
        text.contains("whole.zip/stick/a/pois.csv") && text.ends_with("2 teams: 2 usable, 0 broken\n"),
        "{text}"
    );
    let info = run(place, &["info", "whole.zip"]);
    assert!(String::from_utf8_lossy(&info.stdout).contains("whole.zip/stick/truth/pois.csv"), "{info:?}");
    let init = run(place, &["contest", "init", "stick", "--profile", "rrl-2025"]);
    write(place, "stick/contest.toml", &init.stdout);
    let output = run(place, &["contest", "stick", "--format", "json"]);
    let contest: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(team(&contest, "c")["score"], 15.0, "a team may hand in an archive");
    // A contest file beside the archive of the stick.
    let init = run(place, &["contest", "init", "whole.zip", "--profile", "rrl-2025"]);
    write(place, "beside.toml", &init.stdout);
    assert!(init.status.success(), "{}", stderr(&init));
}

#[test]
fn a_team_states_its_resolution_and_where_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let pgm = |rows: [&[u8]; 4]| [b"P5 4 4 255\n".as_slice(), &rows.concat()].concat();
    let room = pgm([&[0, 0, 0, 0], &[0, 254, 254, 0], &[0, 254, 254, 0], &[0, 0, 254, 0]]);
    write(place, "truth.yaml", "image: truth.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n");
    write(place, "truth.pgm", &room);
    // The same room around the start of the robot, one metre from the corner of the truth, and without a cell size.
    write(place, "a/map.yaml", "image: map.pgm\nresolution: 0.5\norigin: [-1, -1, 0]\n");
    write(place, "a/map.pgm", &room);
    write(place, "b/map.pgm", &room);
    let rules = "name = 'r'\ntitle = 'R'\nsource = 's'\nformula = 'I'\nbetter = 'higher'\n[inputs]\n\
                 map = { required = true, pattern = 'map.yaml' }\n[plan]\nalign = 'georeference'\n\
                 [[parts]]\nname = 'I'\ntitle = 'I'\nfrom = { kind = 'measured', value = 'occupied_iou' }\n";
    write(place, "rules.toml", rules);
    let text = "profile = 'rules.toml'\nalign = 'none'\n[truth]\nmap = 'truth.yaml'\n\
                [[teams]]\nname = 'a'\nfolder = 'a'\nstart_pose = { x_m = 1, y_m = 1 }\n\
                [[teams]]\nname = 'b'\nfolder = 'b'\nresolution_m = 0.5\nfiles = { map = 'map.pgm' }\n\
                [[teams]]\nname = 'c'\nfolder = 'a'\n";
    write(place, "contest.toml", text);
    let contest = judged(place, &[]);
    assert_eq!(team(&contest, "a")["score"], 1.0, "{:#}", team(&contest, "a"));
    assert_eq!(team(&contest, "b")["score"], 1.0, "{:#}", team(&contest, "b"));
    assert!(team(&contest, "c")["score"].as_f64().unwrap() < 0.5, "without its start the map lies elsewhere");
}

/// Rules under which only reported victims count, and a contest of one map for everybody.
fn write_victim_contest(place: &Path, extra: &str) {
    let yaml = "image: map.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n";
    let pgm = [b"P5 40 40 255\n".as_slice(), &[254; 1600]].concat();
    for folder in ["truth", "honest", "spam"] {
        write(place, &format!("{folder}/map.yaml"), yaml);
        write(place, &format!("{folder}/map.pgm"), &pgm);
    }
    let rules = "name = 'r'\ntitle = 'R'\nsource = 's'\nformula = '20 * sum(V) - w_F * F'\nbetter = 'higher'\n\
                 [constants]\nw_F = 0\n[inputs]\nmap = { required = true, pattern = 'map.yaml' }\n\
                 victims = { pattern = 'victims.*if' }\n[plan]\nalign = 'georeference'\n\
                 [[parts]]\nname = 'V'\ntitle = 'V'\nfrom = { kind = 'measured', value = 'victims.values' }\n\
                 [[parts]]\nname = 'F'\ntitle = 'F'\nfrom = { kind = 'measured', value = 'victims.false_alarms' }\n";
    write(place, "rules.toml", rules);
    let text = format!(
        "profile = 'rules.toml'\n{extra}[truth]\nmap = 'truth/map.yaml'\nvictims = 'truth/victims.mif'\n{}",
        teams(&["honest", "spam"])
    );
    write(place, "contest.toml", text);
}

/// A layer of victims at some places, and its table of identifiers.
fn write_victims(place: &Path, folder: &str, places: &[(f64, f64)]) {
    let head = "Version 300\nCharset \"Neutral\"\nDelimiter \",\"\nColumns 1\n  ID char(40)\nData\n\n";
    let points: String = places.iter().map(|(x, y)| format!("Point {x} {y}\n")).collect();
    write(place, &format!("{folder}/victims.mif"), format!("{head}{points}"));
    let names: String = (0..places.len()).map(|number| format!("\"x{number}\"\n")).collect();
    write(place, &format!("{folder}/victims.mid"), names);
}

#[test]
fn a_changed_companion_changes_the_score_of_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write_victim_contest(place, "set = { victims = { matching = 'id' } }\n");
    for name in ["truth", "honest", "spam"] {
        write_victims(place, name, &[(3.2, 3.2), (9.2, 9.2)]);
    }
    let score = |name: &str| team(&judged(place, &["--out", "result"]), name)["score"].as_f64().unwrap();
    assert_eq!((score("honest"), score("spam")), (40.0, 40.0));
    // Only the table beside the layer of one team, then only that of the truth.
    write(place, "honest/victims.mid", "\"x0\"\n\"other\"\n");
    assert_eq!((score("honest"), score("spam")), (20.0, 40.0));
    write(place, "truth/victims.mid", "\"other\"\n\"x1\"\n");
    assert_eq!((score("honest"), score("spam")), (0.0, 20.0));
}

#[test]
fn a_grid_of_victims_is_told_and_can_cost_points() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let grid: Vec<(f64, f64)> =
        (0..600).map(|n| (f64::from(n % 25) * 0.8 + 0.1, f64::from(n / 25) * 0.8 + 0.1)).collect();
    let scores = |extra: &str| {
        write_victim_contest(place, extra);
        write_victims(place, "truth", &[(3.2, 3.2), (9.2, 9.2), (15.2, 4.2)]);
        write_victims(place, "honest", &[(3.3, 3.2), (9.2, 9.1)]);
        write_victims(place, "spam", &grid);
        let contest = judged(place, &["--out", "result"]);
        let codes = codes_of(&contest, "spam");
        assert!(codes.contains(&"VICTIMS_FALSE_ALARMS".to_owned()), "{codes:?}");
        assert!(!codes_of(&contest, "honest").contains(&"VICTIMS_FALSE_ALARMS".to_owned()));
        ["honest", "spam"].map(|name| team(&contest, name)["score"].as_f64().unwrap())
    };
    let set = "set = { victims = { matching = 'distance' } }\n";
    assert_eq!(scores(set), [40.0, 60.0], "the rules as printed reward the grid");
    let sheet = std::fs::read_to_string(place.join("result/teams/spam/sheet.html")).unwrap();
    assert!(sheet.contains("3 of 3 victims located, 597 false alarms"));
    assert_eq!(scores(&format!("constants = {{ w_F = 10 }}\n{set}")), [40.0, 60.0 - 5970.0]);
}

#[cfg(unix)]
#[test]
fn info_and_lint_of_a_stick_open_nothing_outside_of_a_team() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    write(place, "secret.pgm", b"P5 2 2 255\n\x00\xff\xff\x00");
    write(place, "secret.txt", "TOP-SECRET-0123456789");
    let yaml = |image: &str| format!("image: {image}\nresolution: 0.5\norigin: [0, 0, 0]\n");
    write(place, "stick/a/map.yaml", yaml("../../secret.pgm"));
    write(place, "stick/b/map.yaml", yaml(&place.join("secret.txt").display().to_string()));
    write(place, "stick/c/map.yaml", yaml("../../absent.pgm"));
    for command in ["info", "lint"] {
        let output = run(place, &[command, "stick", "--format", "json"]);
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!text.contains("TOP-SECRET"), "{command}: {text}");
        assert_eq!(text.matches("map.yaml: field 'image'").count(), 3, "{command}: {text}");
        assert_eq!(text.matches("one outside of the folder").count(), 3, "{command}: {text}");
    }
    // A YAML that was named alone may have its image anywhere; the bytes of another kind of file are not quoted.
    let output = run(place, &["info", "stick/b/map.yaml"]);
    assert!(!stderr(&output).contains("TOP-SECRET"), "{}", stderr(&output));
    assert!(run(place, &["info", "stick/a/map.yaml"]).status.success());
}
