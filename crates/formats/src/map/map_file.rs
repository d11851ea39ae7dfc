//! What reading a map gives: the grid, where its place in the world comes from (F-GEO), and findings.

use model::{Finding, Grid, VectorLayer};

/// Where the origin of a map comes from. An assumed origin says nothing about the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Georeference {
    /// The file states it.
    FromFile,
    /// The user gave it.
    FromOptions,
    /// Nobody said; (0, 0, 0) was taken.
    Assumed,
}

/// A file that was read to make the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path, or the name given with the bytes.
    pub path: String,
    pub bytes: u64,
}

/// A layer of a file that holds several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Name in the file, or `layer<k>`.
    pub name: String,
    /// What its pixels are: `grey`, `colour`, `probability`, `number`, or `unreadable`.
    pub kind: &'static str,
    pub width: usize,
    pub height: usize,
    /// Numbers of free, unknown and occupied cells; none if the pixels are no cells.
    pub class_counts: Option<[u64; 3]>,
}

/// A map that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The cells and their place.
    pub grid: Grid,
    /// What is drawn on the map, in metres: victims, path and scale bar of a league image.
    pub marks: Vec<VectorLayer>,
    /// Name of the format, such as `ros_yaml`.
    pub format: &'static str,
    /// What is odd about the file, in the order in which it was noticed.
    pub findings: Vec<Finding>,
    /// Where the origin comes from.
    pub georeference: Georeference,
    /// The files read, the given one first.
    pub sources: Vec<SourceFile>,
    /// The layers of the file, the map among them; empty where the format has no layers.
    pub layers: Vec<Layer>,
    /// Reference system that the file states: `EPSG:n`, a name, or `local`.
    pub crs: Option<String>,
    /// World coordinates of pixel corners in GDAL's order, where the file states them that way.
    pub geotransform: Option<[f64; 6]>,
}

impl MapFile {
    /// A map with nothing beside its cells.
    #[must_use]
    pub fn of_grid(grid: Grid, format: &'static str, georeference: Georeference) -> Self {
        Self {
            grid,
            marks: Vec::new(),
            format,
            findings: Vec::new(),
            georeference,
            sources: Vec::new(),
            layers: Vec::new(),
            crs: None,
            geotransform: None,
        }
    }

    /// The first finding with this code.
    #[must_use]
    pub fn finding(&self, code: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.code == code)
    }
}
