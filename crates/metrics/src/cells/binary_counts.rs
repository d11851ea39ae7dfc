//! M-CONT: hits, misses and false alarms of occupied cells, after both maps were made binary.
//!
//! ```text
//! TP = #(g=1, m=1)   FN = #(g=1, m=0)   FP = #(g=0, m=1)   TN = #(g=0, m=0)
//! ```
//!
//! 1 is occupied. Unknown counts as free by default (Balaguer et al. 2009, section 5); it can count as
//! occupied, or take the cell out of the comparison.

use raster::contingency::Contingency;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Case, Detail, Reason, Score, Undefined, facts};

/// What an unknown cell counts as when maps are made binary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownAs {
    /// Not occupied, as in Balaguer et al. 2009.
    #[default]
    Free,
    /// A cell unknown in either map is not compared.
    Exclude,
    /// Occupied.
    Occupied,
}

/// What [`BinaryCounts::detail`] tells.
const FACTS: usize = 13;

/// The four counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinaryCounts {
    /// Occupied in both maps.
    pub hits: u64,
    /// Occupied in the truth only.
    pub missed: u64,
    /// Occupied in the map only.
    pub invented: u64,
    /// Occupied in neither.
    pub agreed_free: u64,
}

impl BinaryCounts {
    /// The counts of a contingency table.
    #[must_use]
    pub fn of(table: &Contingency, unknown_as: UnknownAs) -> Self {
        let mut counts = Self::default();
        for (truth, row) in table.counts.iter().enumerate() {
            for (map, &cells) in row.iter().enumerate() {
                let Some((g, m)) = binary(truth, unknown_as).zip(binary(map, unknown_as)) else {
                    continue;
                };
                *match (g, m) {
                    (true, true) => &mut counts.hits,
                    (true, false) => &mut counts.missed,
                    (false, true) => &mut counts.invented,
                    (false, false) => &mut counts.agreed_free,
                } += cells;
            }
        }
        counts
    }

    /// The counts of a case with at least one compared cell.
    ///
    /// # Errors
    /// No cell is compared.
    pub fn of_case(case: &Case, unknown_as: UnknownAs) -> Result<Self, Undefined> {
        let counts = Self::of(case.table()?, unknown_as);
        if counts.compared() == 0 { Err(Reason::EmptyWindow.into()) } else { Ok(counts) }
    }

