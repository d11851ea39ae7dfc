//! The lab on five generated floors: the structure that known damage must have.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use mapjudge::lab::{LabPlan, NoRows, run_lab, sum_up};
use mapjudge::{Loaded, Map};
use report::LabReport;
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

/// Makes `docs/lab-matrix.csv`, from which the cards and `docs/lab.md` follow.
#[test]
#[ignore = "renews docs/lab-matrix.csv"]
fn renews_the_matrix() {
    let floor = |seed: u64| {
        let plan = OfficePlan { seed, ..OfficePlan::default() };
        (format!("floor {seed}"), Loaded::in_memory(Map::new(office(&plan).unwrap())))
    };
    let floors: Vec<_> = (1..=5).map(floor).collect();
    let plan = LabPlan::default();
    let rows = run_lab(&floors, &plan, &NoRows, &|_| {}).unwrap();
    let (report, _) = sum_up(&floors, &plan, &rows);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab-matrix.csv");
    std::fs::write(path, report::lab_matrix_csv(&report)).unwrap();
}
