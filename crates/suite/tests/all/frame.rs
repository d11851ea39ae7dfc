//! Origins that cannot be right, and maps that are not what they are taken for: said, and never on maps that are merely bad.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapjudge::{AlignBy, Loaded, Map, Plan, Subject, Truth, judge};
use model::{CellClass, Grid, GridGeometry, Pose2};
use report::CaseReport;
use sim::damage::{
    Bend, EXAMPLES, MissingWing, Noise, ThickWalls, Unseen, bend, missing_wing, noise, thick_walls, unseen,
};
use sim::place::{OfficePlan, office};

/// Small offices; the numbers of the probe were chosen on seeds below 100.
fn place(seed: u64) -> Grid {
    office(&OfficePlan { seed, width_m: 16.0, height_m: 12.0, ..OfficePlan::default() }).unwrap()
}

/// A robot's map of a place: faces of walls, noise, a wing that was never entered.
fn mapped(truth: &Grid, seed: u64) -> Grid {
    let seen = unseen(truth, &Unseen::default()).unwrap();
    let noisy = noise(&seen, &Noise { seed, ..Noise::default() }).unwrap();
    missing_wing(&noisy, &MissingWing { seed, missing_fraction: 0.25, ..MissingWing::default() }).unwrap()
}

fn judged(map: Grid, truth: &Grid) -> CaseReport {
    let plan = Plan { metrics: vec!["overall_error".to_owned()], ..Plan::default() };
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(truth.clone()))), ..Truth::default() };
    judge(&Subject::of_map("map", Loaded::in_memory(Map::new(map))), &truth, &plan).unwrap()
}

fn codes(map: Grid, truth: &Grid) -> Vec<String> {
    judged(map, truth).findings.into_iter().map(|finding| finding.code.into_owned()).collect()
}

/// The map under another origin.
fn moved(map: &Grid, to: Pose2) -> Grid {
    map.clone().with_geometry(map.geometry().moved_by(to)).unwrap()
}

/// Turned about its middle, then moved.
fn turned(map: &Grid, degrees: f64, x_m: f64, y_m: f64) -> Grid {
    let geometry = map.geometry();
    let middle = geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0);
    let (there, back) = (Pose2::new(middle.x_m, middle.y_m, 0.0), Pose2::new(-middle.x_m, -middle.y_m, 0.0));
    moved(map, Pose2::new(x_m, y_m, 0.0) * there * Pose2::new(0.0, 0.0, degrees.to_radians()) * back)
}

fn with_cells(map: &Grid, change: impl Fn(usize, CellClass) -> CellClass) -> Grid {
    let cells = map.classes().iter().enumerate().map(|(index, class)| change(index, *class)).collect();
    Grid::new(*map.geometry(), cells).unwrap()
}

fn placed_at(map: &Grid, cell_size_m: f64, origin: Pose2) -> Grid {
    let geometry = map.geometry();
    let place = GridGeometry::new(geometry.width(), geometry.height(), cell_size_m, origin).unwrap();
    Grid::new(place, map.classes().to_vec()).unwrap()
}

#[test]
fn a_shifted_origin_is_doubtful_on_the_case_and_on_every_value() {
    let truth = place(101);
    let report = judged(moved(&mapped(&truth, 1), Pose2::new(-0.61, -0.57, 0.0)), &truth);
    let finding = report.findings.iter().find(|finding| finding.code == "FRAME_DOUBTFUL").unwrap();
    let words: Vec<&str> = finding.message.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    assert_eq!(
        (&words[..3], &words[5..9]),
        (&["a", "shift", "of"][..], &["m", "fits", "far", "better:"][..])
    );
    let off_m = |word: &str, expected_m: f64| (word.parse::<f64>().unwrap() - expected_m).abs();
    assert!(off_m(words[3], 0.61) < 0.06 && off_m(words[4], 0.57) < 0.06, "{}", finding.message);
    assert!(finding.hint.as_deref().unwrap().contains("align = auto"));
    for metric in &report.metrics {
        assert!(metric.value.is_some(), "the value is there, with a warning");
        assert_eq!(serde_json::to_value(&metric.reasons).unwrap(), serde_json::json!(["FRAME_DOUBTFUL"]));
    }
}

