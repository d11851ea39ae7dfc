//! A map as a page knows it, before any of its cells are sent.

use mapjudge::overlay::{TILE_CELLS, TiledMap};
use mapjudge::{Loaded, Map};
use model::{Finding, GridGeometry, Pose2, Similarity2};
use schemars::JsonSchema;
use serde::Serialize;

use crate::problem::Problem;

/// What a page is told about a map.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MapInfo {
    /// Name in addresses.
    pub id: String,
    /// Name for people: the file as given.
    pub name: String,
    /// Hash of the file; tiles of another one are other tiles.
    pub blake3: String,
    /// Size and place; null for a broken map.
    pub geometry: Option<Geometry>,
    /// Levels of tiles.
    pub levels: usize,
    /// Cells along the edge of a tile.
    pub tile: usize,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
    /// Why there is no map.
    pub problem: Option<Problem>,
    /// Where it lies at the start.
    pub frame: Similarity2,
    /// Where that comes from: `georeference`, `middle`, `file` or `saved`.
    pub frame_source: &'static str,
}

/// Size and place of a grid; row 0 of its images is the top row.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Geometry {
    width: usize,
    height: usize,
    cell_size_m: f64,
    /// The lower left corner of the lower left cell.
    origin: Pose2,
}

impl From<&GridGeometry> for Geometry {
    fn from(geometry: &GridGeometry) -> Self {
        Self {
            width: geometry.width(),
            height: geometry.height(),
            cell_size_m: geometry.cell_size_m(),
            origin: geometry.origin(),
        }
    }
}

impl MapInfo {
    /// A map that was read.
    pub fn of(id: &str, name: &str, map: &Loaded<Map>, tiles: &TiledMap) -> Self {
        let files = map.provenance.files.iter().map(|file| file.blake3.as_str());
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            blake3: files.collect::<Vec<_>>().join("-"),
            geometry: Some(map.value.grid.geometry().into()),
            levels: tiles.levels(),
            tile: TILE_CELLS,
            findings: map.findings.clone(),
            problem: None,
            frame: Similarity2::IDENTITY,
            frame_source: "georeference",
        }
    }

    /// A map that could not be read.
    pub fn broken(id: &str, name: &str, problem: &Problem) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            blake3: String::new(),
            geometry: None,
            levels: 0,
            tile: TILE_CELLS,
            findings: Vec::new(),
            problem: Some(problem.clone()),
            frame: Similarity2::IDENTITY,
            frame_source: "middle",
        }
    }
}
