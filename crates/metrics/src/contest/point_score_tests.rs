//! Hand-worked lists, and what the public judge tool gets wrong on them.

use super::marked_points::{MarkedPoint, PointInputs};
use super::point_rules::{DistanceRule, FrameRule, PointRules};
use super::point_score::point_score;
use crate::drawing::nearly;
use crate::{Reason, Score};

fn list(rows: &[(&str, &str, f64, f64)]) -> Vec<MarkedPoint> {
    let point = |(index, &(kind, name, x, y)): (usize, &(&str, &str, f64, f64))| MarkedPoint {
        id: (index + 1).to_string(),
        kind: kind.to_owned(),
        name: name.to_owned(),
        position_m: [x, y, 0.0],
    };
    rows.iter().enumerate().map(point).collect()
}

/// Repeated labels of every type: 3 + 4 + 10 + 15 points.
fn arena() -> Vec<MarkedPoint> {
    list(&[
        ("ar_tag", "7", 0.0, 0.0),
        ("ar_tag", "7", 6.0, 1.0),
        ("ar_tag", "7", 2.0, 5.0),
        ("hazmat", "flammable", 4.0, 4.0),
        ("hazmat", "flammable", 9.0, 3.0),
        ("real_object", "helmet", 1.0, 8.0),
        ("heat_signature", "", 7.0, 7.0),
    ])
}

fn scored(truth: Vec<MarkedPoint>, submission: Vec<MarkedPoint>, rules: &PointRules) -> Score {
    point_score(&PointInputs { truth, submission }, rules).unwrap()
}

fn number(score: &Score, key: &str) -> f64 {
    score.detail[key].as_f64().unwrap_or_else(|| panic!("{key}: {:?}", score.detail[key]))
}

