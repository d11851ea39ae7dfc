//! The pieces of a map that was taken apart.

use model::Pose2;

/// A part of the map that one rigid motion brings onto the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The motion, in the frame of the truth.
    pub truth_from_part: Pose2,
    /// Its cells, in image order of the common grid.
    pub cells: Vec<usize>,
    /// Mean city-block distance of its cells to the truth's walls after the motion, cells; those that it sends out of the
    /// window are left out.
    pub mean_distance_cells: f64,
}

/// The map taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// In the order in which they were found.
    pub parts: Vec<Part>,
    /// Occupied cells that fit nowhere, in image order.
    pub unregistered: Vec<usize>,
    /// How many of them stand in pieces of wall of at least 20 cells: specks of noise are none.
    pub unregistered_wall_cells: usize,
    /// Whether a part lies on both sides of another.
    pub is_one_around_another: bool,
    /// Occupied cells of the map but for those deep inside of solid areas.
    pub walls: usize,
    /// Walls this near count as registered, cells.
    pub tau_cells: u32,
}

impl Parts {
    /// Share of the walls in the largest part.
    pub fn largest_share(&self) -> f64 {
        let largest = self.parts.iter().map(|part| part.cells.len()).max().unwrap_or(0);
        largest as f64 / self.walls.max(1) as f64
    }

    /// Share of the walls that stand in pieces of wall which fit nowhere.
    pub fn unregistered_wall_share(&self) -> f64 {
        self.unregistered_wall_cells as f64 / self.walls.max(1) as f64
    }

    /// Share of the walls that fit nowhere.
    pub fn unregistered_share(&self) -> f64 {
        self.unregistered.len() as f64 / self.walls.max(1) as f64
    }
}
