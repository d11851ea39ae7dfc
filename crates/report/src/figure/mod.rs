//! Figures as values: named layers placed in metres. PNG and SVG are renderings of them.
//!
//! Layers are drawn in order, later ones on top. A browser can show each of them by itself; a rendering leaves out
//! what a layer without open cells covers.

mod cells;
mod errors;
mod image;
mod marks;
mod overlay;
mod scale_bar;
mod switches;
mod vectors;

use std::ops::Range;

use model::GridGeometry;
use serde::{Deserialize, Serialize};

pub use cells::{Cells, LegendEntry, OPEN, Palette, Reduction};
use image::Fit;

pub use errors::{HEAT_STOPS, errors_figure};
pub use image::{ImageError, Rgb, labels_png, marked_png, tile_png};
pub use marks::{Mark, Ring, RingKind};
pub use overlay::{OVERLAY_LEGEND, overlay_entries, overlay_figure, overlay_layers};
pub(crate) use switches::switched;
pub use vectors::{Symbol, VectorShape, Vectors};

/// Colours for things that are only told apart, after Okabe and Ito (2008), in the order in which they are used.
pub const MARK_COLOURS: [Rgb; 7] = [
    [86, 180, 233],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [240, 228, 66],
    [0, 114, 178],
    [213, 94, 0],
];

/// Free, unknown and occupied cells below lines: pale, so that the lines stand out.
pub const GROUND_COLOURS: [Rgb; 3] = [[255, 255, 255], [217, 217, 217], [110, 110, 110]];

/// What a report shows of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Name of its file, without extension: letters, digits and underscores.
    pub name: String,
    /// In a few words.
    pub title: String,
    /// What is to be seen, with its colours, in a sentence or two.
    pub caption: String,
    /// In drawing order.
    pub layers: Vec<Layer>,
}

/// A part of a figure that can be shown by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// `truth`, `map`, `difference`, `errors`, `routes`, `parts` and so on; unique in its figure.
    pub name: String,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    Cells(Cells),
    /// Rings and numbers at places in metres, in drawing order.
    Marks(Vec<Mark>),
    /// Paths, areas and places of one vector layer, in metres.
    Vectors(Vectors),
    /// An SVG element made by [`crate::chart`], with every foreign text in it escaped.
    Chart(String),
}

impl Layer {
    /// Cells of palette entries, in image order; where cells share a pixel the highest entry wins.
    #[must_use]
    pub fn cells(name: &str, geometry: &GridGeometry, entries: Vec<u8>, legend: &[(Rgb, &str)]) -> Self {
        let entry = |&(colour, meaning): &(Rgb, &str)| LegendEntry { colour, meaning: meaning.to_owned() };
        let palette = Palette::Legend(legend.iter().map(entry).collect());
        let cells =
            Cells { geometry: *geometry, entries: entries.into(), palette, reduction: Reduction::Highest };
        Self { name: name.to_owned(), content: Content::Cells(cells) }
    }

    /// A map by the bytes of its classes; `colours` for free, unknown and occupied cells.
    #[must_use]
    pub fn classes(name: &str, geometry: &GridGeometry, classes: &[u8], colours: [Rgb; 3]) -> Self {
        let [free, unknown, occupied] = colours;
        let legend = [(free, "free"), (unknown, "unknown"), (occupied, "occupied")];
        Self::cells(name, geometry, classes.to_vec(), &legend)
    }

    /// Lists of cells, each in a colour of its own, later ones over earlier ones; all other cells are open.
    ///
    /// # Errors
    /// A cell outside the geometry.
    pub fn lines(
        name: &str,
        geometry: &GridGeometry,
        lines: &[(Rgb, &str, Vec<u32>)],
    ) -> Result<Self, ImageError> {
        let mut entries = vec![OPEN; geometry.cells()];
        for (entry, (_, _, cells)) in (0..OPEN).zip(lines) {
            for &cell in cells {
                let outside = ImageError::Outside { index: cell as usize, cells: geometry.cells() };
                *entries.get_mut(cell as usize).ok_or(outside)? = entry;
            }
        }
        let legend: Vec<_> = lines.iter().map(|(colour, meaning, _)| (*colour, *meaning)).collect();
        Ok(Self::cells(name, geometry, entries, &legend))
    }

    /// The cells of these columns from the left and rows from the top; none if there is none.
    #[must_use]
    pub fn cropped(&self, columns: Range<usize>, rows: Range<usize>) -> Option<Self> {
        let Content::Cells(cells) = &self.content else { return None };
        let cells = cells.cropped(columns, rows)?;
        Some(Self { name: self.name.clone(), content: Content::Cells(cells) })
    }

    #[must_use]
    pub fn vectors(name: &str, vectors: Vectors) -> Self {
        Self { name: name.to_owned(), content: Content::Vectors(vectors) }
    }

