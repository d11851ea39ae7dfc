//! Laws that hold for every metric, or between metrics, on random maps.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use align::{Resample, Window, common_grid};
use mapjudge_metrics::{self as metrics, Case, Entry, Family, Score, Undefined};
use model::{CellClass, Grid, GridGeometry, Pose2};
use proptest::prelude::*;

fn case(width: usize, truth: &[CellClass], map: &[CellClass]) -> Case {
    let geometry = GridGeometry::new(width, truth.len() / width, 0.05, Pose2::IDENTITY).unwrap();
    let grid = |classes: &[CellClass]| Arc::new(Grid::new(geometry, classes.to_vec()).unwrap());
    let (truth, map) = (grid(truth), grid(map));
    Case::new(common_grid(&truth, &map, Pose2::IDENTITY, Window::Truth, Resample::OccupiedWins).unwrap())
}

fn value(id: &str, case: &Case) -> Result<f64, Undefined> {
    (metrics::find(id).unwrap().make)().evaluate(case).map(|score| score.value)
}

fn class(known_only: bool) -> impl Strategy<Value = CellClass> {
    let unknown = if known_only { CellClass::Free } else { CellClass::Unknown };
    prop_oneof![3 => Just(CellClass::Free), 1 => Just(unknown), 1 => Just(CellClass::Occupied)]
}

/// Width and two planes of equal size.
fn pair(known_only: bool) -> impl Strategy<Value = (usize, Vec<CellClass>, Vec<CellClass>)> {
    (1usize..20, 1usize..20).prop_flat_map(move |(width, height)| {
        let plane = || proptest::collection::vec(class(known_only), width * height);
        (Just(width), plane(), plane())
    })
}

proptest! {
    #[test]
    fn the_counts_of_2009_add_up((width, truth, map) in pair(false)) {
        let case = case(width, &truth, &map);
        let of = |id| value(id, &case).unwrap();
        prop_assert_eq!(of("map_score_balaguer") + of("overall_error"), truth.len() as f64);
        let parts = of("normalized_map_score_balaguer") + of("occupied_map_score_balaguer");
        prop_assert_eq!(parts, of("overall_error"));
    }

    #[test]
    fn squared_differences_are_the_overall_error_on_binary_maps((width, truth, map) in pair(true)) {
        let case = case(width, &truth, &map);
        prop_assert_eq!(value("map_score_collins", &case), value("overall_error", &case));
    }

    #[test]
    fn an_identical_map_gets_the_best_value((width, truth, _) in pair(false)) {
        let case = case(width, &truth, &truth);
        for entry in metrics::all() {
            if let Ok(score) = (entry.make)().evaluate(&case) {
                prop_assert!(is_best(entry, &score), "{}: {:?}", entry.spec.id, score);
            }
        }
    }

    #[test]
    fn values_stay_between_best_and_worst((width, truth, map) in pair(false)) {
        let case = case(width, &truth, &map);
        for entry in metrics::all() {
            let Ok(score) = (entry.make)().evaluate(&case) else { continue };
            let bounds = [score.best.or(entry.spec.best), score.worst.or(entry.spec.worst)];
            let inside = |low: f64, high: f64| (low - 1e-9..=high + 1e-9).contains(&score.value);
            if let [Some(a), Some(b)] = bounds {
                prop_assert!(inside(a.min(b), a.max(b)), "{}: {:?}", entry.spec.id, score);
            }
        }
    }

    #[test]
    fn symmetric_metrics_do_not_care_which_map_is_the_truth((width, truth, map) in pair(false)) {
        let (there, back) = (case(width, &truth, &map), case(width, &map, &truth));
        for id in ["overall_error", "baron_correlation", "map_score_collins", "image_similarity", "picture_distance",
                   "chamfer_distance", "hausdorff_distance", "occupied_iou", "structural_similarity"] {
            match (value(id, &there), value(id, &back)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{id}: {a} and {b}"),
                (a, b) => prop_assert_eq!(a.is_err(), b.is_err(), "{}", id),
            }
        }
        prop_assert_eq!(
            value("normalized_map_score_balaguer", &there),
            value("occupied_map_score_balaguer", &back)
        );
    }

    #[test]
    fn a_half_turn_of_both_maps_changes_nothing((width, truth, map) in pair(false)) {
        let turned = |plane: &[CellClass]| plane.iter().rev().copied().collect::<Vec<_>>();
        let (straight, turned) = (case(width, &truth, &map), case(width, &turned(&truth), &turned(&map)));
        // Thinning takes its cells in a fixed order, and `coords` pairs cells by rank: those may change. So may rooms
        // and parts, where ties go to the first in image order, and lines, which have a rounding side.
        let searched = [Family::Rooms, Family::Plausibility];
        let all = metrics::all().filter(|e| !["surface_f1_area", "wall_thickness_ratio"].contains(&e.spec.id));
        let all = all.filter(|entry| !searched.contains(&entry.spec.family));
        for id in all.map(|entry| entry.spec.id) {
            match (value(id, &straight), value(id, &turned)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{id}: {a} and {b}"),
                (a, b) => prop_assert_eq!(a, b, "{}", id),
            }
        }
    }
}

fn is_best(entry: &Entry, score: &Score) -> bool {
    let best = score.best.or(entry.spec.best);
    best.is_none_or(|best| (score.value - best).abs() < 1e-9)
}

#[test]
fn every_file_with_a_metric_is_listed_once_and_has_a_complete_card() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for family in Family::ALL.iter().map(|family| family.name()).filter(|name| source.join(name).is_dir()) {
        for file in std::fs::read_dir(source.join(family)).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            if text.contains("impl Metric for ") {
                found.push((family, file.file_stem().unwrap().to_string_lossy().into_owned()));
            }
        }
    }
    found.sort();
    let mut listed: Vec<_> =
        metrics::all().map(|entry| (entry.spec.family.name(), entry.spec.id.to_owned())).collect();
    for (family, ids) in [("cells", metrics::cells::METRICS), ("distance", metrics::distance::METRICS)] {
        assert!(ids.is_sorted_by_key(|entry| entry.spec.id), "{family} is not alphabetical");
    }
    listed.sort();
    assert_eq!(found, listed);
    for entry in metrics::all() {
        for key in ["Unit", "Paper", "Unknown", "Known bias", "Undefined"] {
            assert!(entry.spec.card_entry(key).is_some(), "{}: the card lacks '{key}:'", entry.spec.id);
        }
        assert!(entry.spec.card().contains("```text"), "{}: the card lacks a formula", entry.spec.id);
        for param in entry.param_docs() {
            assert!(param.text.contains("Default"), "{}.{}: no default", entry.spec.id, param.name);
        }
    }
}
