//! What a team reports: labelled points, and the places of fiducials.

use crate::Point2;

/// One row of a detection list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    /// Identifier, as written.
    pub id: String,
    /// Time of day or stamp, as written.
    pub time: String,
    pub text: String,
    /// Position x, y, z in metres.
    pub position_m: [f64; 3],
    /// Robot, where the version has it.
    pub robot: String,
    /// Mode, `A` or `T`, where the version has it.
    pub mode: String,
    /// Type word, where the version has it.
    pub kind: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetectionTable {
    /// `qr codes`, `victims` or `pois`.
    pub kind: String,
    /// Version of the format, such as `1.2`.
    pub version: String,
    /// Team, country, date, time and mission, as written.
    pub header: Vec<(String, String)>,
    pub rows: Vec<Detection>,
}

/// Labelled points of a judge or a team.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointList {
    /// Label of the map.
    pub map: String,
    /// Label and position; metres or pixels, as the file's maker knows.
    pub points: Vec<(String, Point2)>,
}

/// What a part of a fiducial looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartKind {
    /// A barrel, or what is visible of one beside a wall or a board.
    #[default]
    Barrel,
    /// The place where the faces of two walls meet.
    Corner,
    /// A small column that stands alone.
    Pole,
}

impl PartKind {
    pub const ALL: [Self; 3] = [Self::Barrel, Self::Corner, Self::Pole];

    /// The word of layouts and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Barrel => "barrel",
            Self::Corner => "corner",
            Self::Pole => "pole",
        }
    }
}

/// One part of a fiducial.
#[derive(Clone, Debug, PartialEq)]
pub struct FiducialPart {
    pub kind: PartKind,
    /// Name of the fiducial; parts of one share it.
    pub fiducial: String,
    /// Name of the part, unique in the layout.
    pub part: String,
    /// Centre of the circle, or the corner itself.
    pub center: Point2,
    /// 0 for a corner, and for a pole whose radius is not known.
    pub radius_m: f64,
    /// Visible opening in radians: π for a half barrel, π/2 for a quarter, 2π for a pole; of a corner the angle of its
    /// free side, 0 if that is not known.
    pub opening_rad: f64,
    /// Direction of the middle of the opening, radians; of no meaning if there is no opening or a full one.
    pub direction_rad: f64,
    /// Height above the floor in metres.
    pub height_m: f64,
    /// Range class, such as `short` or `long`.
    pub range: String,
}

impl FiducialPart {
    /// Whether it looks into a direction: an opening is known, and it is not all around.
    #[must_use]
    pub fn has_direction(&self) -> bool {
        self.opening_rad > 0.0 && self.opening_rad < std::f64::consts::TAU
    }
}

/// Where the fiducials of an arena stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FiducialLayout {
    /// The parts in the order of the file.
    pub parts: Vec<FiducialPart>,
    /// True distance of the two centres of a pair, where it is not 0: fiducial and metres.
    pub pair_distances_m: Vec<(String, f64)>,
    /// Whether the centres of the parts mean anything.
    pub positions: Positions,
}

/// Whether a layout says where its parts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positions {
    /// The centres are in the frame of the truth.
    #[default]
    Given,
    /// Only the distances of pairs are known, such as the thickness of the wall between two halves.
    Unknown,
}
