//! Things to look at, in one coordinate frame: maps, trajectories, shapes, scores.

use model::{Similarity2, Trajectory};
use serde::Serialize;

use crate::overlay::DrawnLayer;
use crate::{JobError, Loaded, Map};

/// One thing to look at.
#[derive(Debug)]
pub enum Viewed {
    /// A map of cells, and where it lies.
    Map {
        /// Name for people.
        name: String,
        /// The map.
        map: Box<Loaded<Map>>,
        /// From its own frame to the common one.
        frame: Similarity2,
    },
    /// Poses over time.
    Trajectory {
        /// Name for people.
        name: String,
        /// The poses.
        trajectory: Trajectory,
    },
    /// Shapes in metres.
    Layer(DrawnLayer),
    /// The scores of a case, or a ranking.
    Scores {
        /// Name for people.
        name: String,
        /// The rows.
        rows: Vec<ViewedScore>,
    },
    /// A file that cannot be shown.
    Broken {
        /// Name for people.
        name: String,
        /// Why.
        error: Box<JobError>,
    },
}

/// One score as a table shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewedScore {
    /// Id of the metric; empty in a ranking.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// The value with its unit, or why there is none.
    pub value: String,
}