    #[must_use]
    pub fn marks(name: &str, marks: Vec<Mark>) -> Self {
        Self { name: name.to_owned(), content: Content::Marks(marks) }
    }
}

impl Figure {
    #[must_use]
    pub fn new(name: &str, title: &str, caption: impl Into<String>, layers: Vec<Layer>) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), caption: caption.into(), layers }
    }

    /// A chart of [`crate::chart`].
    #[must_use]
    pub fn chart(name: &str, title: &str, caption: impl Into<String>, svg: String) -> Self {
        let layer = Layer { name: "chart".to_owned(), content: Content::Chart(svg) };
        Self::new(name, title, caption, vec![layer])
    }

    #[must_use]
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// With the ending of the form that shows all of it: `svg` for marks and charts, `png` for cells alone.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.name, if self.is_vector() { "svg" } else { "png" })
    }

    /// The content of its file.
    ///
    /// # Errors
    /// As [`Figure::png`].
    pub fn bytes(&self) -> Result<Vec<u8>, ImageError> {
        if self.is_vector() { self.svg().map(String::into_bytes) } else { self.png() }
    }

    /// Its cells as a palette PNG with a scale bar below: small maps enlarged by a whole factor, large ones reduced
    /// block by block.
    ///
    /// # Errors
    /// There is no cell to draw, layers lie on different grids, or they have more than 256 colours.
    pub fn png(&self) -> Result<Vec<u8>, ImageError> {
        image::flattened(&self.cell_layers(), Fit::FIGURE)
    }

    /// Its cells alone, without a scale bar: an image of exactly their extent, to be laid under a drawing in metres.
    ///
    /// # Errors
    /// As [`Figure::png`].
    pub fn cells_png(&self) -> Result<Vec<u8>, ImageError> {
        image::flattened(&self.cell_layers(), Fit::IN_DRAWING)
    }

    /// As an SVG element: the chart, or the cells with the marks on them.
    ///
    /// # Errors
    /// As [`Figure::png`], if it is no chart.
    pub fn svg(&self) -> Result<String, ImageError> {
        let chart = self.layers.iter().find_map(|layer| match &layer.content {
            Content::Chart(svg) => Some(svg.clone()),
            _ => None,
        });
        if let Some(svg) = chart {
            return Ok(svg);
        }
        let cells = self.cell_layers();
        let geometry = cells.last().ok_or(ImageError::Empty)?.geometry;
        let vectors = self.vector_layers();
        if !vectors.is_empty() {
            return Ok(vectors::layered_svg(
                &image::flattened(&cells, Fit::IN_DRAWING)?,
                &geometry,
                &vectors,
            ));
        }
        let marks = self.layers.iter().filter_map(|layer| match &layer.content {
            Content::Marks(marks) => Some(marks),
            _ => None,
        });
        let marks: Vec<&Mark> = marks.flatten().collect();
        Ok(marks::marked_svg(&image::flattened(&cells, Fit::IN_DRAWING)?, &geometry, &marks))
    }

    /// As a vector PDF of one page for a paper; none for cells alone, which are an image.
    ///
    /// # Errors
    /// As [`Figure::png`].
    pub fn pdf(&self) -> Result<Option<Vec<u8>>, ImageError> {
        if !self.is_vector() {
            return Ok(None);
        }
        Ok(crate::pdf::pdf_of_svg(&self.svg()?))
    }

    /// The content of its file inside a page.
    pub(crate) fn data_uri(&self) -> Result<String, ImageError> {
        let kind = if self.is_vector() { "svg+xml" } else { "png" };
        Ok(format!("data:image/{kind};base64,{}", base64(&self.bytes()?)))
    }

    /// Its cells as a small PNG inside a page.
    pub(crate) fn thumbnail_uri(&self) -> Result<String, ImageError> {
        let bytes = image::flattened(&self.cell_layers(), Fit::THUMBNAIL)?;
        Ok(format!("data:image/png;base64,{}", base64(&bytes)))
    }

    pub(crate) fn is_vector(&self) -> bool {
        self.layers.iter().any(|layer| !matches!(layer.content, Content::Cells(_)))
    }

    /// The vector layers with their names, in drawing order.
    pub(crate) fn vector_layers<'a>(&'a self) -> Vec<(&'a str, &'a Vectors)> {
        let named = |layer: &'a Layer| match &layer.content {
            Content::Vectors(vectors) => Some((layer.name.as_str(), vectors)),
            _ => None,
        };
        self.layers.iter().filter_map(named).collect()
    }

    fn cell_layers(&self) -> Vec<&Cells> {
        let layers = self.layers.iter().map(|layer| &layer.content);
        layers
            .filter_map(|content| if let Content::Cells(cells) = content { Some(cells) } else { None })
            .collect()
    }
}

/// The bytes as base64 with padding (RFC 4648, section 4).
pub(crate) fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
