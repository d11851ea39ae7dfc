//! One map as ground to drive on: where the robot fits, which places are connected, and its graph.

use std::sync::{Arc, OnceLock};

use model::{Cell, CellClass, Grid, GridGeometry, Point2};
use raster::components::{Components, Connectivity, components_of};
use raster::despeckle::despeckle;
use raster::footprint::traversable;
use raster::free_space_graph::{FreeSpaceGraph, GraphRules, free_space_graph};
use raster::shortest_paths::{Diagonals, Lengths, Roads};
use raster::skeleton_graph::SkeletonGraph;

use super::path_inputs::PathInputs;
use crate::Reason;

/// One map as ground to drive on. What is expensive is computed when it is first asked for.
#[derive(Debug)]
pub struct Ground {
    grid: Arc<Grid>,
    /// The classes where specks were removed; none if nothing was.
    cleaned: Option<Vec<u8>>,
    radius_cells: f64,
    snap_cells: f64,
    rules: GraphRules,
    roads: OnceLock<Result<Vec<u8>, Reason>>,
    parts: OnceLock<Result<Components, Reason>>,
    hopeful: OnceLock<Result<(Vec<u8>, Components), Reason>>,
    graph: OnceLock<Result<FreeSpaceGraph, Reason>>,
}

impl Ground {
    #[must_use]
    pub fn new(grid: &Arc<Grid>, inputs: &PathInputs) -> Self {
        let geometry = grid.geometry();
        let cells = |metres: f64| metres / geometry.cell_size_m();
        let cleaned = (inputs.despeckle > 1).then(|| {
            let (occupied, free) = (CellClass::Occupied as u8, CellClass::Free as u8);
            let mut plane = grid.class_bytes().to_vec();
            despeckle(&mut plane, geometry.width(), geometry.height(), occupied, free, inputs.despeckle);
            plane
        });
        let radius_cells = cells(inputs.robot_radius_m);
        Self {
            grid: Arc::clone(grid),
            cleaned,
            radius_cells,
            snap_cells: inputs.snap_m.map_or(radius_cells.max(1.0), cells),
            rules: GraphRules {
                radius_cells,
                thinning: inputs.thinning,
                prune_min_cells: cells(inputs.prune_min_m),
                prune_factor: inputs.prune_factor,
                seed: None,
            },
            roads: OnceLock::new(),
            parts: OnceLock::new(),
            hopeful: OnceLock::new(),
            graph: OnceLock::new(),
        }
    }

