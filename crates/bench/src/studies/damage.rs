//! `mapjudge-study damage`: processor time of every kind of damage to a map of 4000 x 4000 cells, with all files that `mapjudge damage`
//! writes (X-DAMAGE, at most one second).

use std::path::Path;

use mapjudge::files::map_files;
use mapjudge::{DamagedMap, Loaded, Map};
use model::{CellClass, Grid, GridGeometry, Pose2};
use sim::damage::{Chain, KINDS, Link};

use super::Findings;
use crate::inputs::BenchError;
use crate::measure::cpu_s;

const SIDE_CELLS: usize = 4000;
const MAX_S: f64 = 1.0;
/// The level of each kind, where its ladder has so many.
const LEVEL: usize = 3;
/// The best of so many runs counts: others use the machine too.
const RUNS: usize = 3;

pub fn run(_: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let map = Loaded::in_memory(Map::new(rooms()?));
    for kind in KINDS {
        let level = LEVEL.min(kind.spec.ladder.len());
        let Some(strength) = kind.level(level) else { continue };
        let chain = Chain(vec![Link { kind, strength }]);
        let mut best_s = f64::INFINITY;
        let mut bytes = None;
        for _ in 0..RUNS {
            let start_s = cpu_s();
            bytes = written_bytes(&map, &chain);
            best_s = best_s.min(cpu_s() - start_s);
        }
        let name = kind.spec.name;
        match bytes {
            Some(bytes) => {
                let line = format!("{name:<13} {best_s:.2} s, {:.1} MB of files", bytes as f64 / 1e6);
                findings.line(line, best_s <= MAX_S);
            }
            None => findings.table.push(format!("{name:<13} nothing to damage")),
        }
    }
    Ok(findings)
}

/// Size of all files of a damaged map; none where the map has nothing to damage.
fn written_bytes(map: &Loaded<Map>, chain: &Chain) -> Option<usize> {
    let damaged = DamagedMap::new(map, chain, 1).ok()?;
    let files = map_files(damaged.map(), "map", "yaml").ok()?;
    let map_bytes: usize = files.into_iter().map(|(_, bytes)| bytes.len()).sum();
    Some(map_bytes + damaged.changed_png().ok()?.len() + damaged.field_tif().ok()?.len())
}

/// Rooms of 3 m with walls of two cells and openings of 0.6 m.
fn rooms() -> Result<Grid, BenchError> {
    let geometry = GridGeometry::new(SIDE_CELLS, SIDE_CELLS, 0.05, Pose2::IDENTITY);
    let geometry = geometry.map_err(BenchError::study)?;
    let is_wall = |a: usize, b: usize| a % 60 < 2 && !(20..32).contains(&(b % 60));
    let class = |index: usize| {
        let (x, y) = (index % SIDE_CELLS, index / SIDE_CELLS);
        if is_wall(x, y) || is_wall(y, x) { CellClass::Occupied } else { CellClass::Free }
    };
    Grid::new(geometry, (0..geometry.cells()).map(class).collect()).map_err(BenchError::study)
}
