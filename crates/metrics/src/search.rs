//! Metrics by the words that people know them by: ids, titles and codes in part, and names of other tools.

use crate::all;

/// Names that other tools and papers use, and the metrics that come nearest.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("accuracy", &["occupied_precision", "fiducial_global_accuracy"]),
    ("acd", &["chamfer_distance"]),
    ("ape", &["ate_translation", "ate_rotation", "ate_full"]),
    ("area", &["explored_area", "cleared_area"]),
    ("auc", &["tolerance_f1_area", "surface_f1_area"]),
    ("completeness", &["occupied_recall", "known_coverage"]),
    ("dice", &["occupied_f1"]),
    ("drift", &["kitti_drift_translation", "kitti_drift_rotation"]),
    ("emd", &["chamfer_distance"]),
    ("fscore", &["occupied_f1", "tolerance_f1_area"]),
    ("jaccard", &["occupied_iou"]),
    ("kitti", &["kitti_drift_translation", "kitti_drift_rotation"]),
    ("mae", &["overall_error", "ate_translation"]),
    ("miou", &["occupied_iou", "room_iou"]),
    ("mse", &["normalized_map_score_collins", "map_score_collins"]),
    ("ncc", &["pearson_correlation", "baron_correlation"]),
    ("psnr", &["structural_similarity", "image_similarity"]),
    ("rmse", &["ate_translation", "rpe_translation"]),
    ("rre", &["rpe_rotation"]),
    ("rte", &["rpe_translation"]),
    ("segmentation", &["room_iou", "room_precision", "room_recall"]),
    ("sensitivity", &["occupied_recall"]),
    ("specificity", &["occupied_precision"]),
    ("thickness", &["wall_thickness_ratio"]),
];

/// Shorter words match only as the beginning of another.
const MIN_STEM_LETTERS: usize = 4;

/// Ids of metrics that a word may mean, the likeliest first: a name of other tools, else every metric whose id, code or
/// title has all its parts (`iou`, `ate_trans`, `Hausdorff`).
#[must_use]
pub fn search(word: &str) -> Vec<&'static str> {
    let parts = words(word);
    let joined = parts.concat();
    if let Some((_, ids)) = SYNONYMS.iter().find(|(synonym, _)| *synonym == joined) {
        return ids.to_vec();
    }
    if parts.is_empty() {
        return Vec::new();
    }
    let has_parts = |text: &[String]| parts.iter().all(|part| text.iter().any(|known| matches(part, known)));
    let specs = || all().map(|entry| entry.spec);
    let by_id = specs().filter(|spec| has_parts(&words(spec.id))).map(|spec| spec.id);
    let whole = |spec: &crate::MetricSpec| words(&format!("{} {} {}", spec.id, spec.code, spec.title));
    let by_title = specs().filter(|spec| has_parts(&whole(spec))).map(|spec| spec.id);
    let mut distinct: Vec<&'static str> = Vec::new();
    for id in by_id.chain(by_title) {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    distinct
}

/// Lower-case words of letters and digits.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(str::to_ascii_lowercase).collect()
}

/// Whether a word is the beginning of a known one, or has one as its stem (`victims` and `victim`).
fn matches(part: &str, known: &str) -> bool {
    known.starts_with(part) || known.len() >= MIN_STEM_LETTERS && part.starts_with(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_parts_codes_and_names_of_other_tools_find_their_metrics() {
        for (word, id) in [
            ("iou", "occupied_iou"),
            ("chamfer", "chamfer_distance"),
            ("Hausdorff", "hausdorff_distance"),
            ("ate_trans", "ate_translation"),
            ("ape", "ate_translation"),
            ("rpe", "rpe_rotation"),
            ("ate", "ate_full"),
            ("ssim", "structural_similarity"),
            ("psnr", "structural_similarity"),
            ("coverage", "known_coverage"),
            ("f1", "occupied_f1"),
            ("F-score", "occupied_f1"),
            ("M-NMI", "normalized_mutual_information"),
            ("victim", "victims"),
            ("mutual information", "normalized_mutual_information"),
        ] {
            assert_eq!(search(word).first(), Some(&id), "{word}: {:?}", search(word));
        }
        assert!(search("ate").contains(&"ate_translation"));
        assert!(search("coverage").contains(&"trajectory_coverage"));
    }

    #[test]
    fn nothing_is_found_for_nothing_and_for_other_words() {
        for word in ["", "--", "zebra", "qq"] {
            assert_eq!(search(word), [""; 0], "{word}");
        }
    }

    #[test]
    fn synonyms_are_sorted_and_name_metrics_that_exist() {
        assert!(SYNONYMS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for id in SYNONYMS.iter().flat_map(|(_, ids)| *ids) {
            assert!(crate::find(id).is_some(), "{id}");
        }
    }
}
