//! The character matrix of RoboCupJunior Rescue Simulation (Erebus): the map as cells of text.
//!
//! ```text
//! score = correct / (correct + incorrect) over cells where not both are `0` and the answer is not `20`
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: higher. The matrices are laid on each other at their first start tile (`5`), the
//! submission in four rotations; the best one counts. Letters of victims on both sides of a wall may stand in either
//! order. Source: reference values of the public scorer (identity 1, rotated 1); its code was not used.
//! Departure: a cell that one matrix has and the other lacks compares with `0`, so that no padding changes the score;
//! a missing start tile is an error with a remedy. Undefined: if there is no cell to compare.

/// A matrix of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CharacterMatrix {
    rows: Vec<Vec<String>>,
}

/// Why a matrix cannot be read or scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// Rows of unequal length.
    #[error("row {row}: expected {expected} cells, found {found}")]
    Ragged {
        /// Counted from 1.
        row: usize,
        /// As in the first row.
        expected: usize,
        /// In this row.
        found: usize,
    },
    /// Nothing, or too much.
    #[error("{0} cells: expected 1 to 4000000")]
    Size(usize),
    /// A cell that is no word.
    #[error("row {row}, column {column}: a cell has at most 8 letters")]
    Cell {
        /// Counted from 1.
        row: usize,
        /// Counted from 1.
        column: usize,
    },
    /// No start tile.
    #[error("{0}: there is no start tile (a cell '5'), on which the matrices are laid on each other")]
    NoStart(&'static str),
    /// Nothing to compare.
    #[error("every cell is 0 in both matrices, so that there is nothing to compare")]
    Nothing,
}

/// How a submission agrees with the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixScore {
    /// Share of correct cells.
    pub value: f64,
    /// Cells that agree.
    pub correct: usize,
    /// Cells that do not.
    pub incorrect: usize,
    /// Quarter turns, counter-clockwise, under which it agrees best.
    pub quarter_turns: usize,
}

const START: &str = "5";
const NOTHING: &str = "0";
const ANYTHING: &str = "20";
const MAX_CELLS: usize = 4_000_000;
const MAX_LETTERS: usize = 8;

impl CharacterMatrix {
    /// Reads a matrix: one row per line, cells with commas, blanks or tabs between.
    ///
    /// # Errors
    /// The rows do not make a matrix.
    pub fn parse(text: &str) -> Result<Self, MatrixError> {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut cells = 0;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let words: Vec<&str> = if line.contains(',') {
                line.trim_end_matches(',')
                    .split(',')
                    .map(|word| word.trim().trim_matches(['"', '\'']))
                    .collect()
            } else {
                line.split_whitespace().collect()
            };
            cells += words.len();
            if cells > MAX_CELLS {
                return Err(MatrixError::Size(cells));
            }
            if let Some(first) = rows.first().filter(|first| first.len() != words.len()) {
                let (row, expected, found) = (index + 1, first.len(), words.len());
                return Err(MatrixError::Ragged { row, expected, found });
            }
            if let Some(column) = words.iter().position(|word| word.chars().count() > MAX_LETTERS) {
                return Err(MatrixError::Cell { row: index + 1, column: column + 1 });
            }
            rows.push(words.into_iter().map(str::to_owned).collect());
        }
        if cells == 0 { Err(MatrixError::Size(0)) } else { Ok(Self { rows }) }
    }

    fn start(&self) -> Option<(isize, isize)> {
        let in_row = |row: &Vec<String>| row.iter().position(|cell| cell == START);
        let found = self.rows.iter().enumerate().find_map(|(index, row)| Some((index, in_row(row)?)));
        found.map(|(row, column)| (row as isize, column as isize))
    }

    fn turned(&self) -> Self {
        let (height, width) = (self.rows.len(), self.rows.first().map_or(0, Vec::len));
        let cell = |row: usize, column: usize| self.rows[column][width - 1 - row].clone();
        let row = |row: usize| (0..height).map(|column| cell(row, column)).collect();
        Self { rows: (0..width).map(row).collect() }
    }

    fn at(&self, row: isize, column: isize) -> &str {
        let cell = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let cell = cell.and_then(|row| row.get(usize::try_from(column).ok()?));
        cell.map_or(NOTHING, String::as_str)
    }
}

