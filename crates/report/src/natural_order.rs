//! The order in which people list names: `map2` before `map10`.

use std::cmp::Ordering;

use crate::CaseReport;

/// The numbers of the cases, in the natural order of their names.
pub(crate) fn in_natural_order(cases: &[CaseReport]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by(|&a, &b| natural_order(&cases[a].name, &cases[b].name));
    order
}

/// Runs of digits by their number, everything else letter by letter without case; ties by the bytes.
pub(crate) fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (digits_a, digits_b) = (leading_digits(left), leading_digits(right));
        if !digits_a.is_empty() && !digits_b.is_empty() {
            let found = by_number(digits_a, digits_b);
            if found.is_ne() {
                return found;
            }
            (left, right) = (&left[digits_a.len()..], &right[digits_b.len()..]);
            continue;
        }
        let (Some(letter_a), Some(letter_b)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        let found = letter_a.to_lowercase().cmp(letter_b.to_lowercase());
        if found.is_ne() {
            return found;
        }
        (left, right) = (&left[letter_a.len_utf8()..], &right[letter_b.len_utf8()..]);
    }
}

fn leading_digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

/// Numbers of any length: without leading zeros the longer one is larger.
fn by_number(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["map10", "map2", "Map1", "map02", "map", "m", "2026-1", "2026-11", "2026-2"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["2026-1", "2026-2", "2026-11", "m", "map", "Map1", "map02", "map2", "map10"]);
    }

    proptest! {
        #[test]
        fn it_is_an_order(a in "[a1é0]{0,6}", b in "[a1é0]{0,6}", c in "[a1é0]{0,6}") {
            prop_assert_eq!(natural_order(&a, &b), natural_order(&b, &a).reverse());
            prop_assert_eq!(natural_order(&a, &b).is_eq(), a == b);
            if natural_order(&a, &b).is_le() && natural_order(&b, &c).is_le() {
                prop_assert!(natural_order(&a, &c).is_le());
            }
        }
    }
}