#[test]
fn shifts_from_0_3_to_5_m_and_rotations_are_found() {
    for seed in [101, 102] {
        let truth = place(seed);
        let map = mapped(&truth, seed);
        for (index, distance_m) in [0.3, 0.6, 1.0, 2.0, 5.0].into_iter().enumerate() {
            let (sin, cos) = (0.6 + index as f64 + seed as f64).sin_cos();
            let shifted = moved(&map, Pose2::new(distance_m * cos, distance_m * sin, 0.0));
            assert_eq!(codes(shifted, &truth), ["FRAME_DOUBTFUL"], "place {seed}, {distance_m} m");
        }
        for degrees in [5.0, -10.0, 30.0, 90.0, 180.0] {
            let found = codes(turned(&map, degrees, 0.4, 0.3), &truth);
            assert_eq!(found, ["FRAME_DOUBTFUL"], "place {seed}, {degrees} degrees");
        }
    }
}

#[test]
fn maps_that_are_merely_bad_raise_no_doubt() {
    for seed in [103, 104] {
        let truth = place(seed);
        for damage in EXAMPLES.iter().filter(|damage| damage.name != "shift") {
            let map = (damage.apply)(&truth, seed).unwrap();
            assert_eq!(codes(map, &truth), [""; 0], "place {seed}, {}", damage.name);
        }
        let wing = mapped(&truth, seed);
        for drift in [1.0, 2.0, -4.0] {
            let heading_drift_rad_per_m = (drift * 0.25_f64).to_radians();
            let bent = bend(&wing, &Bend { heading_drift_rad_per_m, start_m: 2.0 }).unwrap();
            assert_eq!(codes(bent, &truth), [""; 0], "place {seed}, bent by {drift}");
        }
        let thick = thick_walls(&wing, &ThickWalls { growth_cells: 2 }).unwrap();
        assert_eq!(codes(thick, &truth), [""; 0], "place {seed}, thick walls");
        assert_eq!(codes(mapped(&place(seed + 1000), seed), &truth), [""; 0], "place {seed}, other rooms");
    }
}

#[test]
fn origins_that_are_zero_swapped_or_turned_in_degrees_are_doubtful() {
    let here = Pose2::new(-7.0, 3.0, 0.0);
    let truth = place(105);
    let truth = placed_at(&truth, truth.geometry().cell_size_m(), here);
    let map = mapped(&truth, 5);
    for origin in [Pose2::IDENTITY, Pose2::new(3.0, -7.0, 0.0), Pose2::new(-7.0, 3.0, 90.0)] {
        let wrong = placed_at(&map, map.geometry().cell_size_m(), origin);
        assert!(codes(wrong, &truth).contains(&"FRAME_DOUBTFUL".to_owned()), "{origin:?}");
    }
    assert_eq!(codes(map, &truth), [""; 0]);
}

#[test]
fn mirrored_and_upside_down_maps_are_never_a_match() {
    let truth = place(106);
    let map = mapped(&truth, 6);
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let cell = |column: usize, row: usize| map.classes()[row * width + column];
    let mirrored = with_cells(&map, |index, _| cell(width - 1 - index % width, index / width));
    let upside_down = with_cells(&map, |index, _| cell(index % width, height - 1 - index / width));
    for wrong in [mirrored, upside_down] {
        let report = judged(wrong, &truth);
        assert_eq!(report.findings[0].code, "MAP_MIRRORED", "{:?}", report.findings);
        assert_eq!(
            serde_json::to_value(&report.metrics[0].reasons).unwrap(),
            serde_json::json!(["MAP_MIRRORED"])
        );
    }
}

