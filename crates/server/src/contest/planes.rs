//! The cells of a submission's map between the process that read the file and the server that shows it: classes,
//! navigation classes and probabilities as numbers, so that the server opens no file of a stranger.
//!
//! ```text
//! {"geometry": .., "is_anchored": true, "navigation": false, "probabilities": false, "files": [..], "findings": [..]}
//! deflate( a byte per cell: class 0 to 2, or navigation class 0 to 4; then eight per cell, if there are probabilities )
//! ```

use std::io::{BufRead, Read, Write};

use align::Anchoring;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use mapjudge::{Loaded, Map, Provenance, SourceRecord};
use model::{CellClass, Finding, Grid, GridGeometry, MemoryLimit, MemoryNeed, NavigationClass};
use serde::{Deserialize, Serialize};

/// A longer head is none of ours.
const MAX_HEAD_BYTES: u64 = 1 << 20;
/// Bytes of a cell with everything, in memory.
const BYTES_PER_CELL: u64 = 10;

#[derive(Serialize, Deserialize)]
struct Head {
    geometry: GridGeometry,
    is_anchored: bool,
    navigation: bool,
    probabilities: bool,
    files: Vec<SourceRecord>,
    findings: Vec<Finding>,
}

/// Writes the cells of a map.
///
/// # Errors
/// Those of the writer.
pub fn write_planes(map: &Loaded<Map>, out: &mut dyn Write) -> std::io::Result<()> {
    let grid = &map.value.grid;
    let head = Head {
        geometry: *grid.geometry(),
        is_anchored: map.value.anchoring == Anchoring::Given,
        navigation: grid.navigation().is_some(),
        probabilities: grid.probabilities().is_some(),
        files: map.provenance.files.clone(),
        findings: map.findings.clone(),
    };
    serde_json::to_writer(&mut *out, &head)?;
    out.write_all(b"\n")?;
    let mut packed = DeflateEncoder::new(out, Compression::fast());
    packed.write_all(grid.navigation_bytes().unwrap_or_else(|| grid.class_bytes()))?;
    for probability in grid.probabilities().into_iter().flatten() {
        packed.write_all(&probability.to_le_bytes())?;
    }
    packed.finish().map(|_| ())
}

/// Reads the cells of a map.
///
/// # Errors
/// In words: what does not hold together, or is too large.
pub fn read_planes(from: &mut dyn BufRead) -> Result<Loaded<Map>, String> {
    let mut line = Vec::new();
    let read = from.take(MAX_HEAD_BYTES).read_until(b'\n', &mut line);
    if read.is_err() || line.pop() != Some(b'\n') {
        return Err("the cells of the map are cut off".to_owned());
    }
    let head: Head = serde_json::from_slice(&line).map_err(|error| error.to_string())?;
    let cells = head.geometry.cells();
    let need = MemoryNeed::new(cells, BYTES_PER_CELL);
    MemoryLimit::current().of_one_map().check(need).map_err(|over| over.to_string())?;
    let mut unpacked = DeflateDecoder::new(from);
    let bytes = exactly(&mut unpacked, cells)?;
    let grid = if head.navigation {
        Grid::of_navigation(head.geometry, classes(&bytes, &NavigationClass::ALL)?)
    } else {
        let all = [CellClass::Free, CellClass::Unknown, CellClass::Occupied];
        Grid::new(head.geometry, classes(&bytes, &all)?)
    };
    let mut grid = grid.map_err(|error| error.to_string())?;
    if head.probabilities {
        let bytes = exactly(&mut unpacked, cells.saturating_mul(8))?;
        let (numbers, _) = bytes.as_chunks::<8>();
        let numbers = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
        grid = grid.with_probabilities(numbers).map_err(|error| error.to_string())?;
    }
    let anchoring = if head.is_anchored { Anchoring::Given } else { Anchoring::Assumed };
    Ok(Loaded {
        value: Map::anchored(grid, anchoring),
        provenance: Provenance { files: head.files, ..Provenance::default() },
        findings: head.findings,
    })
}

fn exactly(from: &mut dyn Read, length: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = from.take(length as u64).read_to_end(&mut bytes);
    if read.is_err() || bytes.len() != length {
        return Err("the cells of the map are cut off".to_owned());
    }
    Ok(bytes)
}

fn classes<T: Copy>(bytes: &[u8], all: &[T]) -> Result<Vec<T>, String> {
    let class = |byte: &u8| all.get(usize::from(*byte)).copied();
    bytes.iter().map(class).collect::<Option<_>>().ok_or_else(|| "a cell of no class".to_owned())
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn geometry() -> GridGeometry {
        GridGeometry::new(3, 2, 0.05, Pose2::new(-1.5, 2.0, 0.3)).unwrap()
    }

    fn there_and_back(map: &Loaded<Map>) {
        let mut bytes = Vec::new();
        write_planes(map, &mut bytes).unwrap();
        assert_eq!(&read_planes(&mut &bytes[..]).unwrap(), map);
        for length in 0..bytes.len() - 1 {
            assert!(read_planes(&mut &bytes[..length]).is_err(), "cut off at {length}");
        }
    }

    #[test]
    fn cells_come_back_as_they_were_written() {
        use CellClass::{Free, Occupied, Unknown};
        let classes = vec![Free, Unknown, Occupied, Occupied, Free, Free];
        let grid = Grid::new(geometry(), classes).unwrap();
        let files = vec![SourceRecord {
            path: "a/map.yaml".to_owned(),
            blake3: "00".to_owned(),
            format: "ros_yaml".to_owned(),
            suffix: String::new(),
        }];
        let provenance = Provenance { files, ..Provenance::default() };
        let findings = vec![Finding::warning("X", "odd")];
        there_and_back(&Loaded { value: Map::new(grid.clone()), provenance, findings });
        let numbers = vec![0.0, 0.5, 1.0, 0.123_456_789, 0.25, 0.0];
        let grid = grid.with_probabilities(numbers).unwrap();
        there_and_back(&Loaded::in_memory(Map::anchored(grid, Anchoring::Assumed)));
        let navigation = NavigationClass::ALL.iter().copied().cycle().take(6).collect();
        there_and_back(&Loaded::in_memory(Map::new(Grid::of_navigation(geometry(), navigation).unwrap())));
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let head = |width: u64, extra: &str| {
            format!(
                "{{\"geometry\":{{\"width\":{width},\"height\":2,\"cell_size_m\":0.05,\"origin\":{{\"x_m\":0.0,\"y_m\":0.0,\"theta_rad\":0.0}}}},\
                 \"is_anchored\":true,\"navigation\":false,\"probabilities\":{extra},\"files\":[],\"findings\":[]}}\n"
            )
        };
        let with = |head: String, cells: &[u8]| {
            let mut bytes = head.into_bytes();
            let mut packed = DeflateEncoder::new(&mut bytes, Compression::fast());
            packed.write_all(cells).unwrap();
            packed.finish().unwrap();
            read_planes(&mut &bytes[..])
        };
        assert!(with(head(3, "false"), &[0, 1, 2, 0, 1, 2]).is_ok());
        assert_eq!(with(head(3, "false"), &[0, 1, 2, 0, 1, 3]).unwrap_err(), "a cell of no class");
        assert!(with(head(3, "true"), &[0, 1, 2, 0, 1, 2]).is_err());
        assert!(with(head(30_000_000_000, "false"), &[0; 6]).is_err(), "no memory is taken for it");
        assert!(with(head(30_000, "false"), &[0; 6]).is_err());
    }
}
