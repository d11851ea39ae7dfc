//! The lab on five generated floors: the structure that known damage must have.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mapjudge::lab::{LabPlan, NoRows, run_lab, sum_up};
use mapjudge::{Loaded, Map};
use report::{ConformVerdict, LabReport, LabVerdict};
use sim::damage::{KINDS, Kind};
use sim::place::{OfficePlan, office};

/// Five floors of 16 x 12 m with the walls of one cell that a laser map has.
fn floors() -> Vec<(String, Loaded<Map>)> {
    let floor = |seed: u64| {
        let plan = OfficePlan { seed, width_m: 16.0, height_m: 12.0, ..OfficePlan::default() };
        (format!("floor {seed}"), Loaded::in_memory(Map::new(office(&plan).unwrap())))
    };
    (1..=5).map(floor).collect()
}

fn found() -> LabReport {
    let metrics = ["tolerance_f1_area", "known_coverage", "occupied_recall", "paths"];
    let metrics = metrics.map(str::to_owned).to_vec();
    let plan = LabPlan { metrics, seeds: 2, ..LabPlan::default() };
    let floors = floors();
    let rows = run_lab(&floors, &plan, &NoRows, &|_| {}).unwrap();
    sum_up(&floors, &plan, &rows).0
}

#[test]
fn known_damage_is_answered_as_it_must_be() {
    let report = found();
    let tau = |metric: &str, kind: &str| report.answer(metric, kind).unwrap().tau.unwrap();
    for kind in &report.kinds {
        let is_exempt =
            ["mirror", "blur", "unseen", "closed_door", "opened_wall"].contains(&kind.name.as_str());
        if !is_exempt {
            let tau = tau("tolerance_f1_area", &kind.name);
            assert!(tau >= 0.9, "tolerance_f1_area under {}: {tau}", kind.name);
        }
        assert!(kind.pairs > 0, "{} was tried", kind.name);
    }
    for kind in ["thick_walls", "ghost_walls", "closed_door"] {
        assert_eq!(tau("known_coverage", kind), 0.0, "known_coverage under {kind}");
    }
    assert_eq!(tau("occupied_recall", "thick_walls"), 0.0);
    let of_paths = report.metrics.iter().filter(|metric| metric.family == "paths");
    let answers: Vec<_> = of_paths.map(|metric| report.answer(&metric.id, "closed_door").unwrap()).collect();
    let is_seen = answers.iter().any(|answer| answer.sees_level.is_some() && answer.tau >= Some(0.8));
    assert!(is_seen, "a metric of paths sees closed doors: {answers:#?}");
    assert_eq!(report.resamples, 1000);
    let interval = report.answer("tolerance_f1_area", "shift").unwrap().tau_interval.unwrap();
    assert!(interval[0] <= interval[1]);
}

/// The floors of `docs/lab-matrix.csv`.
fn floors_of_the_matrix() -> Vec<(String, Loaded<Map>)> {
    let floor = |seed: u64| {
        let plan = OfficePlan { seed, ..OfficePlan::default() };
        (format!("floor {seed}"), Loaded::in_memory(Map::new(office(&plan).unwrap())))
    };
    (1..=5).map(floor).collect()
}

/// What `docs/lab-matrix.csv` holds: the usual families, and the one that is computed when asked for.
fn plan_of_the_matrix() -> LabPlan {
    let mut plan = LabPlan::default();
    plan.metrics.push("rooms".to_owned());
    plan
}

fn matrix(plan: &LabPlan) -> String {
    let floors = floors_of_the_matrix();
    let rows = run_lab(&floors, plan, &NoRows, &|_| {}).unwrap();
    report::lab_matrix_csv(&sum_up(&floors, plan, &rows).0)
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Makes `docs/lab-matrix.csv`, from which the cards and `docs/lab.md` follow.
#[test]
#[ignore = "renews docs/lab-matrix.csv"]
fn renews_the_matrix() {
    std::fs::write(root().join("docs/lab-matrix.csv"), matrix(&plan_of_the_matrix())).unwrap();
}

/// The stored matrix is what the lab finds, to the last digit: three kinds of damage are tried again, with all seeds.
#[test]
fn the_stored_matrix_is_what_the_lab_finds() {
    let stored = read("docs/lab-matrix.csv");
    let stored: BTreeSet<&str> = stored.lines().collect();
    let usual = LabPlan::default().metrics;
    let of_rooms = ["room_iou", "scan_difference"].map(str::to_owned).to_vec();
    for (metrics, kinds) in [(usual, vec!["thick_walls", "closed_door"]), (of_rooms, vec!["mirror"])] {
        let kinds = kinds.into_iter().map(|name| Kind::find(name).unwrap()).collect();
        let found = matrix(&LabPlan { metrics, kinds, ..plan_of_the_matrix() });
        let changed: Vec<&str> = found.lines().filter(|line| !stored.contains(line)).collect();
        assert!(changed.is_empty(), "docs/lab-matrix.csv is not current:\n{}", changed.join("\n"));
    }
}

/// The pages explain every kind of damage, statistic and verdict, and the specification has the ladders of the program.
#[test]
fn the_pages_explain_all_words_and_the_ladders_are_those_of_the_program() {
    let (lab, conform, specification) =
        (read("docs/lab.md"), read("docs/conform.md"), read("docs/spec/15-lab.md"));
    let is_explained = |page: &str, word: &str| {
        page.lines().any(|line| {
            line.starts_with('|') && line.split('|').nth(1).unwrap().contains(&format!("`{word}`"))
        })
    };
    for kind in KINDS {
        assert!(is_explained(&lab, kind.spec.name), "docs/lab.md: {}", kind.spec.name);
        let row = format!("| `{}` |", kind.spec.name);
        let row = specification.lines().find(|line| line.starts_with(&row)).unwrap();
        let ladder: Vec<f64> =
            row.split('|').nth(3).unwrap().split_whitespace().map(|number| number.parse().unwrap()).collect();
        assert_eq!(ladder, kind.spec.ladder, "{row}");
    }
    for verdict in LabVerdict::ALL {
        assert!(is_explained(&lab, verdict.name()), "docs/lab.md: {}", verdict.name());
    }
    for statistic in [
        "tau",
        "AUC",
        "sees",
        "saturates",
        "repeatable",
        "undefined",
        "Invariance",
        "Clusters",
        "Costs",
        "Intervals",
    ] {
        assert!(lab.contains(&format!("**{statistic}**")), "docs/lab.md: {statistic}");
    }
    for verdict in ConformVerdict::ALL {
        assert!(is_explained(&conform, verdict.name()), "docs/conform.md: {}", verdict.name());
    }
}
