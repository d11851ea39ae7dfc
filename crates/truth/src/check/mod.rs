//! Contradictions within a set of relations: loops that do not close, repeated and contradictory relations, times that
//! nothing covers. No trajectory is needed.

mod closure;
mod duplicates;
mod gaps;
mod origin;

use model::{Finding, Level, Relation, Rigid};
use schemars::JsonSchema;
use serde::Serialize;

pub use closure::LoopClosure;
pub use duplicates::Repeated;
pub use gaps::Gap;
pub use origin::{Origin, origin};

/// Parameters of [`check`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckParams {
    /// Displacements further apart than this contradict each other. Default 0.15 m: what Cartographer's generator
    /// deletes.
    pub agree_m: f64,
    /// Rotations further apart than this contradict each other. Default 0.02 rad: as above.
    pub agree_rad: f64,
    /// A time without any timestamp of a relation is a gap from here on. Default 10 s, ours.
    pub gap_s: f64,
    /// How many of the worst loops, contradictions and gaps are listed. Default 10.
    pub worst: usize,
}

impl CheckParams {
    /// Whether what is left of a loop is more than its relations may contradict each other by; two relations that just
    /// contradict each other are a loop of two.
    #[must_use]
    pub fn leaves_open(&self, closure: &LoopClosure) -> bool {
        let root = (closure.edges as f64 / 2.0).sqrt();
        closure.translation_m > self.agree_m * root || closure.rotation_rad > self.agree_rad * root
    }
}

