//! `cell_metrics`: all cell metrics of truth and map from one contingency table.

use raster::contingency::{Contingency, contingency};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, states};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let truth = states(&arguments.inputs, "truth")?;
    let map = states(&arguments.inputs, &arguments.map)?;
    let (cost, value) = measure(arguments.seconds, || value_of(&contingency(&truth.cells, &map.cells)));
    Ok((cost, value))
}

/// The kit's fields from the table; states stand for 0, 0.5 and 1.
pub fn value_of(table: &Contingency) -> Value {
    let [[ff, fu, fo], [uf, uu, uo], [of, ou, oo]] = table.counts.map(|row| row.map(|n| n as f64));
    let (missed, invented) = (of + ou, fo + uo);
    let agreed = oo + ff + fu + uf + uu;
    let one_step = (fu + uf + uo + ou) * 0.25;
    let correlation = correlation(table);
    json!({
        "map_score_balaguer": agreed as u64, "overall_error": (missed + invented) as u64,
        "normalized_map_score_balaguer": missed as u64, "occupied_map_score_balaguer": invented as u64,
        "map_score_collins": one_step + fo + of,
        "occupied_map_score_collins": (uo + ou) * 0.25 + fo + of,
        "baron_correlation": correlation, "pearson_correlation_all": correlation,
    })
}

/// Pearson correlation of the two planes of numbers over all cells; none if one is uniform.
fn correlation(table: &Contingency) -> Option<f64> {
    // Twice the numbers, so that all sums are integers: 0, 1, 2.
    let (mut n, mut sum_t, mut sum_m, mut sum_tt, mut sum_mm, mut sum_tm) = (0_i128, 0, 0, 0, 0, 0);
    for (t, row) in (0_i128..).zip(&table.counts) {
        for (m, &count) in (0_i128..).zip(row) {
            let count = i128::from(count);
            n += count;
            sum_t += t * count;
            sum_m += m * count;
            sum_tt += t * t * count;
            sum_mm += m * m * count;
            sum_tm += t * m * count;
        }
    }
    let (var_t, var_m) = (n * sum_tt - sum_t * sum_t, n * sum_mm - sum_m * sum_m);
    (var_t > 0 && var_m > 0)
        .then(|| (n * sum_tm - sum_t * sum_m) as f64 / ((var_t as f64).sqrt() * (var_m as f64).sqrt()))
}
