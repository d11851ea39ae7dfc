//! The work of `mapjudge fiducials`: barrels, corners and poles found, drafted into a layout, and judged against one.

mod align;
mod detect;
mod draft;
mod facts;
mod figures;
mod part_table;

pub(crate) use align::align_by_fiducials;
pub use detect::{
    BarrelRecord, DETECTIONS_SCHEMA, DetectionList, MIN_BARREL_QUALITY, Radius, detect_barrels,
};
pub use draft::{draft_corners, draft_layout, draft_poles};
pub(crate) use facts::{alignment_of, fiducial_facts};
pub(crate) use figures::figures;
pub use part_table::part_table;
