//! The words of a command: places filled in, files beside the tool file and programs found.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use metrics::Detail;

use crate::conform::Staged;
use crate::files::foreign_program::find_program;

/// What the places of a command stand for.
pub(super) struct Placed<'a> {
    pub folder: &'a Path,
    pub staged: &'a Staged<'a>,
    pub metric: &'a str,
    pub params: &'a Detail,
}

/// Places that stand for files of a vector.
const FILE_PLACES: [&str; 4] = ["{truth}", "{map}", "{estimate}", "{relations}"];

/// Whether a vector has a file for each place of a command.
pub(super) fn has_places(command: &[String], staged: &Staged<'_>) -> bool {
    let is_there = |place: &&str| staged.places.iter().any(|(known, _)| known == place);
    let is_named = |place: &&&str| command.iter().any(|word| word.contains(**place));
    FILE_PLACES.iter().filter(is_named).all(is_there)
}

/// The words of a command for a vector. A word with `{set}` is repeated for each parameter.
pub(super) fn words_for(command: &[String], placed: &Placed<'_>, out_name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in command {
        let mut word = word.replace("{metric}", placed.metric);
        for (place, name) in &placed.staged.places {
            word = word.replace(place, &placed.folder.join(name).display().to_string());
        }
        word = word.replace("{out}", &placed.folder.join(out_name).display().to_string());
        if !word.contains("{set}") {
            words.push(word);
            continue;
        }
        words.extend(placed.params.iter().map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            word.replace("{set}", &format!("{}.{name}={value}", placed.metric))
        }));
    }
    words
}

/// Where the programs of a tool file are.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// The folder of the tool file.
    pub beside: &'a Path,
    /// Folders that are searched before those of the system.
    pub search: &'a [PathBuf],
    /// The words that start this program.
    pub this_program: &'a [OsString],
}

/// The words with the program found and files beside the tool file as absolute paths. `{mapjudge}` is this program.
///
/// # Errors
/// There is no such program.
pub(super) fn resolved(words: &[String], places: Places<'_>) -> Result<Vec<OsString>, String> {
    let Places { beside, search, this_program } = places;
    let (program, arguments) = words.split_first().ok_or_else(|| "the command is empty".to_owned())?;
    let mut found = if program == "{mapjudge}" {
        this_program.to_vec()
    } else {
        let found = file_beside(program, beside).or_else(|| find_program(program, search));
        vec![found.ok_or_else(|| format!("the program '{program}' was not found"))?.into_os_string()]
    };
    let argument =
        |word: &String| file_beside(word, beside).map_or_else(|| word.into(), PathBuf::into_os_string);
    found.extend(arguments.iter().map(argument));
    Ok(found)
}

/// The absolute path of a file beside the tool file; none if the word names no such file.
fn file_beside(word: &str, beside: &Path) -> Option<PathBuf> {
    if word.is_empty() || word.starts_with('-') || word.len() > 1000 {
        return None;
    }
    let path = beside.join(word);
    // Links are kept: an interpreter of a virtual environment is one.
    path.is_file().then(|| std::path::absolute(path).ok()).flatten()
}
