//! The figures of a simulated run.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Localize, TiltFigures, UprightReport};
use crate::Verdict;

/// Why a drive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SimulationEnding {
    /// All waypoints are reached.
    Arrived,
    /// The robot knows of nothing more to explore.
    Explored,
    /// The robot knows of unknown ground that it cannot reach safely.
    Unsafe,
    /// The time is over.
    TimeLimit,
    /// The robot did not get on for 20 s.
    Stuck,
}

impl SimulationEnding {
    /// For people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrived => "all waypoints reached",
            Self::Explored => "nothing more to explore",
            Self::Unsafe => "what is left cannot be reached safely",
            Self::TimeLimit => "the time was over",
            Self::Stuck => "the robot was stuck",
        }
    }
}

/// What a mapper made of the run that it led.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LocalizationReport {
    /// Absolute trajectory error: root mean square of the position error at the scans after a rigid fit, metres.
    pub ate_m: f64,
    /// The same without a fit: the mapper begins at the true start.
    pub ate_unfitted_m: f64,
    /// Error of the last position without a fit, metres.
    pub end_error_m: f64,
    /// Loop closures.
    pub loops: usize,
    /// Scans that the mapper took.
    pub scans: usize,
    /// Those of them that it matched.
    pub matched: usize,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationReport {
    /// Simulated time, seconds.
    pub time_s: f64,
    /// Distance travelled over the map, metres.
    pub distance_m: f64,
    /// Scans of all lasers.
    pub scans: usize,
    /// Readings of odometry.
    pub odometry: usize,
    /// Steps in which the robot was stopped by something.
    pub collisions: usize,
    /// Way points that were reached; null if the robot explored.
    pub reached: Option<usize>,
    /// Way points; null if the robot explored.
    pub waypoints: Option<usize>,
    /// Square metres of free space that the robot saw; null along waypoints.
    pub explored_m2: Option<f64>,
    /// Share of the free ground of the truth that the robot saw, wherever it took that to be, 0 to 1; null along waypoints.
    pub explored_share: Option<f64>,
    /// Why the drive ended.
    pub ending: SimulationEnding,
    /// Whether the robot did what it was sent for: all waypoints, or at least 90 % of the free ground seen before it
    /// ended by itself.
    pub is_finished: bool,
    /// By which pose the robot drove: `truth`, or the name of a mapper.
    pub localize: Localize,
    /// What the mapper made of it; null with the true pose.
    pub localization: Option<LocalizationReport>,
    /// What ramps did to the scanner.
    pub tilt: TiltFigures,
    /// Slopes by the vertical scanner; null without one.
    pub upright: Option<UprightReport>,
}

impl SimulationReport {
    /// A report of nothing but an end.
    pub(super) fn ended(ending: SimulationEnding, is_finished: bool) -> Self {
        Self {
            time_s: 0.0,
            distance_m: 0.0,
            scans: 0,
            odometry: 0,
            collisions: 0,
            reached: None,
            waypoints: None,
            explored_m2: None,
            explored_share: None,
            ending,
            is_finished,
            localize: Localize::Truth,
            localization: None,
            tilt: TiltFigures::default(),
            upright: None,
        }
    }

    /// Undefined where the drive did not finish: what was asked for is not there.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        if self.is_finished { Verdict::Fine } else { Verdict::Undefined }
    }
}
