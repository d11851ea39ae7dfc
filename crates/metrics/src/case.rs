//! What a metric is handed: the two maps on one grid, and the intermediate results that several share.
//!
//! The shared results are computed when the first metric asks for them, once per case.

use std::sync::{Arc, OnceLock};

use align::AlignedGrids;
use align::piecewise::{Parts, Piecewise, piecewise};
use model::{CellClass, Grid};
use raster::city_block::{ColourDistances, colour_distance_sums};
use raster::contingency::{Contingency, contingency};
use raster::rooms::Rooms;
use raster::rooms::agreement::{Agreement, agreement};

use crate::annotation::inputs::AnnotationInputs;
use crate::cells::blocks::CellBlocks;
use crate::contest::marked_points::PointInputs;
use crate::distance::surfaces::Surfaces;
use crate::distance::wall_distances::{WallDistances, Walls};
use crate::fiducials::{FiducialInputs, Fiducials, Located};
use crate::paths::path_inputs::PathInputs;
use crate::paths::path_space::PathSpace;
use crate::rooms::rooms_found::RoomsFound;
use crate::rooms::segmentation::RoomParams;
use crate::trajectory::Runs;
use crate::{Reason, Undefined};

/// One map to be judged against one truth.
#[derive(Debug)]
pub struct Case {
    grids: Result<AlignedGrids, Reason>,
    table: OnceLock<Contingency>,
    blocks: OnceLock<CellBlocks>,
    city_block: OnceLock<Vec<ColourDistances>>,
    walls: OnceLock<Result<WallDistances, Reason>>,
    surfaces: OnceLock<Result<Surfaces, Reason>>,
    robot: Option<PathInputs>,
    path_space: OnceLock<PathSpace>,
    run: Option<Runs>,
    fiducials: Option<FiducialInputs>,
    located: OnceLock<Result<Located, Reason>>,
    parts: OnceLock<Option<Parts>>,
    frame: FrameSource,
    rooms: Option<RoomPair>,
    pub(crate) rooms_found: RoomsFound,
    map_alone: Option<Arc<Grid>>,
    annotations: Result<AnnotationInputs, Reason>,
    points: Option<PointInputs>,
}

/// Where the transform between map and truth comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameSource {
    Given,
    Searched,
}

/// Rooms of the truth and of the map on the same cells.
#[derive(Clone, Debug)]
struct RoomPair {
    reference: Rooms,
    found: Rooms,
}

impl Case {
    /// A case of two maps on one grid.
    #[must_use]
    pub fn new(grids: AlignedGrids) -> Self {
        Self::of(Ok(grids))
    }

    /// A case without anything to compare, for instance because the window is empty. Every metric of the
    /// two maps is then undefined for this reason.
    #[must_use]
    pub fn without_grids(reason: Reason) -> Self {
        Self::of(Err(reason))
    }

    /// A case without maps, to which other parts are added: trajectories, for instance.
    #[must_use]
    pub fn without_maps() -> Self {
        Self::of(Err(Reason::NoMaps))
    }

    /// Adds a layout of fiducials and the map in which they are looked for.
    #[must_use]
    pub fn with_fiducials(self, inputs: FiducialInputs) -> Self {
        Self { fiducials: Some(inputs), located: OnceLock::new(), ..self }
    }

    /// Whether there is a layout of fiducials.
    #[must_use]
    pub const fn has_fiducials(&self) -> bool {
        self.fiducials.is_some()
    }

