//! Writes every rendering of two hand-made reports, of one map and of five, to look at them:
//! `cargo run -p mapjudge-report --example page -- DIR`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::PathBuf;

use mapjudge_report::{
    Alignment, BaselineResult, CasePictures, CaseReport, Change, Format, GridRecord, Input, LimitResult,
    MetricRecord, Report, SCHEMA, Status, Tool, heat_max_cells, heat_png, overlay_png, render,
};
use metrics::{Better, Reason, Unit, facts};
use model::CellClass::{self, Free, Occupied, Unknown};
use model::{Finding, Pose2};
use serde_json::json;

const WIDTH: usize = 300;
const HEIGHT: usize = 200;
const CELL_SIZE_M: f64 = 0.05;

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "pages".to_owned()));
    std::fs::create_dir_all(&folder).unwrap();
    let names = [
        "office",
        "office shifted by two cells",
        "half explored",
        "<b>hostile & long name</b>_2026-11-15_final_v3",
        "doors closed",
    ];
    let cases: Vec<_> = names.iter().enumerate().map(|(damage, name)| case(name, damage)).collect();
    let (reports, pictures): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let one = report(vec![reports[1].clone()]);
    let five = report(reports);
    for format in Format::ALL {
        let write = |name: &str, report: &Report, pictures: &[CasePictures]| {
            let text = render(report, format, pictures).unwrap();
            std::fs::write(folder.join(format!("{name}.{}", format.name())), text).unwrap();
        };
        write("one", &one, &pictures[1..2]);
        write("five", &five, &pictures);
    }
    println!("wrote {}", folder.display());
}

fn report(cases: Vec<CaseReport>) -> Report {
    let limit = |case: &CaseReport, metric: &str, rule: &str, held| LimitResult {
        case: case.name.clone(),
        metric: metric.into(),
        rule: rule.into(),
        value: case.metric(metric).and_then(|record| record.value),
        held,
    };
    let limits = cases.iter().enumerate().flat_map(|(index, case)| {
        [
            limit(case, "overall_error", "<= 5000", true),
            limit(case, "tolerance_f1_area", ">= 0.9", index == 0 && cases.len() > 1),
        ]
    });
    let limits = limits.collect();
    let baseline = (cases.len() == 1).then(|| {
        vec![BaselineResult {
            case: cases[0].name.clone(),
            metric: "overall_error".into(),
            before: Some(812.0),
            now: cases[0].metric("overall_error").and_then(|record| record.value),
            change: Change::Worse,
        }]
    });
    let tool = Tool { name: "mapjudge".into(), version: env!("CARGO_PKG_VERSION").into() };
    Report { schema: SCHEMA.into(), tool, cases, limits, baseline, comparison: None }
}

fn case(name: &str, damage: usize) -> (CaseReport, CasePictures) {
    let truth = truth();
    let map = damaged(&truth, damage);
    let errors: Vec<(usize, f32)> = (0..truth.len())
        .filter(|&i| truth[i].is_known() && map[i].is_known() && truth[i] != map[i])
        .map(|i| (i, 1.0 + (i % 23) as f32 / 4.0))
        .collect();
    let pictures = CasePictures {
        overlay_png: overlay_png(&truth, &map, WIDTH, HEIGHT).unwrap(),
        heat_png: heat_png(&errors, &truth, WIDTH, HEIGHT).unwrap(),
        heat_max_m: f64::from(heat_max_cells(&errors)) * CELL_SIZE_M,
        figures: Vec::new(),
    };
    let known = |plane: &[CellClass]| plane.iter().filter(|class| class.is_known()).count() as f64;
    let input = |role: &str, path: String, format: &str| Input {
        role: role.into(),
        path,
        blake3: "d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24".into(),
        format: format.into(),
    };
    let finding = Finding::warning(
        "UNKNOWN_MAY_READ_AS_FREE",
        "free_thresh 0.25 lies above the grey of unknown cells (0.196)",
    )
    .hint("set free_thresh to 0.19 in the YAML file");
    let report = CaseReport {
        name: name.into(),
        inputs: vec![
            input("map", format!("submissions/{name}.yaml"), "ros-map"),
            input("map_image", format!("submissions/{name}.pgm"), "pgm"),
            input("truth", "truth/office.png".into(), "picture"),
        ],
        alignment: Some(Alignment {
            method: "georeference".into(),
            truth_from_map: Pose2::new(0.1, -0.05, 0.01).into(),
            certificate: Some(facts([("overlap", json!(0.98)), ("candidates", json!(1))])),
        }),
        grid: Some(GridRecord {
            width: WIDTH,
            height: HEIGHT,
            cell_size_m: CELL_SIZE_M,
            window: "truth".into(),
            resample: "occupied-wins".into(),
            coverage: Some((known(&map) / known(&truth)).min(1.0)),
            outside_free: 120,
            outside_occupied: 8,
        }),
        metrics: records(damage, errors.len() as f64),
        findings: if damage == 0 { Vec::new() } else { vec![finding] },
        detail: None,
    };
    (report, pictures)
}

