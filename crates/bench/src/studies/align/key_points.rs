//! Pairs of key points that people clicked in two maps, without the pairs that are wrong.

use std::path::Path;

use align::closed_form::{Motion, PointPair, fit};
use model::{Point2, Similarity2};

use crate::inputs::BenchError;
use crate::studies::median;

/// Pairs further apart than this under the best common transform are wrong.
const WRONG_PAIR_PX: f64 = 40.0;

/// Key points in pixels with y up, as the annotations have them.
pub struct KeyPoints(Vec<PointPair>);

impl KeyPoints {
    /// Reads the pairs of two maps.
    pub fn read(folder: &Path, map: &str, truth: &str) -> Result<Self, BenchError> {
        let points = |name: &str| rows(&folder.join(format!("keypoints_{name}.csv")));
        let (in_map, in_truth) = (points(map)?, points(truth)?);
        let place = |points: &[Vec<f64>], index: f64| {
            let row = points.iter().find(|row| row[0] == index)?;
            Some(Point2::new(row[1], row[2]))
        };
        let pairs = rows(&folder.join(format!("association_{map}_{truth}.csv")))?;
        let pair = |row: &Vec<f64>| {
            Some(PointPair { in_map: place(&in_map, row[0])?, in_truth: place(&in_truth, row[1])? })
        };
        Ok(Self(without_wrong_pairs(&pairs.iter().filter_map(pair).collect::<Vec<_>>())))
    }

    /// Median distance of the pairs under a transform.
    pub fn median_error(&self, truth_from_map: Similarity2) -> f64 {
        median(self.0.iter().map(|pair| distance(pair, truth_from_map)))
    }
}

/// The pairs that agree with the transform, made from two pairs, with which most pairs agree.
fn without_wrong_pairs(pairs: &[PointPair]) -> Vec<PointPair> {
    let agreeing = |transform: Similarity2| -> Vec<PointPair> {
        pairs.iter().copied().filter(|pair| distance(pair, transform) < WRONG_PAIR_PX).collect()
    };
    let mut best = Vec::new();
    for (index, &first) in pairs.iter().enumerate() {
        for &second in &pairs[index + 1..] {
            let Some(transform) = fit(&[first, second], Motion::Similarity) else {
                continue;
            };
            let found = agreeing(transform);
            if found.len() > best.len() {
                best = found;
            }
        }
    }
    best
}

fn distance(pair: &PointPair, truth_from_map: Similarity2) -> f64 {
    (truth_from_map * pair.in_map).distance_m(pair.in_truth)
}

/// The numbers of a table with a header.
fn rows(path: &Path) -> Result<Vec<Vec<f64>>, BenchError> {
    let wrong = |reason: String| BenchError::Description { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let row = |line: &str| line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>();
    let rows = text.lines().skip(1).filter(|line| !line.is_empty()).map(row);
    rows.collect::<Result<_, _>>().map_err(|error| wrong(error.to_string()))
}
