//! Victims, hazards and labels of an arena as a vector layer and as a detection list.

use model::{Attribute, Column, ColumnType, Detection, DetectionTable, Feature, Shape, VectorLayer};

use super::{Arena, Mark, MarkKind};

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
    /// The marks of one kind as points with name and height.
    #[must_use]
    pub fn layer(&self, kind: MarkKind) -> VectorLayer {
        let width = self.of_kind(kind).map(|mark| mark.name.chars().count()).max().unwrap_or(0);
        let column = |name: &str, kind| Column { name: name.to_owned(), kind };
        let feature = |mark: &Mark| Feature {
            shape: Shape::Point(mark.place),
            attributes: vec![Attribute::Text(mark.name.clone()), Attribute::Real(mark.height_m)],
            style: Vec::new(),
        };
        VectorLayer {
            name: kind.layer_name().to_owned(),
            columns: vec![
                column("name", ColumnType::Text { width: width.max(1) }),
                column("height_m", ColumnType::Real),
            ],
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
            header: vec![("mission".to_owned(), self.name.clone())],
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
    }
}
