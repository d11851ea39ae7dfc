//! Snapshots of a drive along waypoints: what the robot's scans show at its true poses.

use model::{CellClass, Grid, GridGeometry, Pose3};
use sim::arena::Arena;
use sim::run::{SensorEvent, Simulator};

use super::sight_map::SightMap;
use crate::{JobError, Snapshots};

/// A map that grows with the scans of a drive, and its snapshots.
pub(super) struct Published {
    snapshots: Snapshots,
    geometry: GridGeometry,
    sight: SightMap,
    map: Vec<CellClass>,
    /// Where the first scanner was when the step began, in which its scan was taken.
    world_from_laser: Option<Pose3>,
    failure: Option<JobError>,
}

impl Published {
    /// Nothing is seen yet.
    ///
    /// # Errors
    /// The truth grid of the arena is too large.
    pub(super) fn new(snapshots: Snapshots, arena: &Arena) -> Result<Self, JobError> {
        let geometry = arena.geometry()?;
        Ok(Self {
            snapshots,
            geometry,
            sight: SightMap::new(geometry, arena.floor.highest_m()),
            map: vec![CellClass::Unknown; geometry.cells()],
            world_from_laser: None,
            failure: None,
        })
    }

    /// Takes the scan of the last step.
    pub(super) fn take(&mut self, simulator: &Simulator) {
        if self.failure.is_some() || simulator.robot().lasers.is_empty() {
            return;
        }
        let before = self.world_from_laser.replace(simulator.world_from_laser(0));
        let scan = simulator.events().iter().find_map(|event| match event {
            SensorEvent::Scan { laser: 0, scan } => Some(scan),
            _ => None,
        });
        if let (Some(world_from_laser), Some(scan)) = (before, scan) {
            self.sight.enter(world_from_laser, scan, &mut self.map);
        }
        let map = || Grid::new(self.geometry, self.map.clone()).ok();
        self.failure = self.snapshots.offer(simulator.time_s(), simulator.truth_pose(), &map).err();
    }

    /// Why a snapshot could not be written.
    pub(super) fn failure(self) -> Result<(), JobError> {
        self.failure.map_or(Ok(()), Err)
    }
}
