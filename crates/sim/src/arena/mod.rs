//! Arenas: worlds of walls, ramps and barrels, from a text plan or from a seed (X-ARENA).
//!
//! [`Plan`] is the text, [`Arena`] what is built from it: segments, arcs and the height of the floor, which the
//! simulator casts rays against and the truth grids are drawn from.

mod build;
mod drawing;
mod floor;
mod layers;
mod maze;
mod office_floor;
mod pallet_text;
mod plan;
mod ramps;
mod truth;
mod write_plan;

use model::{FiducialLayout, FiducialPart, Point2, Pose2};

pub use drawing::{Drawing, Edge, Ground, PalletMark, Rise, Slope};
pub use floor::Floor;
pub(crate) use floor::{POSTS, Posts, Tile};
pub use maze::MazePlan;
pub use office_floor::{OfficeFloor, OfficeFloorPlan, OfficeRoom};
pub use plan::{BarrelKind, BarrelPlan, MAX_PLAN_BYTES, MarkPlan, Plan, StartPlan, WallPlan};

/// A vertical wall: a plane, from the ground up unless it has a lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    pub from: Point2,
    pub to: Point2,
    /// Lower end: 0, or the roof of a tunnel.
    pub bottom_m: f64,
    /// Height above the ground at height 0.
    pub height_m: f64,
}

/// A part of a barrel.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrel {
    /// Name, centre, radius, arc.
    pub part: FiducialPart,
    /// Lower end.
    pub bottom_m: f64,
    /// Upper end.
    pub top_m: f64,
}

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    Victim,
    Hazard,
    /// A code or the name of a room.
    Label,
}

impl MarkKind {
    pub const ALL: [Self; 3] = [Self::Victim, Self::Hazard, Self::Label];
}

/// Something to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub kind: MarkKind,
    pub name: String,
    pub place: Point2,
    /// Height above the ground.
    pub height_m: f64,
}

/// A world to drive in.
#[derive(Clone, Debug, PartialEq)]
pub struct Arena {
    pub name: String,
    /// Width and height: the arena covers (0, 0) to this corner.
    pub size_m: [f64; 2],
    pub walls: Vec<Wall>,
    pub barrels: Vec<Barrel>,
    pub floor: Floor,
    /// Victims, hazards and labels, each kind in the order of the plan.
    pub marks: Vec<Mark>,
    /// Where the robot starts.
    pub start: Pose2,
    /// Edge of a cell of the truth grids.
    pub cell_size_m: f64,
    /// Unknown border of the truth grids.
    pub margin_m: f64,
    /// Heights of the truth grids.
    pub slice_heights_m: Vec<f64>,
    /// Distance of the halves of a split barrel.
    pub wall_thickness_m: f64,
    /// Pallets that are no part of the arena: lower-left corners; their side is that of all pallets.
    outside: Vec<Point2>,
    /// Side of a pallet.
    pallet_m: f64,
    /// Pallets under a roof: column and row, ascending.
    tunnels: Vec<(i64, i64)>,
    /// Height of the roof of tunnels.
    tunnel_m: f64,
}

impl Arena {
    /// Builds the arena of a plan.
    ///
    /// # Errors
    /// A plan that has neither drawing nor size, no start, or numbers outside of their range.
    pub fn build(plan: &Plan) -> Result<Self, crate::SimError> {
        build::build(plan)
    }

    /// Where the barrels stand, for `mapjudge fiducials`.
    #[must_use]
    pub fn fiducial_layout(&self) -> FiducialLayout {
        let parts: Vec<FiducialPart> = self.barrels.iter().map(|barrel| barrel.part.clone()).collect();
        let is_pair = |name: &str| parts.iter().filter(|part| part.fiducial == name).count() == 2;
        let mut names: Vec<&String> = parts.iter().map(|part| &part.fiducial).collect();
        names.dedup();
        let pairs = names.into_iter().filter(|name| is_pair(name));
        let distance_m = |name: &String| {
            let mut centers = parts.iter().filter(|part| part.fiducial == *name).map(|part| part.center);
            let apart_m = centers.next().zip(centers.next()).map(|(a, b)| a.distance_m(b));
            // Micrometres are rounding errors of the coordinates.
            apart_m.map_or(self.wall_thickness_m, |m| (m * 1e6).round() / 1e6)
        };
        let pair_distances_m = pairs.map(|name| (name.clone(), distance_m(name))).collect();
        FiducialLayout { parts, pair_distances_m, ..FiducialLayout::default() }
    }

    /// Whether a point lies under the roof of a tunnel.
    #[must_use]
    pub fn is_in_tunnel(&self, point: Point2) -> bool {
        let pallet = |v_m: f64| (v_m / self.pallet_m).floor() as i64;
        self.tunnels.binary_search(&(pallet(point.x_m), pallet(point.y_m))).is_ok()
    }

    /// Height of the roof of tunnels, metres; none without a tunnel.
    #[must_use]
    pub fn roof_m(&self) -> Option<f64> {
        (!self.tunnels.is_empty()).then_some(self.tunnel_m)
    }

    /// Whether a point belongs to the arena.
    #[must_use]
    pub fn contains(&self, point: Point2) -> bool {
        let within = |v: f64, low: f64, side: f64| v >= low && v <= low + side;
        let in_pallet = |corner: &Point2| {
            within(point.x_m, corner.x_m, self.pallet_m) && within(point.y_m, corner.y_m, self.pallet_m)
        };
        within(point.x_m, 0.0, self.size_m[0])
            && within(point.y_m, 0.0, self.size_m[1])
            && !self.outside.iter().any(in_pallet)
    }
}
