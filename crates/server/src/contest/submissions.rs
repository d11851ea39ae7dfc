//! Submissions as pages see them, out of the tables, and only those that somebody may see.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

pub use super::attention::Attention;
use super::chain::Head;
use super::counting::{Counted, Why, counted};
use super::decisions::{self, Decision, Made};
use super::roles::Scope;
use super::rules::Rules;
use super::store::{Row, StoreError, Transaction, Value};

/// A submission as its row has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionRow {
    /// Id.
    pub id: String,
    /// Team.
    pub team: String,
    /// Mission.
    pub mission: String,
    /// The how-manieth of the team in the mission, from 1.
    pub number: i64,
    /// When it came.
    pub received_at: String,
    /// Whether it was late.
    pub is_late: bool,
    /// `received`, `checked`, `measured` or `broken`.
    pub state: String,
    /// When its findings were there.
    pub checked_at: Option<String>,
    /// When it was measured.
    pub measured_at: Option<String>,
    /// Why it is broken.
    pub error: Option<String>,
    /// Its findings among the objects.
    pub findings: Option<String>,
    /// Its event.
    pub seq: i64,
    /// Hash of its event.
    pub hash: String,
    /// The newest event that changed it.
    pub changed_seq: i64,
}

const COLUMNS: &str = "id, team, mission, number, received_at, late, state, checked_at, measured_at, error, findings, \
                       seq, hash, changed_seq";

fn submission(row: &Row) -> Result<SubmissionRow, StoreError> {
    Ok(SubmissionRow {
        id: row.text(0)?,
        team: row.text(1)?,
        mission: row.text(2)?,
        number: row.int(3)?,
        received_at: row.text(4)?,
        is_late: row.truth(5)?,
        state: row.text(6)?,
        checked_at: row.text_or_none(7)?,
        measured_at: row.text_or_none(8)?,
        error: row.text_or_none(9)?,
        findings: row.text_or_none(10)?,
        seq: row.int(11)?,
        hash: row.text(12)?,
        changed_seq: row.int(13)?,
    })
}

/// What is asked for of a list.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Of one team.
    pub team: Option<String>,
    /// Of one mission.
    pub mission: Option<String>,
    /// Behind this id.
    pub after: Option<String>,
    /// So many.
    pub limit: i64,
}

/// Submissions, in the order of their ids.
///
/// # Errors
/// The database fails.
pub fn list(t: &mut dyn Transaction, scope: &Scope, asked: &Asked) -> Result<Vec<SubmissionRow>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM submission WHERE {} AND (CAST($3 AS TEXT) IS NULL OR team = $3) \
         AND (CAST($4 AS TEXT) IS NULL OR mission = $4) AND id > $5 ORDER BY id LIMIT $6",
        Scope::CONDITION
    );
    let rest: [Value; 4] = [
        asked.team.as_ref().into(),
        asked.mission.as_ref().into(),
        asked.after.clone().unwrap_or_default().into(),
        asked.limit.into(),
    ];
    let params: Vec<Value> = scope.params().into_iter().chain(rest).collect();
    t.query(&sql, &params)?.iter().map(submission).collect()
}

/// One submission, if it is there for whoever asks.
///
/// # Errors
/// The database fails.
pub fn one(t: &mut dyn Transaction, scope: &Scope, id: &str) -> Result<Option<SubmissionRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM submission WHERE {} AND id = $3", Scope::CONDITION);
    let params: Vec<Value> = scope.params().into_iter().chain([id.into()]).collect();
    t.one(&sql, &params)?.map(|row| submission(&row)).transpose()
}

/// The files of a submission: name, hash, bytes.
///
/// # Errors
/// The database fails.
pub fn files(t: &mut dyn Transaction, id: &str) -> Result<Vec<(String, String, i64)>, StoreError> {
    let sql = "SELECT name, blake3, bytes FROM submission_file WHERE submission = $1 ORDER BY name";
    t.query(sql, &[id.into()])?.iter().map(|row| Ok((row.text(0)?, row.text(1)?, row.int(2)?))).collect()
}

/// The version of a submission, for `If-Match`.
#[must_use]
pub fn etag(row: &SubmissionRow) -> String {
    format!("\"{}\"", row.changed_seq)
}

