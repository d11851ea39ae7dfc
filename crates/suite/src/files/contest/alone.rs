//! One submission by itself, for a process that judges files of strangers on behalf of a server: it is told a contest
//! folder with that submission alone, and ends with it.

use serde::{Deserialize, Serialize};

use super::contest_file::{ContestFile, ContestFolder};
use crate::contest::{
    Contest, Fault, FileFinding, Measured, Role, Submission, key, load_and_measure, plan_of,
};
use crate::files::shown_path;
use crate::{Figures, JobError};

/// What can be said about a submission before anything of it is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubmissionCheck {
    /// The files by role, as the patterns of the contest choose them.
    pub roles: Vec<FilesOfRole>,
    /// What the linter noticed.
    pub findings: Vec<FileFinding>,
}

/// The files of a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesOfRole {
    /// What they are for.
    pub role: Role,
    /// Whether the submission is broken without one.
    pub is_required: bool,
    /// Their names, relative to the contest.
    pub files: Vec<String>,
    /// Why there is none that can be used.
    pub fault: Option<Fault>,
}

impl ContestFile {
    /// The same contest with one team and one mission, by their numbers.
    #[must_use]
    pub fn alone(&self, team: usize, mission: usize) -> Self {
        let (team, mission) = (self.teams[team].clone(), self.missions[mission].clone());
        let mut file = Self { teams: vec![team], missions: vec![mission], ..self.clone() };
        let name = file.missions[0].name.clone();
        file.teams[0].missions.retain(|known, _| *known == name);
        file
    }

    /// The file as TOML.
    ///
    /// # Errors
    /// A parameter under `set` that TOML cannot hold.
    pub fn to_toml(&self) -> Result<String, JobError> {
        toml::to_string(self)
            .map_err(|error| JobError::contest("contest", error.to_string(), "leave it out of [set]"))
    }
}

impl ContestFolder {
    /// The same contest with what its file would say instead; the rules stay.
    #[must_use]
    pub fn with_file(&self, file: ContestFile) -> Self {
        Self { file, ..self.clone() }
    }

    /// Looks at the files of a submission as the linter does.
    #[must_use]
    pub fn check_submission(&self, team: usize, mission: usize) -> SubmissionCheck {
        let found = self.team_files(team, mission);
        let findings = self.lint_findings(&self.loader_of(team, &found), &found);
        let is_required = |role: &Role| self.profile.inputs.get(role).is_some_and(|rule| rule.required);
        let named = |path: &std::path::PathBuf| {
            shown_path(path.strip_prefix(&found.root).unwrap_or(path)).replace('\\', "/")
        };
        let of_files = found.files.iter().map(|(role, files)| FilesOfRole {
            role: *role,
            is_required: is_required(role),
            files: files.iter().map(named).collect(),
            fault: found.faults.get(role).cloned(),
        });
        let of_faults = found.faults.iter().filter(|(role, _)| !found.files.contains_key(role));
        let of_faults = of_faults.map(|(role, fault)| FilesOfRole {
            role: *role,
            is_required: is_required(role),
            files: Vec::new(),
            fault: Some(fault.clone()),
        });
        let mut roles: Vec<FilesOfRole> = of_files.chain(of_faults).collect();
        roles.sort_by_key(|files| files.role);
        SubmissionCheck { roles, findings }
    }

    /// Reads and measures a submission in this process, by the contest as [`load_contest`](super::load_contest) loaded it. Whatever
    /// is wrong with the submission is a result; nothing was read if reading came to no end.
    #[must_use]
    pub fn measure_submission(
        &self,
        contest: &Contest,
        place: (usize, usize),
        figures: Figures,
    ) -> (Option<Submission>, Measured) {
        load_and_measure(contest, self, figures, place)
    }
}

