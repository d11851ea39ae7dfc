//! Why a value is undefined or carries a warning: a closed list, documented in `docs/reasons.md`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($name:ident $code:literal $meaning:literal;)*) => {
        /// Why a value is undefined, or what to keep in mind when reading it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum Reason {
            $(#[doc = $meaning] #[serde(rename = $code)] $name,)*
        }

        impl Reason {
            /// Every reason, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code in reports.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What the code means, in a sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

reasons! {
    EmptyWindow "EMPTY_WINDOW" "There is no cell to compare: the window is empty, or every cell was excluded.";
    NoOccupiedGt "NO_OCCUPIED_GT" "The ground truth has no occupied cell.";
    NoOccupiedMap "NO_OCCUPIED_MAP" "The map has no occupied cell in the window; an empty map can look good by accident.";
    ZeroVariance "ZERO_VARIANCE" "One of the maps has the same value in every compared cell, so no correlation exists.";
    MissingColour "MISSING_COLOUR" "A class occurs in one map only; its term follows the `missing` rule.";
    NoEdges "NO_EDGES" "The graph has no edge.";
    NoTargets "NO_TARGETS" "There is no target to plan to.";
    NoReference "NO_REFERENCE" "The reference layer that the metric needs was not given.";
    NoMatch "NO_MATCH" "Nothing of the map could be matched to the reference.";
    NoConstraints "NO_CONSTRAINTS" "There is no relation to compare.";
    FrameMismatch "FRAME_MISMATCH" "Map and ground truth do not share a frame.";
    BinaryInput "BINARY_INPUT" "Both maps are binary; the union reading of this metric is never positive on them.";
    UnreachableStart "UNREACHABLE_START" "The start lies in an obstacle or outside the map.";
    InsufficientPoints "INSUFFICIENT_POINTS" "There are fewer samples than the formula needs.";
    NoFrontier "NO_FRONTIER" "The map has no border between free and unknown space.";
    UnknownMayReadAsFree "UNKNOWN_MAY_READ_AS_FREE" "The file's thresholds turn its unknown cells into free ones.";
    UnmatchedTime "UNMATCHED_TIME" "Some time stamps found no partner.";
    DetectionMerged "DETECTION_MERGED" "Several detections were merged into one.";
    ExceedsOne "EXCEEDS_ONE" "The value is above 1: the map is also wrong where the worst map keeps the truth.";
    AlignAmbiguous "ALIGN_AMBIGUOUS" "More than one alignment fits about equally well.";
    PlacementByChance "PLACEMENT_BY_CHANCE" "Random layouts fit the map as well as the layout of the fiducials does.";
    AlignFailed "ALIGN_FAILED" "No alignment was found under which the map fits the truth.";
    MirrorUndecided "MIRROR_UNDECIDED" "The mirror image fits about as well as the map itself.";
    MapMirrored "MAP_MIRRORED" "The mirror image of the map fits better than the map itself.";
    FrameDoubtful "FRAME_DOUBTFUL" "Another transform than that of the origins fits far better.";
    ScaleDoubtful "SCALE_DOUBTFUL" "Another cell size of the map fits far better.";
    MapNegated "MAP_NEGATED" "Free and occupied cells seem to have changed places in one of the maps.";
    NoKnownGt "NO_KNOWN_CELLS_IN_TRUTH" "Every cell of the ground truth is unknown.";
    PartsLowerBound "PARTS_LOWER_BOUND" "Walls of the map could not be registered; the number of parts, or the distortion, is a lower bound.";
    TargetOutside "TARGET_OUTSIDE" "A target lies outside the map.";
    RadiusTooSmall "RADIUS_TOO_SMALL" "A radius is too small for the cells: the robot's is below one cell, or a barrel's below two.";
    DuplicateId "DUPLICATE_ID" "An identifier occurs more than once.";
    UnsafeFrontier "UNSAFE_FRONTIER" "The best frontier can only be reached through unsafe cells.";
    NotFinite "NOT_FINITE" "The computation left the range of numbers; please report this as a bug.";
    TooSmall "TOO_SMALL" "The compared window is smaller than the metric's own window.";
    TooLarge "TOO_LARGE" "The compared window is too long for exact distances: its diagonal exceeds 46340 cells.";
    OverMemory "OVER_MEMORY" "The compared window has so many cells that the metric would need more memory than the run may take.";
    NoNavigation "NO_NAVIGATION" "The map carries no five-class navigation layer.";
    NoPath "NO_PATH" "No robot path was given, so area that cannot have been seen is not removed.";
    NoMaps "NO_MAPS" "There are no two maps to compare.";
    NoRobot "NO_ROBOT" "Nothing is known about a robot: neither radius, nor start, nor targets.";
    SpeckLoops "SPECK_LOOPS" "More than a fifth of the edges of the map's graph are loops around specks; `despeckle` removes them.";
    TooManyPoints "TOO_MANY_POINTS" "More points, regions or vertices share a label or a place than can be compared.";
    NotCertified "NOT_CERTIFIED" "The search for the best pairing was ended before it could prove that none is better.";
    WallsContradict "WALLS_CONTRADICT" "The walls contradict the transform that the matched features ask for: another one fits them far better, or none does.";
    NoTrajectory "NO_TRAJECTORY" "There is no trajectory to judge.";
    NoAggregate "NO_AGGREGATE" "The values of single floors do not make one value.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_in_the_documentation() {
        let page = include_str!("../../../docs/reasons.md");
        for reason in Reason::ALL {
            let row = format!("| `{}` | {} |", reason.code(), reason.meaning());
            assert!(page.contains(&row), "docs/reasons.md lacks: {row}");
        }
    }
}
