//! `metric_times`: processor time of every metric of two maps, aligned by the search: where the time of `score --align auto`
//! goes. What several metrics share falls to the first that asks for it.

use align::{Aligner, Correlative, Resample, Window, common_grid};
use metrics::{Case, Entry, Family};
use serde_json::{Map, Value, json};

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, given};
use crate::measure::{cpu_s, measure};

/// Families that compare two maps.
const FAMILIES: [Family; 3] = [Family::Cells, Family::Distance, Family::Rooms];

/// Runs the operation; the value is the time of each metric in milliseconds, those of the fastest call.
pub fn run(arguments: &Arguments) -> Outcome {
    let (truth, map) = (given(arguments, "truth")?, given(arguments, &arguments.map)?);
    let alignment = Correlative::default().align(&truth, &map).map_err(BenchError::no_value)?;
    let truth_from_map = alignment.truth_from_map.ok_or_else(|| BenchError::no_value("align"))?;
    let (truth, map) = (truth.into(), map.into());
    let metrics: Vec<&Entry> = metrics::all().filter(|entry| FAMILIES.contains(&entry.spec.family)).collect();
    let mut best = vec![f64::INFINITY; metrics.len()];
    let (cost, done) = measure(arguments.seconds, || {
        let grids = common_grid(&truth, &map, truth_from_map, Window::default(), Resample::default());
        let case = Case::new(grids.map_err(BenchError::no_value)?).aligned_by_search();
        for (entry, best) in metrics.iter().zip(&mut best) {
            let before_s = cpu_s();
            // An undefined value takes its time too.
            drop((entry.make)().evaluate(&case));
            *best = best.min(cpu_s() - before_s);
        }
        Ok::<(), BenchError>(())
    });
    done?;
    let times: Map<String, Value> =
        metrics.iter().zip(best).map(|(entry, s)| (entry.spec.id.to_owned(), json!(s * 1e3))).collect();
    Ok((cost, Value::Object(times)))
}
