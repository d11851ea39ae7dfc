//! What a measured value is made of, so that it can be resampled: blocks of cells, fiducials, victims, labels.
//!
//! A sample is kept only if it gives back the very value that was measured; what has none stays as it is in every
//! resample, and the ranking says so.

use metrics::Case;
use metrics::contest::line_of_sight::seen_from_path;
use model::{CellClass, NavigationClass};
use report::CaseReport;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::formula::Quantity;

/// The elements of a value. Elements of one unit belong to the truth, so that teams are resampled together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// What is drawn, such as `blocks of cells`.
    pub unit: String,
    /// How the elements make the value.
    pub make: Make,
}

/// How elements make a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Make {
    /// Their sum.
    Sum(Vec<f64>),
    /// Sum of the first by sum of the second.
    Ratio(Vec<f64>, Vec<f64>),
    /// The list of those that are there.
    List(Vec<Option<f64>>),
}

impl Sample {
    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.make {
            Make::Sum(of) | Make::Ratio(of, _) => of.len(),
            Make::List(of) => of.len(),
        }
    }

    /// The value if each element is there so many times; none if it is undefined then.
    #[must_use]
    pub fn value(&self, times: &[u32]) -> Option<Quantity> {
        let sum = |of: &[f64]| -> f64 { of.iter().zip(times).map(|(x, n)| x * f64::from(*n)).sum() };
        match &self.make {
            Make::Sum(of) => Some(Quantity::Number(sum(of))),
            Make::Ratio(of, by) => {
                Some(sum(by)).filter(|by| *by > 0.0).map(|by| Quantity::Number(sum(of) / by))
            }
            Make::List(of) => {
                let drawn = of.iter().zip(times).flat_map(|(x, n)| std::iter::repeat_n(*x, *n as usize));
                Some(Quantity::List(drawn.flatten().collect()))
            }
        }
    }

    /// The sample, if it gives back what was measured.
    fn confirmed(self, measured: Option<f64>) -> Option<Self> {
        let (measured, times) = (measured?, vec![1; self.len()]);
        let Some(Quantity::Number(value)) = self.value(&times) else { return None };
        ((value - measured).abs() <= 1e-9 * measured.abs().max(1e-12)).then_some(self)
    }
}

/// Blocks along the longer side of the window. Ours: some hundred blocks carry a bootstrap, and each spans a metre or
/// more, over which errors of a map hang together.
const BLOCKS_ALONG: usize = 20;
/// No block is smaller, metres.
const SMALLEST_BLOCK_M: f64 = 1.0;

/// Cells of one block.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// Truth by map: free, unknown, occupied.
    table: [[u32; 3]; 3],
    cleared: u32,
    explored: u32,
}

/// Samples of the metrics of a case, by metric.
#[must_use]
pub fn samples_of(case: &Case, record: &CaseReport) -> Vec<(String, Sample)> {
    let measured = |id: &str| record.metric(id).and_then(|metric| metric.value);
    let kept = |(id, sample): (&str, Sample)| Some((id.to_owned(), sample.confirmed(measured(id))?));
    let candidates = cell_samples(case, record).into_iter().chain(fiducial_samples(record));
    candidates.filter_map(kept).chain(victim_samples(record)).collect()
}

fn cell_samples(case: &Case, record: &CaseReport) -> Vec<(&'static str, Sample)> {
    let Ok(grids) = case.grids() else { return Vec::new() };
    let blocks = blocks(case, seen(case, record).as_deref());
    let cell_m2 = grids.geometry().cell_size_m().powi(2);
    let column = |of: &dyn Fn(&Block) -> f64| -> Vec<f64> { blocks.iter().map(of).collect() };
    let unit = format!("{} blocks of cells", blocks.len());
    let sample = |make| Sample { unit: unit.clone(), make };
    // Occupied or not: true positives, false negatives, false positives, true negatives.
    let tp = |b: &Block| f64::from(b.table[2][2]);
    let fn_ = |b: &Block| f64::from(b.table[2][0] + b.table[2][1]);
    let fp = |b: &Block| f64::from(b.table[0][2] + b.table[1][2]);
    let all = |b: &Block| f64::from(b.table.iter().flatten().sum::<u32>());
    let known = |b: &Block| f64::from(b.table[0].iter().chain(&b.table[2]).sum::<u32>());
    let both = |b: &Block| f64::from(b.table[0][0] + b.table[0][2] + b.table[2][0] + b.table[2][2]);
    let sum = |of: &dyn Fn(&Block) -> f64| sample(Make::Sum(column(of)));
    let ratio =
        |of: &dyn Fn(&Block) -> f64, by: &dyn Fn(&Block) -> f64| sample(Make::Ratio(column(of), column(by)));
    vec![
        ("cleared_area", sum(&|b| f64::from(b.cleared) * cell_m2)),
        ("explored_area", sum(&|b| f64::from(b.explored) * cell_m2)),
        ("overall_error", sum(&|b| fn_(b) + fp(b))),
        ("map_score_balaguer", sum(&|b| all(b) - fn_(b) - fp(b))),
        ("normalized_map_score_balaguer", sum(&fn_)),
        ("occupied_map_score_balaguer", sum(&fp)),
        ("occupied_precision", ratio(&tp, &|b| tp(b) + fp(b))),
        ("occupied_recall", ratio(&tp, &|b| tp(b) + fn_(b))),
        ("occupied_f1", ratio(&|b| 2.0 * tp(b), &|b| 2.0 * tp(b) + fp(b) + fn_(b))),
        ("occupied_iou", ratio(&tp, &|b| tp(b) + fp(b) + fn_(b))),
        ("known_coverage", ratio(&both, &known)),
    ]
}

