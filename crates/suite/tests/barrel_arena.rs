//! Worked example E9: from a noisy, turned map of an arena to the fiducial score, without any start value.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use metrics::fiducials::{FiducialInputs, FiducialSearch, LayoutFrame};
use metrics::{Case, Score};
use model::wrap;
use sim::{BarrelArena, MappedArena};

fn case(arena: &MappedArena, frame: LayoutFrame) -> Case {
    Case::without_maps().with_fiducials(FiducialInputs {
        layout: arena.layout.clone(),
        map: Arc::new(arena.map.clone()),
        frame,
        search: FiducialSearch::default(),
    })
}

fn score(case: &Case, id: &str) -> Score {
    (metrics::find(id).unwrap().make)().evaluate(case).unwrap()
}

#[test]
fn e9_every_part_is_found_in_its_place() {
    for (seed, rotation_deg, jitter_cells) in [(1, 7.0, 0.15), (2, -23.0, 0.3), (3, 40.0, 0.4), (4, 171.0, 0.3)] {
        let rotation_rad = f64::to_radians(rotation_deg);
        let arena = BarrelArena { seed, rotation_rad, jitter_cells, ..Default::default() }.mapped().unwrap();
        let case = case(&arena, LayoutFrame::Unknown);
        let coverage = score(&case, "fiducial_coverage");
        assert_eq!(coverage.value, 1.0, "seed {seed}: {:?}", coverage.detail);
        let relative = score(&case, "fiducial_relative_accuracy");
        let turned_rad = relative.detail["truth_from_map"]["theta_rad"].as_f64().unwrap();
        let off_deg = wrap(turned_rad + rotation_rad).to_degrees().abs();
        assert!(off_deg <= 0.5, "seed {seed}: {off_deg} degrees");
        let mean_m = relative.detail["mean_distance_m"].as_f64().unwrap();
        assert!(mean_m <= 0.02, "seed {seed}: {mean_m} m");
        for id in ["fiducial_short_consistency", "fiducial_long_consistency"] {
            for pair in score(&case, id).detail["pairs"].as_array().unwrap() {
                let off_m = (pair["found_m"].as_f64().unwrap() - 0.05).abs();
                assert!(off_m <= 0.03, "seed {seed}: {pair}");
            }
        }
    }
}
