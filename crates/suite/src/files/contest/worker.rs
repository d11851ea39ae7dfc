//! The other side of [`super::Workers`]: a process that is told a contest and measures the submissions it is asked for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contest_file::{ContestFile, ContestFolder};
use super::load::load_contest;
use crate::contest::{Contest, Profile, measure_one};
use crate::files::archive::Unpacked;
use crate::files::worker_process::READY;
use crate::{Figures, JobError};

/// A contest as one process tells it to another. File and rules are TOML, which has every number that they may hold.
#[derive(Serialize, Deserialize)]
pub(super) struct Task {
    file: String,
    profile: String,
    folder: PathBuf,
    archives: BTreeMap<PathBuf, Result<Place, String>>,
    is_drawn: bool,
}

/// Where an archive was unpacked.
#[derive(Serialize, Deserialize)]
struct Place {
    root: PathBuf,
    folder: PathBuf,
}

impl Task {
    pub(super) fn of(folder: &ContestFolder, figures: Figures) -> Self {
        let place = |unpacked: &Arc<Unpacked>| Place {
            root: unpacked.root().to_owned(),
            folder: unpacked.folder().to_owned(),
        };
        let archives = folder.archives.iter();
        let archives =
            archives.map(|(path, found)| (path.clone(), found.as_ref().map(place).map_err(Clone::clone)));
        Self {
            file: toml::to_string(&folder.file).unwrap_or_default(),
            profile: toml::to_string(&folder.profile).unwrap_or_default(),
            folder: folder.folder.clone(),
            archives: archives.collect(),
            is_drawn: figures == Figures::Draw,
        }
    }

    /// One line, with its end.
    pub(super) fn to_line(&self) -> Result<Vec<u8>, JobError> {
        let wrong = |error: serde_json::Error| {
            JobError::contest("contest", error.to_string(), "name folders and files in letters of Unicode")
        };
        let mut line = serde_json::to_vec(self).map_err(wrong)?;
        line.push(b'\n');
        Ok(line)
    }

    fn from_line(line: &str) -> Result<(ContestFolder, Figures), String> {
        let task: Self = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let file: ContestFile = toml::from_str(&task.file).map_err(|error| error.to_string())?;
        let profile: Profile = toml::from_str(&task.profile).map_err(|error| error.to_string())?;
        // The archives belong to the process that unpacked them.
        let borrowed = |place: Place| Arc::new(Unpacked::borrowed(place.root, place.folder));
        let archives = task.archives.into_iter().map(|(path, place)| (path, place.map(borrowed)));
        let folder = ContestFolder { file, profile, folder: task.folder, archives: archives.collect() };
        Ok((folder, if task.is_drawn { Figures::Draw } else { Figures::None }))
    }
}

/// A process that measures submissions for another one.
pub struct ContestWorker {
    folder: ContestFolder,
    contest: Contest,
    figures: Figures,
}

impl ContestWorker {
    /// Takes the first line and loads the truth; with the answer.
    ///
    /// # Errors
    /// Why it cannot measure anything; that is the answer then.
    pub fn new(line: &str) -> Result<(Self, Vec<u8>), String> {
        let (folder, figures) = Task::from_line(line)?;
        let contest = load_contest(&folder).map_err(|error| error.to_string())?;
        Ok((Self { folder, contest, figures }, READY.to_owned()))
    }

    /// The answer to a line with the numbers of team and mission; none to any other line.
    #[must_use]
    pub fn answer(&self, line: &str) -> Option<Vec<u8>> {
        let (team, mission) = line.trim().split_once(' ')?;
        let (team, mission) = (team.parse().ok()?, mission.parse().ok()?);
        if team >= self.contest.teams.len() || mission >= self.contest.missions.len() {
            return None;
        }
        let measured = measure_one(&self.contest, &self.folder, self.figures, (team, mission));
        serde_json::to_vec(&measured).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::SHIPPED;

    #[test]
    fn a_contest_is_the_same_in_another_process() {
        for (name, _) in SHIPPED {
            let text = format!(
                "profile = '{name}'\nstart = [1, -0.25]\n[files]\nmap = 'a?.tif'\n[truth]\nmap = ['a', 'b']\n\
                 [[missions]]\nname = 'one'\nweight = 0.1\n[[teams]]\nname = 'ü \"x\"'\nfolder = 'a'\n\
                 start_pose = {{ x_m = 1e-300, y_m = 2 }}\n[teams.missions.one]\noperators = 2\n"
            );
            let folder = ContestFolder::parse(&text, "contest.toml", PathBuf::from("/some/where")).unwrap();
            let line = String::from_utf8(Task::of(&folder, Figures::Draw).to_line().unwrap()).unwrap();
            assert_eq!(line.matches('\n').count(), 1);
            let (told, figures) = Task::from_line(&line).unwrap();
            assert_eq!((told, figures), (folder, Figures::Draw), "{name}");
        }
    }
}
