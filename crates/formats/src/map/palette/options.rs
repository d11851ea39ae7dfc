//! What the user may say about the colours of a picture.

/// Which palette a colour picture is read through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaletteChoice {
    /// The one that its pixels match, if there is one.
    #[default]
    Auto,
    /// None: colours count by their mean, as in the ROS map servers.
    Off,
    /// The one of this name, see [`crate::palette_names`]; another name is refused.
    Named(&'static str),
}

/// What happens to a pixel of no class of a navigation layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForeignColours {
    /// The picture is refused.
    #[default]
    Refuse,
    /// The cell is unknown, with a warning.
    AsUnknown,
}

/// What grey means in a navigation layer: the figures of the paper show grey where its text says white.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NavigationGrey {
    /// A foreign colour.
    #[default]
    Foreign,
    /// Explored and not cleared, like white.
    IsUncleared,
}

/// How colours are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaletteOptions {
    /// Which palette.
    pub choice: PaletteChoice,
    /// Largest difference in a channel at which a pixel still has a colour of the palette. Default: the one of
    /// the palette file, 0 for the navigation layer (spec F-NAV), 8 for the rescue league.
    pub tolerance: Option<u8>,
    /// What happens to foreign colours in a navigation layer.
    pub foreign_colours: ForeignColours,
    /// What grey means in a navigation layer.
    pub navigation_grey: NavigationGrey,
    /// Pixels along the edge of a map cell: a picture of the rescue league is then reduced to map cells.
    /// Default: none, one cell per pixel.
    pub pixels_per_cell: Option<u8>,
}

impl PaletteOptions {
    /// The default, usable in constants.
    pub const DEFAULT: Self = Self {
        choice: PaletteChoice::Auto,
        tolerance: None,
        foreign_colours: ForeignColours::Refuse,
        navigation_grey: NavigationGrey::Foreign,
        pixels_per_cell: None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_exists_once() {
        assert_eq!(PaletteOptions::DEFAULT, PaletteOptions::default());
    }
}
