//! Cell indices and the classes a cell can have. One byte per cell.

use bytemuck::{CheckedBitPattern, NoUninit};
use serde::{Deserialize, Serialize};

/// A cell of a grid: column from the left, row **from the bottom**. Never a position in metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Column, counted from the left, from 0.
    pub i: usize,
    /// Row, counted from the bottom, from 0.
    pub j: usize,
}

/// What a map claims about a cell. Unknown is a class of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, NoUninit, CheckedBitPattern)]
#[repr(u8)]
pub enum CellClass {
    /// Nothing stands here.
    Free = 0,
    /// The map makes no claim.
    Unknown = 1,
    /// Something stands here.
    Occupied = 2,
}

impl CellClass {
    /// All classes, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Free, Self::Unknown, Self::Occupied];

    /// The class as an occupancy probability: 0, 0.5 or 1.
    pub const fn number(self) -> f64 {
        match self {
            Self::Free => 0.0,
            Self::Unknown => 0.5,
            Self::Occupied => 1.0,
        }
    }

    /// Class of a probability: above one half occupied, below free, exactly one half unknown.
    pub fn of_probability(p: f64) -> Self {
        if p > 0.5 {
            Self::Occupied
        } else if p < 0.5 {
            Self::Free
        } else {
            Self::Unknown
        }
    }

    /// Lower-case name, as reports print it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Unknown => "unknown",
            Self::Occupied => "occupied",
        }
    }

    /// True for free and occupied cells.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown)
    }
}

/// The five classes of a navigation layer (F-NAV).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    NoUninit,
    CheckedBitPattern,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum NavigationClass {
    /// Obstacle or place where a robot cannot go; black.
    Untraversable = 0,
    /// Traversable and promised to hold no undetected victim; green.
    Cleared = 1,
    /// Traversable, victims not excluded; white.
    Uncleared = 2,
    /// Not explored; blue.
    Unknown = 3,
    /// A victim is here; red.
    Victim = 4,
}

impl NavigationClass {
    /// All classes, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Untraversable, Self::Cleared, Self::Uncleared, Self::Unknown, Self::Victim];

    /// The three-value class that stands for this one in cell metrics.
    pub const fn cell_class(self) -> CellClass {
        match self {
            Self::Untraversable | Self::Victim => CellClass::Occupied,
            Self::Cleared | Self::Uncleared => CellClass::Free,
            Self::Unknown => CellClass::Unknown,
        }
    }

    /// True where a robot may drive.
    pub const fn is_traversable(self) -> bool {
        matches!(self, Self::Cleared | Self::Uncleared)
    }

    /// The colour of the class in a navigation layer.
    pub const fn rgb(self) -> [u8; 3] {
        match self {
            Self::Untraversable => [0, 0, 0],
            Self::Cleared => [0, 255, 0],
            Self::Uncleared => [255, 255, 255],
            Self::Unknown => [0, 0, 255],
            Self::Victim => [255, 0, 0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_classes_agree_both_ways() {
        for class in CellClass::ALL {
            assert_eq!(CellClass::of_probability(class.number()), class);
        }
        assert_eq!(CellClass::of_probability(0.5000001), CellClass::Occupied);
    }

    #[test]
    fn a_victim_blocks_the_way_and_counts_as_occupied() {
        assert!(!NavigationClass::Victim.is_traversable());
        assert_eq!(NavigationClass::Victim.cell_class(), CellClass::Occupied);
        assert_eq!(NavigationClass::Victim.rgb(), [255, 0, 0]);
    }

    #[test]
    fn cells_take_one_byte() {
        assert_eq!(size_of::<CellClass>(), 1);
        assert_eq!(size_of::<NavigationClass>(), 1);
    }
}
