//! Words that are another word with a slip in it.

/// Shorter words may have one slip, longer ones two: `name` is no slip of `mode`.
const SHORT_LETTERS: usize = 6;

/// The word of a list that a word may be meant to be: a few letters off, or the beginning of it; none if it is one of them,
/// or far from all.
pub(crate) fn meant<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if known.contains(&word) {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace(['-', ' '], "_").into_bytes();
    let slips = |other: &&&str| distance(&plain(word), &plain(other));
    let nearest = known.iter().min_by_key(slips)?;
    let allowed = if nearest.len() < SHORT_LETTERS { 1 } else { 2 };
    let longer = known.iter().find(|other| plain(word).starts_with(&plain(other)));
    if slips(&nearest) <= allowed { Some(nearest) } else { longer.copied() }
}

/// Letters that were left out, added, mistaken, or swapped with the next one.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let mistaken = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = mistaken.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_found_and_another_word_is_not() {
        let known = ["image", "resolution", "origin", "free_thresh", "occupied_thresh", "negate", "mode"];
        for (word, expected) in [
            ("mod", "mode"),
            ("Mode", "mode"),
            ("mdoe", "mode"),
            ("free_tresh", "free_thresh"),
            ("free-thresh", "free_thresh"),
            ("free_threshold", "free_thresh"),
            ("negated", "negate"),
            ("resolutoin", "resolution"),
            ("name", ""),
            ("mode", ""),
            ("frame_id", ""),
            ("width", ""),
        ] {
            assert_eq!(meant(word, &known).unwrap_or_default(), expected, "{word}");
        }
    }
}
