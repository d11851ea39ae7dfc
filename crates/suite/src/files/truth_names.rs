//! Which folders and files of a stick are the truth, by their names.

/// Words for the truth.
const WORDS: [&str; 7] = ["truth", "groundtruth", "gt", "reference", "ref", "solution", "master"];

/// Whether a name speaks of the truth: `truth`, `Ground Truth`, `gt_map.yaml`, `reference-pois.csv`.
#[must_use]
pub fn is_truth_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words: Vec<&str> = lower.split(|letter: char| !letter.is_alphanumeric()).collect();
    // `ground truth` in two words holds `truth`; `truth2` and `gt1` have a number behind them.
    words.iter_mut().for_each(|word| *word = word.trim_end_matches(|letter: char| letter.is_ascii_digit()));
    words.iter().any(|word| WORDS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_truth_are_known_and_names_of_teams_are_not() {
        for name in ["truth", "Ground_Truth", "ground truth", "gt", "GT2", "true_gt.csv", "reference.tif"] {
            assert!(is_truth_name(name), "{name}");
        }
        for name in ["truthseekers", "team_a", "Refugees", "gtr", "masters", "alpha"] {
            assert!(!is_truth_name(name), "{name}");
        }
    }
}