/// A submission as pages see it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Submission {
    id: String,
    team: String,
    /// For people.
    team_name: String,
    mission: String,
    /// The how-manieth of the team in the mission, from 1.
    number: i64,
    received_at: String,
    late: bool,
    state: SubmissionState,
    times: StepTimes,
    /// Null if nothing waits to be done with it.
    queue: Option<QueuePlace>,
    /// Why it is broken.
    error: Option<String>,
    counts: bool,
    /// Why it counts or does not, in words.
    counts_why: String,
    /// What a judge should look at, the most urgent first; empty for teams.
    attention: Vec<Attention>,
    /// In the newest ranking; null where there is none, or not for who asks.
    pub(crate) score: Option<f64>,
    /// Its event: what the team was told when it handed in.
    receipt: Head,
    /// Its version, for `If-Match`.
    etag: String,
}

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubmissionState {
    /// It is here.
    Received,
    /// Its findings are known.
    Checked,
    /// It has numbers.
    Measured,
    /// A judge agrees with them.
    Verified,
    /// The public has seen them.
    Published,
    /// Something that is needed cannot be read.
    Broken,
}

/// When each step was done; null if it was not.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct StepTimes {
    received: String,
    checked: Option<String>,
    measured: Option<String>,
    verified: Option<String>,
    published: Option<String>,
}

/// A place in the queue.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct QueuePlace {
    /// From 1; 0 while it is worked on.
    place: i64,
    attempts: i64,
    /// Why the last attempt failed.
    error: Option<String>,
}

/// What a list of submissions needs beside their rows, read once for all.
pub struct Surroundings {
    counted: Counted,
    verified: BTreeMap<String, Made>,
    scores: BTreeMap<String, Option<f64>>,
    published: BTreeMap<String, String>,
    questions: BTreeMap<String, String>,
    values: BTreeMap<String, Vec<Made>>,
    changed: Vec<String>,
    queue: BTreeMap<String, Queued>,
}

/// A submission in the queue.
struct Queued {
    told: QueuePlace,
    deaths: i64,
}

impl Surroundings {
    /// Reads what a list needs.
    ///
    /// # Errors
    /// The database fails.
    pub fn read(t: &mut dyn Transaction, rules: &Rules) -> Result<Self, StoreError> {
        let by_subject =
            |made: Vec<Made>| made.into_iter().map(|made| (made.subject.clone(), made)).collect();
        let newest = super::publications::newest(t)?.map_or(0, |ranking| ranking.seq);
        let scores =
            t.query("SELECT submission, score FROM ranking_submission WHERE ranking = $1", &[newest.into()])?;
        let published = t.query(
            "SELECT rs.submission, min(p.at) FROM ranking_submission rs JOIN publication p ON p.ranking = rs.ranking \
             GROUP BY rs.submission",
            &[],
        )?;
        let questions = t.query(
            "SELECT submission, kind FROM note WHERE seq IN (SELECT max(seq) FROM note GROUP BY submission)",
            &[],
        )?;
        let mut values: BTreeMap<String, Vec<Made>> = BTreeMap::new();
        for made in decisions::all(t, Decision::Value)? {
            values.entry(made.subject.clone()).or_default().push(made);
        }
        let changed = t.query(
            "SELECT rs.submission FROM ranking_submission rs JOIN rejudging r ON r.ranking = rs.ranking \
             LEFT JOIN ranking_submission now ON now.submission = rs.submission AND now.ranking = $1 \
             WHERE r.state = 'ready' AND COALESCE(rs.score, -1e300) <> COALESCE(now.score, -1e300)",
            &[newest.into()],
        )?;
        Ok(Self {
            counted: counted(t, rules.is_chosen())?,
            verified: by_subject(decisions::all(t, Decision::Verification)?),
            scores: scores
                .iter()
                .map(|r| Ok((r.text(0)?, r.real_or_none(1)?)))
                .collect::<Result<_, StoreError>>()?,
            published: published
                .iter()
                .map(|r| Ok((r.text(0)?, r.text(1)?)))
                .collect::<Result<_, StoreError>>()?,
            questions: questions
                .iter()
                .map(|r| Ok((r.text(0)?, r.text(1)?)))
                .collect::<Result<_, StoreError>>()?,
            values,
            queue: queue(t)?,
            changed: changed.iter().map(|r| r.text(0)).collect::<Result<_, _>>()?,
        })
    }

    /// Why a submission counts; none if it does not.
    #[must_use]
    pub fn counts(&self, row: &SubmissionRow) -> Option<Why> {
        let (id, why) = self.counted.get(&(row.team.clone(), row.mission.clone()))?;
        (*id == row.id).then_some(*why)
    }

    /// How often workers gave a submission up that is in the queue.
    #[must_use]
    pub fn deaths(&self, row: &SubmissionRow) -> i64 {
        self.queue.get(&row.id).map_or(0, |queued| queued.deaths)
    }