impl Default for CheckParams {
    fn default() -> Self {
        Self { agree_m: 0.15, agree_rad: 0.02, gap_s: 10.0, worst: 10 }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Check {
    /// Number of relations.
    pub relations: usize,
    /// Different timestamps that they join.
    pub timestamps: usize,
    /// Parts of the graph of timestamps that no relation joins.
    pub parts: usize,
    /// First and last timestamp in seconds; none without a relation.
    pub span_s: Option<(f64, f64)>,
    /// Relations whose second timestamp is the earlier one.
    pub back_in_time: usize,
    /// Relations over at most 10 s.
    pub local: usize,
    /// Statistics of the length of the displacements in metres.
    pub length_m: Option<Spread>,
    /// Relations that repeat the timestamps of another, in either order.
    pub repeated: usize,
    /// Those of them that do not agree with it, the worst first.
    pub contradictions: Vec<Repeated>,
    /// How many contradict.
    pub contradicting: usize,
    /// Independent loops of the graph.
    pub loops: usize,
    /// Root mean square over all loops of what is left of the translation, in metres; none without a loop.
    pub loop_rms_m: Option<f64>,
    /// The loops that close worst for their number of relations, the worst first.
    pub worst_loops: Vec<LoopClosure>,
    /// Times without a timestamp, the longest first.
    pub gaps: Vec<Gap>,
    /// How many gaps there are.
    pub gap_count: usize,
}

/// Mean, standard deviation of the population, mean of the squares, largest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the population; mean^2 + std^2 is the mean of the squares.
    pub std: f64,
    /// Mean of the squares.
    pub mean_square: f64,
    /// Largest.
    pub max: f64,
}

/// Checks relations; [`findings`] says what follows. An empty set has an empty answer.
#[must_use]
pub fn check(relations: &[Relation], params: &CheckParams) -> Check {
    let mut checked = Check {
        relations: relations.len(),
        back_in_time: relations.iter().filter(|relation| relation.to_s < relation.from_s).count(),
        local: relations.iter().filter(|relation| crate::gap_tag(relation) == "local").count(),
        length_m: spread(relations),
        ..empty()
    };
    let graph = closure::close(relations, params.worst);
    (checked.timestamps, checked.parts, checked.loops) = (graph.timestamps, graph.parts, graph.loops);
    (checked.loop_rms_m, checked.worst_loops) = (graph.rms_m, graph.worst);
    let repeated = duplicates::repeated(relations, params);
    (checked.repeated, checked.contradicting) = (repeated.count, repeated.contradicting);
    checked.contradictions = repeated.worst;
    let gaps = gaps::gaps(relations, params);
    (checked.span_s, checked.gap_count, checked.gaps) = (gaps.span_s, gaps.count, gaps.longest);
    checked
}

fn empty() -> Check {
    Check {
        relations: 0,
        timestamps: 0,
        parts: 0,
        span_s: None,
        back_in_time: 0,
        local: 0,
        length_m: None,
        repeated: 0,
        contradictions: Vec::new(),
        contradicting: 0,
        loops: 0,
        loop_rms_m: None,
        worst_loops: Vec::new(),
        gaps: Vec::new(),
        gap_count: 0,
    }
}

fn spread(relations: &[Relation]) -> Option<Spread> {
    let n = relations.len() as f64;
    let lengths = || relations.iter().map(|relation| relation.pose().distance_m());
    let max = lengths().max_by(f64::total_cmp)?;
    let mean = lengths().sum::<f64>() / n;
    let std = (lengths().map(|length| (length - mean) * (length - mean)).sum::<f64>() / n).sqrt();
    Some(Spread { mean, std, mean_square: lengths().map(|length| length * length).sum::<f64>() / n, max })
}

/// What a reader should know about a check.
#[must_use]
pub fn findings(checked: &Check, params: &CheckParams) -> Vec<Finding> {
    let mut findings = Vec::new();
    if checked.relations == 0 {
        findings.push(Finding::warning(
            "RELATIONS_NONE",
            "there is no relation, so nothing can be judged by them",
        ));
    }
    if checked.repeated > 0 {
        let message = format!("{} relations repeat the timestamps of another", checked.repeated);
        findings.push(Finding::new(Level::Info, "RELATIONS_REPEATED", message));
    }
    if checked.contradicting > 0 {
        let message = format!(
            "{} relations contradict another of the same timestamps by more than {} m or {} rad",
            checked.contradicting, params.agree_m, params.agree_rad
        );
        findings.push(
            Finding::warning("RELATIONS_CONTRADICT", message)
                .hint("look at both scans again, or remove one of them"),
        );
    }
    if let Some(worst) = checked.worst_loops.first().filter(|worst| params.leaves_open(worst)) {
        let message = format!(
            "the worst of {} loops does not close: {:.3} m and {:.2} degrees are left after {} relations",
            checked.loops,
            worst.translation_m,
            worst.rotation_rad.to_degrees(),
            worst.edges
        );
        findings.push(
            Finding::warning("RELATIONS_LOOP_OPEN", message)
                .hint("one of the relations of the loop is wrong"),
        );
    }
    if let Some(longest) = checked.gaps.first() {
        let message = format!(
            "{} times of more than {} s have no relation, the longest {:.1} s from {:.3}",
            checked.gap_count,
            params.gap_s,
            longest.end_s - longest.start_s,
            longest.start_s
        );
        findings.push(Finding::new(Level::Info, "RELATIONS_TIME_GAP", message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::example::{planar, relation};
    use crate::make::{MakeParams, Pairs, displacement_m, make};

    fn codes(checked: &Check) -> Vec<String> {
        findings(checked, &CheckParams::default()).iter().map(|finding| finding.code.to_string()).collect()
    }

    #[test]
    fn an_empty_set_is_said_to_be_empty() {
        let checked = check(&[], &CheckParams::default());
        assert_eq!(
            (codes(&checked), checked.loop_rms_m, checked.length_m),
            (vec!["RELATIONS_NONE".to_owned()], None, None)
        );
    }

    /// A square of 1 m, driven once round: three sides, and a fourth that is 0.3 m too long.
    #[test]
    fn a_square_with_one_long_side_does_not_close() {
        use std::f64::consts::FRAC_PI_2;
        let mut square: Vec<_> =
            (0..3).map(|side| relation(f64::from(side), f64::from(side + 1), 1.0, 0.0, FRAC_PI_2)).collect();
        square.push(relation(3.0, 0.0, 1.3, 0.0, FRAC_PI_2));
        let checked = check(&square, &CheckParams::default());
        assert_eq!((checked.loops, checked.parts, checked.timestamps, checked.back_in_time), (1, 1, 4, 1));
        let worst = &checked.worst_loops[0];
        assert!((worst.translation_m - 0.3).abs() < 1e-9 && worst.rotation_rad < 1e-9, "{worst:?}");
        assert_eq!((worst.edges, worst.relations.len()), (4, 4));
        assert_eq!(codes(&checked), ["RELATIONS_LOOP_OPEN"]);
    }

    #[test]
    fn lengths_fulfil_the_identity_of_table_1() {
        let relations = [
            relation(0.0, 1.0, 0.0, 0.0, 0.0),
            relation(1.0, 2.0, 1.0, 0.0, 0.0),
            relation(2.0, 3.0, 0.0, 3.0, 0.0),
        ];
        let spread = check(&relations, &CheckParams::default()).length_m.unwrap();
        // Worked example 08-E7: 0, 1, 3.
        assert!((spread.mean - 1.333_333).abs() < 1e-6 && (spread.std - 1.247_219).abs() < 1e-6);
        assert!((spread.mean_square - 3.333_333).abs() < 1e-6 && spread.max == 3.0);
    }

    proptest! {
        /// Whatever is made from one trajectory is consistent with itself, and known to come from it.
        #[test]
        fn relations_of_one_trajectory_close(
            steps in prop::collection::vec((-3.0..3.0_f64, -3.0..3.0_f64, -3.0..3.0_f64), 3..60),
        ) {
            let rows: Vec<_> = steps.iter().enumerate().map(|(i, &(x, y, a))| (i as f64 * 7.0, x, y, a)).collect();
            let track = planar(&rows);
            let params = MakeParams { pairs: Pairs::ALL.to_vec(), ..MakeParams::default() };
            let records = make(&track, &params, &displacement_m).unwrap();
            let relations: Vec<_> = records.iter().map(|record| record.relation).collect();
            let checked = check(&relations, &CheckParams::default());
            prop_assert_eq!((checked.contradicting, checked.parts), (0, 1));
            prop_assert!(checked.worst_loops.iter().all(|closure| closure.translation_m < 1e-9 && closure.rotation_rad < 1e-9));
            prop_assert_eq!(checked.loops, relations.len() + 1 - checked.timestamps);
            prop_assert!(origin(&relations, &track).comes_from_it());
        }
    }
}
