//! One value over several floors (X-FLOORS): sums of tables and of distances, from which a ratio is computed anew.
//!
//! A mean of ratios is never formed: it would weigh a cupboard as much as a hall.

use raster::contingency::Contingency;

use crate::cells::binary_counts::BinaryCounts;
use crate::cells::binary_counts::UnknownAs;
use crate::distance::tolerance_curve::{area_under_f1, f1};
use crate::distance::wall_distances::WallDistances;
use crate::{Case, Reason, Score, Undefined};

/// The sum of the contingency tables of floors.
///
/// # Errors
/// A floor has no maps to compare, or there is no floor.
pub fn pooled_table(floors: &[&Case]) -> Result<Contingency, Undefined> {
    let mut sum = Contingency { counts: [[0; 3]; 3] };
    for floor in floors {
        let counts = floor.table()?.counts;
        for (row, own) in sum.counts.iter_mut().zip(counts) {
            for (cells, own) in row.iter_mut().zip(own) {
                *cells += own;
            }
        }
    }
    if sum.total() == 0 { Err(Reason::EmptyWindow.into()) } else { Ok(sum) }
}

/// The sum of the counts of floors.
///
/// # Errors
/// No cell is compared.
pub fn pooled_counts(floors: &[&Case], unknown_as: UnknownAs) -> Result<BinaryCounts, Undefined> {
    let counts = BinaryCounts::of(&pooled_table(floors)?, unknown_as);
    if counts.compared() == 0 { Err(Reason::EmptyWindow.into()) } else { Ok(counts) }
}

/// A ratio of the summed counts.
///
/// # Errors
/// No cell is compared, or the denominator is 0.
pub fn pooled_ratio(
    floors: &[&Case],
    unknown_as: UnknownAs,
    parts: fn(&BinaryCounts) -> (u64, u64),
) -> Result<Score, Undefined> {
    let counts = pooled_counts(floors, unknown_as)?;
    let (no_truth, no_map) = (counts.truth_occupied() == 0, counts.map_occupied() == 0);
    let (part, whole) = parts(&counts);
    if whole == 0 {
        let first = if no_truth { Reason::NoOccupiedGt } else { Reason::NoOccupiedMap };
        return Err(Undefined::because(first).also_if(no_map, Reason::NoOccupiedMap));
    }
    let score = Score::new(part as f64 / whole as f64).with("tp", counts.hits);
    let score = score.with("fn", counts.missed).with("fp", counts.invented).with("tn", counts.agreed_free);
    Ok(score.warn_if(no_truth, Reason::NoOccupiedGt).warn_if(no_map, Reason::NoOccupiedMap))
}

/// The area under F1 over tolerance of all floors: walls within each tolerance are counted over all of them. On a floor
/// where one of the maps has no wall, those of the other are within no tolerance.
///
/// # Errors
/// No floor has walls in the truth, or none has walls in the map.
pub fn pooled_f1_area(
    floors: &[&Case],
    largest_cells: u32,
    distances: fn(&Case) -> Result<&WallDistances, Undefined>,
) -> Result<Score, Undefined> {
    let (mut truth, mut map) = (0, 0);
    let mut measured = Vec::new();
    for floor in floors {
        match distances(floor) {
            Ok(distances) => {
                truth += distances.truth_to_map.count();
                map += distances.map_to_truth.count();
                measured.push(distances);
            }
            // One of them has none: the other's walls count as missed or invented.
            Err(_) => {
                let table = floor.table()?;
                truth += table.truth_counts()[2];
                map += table.map_counts()[2];
            }
        }
    }
    if truth == 0 || map == 0 {
        let first = if truth == 0 { Reason::NoOccupiedGt } else { Reason::NoOccupiedMap };
        return Err(Undefined::because(first).also_if(map == 0, Reason::NoOccupiedMap));
    }
    let pooled_f1 = |tolerance_cells: u32| {
        let found: u64 = measured.iter().map(|own| own.truth_to_map.within_cells(tolerance_cells)).sum();
        let right: u64 = measured.iter().map(|own| own.map_to_truth.within_cells(tolerance_cells)).sum();
        f1(right as f64 / map as f64, found as f64 / truth as f64)
    };
    let curve: Vec<f64> = (0..=largest_cells).map(pooled_f1).collect();
    Ok(Score::new(area_under_f1(&curve)).with("truth_walls", truth).with("map_walls", map))
}