/// Lays a submission on the answer and counts.
///
/// # Errors
/// One of the two has no start tile, or there is nothing to compare.
pub fn matrix_score(
    answer: &CharacterMatrix,
    submission: &CharacterMatrix,
) -> Result<MatrixScore, MatrixError> {
    let start = answer.start().ok_or(MatrixError::NoStart("the answer"))?;
    let mut turned = submission.clone();
    let mut best: Option<MatrixScore> = None;
    for quarter_turns in 0..4 {
        let score = laid(answer, start, &turned, quarter_turns)?;
        if best.is_none_or(|best| score.value > best.value) {
            best = Some(score);
        }
        turned = turned.turned();
    }
    best.ok_or(MatrixError::Nothing)
}

fn laid(
    answer: &CharacterMatrix,
    (row_0, column_0): (isize, isize),
    submission: &CharacterMatrix,
    quarter_turns: usize,
) -> Result<MatrixScore, MatrixError> {
    let (row_1, column_1) = submission.start().ok_or(MatrixError::NoStart("the submission"))?;
    let (down, right) = (row_1 - row_0, column_1 - column_0);
    let size = |matrix: &CharacterMatrix| {
        (matrix.rows.len() as isize, matrix.rows.first().map_or(0, Vec::len) as isize)
    };
    let ((height_0, width_0), (height_1, width_1)) = (size(answer), size(submission));
    let (mut correct, mut incorrect) = (0, 0);
    for row in 0.min(-down)..height_0.max(height_1 - down) {
        for column in 0.min(-right)..width_0.max(width_1 - right) {
            let (expected, found) = (answer.at(row, column), submission.at(row + down, column + right));
            if expected == ANYTHING || (expected == NOTHING && found == NOTHING) {
                continue;
            }
            *if agree(expected, found) { &mut correct } else { &mut incorrect } += 1;
        }
    }
    if correct + incorrect == 0 {
        return Err(MatrixError::Nothing);
    }
    let value = f64::from(correct) / f64::from(correct + incorrect);
    let (correct, incorrect) = (correct as usize, incorrect as usize);
    Ok(MatrixScore { value, correct, incorrect, quarter_turns })
}

