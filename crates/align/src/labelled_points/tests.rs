use std::f64::consts::TAU;

use testkit::Random;

use super::*;

fn points(list: &[(&str, f64, f64)]) -> Vec<LabelledPoint> {
    list.iter()
        .map(|&(label, x, y)| LabelledPoint { label: label.to_owned(), at: Point2::new(x, y) })
        .collect()
}

fn moved(list: &[LabelledPoint], by: Similarity2) -> Vec<LabelledPoint> {
    list.iter().map(|point| LabelledPoint { at: by * point.at, ..point.clone() }).collect()
}

fn mirrored(list: &[LabelledPoint]) -> Vec<LabelledPoint> {
    list.iter().map(|p| LabelledPoint { at: Point2::new(-p.at.x_m, p.at.y_m), ..p.clone() }).collect()
}

fn assigned(truth: &[LabelledPoint], submission: &[LabelledPoint]) -> PointAssignment {
    assign_labelled(truth, submission, &LabelledPoints::default()).unwrap()
}

fn repeated() -> Vec<LabelledPoint> {
    points(&[
        ("qr", 0.0, 0.0),
        ("qr", 7.0, 1.0),
        ("qr", 3.0, 6.0),
        ("hazmat", 1.0, 4.0),
        ("hazmat", 8.0, 7.0),
        ("valve", 5.0, 2.0),
    ])
}

#[test]
fn a_list_with_repeats_is_paired_with_itself() {
    let truth = repeated();
    let found = assigned(&truth, &truth);
    assert_eq!(found.pairs, (0..6).map(|i| (i, i)).collect::<Vec<_>>());
    assert_eq!((found.residual_m, found.certified, found.mirror), (Some(0.0), true, Mirror::Plain));
    assert_eq!(found.truth_from_submission, Some(Similarity2::IDENTITY));
}