fn changed(points: Vec<MarkedPoint>, change: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<MarkedPoint> {
    points.into_iter().map(|p| MarkedPoint { position_m: change(p.position_m), ..p }).collect()
}

#[test]
fn defect_repeated_labels_against_themselves_are_perfect() {
    let score = scored(arena(), arena(), &PointRules::default());
    assert_eq!((number(&score, "error_m"), number(&score, "points"), score.value), (0.0, 32.0, 32.0));
    assert_eq!((number(&score, "coverage"), score.detail["certified"].as_bool()), (1.0, Some(true)));
    nearly(number(&score, "adjusted_score"), 40.0, 1e-12);
    assert!(score.warnings.is_empty(), "{:?}", score.warnings);
    let first = &score.detail["matches"][0];
    assert_eq!(first["alternatives"].as_array().unwrap().len(), 2, "the rejected ones are listed: {first}");
}

#[test]
fn defect_the_order_of_rows_has_no_influence() {
    let moved = changed(arena(), |[x, y, z]| [x + 0.1 * y, y - 0.05 * x, z]);
    let mut shuffled = moved.clone();
    shuffled.reverse();
    shuffled.swap(1, 4);
    let mut truth = arena();
    truth.rotate_left(3);
    let (one, other) =
        (scored(arena(), moved, &PointRules::default()), scored(truth, shuffled, &PointRules::default()));
    assert_eq!(serde_json::to_string(&one.detail).unwrap(), serde_json::to_string(&other.detail).unwrap());
}

#[test]
fn defect_a_mirrored_list_is_flagged_and_not_perfect() {
    let score = scored(arena(), changed(arena(), |[x, y, z]| [-x, y, z]), &PointRules::default());
    assert_eq!(score.detail["mirrored"].as_bool(), Some(true));
    assert!(score.warnings.contains(&Reason::MapMirrored));
    assert!(number(&score, "error_m") > 0.5, "{:?}", score.detail["error_m"]);
    assert!(score.value < 16.0, "{}", score.value);
    // The same with unique labels, where every distance between points is right.
    let unique = |i: usize, p: MarkedPoint| MarkedPoint { name: i.to_string(), ..p };
    let truth: Vec<MarkedPoint> = arena().into_iter().enumerate().map(|(i, p)| unique(i, p)).collect();
    let mirrored = scored(truth.clone(), changed(truth, |[x, y, z]| [x, -y, z]), &PointRules::default());
    assert_eq!(mirrored.detail["mirrored"].as_bool(), Some(true));
    assert!(number(&mirrored, "error_m") > 0.5);
}

#[test]
fn a_turned_and_shifted_list_is_perfect() {
    let turned = changed(arena(), |[x, y, z]| [3.0 - y, x + 40.0, z]);
    let score = scored(arena(), turned, &PointRules::default());
    nearly(number(&score, "error_m"), 0.0, 1e-12);
    nearly(score.value, 32.0, 1e-9);
    let given = PointRules { frame: FrameRule::Given, ..PointRules::default() };
    let shifted = scored(arena(), changed(arena(), |[x, y, z]| [x + 0.3, y + 0.4, z]), &given);
    nearly(number(&shifted, "error_m"), 0.5, 1e-12);
}

#[test]
fn worked_example_three_points_on_a_right_triangle() {
    // Distances 3, 4, 5; the third point is 1 m too far: 3, 5, sqrt(34).
    let truth = list(&[("hazmat", "a", 0.0, 0.0), ("hazmat", "b", 3.0, 0.0), ("real_object", "c", 0.0, 4.0)]);
    let off = list(&[("hazmat", "a", 0.0, 0.0), ("hazmat", "b", 3.0, 0.0), ("real_object", "c", 0.0, 5.0)]);
    let score = scored(truth, off, &PointRules::default());
    let far = 34.0_f64.sqrt() - 5.0;
    let errors = [0.5, far / 2.0, (1.0 + far) / 2.0];
    for (matched, expected) in score.detail["matches"].as_array().unwrap().iter().zip(errors) {
        nearly(matched["error_m"].as_f64().unwrap(), expected, 1e-12);
    }
    // a at exactly 0.5 m and b at 0.415 count, c at 0.915 does not.
    assert_eq!(number(&score, "points"), 4.0);
    nearly(score.value, 4.0 / (1.0 + errors.iter().sum::<f64>() / 3.0), 1e-12);
    nearly(score.detail["pair_errors_m"][0][2].as_f64().unwrap(), 1.0, 1e-12);
}

#[test]
fn defect_the_threshold_means_what_it_prints() {
    let truth = list(&[("hazmat", "a", 0.0, 0.0), ("hazmat", "b", 4.0, 0.0)]);
    let off = list(&[("hazmat", "a", 0.0, 0.0), ("hazmat", "b", 4.75, 0.0)]);
    assert_eq!(number(&scored(truth.clone(), off.clone(), &PointRules::default()), "points"), 0.0);
    let finals = PointRules { scoring_threshold: 1.0, ..PointRules::default() };
    let score = scored(truth, off, &finals);
    assert_eq!((number(&score, "points"), number(&score, "error_m")), (4.0, 0.75));
}

#[test]
fn defect_a_scale_error_is_estimated_and_taken_out() {
    let score =
        scored(arena(), changed(arena(), |[x, y, z]| [1.02 * x, 1.02 * y, z]), &PointRules::default());
    nearly(number(&score, "scale"), 0.980_39, 1e-5);
    assert!(number(&score, "error_m") > 0.05);
    let corrected = &score.detail["scale_corrected"];
    nearly(corrected["error_m"].as_f64().unwrap(), 0.0, 1e-12);
    nearly(corrected["score"].as_f64().unwrap(), 32.0, 1e-9);
}

#[test]
fn coverage_stands_beside_the_score_and_may_be_demanded() {
    let rules = PointRules { min_coverage: 0.5, ..PointRules::default() };
    let score = scored(arena(), arena()[5..].to_vec(), &rules);
    nearly(number(&score, "coverage"), 2.0 / 7.0, 1e-12);
    assert_eq!((score.value, score.detail["coverage_held"].as_bool()), (25.0, Some(false)));
    assert_eq!(score.detail["unmatched"].as_array().unwrap().len(), 5);
}

#[test]
fn names_alone_or_with_the_type_make_a_label() {
    let truth = list(&[("hazmat", "A", 0.0, 0.0), ("hazmat", "B", 3.0, 0.0), ("hazmat", "C", 3.0, 4.0)]);
    let typed =
        list(&[("object", "a", 0.0, 0.0), ("hazmatsign", " b", 3.0, 0.0), ("Hazmat", "C ", 3.0, 4.0)]);
    assert_eq!(number(&scored(truth.clone(), typed.clone(), &PointRules::default()), "matched"), 2.0);
    let by_name = PointRules::profile("rrl-2024").unwrap();
    assert_eq!(number(&scored(truth, typed, &by_name), "matched"), 3.0);
}

#[test]
fn too_little_to_measure_gives_no_points_and_says_why() {
    let one = scored(arena(), arena()[6..].to_vec(), &PointRules::default());
    assert_eq!((one.value, one.detail["error_m"].is_null()), (0.0, true));
    assert_eq!(one.warnings, [Reason::InsufficientPoints]);
    let none = scored(arena(), Vec::new(), &PointRules::default());
    assert_eq!((none.value, number(&none, "coverage")), (0.0, 0.0));
    let inputs = PointInputs { truth: Vec::new(), submission: arena() };
    assert_eq!(point_score(&inputs, &PointRules::default()).unwrap_err().reasons, [Reason::NoReference]);
}

#[test]
fn hostile_lists_end_in_a_reason() {
    let many = |count: usize| changed(vec![arena()[0].clone(); count], |p| p);
    let inputs = PointInputs { truth: many(3000), submission: many(3000) };
    let refused = point_score(&inputs, &PointRules::default()).unwrap_err();
    assert_eq!(refused.reasons, [Reason::TooManyPoints]);
    let huge = changed(arena(), |[x, y, z]| [x * 1e300, y * 1e300, z]);
    let inputs = PointInputs { truth: huge.clone(), submission: huge };
    match point_score(&inputs, &PointRules::default()) {
        Ok(score) => assert!(score.value.is_finite()),
        Err(undefined) => assert_eq!(undefined.reasons, [Reason::NotFinite]),
    }
}

#[test]
fn heights_count_where_the_rules_say_so() {
    let lifted =
        |z: f64| vec![MarkedPoint { position_m: [0.0, 0.0, z], ..arena()[0].clone() }, arena()[5].clone()];
    let space = PointRules { distance: DistanceRule::Space, ..PointRules::default() };
    assert_eq!(number(&scored(lifted(0.0), lifted(2.0), &PointRules::default()), "error_m"), 0.0);
    nearly(
        number(&scored(lifted(0.0), lifted(2.0), &space), "error_m"),
        (65.0_f64 + 4.0).sqrt() - 65.0_f64.sqrt(),
        1e-12,
    );
}
