//! The lab (X-LAB): maps are damaged in known ways, every damaged map is scored against the map it was made from, and the
//! answers of each metric to each kind of damage are summed up.
//!
//! [`pairs`](LabPlan::pairs) lists what is to be scored, [`run_lab`] scores it, [`sum_up`] makes the report. Rows that were
//! scored before are taken from [`KnownRows`].

mod answers;
mod badness;
mod change;
mod costs;
mod plan;
mod row;
pub mod statistics;
mod sum_up;

pub use change::LabChange;
pub use costs::lab_costs;
pub use plan::{LabPair, LabPlan};
pub use row::{LabRow, LabRows, RowStatus, rows_csv};
pub use sum_up::{LabDraws, sum_up};

use std::sync::atomic::{AtomicUsize, Ordering};

use model::Grid;
use rayon::prelude::*;

use crate::judge::values;
use crate::{JobError, Loaded, Map, Plan, Subject, Truth};

/// Rows that an earlier run of the same lab scored, and where new ones go.
pub trait KnownRows: Sync {
    /// The row of a pair, if it was scored before.
    fn known(&self, pair: &LabPair) -> Option<LabRow>;

    /// Keeps a row.
    ///
    /// # Errors
    /// It cannot be kept.
    fn keep(&self, row: &LabRow) -> Result<(), JobError>;
}

/// Keeps nothing and knows nothing.
pub struct NoRows;

impl KnownRows for NoRows {
    fn known(&self, _: &LabPair) -> Option<LabRow> {
        None
    }

    fn keep(&self, _: &LabRow) -> Result<(), JobError> {
        Ok(())
    }
}

/// Scores every pair of a lab; `progress` is told how many are done.
///
/// # Errors
/// A metric or parameter that does not exist, or a row that cannot be kept. A map that cannot be damaged so is a row too.
pub fn run_lab(
    maps: &[(String, Loaded<Map>)],
    plan: &LabPlan,
    rows: &dyn KnownRows,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<LabRows, JobError> {
    let metrics = plan.metric_ids()?;
    let truths: Vec<Truth> = maps
        .iter()
        .map(|(_, map)| Truth { map: Some(Loaded::in_memory(map.value.clone())), ..Truth::default() })
        .collect();
    let done = AtomicUsize::new(0);
    let pairs = plan.pairs(maps.len());
    let scored: Result<Vec<LabRow>, JobError> = pairs
        .par_iter()
        .map(|pair| {
            let row =
                match rows.known(pair).filter(|row| row.values.len() == metrics.len() || !row.is_scored()) {
                    Some(row) => row,
                    None => {
                        let row =
                            score(pair, &maps[pair.map].1.value.grid, &truths[pair.map], plan, &metrics)?;
                        rows.keep(&row)?;
                        row
                    }
                };
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            Ok(row)
        })
        .collect();
    Ok(LabRows { metrics, rows: scored? })
}

/// One row: the map is changed and judged against itself.
fn score(
    pair: &LabPair,
    map: &Grid,
    truth: &Truth,
    plan: &LabPlan,
    metrics: &[String],
) -> Result<LabRow, JobError> {
    let (true_map, changed) = match pair.change.apply(map, plan.seed, pair.seed) {
        Ok(made) => made,
        Err(error) => return Ok(LabRow::refused(pair, error.code())),
    };
    let other =
        true_map.map(|grid| Truth { map: Some(Loaded::in_memory(Map::new(grid))), ..Truth::default() });
    let subject = Subject::of_map("damaged", Loaded::in_memory(Map::new(changed)));
    let found = values(&subject, other.as_ref().unwrap_or(truth), &plan.judging())?;
    let value = |id: &String| found.iter().find(|(found, _)| found == id).and_then(|(_, value)| *value);
    Ok(LabRow::scored(pair, metrics.iter().map(value).collect()))
}

impl LabPlan {
    /// How a damaged map is judged.
    pub(crate) fn judging(&self) -> Plan {
        Plan { metrics: self.metrics.clone(), align: self.align, ..Plan::default() }
    }
}
