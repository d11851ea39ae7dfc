//! A robot whose scans fit nowhere near the odometry: it waits for a scan that fits again, and begins a new part of the map
//! where none does.
//!
//! Scans that do not fit are not drawn: a submap with two opinions about its walls holds later scans in the wrong place. The
//! new part hangs on the odometry by an edge that says how little that is worth, and is searched in the finished submaps.

use super::drift::Drift;
use super::expected::OdometryError;
use super::{DEGREE, Graph, METRES_PER_RADIAN};

/// Scans with fewer points are not expected to fit.
const MIN_POINTS: usize = 40;
/// A new part begins after so many scans without a match, and so many metres travelled. Ours.
const MIN_SCANS: usize = 2;
const MIN_TRAVELLED_M: f64 = 0.5;
/// The odometry was wrong just before: its standard deviation over the gap counts so many times, and so much at least.
const DISTRUST: f64 = 2.0;
const MIN_SIGMA_M: f64 = 0.1;
const MIN_SIGMA_RAD: f64 = 10.0 * DEGREE;

/// What happened since the last match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    scans: usize,
    travelled_m: f64,
    /// Of the displacement since then.
    pub error: OdometryError,
}

impl Lost {
    /// Whether the part of the map is given up.
    pub fn is_for_good(&self) -> bool {
        self.scans >= MIN_SCANS && self.travelled_m >= MIN_TRAVELLED_M
    }

    /// The error of the edge that joins a new part.
    pub fn edge_error(&self) -> OdometryError {
        OdometryError {
            sigma_m: MIN_SIGMA_M + DISTRUST * self.error.sigma_m,
            sigma_rad: MIN_SIGMA_RAD + DISTRUST * self.error.sigma_rad,
        }
    }
}

impl Graph {
    /// Counts a scan with so many points that did not fit, or forgets those before one that did.
    pub(super) fn note_match(
        &mut self,
        is_matched: bool,
        points: usize,
        moved: (f64, f64),
        error: OdometryError,
    ) {
        if is_matched {
            self.lost = None;
        } else if points >= MIN_POINTS {
            let (distance_m, turn_rad) = moved;
            let before = self.lost.unwrap_or(Lost {
                scans: 0,
                travelled_m: 0.0,
                error: OdometryError { sigma_m: 0.0, sigma_rad: 0.0 },
            });
            self.lost = Some(Lost {
                scans: before.scans + 1,
                travelled_m: before.travelled_m + distance_m + METRES_PER_RADIAN * turn_rad,
                error: before.error.and(error),
            });
        }
    }

    /// Ends the submaps that grow; the next keyframe begins a part of the map of its own.
    pub(super) fn begin_part(&mut self, edge: OdometryError) {
        for active in std::mem::take(&mut self.active) {
            self.submaps[active.submap].finish();
        }
        self.lost = None;
        self.part += 1;
        self.is_loose = true;
        self.drift = self.drift + Drift { m: 2.0 * edge.sigma_m, rad: 2.0 * edge.sigma_rad };
    }
}
