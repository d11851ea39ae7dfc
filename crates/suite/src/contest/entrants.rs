//! A contest as a value: missions with their truth, teams with their submissions, and the rules that score.

use std::collections::BTreeMap;

use metrics::Family;
use model::Finding;
use report::Input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::character_matrix::CharacterMatrix;
use super::formula::Quantity;
use super::place::Place;
use super::profile::Profile;
use super::role::Role;
use super::store::content_of;
use crate::floors::{Building, FloorMaps};
use crate::{AlignmentFile, Plan, Subject, Truth};

/// A contest, apart from what the teams hand in.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Title of the pages.
    pub title: String,
    /// The rules in effect.
    pub profile: Profile,
    /// How the scores of several missions become one.
    pub combine: Combine,
    /// At least one.
    pub missions: Vec<Mission>,
    /// Names of the teams.
    pub teams: Vec<String>,
}

/// How the scores of several missions become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// Their weighted sum.
    #[default]
    Sum,
    /// Their weighted mean.
    Mean,
    /// The best of them; weights do not count.
    Best,
}

impl Combine {
    /// The word in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Best => "best",
        }
    }
}

/// One mission with its truth.
#[derive(Clone, Debug, Default)]
pub struct Mission {
    /// Name; empty for the only one.
    pub name: String,
    /// How much the mission counts.
    pub weight: f64,
    /// Where robots and responders enter, x and y in metres in the coordinate frame of the truth.
    pub start: Option<[f64; 2]>,
    /// What subjects are judged against.
    pub truth: Truth,
    /// The floors of a place with several, each with a truth map of its own.
    pub building: Option<Building>,
    /// True artifacts.
    pub artifacts: Option<Vec<Place>>,
    /// The answer of the junior league.
    pub matrix: Option<CharacterMatrix>,
    /// The files of the truth.
    pub inputs: Vec<Input>,
}

impl Mission {
    /// A mission with this truth, alone in its contest.
    #[must_use]
    pub fn new(truth: Truth) -> Self {
        Self { weight: 1.0, truth, ..Self::default() }
    }
}

/// What a team hands in for a mission.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Map, trajectory, points and annotations.
    pub subject: Subject,
    /// Maps of several floors, in place of the subject's map.
    pub floors: Option<FloorMaps>,
    /// Reported artifacts.
    pub artifacts: Option<Vec<Place>>,
    /// The map of the junior league.
    pub matrix: Option<CharacterMatrix>,
    /// Human operators, at least one.
    pub operators: u32,
    /// What judges entered, under the name of a part, of a criterion or of a measured value.
    pub entered: BTreeMap<String, Quantity>,
    /// Who entered a value and why, under the same name.
    pub signatures: BTreeMap<String, Signature>,
    /// Where the map lies on the truth, if a judge says so; it goes over the alignment of the rules.
    pub transform: Option<AlignmentFile>,
    /// Why it cannot be judged at all, if somebody found that out before.
    pub broken: Option<String>,
    /// Files that are missing or cannot be used, by role.
    pub faults: BTreeMap<Role, Fault>,
    /// What the linter and the readers noticed.
    pub findings: Vec<FileFinding>,
    /// The files, with a hash of every byte that was read.
    pub inputs: Vec<Input>,
}

/// Who entered a value and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The judge.
    pub by: Option<String>,
    /// The reason.
    pub reason: Option<String>,
}

/// Why there is nothing for a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// In words.
    pub why: String,
    /// What became of the file.
    pub kind: FaultKind,
}

/// What became of the file of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// There is none.
    Missing,
    /// It cannot be used.
    Unreadable,
    /// Several files fit, and only a judge can say which counts: no score, and no zero either.
    Ambiguous,
}

/// A finding and its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFinding {
    /// File, relative to the contest.
    pub file: String,
    /// What was found.
    pub finding: Finding,
}