    /// The fiducials that the map shows.
    ///
    /// # Errors
    /// There is no layout, or nothing can be looked for with it.
    pub fn fiducials(&self) -> Result<Fiducials<'_>, Undefined> {
        let inputs = self.fiducials.as_ref().ok_or(Reason::NoReference)?;
        let located = self.located.get_or_init(|| Located::of(inputs));
        let located = located.as_ref().map_err(|reason| Undefined::because(*reason))?;
        Ok(Fiducials { inputs, located })
    }

    /// Whether the case is about two maps, be their window empty or not.
    #[must_use]
    pub fn has_maps(&self) -> bool {
        !matches!(self.grids, Err(Reason::NoMaps))
    }

    /// Adds a trajectory to be judged.
    #[must_use]
    pub fn with_run(self, run: Runs) -> Self {
        Self { run: Some(run), ..self }
    }

    /// The trajectory to be judged.
    ///
    /// # Errors
    /// There is none.
    pub fn run(&self) -> Result<&Runs, Undefined> {
        self.run.as_ref().ok_or_else(|| Reason::NoTrajectory.into())
    }

    fn of(grids: Result<AlignedGrids, Reason>) -> Self {
        Self {
            grids,
            table: OnceLock::new(),
            blocks: OnceLock::new(),
            city_block: OnceLock::new(),
            walls: OnceLock::new(),
            surfaces: OnceLock::new(),
            run: None,
            fiducials: None,
            located: OnceLock::new(),
            parts: OnceLock::new(),
            frame: FrameSource::Given,
            rooms: None,
            rooms_found: RoomsFound::default(),
            map_alone: None,
            annotations: Err(Reason::NoReference),
            points: None,
            robot: None,
            path_space: OnceLock::new(),
        }
    }

    /// The same case with what is written on the map and on the truth, in the frame of the truth.
    #[must_use]
    pub fn with_annotations(self, annotations: AnnotationInputs) -> Self {
        Self { annotations: Ok(annotations), ..self }
    }

    /// The same case with annotations that cannot be used, and why.
    #[must_use]
    pub fn without_annotations(self, reason: Reason) -> Self {
        Self { annotations: Err(reason), ..self }
    }

    /// What is written on the map and on the truth.
    ///
    /// # Errors
    /// Nothing was given, or it cannot be brought into the frame of the truth.
    pub fn annotations(&self) -> Result<&AnnotationInputs, Undefined> {
        self.annotations.as_ref().map_err(|reason| Undefined::because(*reason))
    }

    /// The same case with labelled points to be scored.
    #[must_use]
    pub fn with_points(self, points: PointInputs) -> Self {
        Self { points: Some(points), ..self }
    }

    /// The labelled points to be scored.
    ///
    /// # Errors
    /// There are none.
    pub fn points(&self) -> Result<&PointInputs, Undefined> {
        self.points.as_ref().ok_or_else(|| Reason::NoReference.into())
    }

    /// A case of one map without a truth: for what a map says about itself.
    #[must_use]
    pub fn of_map_alone(map: Arc<Grid>) -> Self {
        Self { map_alone: Some(map), ..Self::without_maps() }
    }

    /// The same case, its map brought into the frame of the truth by a search: rooms and parts are then judged too.
    #[must_use]
    pub fn aligned_by_search(self) -> Self {
        Self { frame: FrameSource::Searched, ..self }
    }

    /// Whether the map was brought into the frame of the truth by a search.
    #[must_use]
    pub fn is_aligned_by_search(&self) -> bool {
        self.has_maps() && self.frame == FrameSource::Searched
    }

    /// The same case with a reference segmentation and the one to be judged.
    #[must_use]
    pub fn with_rooms(self, reference: Rooms, found: Rooms) -> Self {
        Self { rooms: Some(RoomPair { reference, found }), ..self }
    }

    /// Whether rooms were given.
    #[must_use]
    pub const fn has_rooms(&self) -> bool {
        self.rooms.is_some()
    }

    /// How the rooms of the map agree with those of the truth: the given ones, or those a method finds in both maps.
    ///
    /// # Errors
    /// Neither rooms nor maps were given, or planes of unequal size.
    pub fn room_agreement(&self, params: &RoomParams) -> Result<Arc<Agreement>, Undefined> {
        if let Some(RoomPair { reference, found }) = &self.rooms {
            let same = reference.labels.len() == found.labels.len() && reference.width == found.width;
            return if same {
                Ok(Arc::new(agreement(reference, found)))
            } else {
                Err(Reason::FrameMismatch.into())
            };
        }
        self.rooms_found.agreement(self.grids()?, params)
    }

    /// The map, with or without a truth beside it.
    ///
    /// # Errors
    /// There is no map.
    pub fn map(&self) -> Result<&Arc<Grid>, Undefined> {
        self.map_alone.as_ref().map_or_else(|| self.grids().map(|grids| &grids.map), Ok)
    }

    /// Whether the case is about a map without a truth.
    #[must_use]
    pub const fn is_map_alone(&self) -> bool {
        self.map_alone.is_some()
    }

    /// The parts that the map falls into, with the usual parameters.
    ///
    /// # Errors
    /// There are no maps to compare, or one of them has no occupied cell.
    pub fn parts(&self) -> Result<&Parts, Undefined> {
        let grids = self.grids_with_walls()?;
        let found = self.parts.get_or_init(|| piecewise(&grids.truth, &grids.map, &Piecewise::default()));
        found.as_ref().ok_or_else(|| Reason::NoMatch.into())
    }

    /// The parts, if a metric asked for them: a figure does not compute what no number rests on.
    #[must_use]
    pub fn computed_parts(&self) -> Option<&Parts> {
        self.parts.get().and_then(Option::as_ref)
    }

    /// The two maps on one grid.
    ///
    /// # Errors
    /// The reason why there are none.
    pub fn grids(&self) -> Result<&AlignedGrids, Undefined> {
        self.grids.as_ref().map_err(|reason| Undefined::because(*reason))
    }

    /// How often each class of the truth meets each class of the map (M-CONT): one pass for all cell metrics.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn table(&self) -> Result<&Contingency, Undefined> {
        let grids = self.grids()?;
        Ok(self.table.get_or_init(|| contingency(grids.truth.class_bytes(), grids.map.class_bytes())))
    }

    /// The compared cells in blocks, for those who resample.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn blocks(&self) -> Result<&CellBlocks, Undefined> {
        let grids = self.grids()?;
        Ok(self.blocks.get_or_init(|| CellBlocks::of(grids)))
    }

    /// Share of the truth's known cells that the map knows too; none if the truth knows none.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn coverage(&self) -> Result<Option<f64>, Undefined> {
        let counts = self.table()?.counts;
        let [free, _, occupied] = self.table()?.truth_counts();
        let both = counts[0][0] + counts[0][2] + counts[2][0] + counts[2][2];
        Ok((free + occupied > 0).then(|| both as f64 / (free + occupied) as f64))
    }

    /// City-block distances between equal classes of the two maps, one entry per class.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn city_block_sums(&self) -> Result<&[ColourDistances], Undefined> {
        let grids = self.grids()?;
        Ok(self.city_block.get_or_init(|| {
            let (width, height) = (grids.geometry().width(), grids.geometry().height());
            let colours = CellClass::ALL.map(|class| class as u8);
            colour_distance_sums(grids.truth.class_bytes(), grids.map.class_bytes(), width, height, &colours)
        }))
    }

    /// Distance of each occupied cell to the nearest occupied cell of the other map.
    ///
    /// # Errors
    /// There are no maps to compare, or one of them has no occupied cell.
    pub fn wall_distances(&self) -> Result<&WallDistances, Undefined> {
        let grids = self.grids_with_walls()?;
        let computed = self
            .walls
            .get_or_init(|| WallDistances::between(&Walls::of(&grids.truth), &Walls::of(&grids.map)));
        computed.as_ref().map_err(|reason| (*reason).into())
    }

    /// Both maps thinned to surfaces one cell thick.
    ///
    /// # Errors
    /// There are no maps to compare, or one of them has no occupied cell.
    pub fn surfaces(&self) -> Result<&Surfaces, Undefined> {
        let grids = self.grids_with_walls()?;
        self.surfaces.get_or_init(|| Surfaces::of(grids)).as_ref().map_err(|reason| (*reason).into())
    }

    pub(crate) fn grids_with_walls(&self) -> Result<&AlignedGrids, Undefined> {
        let table = self.table()?;
        let [no_truth, no_map] = [table.truth_counts()[2] == 0, table.map_counts()[2] == 0];
        match (no_truth, no_map) {
            (false, false) => self.grids(),
            (true, _) => Err(Undefined::because(Reason::NoOccupiedGt).also_if(no_map, Reason::NoOccupiedMap)),
            (false, true) => Err(Reason::NoOccupiedMap.into()),
        }
    }

    /// The same case with a robot that plans on both maps.
    #[must_use]
    pub fn with_paths(self, robot: PathInputs) -> Self {
        Self { robot: Some(robot), path_space: OnceLock::new(), ..self }
    }

    /// Whether the case has two maps and a robot.
    #[must_use]
    pub fn has_paths(&self) -> bool {
        self.has_maps() && self.robot.is_some()
    }

    /// Both maps as ground for the robot.
    ///
    /// # Errors
    /// There are no maps to compare, or no robot.
    pub fn paths(&self) -> Result<&PathSpace, Undefined> {
        let grids = self.grids()?;
        let robot = self.robot.as_ref().ok_or(Reason::NoRobot)?;
        Ok(self.path_space.get_or_init(|| PathSpace::new(grids, robot)))
    }

    /// Occupied cells that the other map does not have, with their distance in cells to its nearest wall
    /// (infinite if it has none): where a score comes from.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn wrong_walls(&self) -> Result<Vec<(usize, f32)>, Undefined> {
        let grids = self.grids()?;
        let distances = self.wall_distances().ok();
        let mut there = distances.iter().flat_map(|d| &d.truth_to_map.squared_cells);
        let mut back = distances.iter().flat_map(|d| &d.map_to_truth.squared_cells);
        let mut wrong = Vec::new();
        for (index, (truth, map)) in grids.truth.classes().iter().zip(grids.map.classes()).enumerate() {
            let [in_truth, in_map] = [truth, map].map(|class| *class == CellClass::Occupied);
            let missed = in_truth.then(|| there.next()).flatten();
            let invented = in_map.then(|| back.next()).flatten();
            if in_truth != in_map {
                let squared = missed.or(invented);
                wrong.push((index, squared.map_or(f32::INFINITY, |&d| (d as f32).sqrt())));
            }
        }
        Ok(wrong)
    }
}