    #[must_use]
    pub fn geometry(&self) -> &GridGeometry {
        self.grid.geometry()
    }

    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.grid.geometry().width(), self.grid.geometry().height())
    }

    /// Edge of a cell.
    #[must_use]
    pub fn cell_size_m(&self) -> f64 {
        self.grid.geometry().cell_size_m()
    }

    /// Class of each cell, specks removed: 0 free, 1 unknown, 2 occupied.
    #[must_use]
    pub fn classes(&self) -> &[u8] {
        self.cleaned.as_deref().unwrap_or_else(|| self.grid.class_bytes())
    }

    /// Whether the cell has this class.
    #[must_use]
    pub fn is(&self, cell: usize, class: CellClass) -> bool {
        self.classes()[cell] == class as u8
    }

    /// Middle of a cell.
    #[must_use]
    pub fn place_of(&self, cell: usize) -> Point2 {
        let geometry = self.grid.geometry();
        geometry.center_of(geometry.cell_of(cell))
    }

    /// The cell that holds a place.
    #[must_use]
    pub fn cell_at(&self, place: Point2) -> Option<usize> {
        let geometry = self.grid.geometry();
        geometry.cell_at(place).map(|cell| geometry.index_of(cell))
    }

    /// A place counted in cells from the lower left corner.
    #[must_use]
    pub fn grid_point(&self, place: Point2) -> (f64, f64) {
        self.grid.geometry().grid_point_of_world(place)
    }

    /// Index of the cell in a column from the left and a row from the bottom; none beyond the map.
    #[must_use]
    pub fn index_of(&self, (i, j): (i64, i64)) -> Option<usize> {
        let (width, height) = self.size();
        let (i, j) = (usize::try_from(i).ok()?, usize::try_from(j).ok()?);
        (i < width && j < height).then(|| self.grid.geometry().index_of(Cell { i, j }))
    }

    /// Where the robot fits, as a mask.
    ///
    /// # Errors
    /// The map is too large for exact distances.
    pub fn roads(&self) -> Result<&[u8], Reason> {
        let free = |&class: &u8| u8::from(class == CellClass::Free as u8);
        let computed = self.roads.get_or_init(|| self.fitting(free));
        computed.as_deref().map_err(|reason| *reason)
    }

    /// Which traversable cells are connected. A diagonal step needs both cells beside it, so cells that
    /// share an edge decide.
    ///
    /// # Errors
    /// As [`Ground::roads`].
    pub fn parts(&self) -> Result<&Components, Reason> {
        let computed = self.parts.get_or_init(|| Ok(self.connected(self.roads()?)));
        computed.as_ref().map_err(|reason| *reason)
    }

    /// The same as [`Ground::roads`] and [`Ground::parts`] if every unknown cell were free.
    ///
    /// # Errors
    /// As [`Ground::roads`].
    pub fn if_unknown_were_free(&self) -> Result<(&[u8], &Components), Reason> {
        let passable = |&class: &u8| u8::from(class != CellClass::Occupied as u8);
        let computed = self.hopeful.get_or_init(|| {
            let roads = self.fitting(passable)?;
            let parts = self.connected(&roads);
            Ok((roads, parts))
        });
        computed.as_ref().map(|(roads, parts)| (&roads[..], parts)).map_err(|reason| *reason)
    }

    /// The graph of free space (V-GRAPH) with its clearances.
    ///
    /// # Errors
    /// As [`Ground::roads`].
    pub fn graph(&self) -> Result<&FreeSpaceGraph, Reason> {
        let computed = self.graph.get_or_init(|| {
            let free: Vec<u8> =
                self.classes().iter().map(|&c| u8::from(c == CellClass::Free as u8)).collect();
            let (width, height) = self.size();
            free_space_graph(&free, width, height, &self.rules).map_err(|_| Reason::TooLarge)
        });
        computed.as_ref().map_err(|reason| *reason)
    }

    /// Nodes and edges of [`Ground::graph`].
    ///
    /// # Errors
    /// As [`Ground::roads`].
    pub fn skeleton(&self) -> Result<&SkeletonGraph, Reason> {
        Ok(&self.graph()?.graph)
    }

    /// The cell itself if the robot fits there, else the nearest such cell within the snapping distance.
    #[must_use]
    pub fn snapped(&self, roads: &[u8], cell: usize) -> Option<usize> {
        self.nearest_within(roads, cell, self.snap_cells)
    }

    /// The cell of a mask that is nearest to a cell, at most so many cells off; of equals the first in image order.
    #[must_use]
    pub fn nearest_within(&self, mask: &[u8], cell: usize, reach_cells: f64) -> Option<usize> {
        if mask[cell] != 0 {
            return Some(cell);
        }
        let (width, height) = self.size();
        let (x, y) = (cell % width, cell / width);
        let reach = (reach_cells as usize).min(width.max(height));
        let limit = reach_cells * reach_cells * (1.0 + 1e-9);
        let rows = y.saturating_sub(reach)..=(y + reach).min(height - 1);
        let columns = x.saturating_sub(reach)..=(x + reach).min(width - 1);
        let near = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
        let squared = |(column, row): (usize, usize)| column.abs_diff(x).pow(2) + row.abs_diff(y).pow(2);
        near.filter(|&place| squared(place) as f64 <= limit && mask[place.1 * width + place.0] != 0)
            .min_by_key(|&place| squared(place))
            .map(|(column, row)| row * width + column)
    }

    /// Shortest lengths from a cell; a diagonal step needs both cells beside it.
    ///
    /// # Errors
    /// As [`Ground::roads`].
    pub fn lengths_from(&self, start: usize) -> Result<Lengths, Reason> {
        let (width, height) = self.size();
        Ok(Roads::new(self.roads()?, width, height, Diagonals::BothSidesSet).lengths_from(start))
    }

    fn fitting(&self, is_ground: impl Fn(&u8) -> u8) -> Result<Vec<u8>, Reason> {
        let ground: Vec<u8> = self.classes().iter().map(is_ground).collect();
        let (width, height) = self.size();
        traversable(&ground, width, height, self.radius_cells).map_err(|_| Reason::TooLarge)
    }

    fn connected(&self, roads: &[u8]) -> Components {
        let (width, height) = self.size();
        components_of(roads, 1, width, height, Connectivity::Four)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(rows: &[&str], inputs: PathInputs) -> Ground {
        Ground::new(&Arc::new(testkit::grid(rows)), &PathInputs { robot_radius_m: 0.0, ..inputs })
    }

    #[test]
    fn places_are_moved_to_the_nearest_ground_within_reach() {
        let ground = ground(&["##.", "###", "..#"], PathInputs { snap_m: Some(1.5), ..Default::default() });
        let roads = ground.roads().unwrap();
        assert_eq!(ground.snapped(roads, 2), Some(2));
        assert_eq!(ground.snapped(roads, 4), Some(7), "one cell below, nearer than the two diagonals");
        assert_eq!(ground.snapped(roads, 8), Some(7));
        assert_eq!(ground.snapped(roads, 0), None, "two cells away");
    }

    #[test]
    fn specks_are_ground_and_unknown_may_be() {
        let ground = ground(&[".#.?."], PathInputs { despeckle: 2, ..Default::default() });
        assert_eq!(ground.roads().unwrap(), [1, 1, 1, 0, 1]);
        assert_eq!(ground.parts().unwrap().count(), 2);
        assert_eq!(ground.if_unknown_were_free().unwrap().1.count(), 1);
    }
}
