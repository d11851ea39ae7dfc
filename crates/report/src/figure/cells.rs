//! A layer of cells: one palette entry per cell of a grid that is placed in metres.

use std::ops::Range;
use std::sync::Arc;

use model::{GridGeometry, Pose2};
use serde::{Deserialize, Serialize};

use super::image::Rgb;

/// The entry of a cell that shows what lies below.
pub const OPEN: u8 = u8::MAX;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// Where the cells lie.
    pub geometry: GridGeometry,
    /// One entry per cell in image order; entries beyond the palette are open, as [`OPEN`] is. In a store: deflated
    /// (zlib), in base64.
    #[serde(with = "stored_entries")]
    pub entries: Arc<[u8]>,
    pub palette: Palette,
    pub reduction: Reduction,
}

/// What entries look like, and what they mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Palette {
    /// A colour for each entry.
    Legend(Vec<LegendEntry>),
    /// A scale from 0 (entry 0) to `max` (the last of `steps` entries), its colours linear between the stops.
    Scale { stops: Vec<Rgb>, steps: u8, max: f64, unit: String },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegendEntry {
    pub colour: Rgb,
    pub meaning: String,
}

/// Which entry stands for a block of cells that share a pixel. In a figure of several layers the upper layer wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    Highest,
    /// A rank for each entry: the highest rank, inside a rank the most frequent entry, of equals the later one.
    Ranked(Vec<u8>),
}

impl Cells {
    /// A piece, placed where it was; none if it holds no cell.
    pub(super) fn cropped(&self, columns: Range<usize>, rows: Range<usize>) -> Option<Self> {
        let (width, height) = (self.geometry.width(), self.geometry.height());
        let columns = columns.start.min(width)..columns.end.min(width);
        let rows = rows.start.min(height)..rows.end.min(height);
        let corner = self.geometry.world_of_grid_point(columns.start as f64, (height - rows.end) as f64);
        let origin = Pose2::new(corner.x_m, corner.y_m, self.geometry.origin().theta_rad);
        let cell_size_m = self.geometry.cell_size_m();
        let geometry = GridGeometry::new(columns.len(), rows.len(), cell_size_m, origin).ok()?;
        let line = |row: usize| self.entries.get(row * width..)?.get(columns.clone());
        let entries = rows.map(line).collect::<Option<Vec<&[u8]>>>()?.concat().into();
        Some(Self { geometry, entries, palette: self.palette.clone(), reduction: self.reduction.clone() })
    }

    /// Whether the layer hides everything below.
    pub(super) fn covers(&self) -> bool {
        let colours = self.palette.len();
        self.entries.iter().all(|&entry| usize::from(entry) < colours)
    }
}

impl Palette {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Legend(entries) => entries.len(),
            Self::Scale { steps, .. } => usize::from(*steps),
        }
    }

    pub(super) fn colours(&self) -> Vec<Rgb> {
        match self {
            Self::Legend(entries) => entries.iter().map(|entry| entry.colour).collect(),
            Self::Scale { stops, steps, .. } => {
                let last = f32::from(steps.saturating_sub(1).max(1));
                (0..*steps).map(|step| colour_at(stops, f32::from(step) / last)).collect()
            }
        }
    }
}

/// Linear between the two stops around the share.
fn colour_at(stops: &[Rgb], share: f32) -> Rgb {
    if stops.len() < 2 {
        return stops.first().copied().unwrap_or_default();
    }
    let position = share * (stops.len() - 1) as f32;
    let below = (position as usize).min(stops.len() - 2);
    let part = position - below as f32;
    let mix = |channel: usize| {
        let (a, b) = (f32::from(stops[below][channel]), f32::from(stops[below + 1][channel]));
        (a + (b - a) * part).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

impl Reduction {
    pub(super) fn of(&self, block: &[u8]) -> u8 {
        let Self::Ranked(ranks) = self else { return block.iter().copied().max().unwrap_or(0) };
        let mut counts = [0_u32; 256];
        for &entry in block {
            counts[usize::from(entry)] += 1;
        }
        let present = (0..=u8::MAX).zip(counts).filter(|&(_, count)| count > 0);
        let rank = |entry: u8| ranks.get(usize::from(entry)).copied().unwrap_or(0);
        present.max_by_key(|&(entry, count)| (rank(entry), count)).map_or(0, |(entry, _)| entry)
    }
}

mod stored_entries {
    use std::io::{Read, Write};
    use std::sync::Arc;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
    use serde::{Deserialize, Deserializer, Serializer, de, ser};

    pub(super) fn serialize<S: Serializer>(entries: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        let bytes = encoder.write_all(entries).and_then(|()| encoder.finish()).map_err(ser::Error::custom)?;
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text).map_err(de::Error::custom)?;
        let mut entries = Vec::new();
        // A short text can stand for any number of cells; a grid has a limit.
        let mut decoder = ZlibDecoder::new(&bytes[..]).take(model::MAX_CELLS as u64);
        decoder.read_to_end(&mut entries).map_err(de::Error::custom)?;
        Ok(entries.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Content, Figure, Layer};
    use super::*;

    #[test]
    fn a_stored_figure_comes_back_as_it_was() {
        let geometry = GridGeometry::new(3, 2, 0.05, Pose2::new(1.0, 2.0, 0.3)).unwrap();
        let layer =
            Layer::cells("map", &geometry, vec![0, 1, OPEN, 1, 1, 0], &[([0; 3], "a"), ([9; 3], "b")]);
        let figure = Figure::new("name", "Title", "Caption.", vec![layer]);
        let text = serde_json::to_string(&figure).unwrap();
        assert_eq!(serde_json::from_str::<Figure>(&text).unwrap(), figure);
        assert!(serde_json::from_str::<Figure>(&text.replace("\"entries\":\"", "\"entries\":\"!")).is_err());
    }

    #[test]
    fn a_piece_lies_where_it_was() {
        let geometry = GridGeometry::new(3, 2, 0.5, Pose2::new(1.0, 2.0, 0.0)).unwrap();
        let layer = Layer::cells("map", &geometry, vec![0, 1, 2, 3, 4, 5], &[]);
        let Some(Layer { content: Content::Cells(piece), .. }) = layer.cropped(1..9, 0..1) else { panic!() };
        assert_eq!(piece.entries[..], [1, 2]);
        assert_eq!(piece.geometry, GridGeometry::new(2, 1, 0.5, Pose2::new(1.5, 2.5, 0.0)).unwrap());
        assert_eq!(layer.cropped(5..9, 0..2), None, "outside of the map");
    }

    #[test]
    fn a_scale_starts_and_ends_with_its_stops() {
        let stops = vec![[0, 0, 0], [100, 0, 50], [200, 10, 0]];
        let scale = Palette::Scale { stops, steps: 5, max: 1.0, unit: "m".to_owned() };
        let expected = [[0, 0, 0], [50, 0, 25], [100, 0, 50], [150, 5, 25], [200, 10, 0]];
        assert_eq!(scale.colours(), expected);
        let flat = Palette::Scale { stops: Vec::new(), steps: 2, max: 1.0, unit: String::new() };
        assert_eq!(flat.colours(), [[0; 3]; 2]);
    }
}
