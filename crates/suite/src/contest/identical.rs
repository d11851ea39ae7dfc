//! Files that are byte for byte those of another team, or of the truth.

use std::collections::BTreeMap;

use model::Level;
use report::ContestFinding;

use super::entrants::Contest;
use super::standing::Entries;

/// Teams that a finding names.
const MAX_NAMES: usize = 6;

/// One finding per team and role whose file somebody else handed in too.
pub(super) fn identical_files(contest: &Contest, entries: &Entries) -> Vec<ContestFinding> {
    let mut findings = Vec::new();
    for (index, mission) in contest.missions.iter().enumerate() {
        let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (team, missions) in entries.iter().enumerate() {
            for input in &missions[index].measured.inputs {
                let teams = owners.entry(&input.blake3).or_default();
                if !teams.contains(&team) {
                    teams.push(team);
                }
            }
        }
        for (team, missions) in entries.iter().enumerate() {
            let mut told: Vec<&str> = Vec::new();
            for input in &missions[index].measured.inputs {
                if told.contains(&input.blake3.as_str()) {
                    continue;
                }
                told.push(&input.blake3);
                let finding = |code: &str, message: String, hint: &str| ContestFinding {
                    team: contest.teams[team].clone(),
                    mission: mission.name.clone(),
                    file: Some(input.path.clone()),
                    level: Level::Warning,
                    code: code.to_owned(),
                    message,
                    hint: Some(hint.to_owned()),
                };
                let others =
                    owners.get(input.blake3.as_str()).into_iter().flatten().filter(|other| **other != team);
                let others: Vec<String> =
                    others.take(MAX_NAMES).map(|other| report::shown_name(&contest.teams[*other])).collect();
                if !others.is_empty() {
                    let message = format!("byte for byte the file of {}", others.join(", "));
                    findings.push(finding("FILE_OF_ANOTHER_TEAM", message, "ask both teams who made it"));
                }
                if mission.inputs.iter().any(|truth| truth.blake3 == input.blake3) {
                    let message = "byte for byte a file of the truth".to_owned();
                    findings.push(finding("FILE_OF_THE_TRUTH", message, "ask the team where it is from"));
                }
            }
        }
    }
    findings
}