/// Equal, or the same letters of victims in another order.
fn agree(expected: &str, found: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_letters = |text: &str| text.chars().all(char::is_alphabetic);
    expected == found || (is_letters(expected) && is_letters(found) && sorted(expected) == sorted(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrix(text: &str) -> CharacterMatrix {
        CharacterMatrix::parse(text).unwrap()
    }

    const PLACE: &str = "1 1 1 1 1\n1 5 0 H 1\n1 0 0 0 1\n1 1 1 1 1";

    #[test]
    fn itself_and_every_rotation_of_it_score_one() {
        let place = matrix(PLACE);
        let mut turned = place.clone();
        for turns in 0..4 {
            let score = matrix_score(&place, &turned).unwrap();
            assert_eq!((score.value, score.incorrect), (1.0, 0), "{turns}");
            assert_eq!(score.quarter_turns, (4 - turns) % 4);
            turned = turned.turned();
        }
    }

    #[test]
    fn a_mirror_image_does_not_score_one() {
        // Mirrored: 5 and H change places. Over the 16 cells that are not 0 in both matrices when laid on the start tile
        // some disagree in every rotation.
        let mirrored = matrix("1 1 1 1 1\n1 H 0 5 1\n1 0 0 0 1\n1 1 1 1 1");
        let score = matrix_score(&matrix(PLACE), &mirrored).unwrap();
        assert!(score.value < 1.0 && score.value > 0.0, "{score:?}");
    }

    #[test]
    fn a_missing_wall_costs_its_cells() {
        // 14 border cells, the start and a victim: 16 compared; three cells of the last wall missing: 13/16.
        let missing = matrix("1 1 1 1 1\n1 5 0 H 1\n1 0 0 0 1\n1 0 0 0 1");
        assert_eq!(matrix_score(&matrix(PLACE), &missing).unwrap().value, 13.0 / 16.0);
    }

    /// Observed with the public scorer on a world of its own: one wall of 15 cells missing gives 0.898, which is 132 of
    /// 147 cells. The world itself is not published, so its mirrored score (0.81) cannot be repeated.
    #[test]
    fn a_missing_wall_of_fifteen_cells_scores_as_observed() {
        let place = |missing: usize| {
            let cell = |index: usize| match index {
                0 => "5",
                _ if index >= 147 - missing => "0",
                _ => "1",
            };
            let row =
                |row: usize| (0..21).map(|column| cell(row * 21 + column)).collect::<Vec<_>>().join(" ");
            matrix(&(0..7).map(row).collect::<Vec<_>>().join("\n"))
        };
        let score = matrix_score(&place(0), &place(15)).unwrap();
        assert_eq!((score.correct, score.incorrect), (132, 15));
        assert_eq!((score.value * 1000.0).round() / 1000.0, 0.898);
    }

    #[test]
    fn padding_with_nothing_changes_nothing_and_invented_cells_cost() {
        let padded = matrix("0 0 0 0 0 0\n0 1 1 1 1 1\n0 1 5 0 H 1\n0 1 0 0 0 1\n0 1 1 1 1 1");
        assert_eq!(matrix_score(&matrix(PLACE), &padded).unwrap().value, 1.0);
        let invented = matrix("1 1 1 1 1 1\n1 5 0 H 1 0\n1 0 0 0 1 0\n1 1 1 1 1 0");
        assert_eq!(matrix_score(&matrix(PLACE), &invented).unwrap().value, 16.0 / 17.0);
    }

    #[test]
    fn victims_on_both_sides_of_a_wall_may_stand_in_either_order() {
        assert_eq!(matrix_score(&matrix("5,HS"), &matrix("5,SH")).unwrap().value, 1.0);
        assert_eq!(matrix_score(&matrix("5,HS"), &matrix("5,HH")).unwrap().value, 0.5);
        assert_eq!(matrix_score(&matrix("5,20"), &matrix("5,7")).unwrap().value, 1.0);
    }

    #[test]
    fn a_missing_start_tile_is_a_clean_error() {
        let error = matrix_score(&matrix(PLACE), &matrix("1 1\n1 0")).unwrap_err();
        assert_eq!(error, MatrixError::NoStart("the submission"));
        assert!(CharacterMatrix::parse("1 2\n1").is_err() && CharacterMatrix::parse(" \n").is_err());
        assert!(CharacterMatrix::parse("123456789").is_err());
    }

    proptest! {
        #[test]
        fn the_score_is_bounded_and_falls_with_every_wrong_cell(cells in proptest::collection::vec(0..4_u8, 30)) {
            let text = |cells: &[u8]| {
                let rows = cells.chunks(6).map(|row| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" "));
                rows.collect::<Vec<_>>().join("\n")
            };
            let place: Vec<u8> = cells.iter().enumerate().map(|(i, c)| if i == 8 { 5 } else { *c }).collect();
            let answer = matrix(&text(&place));
            let mut last = matrix_score(&answer, &answer).unwrap().value;
            prop_assert_eq!(last, 1.0);
            let mut worse = place.clone();
            for index in (0..30).filter(|index| *index != 8).step_by(7) {
                worse[index] = 9;
                let now = matrix_score(&answer, &matrix(&text(&worse))).unwrap();
                prop_assert!((0.0..=1.0).contains(&now.value));
                // Rotations may help, but never above what is right.
                prop_assert!(now.value <= 1.0 && now.value <= last + 1.0);
                last = now.value;
            }
            prop_assert!(last < 1.0);
        }
    }
}