/// What the robot can have seen of what the map claims; none without its path.
fn seen(case: &Case, record: &CaseReport) -> Option<Vec<bool>> {
    let grids = case.grids().ok()?;
    let navigation = grids.map.navigation()?;
    let paths = case.annotations().ok()?.map.robot_paths.as_deref()?;
    let params = &["cleared_area", "explored_area"].iter().find_map(|id| record.metric(id))?.params;
    let range_m = params.get("sensor_range_m").and_then(Value::as_f64)?;
    let is_claimed = |index: usize| navigation[index].is_traversable();
    Some(seen_from_path(paths, grids.truth.classes(), grids.geometry(), range_m, is_claimed))
}

/// The cells of the window by block, row by row.
fn blocks(case: &Case, seen: Option<&[bool]>) -> Vec<Block> {
    let Ok(grids) = case.grids() else { return Vec::new() };
    let (width, height) = (grids.geometry().width(), grids.geometry().height());
    let smallest = (SMALLEST_BLOCK_M / grids.geometry().cell_size_m()).ceil().max(1.0) as usize;
    let edge = width.max(height).div_ceil(BLOCKS_ALONG).max(smallest);
    let across = width.div_ceil(edge);
    let mut blocks = vec![Block::default(); across * height.div_ceil(edge)];
    let (truth, map, navigation) = (grids.truth.classes(), grids.map.classes(), grids.map.navigation());
    let class = |class: CellClass| match class {
        CellClass::Free => 0,
        CellClass::Unknown => 1,
        CellClass::Occupied => 2,
    };
    for row in 0..height {
        for column in 0..width {
            let (index, block) = (row * width + column, &mut blocks[row / edge * across + column / edge]);
            block.table[class(truth[index])][class(map[index])] += 1;
            let is_seen = seen.is_none_or(|seen| seen[index]);
            if let (Some(navigation), CellClass::Free, true) = (navigation, truth[index], is_seen) {
                block.cleared += u32::from(navigation[index] == NavigationClass::Cleared);
                block.explored += u32::from(navigation[index].is_traversable());
            }
        }
    }
    blocks
}

/// Coverage and accuracy from the parts of the layout.
fn fiducial_samples(record: &CaseReport) -> Vec<(&'static str, Sample)> {
    let facts = record.detail.as_ref().and_then(|detail| detail.get("fiducials"));
    let Some(parts) = facts.and_then(|facts| facts.get("parts")).and_then(Value::as_array) else {
        return Vec::new();
    };
    let unit = format!("{} fiducial parts", parts.len());
    let sample = |of: Vec<f64>, by: Vec<f64>| Sample { unit: unit.clone(), make: Make::Ratio(of, by) };
    let found: Vec<f64> =
        parts.iter().map(|part| f64::from(u8::from(part["found"] == Value::Bool(true)))).collect();
    let d_max_m = |id: &str| record.metric(id)?.params.get("d_max_m")?.as_f64();
    let mut samples = vec![("fiducial_coverage", sample(found.clone(), vec![1.0; parts.len()]))];
    for id in ["fiducial_relative_accuracy", "fiducial_global_accuracy"] {
        let Some(d_max_m) = d_max_m(id) else { continue };
        let right = |part: &Value| part["error_m"].as_f64().map_or(0.0, |e| 1.0 - (e / d_max_m).min(1.0));
        samples.push((id, sample(parts.iter().map(right).collect(), found.clone())));
    }
    samples
}