#[cfg(test)]
mod tests {
    use crate::drawing::case;
    use crate::{Aggregate, Case, Reason, Score, Undefined, find};

    fn pooled(id: &str, floors: &[&Case]) -> Result<Score, Undefined> {
        (find(id).unwrap().make)().pooled(floors)
    }

    #[test]
    fn every_metric_states_how_floors_are_put_together() {
        for entry in crate::all() {
            assert!(entry.spec.aggregate.is_some(), "{} states no aggregate", entry.spec.id);
        }
    }

    /// Ground: 3 hits, 1 miss. First: 1 hit, 2 false alarms. Top: missing, 2 walls missed.
    fn three_floors() -> [Case; 3] {
        [
            case(&["####", "...."], &["###.", "...."]),
            case(&["#..", "..."], &["#..", "##."]),
            case(&["##", ".."], &["??", "??"]),
        ]
    }

    #[test]
    fn ratios_come_from_summed_counts() {
        let floors = three_floors();
        let floors: Vec<&Case> = floors.iter().collect();
        let value = |id: &str| pooled(id, &floors).unwrap().value;
        // By hand: TP 4, FN 1 + 0 + 2 = 3, FP 2.
        assert_eq!(value("occupied_precision"), 4.0 / 6.0);
        assert_eq!(value("occupied_recall"), 4.0 / 7.0);
        assert_eq!(value("occupied_f1"), 8.0 / 13.0);
        assert_eq!(value("occupied_iou"), 4.0 / 9.0);
        // 8 + 6 of 18 cells; the missing floor lowers it.
        assert_eq!(value("known_coverage"), 14.0 / 18.0);
    }

    #[test]
    fn distances_are_summed_and_a_missing_floor_counts() {
        let floors = three_floors();
        let floors: Vec<&Case> = floors.iter().collect();
        // Without tolerance: 4 of 7 walls of the truth found, 4 of 6 of the map right.
        let mut metric = (find("tolerance_f1_area").unwrap().make)();
        metric.set("largest_cells", &0.into()).unwrap();
        let (recall, precision) = (4.0 / 7.0, 4.0 / 6.0);
        let f1 = 2.0 * precision * recall / (precision + recall);
        assert!((metric.pooled(&floors).unwrap().value - f1).abs() < 1e-12);
        // A missing floor has no distances, and nothing is made up for it.
        assert_eq!(pooled("chamfer_distance", &floors).unwrap_err().reasons, [Reason::NoOccupiedMap]);
        // There 1 cell over 4 walls, back nothing over 3; there nothing over 1, back 1 + sqrt 2 over 3.
        let chamfer = pooled("chamfer_distance", &floors[..2]).unwrap().value;
        let by_hand = (1.0 / 5.0 + (1.0 + 2.0_f64.sqrt()) / 6.0) / 2.0;
        let cell_size_m = floors[0].grids().unwrap().geometry().cell_size_m();
        assert!((chamfer - by_hand * cell_size_m).abs() < 1e-12, "{chamfer} {by_hand}");
        // L1 sums 1 + 0 + 0 + (1 + 2) over 7 + 4 cells, and 2 walls of the missing floor at W + H - 2 = 2 each.
        let picture = pooled("picture_distance", &floors).unwrap().value;
        assert!((picture - (1.0 + 3.0 + 4.0) / 13.0).abs() < 1e-12, "{picture}");
    }

    #[test]
    fn one_floor_gives_the_value_of_the_floor() {
        let floor = case(&["####", "#.?#", "#..#"], &["###.", "#..#", "?..#"]);
        for entry in crate::all().filter(|entry| entry.spec.aggregate == Some(Aggregate::Pooled)) {
            let metric = (entry.make)();
            let (alone, pooled) =
                (metric.evaluate(&floor).unwrap().value, metric.pooled(&[&floor]).unwrap().value);
            assert!((alone - pooled).abs() < 1e-12, "{}: {alone} {pooled}", entry.spec.id);
        }
    }
}
