//! Both maps as ground to drive on, the start and the targets: what all metrics of the family share.

use align::AlignedGrids;
use model::Point2;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use raster::Steps;
use raster::shortest_paths::Lengths;
use serde::Serialize;

use super::ground::Ground;
use super::path_inputs::PathInputs;
use crate::topology::place_graph::PlaceGraph;
use crate::{Detail, Reason, Undefined, facts};

/// Both maps as ground to drive on.
#[derive(Debug)]
pub struct PathSpace {
    pub inputs: PathInputs,
    pub truth: Ground,
    /// The map, on the cells of the truth.
    pub map: Ground,
}

/// A place to get to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// In the frame of the truth.
    pub place: Point2,
    /// Its cell; none if it lies outside the compared window.
    pub cell: Option<usize>,
}

/// Where the robot starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// In the frame of the truth.
    pub place: Point2,
    /// The cell that was given or chosen.
    pub cell: usize,
    /// The traversable cell of the truth from which lengths are counted.
    pub on_truth: usize,
    /// The traversable cell of the map; none if there is none within reach.
    pub on_map: Option<usize>,
}

impl PathSpace {
    #[must_use]
    pub fn new(grids: &AlignedGrids, inputs: &PathInputs) -> Self {
        Self {
            inputs: inputs.clone(),
            truth: Ground::new(&grids.truth, inputs),
            map: Ground::new(&grids.map, inputs),
        }
    }

    /// Where the robot starts: as given, else the widest place of the largest part of the truth's graph.
    ///
    /// # Errors
    /// `UNREACHABLE_START` if the robot fits nowhere near it on the truth.
    pub fn start(&self) -> Result<Start, Undefined> {
        let cell = match self.inputs.start_in_truth() {
            Some(place) => self.truth.cell_at(place),
            None => self.widest_place()?,
        };
        let unreachable = || Undefined::because(Reason::UnreachableStart);
        let cell = cell.ok_or_else(unreachable)?;
        let on_truth = self.truth.snapped(self.truth.roads()?, cell).ok_or_else(unreachable)?;
        let place = self.inputs.start_in_truth().unwrap_or_else(|| self.truth.place_of(cell));
        Ok(Start { place, cell, on_truth, on_map: self.map.snapped(self.map.roads()?, cell) })
    }

    /// The node with most clearance in the part of the truth's graph with most nodes; of equals the first.
    fn widest_place(&self) -> Result<Option<usize>, Undefined> {
        let found = self.truth.graph()?;
        let parts = found.graph.parts();
        let mut sizes = vec![0_usize; parts.len()];
        parts.iter().for_each(|&part| sizes[part] += 1);
        let largest = (0..sizes.len()).rev().max_by_key(|&part| sizes[part]);
        let members = (0..parts.len()).rev().filter(|&node| Some(parts[node]) == largest);
        let clearance = &found.node_clearance_cells;
        let widest = members.max_by(|&a, &b| clearance[a].total_cmp(&clearance[b]));
        Ok(widest.map(|node| found.graph.nodes[node].cell as usize))
    }

    /// Where the robot should get to: as given, random cells, or the nodes of the truth's graph.
    ///
    /// # Errors
    /// The maps are too large for exact distances.
    pub fn targets(&self) -> Result<Vec<Target>, Undefined> {
        let of_cell = |cell: usize| Target { place: self.truth.place_of(cell), cell: Some(cell) };
        if !self.inputs.targets.is_empty() {
            let places = self.inputs.targets.iter().map(|&[x_m, y_m]| Point2::new(x_m, y_m));
            return Ok(places.map(|place| Target { place, cell: self.truth.cell_at(place) }).collect());
        }
        if self.inputs.random_targets > 0 {
            return Ok(self.random_cells()?.into_iter().map(of_cell).collect());
        }
        Ok(self.truth.skeleton()?.nodes.iter().map(|node| of_cell(node.cell as usize)).collect())
    }

    fn random_cells(&self) -> Result<Vec<usize>, Reason> {
        let roads = self.truth.roads()?;
        let cells: Vec<usize> = (0..roads.len()).filter(|&cell| roads[cell] != 0).collect();
        if cells.is_empty() {
            return Ok(Vec::new());
        }
        let mut random = ChaCha8Rng::seed_from_u64(self.inputs.seed);
        let draw = |_| cells[(random.next_u64() % cells.len() as u64) as usize];
        Ok((0..self.inputs.random_targets).map(draw).collect())
    }

    /// Lengths on the truth from the start.
    ///
    /// # Errors
    /// As [`PathSpace::start`].
    pub fn truth_lengths(&self, start: &Start) -> Result<Lengths, Undefined> {
        Ok(self.truth.lengths_from(start.on_truth)?)
    }

    /// The skeleton to judge: as drawn, else the graph of the map.
    ///
    /// # Errors
    /// The map is too large for exact distances.
    pub fn team_skeleton(&self) -> Result<PlaceGraph, Reason> {
        self.inputs.skeleton.clone().map_or_else(|| PlaceGraph::of_ground(&self.map), Ok)
    }

    /// The skeleton to judge by: that of the truth's annotations, else the graph of the truth.
    ///
    /// # Errors
    /// The truth is too large for exact distances.
    pub fn reference_skeleton(&self) -> Result<PlaceGraph, Reason> {
        let drawn = self.inputs.truth_skeleton.as_ref().map(PlaceGraph::without_joints);
        drawn.map_or_else(|| PlaceGraph::of_ground(&self.truth), Ok)
    }

    /// Where the skeleton to judge by comes from, as reports state it.
    #[must_use]
    pub const fn reference_name(&self) -> &'static str {
        if self.inputs.truth_skeleton.is_some() {
            "skeleton layer of the truth"
        } else {
            "graph of the truth"
        }
    }

    /// The graph along which true directions lead: the skeleton to judge by if it has edges, else the truth's graph.
    ///
    /// # Errors
    /// As [`PathSpace::reference_skeleton`].
    pub fn reference_routes(&self) -> Result<PlaceGraph, Reason> {
        let reference = self.reference_skeleton()?;
        if reference.edges.is_empty() { PlaceGraph::of_ground(&self.truth) } else { Ok(reference) }
    }

    /// Length of a path, metres.
    #[must_use]
    pub fn metres(&self, steps: Steps) -> f64 {
        steps.length_cells() * self.truth.cell_size_m()
    }

    /// A place of a node or cell as facts.
    #[must_use]
    pub fn place(&self, cell: u32) -> Place {
        self.truth.place_of(cell as usize).into()
    }

    /// The robot and where it starts, as facts of a report.
    #[must_use]
    pub fn described(&self, start: &Start) -> Detail {
        let chosen = if self.inputs.start.is_some() { "given" } else { "widest place of the truth's graph" };
        facts([
            ("robot_radius_m", self.inputs.robot_radius_m.into()),
            (
                "start",
                serde_json::json!({ "x_m": start.place.x_m, "y_m": start.place.y_m, "chosen": chosen }),
            ),
        ])
    }
}

/// A place in reports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Place {
    /// To the right.
    pub x_m: f64,
    /// Up.
    pub y_m: f64,
}

impl From<Point2> for Place {
    fn from(point: Point2) -> Self {
        Self { x_m: point.x_m, y_m: point.y_m }
    }
}
