//! An office floor and maps of it that were damaged in known ways.

use std::path::Path;

use formats::write_ros_map;
use model::Grid;
use sim::damage::DAMAGES;
use sim::place::{OfficePlan, office};

use super::write;
use crate::JobError;

/// Writes `truth.yaml` and one map per kind of damage.
pub(super) fn write_maps(folder: &Path, seed: u64) -> Result<(), JobError> {
    let place = office(&OfficePlan { seed, ..OfficePlan::default() })?;
    write_map(folder, "truth", &place)?;
    for damage in DAMAGES.iter().filter(|damage| damage.name != "unseen") {
        write_map(folder, damage.name, &(damage.apply)(&place, seed)?)?;
    }
    Ok(())
}

/// Writes a map as YAML and PGM.
pub(super) fn write_map(folder: &Path, name: &str, grid: &Grid) -> Result<(), JobError> {
    let (yaml, pgm) = write_ros_map(grid, &format!("{name}.pgm"));
    write(&folder.join(format!("{name}.pgm")), &pgm)?;
    write(&folder.join(format!("{name}.yaml")), yaml.as_bytes())
}