#[test]
fn a_symmetric_list_of_equal_labels_stays_as_it_is() {
    let square = points(&[("a", 0.0, 0.0), ("a", 1.0, 0.0), ("a", 1.0, 1.0), ("a", 0.0, 1.0)]);
    let found = assigned(&square, &square);
    assert_eq!(found.pairs, [(0, 0), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(found.mirror, Mirror::MirrorUndecided, "a square is its own mirror image");
}

#[test]
fn a_turned_and_shuffled_list_is_recognised() {
    let truth = repeated();
    let mut turned = moved(&truth, Similarity2::new(40.0, -3.0, 2.0, 1.0));
    turned.reverse();
    let found = assigned(&truth, &turned);
    assert_eq!(found.pairs, (0..6).map(|i| (i, 5 - i)).collect::<Vec<_>>());
    assert!(found.residual_m.unwrap() < 1e-9 && found.certified);
}

#[test]
fn far_origins_cost_no_digits() {
    let truth = moved(&repeated(), Similarity2::new(5e5, 4.9e6, 0.0, 1.0));
    let found = assigned(&truth, &moved(&repeated(), Similarity2::new(0.0, 0.0, 1.0, 1.0)));
    assert_eq!(found.pairs, (0..6).map(|i| (i, i)).collect::<Vec<_>>());
    assert!(found.residual_m.unwrap() < 1e-6 && found.certified);
}

#[test]
fn a_mirror_image_is_noticed_in_both_frames() {
    let truth = repeated();
    let found = assigned(&truth, &mirrored(&truth));
    assert_eq!(found.mirror, Mirror::Mirrored);
    assert!(found.residual_m.unwrap() > 0.5 && found.mirrored_residual_m.unwrap() < 1e-9);
    let given = LabelledPoints { frame: PointFrame::Given, ..LabelledPoints::default() };
    assert_eq!(assign_labelled(&truth, &mirrored(&truth), &given).unwrap().mirror, Mirror::Mirrored);
    let line = points(&[("a", 0.0, 0.0), ("b", 1.0, 1.0), ("c", 3.0, 3.0)]);
    assert_eq!(assigned(&line, &mirrored(&line)).mirror, Mirror::MirrorUndecided);
}

#[test]
fn missing_and_surplus_points_find_no_partner() {
    let truth = points(&[("a", 0.0, 0.0), ("a", 10.0, 0.0), ("b", 5.0, 5.0), ("c", 1.0, 8.0)]);
    let submission =
        points(&[("a", 10.1, 0.0), ("b", 5.0, 5.1), ("b", 90.0, 5.0), ("c", 1.0, 8.0), ("d", 0.0, 0.0)]);
    assert_eq!(assigned(&truth, &submission).pairs, [(1, 0), (2, 1), (3, 3)]);
    assert_eq!(assigned(&truth, &[]).pairs, []);
    assert_eq!(assigned(&[], &[]).truth_from_submission, None);
}

#[test]
fn in_a_given_frame_nothing_is_moved() {
    let truth = points(&[("a", 0.0, 0.0), ("a", 1.0, 0.0)]);
    let given = LabelledPoints { frame: PointFrame::Given, ..LabelledPoints::default() };
    let shifted = points(&[("a", 1.4, 0.0), ("a", 0.4, 0.0)]);
    let found = assign_labelled(&truth, &shifted, &given).unwrap();
    assert_eq!(found.pairs, [(0, 1), (1, 0)]);
    assert!((found.residual_m.unwrap() - 0.4).abs() < 1e-12);
}

/// The least residual over all pairings, by trying each.
fn by_trying(truth: &[LabelledPoint], submission: &[LabelledPoint]) -> f64 {
    fn go(
        row: usize,
        truth: &[LabelledPoint],
        submission: &[LabelledPoint],
        used: &mut Vec<bool>,
        so_far: Moments,
    ) -> f64 {
        let Some(point) = truth.get(row) else { return so_far.residual_squares() };
        let mut best = f64::INFINITY;
        for (column, other) in submission.iter().enumerate() {
            if !used[column] && other.label == point.label {
                used[column] = true;
                let sum = so_far.with(PointPair { in_map: other.at, in_truth: point.at });
                best = best.min(go(row + 1, truth, submission, used, sum));
                used[column] = false;
            }
        }
        best
    }
    go(0, truth, submission, &mut vec![false; submission.len()], Moments::default())
}

#[test]
fn equals_trying_every_pairing() {
    let mut random = Random(23);
    for round in 0..60 {
        let mut coordinate = || random.below(1000) as f64 / 100.0;
        let truth: Vec<LabelledPoint> = (0..6)
            .map(|i| LabelledPoint {
                label: ["a", "b"][i % 2].to_owned(),
                at: Point2::new(coordinate(), coordinate()),
            })
            .collect();
        // Noise that makes the right pairing far from obvious, and surplus points.
        let frame = Similarity2::new(coordinate(), coordinate(), f64::from(round) / 60.0 * TAU, 1.0);
        let mut submission: Vec<LabelledPoint> = truth
            .iter()
            .map(|p| {
                let noisy = Point2::new(p.at.x_m + coordinate() / 3.0, p.at.y_m + coordinate() / 3.0);
                LabelledPoint { label: p.label.clone(), at: frame * noisy }
            })
            .collect();
        submission.push(LabelledPoint { label: "a".to_owned(), at: Point2::new(coordinate(), coordinate()) });
        let found = assigned(&truth, &submission);
        let squares = found.residual_m.unwrap().powi(2) * found.pairs.len() as f64;
        let expected = by_trying(&truth, &submission);
        assert!(
            found.certified && (squares - expected).abs() < 1e-6 * expected.max(1.0),
            "{squares} {expected}"
        );
    }
}

#[test]
fn a_thousand_equal_labels_end_in_time_without_certificate() {
    let mut random = Random(3);
    let mut place =
        || Point2::new(random.below(100_000) as f64 / 100.0, random.below(100_000) as f64 / 100.0);
    let list = |places: Vec<Point2>| -> Vec<LabelledPoint> {
        places.into_iter().map(|at| LabelledPoint { label: "x".to_owned(), at }).collect()
    };
    let (truth, other) =
        (list((0..1000).map(|_| place()).collect()), list((0..1000).map(|_| place()).collect()));
    let quick = LabelledPoints { max_steps: 10_000, ..LabelledPoints::default() };
    let found = assign_labelled(&truth, &other, &quick).unwrap();
    assert_eq!((found.pairs.len(), found.certified), (1000, false));
    let own = assign_labelled(&truth, &truth, &quick).unwrap();
    assert!(own.pairs.iter().all(|(t, s)| t == s), "its own list it knows all the same");
    let many = list(vec![Point2::new(0.0, 0.0); 1500]);
    assert_eq!(assign_labelled(&many, &many, &quick).unwrap_err().pairs, 2_250_000);
}
