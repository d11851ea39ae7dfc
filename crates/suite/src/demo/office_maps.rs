//! An office floor and maps of it that were damaged in known ways.

use formats::write_ros_map;
use model::Grid;
use sim::damage::EXAMPLES;
use sim::place::{OfficePlan, office};

use crate::JobError;
use crate::files::OutputFolder;

/// Writes `truth.yaml` and one map per kind of damage.
pub(super) fn write_maps(folder: &OutputFolder, seed: u64) -> Result<(), JobError> {
    let place = office(&OfficePlan { seed, ..OfficePlan::default() })?;
    write_map(folder, "truth", &place)?;
    for damage in EXAMPLES.iter().filter(|damage| damage.name != "unseen") {
        write_map(folder, damage.name, &(damage.apply)(&place, seed)?)?;
    }
    Ok(())
}

/// Writes a map as YAML and PGM.
pub(super) fn write_map(folder: &OutputFolder, name: &str, grid: &Grid) -> Result<(), JobError> {
    let (yaml, pgm) = write_ros_map(grid, &format!("{name}.pgm"));
    folder.write(&format!("{name}.pgm"), pgm)?;
    folder.write(&format!("{name}.yaml"), yaml)
}
