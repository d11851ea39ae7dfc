//! How far two people agree about the same relations (T-REVIEW).
//!
//! ```text
//! κ = (p_o - p_e) / (1 - p_e)                                            Cohen 1960, eq. 1
//! p_o = Σ p_ii,   p_e = Σ p_i· p_·i
//! var κ = [ Σ p_ii ((1 - p_e) - (p_·i + p_i·)(1 - p_o))²
//!           + (1 - p_o)² Σ_{i≠j} p_ij (p_·i + p_j·)² - (p_o p_e - 2 p_e + p_o)² ] / (n (1 - p_e)⁴)
//! ```
//!
//! Categories are accepted, adjusted and rejected; p_ij is the share of the relations that the first person puts in i and
//! the second in j. The variance is that of Fleiss, Cohen and Everitt 1969; the interval is κ ± 1.96 of its root,
//! within -1 and 1. It holds for many pairs; with few, or where all agree, it is too narrow. κ is undefined where both
//! people put everything into one category.

use std::collections::BTreeMap;

use model::{RelationStatus, Rigid};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Doubt;
use crate::opinions::{Opinion, differ};

/// Quantile of the normal distribution for an interval of 95 %.
const NORMAL_975: f64 = 1.959_963_984_540_054;
const CATEGORIES: [RelationStatus; 3] =
    [RelationStatus::Accepted, RelationStatus::Adjusted, RelationStatus::Rejected];

/// Cohen's kappa with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CohensKappa {
    pub kappa: f64,
    pub low: f64,
    pub high: f64,
}

/// How far first and second opinions agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Agreement {
    /// Relations with two opinions.
    pub compared: usize,
    /// Those on which they do not differ.
    pub agreed: usize,
    /// Over the status; null where it is undefined.
    pub kappa: Option<f64>,
    pub kappa_low: Option<f64>,
    pub kappa_high: Option<f64>,
    /// Median distance of the displacements where both adjusted, metres.
    pub median_distance_m: Option<f64>,
    pub by_doubt: Vec<AgreementOfDoubt>,
}

/// How far opinions agree on relations that a rule doubts for one reason.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AgreementOfDoubt {
    /// Null for relations without a doubt.
    pub doubt: Option<Doubt>,
    pub words: &'static str,
    pub compared: usize,
    pub agreed: usize,
}

/// Compares first with second opinions, each pair with what the rule doubts about the relation.
#[must_use]
pub fn agreement<'a>(pairs: impl Iterator<Item = (&'a Opinion, &'a Opinion, Option<Doubt>)>) -> Agreement {
    let mut table = [[0_usize; 3]; 3];
    let mut distances_m = Vec::new();
    let mut by_doubt: BTreeMap<Option<Doubt>, (usize, usize)> = BTreeMap::new();
    for (first, second, doubt) in pairs {
        let category = |status| CATEGORIES.iter().position(|category| *category == status);
        if let (Some(row), Some(column)) = (category(first.status), category(second.status)) {
            table[row][column] += 1;
        }
        if (first.status, second.status) == (RelationStatus::Adjusted, RelationStatus::Adjusted) {
            distances_m.push(second.delta.seen_from(first.delta).distance_m());
        }
        let counts = by_doubt.entry(doubt).or_default();
        counts.0 += 1;
        counts.1 += usize::from(!differ(first, second));
    }
    let kappa = cohens_kappa(&table);
    let of_doubt = |(doubt, (compared, agreed)): (Option<Doubt>, (usize, usize))| AgreementOfDoubt {
        doubt,
        words: doubt.map_or("no doubt", Doubt::words),
        compared,
        agreed,
    };
    let by_doubt: Vec<AgreementOfDoubt> = by_doubt.into_iter().map(of_doubt).collect();
    Agreement {
        compared: by_doubt.iter().map(|of| of.compared).sum(),
        agreed: by_doubt.iter().map(|of| of.agreed).sum(),
        kappa: kappa.map(|found| found.kappa),
        kappa_low: kappa.map(|found| found.low),
        kappa_high: kappa.map(|found| found.high),
        median_distance_m: median(distances_m),
        by_doubt,
    }
}