    /// N: the number of compared cells.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.hits + self.missed + self.invented + self.agreed_free
    }

    /// nG: occupied cells of the truth.
    #[must_use]
    pub const fn truth_occupied(&self) -> u64 {
        self.hits + self.missed
    }

    /// nM: occupied cells of the map.
    #[must_use]
    pub const fn map_occupied(&self) -> u64 {
        self.hits + self.invented
    }

    /// TP + TN.
    #[must_use]
    pub const fn agreed(&self) -> u64 {
        self.hits + self.agreed_free
    }

    /// FN + FP.
    #[must_use]
    pub const fn disagreed(&self) -> u64 {
        self.missed + self.invented
    }

    /// TP over TP + FP.
    #[must_use]
    pub const fn precision(&self) -> (u64, u64) {
        (self.hits, self.map_occupied())
    }

    /// TP over TP + FN.
    #[must_use]
    pub const fn recall(&self) -> (u64, u64) {
        (self.hits, self.truth_occupied())
    }

    /// 2 TP over 2 TP + FN + FP.
    #[must_use]
    pub const fn f1(&self) -> (u64, u64) {
        (2 * self.hits, self.truth_occupied() + self.map_occupied())
    }

    /// TP over TP + FN + FP.
    #[must_use]
    pub const fn iou(&self) -> (u64, u64) {
        (self.hits, self.hits + self.disagreed())
    }

    /// One of the counts, or a sum of some, as a score with its rate and what to keep in mind.
    #[must_use]
    pub fn score_of_count(&self, case: &Case, cells: u64) -> Score {
        let score = Score { detail: Detail::with_capacity(FACTS + 1), ..Score::new(cells as f64) };
        let score = score.with("rate", cells as f64 / self.compared() as f64);
        self.with_warnings(score.with_facts(self.facts(case)))
    }

    /// One of the ratios as a score.
    ///
    /// # Errors
    /// The denominator is 0, because a map has no occupied cell.
    pub fn score_of_ratio(&self, case: &Case, parts: (u64, u64)) -> Result<Score, Undefined> {
        let value = ratio(parts).ok_or_else(|| self.undefined_ratio(case))?;
        Ok(self.with_warnings(Score::new(value).with_facts(self.facts(case))))
    }

    fn with_warnings(&self, score: Score) -> Score {
        score
            .warn_if(self.truth_occupied() == 0, Reason::NoOccupiedGt)
            .warn_if(self.map_occupied() == 0, Reason::NoOccupiedMap)
    }

    /// Why a ratio of the counts is undefined: one of the maps has no occupied cell.
    fn undefined_ratio(&self, case: &Case) -> Undefined {
        let (no_truth, no_map) = (self.truth_occupied() == 0, self.map_occupied() == 0);
        let first = if no_truth { Reason::NoOccupiedGt } else { Reason::NoOccupiedMap };
        Undefined::because(first).also_if(no_map, Reason::NoOccupiedMap).with_all(self.detail(case))
    }

    /// The counts and ratios as facts beside a value, with the window they were taken from.
    #[must_use]
    pub fn detail(&self, case: &Case) -> Detail {
        facts(self.facts(case))
    }

    fn facts(&self, case: &Case) -> [(&'static str, Value); FACTS] {
        let window = case.table().map_or(0, Contingency::total);
        [
            ("tp", json!(self.hits)),
            ("fn", json!(self.missed)),
            ("fp", json!(self.invented)),
            ("tn", json!(self.agreed_free)),
            ("compared", json!(self.compared())),
            ("excluded", json!(window - self.compared())),
            ("coverage", json!(case.coverage().ok().flatten())),
            ("truth_occupied", json!(self.truth_occupied())),
            ("map_occupied", json!(self.map_occupied())),
            ("precision", json!(ratio(self.precision()))),
            ("recall", json!(ratio(self.recall()))),
            ("f1", json!(ratio(self.f1()))),
            ("iou", json!(ratio(self.iou()))),
        ]
    }
}

/// A quotient of counts; none where the second is 0.
fn ratio((part, whole): (u64, u64)) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Is a class occupied? None if the cell leaves the comparison.
const fn binary(class: usize, unknown_as: UnknownAs) -> Option<bool> {
    match (class, unknown_as) {
        (0, _) | (1, UnknownAs::Free) => Some(false),
        (1, UnknownAs::Exclude) => None,
        _ => Some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::case;

    fn counts(unknown_as: UnknownAs, truth: &[&str], map: &[&str]) -> [u64; 4] {
        let counts = BinaryCounts::of(case(truth, map).table().unwrap(), unknown_as);
        [counts.hits, counts.missed, counts.invented, counts.agreed_free]
    }

    #[test]
    fn e1_counts() {
        let (g, m) = (["#####", "#...#", "#...#", "#####"], ["####.", "#...#", "#..#.", "####."]);
        assert_eq!(counts(UnknownAs::Free, &g, &m), [11, 3, 1, 5]);
    }

    #[test]
    fn unknown_counts_as_told() {
        let (g, m) = (["#.?#?"], ["??#.?"]);
        assert_eq!(counts(UnknownAs::Free, &g, &m), [0, 2, 1, 2]);
        assert_eq!(counts(UnknownAs::Occupied, &g, &m), [3, 1, 1, 0]);
        assert_eq!(counts(UnknownAs::Exclude, &g, &m), [0, 1, 0, 0]);
    }

    #[test]
    fn ratios_without_a_denominator_do_not_exist() {
        let empty = BinaryCounts { agreed_free: 9, ..BinaryCounts::default() };
        let ratios = [empty.precision(), empty.recall(), empty.f1(), empty.iou()].map(ratio);
        assert_eq!(ratios, [None; 4]);
        let nothing = case(&["??"], &["??"]);
        let refused = BinaryCounts::of_case(&nothing, UnknownAs::Exclude).unwrap_err();
        assert_eq!(refused.reasons, [Reason::EmptyWindow]);
    }
}
