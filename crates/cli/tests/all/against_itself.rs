//! A law over real maps: against itself every metric has its best value, or says why it has none.

use std::process::Command;

use serde_json::Value;

/// One or two maps of each kind: laser maps, plans with and without furniture, sketches, area graphs, simulated worlds.
const MAPS: [&str; 12] = [
    "ros-maps/nav2/turtlebot3_world.yaml",
    "turtlebot3-gmapping-variants/maps/gmapping_base.pgm",
    "slam-comparison-leo/ground_truths/office_ground_truth.yaml",
    "slam-comparison-leo/test_results/abstract/lidar_rtabmap_map.yaml",
    "maoris/Sketches/Sketches/02.png",
    "maoris/Sketches/EzVin_gt/09.png",
    "maoris/RobotMap/GT/Freiburg101_scan_original.png",
    "maoris/RobotMap/Maps/lab_a_scan.png",
    "area-graph/strategy_w/lab_ipa_furnitures.png",
    "area-graph/strategy_w/intel_map.png",
    "room-segmentation-ipa/test_maps/lab_ipa_trashbins.png",
    "halmstad-robot-maps/maps/E5/pseudo_occupancy/E5_02.png",
];
const FAMILIES: &str = "cells,distance,paths,topology,rooms";

#[test]
fn every_metric_is_perfect_or_undefined_with_a_reason() {
    let Some(data) = testkit::shared_data("maoris") else { return };
    let data = data.parent().unwrap().to_owned();
    let mut wrong = Vec::new();
    let present: Vec<&str> = MAPS.into_iter().filter(|map| data.join(map).exists()).collect();
    assert!(present.len() >= 8, "{present:?}");
    for map in present {
        let path = data.join(map);
        let output = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
            .args(["score", "--align", "none", "--metrics", FAMILIES, "--format", "json", "--quiet"])
            .args(if map.ends_with(".yaml") { &[][..] } else { &["--resolution", "0.05"] })
            .arg(&path)
            .arg("--truth")
            .arg(&path)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        for record in report["cases"][0]["metrics"].as_array().unwrap() {
            let is_sound = match record["value"].as_f64() {
                None => !record["reasons"].as_array().unwrap().is_empty(),
                Some(value) => {
                    let best = record["best"].as_f64().or((record["better"] == "lower").then_some(0.0));
                    best.is_some_and(|best| (value - best).abs() <= 1e-9 * best.abs().max(1.0))
                }
            };
            if !is_sound {
                wrong.push(format!("{map}: {} is {}", record["id"], record["value"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
