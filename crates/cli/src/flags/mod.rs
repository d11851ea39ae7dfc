//! Groups of flags that several commands share. A flag that is given goes over the job file, the job file over the
//! defaults.

mod aligning;
mod comparing;
mod count;
mod force;
mod judging;
mod keyframes;
mod limits;
mod metrics;
mod overwrite;
mod resolution;
mod robot;
mod rooms;
mod table;

pub use aligning::AligningFlags;
pub use comparing::ComparingFlags;
pub use count::count;
pub use force::ForceFlag;
pub use judging::JudgingFlags;
pub use keyframes::KeyframeFlags;
pub use limits::{LimitFlags, parse_room, parse_seconds, parse_size};
pub use metrics::{MetricFlags, parse_value};
pub use overwrite::OverwriteFlag;
pub use resolution::{ForceResolution, ResolutionFlags};
pub use robot::RobotFlags;
pub use rooms::RoomFlags;
pub use table::TableFlags;

/// Puts a flag that is given over a value.
pub fn over<T: Clone>(slot: &mut T, flag: &Option<T>) {
    if let Some(value) = flag {
        slot.clone_from(value);
    }
}

/// Puts a flag that is given over a value that may be missing.
pub fn over_option<T: Clone>(slot: &mut Option<T>, flag: &Option<T>) {
    if flag.is_some() {
        slot.clone_from(flag);
    }
}

/// Puts a flag that is given at least once over a list.
pub fn over_list<T: Clone>(slot: &mut Vec<T>, flag: &Vec<T>) {
    if !flag.is_empty() {
        slot.clone_from(flag);
    }
}
