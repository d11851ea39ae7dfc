//! The rules of `mapjudge contest`: profiles, missions, artifacts, victims.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use crate::contest::{contest, four_teams, run, team, write_contest};

#[test]
fn profiles_are_listed_and_can_be_copied() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_contest(folder.path(), &four_teams());
    let listed = String::from_utf8(run(folder.path(), &["profiles"]).stdout).unwrap();
    for name in ["vr-2008", "rrl-2025", "rcj-2025", "interleague-2009"] {
        assert!(listed.contains(name), "{listed}");
    }
    let copy = String::from_utf8(run(folder.path(), &["profiles", "vr-2008"]).stdout).unwrap();
    std::fs::write(folder.path().join("mine.toml"), copy.replace("w_V = 20", "w_V = 0")).unwrap();
    let text = std::fs::read_to_string(&path).unwrap().replace("'vr-2008'", "'mine.toml'");
    std::fs::write(&path, text).unwrap();
    // S of team A without victims: 107.4669 - 40.
    assert!((team(&contest(folder.path(), &[]), "A")["score"].as_f64().unwrap() - 67.4669).abs() < 5e-5);
}

#[test]
fn missions_add_up_and_judges_enter_values_per_mission() {
    let folder = tempfile::tempdir().unwrap();
    for (team, cells) in [("a", ["5,1,1,1", "5,1,1,0"]), ("b", ["5,1,0,0", "5,1,1,1"])] {
        std::fs::create_dir_all(folder.path().join(team)).unwrap();
        for (mission, row) in ["one", "two"].iter().zip(cells) {
            std::fs::write(folder.path().join(team).join(format!("{mission}.csv")), row).unwrap();
        }
    }
    std::fs::write(folder.path().join("answer.csv"), "5,1,1,1\n").unwrap();
    let text = "profile = 'rcj-2025'\n[truth]\nmatrix = 'answer.csv'\n[files]\nmatrix = '{mission}.csv'\n\
                [[missions]]\nname = 'one'\n[[missions]]\nname = 'two'\nweight = 2\n\
                [[teams]]\nname = 'a'\nfolder = 'a'\n[teams.missions.one.values]\nrun = 100\n\
                [[teams]]\nname = 'b'\nfolder = 'b'\n";
    std::fs::write(folder.path().join("contest.toml"), text).unwrap();
    let judged = contest(folder.path(), &[]);
    // a: 100 + 1 * 100, then 2 (1 + 0.75); b: 1 + 0.5, then 2 (1 + 1).
    assert_eq!(team(&judged, "a")["score"], 203.5);
    assert_eq!(team(&judged, "b")["score"], 5.5);
    assert_eq!(team(&judged, "a")["missions"][0]["parts"][1]["by_judge"], true);
    assert_eq!(team(&judged, "a")["missions"][1]["parts"][1]["stand_in"], true);
}

#[test]
fn artifacts_are_scored_by_rings() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rows) in [
        ("truth.pts", "truth\ncube,0,0\ncube,5,0\ndrill,9,0\n"),
        ("a/finds.pts", "a\ncube,0.2,0\ncube,5.5,0\ndrill,9.9,0\n"),
        ("b/finds.pts", "b\nphone,0,0\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, rows).unwrap();
    }
    let teams = "[truth]\nartifacts = 'truth.pts'\n[files]\nartifacts = 'finds.pts'\n\
                 [[teams]]\nname = 'a'\nfolder = 'a'\n[[teams]]\nname = 'b'\nfolder = 'b'\n";
    for (profile, expected) in [("arc-2025", 7.0), ("subt-2021", 3.0)] {
        std::fs::write(folder.path().join("contest.toml"), format!("profile = '{profile}'\n{teams}"))
            .unwrap();
        let judged = contest(folder.path(), &[]);
        assert_eq!(team(&judged, "a")["score"], expected, "{profile}");
        assert_eq!(team(&judged, "b")["parts"]["false_reports"], 1.0);
    }
}

#[test]
fn a_mif_pair_is_one_file_and_a_team_without_victims_is_flagged() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("truth.txt", "resolution: 1\norigin: 0 0 0\n######\n#....#\n######\n");
    let mif = "Version 300\nDelimiter \",\"\nCoordSys NonEarth Units \"m\" Bounds (0, 0) (9, 9)\nColumns 3\n  ID Char(16)\n  \
               STATUS Char(16)\n  T Float\nData\nPoint 1.5 1.5\n";
    write("victims.mif", mif);
    write("victims.mid", "\"v1\",\"alive\",0\n");
    write("listed/nav.txt", "resolution: 1\norigin: 0 0 0\nkkkkkk\nkggggk\nkkkkkk\n");
    write("listed/victims.mif", &mif.replace("1.5 1.5", "1.6 1.5"));
    write("listed/victims.mid", "\"v1\",\"\",0\n");
    // A victim marked in red counts, and the layer that the rules require is still missing.
    write("marked/nav.txt", "resolution: 1\norigin: 0 0 0\nkkkkkk\nkrgggk\nkkkkkk\n");
    write(
        "contest.toml",
        "profile = 'vr-2008'\ntruth = { map = 'truth.txt', victims = 'victims.mif' }\nfiles = { map = 'nav.txt' }\n\
         [[teams]]\nname = 'listed'\nfolder = 'listed'\n[[teams]]\nname = 'marked'\nfolder = 'marked'\n",
    );
    let judged = contest(folder.path(), &[]);
    for name in ["listed", "marked"] {
        assert_eq!(team(&judged, name)["parts"]["V"], serde_json::json!([1.0]), "{name}");
    }
    let findings = judged["findings"].as_array().unwrap();
    let has = |name: &str, code: &str| findings.iter().any(|f| f["team"] == name && f["code"] == code);
    assert!(!has("listed", "CANNOT_READ") && !has("listed", "VICTIMS_MISSING"), "{findings:#?}");
    assert!(has("marked", "VICTIMS_MISSING"), "{findings:#?}");
}
