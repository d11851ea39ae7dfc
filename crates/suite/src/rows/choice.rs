//! Which of several results of one manifest line counts.
//!
//! Results with equal keys rest on the same inputs and must be equal; if they are not, a score is not repeatable, and that
//! must not hide. Errors of circumstances (time, memory, file system) may be followed by a result. Of different keys the one
//! counts that fits the files as they are now.

use super::row::{Row, RowStatus, is_circumstance};

/// One result of a manifest line, with the bytes that stand in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The row.
    pub row: Row,
    /// Its line, with its end.
    pub line: String,
}

/// Which of several results counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChoice {
    /// The one at this place.
    Taken(usize),
    /// None fits the files as they are now.
    Outdated,
    /// Two that should be equal are not.
    Conflict(usize, usize),
}

/// Chooses among the results of one line. `fits` tells whether a key is that of the files as they are now; it is asked only
/// if there are several keys.
pub fn choose_row(candidates: &[Candidate], fits: &mut dyn FnMut(&str) -> bool) -> RowChoice {
    let mut best: Vec<usize> = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let Some(rival) = best.iter_mut().find(|rival| candidates[**rival].row.key == candidate.row.key)
        else {
            best.push(index);
            continue;
        };
        let kept = &candidates[*rival];
        if kept.line == candidate.line {
            continue;
        }
        match (kept.is_settled(), candidate.is_settled()) {
            (true, true) => return RowChoice::Conflict(*rival, index),
            (true, false) => {}
            (false, true) => *rival = index,
            // Any rule does that depends on the bytes alone, and not on the order of files.
            (false, false) if candidate.line < kept.line => *rival = index,
            (false, false) => {}
        }
    }
    match best.as_slice() {
        [only] => RowChoice::Taken(*only),
        several => {
            let fitting = several.iter().copied().find(|index| fits(&candidates[*index].row.key));
            fitting.map_or(RowChoice::Outdated, RowChoice::Taken)
        }
    }
}

impl Candidate {
    /// Whether the same inputs must give this result again.
    fn is_settled(&self) -> bool {
        self.row.status == RowStatus::Ok || !self.row.code.as_deref().is_some_and(is_circumstance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{RowNames, row_hash};

    fn candidate(key: &str, code: &str, message: &str) -> Candidate {
        let names = RowNames {
            row: row_hash("line"),
            key: row_hash(key),
            id: String::new(),
            tags: serde_json::Map::new(),
        };
        let mut row = Row::of_error(names, code, message.to_owned(), None);
        if code.is_empty() {
            row.status = RowStatus::Ok;
            row.code = None;
        }
        Candidate { line: row.to_line(), row }
    }

    fn choose(candidates: &[Candidate], now: &str) -> RowChoice {
        let now = row_hash(now);
        choose_row(candidates, &mut |key| key == now)
    }

    #[test]
    fn equal_results_are_one() {
        let one = candidate("a", "", "");
        assert_eq!(choose(&[one.clone(), one.clone(), one], "other"), RowChoice::Taken(0));
        assert_eq!(choose(&[], "a"), RowChoice::Outdated);
    }

    #[test]
    fn results_that_are_not_repeatable_are_a_conflict() {
        let rows = [candidate("b", "", ""), candidate("a", "", "1"), candidate("a", "", "2")];
        assert_eq!(choose(&rows, "b"), RowChoice::Conflict(1, 2), "even where another key fits");
        let rows = [candidate("a", "", ""), candidate("a", "MALFORMED", "")];
        assert_eq!(choose(&rows, "a"), RowChoice::Conflict(0, 1));
    }

    #[test]
    fn a_result_goes_over_errors_of_circumstances() {
        let (late, died) = (candidate("a", "ROW_TIMEOUT", ""), candidate("a", "WORKER_DIED", ""));
        let good = candidate("a", "", "");
        assert_eq!(choose(&[late.clone(), good.clone()], "a"), RowChoice::Taken(1));
        assert_eq!(choose(&[good, late.clone()], "a"), RowChoice::Taken(0));
        let (one, other) = (choose(&[late.clone(), died.clone()], "a"), choose(&[died, late], "a"));
        assert_eq!((one, other), (RowChoice::Taken(0), RowChoice::Taken(1)), "whatever the order");
    }

    #[test]
    fn of_different_keys_the_one_that_fits_counts() {
        let rows = [candidate("old", "", "1"), candidate("new", "", "2")];
        assert_eq!(choose(&rows, "new"), RowChoice::Taken(1));
        assert_eq!(choose(&rows, "old"), RowChoice::Taken(0));
        assert_eq!(choose(&rows, "newer"), RowChoice::Outdated);
    }
}
