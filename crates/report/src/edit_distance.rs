//! The nearest of some known words, to suggest what a misspelt name may have meant.

/// The known word nearest to `word`, if it is near enough to be a slip of the fingers.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let (distance, nearest) = known.map(|k| (distance(&word, &k.to_lowercase()), k)).min()?;
    (distance <= 2 + word.chars().count() / 4).then_some(nearest)
}

/// Insertions, deletions and replacements that turn one word into the other (Levenshtein 1966).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_the_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("map", "map"), 0);
    }

    #[test]
    fn suggests_the_nearest_and_nothing_far_away() {
        let known = ["overall_error", "picture_distance"];
        assert_eq!(nearest("overal_eror", known.into_iter()), Some("overall_error"));
        assert_eq!(nearest("Picture_Distance", known.into_iter()), Some("picture_distance"));
        assert_eq!(nearest("zebra", known.into_iter()), None);
        assert_eq!(nearest("zebra", std::iter::empty()), None);
    }

    proptest! {
        #[test]
        fn is_symmetric_and_at_most_the_longer_length(a in "[a-c]{0,8}", b in "[a-c]{0,8}") {
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert!(distance(&a, &b) <= a.len().max(b.len()));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
        }
    }
}
