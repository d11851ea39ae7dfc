//! What a mapper inside the building cannot see: the backs of walls, the outside, the cores of thick walls.

use model::{CellClass, Grid};

use super::neighbourhood::Neighbourhood;
use crate::SimError;

/// Parameters of [`unseen`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unseen {
    /// How many cells of a wall are seen from its free side. Default 1: a laser sees the face only.
    pub seen_depth_cells: usize,
}

impl Default for Unseen {
    fn default() -> Self {
        Self { seen_depth_cells: 1 }
    }
}

/// Turns every occupied cell that lies deeper than seen behind free floor into unknown.
///
/// # Errors
/// None for a valid grid.
pub fn unseen(truth: &Grid, params: &Unseen) -> Result<Grid, SimError> {
    let near = Neighbourhood::of(truth);
    let seen = truth.classes().iter().enumerate().map(|(index, &class)| {
        let is_hidden =
            class == CellClass::Occupied && !near.within(index, params.seen_depth_cells, CellClass::Free);
        if is_hidden { CellClass::Unknown } else { class }
    });
    Ok(Grid::new(*truth.geometry(), seen.collect())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_face_towards_free_floor_is_seen() {
        let truth = testkit::grid(["?###..", "?###..", "######"]);
        let seen = |seen_depth_cells| testkit::rows(&unseen(&truth, &Unseen { seen_depth_cells }).unwrap());
        assert_eq!(seen(1), ["???#..", "???#..", "???###"]);
        assert_eq!(seen(2), ["??##..", "??##..", "??####"]);
        assert_eq!(seen(0), ["????..", "????..", "??????"]);
    }

    #[test]
    fn a_map_without_free_floor_shows_nothing() {
        let map = unseen(&testkit::grid(["##", "##"]), &Unseen::default()).unwrap();
        assert_eq!(testkit::rows(&map), ["??", "??"]);
    }
}
