//! The picture distance of a plane that is not the case's map: one that was bent or repaired.

use model::{CellClass, Grid};
use raster::city_block::colour_distance_sums;

/// M-PSI09 of the truth and a plane of classes on its cells, metres; none if either has no wall.
pub(super) fn picture_distance_m(truth: &Grid, map: &[u8]) -> Option<f64> {
    let geometry = truth.geometry();
    let occupied = [CellClass::Occupied as u8];
    let sums = colour_distance_sums(truth.class_bytes(), map, geometry.width(), geometry.height(), &occupied);
    let [there, back] = [sums[0].truth_to_map?, sums[0].map_to_truth?];
    let walls = there.count + back.count;
    (walls > 0).then(|| (there.sum + back.sum) as f64 / walls as f64 * geometry.cell_size_m())
}
