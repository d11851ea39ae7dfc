//! The metrics behind the kit's fields, with the parameters that its README describes.

use metrics::{AlignedGrids, AnyMetric, Case};
use serde_json::{Map, Value, json};

use crate::inputs::BenchError;

/// A field of the kit: its name, the metric and a parameter that differs from the default.
type Field = (&'static str, &'static str, Option<(&'static str, &'static str)>);

pub const CELL_FIELDS: &[Field] = &[
    ("map_score_balaguer", "map_score_balaguer", None),
    ("overall_error", "overall_error", None),
    ("normalized_map_score_balaguer", "normalized_map_score_balaguer", None),
    ("occupied_map_score_balaguer", "occupied_map_score_balaguer", None),
    ("map_score_collins", "map_score_collins", None),
    ("occupied_map_score_collins", "occupied_map_score_collins", None),
    ("baron_correlation", "baron_correlation", Some(("input", "trinary"))),
    ("pearson_correlation_all", "pearson_correlation", Some(("domain", "all"))),
];

pub const PICTURE_FIELDS: &[Field] =
    &[("image_similarity", "image_similarity", None), ("picture_distance", "picture_distance", None)];

/// Metrics ready to be evaluated.
pub struct Scores {
    metrics: Vec<(&'static str, Box<dyn AnyMetric>)>,
}

impl Scores {
    /// Looks the metrics up and sets their parameters.
    pub fn new(fields: &[Field]) -> Result<Self, BenchError> {
        let prepare = |&(field, id, parameter): &Field| {
            let missing = || BenchError::no_value(id);
            let mut metric = (metrics::find(id).ok_or_else(missing)?.make)();
            if let Some((name, value)) = parameter {
                metric.set(name, &json!(value)).map_err(BenchError::no_value)?;
            }
            Ok((field, metric))
        };
        Ok(Self { metrics: fields.iter().map(prepare).collect::<Result<_, BenchError>>()? })
    }

    /// Evaluates all metrics on two maps, from nothing.
    pub fn evaluate(&self, grids: &AlignedGrids) -> Result<Values, BenchError> {
        let case = Case::new(grids.clone());
        let value = |(field, metric): &(&'static str, Box<dyn AnyMetric>)| match metric.evaluate(&case) {
            Ok(score) => Ok((*field, score.value)),
            Err(_) => Err(BenchError::no_value(field)),
        };
        let values = self.metrics.iter().map(value).collect::<Result<_, _>>()?;
        Ok(Values { values, case })
    }
}

/// Values of the kit's fields, and the case they were computed on.
pub struct Values {
    values: Vec<(&'static str, f64)>,
    /// The case with what the metrics left in it.
    pub case: Case,
}

impl Values {
    /// The fields as JSON.
    pub fn to_json(&self) -> Map<String, Value> {
        self.values.iter().map(|&(field, value)| (field.to_owned(), json!(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::pair;

    #[test]
    fn fields_of_a_small_pair_by_hand() {
        // Cells by truth and map: ## #. .# .. ?. .?
        let grids = pair(testkit::grid(["##..?."]), testkit::grid(["#.#..?"]));
        let scores = Scores::new(&[CELL_FIELDS, PICTURE_FIELDS].concat()).unwrap();
        let values = scores.evaluate(&grids).unwrap().to_json();
        let expected = [
            ("map_score_balaguer", 4.0),
            ("overall_error", 2.0),
            ("normalized_map_score_balaguer", 1.0),
            ("occupied_map_score_balaguer", 1.0),
            ("map_score_collins", 2.5),
            ("occupied_map_score_collins", 2.0),
            // Sums 2.5 and 2.5, squares 2.25 and 2.25, products 1: (1 - 2.5²/6) / (2.25 - 2.5²/6).
            ("baron_correlation", (6.0 - 6.25) / (13.5 - 6.25)),
            ("pearson_correlation_all", (6.0 - 6.25) / (13.5 - 6.25)),
            // Occupied 0, 1 against 0, 2: sums 1 and 1 over two cells each.
            ("picture_distance", 0.5),
            // Free 2, 3, 5 against 1, 3, 4: sums 1 + 0 + 1 both ways, means 2/3; unknown 4 against 5.
            ("image_similarity", 2.0 / 3.0 * 2.0 + 1.0 * 2.0 + 0.5 * 2.0),
        ];
        for (field, value) in expected {
            let found = values[field].as_f64().unwrap();
            assert!((found - value).abs() < 1e-12, "{field}: {found}, expected {value}");
        }
    }
}
