//! Worked example 06-E9: from a noisy, turned map of an arena to the fiducial score, without any start value.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use metrics::fiducials::{FiducialInputs, FiducialSearch, LayoutFrame};
use metrics::{Case, Reason, Score};
use model::{CellClass, Grid, wrap};
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
    for (seed, rotation_deg, jitter_cells) in
        [(1, 7.0, 0.15), (2, -23.0, 0.3), (3, 40.0, 0.4), (4, 171.0, 0.3)]
    {
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

fn undefined(case: &Case, id: &str) -> Vec<Reason> {
    (metrics::find(id).unwrap().make)().evaluate(case).unwrap_err().reasons
}

const ATTRIBUTES: [&str; 3] =
    ["fiducial_relative_accuracy", "fiducial_short_consistency", "fiducial_resolution"];

#[test]
fn a_given_frame_defines_global_accuracy_and_an_unknown_one_does_not() {
    let arena = BarrelArena { rotation_rad: 0.3, ..Default::default() }.mapped().unwrap();
    let known = case(&arena, LayoutFrame::Known(arena.truth_from_map));
    let (global, relative) =
        (score(&known, "fiducial_global_accuracy"), score(&known, "fiducial_relative_accuracy"));
    assert!(global.value > 0.95 && relative.value >= global.value, "{} {}", global.value, relative.value);
    assert_eq!(
        undefined(&case(&arena, LayoutFrame::Unknown), "fiducial_global_accuracy"),
        [Reason::NoReference]
    );
}

#[test]
fn a_map_without_barrels_covers_nothing() {
    let mut arena = BarrelArena::default().mapped().unwrap();
    arena.map = Grid::filled(*arena.map.geometry(), CellClass::Free);
    for frame in [LayoutFrame::Unknown, LayoutFrame::Known(arena.truth_from_map)] {
        let case = case(&arena, frame);
        assert_eq!(score(&case, "fiducial_coverage").value, 0.0);
        for id in ATTRIBUTES {
            assert_eq!(undefined(&case, id), [Reason::NoMatch], "{id}");
        }
        assert_eq!(score(&case, "fiducial_score").value, 0.0);
    }
}

#[test]
fn a_layout_outside_the_map_covers_nothing_in_a_given_frame() {
    let mut arena = BarrelArena::default().mapped().unwrap();
    arena.layout.parts.iter_mut().for_each(|part| part.center.x_m += 100.0);
    let case = case(&arena, LayoutFrame::Known(arena.truth_from_map));
    assert_eq!(score(&case, "fiducial_coverage").value, 0.0);
    assert_eq!(undefined(&case, "fiducial_relative_accuracy"), [Reason::NoMatch]);
}

#[test]
fn without_long_pairs_the_score_rests_on_the_rest() {
    let mut arena = BarrelArena::default().mapped().unwrap();
    arena.layout.parts.retain(|part| part.range != "long");
    let names: Vec<String> = arena.layout.parts.iter().map(|part| part.fiducial.clone()).collect();
    arena.layout.pair_distances_m.retain(|(fiducial, _)| names.contains(fiducial));
    let case = case(&arena, LayoutFrame::Unknown);
    assert_eq!(undefined(&case, "fiducial_long_consistency"), [Reason::NoMatch]);
    let whole = score(&case, "fiducial_score");
    assert_eq!(whole.detail["left_out"], serde_json::json!(["long_consistency"]));
    assert!(whole.value > 0.9, "{}", whole.value);
}

#[test]
fn cells_too_coarse_and_repeated_names_are_reasons() {
    let mut arena = BarrelArena::default().mapped().unwrap();
    arena.layout.parts.iter_mut().for_each(|part| part.radius_m = 0.09);
    assert_eq!(undefined(&case(&arena, LayoutFrame::Unknown), "fiducial_coverage"), [Reason::RadiusTooSmall]);
    let mut arena = BarrelArena::default().mapped().unwrap();
    arena.layout.parts[1].part = arena.layout.parts[0].part.clone();
    assert_eq!(undefined(&case(&arena, LayoutFrame::Unknown), "fiducial_coverage"), [Reason::DuplicateId]);
}

#[test]
fn one_fiducial_alone_is_found_but_its_frame_is_a_guess() {
    let mut arena = BarrelArena::default().mapped().unwrap();
    arena.layout.parts.truncate(2);
    arena.layout.pair_distances_m.truncate(1);
    let coverage = score(&case(&arena, LayoutFrame::Unknown), "fiducial_coverage");
    assert_eq!(coverage.value, 1.0);
    assert!(coverage.warnings.contains(&Reason::AlignAmbiguous), "{:?}", coverage.warnings);
}

#[test]
fn halves_in_their_place_pass_todays_rule_under_both_tolerances() {
    let arena = BarrelArena { cell_size_m: 0.025, ..Default::default() }.mapped().unwrap();
    let case = case(&arena, LayoutFrame::Unknown);
    let rate = score(&case, "fiducial_pass_rate");
    assert!(rate.value >= 6.0 / 7.0, "{:?}", rate.detail);
    let mut coded = (metrics::find("fiducial_pass_rate").unwrap().make)();
    coded.set("tolerance", &serde_json::json!("as_coded")).unwrap();
    assert!(coded.evaluate(&case).unwrap().value >= rate.value);
}

#[test]
fn a_mirrored_map_does_not_score_like_the_map() {
    let arena = BarrelArena::default().mapped().unwrap();
    let geometry = *arena.map.geometry();
    let mirrored: Vec<CellClass> =
        arena.map.classes().chunks(geometry.width()).flat_map(|row| row.iter().rev().copied()).collect();
    let mirrored = MappedArena { map: Grid::new(geometry, mirrored).unwrap(), ..arena.clone() };
    let [right, wrong] =
        [&arena, &mirrored].map(|arena| score(&case(arena, LayoutFrame::Unknown), "fiducial_score"));
    assert!(
        right.value > 0.95 && wrong.value < right.value - 0.2,
        "{} and mirrored {}",
        right.value,
        wrong.value
    );
    assert!(!right.warnings.contains(&Reason::MapMirrored));
    assert!(wrong.warnings.contains(&Reason::MapMirrored), "{:?}", wrong.warnings);
}

/// The arena without noise in its own frame, and a noisy map of it on the same grid, with the layout.
fn compared(change: impl Fn(&mut [CellClass], usize)) -> Case {
    let exact = BarrelArena { jitter_cells: 0.0, missing_share: 0.0, ..Default::default() }.mapped().unwrap();
    let arena = BarrelArena { rotation_rad: 0.3, missing_share: 0.0, ..Default::default() }.mapped().unwrap();
    let geometry = exact.map.geometry().moved_by(exact.truth_from_map);
    let truth = Arc::new(exact.map.with_geometry(geometry).unwrap());
    let mut classes = arena.map.classes().to_vec();
    change(&mut classes, arena.map.geometry().width());
    let map = Arc::new(Grid::new(*arena.map.geometry(), classes).unwrap());
    let rule = align::Resample::OccupiedWins;
    let grids = align::common_grid(&truth, &map, arena.truth_from_map, align::Window::Truth, rule).unwrap();
    Case::new(grids).with_fiducials(FiducialInputs {
        layout: arena.layout,
        map,
        frame: LayoutFrame::Known(arena.truth_from_map),
        search: FiducialSearch::default(),
    })
}

#[test]
fn ways_between_fiducials_have_their_true_length_unless_the_map_is_cut() {
    let whole = score(&compared(|_, _| {}), "fiducial_topology");
    assert!(whole.value >= 0.95 && whole.detail["paths"] == 120, "{:?}", whole.detail);
    // Everything in the left third of the map is said to be unknown, but for the walls.
    let cut = score(
        &compared(|classes, width| {
            let left = classes.iter_mut().enumerate().filter(|(index, _)| index % width < width / 3);
            left.filter(|(_, class)| **class == CellClass::Free)
                .for_each(|(_, class)| *class = CellClass::Unknown);
        }),
        "fiducial_topology",
    );
    assert!(cut.value < whole.value - 0.2 && cut.detail["blocked"].as_u64() > Some(20), "{:?}", cut.detail);
}
