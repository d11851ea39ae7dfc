//! The files of a job.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::floors::FloorInput;
use crate::floors::Connector;

/// The files of a job, under the keys that a job file uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JobInputs {
    /// The ground-truth map.
    pub truth: Option<PathBuf>,
    /// The maps, one case each.
    pub maps: Vec<PathBuf>,
    /// Where the fiducials stand, in the coordinate frame of the truth.
    pub layout: Option<PathBuf>,
    /// Vector layers, detection lists and the robot's path that belong to the map; only with a single map.
    pub annotations: Vec<PathBuf>,
    /// The same for several maps: a list for each, in their order.
    pub map_annotations: Vec<Vec<PathBuf>>,
    /// The same of the truth.
    pub truth_annotations: Vec<PathBuf>,
    /// A transform file, as `mapjudge align` writes it; goes over `align`.
    pub transform: Option<PathBuf>,
    /// The trajectories, one case each.
    pub trajectories: Vec<PathBuf>,
    /// The true trajectory.
    pub truth_trajectory: Option<PathBuf>,
    /// Topic of the true trajectory, if it is a bag; none: that of the estimates.
    pub truth_topic: Option<String>,
    /// True displacements.
    pub relations: Option<PathBuf>,
    /// Odometry of the run, for `associate = "filled"`.
    pub odometry: Option<PathBuf>,
    /// A map to draw trajectories on.
    pub background: Option<PathBuf>,
    /// Kinds of log records whose poses are taken: `odom`, `flaser`, `rlaser`, `robotlaser`, `truepos`; empty: scans.
    pub records: Vec<String>,
    /// Faulty rows of trajectories that may be left out.
    pub skip_bad: usize,
    /// Labelled points, one case each.
    pub points: Vec<PathBuf>,
    /// Where the labelled points are.
    pub truth_points: Option<PathBuf>,
    /// Floors of a place, each with its truth; `{floor}` in the paths of maps stands for their names.
    pub floors: Vec<FloorInput>,
    /// Stairs, ramps and lifts between floors.
    pub connectors: Vec<Connector>,
}

impl JobInputs {
    /// Every path of the job.
    pub(super) fn paths(&mut self) -> Vec<&mut PathBuf> {
        let single = [
            &mut self.truth,
            &mut self.layout,
            &mut self.transform,
            &mut self.truth_trajectory,
            &mut self.relations,
            &mut self.odometry,
            &mut self.background,
            &mut self.truth_points,
        ];
        let lists = [
            &mut self.maps,
            &mut self.annotations,
            &mut self.truth_annotations,
            &mut self.trajectories,
            &mut self.points,
        ];
        let lists = lists.into_iter().chain(&mut self.map_annotations);
        let floors = self.floors.iter_mut().map(|floor| &mut floor.truth.map);
        single.into_iter().flatten().chain(lists.flatten()).chain(floors).collect()
    }

    /// What belongs to the map at this place of the list.
    pub(super) fn annotations_of(&self, map: usize) -> Vec<PathBuf> {
        let own = self.map_annotations.get(map).into_iter().flatten();
        self.annotations.iter().chain(own).cloned().collect()
    }
}
