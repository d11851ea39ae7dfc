//! What each metric takes: processor time of one pair, computed alone, and the bound of its memory.

use model::CellClass;
use report::LabCost;

use super::change::LabChange;
use super::plan::LabPlan;
use crate::judge::values;
use crate::{JobError, Loaded, Map, Plan, Subject, Truth, processor_time_s};

/// The costs of each metric of a plan for the noisy sample of a map. Times differ from run to run.
///
/// # Errors
/// A metric that does not exist.
pub fn lab_costs(map: &Loaded<Map>, plan: &LabPlan) -> Result<Vec<LabCost>, JobError> {
    let truth = Truth { map: Some(Loaded::in_memory(map.value.clone())), ..Truth::default() };
    let (_, noisy) = LabChange::Sample.apply(&map.value.grid, plan.seed, 1)?;
    let walls = |grid: &model::Grid| grid.class_counts()[CellClass::Occupied as usize];
    let walls = walls(&map.value.grid) + walls(&noisy);
    let cells = map.value.grid.geometry().cells() as u64;
    let subject = Subject::of_map("sample", Loaded::in_memory(Map::new(noisy)));
    let ids = plan.metric_ids()?;
    let cost = |id: &String| {
        let alone = Plan { metrics: vec![id.clone()], ..plan.judging() };
        let begun_s = processor_time_s();
        values(&subject, &truth, &alone)?;
        let memory = metrics::find(id).map(|entry| entry.spec.family.memory());
        let bytes = memory.map_or(0, |memory| memory.per_cell * cells + memory.per_wall * walls);
        Ok(LabCost {
            metric: id.clone(),
            processor_ms: 1e3 * (processor_time_s() - begun_s),
            memory_bytes: bytes,
        })
    };
    ids.iter().map(cost).collect()
}
