//! Victims, hazards and labels of an arena as a vector layer and as a detection list.

use model::{Attribute, Column, ColumnType, Detection, DetectionTable, Feature, Shape, VectorLayer};

use super::{Arena, Mark, MarkKind};

/// What the rules of the league ask the header of a list for; a truth has neither country nor date.
const HEADER: [(&str, &str); 4] =
    [("team", "truth"), ("country", "none"), ("date", "1970-01-01"), ("time", "00:00:00")];

impl MarkKind {
    /// Name of its layer and files.
    #[must_use]
    pub const fn layer_name(self) -> &'static str {
        match self {
            Self::Victim => "victims",
            Self::Hazard => "hazards",
            Self::Label => "labels",
        }
    }

    /// The word of the league for it, in the `type` column of a detection list.
    #[must_use]
    pub const fn league_word(self) -> &'static str {
        match self {
            Self::Victim => "victim",
            Self::Hazard => "hazmat",
            Self::Label => "qr",
        }
    }
}

impl Arena {
    /// The marks of one kind as points, with the columns that layers of the kind must have, and their height.
    #[must_use]
    pub fn layer(&self, kind: MarkKind) -> VectorLayer {
        let width = self.of_kind(kind).map(|mark| mark.name.chars().count()).max().unwrap_or(0).max(1);
        let column = |name: &str, kind| Column { name: name.to_owned(), kind };
        let text = |name: &str, width| column(name, ColumnType::Text { width });
        let columns = match kind {
            MarkKind::Victim => vec![text("ID", width), text("STATUS", 8), column("T", ColumnType::Real)],
            MarkKind::Hazard | MarkKind::Label => vec![text("LABEL", width)],
        };
        let feature = |mark: &Mark| {
            let mut attributes = vec![Attribute::Text(mark.name.clone())];
            if kind == MarkKind::Victim {
                attributes.extend([Attribute::Text("unknown".to_owned()), Attribute::Real(0.0)]);
            }
            attributes.push(Attribute::Real(mark.height_m));
            Feature { shape: Shape::Point(mark.place), attributes, style: Vec::new() }
        };
        VectorLayer {
            name: kind.layer_name().to_owned(),
            columns: columns.into_iter().chain([column("Z", ColumnType::Real)]).collect(),
            features: self.of_kind(kind).map(feature).collect(),
        }
    }

    /// All marks as a detection list of the league.
    #[must_use]
    pub fn detections(&self) -> DetectionTable {
        let row = |(index, mark): (usize, &Mark)| Detection {
            id: (index + 1).to_string(),
            time: "00:00:00".to_owned(),
            text: mark.name.clone(),
            position_m: [mark.place.x_m, mark.place.y_m, mark.height_m],
            robot: "truth".to_owned(),
            mode: "A".to_owned(),
            kind: mark.kind.league_word().to_owned(),
        };
        DetectionTable {
            kind: "pois".to_owned(),
            version: "1.2".to_owned(),
            header: HEADER
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .chain([("mission".to_owned(), self.name.clone())])
                .collect(),
            rows: self.marks.iter().enumerate().map(row).collect(),
        }
    }

    fn of_kind(&self, kind: MarkKind) -> impl Iterator<Item = &Mark> {
        self.marks.iter().filter(move |mark| mark.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use crate::arena::{Arena, MarkKind, Plan};

    #[test]
    fn each_kind_has_its_layer_and_the_list_has_all() {
        let plan = Plan::read("drawing = '''\n+---+---+\n| SV  VH|\n+---+---+\n'''").unwrap();
        let arena = Arena::build(&plan).unwrap();
        assert_eq!(MarkKind::ALL.map(|kind| arena.layer(kind).features.len()), [2, 1, 0]);
        let words: Vec<String> = arena.detections().rows.into_iter().map(|row| row.kind).collect();
        assert_eq!(words, ["victim", "victim", "hazmat"]);
        let columns =
            |kind: MarkKind| arena.layer(kind).columns.into_iter().map(|c| c.name).collect::<Vec<_>>();
        assert_eq!(columns(MarkKind::Victim), ["ID", "STATUS", "T", "Z"]);
        assert_eq!(columns(MarkKind::Hazard), ["LABEL", "Z"]);
        let layer = arena.layer(MarkKind::Victim);
        assert!(layer.features.iter().all(|feature| feature.attributes.len() == layer.columns.len()));
    }
}
