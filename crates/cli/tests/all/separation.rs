//! What the metrics are worth on real maps: whether they separate distorted maps from intact ones, and whether those that do
//! not say so in their cards.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Maps of slam-comparison-leo; a position error of more than 0.2 m in the mean is a distorted map.
const MAPS: [(&str, &str, bool); 10] = [
    ("abstract", "cartographer", true),
    ("abstract", "gmapping", false),
    ("abstract", "lidar_rtabmap", true),
    ("abstract", "rgbd_rtabmap", true),
    ("abstract", "slam_toolbox", false),
    ("office", "cartographer", true),
    ("office", "gmapping", false),
    ("office", "lidar_rtabmap", false),
    ("office", "rgbd_rtabmap", true),
    ("office", "slam_toolbox", false),
];
const FAMILIES: &str = "cells,distance,paths,topology,rooms";

/// The worse the larger, by metric; a metric that is undefined on the map is left out.
fn losses(folder: &Path, world: &str, program: &str) -> BTreeMap<String, Option<f64>> {
    let truth = folder.join(format!("ground_truths/{world}_ground_truth.yaml"));
    let map = folder.join(format!("test_results/{world}/{program}_map.yaml"));
    let output = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args(["score", "--align", "auto", "--free-thresh", "0.196", "--occupied-thresh", "0.65"])
        .args(["--metrics", FAMILIES, "--format", "json", "--quiet", "--truth"])
        .args([truth, map])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let loss = |record: &Value| {
        let value = record["value"].as_f64()?;
        Some(match record["better"].as_str()? {
            "lower" => value,
            "higher" => -value,
            _ => (value - record["best"].as_f64()?).abs(),
        })
    };
    let records = report["cases"][0]["metrics"].as_array().unwrap();
    records.iter().map(|record| (record["id"].as_str().unwrap().to_owned(), loss(record))).collect()
}

/// Share of the pairs in which the distorted map is the worse one, equal ones counting half; none without pairs.
fn area_under_curve(distorted: &[f64], intact: &[f64]) -> Option<f64> {
    let pairs = distorted.iter().flat_map(|d| intact.iter().map(move |i| d.total_cmp(i)));
    let wins = pairs.map(|order| match order {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    let count = distorted.len() * intact.len();
    (count > 0).then(|| wins.sum::<f64>() / count as f64)
}

#[test]
fn metrics_that_do_not_separate_distorted_maps_say_so_in_their_cards() {
    let Some(folder) = testkit::shared_data("slam-comparison-leo") else { return };
    let mut found: BTreeMap<String, [Vec<f64>; 2]> = BTreeMap::new();
    for (world, program, is_distorted) in MAPS {
        for (id, loss) in losses(&folder, world, program) {
            found.entry(id).or_default()[usize::from(is_distorted)].extend(loss);
        }
    }
    assert!(found.len() > 30, "{}", found.len());
    let mut wrong = Vec::new();
    for (id, [intact, distorted]) in &found {
        let area = area_under_curve(distorted, intact);
        let card = metrics::find(id).unwrap().spec.card_entry("Real maps").unwrap_or_default();
        let says_so = match area {
            Some(1.0) => card.is_empty(),
            Some(area) => card.contains(&format!("AUC {area:.2}")),
            None => card.contains("undefined"),
        };
        if !says_so {
            wrong.push(format!("{id}: area {area:?}, card '{card}'"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
