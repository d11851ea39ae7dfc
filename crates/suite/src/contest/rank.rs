//! The ranking and everything that is said about it, as the value that pages are made from.

use report::{
    CONTEST_SCHEMA, ContestFinding, ContestReport, EnteredRecord, MissionResult, Outcome, ParetoAxisRecord,
    ParetoRecord, PartRecord, RankedTeam, Rules, Status, Tool,
};
use serde_json::{Map, Value, json};

use metrics::contest::map_quality::Direction;
use metrics::contest::pareto::non_dominated;
use model::Level;

use super::combine::{PartValue, named, shown};
use super::entrants::Contest;
use super::file_name::file_names;
use super::formula::{Formula, Quantity};
use super::identical::identical_files;
use super::run::ContestOptions;
use super::sensitivity::sensitivity;
use super::significance::significance;
use super::standing::{Entries, Entry, MissionStanding, Standing, merit};

/// The value of a contest.
pub fn contest_report(
    contest: &Contest,
    formula: &Formula,
    entries: &Entries,
    standing: &Standing,
    options: &ContestOptions,
) -> ContestReport {
    let order = order(contest, entries, standing);
    let resampled = significance(contest, formula, entries, &order, (options.resamples, options.seed));
    let ranks = ranks(contest, standing, &order);
    let folders = file_names(contest.teams.iter().map(String::as_str));
    let one = |(&team, rank): (&usize, Option<usize>)| {
        let folder = format!("teams/{}", folders[team]);
        RankedTeam {
            rank,
            ..ranked(contest, formula, (team, &entries[team]), &standing.results[team], &folder)
        }
    };
    let mut ranking: Vec<RankedTeam> = order.iter().zip(ranks).map(one).collect();
    for (team, &index) in ranking.iter_mut().zip(&order) {
        (team.score, team.interval) = (standing.totals[index], resampled.intervals[index]);
    }
    let mut truth: Vec<report::Input> =
        contest.missions.iter().flat_map(|mission| mission.inputs.clone()).collect();
    truth.sort_by(|a, b| (&a.role, &a.path).cmp(&(&b.role, &b.path)));
    truth.dedup();
    ContestReport {
        schema: CONTEST_SCHEMA.to_owned(),
        tool: Tool { name: "mapjudge".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        title: contest.title.clone(),
        profile: contest.profile.full_name(),
        rules: rules(contest),
        missions: contest.missions.iter().map(|mission| mission.name.clone()).collect(),
        pareto: pareto(contest, &ranking),
        ranking,
        significance: resampled.pairs,
        resampling: resampled.basis,
        sensitivity: sensitivity(contest, formula, entries, standing, &order),
        findings: order
            .iter()
            .flat_map(|&team| findings(contest, (team, &entries[team]), &standing.results[team]))
            .chain(identical_files(contest, entries))
            .collect(),
        truth,
        stamp: options.stamp.clone(),
    }
}

fn rules(contest: &Contest) -> Rules {
    let profile = &contest.profile;
    Rules {
        title: profile.title.clone(),
        source: profile.source.clone(),
        notes: profile.notes.clone(),
        formula: profile.formula.clone(),
        better: profile.better,
        weights: profile.weights.clone(),
        constants: profile.constants.clone(),
        combine: contest.combine.name().to_owned(),
    }
}

/// What decides between equal scores: the parts of the profile, larger first.
fn tie_break(contest: &Contest, results: &[MissionStanding]) -> Vec<f64> {
    let part = |name: &String| contest.profile.parts.iter().position(|part| part.name == *name);
    let value = |index: usize| {
        let numbers = results.iter().filter_map(|result| match &result.parts.get(index)?.value {
            Ok(Quantity::Number(number)) => Some(*number),
            _ => None,
        });
        numbers.sum()
    };
    contest.profile.tie_break.iter().filter_map(part).map(value).collect()
}

/// Teams from the best to the worst.
fn order(contest: &Contest, entries: &Entries, standing: &Standing) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    let name = |team: usize| &contest.teams[team];
    order.sort_by(|&a, &b| {
        let merits = |team: usize| merit(contest.profile.better, standing.totals[team]);
        let ties = |team: usize| tie_break(contest, &standing.results[team]);
        let by_ties = || {
            let (a, b) = (ties(a), ties(b));
            a.iter()
                .zip(&b)
                .map(|(a, b)| b.total_cmp(a))
                .find(|o| o.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        merits(b).total_cmp(&merits(a)).then_with(by_ties).then_with(|| name(a).cmp(name(b)))
    });
    order
}

/// Ranks along the order; equal scores with equal tie breaks share one.
fn ranks(contest: &Contest, standing: &Standing, order: &[usize]) -> Vec<Option<usize>> {
    let mut ranks: Vec<Option<usize>> = Vec::with_capacity(order.len());
    for (place, &team) in order.iter().enumerate() {
        let is_equal = |other: usize| {
            standing.totals[other] == standing.totals[team]
                && tie_break(contest, &standing.results[other]) == tie_break(contest, &standing.results[team])
        };
        let shared =
            place.checked_sub(1).filter(|&before| is_equal(order[before])).and_then(|before| ranks[before]);
        ranks.push(standing.totals[team].map(|_| shared.unwrap_or(place + 1)));
    }
    ranks
}

fn ranked(
    contest: &Contest,
    formula: &Formula,
    (team, entries): (usize, &[Entry]),
    results: &[MissionStanding],
    folder: &str,
) -> RankedTeam {
    let team = contest.teams[team].as_str();
    let names = || contest.missions.iter().map(|mission| mission.name.as_str());
    let below = names().zip(file_names(names())).map(|(name, file)| match name {
        "" => folder.to_owned(),
        _ => format!("{folder}/{file}"),
    });
    let named = names().zip(below).zip(entries).zip(results);
    let missions = named
        .map(|(((name, below), entry), result)| mission(contest, formula, (name, entry), result, &below));
    RankedTeam {
        team: team.to_owned(),
        rank: None,
        score: None,
        interval: None,
        parts: merged(contest, results),
        missions: missions.collect(),
        folder: folder.to_owned(),
    }
}

fn mission(
    contest: &Contest,
    formula: &Formula,
    (name, entry): (&str, &Entry),
    result: &MissionStanding,
    folder: &str,
) -> MissionResult {
    let (outcome, reason) = match (&entry.measured.broken, &result.score) {
        (Some(why), _) => (Outcome::Broken, Some(why.clone())),
        (None, Err(why)) => (Outcome::Undefined, Some(why.clone())),
        (None, Ok(_)) => (Outcome::Scored, None),
    };
    let parts = contest.profile.parts.iter().zip(&result.parts);
    MissionResult {
        mission: name.to_owned(),
        score: result.score.clone().ok(),
        outcome,
        reason,
        substituted: formula.substituted(&|name| named(&contest.profile, &result.parts, name)),
        parts: parts.map(|(part, value)| part_record(&part.name, &part.title, value)).collect(),
        entered: entry.entered.iter().map(|(name, value)| entered_record(name, value, entry)).collect(),
        inputs: entry.measured.inputs.clone(),
        report: format!("{folder}/report.json"),
        sheet: format!("{folder}/sheet.html"),
    }
}

fn entered_record(name: &str, value: &Quantity, entry: &Entry) -> EnteredRecord {
    let signature = entry.signatures.get(name).cloned().unwrap_or_default();
    EnteredRecord { name: name.to_owned(), value: shown(value), by: signature.by, reason: signature.reason }
}

fn part_record(name: &str, title: &str, value: &PartValue) -> PartRecord {
    PartRecord {
        name: name.to_owned(),
        title: title.to_owned(),
        value: value.value.as_ref().map_or(Value::Null, shown),
        reason: value.value.as_ref().err().or(value.stood_in.as_ref()).cloned(),
        by_judge: value.by_judge,
        stand_in: value.stood_in.is_some(),
        detail: value.detail.clone(),
    }
}

/// The parts of all missions: means of numbers, lists one behind the other, null where a mission has none.
fn merged(contest: &Contest, results: &[MissionStanding]) -> Map<String, Value> {
    let mut merged = Map::new();
    for (index, part) in contest.profile.parts.iter().enumerate() {
        let values: Option<Vec<&Quantity>> =
            results.iter().map(|result| result.parts.get(index)?.value.as_ref().ok()).collect();
        let lists = || values.iter().flatten().any(|value| matches!(value, Quantity::List(_)));
        let numbers = |value: &&Quantity| match value {
            Quantity::Number(number) => vec![*number],
            Quantity::List(list) => list.clone(),
        };
        let value = match &values {
            None => Value::Null,
            Some(all) if lists() => json!(all.iter().flat_map(numbers).collect::<Vec<_>>()),
            Some(all) => json!(all.iter().flat_map(numbers).sum::<f64>() / all.len().max(1) as f64),
        };
        merged.insert(part.name.clone(), value);
    }
    merged
}

fn pareto(contest: &Contest, ranking: &[RankedTeam]) -> Option<ParetoRecord> {
    let axes = &contest.profile.pareto;
    if axes.len() < 2 {
        return None;
    }
    let value = |team: &RankedTeam, part: &str| match team.parts.get(part) {
        Some(Value::Array(list)) => Some(list.iter().filter_map(Value::as_f64).sum()),
        value => value.and_then(Value::as_f64),
    };
    let values: Vec<Vec<Option<f64>>> =
        ranking.iter().map(|team| axes.iter().map(|axis| value(team, &axis.part)).collect()).collect();
    let directions: Vec<Direction> = axes.iter().map(|axis| Direction::of(axis.better, None)).collect();
    let has_value = |row: &Vec<Option<f64>>| row.iter().any(Option::is_some);
    let is_front = non_dominated(&values, &directions);
    let front =
        ranking.iter().zip(&values).zip(is_front).filter(|((_, row), front)| *front && has_value(row));
    let front = front.map(|((team, _), _)| team.team.clone()).collect();
    let title =
        |name: &str| contest.profile.parts.iter().find(|part| part.name == name).map(|p| p.title.clone());
    let axes = axes.iter().map(|axis| ParetoAxisRecord {
        part: axis.part.clone(),
        title: title(&axis.part).unwrap_or_default(),
        better: axis.better,
    });
    Some(ParetoRecord { axes: axes.collect(), values, front })
}

/// What the linter said, and what became of the score.
fn findings(
    contest: &Contest,
    (team, entries): (usize, &[Entry]),
    results: &[MissionStanding],
) -> Vec<ContestFinding> {
    let mut all = Vec::new();
    let team = &contest.teams[team];
    for ((entry, result), mission) in entries.iter().zip(results).zip(&contest.missions) {
        let mission = &mission.name;
        let finding = |file: Option<String>, level, code: &str, message: String, hint: Option<String>| {
            let (team, mission, code) = (team.clone(), mission.clone(), code.to_owned());
            ContestFinding { team, mission, file, level, code, message, hint }
        };
        if let Some(why) = &entry.measured.broken {
            let hint = "the submission gets zero; ask the team for a file that can be read".to_owned();
            all.push(finding(None, Level::Error, "SUBMISSION_BROKEN", why.clone(), Some(hint)));
        } else if let Err(why) = &result.score {
            let hint = "enter a value for the part, or give it `if_undefined` in the profile".to_owned();
            all.push(finding(None, Level::Error, "SCORE_UNDEFINED", why.clone(), Some(hint)));
        }
        for record in entry.measured.cases.iter().flat_map(|case| &case.metrics) {
            for reason in record.reasons.iter().filter(|_| record.status == Status::Warning) {
                let message = format!("{}: {}", record.title, reason.meaning());
                all.push(finding(None, Level::Warning, reason.code(), message, None));
            }
        }
        for found in &entry.measured.findings {
            let noted = &found.finding;
            let (message, hint) = (noted.message.clone(), noted.hint.clone());
            all.push(finding(Some(found.file.clone()), noted.level, &noted.code, message, hint));
        }
    }
    all
}