/// Rooms along a corridor, unknown outside.
fn truth() -> Vec<CellClass> {
    let mut plane = vec![Unknown; WIDTH * HEIGHT];
    for row in 20..180 {
        for column in 20..280 {
            let border = !(22..178).contains(&row) || !(22..278).contains(&column);
            let corridor = (row == 90 || row == 110) && column % 60 > 8;
            let room = !(91..110).contains(&row) && column % 65 < 2;
            plane[row * WIDTH + column] = if border || corridor || room { Occupied } else { Free };
        }
    }
    plane
}

fn damaged(truth: &[CellClass], damage: usize) -> Vec<CellClass> {
    let at = |row: usize, column: usize| truth[row * WIDTH + column];
    let mut map = truth.to_vec();
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            map[row * WIDTH + column] = match damage {
                1 if row >= 1 && column >= 2 => at(row - 1, column - 2),
                2 if column > 170 => Unknown,
                3 if (60..80).contains(&row) && (40..60).contains(&column) => Occupied,
                4 if row == 90 || row == 110 => {
                    if at(row, column).is_known() {
                        Occupied
                    } else {
                        Unknown
                    }
                }
                _ if (130..133).contains(&row) && (200..240).contains(&column) => Occupied,
                _ => at(row, column),
            };
        }
    }
    map
}

type Row = (&'static str, &'static str, &'static str, Option<f64>, Unit, Better, Option<f64>, Option<f64>);

fn records(damage: usize, wrong: f64) -> Vec<MetricRecord> {
    use Better::{Closer, Higher, Lower};
    use Unit::{Cells, Metres, Ratio, SquareMetres};
    let d = damage as f64;
    let (zero, one) = (Some(0.0), Some(1.0));
    let correlation = Some(0.987_654_3 - d / 20.0);
    #[rustfmt::skip]
    let rows: [Row; 8] = [
        ("overall_error", "M-OE", "Overall error", Some(wrong), Cells, Lower, zero, Some(60_000.0)),
        ("pearson_correlation", "M-PEARSON", "Pearson correlation", correlation, Ratio, Higher, one, Some(-1.0)),
        ("wall_ratio", "M-WR", "Wall ratio", Some(1.0 + d / 7.0), Ratio, Closer, one, None),
        ("image_similarity", "M-PSI", "Image similarity", Some(0.123_456 * (d + 1.0)), Ratio, Lower, zero, None),
        ("tolerance_f1_area", "M-TF1", "Tolerance F1 area", Some(0.93 - d * 0.07), Ratio, Higher, one, zero),
        ("wall_distance", "D-WD", "Mean wall distance", Some(0.012_3 * (d + 0.5)), Metres, Lower, zero, None),
        ("explored_area", "F-AREA", "Explored area", Some(104.0 - d * 11.0), SquareMetres, Higher, None, zero),
        ("contest_score", "S-TOTAL", "Contest score", None, Ratio, Higher, one, zero),
    ];
    rows.into_iter().map(|row| record(row, damage)).collect()
}

fn record((id, code, title, value, unit, better, best, worst): Row, damage: usize) -> MetricRecord {
    let mut detail = facts([("samples", json!(41_600))]);
    if id == "tolerance_f1_area" {
        detail.insert("curve".into(), curve(damage));
    }
    let (status, reasons) = match value {
        None => (Status::Undefined, vec![Reason::NoNavigation]),
        Some(_) if id == "image_similarity" && damage > 1 => (Status::Warning, vec![Reason::MissingColour]),
        Some(_) => (Status::Ok, Vec::new()),
    };
    let unknown_as = if damage == 1 { "occupied" } else { "free" };
    MetricRecord {
        id: id.into(),
        code: code.into(),
        title: title.into(),
        value,
        unit,
        better,
        best,
        worst,
        status,
        reasons,
        params: facts([("unknown_as", json!(unknown_as))]),
        detail,
    }
}

fn curve(damage: usize) -> serde_json::Value {
    let point = |cells: u32| {
        let share = 1.0 - (-(f64::from(cells) + 0.6) / (0.8 + damage as f64 / 2.0)).exp();
        json!({"tolerance_cells": cells, "tolerance_m": f64::from(cells) * CELL_SIZE_M,
               "precision": share, "recall": share * 0.93, "f1": share * 0.96})
    };
    (0..=10).map(point).collect()
}
