//! Kinds of vector layers and the columns that each must have (Balaguer et al. 2009, section 3.1; columns are ours).
//!
//! The kind of a file follows from its name: `victims.mif`, `TeamA_victims.mif` and `victims-2.geojson` are all
//! layers of victims.

use model::{Finding, Level, VectorLayer};

/// What a vector layer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerKind {
    Victims,
    /// Where the robots drove.
    RobotPath,
    /// How responders should walk to a victim.
    ResponderPath,
    /// The topology: nodes and edges.
    Skeleton,
    /// Objects that belong together, such as the walls of a room.
    Groups,
    Labels,
    Hazards,
    /// Images taken at a place.
    Snapshots,
}

impl LayerKind {
    pub const ALL: [Self; 8] = [
        Self::Victims,
        Self::RobotPath,
        Self::ResponderPath,
        Self::Skeleton,
        Self::Groups,
        Self::Labels,
        Self::Hazards,
        Self::Snapshots,
    ];

    /// The name, as it stands in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Victims => "victims",
            Self::RobotPath => "robot_path",
            Self::ResponderPath => "responder_path",
            Self::Skeleton => "skeleton",
            Self::Groups => "groups",
            Self::Labels => "labels",
            Self::Hazards => "hazards",
            Self::Snapshots => "snapshots",
        }
    }

    /// The columns that a layer of this kind must have.
    #[must_use]
    pub const fn required_columns(self) -> &'static [&'static str] {
        match self {
            Self::Victims => &["ID", "STATUS", "T"],
            Self::RobotPath => &["ROBOT", "T0", "T1"],
            Self::ResponderPath => &["VICTIM"],
            Self::Skeleton => &["KIND", "NAME"],
            Self::Groups => &["LABEL", "NAME"],
            Self::Labels | Self::Hazards => &["LABEL"],
            Self::Snapshots => &["URI", "T"],
        }
    }

    /// The kind that a file name without its ending speaks of: alone, or set off by `_`, `-`, `.` or a blank.
    #[must_use]
    pub fn of_stem(stem: &str) -> Option<Self> {
        const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];
        let stem = stem.to_lowercase();
        Self::ALL.into_iter().find(|kind| {
            let is_set_off = |rest: Option<&str>, at_end: fn(&str) -> Option<char>| {
                rest.is_some_and(|rest| at_end(rest).is_none_or(|letter| SEPARATORS.contains(&letter)))
            };
            is_set_off(stem.strip_suffix(kind.name()), |before| before.chars().next_back())
                || is_set_off(stem.strip_prefix(kind.name()), |after| after.chars().next())
        })
    }
}

/// The name of a layer from the name of its file: the kind if it speaks of one, else the name without its ending.
pub(crate) fn layer_name(file: &str) -> String {
    let stem = stem_of(file);
    LayerKind::of_stem(stem).map_or(stem, |kind| kind.name()).to_owned()
}

/// The name of a file without folders and ending. Both kinds of slash occur.
pub(crate) fn stem_of(file: &str) -> &str {
    let bare = file.rsplit(['/', '\\']).next().unwrap_or(file);
    bare.rsplit_once('.').map_or(bare, |(stem, _)| stem)
}

/// What the columns of a layer lack for its kind.
pub(crate) fn check_columns(layer: &VectorLayer) -> Vec<Finding> {
    let Some(kind) = LayerKind::of_stem(&layer.name) else {
        let kinds: Vec<_> = LayerKind::ALL.iter().map(|kind| kind.name()).collect();
        let message = format!("the layer '{}' is of no known kind; its columns were not checked", layer.name);
        let hint = format!("name the file after its kind: {}", kinds.join(", "));
        return vec![Finding::new(Level::Info, "LAYER_KIND_UNKNOWN", message).hint(hint)];
    };
    let has = |name: &str| layer.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    let missing: Vec<_> = kind.required_columns().iter().copied().filter(|name| !has(name)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let message = format!("a layer of {} lacks the columns {}", kind.name(), missing.join(", "));
    let hint = format!("give it the columns {}", kind.required_columns().join(", "));
    vec![Finding::warning("LAYER_COLUMN_MISSING", message).hint(hint)]
}

#[cfg(test)]
mod tests {
    use model::{Column, ColumnType};

    use super::*;

    #[test]
    fn the_kind_follows_from_the_name_of_the_file() {
        for (file, name) in [
            ("victims.mif", "victims"),
            ("maps/TeamA_Victims.MIF", "victims"),
            ("c:\\maps\\robot_path-2.mif", "robot_path"),
            ("robot_path", "robot_path"),
            ("nonvictims.mif", "nonvictims"),
            ("victimsx.mif", "victimsx"),
            ("world.mif", "world"),
            (".mif", ""),
        ] {
            assert_eq!(layer_name(file), name, "{file}");
        }
    }

    #[test]
    fn missing_columns_are_named_whatever_their_case() {
        let column = |name: &str| Column { name: name.to_owned(), kind: ColumnType::Integer };
        let mut layer = VectorLayer { name: "victims".to_owned(), ..VectorLayer::default() };
        layer.columns = vec![column("id"), column("T")];
        let findings = check_columns(&layer);
        assert_eq!(findings[0].code, "LAYER_COLUMN_MISSING");
        assert_eq!(findings[0].message, "a layer of victims lacks the columns STATUS");
        layer.columns.push(column("Status"));
        assert!(check_columns(&layer).is_empty());
        layer.name = "world".to_owned();
        assert_eq!(check_columns(&layer)[0].code, "LAYER_KIND_UNKNOWN");
    }
}