    fn state(&self, row: &SubmissionRow) -> SubmissionState {
        match row.state.as_str() {
            "broken" => SubmissionState::Broken,
            "measured" if self.published.contains_key(&row.id) => SubmissionState::Published,
            "measured" if self.verified.contains_key(&row.id) => SubmissionState::Verified,
            "measured" => SubmissionState::Measured,
            "checked" => SubmissionState::Checked,
            _ => SubmissionState::Received,
        }
    }

    /// What a judge should look at, the most urgent first. `signs` are those of the measurement: `frame_uncertain`, ..
    #[must_use]
    pub fn attention(&self, row: &SubmissionRow, rules: &Rules, signs: &[Attention]) -> Vec<Attention> {
        let counts = self.counts(row).is_some();
        let is_measured = row.state == "measured";
        let is_open = self.questions.get(&row.id).is_some_and(|kind| kind == "question" || kind == "appeal");
        let own = self.values.get(&row.id).map_or(&[][..], Vec::as_slice);
        let lacks =
            |name: &str| own.iter().filter(|made| made.name == name).count() < rules.settings.judges as usize;
        let is_missing =
            counts && rules.criteria.iter().any(|criterion| criterion.is_required && lacks(&criterion.name));
        let is_undefined = counts && is_measured && self.scores.get(&row.id).is_some_and(Option::is_none);
        let to_verify =
            counts && is_measured && rules.settings.verify && !self.verified.contains_key(&row.id);
        let own_chips = [
            (Attention::Broken, counts && row.state == "broken"),
            (
                Attention::WorkerDied,
                self.deaths(row) > 1 || row.error.as_deref().is_some_and(|why| why.contains("worker died")),
            ),
            (Attention::Question, is_open),
            (Attention::Undefined, is_undefined && !is_missing),
            (Attention::ValueMissing, is_missing),
            (Attention::Late, row.is_late && !counts),
            (Attention::ChangedByDraft, self.changed.contains(&row.id)),
            (Attention::ToVerify, to_verify),
        ];
        let mut chips: Vec<Attention> =
            own_chips.iter().filter(|(_, has)| *has).map(|(chip, _)| *chip).collect();
        let place = chips.iter().position(|chip| *chip == Attention::ToVerify).unwrap_or(chips.len());
        chips.splice(place..place, signs.iter().copied());
        chips
    }

    /// A submission as pages see it. The score is for whom it is meant for.
    #[must_use]
    pub fn told(&self, row: &SubmissionRow, attention: Vec<Attention>, with_score: bool) -> Submission {
        let counts = self.counts(row);
        let why_not = match (row.is_late, row.state.as_str()) {
            (true, _) => "it was late, and no judge chose it",
            (_, "broken") => "it cannot be read",
            (_, "received" | "checked") => "it is not measured yet",
            _ => "another submission counts",
        };
        let score = self.scores.get(&row.id).copied().flatten().filter(|_| with_score);
        Submission {
            id: row.id.clone(),
            team: row.team.clone(),
            team_name: row.team.clone(),
            mission: row.mission.clone(),
            number: row.number,
            received_at: row.received_at.clone(),
            late: row.is_late,
            state: self.state(row),
            times: StepTimes {
                received: row.received_at.clone(),
                checked: row.checked_at.clone(),
                measured: row.measured_at.clone(),
                verified: self.verified.get(&row.id).map(|made| made.at.clone()),
                published: self.published.get(&row.id).cloned(),
            },
            queue: self.queue.get(&row.id).map(|queued| queued.told.clone()),
            error: row.error.clone(),
            counts: counts.is_some(),
            counts_why: counts.map_or(why_not, Why::words).to_owned(),
            attention,
            score,
            receipt: Head { seq: row.seq, hash: row.hash.clone() },
            etag: etag(row),
        }
    }
}

/// All submissions in the queue: how many jobs go before, attempts, the last error. One look at the open jobs serves a whole
/// list.
fn queue(t: &mut dyn Transaction) -> Result<BTreeMap<String, Queued>, StoreError> {
    let sql = "SELECT subject, attempts, error, state FROM job WHERE state IN ('waiting', 'leased') ORDER BY priority DESC, id";
    let (mut queue, mut before) = (BTreeMap::new(), 0);
    for row in t.query(sql, &[])? {
        let (attempts, is_running) = (row.int(1)?, row.text(3)? == "leased");
        if !is_running {
            before += 1;
        }
        let place = if is_running { 0 } else { before };
        // A first attempt that runs is no death.
        let deaths = if is_running { attempts } else { attempts + 1 };
        let told = QueuePlace { place, attempts, error: row.text_or_none(2)? };
        // Of several jobs the most urgent one.
        queue.entry(row.text(0)?).or_insert(Queued { told, deaths });
    }
    Ok(queue)
}
