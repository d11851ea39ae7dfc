//! Why no path was planned.

/// Why no path was planned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExploreError {
    /// A parameter lies outside of its range.
    #[error("{name} = {found}: expected {expected}")]
    Parameter {
        /// Name of the field.
        name: &'static str,
        found: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// The robot does not stand on a free cell of the map.
    #[error("start ({x_m}, {y_m}): expected a free cell of the map")]
    Start {
        /// Metres to the right.
        x_m: f64,
        /// Metres up.
        y_m: f64,
    },
    /// The target is not on a free cell of the map.
    #[error("target ({x_m}, {y_m}): expected a free cell of the map")]
    Target {
        /// Metres to the right.
        x_m: f64,
        /// Metres up.
        y_m: f64,
    },
    /// The map has no cell that a robot could stand on.
    #[error("the map has no free cell: there is nothing to plan on")]
    NoGround,
    /// Distances to walls cannot be exact.
    #[error(transparent)]
    Distances(#[from] raster::euclidean::EuclideanError),
    /// The map is another than the planner was made for.
    #[error("map of {found} cells: expected {expected}")]
    Size {
        /// Cells of the map.
        found: usize,
        /// Cells of the planner's geometry.
        expected: usize,
    },
}

impl ExploreError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Parameter { .. } => "EXPLORE_PARAMETER_RANGE",
            Self::Start { .. } => "EXPLORE_START",
            Self::Target { .. } => "EXPLORE_TARGET",
            Self::NoGround => "EXPLORE_NO_GROUND",
            Self::Distances(_) => "EXPLORE_MAP_TOO_LARGE",
            Self::Size { .. } => "EXPLORE_MAP_SIZE",
        }
    }

    /// Refuses a number that is not within the range, or not a number.
    pub(crate) fn check(
        name: &'static str,
        found: f64,
        is_right: bool,
        expected: &'static str,
    ) -> Result<(), Self> {
        if is_right && found.is_finite() { Ok(()) } else { Err(Self::Parameter { name, found, expected }) }
    }
}
