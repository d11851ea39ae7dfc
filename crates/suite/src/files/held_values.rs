//! Values in memory under names that stand where a path would: a program that has a map in memory judges it as if it were
//! a file, with every command.
//!
//! A name is `memory:NUMBER/LABEL`. The number tells values apart; reports show the label alone, so that the same values give
//! the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use model::{Grid, Trajectory};

use crate::{Loaded, Map, Provenance, SourceRecord};

const PREFIX: &str = "memory:";
/// What the record of an input says about a value that has no file.
const FORMAT: &str = "memory";

static HELD: Mutex<BTreeMap<PathBuf, HeldValue>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A value that can be held.
#[derive(Clone, Debug)]
pub enum HeldValue {
    /// A map.
    Map(Loaded<Map>),
    /// Poses over time.
    Trajectory(Loaded<Trajectory>),
}

/// Keeps a value under its name, until it is dropped.
#[derive(Debug)]
pub struct Held(PathBuf);

impl Held {
    /// Holds a value; `label` is its name in reports.
    #[must_use]
    pub fn new(label: &str, value: HeldValue) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let label: String = label.chars().map(|c| if c == '/' || c == '\\' { '_' } else { c }).collect();
        let name = PathBuf::from(format!("{PREFIX}{number}/{label}"));
        held().insert(name.clone(), value);
        Self(name)
    }

    /// What to give where a path is expected.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        held().remove(&self.0);
    }
}

/// The label of a name in memory; none for any other path.
pub(super) fn label(path: &Path) -> Option<&str> {
    let (number, label) = path.to_str()?.strip_prefix(PREFIX)?.split_once('/')?;
    number.parse::<u64>().ok().map(|_| label)
}

/// The map of this name, if one is held.
pub(super) fn held_map(path: &Path) -> Option<Loaded<Map>> {
    label(path)?;
    match held().get(path) {
        Some(HeldValue::Map(map)) => Some(map.clone()),
        _ => None,
    }
}

/// The trajectory of this name, if one is held.
pub(super) fn held_trajectory(path: &Path) -> Option<Loaded<Trajectory>> {
    label(path)?;
    match held().get(path) {
        Some(HeldValue::Trajectory(trajectory)) => Some(trajectory.clone()),
        _ => None,
    }
}

fn held() -> MutexGuard<'static, BTreeMap<PathBuf, HeldValue>> {
    // A map of values is whole whatever a thread did that held it.
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Provenance {
    /// The record of cells that have no file: the hash is that of cells and geometry.
    #[must_use]
    pub fn of_grid(label: &str, grid: &Grid) -> Self {
        let mut hasher = blake3::Hasher::new();
        hash_classes(&mut hasher, grid.class_bytes());
        hash_numbers(&mut hasher, grid.probabilities().unwrap_or_default());
        hasher.update(grid.navigation_bytes().unwrap_or_default());
        // Last: pieces of a power of two that begin at a multiple of it are hashed many blocks at a time.
        let geometry = grid.geometry();
        let origin = geometry.origin();
        for size in [geometry.width(), geometry.height()] {
            hasher.update(&(size as u64).to_le_bytes());
        }
        for number in [geometry.cell_size_m(), origin.x_m, origin.y_m, origin.theta_rad] {
            hasher.update(&number.to_le_bytes());
        }
        Self::in_memory(label, &hasher)
    }

    /// The record of poses that have no file.
    #[must_use]
    pub fn of_trajectory(label: &str, trajectory: &Trajectory) -> Self {
        let mut hasher = blake3::Hasher::new();
        for pose in &trajectory.poses {
            let place = &pose.world_from_robot;
            let numbers = [pose.time_s].into_iter().chain(place.position_m).chain(place.rotation_xyzw);
            numbers.for_each(|number| _ = hasher.update(&number.to_le_bytes()));
        }
        Self::in_memory(label, &hasher)
    }

    fn in_memory(label: &str, hasher: &blake3::Hasher) -> Self {
        let record = SourceRecord {
            path: label.to_owned(),
            blake3: hasher.finalize().to_hex().to_string(),
            format: FORMAT.to_owned(),
            suffix: String::new(),
        };
        Self { files: vec![record], ..Self::default() }
    }
}

/// Bytes that are hashed at once.
const PIECE_BYTES: usize = 1 << 16;