#[test]
fn a_wrong_cell_size_is_named() {
    let truth = place(107);
    let map = mapped(&truth, 7);
    for factor in [1.1, 1.0 / 1.1] {
        let report = judged(placed_at(&map, 0.05 * factor, map.geometry().origin()), &truth);
        assert_eq!(report.findings[0].code, "SCALE_DOUBTFUL", "{factor}: {:?}", report.findings);
        // Cell sizes are tried in steps of 2 %.
        let named_m: f64 = report.findings[0].message.split(' ').nth(2).unwrap().parse().unwrap();
        assert!((named_m / 0.05 - 1.0).abs() < 0.02, "{}", report.findings[0].message);
    }
}

#[test]
fn maps_in_other_units_of_length_are_named() {
    let here = Pose2::new(-7.0, 3.0, 0.0);
    let truth = placed_at(&place(107), 0.05, here);
    let map = mapped(&truth, 7);
    for factor in [1.1, 0.9] {
        let wrong = placed_at(&map, 0.05 * factor, Pose2::new(factor * here.x_m, factor * here.y_m, 0.0));
        assert_eq!(codes(wrong, &truth), ["SCALE_DOUBTFUL"], "{factor}");
    }
}

#[test]
fn swapped_colours_random_cells_and_an_unknown_truth_have_their_own_words() {
    let truth = place(108);
    let map = mapped(&truth, 8);
    let negated = with_cells(&map, |_, class| match class {
        CellClass::Occupied => CellClass::Free,
        _ => CellClass::Occupied,
    });
    assert_eq!(codes(negated, &truth), ["MAP_NEGATED"]);
    // Mixed twice: one multiplication alone leaves a pattern along the rows.
    let mixed = |value: u64| (value ^ (value >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let random = |index: usize| (mixed(mixed(index as u64 + 1)) >> 40) % 10 < 3;
    let scattered =
        with_cells(&map, |index, _| if random(index) { CellClass::Occupied } else { CellClass::Free });
    assert_eq!(codes(scattered, &truth), ["MAP_WITHOUT_STRUCTURE"]);
    let nothing = with_cells(&truth, |_, _| CellClass::Unknown);
    let report = judged(map, &nothing);
    assert_eq!(report.findings[0].code, "NO_KNOWN_CELLS_IN_TRUTH");
    assert!(report.metrics.iter().all(|metric| metric.value.is_none()), "nothing can be scored");
}

#[test]
fn exchanged_arguments_are_noticed() {
    let truth = place(109);
    let map = mapped(&truth, 9);
    assert_eq!(codes(truth.clone(), &map), ["TRUTH_LIKE_A_ROBOT_MAP"]);
    assert_eq!(codes(map, &truth), [""; 0]);
}

#[test]
fn a_transform_that_somebody_searched_is_not_questioned_again() {
    let truth = place(110);
    let map = moved(&mapped(&truth, 10), Pose2::new(1.0, 0.5, 0.0));
    let plan = Plan { align: AlignBy::Auto, metrics: vec!["overall_error".to_owned()], ..Plan::default() };
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(truth))), ..Truth::default() };
    let report = judge(&Subject::of_map("map", Loaded::in_memory(Map::new(map))), &truth, &plan).unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    assert!(report.metrics[0].reasons.is_empty());
}

#[test]
fn real_maps_in_the_frame_of_their_truth_raise_no_doubt() {
    let Some(data) = testkit::shared_data("slam-comparison-leo") else { return };
    let options = mapjudge::ReadOptions { treat_205_as_unknown: true, ..mapjudge::ReadOptions::default() };
    let loader = mapjudge::files::Loader::new(options);
    for world in ["office", "abstract"] {
        let truth = loader.map(&data.join(format!("ground_truths/{world}_ground_truth.yaml"))).unwrap();
        for system in ["gmapping", "slam_toolbox", "cartographer", "lidar_rtabmap", "rgbd_rtabmap"] {
            let path = data.join(format!("test_results/{world}/{system}_map.yaml"));
            let Ok(map) = loader.map(&path) else { continue };
            let found = codes(Grid::clone(&map.value.grid), &truth.value.grid);
            assert_eq!(found, [""; 0], "{world}, {system}");
        }
    }
}
