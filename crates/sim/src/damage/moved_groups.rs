//! What a torn map falls into: walls that the links of a chain moved alike.

use std::collections::BTreeMap;

use model::{CellClass, Grid, Point2, Similarity2};

use super::DamagedByChain;

/// Points that stay come back from the frame of the grid with the error of rounding.
const STILL_M: f64 = 1e-9;

/// Walls that moved as one rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedGroup {
    /// The motion of the group.
    pub map_from_truth: Similarity2,
    /// Middles of its wall cells: in the truth, and where they appear in the damaged map.
    pub walls: Vec<[Point2; 2]>,
}

impl MovedGroup {
    /// Whether the motion of this group puts more than half of another's walls within a distance of where they are.
    fn explains(&self, other: &Self, near_m: f64) -> bool {
        let is_near = |[from, to]: &&[Point2; 2]| (self.map_from_truth * *from).distance_m(*to) <= near_m;
        2 * other.walls.iter().filter(is_near).count() > other.walls.len()
    }
}

impl DamagedByChain {
    /// The walls of the truth by the links that moved them, where every link moved them as rigid pieces. Walls that are gone
    /// belong to no group.
    #[must_use]
    pub fn moved_groups(&self, truth: &Grid) -> Vec<MovedGroup> {
        let mut groups: BTreeMap<Vec<bool>, MovedGroup> = BTreeMap::new();
        let geometry = truth.geometry();
        let is_wall = |(_, class): &(usize, &CellClass)| **class == CellClass::Occupied;
        for (index, _) in truth.classes().iter().enumerate().filter(is_wall) {
            let from = geometry.center_of(geometry.cell_of(index));
            let (mut moved_by, mut map_from_truth) = (Vec::new(), Similarity2::IDENTITY);
            let to = self.links.iter().try_fold(from, |point, link| {
                let to = link.motion.moved(point)?;
                let is_moved = to.distance_m(point) > STILL_M;
                moved_by.push(is_moved);
                if is_moved && let Some(piece) = link.pieces.last() {
                    map_from_truth = piece.map_from_truth * map_from_truth;
                }
                Some(to)
            });
            let Some(to) = to else { continue };
            let group = groups.entry(moved_by);
            group.or_insert(MovedGroup { map_from_truth, walls: Vec::new() }).walls.push([from, to]);
        }
        groups.into_values().collect()
    }

    /// The number of different motions among groups that hold at least a share of the walls; groups count as one where the
    /// motion of one puts more than half of the other's walls within `near_m` of where they are.
    #[must_use]
    pub fn different_motions(&self, truth: &Grid, min_share: f64, near_m: f64) -> usize {
        let groups = self.moved_groups(truth);
        let walls: usize = groups.iter().map(|group| group.walls.len()).sum();
        let mut different: Vec<&MovedGroup> = Vec::new();
        for group in groups.iter().filter(|group| group.walls.len() as f64 >= min_share * walls as f64) {
            let is_alike =
                |known: &&MovedGroup| known.explains(group, near_m) || group.explains(known, near_m);
            if !different.iter().any(is_alike) {
                different.push(group);
            }
        }
        different.len()
    }
}

#[cfg(test)]
mod tests {
    use crate::damage::Chain;
    use crate::place::{OfficePlan, office};

    #[test]
    fn each_cut_of_a_large_slip_adds_a_motion() {
        let plan = OfficePlan { seed: 11, width_m: 16.0, height_m: 12.0, ..OfficePlan::default() };
        let truth = office(&plan).unwrap();
        let torn = |chain: &str| chain.parse::<Chain>().unwrap().apply(&truth, 2).unwrap();
        let walls = truth.class_counts()[model::CellClass::Occupied as usize] as usize;
        for (chain, groups) in [("noise=0", 1), ("cut=0.8", 2), ("cut=0.8,cut=0.8", 3)] {
            let found = torn(chain).moved_groups(&truth);
            assert_eq!(found.len(), groups, "{chain}");
            assert_eq!(found.iter().map(|group| group.walls.len()).sum::<usize>(), walls, "{chain}");
            // The motion of a group sends its walls to where they are.
            for group in &found {
                let is_there =
                    |[from, to]: &[model::Point2; 2]| (group.map_from_truth * *from).distance_m(*to) < 1e-9;
                assert!(group.walls.iter().all(is_there), "{chain}");
            }
            let torn = torn(chain);
            assert_eq!(torn.different_motions(&truth, 0.0, 0.2), groups, "{chain}");
            assert_eq!(torn.different_motions(&truth, 0.0, 100.0), 1, "{chain}");
        }
    }
}