impl Contest {
    /// The key of the measurement of a submission with this hash, by the numbers of team and mission: submission, truth, rules
    /// and program together. None if a part of the truth has no file behind it.
    #[must_use]
    pub fn measurement_key(
        &self,
        (team, mission): (usize, usize),
        figures: Figures,
        content: &str,
    ) -> Option<String> {
        let at = &self.missions[mission];
        key(self, at, &plan_of(self, at, figures), (&self.teams[team], content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{ContestOptions, judge_contest, measure_one};
    use crate::files::contest::load_contest;

    const TRUTH: &str = "##########\n#........#\n#........#\n#....#####\n##########\n";

    /// A contest of two teams and two missions, with the files of one team in folders of the missions.
    fn contest(folder: &std::path::Path) -> ContestFolder {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let map = |rows: &str| {
            let (width, height) = (10, rows.lines().count());
            let value = |c: char| if c == '#' { "0 " } else { "254 " };
            let cells: String = rows.chars().filter(|c| *c != '\n').map(value).collect();
            format!("P2\n{width} {height}\n255\n{cells}\n")
        };
        let yaml = "image: map.pgm\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n";
        for (place, rows) in [
            ("truth", TRUTH.to_owned()),
            ("a/one", TRUTH.to_owned()),
            ("a/two", TRUTH.replacen("#....#", "#.....", 1)),
            ("b", TRUTH.replacen("#........#", "#...##...#", 1)),
        ] {
            write(&format!("{place}/map.yaml"), yaml);
            write(&format!("{place}/map.pgm"), &map(&rows));
        }
        write(
            "rules.toml",
            "name = 'r'\ntitle = 'R'\nsource = 'test'\nformula = 'I'\nbetter = 'higher'\n\
             [inputs.map]\npattern = 'map.yaml'\nrequired = true\n[[parts]]\nname = 'I'\ntitle = 'Walls'\n\
             from = { kind = 'measured', value = 'occupied_iou' }\n",
        );
        let text = "profile = 'rules.toml'\ntruth = { map = 'truth/map.yaml' }\n[[missions]]\nname = 'one'\n[[missions]]\nname = 'two'\n\
                    [[teams]]\nname = 'A'\nfolder = 'nothing'\n[teams.missions.one]\nfolder = 'a/one'\n\
                    [teams.missions.two]\nfolder = 'a/two'\n[[teams]]\nname = 'B'\nfolder = 'b'\n\
                    [teams.missions.two]\nbroken = 'it took longer than 300 s'\n";
        write("contest.toml", text);
        ContestFolder::from_file(&folder.join("contest.toml")).unwrap()
    }

    #[test]
    fn a_mission_has_a_folder_of_its_own_and_one_that_cannot_be_judged_is_broken_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let contest = contest(folder.path());
        let options = ContestOptions { resamples: 0, ..ContestOptions::default() };
        let judged =
            judge_contest(&load_contest(&contest).unwrap(), &contest, &options, None, &|_| ()).unwrap();
        let score =
            |team: usize, mission: usize| judged.entries[team][mission].measured.value("occupied_iou");
        let number = |team, mission| match score(team, mission) {
            Ok(metrics::Quantity::Number(number)) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!(number(0, 0), 1.0);
        assert!(number(0, 1) < 1.0 && number(1, 0) < 1.0);
        assert_eq!(score(1, 1), Err("it took longer than 300 s".to_owned()));
        assert_eq!(judged.entries[0][1].measured.inputs[0].path, "a/two/map.yaml");
        assert!(judged.entries[1][1].measured.inputs.is_empty(), "no file of it is opened");
    }

    #[test]
    fn a_submission_alone_gives_what_it_gives_among_others() {
        let folder = tempfile::tempdir().unwrap();
        let contest = contest(folder.path());
        let loaded = load_contest(&contest).unwrap();
        for (team, mission) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let whole = measure_one(&loaded, &contest, Figures::None, (team, mission));
            let text = contest.file.alone(team, mission).to_toml().unwrap();
            let alone = ContestFolder::parse(&text, "contest.toml", folder.path().to_owned()).unwrap();
            let own = load_contest(&alone).unwrap();
            assert_eq!(alone.measure_submission(&own, (0, 0), Figures::None).1, whole, "{team} {mission}");
        }
    }

    #[test]
    fn the_key_changes_with_files_frame_truth_and_mission() {
        let folder = tempfile::tempdir().unwrap();
        let contest = contest(folder.path());
        let loaded = load_contest(&contest).unwrap();
        let key = |place, files: &str, frame| {
            let content = contest.content(place, files, frame);
            loaded.measurement_key(place, Figures::None, &content).unwrap()
        };
        let keys =
            [key((0, 0), "x", None), key((0, 0), "y", None), key((0, 1), "x", None), key((1, 0), "x", None)];
        for (index, one) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(one), "{index}");
        }
        let mut laid = contest.clone();
        laid.file.teams[0].align = Some("frames/a.json".into());
        let content = |frame| laid.content((0, 0), "x", frame);
        assert_ne!(content(Some("1")), content(Some("2")));
        assert_ne!(content(Some("1")), contest.content((0, 0), "x", None));
    }

    #[test]
    fn a_check_names_the_files_of_each_role_and_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let contest = contest(folder.path());
        let check = contest.check_submission(0, 1);
        assert_eq!((check.roles.len(), check.roles[0].role), (1, Role::Map));
        assert_eq!(check.roles[0].files, ["a/two/map.yaml"]);
        std::fs::remove_file(folder.path().join("a/two/map.yaml")).unwrap();
        let check = contest.check_submission(0, 1);
        assert!(check.roles[0].is_required && check.roles[0].files.is_empty());
        assert!(check.roles[0].fault.as_ref().is_some_and(|fault| fault.why.contains("map.yaml")));
    }
}
