//! Transform files that judges made for teams, named in the contest file.

use std::path::Path;

use super::contest_file::{ContestFolder, TeamEntry};
use super::mission_entry::MissionEntry;
use crate::files::loader::Loader;
use crate::{AlignmentFile, JobError, Loaded};

impl ContestFolder {
    /// Reads every transform file once: one that cannot be used is the judges' fault, and no team's.
    pub(super) fn check_frames(&self) -> Result<(), JobError> {
        let missions = &self.file.missions;
        let mut pairs =
            self.file.teams.iter().flat_map(|team| missions.iter().map(move |mission| (team, mission)));
        pairs.try_for_each(|(team, mission)| self.frame(team, mission).map(|_| ()))
    }

    /// The transform file of a team in a mission, if the judges made one.
    pub(super) fn frame_path<'a>(&self, team: &'a TeamEntry, mission: &MissionEntry) -> Option<&'a Path> {
        let own = team.missions.get(&mission.name).and_then(|own| own.align.as_deref());
        own.or(team.align.as_deref())
    }

    /// Reads the transform file of a team in a mission.
    pub(super) fn frame(
        &self,
        team: &TeamEntry,
        mission: &MissionEntry,
    ) -> Result<Option<Loaded<AlignmentFile>>, JobError> {
        let loader = Loader { root: Some(self.folder.clone()), ..Loader::default() };
        self.frame_path(team, mission).map(|path| loader.alignment(&self.folder.join(path))).transpose()
    }
}
