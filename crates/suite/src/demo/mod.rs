//! The whole tool on data it makes itself: a rescue arena, four teams that map it, their contest.
//!
//! [`mapping_demo`] does the same for mapping: a walk through a maze, three ways to map it, one report.
//!
//! Beside the contest lie maps of an office floor, damaged in known ways, for everybody who wants to try the other
//! commands.

mod arena;
mod mapping;
mod office_maps;
mod team;

use std::path::PathBuf;

use report::ContestReport;

use crate::contest::{ContestOptions, judge_contest};
use crate::files::contest::{ContestFolder, FolderStore, Secret, load_contest, write_contest};
use crate::files::{OutputFolder, RunName};
use crate::{Figures, JobError};
pub use mapping::{MappingDemo, mapping_demo};

/// The seed of the demonstration, where none is given.
pub const DEFAULT_SEED: u64 = 1;

/// What the demonstration made.
#[derive(Debug)]
pub struct Demo {
    /// The contest.
    pub contest: ContestReport,
    /// The contest file, to score it again.
    pub file: PathBuf,
    /// The page to open.
    pub html: PathBuf,
}

/// Makes an arena and the submissions of four teams in a folder, judges them, and writes the pages. The files that are
/// judged are in the folder before its results.
///
/// # Errors
/// The folder cannot be written to.
pub fn demo(folder: &OutputFolder, seed: u64, progress: &(dyn Fn(usize) + Sync)) -> Result<Demo, JobError> {
    office_maps::write_maps(folder, seed)?;
    let place = folder.below("contest");
    let arena = arena::RescueArena::new(seed)?;
    arena.write(&place)?;
    for team in team::teams(&arena, seed)? {
        team.write(&place)?;
    }
    place.write("contest.toml", team::contest_file(arena.start))?;
    place.write("rules.toml", team::rules())?;
    folder.commit()?;
    let file = place.path().join("contest.toml");
    let files = ContestFolder::from_file(&file)?;
    let out = folder.path().join("result");
    let options = ContestOptions { seed, figures: Figures::Draw, ..ContestOptions::default() };
    let store = FolderStore::new(out.join("cache"), Secret::of_user());
    let judged = judge_contest(&load_contest(&files)?, &files, &options, Some(&store), progress)?;
    let command = format!("mapjudge contest contest.toml --out result --resamples 1000 --seed {seed}");
    // As if `contest` had written it: the next run of that command takes its place.
    let run = RunName::of_command("contest", std::slice::from_ref(&file));
    let results = OutputFolder::guarded(&out, run, folder.overwrite());
    write_contest(&files, &judged, &results, &command)?;
    results.finish()?;
    Ok(Demo { contest: judged.report, file, html: out.join("index.html") })
}