/// Everything that is counted victim by victim.
fn victim_samples(record: &CaseReport) -> Vec<(String, Sample)> {
    let list = record.metric("victims").and_then(|metric| metric.detail.get("victims"));
    let Some(victims) = list.and_then(Value::as_array) else { return Vec::new() };
    let unit = format!("{} victims", victims.len());
    let sample = |make| Sample { unit: unit.clone(), make };
    let is = |victim: &Value, key: &str| victim[key] == Value::Bool(true);
    let count = |of: &dyn Fn(&Value) -> bool| {
        sample(Make::Sum(victims.iter().map(|victim| f64::from(u8::from(of(victim)))).collect()))
    };
    let list = |key: &str| sample(Make::List(victims.iter().map(|victim| victim[key].as_f64()).collect()));
    let named = [
        ("victims.values", list("value")),
        ("victims.victims.error_m", list("error_m")),
        ("victims.located", count(&|victim| is(victim, "located"))),
        ("victims.true_victims", count(&|_| true)),
        ("victims.victims_in_cleared", count(&|victim| is(victim, "in_cleared"))),
        (
            "victims.unreported_in_cleared",
            count(&|victim| is(victim, "in_cleared") && !is(victim, "located")),
        ),
    ];
    named.map(|(name, sample)| (name.to_owned(), sample)).into()
}

/// A true point by label and identifier, with points and error if it was found.
type TruePoint = ((String, String), Option<(f64, f64)>);

/// Points, error and coverage of labelled points, true point by true point. Errors stay those of the whole list.
#[must_use]
pub fn point_samples(record: &CaseReport) -> Vec<(String, Sample)> {
    let Some(detail) = record.metric("point_score").map(|metric| &metric.detail) else { return Vec::new() };
    let list = |key: &str| detail.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let word = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    // By label and identifier, so that the same true point is drawn for every team.
    let mut points: Vec<TruePoint> = list("matches")
        .iter()
        .map(|m| {
            let found = m["error_m"].as_f64().map(|error_m| (m["points"].as_f64().unwrap_or(0.0), error_m));
            ((word(m, "label"), word(m, "truth_id")), found)
        })
        .collect();
    let missed = list("unmatched");
    let missed = missed.iter().filter(|entry| entry["side"] == "truth");
    points.extend(missed.map(|entry| ((word(entry, "label"), word(entry, "id")), None)));
    points.sort_by(|a, b| a.0.cmp(&b.0));
    let unit = format!("{} labels", points.len());
    let column =
        |of: fn((f64, f64)) -> f64| points.iter().map(|(_, found)| found.map_or(0.0, of)).collect::<Vec<_>>();
    let found = column(|_| 1.0);
    let named = [
        ("point_score.points", Make::Sum(column(|(points, _)| points))),
        ("point_score.error_m", Make::Ratio(column(|(_, error_m)| error_m), found.clone())),
        ("point_score.coverage", Make::Ratio(found, vec![1.0; points.len()])),
    ];
    let measured = |name: &str| detail.get(name.split_once('.')?.1)?.as_f64();
    let kept = |(name, make): (&str, Make)| {
        let sample = Sample { unit: unit.clone(), make };
        Some((name.to_owned(), sample.confirmed(measured(name))?))
    };
    named.into_iter().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_gives_back_its_value_and_follows_the_draw() {
        let ratio = Sample { unit: "x".into(), make: Make::Ratio(vec![1.0, 0.0, 3.0], vec![1.0, 2.0, 3.0]) };
        assert_eq!(ratio.value(&[1, 1, 1]), Some(Quantity::Number(4.0 / 6.0)));
        assert_eq!(ratio.value(&[0, 2, 1]), Some(Quantity::Number(3.0 / 7.0)));
        assert_eq!(ratio.value(&[0, 0, 0]), None, "nothing drawn is undefined, not 0");
        let list = Sample { unit: "x".into(), make: Make::List(vec![Some(1.0), None, Some(0.5)]) };
        assert_eq!(list.value(&[1, 5, 2]), Some(Quantity::List(vec![1.0, 0.5, 0.5])));
        assert!(ratio.clone().confirmed(Some(2.0 / 3.0)).is_some());
        assert!(ratio.confirmed(Some(0.6)).is_none(), "a sample of another value is not used");
    }
}
