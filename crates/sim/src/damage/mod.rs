//! Known damage to a map (X-DAMAGE), one kind per file.
//!
//! Each kind answers to [`Damage`]: parameters, a ladder of strengths, and the damaged map with what is known about it.
//! [`KINDS`] lists them, [`Chain`] applies several, [`harmless`] makes changes that are no damage. Kinds return classes
//! (`blur` also probabilities): those of the truth, and its navigation classes, do not survive. [`EXAMPLES`] are maps as a
//! demonstration shows them.

mod bend;
mod blur;
mod chain;
mod changed;
mod closed_door;
mod cut;
mod examples;
mod floor_plan;
mod ghost_walls;
mod harmless;
mod kind;
mod mirror;
mod missing_wing;
mod motion;
mod moved_groups;
mod moved_room;
mod neighbourhood;
mod noise;
mod opened_wall;
mod resample;
mod resolution;
mod rigid_move;
mod rotate;
mod scale;
mod shift;
mod thick_walls;
mod transformed;
mod unseen;

pub use bend::{Bend, BentEnd, bend};
pub use blur::Blur;
pub use chain::{Chain, DamagedByChain, Link, LinkAnswer};
pub use changed::changed_cells;
pub use closed_door::ClosedDoor;
pub use cut::Cut;
pub use examples::{EXAMPLES, Example};
pub use ghost_walls::GhostWalls;
pub use harmless::{HARMLESS_CHANGES, bordered, cropped, harmless};
pub use kind::{Chance, Damage, Damaged, DoorPlace, Kind, KindSpec, KnownAnswer, Piece};
pub use mirror::Mirror;
pub use missing_wing::{LostWing, MissingWing, Side, missing_wing};
pub use motion::Motion;
pub use moved_groups::MovedGroup;
pub use moved_room::MovedRoom;
pub use noise::{FlippedCells, Noise, noise};
pub use opened_wall::OpenedWall;
pub use resolution::Resolution;
pub use rigid_move::{RigidMove, rigid_move};
pub use rotate::Rotate;
pub use scale::Scale;
pub use shift::Shift;
pub use thick_walls::{ThickWalls, thick_walls};
pub use unseen::{Unseen, unseen};

/// All kinds of damage, in the order of tables.
pub const KINDS: [Kind; 16] = [
    kind::entry::<FlippedCells>(),
    kind::entry::<Shift>(),
    kind::entry::<Rotate>(),
    kind::entry::<BentEnd>(),
    kind::entry::<Cut>(),
    kind::entry::<MovedRoom>(),
    kind::entry::<LostWing>(),
    kind::entry::<ThickWalls>(),
    kind::entry::<Unseen>(),
    kind::entry::<GhostWalls>(),
    kind::entry::<ClosedDoor>(),
    kind::entry::<OpenedWall>(),
    kind::entry::<Blur>(),
    kind::entry::<Resolution>(),
    kind::entry::<Scale>(),
    kind::entry::<Mirror>(),
];

#[cfg(test)]
mod tests;