impl Submission {
    /// A submission of one subject, by one operator.
    #[must_use]
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            floors: None,
            artifacts: None,
            matrix: None,
            operators: 1,
            entered: BTreeMap::new(),
            signatures: BTreeMap::new(),
            transform: None,
            broken: None,
            faults: BTreeMap::new(),
            findings: Vec::new(),
            inputs: Vec::new(),
        }
    }
}

/// What organisers and judges state about a submission, beside its files.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// Human operators, at least one.
    pub operators: u32,
    /// What judges entered, under the name of a part, of a criterion or of a measured value.
    pub entered: BTreeMap<String, Quantity>,
    /// Who entered a value and why, under the same name.
    pub signatures: BTreeMap<String, Signature>,
}

impl From<Submission> for Stated {
    fn from(submission: Submission) -> Self {
        let Submission { operators, entered, signatures, .. } = submission;
        Self { operators, entered, signatures }
    }
}

/// Where submissions come from. They are loaded one by one, so that a contest of hundreds fits into memory.
pub trait Submissions: Sync {
    /// The submission of a team in a mission; what cannot be read is a fault of the submission.
    fn load(&self, team: usize, mission: usize) -> Submission;

    /// What is stated about a submission; an implementation over files opens none of them.
    fn stated(&self, team: usize, mission: usize) -> Stated {
        self.load(team, mission).into()
    }

    /// By mission, a hash of everything that `load` may read and of how it reads it: equal hashes mean equal
    /// submissions. None, or a list that is too short: unknown, and nothing is stored.
    fn contents(&self, _team: usize) -> Vec<Option<String>> {
        Vec::new()
    }

    /// Whether a judge entered a value of this name for a team in a mission.
    fn has_entered(&self, team: usize, mission: usize, name: &str) -> bool;
}

/// Submissions in memory, by team, then by mission.
impl Submissions for Vec<Vec<Submission>> {
    fn load(&self, team: usize, mission: usize) -> Submission {
        let found = self.get(team).and_then(|missions| missions.get(mission));
        found.cloned().unwrap_or_else(|| Submission::new(Subject::default()))
    }

    fn contents(&self, team: usize) -> Vec<Option<String>> {
        self.get(team).into_iter().flatten().map(content_of).collect()
    }

    fn has_entered(&self, team: usize, mission: usize, name: &str) -> bool {
        let found = self.get(team).and_then(|missions| missions.get(mission));
        found.is_some_and(|submission| submission.entered.contains_key(name))
    }
}

impl Contest {
    /// The plan of a mission: that of the profile, with the metrics that its parts ask for.
    #[must_use]
    pub fn plan(&self, mission: &Mission) -> Plan {
        let mut plan = self.profile.plan.clone();
        let asked = self.profile.metrics();
        let named = plan.metrics.iter().map(String::as_str).chain(asked).filter_map(metrics::find);
        let ids = named.map(|entry| entry.spec.id.to_owned());
        // Coverage stands beside every score.
        let mut ids: Vec<String> = ids.chain(["known_coverage".to_owned()]).collect();
        ids.sort();
        ids.dedup();
        plan.metrics = ids;
        plan.set.retain(|id, _| metrics::find(id).is_some());
        plan.profile = String::new();
        if let Some(start) = mission.start {
            plan.paths.get_or_insert_default().start = Some(start);
        }
        plan
    }
}

/// Which part of a subject a metric reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    Map,
    Trajectory,
    Points,
}

/// The role whose file a metric or a rule is measured on.
pub(super) fn owner(name: &str) -> Role {
    match (name, reads(name)) {
        ("artifacts", _) => Role::Artifacts,
        ("matrix", _) => Role::Matrix,
        (_, Reads::Map) => Role::Map,
        (_, Reads::Trajectory) => Role::Trajectory,
        (_, Reads::Points) => Role::Points,
    }
}

/// The part of a subject that a metric reads.
pub(super) fn reads(id: &str) -> Reads {
    match metrics::find(id).map(|entry| entry.spec.family) {
        Some(Family::Trajectory) => Reads::Trajectory,
        _ if id == "point_score" => Reads::Points,
        _ => Reads::Map,
    }
}
