//! Segments of 100 to 800 m, as the KITTI odometry benchmark cuts them: what both drift metrics share.

use align::trajectory::Fittable;
use model::PoseError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::absolute_errors::path_m;
use super::pose_blocks::PoseBlocks;
use super::relative_errors::displacement_errors;
use super::run::{Run, of_any_run};
use crate::{Case, Make, Reason, Samples, Score, Undefined, facts};

/// Parameters of the segments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KittiSegments {
    /// Length of the shortest segment in metres. Default 100, the benchmark's.
    pub shortest_m: f64,
    /// Length of the longest segment in metres. Default 800, the benchmark's.
    pub longest_m: f64,
    /// Segments get longer by this, metres. Default 100, the benchmark's.
    pub step_m: f64,
    /// A segment starts at every so many poses. Default 10, the benchmark's.
    pub start_every: usize,
}

impl Default for KittiSegments {
    fn default() -> Self {
        Self { shortest_m: 100.0, longest_m: 800.0, step_m: 100.0, start_every: 10 }
    }
}

/// The errors of segments of one length.
pub struct OfLength {
    /// Length, metres.
    pub length_m: f64,
    /// Numbers of the first and last matched pose of each segment.
    pub pairs: Vec<(u32, u32)>,
    /// Errors, not yet divided by the length.
    pub errors: Vec<PoseError>,
}

impl KittiSegments {
    /// The errors of all segments, by length.
    ///
    /// # Errors
    /// There is no truth, nothing of it was matched, or the path is shorter than the shortest segment.
    pub fn measure<P: Fittable>(&self, run: &Run<P>) -> Result<Vec<OfLength>, Undefined> {
        let (estimates, truths): (Vec<P>, Vec<P>) =
            run.pairs()?.map(|pair| (pair.estimate, pair.truth)).unzip();
        let path_m = path_m(truths.iter().copied());
        let mut found = Vec::new();
        for length_m in self.lengths_m() {
            let pairs = self.segments(&path_m, length_m);
            let errors = displacement_errors(&estimates, &truths, &pairs);
            found.push(OfLength { length_m, pairs, errors });
        }
        if found.iter().all(|of_length| of_length.errors.is_empty()) {
            let known = facts([("path_m", json!(path_m.last())), ("shortest_m", json!(self.shortest_m))]);
            return Err(Undefined::because(Reason::InsufficientPoints).with_all(known));
        }
        Ok(found)
    }

    /// The mean of `part` per metre over all segments, with the means by length.
    ///
    /// # Errors
    /// As [`Self::measure`].
    pub fn score<P: Fittable>(
        &self,
        run: &Run<P>,
        part: impl Fn(&PoseError) -> f64,
    ) -> Result<Score, Undefined> {
        let (value, by_length) = mean_per_metre(&self.measure(run)?, part);
        Ok(Score::new(value).with_table("by_length", by_length).with_all(run.match_facts()))
    }

    /// Errors per metre by block of true poses; a segment belongs to its first pose.
    ///
    /// # Errors
    /// As [`Self::measure`].
    pub fn samples<P: Fittable>(
        &self,
        run: &Run<P>,
        part: impl Fn(&PoseError) -> f64,
    ) -> Result<Vec<Samples>, Undefined> {
        let in_truth: Vec<usize> = run.pairs()?.map(|pair| pair.truth_index).collect();
        let mut blocks = PoseBlocks::of_truth(run)?;
        for of_length in self.measure(run)? {
            for ((first, _), error) in of_length.pairs.iter().zip(&of_length.errors) {
                blocks.add(in_truth[*first as usize], part(error) / of_length.length_m, 1.0);
            }
        }
        Ok(vec![blocks.samples("", Make::Ratio)])
    }

    fn lengths_m(&self) -> impl Iterator<Item = f64> {
        let (first, step, last) = (self.shortest_m, self.step_m.max(1e-3), self.longest_m);
        (0..10_000)
            .map(move |index| step.mul_add(f64::from(index), first))
            .take_while(move |&length| length <= last)
    }

    /// From every so many poses on to the first pose further than the length, as the benchmark's kit does.
    fn segments(&self, path_m: &[f64], length_m: f64) -> Vec<(u32, u32)> {
        let mut end = 0;
        let mut pairs = Vec::new();
        for start in (0..path_m.len()).step_by(self.start_every.max(1)) {
            end = end.max(start);
            while end < path_m.len() && path_m[end] <= path_m[start] + length_m {
                end += 1;
            }
            if end < path_m.len() {
                pairs.push((start as u32, end as u32));
            }
        }
        pairs
    }
}

/// The mean over all segments of `part` per metre, and the means by length as facts.
fn mean_per_metre(found: &[OfLength], part: impl Fn(&PoseError) -> f64) -> (f64, Value) {
    let sum_of = |of_length: &OfLength| of_length.errors.iter().map(&part).sum::<f64>() / of_length.length_m;
    let count: usize = found.iter().map(|of_length| of_length.errors.len()).sum();
    let mean = found.iter().map(sum_of).sum::<f64>() / count as f64;
    let filled = found.iter().filter(|of_length| !of_length.errors.is_empty());
    let row = |of_length: &OfLength| {
        let segments = of_length.errors.len();
        json!({"length_m": of_length.length_m, "segments": segments, "value": sum_of(of_length) / segments as f64})
    };
    (mean, filled.map(row).collect())
}

/// Whether the true path is long enough for a segment.
pub(super) fn is_long_enough(case: &Case) -> bool {
    let shortest_m = KittiSegments::default().shortest_m;
    of_any_run!(case, run => reaches(run, shortest_m))
}

fn reaches<P: Fittable>(run: &Run<P>, length_m: f64) -> bool {
    run.truth.as_ref().is_some_and(|truth| truth.path_m().last().is_some_and(|&path_m| path_m > length_m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_end_past_their_length() {
        let path_m: Vec<f64> = (0..=30).map(|i| f64::from(i) * 10.0).collect();
        let segments = KittiSegments::default().segments(&path_m, 100.0);
        assert_eq!(segments, [(0, 11), (10, 21)]);
        assert_eq!(KittiSegments::default().lengths_m().count(), 8);
        assert!(KittiSegments::default().segments(&[], 100.0).is_empty());
    }
}
