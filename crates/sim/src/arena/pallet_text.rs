//! The characters of a pallet in a drawing: what each means, and how a ground is written.

use super::drawing::{Ground, PalletMark, Rise, Slope};

/// What a pallet may show.
pub(super) const PALLET: &str = "one of < > ^ v = # x, then 3, 4 or s, and S, V, H, T";

pub(super) const fn mark_of(character: char) -> Option<PalletMark> {
    match character {
        'S' => Some(PalletMark::Start),
        'V' => Some(PalletMark::Victim),
        'H' => Some(PalletMark::Hazard),
        'T' => Some(PalletMark::Tunnel),
        _ => None,
    }
}

pub(super) const fn ground_of(character: char) -> Option<Ground> {
    match character {
        '>' => Some(Ground::Ramp(Rise::East, Slope::Gentle)),
        '^' => Some(Ground::Ramp(Rise::North, Slope::Gentle)),
        '<' => Some(Ground::Ramp(Rise::West, Slope::Gentle)),
        'v' => Some(Ground::Ramp(Rise::South, Slope::Gentle)),
        '=' => Some(Ground::Platform(Slope::Gentle)),
        '#' => Some(Ground::StepField),
        'x' => Some(Ground::Outside),
        _ => None,
    }
}

/// A ramp or platform followed by `3`, `4` or `s`.
pub(super) const fn climbed(ground: Ground, character: char) -> Option<Ground> {
    match (ground, character) {
        (Ground::Ramp(rise, Slope::Gentle), '3') => Some(Ground::Ramp(rise, Slope::Deg35)),
        (Ground::Ramp(rise, Slope::Gentle), '4') => Some(Ground::Ramp(rise, Slope::Deg45)),
        (Ground::Ramp(rise, Slope::Gentle), 's') => Some(Ground::Stairs(rise)),
        (Ground::Platform(Slope::Gentle), '3') => Some(Ground::Platform(Slope::Deg35)),
        (Ground::Platform(Slope::Gentle), '4') => Some(Ground::Platform(Slope::Deg45)),
        _ => None,
    }
}

impl Rise {
    pub(super) const fn arrow(self) -> &'static str {
        match self {
            Self::East => ">",
            Self::North => "^",
            Self::West => "<",
            Self::South => "v",
        }
    }
}

impl Slope {
    /// The character of a ramp or platform with what marks this slope.
    pub(super) fn marked(self, character: &str) -> String {
        match self {
            Self::Gentle => character.to_owned(),
            Self::Steep => character.repeat(2),
            Self::Deg35 => format!("{character}3"),
            Self::Deg45 => format!("{character}4"),
        }
    }
}
