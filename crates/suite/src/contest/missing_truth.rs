//! What the truth lacks, so that nobody can be scored: the fault of the judge, which must not fall on the teams.

use std::collections::BTreeMap;

use metrics::Family;

use super::entrants::{Contest, Mission, Submissions};
use super::part::{Part, Source};
use super::role::Role;
use crate::JobError;

/// A file of the truth without which parts of the score are undefined for every team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTruth {
    /// The mission; empty for the only one.
    pub mission: String,
    /// What the truth lacks.
    pub role: Role,
    /// Names of the parts that rest on it.
    pub parts: Vec<String>,
}

impl MissingTruth {
    /// What is missing, in words.
    #[must_use]
    pub fn message(&self) -> String {
        let role = self.role.name();
        let mission =
            if self.mission.is_empty() { String::new() } else { format!(" for mission '{}'", self.mission) };
        format!("the contest names no true {role}{mission}: without it no team has {}", self.parts.join(", "))
    }

    /// What a judge can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let role = self.role.name();
        format!("add {role} = \"FILE\" under [truth], or enter the values of every team")
    }
}

impl From<&MissingTruth> for JobError {
    fn from(missing: &MissingTruth) -> Self {
        Self::contest("truth", missing.message(), missing.hint())
    }
}

/// Everything that the truth lacks. A part that judges entered for every team needs no truth.
#[must_use]
pub fn missing_truth(contest: &Contest, submissions: &dyn Submissions) -> Vec<MissingTruth> {
    let mut all = Vec::new();
    for (index, mission) in contest.missions.iter().enumerate() {
        let mut lacking: BTreeMap<Role, Vec<String>> = BTreeMap::new();
        let is_entered = |part: &Part| {
            (0..contest.teams.len()).all(|team| {
                let entered = |name: &str| submissions.has_entered(team, index, name);
                entered(&part.name) || names(part).into_iter().any(entered)
            })
        };
        for part in contest.profile.parts.iter().filter(|part| part.if_undefined.is_none()) {
            if let Some(role) = lacks(part, mission).filter(|_| !is_entered(part)) {
                lacking.entry(role).or_default().push(part.name.clone());
            }
        }
        let name = &mission.name;
        all.extend(lacking.into_iter().map(|(role, parts)| MissingTruth {
            mission: name.clone(),
            role,
            parts,
        }));
    }
    all
}

/// Names under which a judge may enter what a part rests on.
fn names(part: &Part) -> Vec<&str> {
    match &part.from {
        Source::Measured { value } => vec![value],
        Source::Exploration { area, .. } => vec![area],
        Source::MapQuality { criteria, .. } => {
            criteria.iter().flat_map(|criterion| [criterion.name.as_str(), &criterion.value]).collect()
        }
        _ => Vec::new(),
    }
}

/// What the truth of a mission lacks for a part; of criteria, if it lacks something for each.
fn lacks(part: &Part, mission: &Mission) -> Option<Role> {
    match &part.from {
        Source::Measured { value } => lacks_for(value, mission),
        Source::Exploration { area, .. } => lacks_for(area, mission),
        Source::MapQuality { criteria, .. } => {
            let lacking: Option<Vec<Role>> =
                criteria.iter().map(|criterion| lacks_for(&criterion.value, mission)).collect();
            lacking?.into_iter().next()
        }
        Source::Expression { .. } | Source::Operators | Source::Judge { .. } => None,
    }
}

fn lacks_for(value: &str, mission: &Mission) -> Option<Role> {
    let name = value.split('.').next().unwrap_or(value);
    needed(name).iter().copied().find(|role| !has(mission, *role))
}

/// Whether a metric needs a layout of the truth, and no map of it.
pub(crate) fn needs_layout_alone(id: &str) -> bool {
    needed(id) == [Role::Layout]
}

/// What the truth must have for a metric or a rule.
fn needed(name: &str) -> &'static [Role] {
    match (name, metrics::find(name).map(|entry| entry.spec.family)) {
        ("artifacts", _) => &[Role::Artifacts],
        ("matrix", _) => &[Role::Matrix],
        ("point_score", _) => &[Role::Points],
        ("relative_displacement", _) => &[Role::Relations],
        ("victims", _) => &[Role::Map, Role::Victims],
        (_, Some(Family::Trajectory)) => &[Role::Trajectory],
        ("fiducial_topology", _) => &[Role::Map, Role::Layout],
        (_, Some(Family::Fiducials)) => &[Role::Layout],
        (_, Some(_)) => &[Role::Map],
        (_, None) => &[],
    }
}

fn has(mission: &Mission, role: Role) -> bool {
    let truth = &mission.truth;
    match role {
        Role::Map => truth.map.is_some() || mission.building.is_some(),
        Role::Points => truth.points.is_some(),
        Role::Trajectory => truth.trajectory.is_some(),
        Role::Relations => truth.relations.is_some(),
        Role::Layout => truth.layout.is_some(),
        Role::Artifacts => mission.artifacts.is_some(),
        Role::Matrix => mission.matrix.is_some(),
        Role::Victims => truth.annotations.as_ref().is_some_and(|notes| notes.value.victims.is_some()),
        Role::Path | Role::Annotations => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use crate::contest::{Combine, ContestOptions, Profile, Quantity, Submission, judge_contest};

    fn contest(profile: &str) -> Contest {
        Contest {
            title: String::new(),
            profile: Profile::shipped(profile).unwrap(),
            combine: Combine::Sum,
            missions: vec![Mission { weight: 1.0, ..Mission::default() }],
            teams: vec!["a".to_owned(), "b".to_owned()],
        }
    }

    fn teams() -> Vec<Vec<Submission>> {
        vec![vec![Submission::new(Subject::default())], vec![Submission::new(Subject::default())]]
    }

    #[test]
    fn a_contest_without_truth_is_the_fault_of_the_judge_under_every_profile() {
        for (name, _) in crate::contest::SHIPPED {
            let missing = missing_truth(&contest(name), &teams());
            assert!(!missing.is_empty(), "{name}");
            let judged = judge_contest(&contest(name), &teams(), &ContestOptions::default(), None, &|_| {});
            let error = judged.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("the contest names no true"), "{name}: {error}");
        }
        let missing = missing_truth(&contest("rrl-2025"), &teams());
        assert_eq!((missing.len(), missing[0].role), (1, Role::Points));
        assert_eq!(missing[0].parts, ["P", "coverage"]);
    }

    #[test]
    fn values_that_judges_entered_for_every_team_need_no_truth() {
        let mut submissions = teams();
        for team in &mut submissions {
            team[0].entered.insert("P".into(), Quantity::Number(3.0));
            team[0].entered.insert("coverage".into(), Quantity::Number(1.0));
        }
        assert_eq!(missing_truth(&contest("rrl-2025"), &submissions), []);
        // A list that cannot be compared with anything breaks nobody.
        submissions[0][0].subject.points = Some(crate::Loaded::in_memory(Vec::new()));
        let judged =
            judge_contest(&contest("rrl-2025"), &submissions, &ContestOptions::default(), None, &|_| {});
        let judged = judged.map_err(|error| error.to_string()).unwrap();
        assert!(judged.entries[0][0].measured.broken.is_none(), "{:?}", judged.entries[0][0].measured.broken);
        submissions[1][0].entered.clear();
        assert_eq!(missing_truth(&contest("rrl-2025"), &submissions).len(), 1);
    }
}