/// Hashes classes four to a byte, which takes a third of the time.
fn hash_classes(hasher: &mut blake3::Hasher, classes: &[u8]) {
    let mut packed = Vec::with_capacity(PIECE_BYTES.min(classes.len()));
    for piece in classes.chunks(4 * PIECE_BYTES) {
        packed.clear();
        raster::packed_classes::pack(piece, &mut packed);
        hasher.update(&packed);
    }
}

/// Hashes numbers in little-endian order, many at a time.
fn hash_numbers(hasher: &mut blake3::Hasher, numbers: &[f64]) {
    let mut bytes = vec![[0_u8; 8]; numbers.len().min(PIECE_BYTES / 8)];
    for piece in numbers.chunks(PIECE_BYTES / 8) {
        for (target, number) in bytes.iter_mut().zip(piece) {
            *target = number.to_le_bytes();
        }
        hasher.update(bytes[..piece.len()].as_flattened());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Loader;

    fn map(rows: [&str; 1]) -> HeldValue {
        HeldValue::Map(Loaded::in_memory(Map::new(testkit::grid(rows))))
    }

    #[test]
    fn a_held_map_is_read_by_its_name_until_it_is_dropped() {
        let held = Held::new("mine", map(["#.?"]));
        let name = held.path().to_owned();
        let read = Loader::default().map(&name).unwrap();
        assert_eq!(read.value.grid.class_bytes(), [2, 0, 1]);
        drop(held);
        assert!(Loader::default().map(&name).is_err());
    }

    #[test]
    fn labels_are_shown_without_the_number() {
        let held = Held::new("a/b", map(["#"]));
        assert_eq!(label(held.path()), Some("a_b"));
        assert_eq!(super::super::shown_path(held.path()), "a_b");
        assert_eq!(label(Path::new("memory:x/map")), None);
    }

    #[test]
    fn the_hash_covers_geometry_and_cells() {
        let hash = |grid: &Grid| Provenance::of_grid("m", grid).files[0].blake3.clone();
        let grid = testkit::grid(["#.?"]);
        assert_eq!(hash(&grid), hash(&grid.clone()));
        assert_ne!(hash(&grid), hash(&testkit::grid(["#.."])));
        assert_ne!(hash(&grid), hash(&testkit::grid(["#", ".", "?"])));
        assert_ne!(hash(&grid), hash(&testkit::grid(["#.?."])), "as many bytes as before");
        let likely = |p: f64| testkit::grid(["#.?"]).with_probabilities(vec![p, 0.0, 0.5]).unwrap();
        assert_ne!(hash(&grid), hash(&likely(1.0)));
        assert_ne!(hash(&likely(0.9)), hash(&likely(1.0)));
    }

    /// The definition of the specification, cell by cell and number by number, for planes below, at and above the sizes of
    /// blocks and pieces.
    #[test]
    fn the_hash_is_that_of_the_specification() {
        let mut random = testkit::Random(5);
        for (width, height) in [(1, 1), (63, 1), (64, 4), (257, 1), (512, 512), (700, 500)] {
            let classes: Vec<model::CellClass> =
                (0..width * height).map(|_| model::CellClass::ALL[random.below(3)]).collect();
            let numbers: Vec<f64> = (0..width * height).map(|_| random.below(101) as f64 / 100.0).collect();
            let geometry =
                model::GridGeometry::new(width, height, 0.05, model::Pose2::new(1.0, 2.0, 0.5)).unwrap();
            let mut expected = Vec::new();
            for block in classes.chunks(256) {
                let class = |cell: usize| block.get(cell).map_or(0, |class| *class as u8);
                expected.extend((0..64).map(|byte| {
                    class(byte) + 4 * class(byte + 64) + 16 * class(byte + 128) + 64 * class(byte + 192)
                }));
            }
            expected.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            expected.extend([width, height].iter().flat_map(|size| (*size as u64).to_le_bytes()));
            expected.extend([0.05, 1.0, 2.0, 0.5_f64].iter().flat_map(|number| number.to_le_bytes()));
            let grid = Grid::new(geometry, classes).unwrap().with_probabilities(numbers).unwrap();
            let found = Provenance::of_grid("m", &grid).files[0].blake3.clone();
            assert_eq!(found, blake3::hash(&expected).to_hex().to_string(), "{width} x {height}");
        }
    }
}
