//! Where a contest keeps its state: `.mapjudge` beside the contest file, unless told otherwise.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use mapjudge::JobError;
use mapjudge::files::contest::ContestFolder;

use super::objects::Objects;
use super::store::{Database, StoreError};

/// The folder beside the contest file.
const FOLDER: &str = ".mapjudge";

/// Why the state of a contest cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The contest file.
    #[error(transparent)]
    Contest(#[from] JobError),
    /// An archive has no place beside it that is its own.
    #[error("a contest is served from a folder, not from an archive")]
    Archive,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The disk.
    #[error("{what}: {source}")]
    Disk {
        /// What was to be opened.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// Two servers would both write.
    #[error("another server runs this contest")]
    Locked,
}

/// Where things are.
#[derive(Clone, Debug)]
pub struct StatePlaces {
    /// The contest file or its folder.
    pub contest: PathBuf,
    /// `sqlite:PATH` or `postgres://..`; none for the file beside the contest.
    pub db: Option<String>,
    /// The folder of objects; none for the one beside the contest.
    pub objects: Option<PathBuf>,
}

/// A contest with its state open.
pub struct State {
    /// The contest.
    pub folder: ContestFolder,
    /// The database.
    pub db: Database,
    /// The objects.
    pub objects: Objects,
}

impl StatePlaces {
    /// The folder of the state, beside the contest file.
    #[must_use]
    pub fn own_folder(&self) -> PathBuf {
        let folder = if self.contest.is_dir() {
            &*self.contest
        } else {
            self.contest.parent().unwrap_or(Path::new(""))
        };
        folder.join(FOLDER)
    }

    /// Where the database is.
    #[must_use]
    pub fn db_url(&self) -> String {
        let own = || format!("sqlite:{}", self.own_folder().join("judge.db").display());
        self.db.clone().unwrap_or_else(own)
    }

    /// Where the objects are.
    #[must_use]
    pub fn objects_folder(&self) -> PathBuf {
        self.objects.clone().unwrap_or_else(|| self.own_folder().join("objects"))
    }

    /// Opens the contest and its state; makes an empty one the first time.
    ///
    /// # Errors
    /// Something of it cannot be opened.
    pub fn open(&self) -> Result<State, StateError> {
        let folder = ContestFolder::from_file(&self.contest)?;
        if self.contest.is_file() && self.contest.extension().is_some_and(|ending| ending != "toml") {
            return Err(StateError::Archive);
        }
        let disk = |what: &Path| {
            let what = what.display().to_string();
            move |source| StateError::Disk { what, source }
        };
        if self.db.is_none() || self.objects.is_none() {
            let own = self.own_folder();
            std::fs::create_dir_all(&own).map_err(disk(&own))?;
        }
        let place = self.objects_folder();
        let objects = Objects::open(&place).map_err(disk(&place))?;
        Ok(State { folder, db: Database::open(&self.db_url())?, objects })
    }

    /// Keeps others from serving the same contest while the answer lives.
    ///
    /// # Errors
    /// Somebody serves it.
    pub fn lock(&self) -> Result<File, StateError> {
        let place = self.objects_folder();
        let what = place.display().to_string();
        let folder = File::open(&place).map_err(|source| StateError::Disk { what, source })?;
        folder.try_lock().map_err(|_| StateError::Locked)?;
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_is_served_once() {
        let folder = tempfile::tempdir().unwrap();
        let text = "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n";
        std::fs::write(folder.path().join("contest.toml"), text).unwrap();
        let contest = folder.path().to_owned();
        let places = StatePlaces { contest, db: None, objects: None };
        places.open().unwrap();
        let first = places.lock().unwrap();
        assert!(matches!(places.lock(), Err(StateError::Locked)));
        drop(first);
        places.lock().unwrap();
        assert!(folder.path().join(".mapjudge/judge.db").exists());
    }
}