/// Kappa of a table of counts: rows are the first person's categories, columns the second's. None where it is undefined.
#[must_use]
pub fn cohens_kappa(table: &[[usize; 3]; 3]) -> Option<CohensKappa> {
    let n = table.iter().flatten().sum::<usize>() as f64;
    if n == 0.0 {
        return None;
    }
    let p = table.map(|row| row.map(|count| count as f64 / n));
    let row = p.map(|row| row.iter().sum::<f64>());
    let column = [0, 1, 2].map(|j| p.iter().map(|row| row[j]).sum::<f64>());
    let observed: f64 = (0..3).map(|i| p[i][i]).sum();
    let expected: f64 = (0..3).map(|i| row[i] * column[i]).sum();
    let rest = 1.0 - expected;
    if rest < 1e-12 {
        return None;
    }
    let kappa = (observed - expected) / rest; // Cohen 1960, eq. 1
    let mut sum = 0.0; // Fleiss, Cohen and Everitt 1969
    for i in 0..3 {
        for j in 0..3 {
            sum += if i == j {
                p[i][i] * (rest - (column[i] + row[i]) * (1.0 - observed)).powi(2)
            } else {
                (1.0 - observed).powi(2) * p[i][j] * (column[i] + row[j]).powi(2)
            };
        }
    }
    sum -= (observed * expected - 2.0 * expected + observed).powi(2);
    let half = NORMAL_975 * (sum.max(0.0) / (n * rest.powi(4))).sqrt();
    Some(CohensKappa { kappa, low: (kappa - half).max(-1.0), high: (kappa + half).min(1.0) })
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { f64::midpoint(values[middle - 1], upper) })
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    /// Two raters of 50 grants, yes and no: p_o = 0.7, p_e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa = 0.4.
    #[test]
    fn kappa_of_two_raters_by_hand() {
        let found = cohens_kappa(&[[20, 5, 0], [10, 15, 0], [0, 0, 0]]).unwrap();
        assert!((found.kappa - 0.4).abs() < 1e-12, "{found:?}");
        let half = NORMAL_975 * by_hand().sqrt();
        assert!(
            (found.low - (0.4 - half)).abs() < 1e-9 && (found.high - (0.4 + half)).abs() < 1e-9,
            "{found:?}"
        );
    }

    /// The variance: rows (0.4, 0.1) and (0.2, 0.3) have the sums 0.5 and 0.5, columns 0.6 and 0.4. The factor of p_ij is
    /// the sum of column i and row j: 0.6 + 0.5 for p_12, 0.4 + 0.5 for p_21.
    fn by_hand() -> f64 {
        let diagonal = 0.4 * 0.17_f64.powi(2) + 0.3 * 0.23_f64.powi(2);
        let others = 0.09 * (0.1 * 1.1_f64.powi(2) + 0.2 * 0.9_f64.powi(2));
        (diagonal + others - 0.05_f64.powi(2)) / (50.0 * 0.0625)
    }

    /// 200 patients in three categories; kappa 0.428571 and variance 0.00288487 come from a separate program in Python.
    #[test]
    fn kappa_of_200_patients() {
        let found = cohens_kappa(&[[106, 10, 4], [22, 28, 10], [2, 12, 6]]).unwrap();
        assert!((found.kappa - 0.429).abs() < 5e-4, "{found:?}");
        let variance = ((found.high - found.low) / (2.0 * NORMAL_975)).powi(2);
        assert!((variance - 0.002_885).abs() < 5e-7, "{variance}");
    }

    #[test]
    fn one_category_and_nothing_have_no_kappa_and_agreement_is_one() {
        assert_eq!(cohens_kappa(&[[9, 0, 0], [0, 0, 0], [0, 0, 0]]), None);
        assert_eq!(cohens_kappa(&[[0; 3]; 3]), None);
        let found = cohens_kappa(&[[5, 0, 0], [0, 5, 0], [0, 0, 5]]).unwrap();
        assert!((found.kappa - 1.0).abs() < 1e-12 && found.low > 0.999 && found.high <= 1.0, "{found:?}");
        let opposite = cohens_kappa(&[[0, 5, 0], [5, 0, 0], [0, 0, 0]]).unwrap();
        assert!((opposite.kappa + 1.0).abs() < 1e-12 && opposite.low >= -1.0, "{opposite:?}");
    }

    #[test]
    fn opinions_are_compared_by_kind_of_doubt() {
        let opinion =
            |status, x_m| Opinion { reviewer: String::new(), status, delta: Pose2::new(x_m, 0.0, 0.0) };
        use RelationStatus::{Accepted, Adjusted, Rejected};
        let pairs = [
            (opinion(Accepted, 0.0), opinion(Accepted, 0.0), None),
            (opinion(Accepted, 0.0), opinion(Rejected, 0.0), Some(Doubt::Rms)),
            (opinion(Adjusted, 0.0), opinion(Adjusted, 0.01), Some(Doubt::Rms)),
            (opinion(Adjusted, 0.0), opinion(Adjusted, 0.3), Some(Doubt::Rms)),
        ];
        let found = agreement(pairs.iter().map(|(first, second, doubt)| (first, second, *doubt)));
        assert_eq!((found.compared, found.agreed), (4, 2));
        assert!((found.median_distance_m.unwrap() - 0.155).abs() < 1e-12);
        let by: Vec<_> = found.by_doubt.iter().map(|of| (of.doubt, of.compared, of.agreed)).collect();
        assert_eq!(by, [(None, 1, 1), (Some(Doubt::Rms), 3, 1)]);
        assert_eq!(agreement(std::iter::empty()), Agreement::default());
    }
}
