//! A palette: one TOML file with the meaning of each colour.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::ReadOptions;

/// Every palette that is shipped, by its file.
const FILES: [&str; 5] = [
    include_str!("../../../palettes/navigation.toml"),
    include_str!("../../../palettes/hector.toml"),
    include_str!("../../../palettes/crosbot.toml"),
    include_str!("../../../palettes/pandora.toml"),
    include_str!("../../../palettes/alert.toml"),
];

/// Palettes of a family share their meanings and their reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Family {
    /// Five classes of cells (spec F-NAV).
    Navigation,
    /// Cells with grid lines, marks, path and text painted over them.
    RescueLeague,
}

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub(crate) enum Element {
    Untraversable,
    Uncleared,
    Unknown,
    Wall,
    Searched,
    Cleared,
    Unexplored,
    Outside,
    GridLine,
    Text,
    ScaleBar,
    Path,
    Victim,
    UnconfirmedVictim,
    Hazard,
    Qr,
    Object,
    Start,
    /// No colour of the palette.
    #[serde(skip)]
    Foreign,
}

impl Element {
    /// Elements that are painted over the cells of a league map, with their names in messages.
    pub const PAINTED_OVER: [(Self, &'static str); 11] = [
        (Self::GridLine, "grid lines"),
        (Self::Text, "text"),
        (Self::ScaleBar, "scale bar and arrows"),
        (Self::Path, "robot path"),
        (Self::Victim, "victims"),
        (Self::UnconfirmedVictim, "unconfirmed victims"),
        (Self::Hazard, "hazards"),
        (Self::Qr, "QR codes"),
        (Self::Object, "objects"),
        (Self::Start, "start arrow"),
        (Self::Foreign, "foreign colours"),
    ];
}

/// A colour with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Colour {
    pub rgb: [u8; 3],
    pub means: Element,
    /// What it means in a mark that is a disc, if that differs.
    pub disc_means: Option<Element>,
}

/// Colours between two ends, all with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ramp {
    pub low: [u8; 3],
    pub high: [u8; 3],
    pub means: Element,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Palette {
    pub name: String,
    pub title: String,
    pub family: Family,
    /// Largest difference in a channel.
    pub tolerance: u8,
    /// Pixels along the edge of a map cell, where the writer has a fixed number.
    pub pixels_per_cell: Option<u8>,
    pub colours: Vec<Colour>,
    #[serde(default)]
    pub ramps: Vec<Ramp>,
}

impl Palette {
    /// The tolerance of the options, else that of the palette: 0 for the navigation layer (spec F-NAV), 8 for the
    /// rescue league.
    pub fn tolerance_by(&self, options: &ReadOptions) -> u8 {
        options.palette_tolerance.unwrap_or(self.tolerance)
    }

    /// The colours of an element.
    pub fn colours_of(&self, element: Element) -> impl Iterator<Item = [u8; 3]> {
        self.colours.iter().filter(move |colour| colour.means == element).map(|colour| colour.rgb)
    }
}

/// The palettes that are shipped.
pub(crate) fn shipped() -> &'static [Palette] {
    static PALETTES: OnceLock<Vec<Palette>> = OnceLock::new();
    // The files are part of the program; a test reads each of them.
    PALETTES.get_or_init(|| FILES.iter().filter_map(|file| toml::from_str(file).ok()).collect())
}

/// The palettes of a family.
pub(crate) fn of_family(family: Family) -> impl Iterator<Item = &'static Palette> {
    shipped().iter().filter(move |palette| palette.family == family)
}

/// Names of the palettes, for options and help texts.
#[must_use]
pub fn palette_names() -> Vec<&'static str> {
    shipped().iter().map(|palette| palette.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::NavigationClass;

    use super::*;

    #[test]
    fn every_file_is_a_palette_with_its_own_name() {
        for file in FILES {
            toml::from_str::<Palette>(file).unwrap();
        }
        assert_eq!(palette_names(), ["navigation", "hector", "crosbot", "pandora", "alert"]);
    }

    #[test]
    fn the_navigation_file_has_the_colours_of_the_model() {
        let file: BTreeSet<_> =
            of_family(Family::Navigation).flat_map(|p| &p.colours).map(|c| c.rgb).collect();
        assert_eq!(file, NavigationClass::ALL.iter().map(|class| class.rgb()).collect());
    }

    #[test]
    fn no_palette_gives_two_meanings_to_one_colour() {
        for palette in shipped() {
            let colours: BTreeSet<_> = palette.colours.iter().map(|colour| colour.rgb).collect();
            assert_eq!(colours.len(), palette.colours.len(), "{}", palette.name);
        }
    }

    #[test]
    fn a_key_nobody_knows_is_refused() {
        let text = FILES[0].replace("tolerance = 0", "tolerance = 0\ntolerence = 1");
        assert!(toml::from_str::<Palette>(&text).unwrap_err().to_string().contains("tolerence"));
    }
}
