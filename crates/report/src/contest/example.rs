//! A small contest for the tests of the renderings.

use metrics::Better;
use model::Level;
use serde_json::json;

use super::value::*;
use crate::{Input, Tool};

fn part(name: &str, title: &str, value: serde_json::Value, by_judge: bool) -> PartRecord {
    let (name, title) = (name.to_owned(), title.to_owned());
    PartRecord { name, title, value, reason: None, by_judge, stand_in: false, detail: json!(null) }
}

fn team(name: &str, rank: usize, score: f64, missions: Vec<MissionResult>) -> RankedTeam {
    let parts = missions[0].parts.iter().map(|part| (part.name.clone(), part.value.clone())).collect();
    RankedTeam {
        team: name.into(),
        rank: Some(rank),
        score: Some(score),
        interval: Some([score - 1.0, score + 1.0]),
        parts,
        missions,
        folder: format!("teams/{}", name.to_lowercase()),
    }
}

#[allow(clippy::too_many_lines, reason = "one value, written out")]
pub(crate) fn contest() -> ContestReport {
    let input = Input {
        role: "map".into(),
        path: "a/map.yaml".into(),
        blake3: "00".repeat(32),
        format: "ros_yaml".into(),
    };
    let scored = MissionResult {
        mission: String::new(),
        score: Some(90.0),
        outcome: Outcome::Scored,
        reason: None,
        substituted: "50 · 1 + 50 · 0.8".into(),
        parts: vec![part("E", "Exploration", json!(1.0), false), part("M", "Map quality", json!(0.8), true)],
        entered: vec![EnteredRecord {
            name: "M".into(),
            value: json!(0.8),
            by: Some("R. Judge".into()),
            reason: Some("seen on the day".into()),
        }],
        inputs: vec![input],
        report: "teams/alpha/report.json".into(),
        sheet: "teams/alpha/sheet.html".into(),
    };
    let broken = MissionResult {
        score: Some(0.0),
        outcome: Outcome::Broken,
        reason: Some("map.yaml: cut off".into()),
        entered: Vec::new(),
        parts: vec![
            part("E", "Exploration", json!(null), false),
            part("M", "Map quality", json!(null), false),
        ],
        ..scored.clone()
    };
    ContestReport {
        schema: CONTEST_SCHEMA.into(),
        tool: Tool { name: "mapjudge".into(), version: "0.1.0".into() },
        title: "Test cup".into(),
        profile: "vr-2008".into(),
        rules: Rules {
            title: "Rules".into(),
            source: "somewhere".into(),
            notes: vec!["a note".into()],
            formula: "w_E*E + w_M*M".into(),
            better: Better::Higher,
            weights: [("w_E".to_owned(), 50.0), ("w_M".to_owned(), 50.0)].into(),
            constants: Default::default(),
            combine: "sum".into(),
        },
        missions: vec![String::new()],
        ranking: vec![team("Alpha", 1, 90.0, vec![scored]), team("Beta", 2, 0.0, vec![broken])],
        significance: vec![PairShare {
            above: "Alpha".into(),
            below: "Beta".into(),
            share: 0.97,
            statement: "Alpha above Beta in 97 % of 1000 resamples".into(),
        }],
        resampling: Significance {
            resamples: 1000,
            seed: 1,
            resampled: vec!["cleared_area: 96 blocks of cells".into()],
            fixed: vec!["M".into()],
        },
        sensitivity: vec![Flip {
            above: "Alpha".into(),
            below: "Beta".into(),
            weight: "w_E".into(),
            value: 50.0,
            flips_below: Some(41.0),
            flips_above: None,
            statement: "order of Alpha and Beta flips if w_E < 41".into(),
        }],
        pareto: Some(ParetoRecord {
            axes: ["E", "M"]
                .map(|part| ParetoAxisRecord {
                    part: part.into(),
                    title: part.into(),
                    better: Better::Higher,
                })
                .into(),
            values: vec![vec![Some(1.0), Some(0.8)], vec![None, None]],
            front: vec!["Alpha".into()],
        }),
        findings: vec![ContestFinding {
            team: "Beta".into(),
            mission: String::new(),
            file: Some("b/map.yaml".into()),
            level: Level::Error,
            code: "CANNOT_READ".into(),
            message: "cut off".into(),
            hint: Some("export it again".into()),
        }],
        truth: Vec::new(),
        stamp: None,
    }
}
