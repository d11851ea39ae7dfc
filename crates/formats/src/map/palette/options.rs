//! Which palette the options choose.

use super::palette_file::{Palette, shipped};
use crate::{OptionError, ReadOptions};

/// Which palette a colour image is read through.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PaletteChoice {
    /// The one that its pixels match, if there is one.
    Auto,
    /// None: colours count by their mean, as in the ROS map servers.
    Off,
    Named(&'static Palette),
}

impl PaletteChoice {
    /// # Errors
    /// There is no palette of that name.
    pub fn of(options: &ReadOptions) -> Result<Self, OptionError> {
        match options.palette.as_deref() {
            None | Some("auto") => Ok(Self::Auto),
            Some("off") => Ok(Self::Off),
            Some(name) => {
                let known = shipped().iter().find(|palette| palette.name == name);
                known.map(Self::Named).ok_or_else(|| OptionError::unknown_palette(name))
            }
        }
    }
}
