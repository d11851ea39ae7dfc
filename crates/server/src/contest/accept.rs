//! Making a submission of an upload: the rules of the contest, then one transaction with files, event, job and receipt.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use mapjudge::files::contest::ServeLimits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::app::ContestApp;
use super::chain::{Event, Head, NewEvent, append};
use super::clock::{Time, new_id};
use super::file_names;
use super::objects::Object;
use super::receive::{Form, refused, too_large};
use super::roles::{Person, PersonRole, Scope};
use super::rules::Phase;
use super::store::job_table::{JobKind, enqueue};
use super::store::{StoreError, Transaction};
use super::submissions;
use crate::problem::Problem;

/// An upload that is on the disk, ready to become a submission.
#[derive(Debug)]
pub struct Upload {
    /// Who sent it.
    pub person: Person,
    /// The form.
    pub form: Form,
    /// What names a repeated request.
    pub key: Option<String>,
}

/// What was taken: the receipt of whoever handed in.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReceivedSubmission {
    /// Id of the submission.
    pub id: String,
    /// The how-manieth of the team in the mission, from 1.
    pub number: i64,
    /// The team.
    pub team: String,
    /// The mission.
    pub mission: String,
    /// Its files; those that were kept too.
    pub files: Vec<ReceivedFile>,
    /// Its event, with which it can be proven later.
    pub receipt: Head,
    /// Whether it came after the mission closed.
    pub late: bool,
}

/// A file of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReceivedFile {
    /// Path inside of the submission.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// Hash.
    pub blake3: String,
}

impl Upload {
    /// The team it is for, if whoever sent it may say so.
    ///
    /// # Errors
    /// There is no such team, or it is another one than that of the sender.
    pub fn team(&self, app: &ContestApp) -> Result<String, Problem> {
        let told = self.form.team.as_deref().filter(|team| !team.is_empty());
        let unknown = || {
            refused(StatusCode::UNPROCESSABLE_ENTITY, "TEAM_UNKNOWN", "the contest has no such team")
                .hint("name one of its teams in the field `team`")
        };
        match (self.person.role, &self.person.team, told) {
            (PersonRole::Team, Some(own), told) if told.is_none_or(|told| told == own) => Ok(own.clone()),
            (PersonRole::Team, ..) => {
                let detail = "a team hands in for itself";
                Err(refused(StatusCode::FORBIDDEN, "NOT_ALLOWED", detail))
            }
            (_, _, Some(told)) if app.rules.teams.iter().any(|team| team == told) => Ok(told.to_owned()),
            _ => Err(unknown()),
        }
    }

    /// A hash of what was asked for, to tell a repeated request from another one under the same key.
    fn request(&self) -> String {
        let files: Vec<_> = self.form.files.iter().map(|(name, object)| (name, &object.hash)).collect();
        let all = json!([self.form.mission, self.form.team, self.form.keep, files]);
        blake3::hash(all.to_string().as_bytes()).to_hex().to_string()
    }
}

/// Makes a submission of an upload, in one transaction; the answer for whoever sent it.
///
/// # Errors
/// The rules do not allow it.
pub fn accept(
    app: &ContestApp,
    t: &mut dyn Transaction,
    now: Time,
    upload: &Upload,
) -> Result<ReceivedSubmission, Problem> {
    let request = upload.request();
    if let Some(answer) = answered(t, upload, &request)? {
        return Ok(answer);
    }
    let team = upload.team(app)?;
    let unknown = || {
        refused(StatusCode::UNPROCESSABLE_ENTITY, "MISSION_UNKNOWN", "the contest has no such mission")
            .hint("name one of its missions in the field `mission`")
    };
    let name = match (&upload.form.mission, &app.rules.missions[..]) {
        (None, [only]) => only.name.clone(),
        (told, _) => told.clone().ok_or_else(unknown)?,
    };
    let mission = app.rules.mission(&name).ok_or_else(unknown)?;
    let phase = mission.phase(now);
    if phase == Phase::Before && !upload.person.is_judge() {
        let detail = format!("the mission opens at {}", mission.opens.as_deref().unwrap_or_default());
        return Err(refused(StatusCode::CONFLICT, "MISSION_NOT_OPEN", detail));
    }
    let files = files(t, upload, &team, &mission.name)?;
    check_files(&app.rules.settings.limits, &files)?;
    check_quota(app, t, (&team, &mission.name), &files)?;
    let late = phase == Phase::After;
    let event = received(t, now, &upload.person.name, (&team, &mission.name), &files, late)?;
    enqueue(t, now, JobKind::Lint, &event.subject, JobKind::Lint.priority())?;
    let mission = mission.name.clone();
    let number = event.body["number"].as_i64().unwrap_or(0);
    let receipt = Head { seq: event.seq, hash: event.hash };
    let files = told(&files);
    let answer = ReceivedSubmission { id: event.subject, number, team, mission, files, receipt, late };
    if let Some(key) = &upload.key {
        let sql = "INSERT INTO idempotency (person, key, request, answer, at) VALUES ($1, $2, $3, $4, $5)";
        let params = [
            (&upload.person.id).into(),
            key.into(),
            request.into(),
            json!(answer).to_string().into(),
            now.text().into(),
        ];
        t.execute(sql, &params)?;
    }
    Ok(answer)
}

/// The answer that the same request got before.
fn answered(
    t: &mut dyn Transaction,
    upload: &Upload,
    request: &str,
) -> Result<Option<ReceivedSubmission>, Problem> {
    let Some(key) = &upload.key else { return Ok(None) };
    let sql = "SELECT request, answer FROM idempotency WHERE person = $1 AND key = $2";
    let Some(row) = t.one(sql, &[(&upload.person.id).into(), key.into()])? else { return Ok(None) };
    if row.text(0)? == request {
        let answer = serde_json::from_value(row.json(1)?);
        return Ok(Some(answer.map_err(|_| StoreError::Row("the answer to an upload".to_owned()))?));
    }
    let detail = "the Idempotency-Key belongs to another upload";
    Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "IDEMPOTENCY_KEY_REUSED", detail).hint("take a new key"))
}

/// Whether a key was used already: a repeated request is no new upload.
///
/// # Errors
/// The database fails.
pub fn is_repeated(t: &mut dyn Transaction, person: &Person, key: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM idempotency WHERE person = $1 AND key = $2";
    Ok(t.one(sql, &[(&person.id).into(), key.into()])?.is_some())
}

/// The files by name: those that were sent, over those of the submission that is kept.
fn files(
    t: &mut dyn Transaction,
    upload: &Upload,
    team: &str,
    mission: &str,
) -> Result<BTreeMap<String, Object>, Problem> {
    let mut files = BTreeMap::new();
    if let Some(keep) = &upload.form.keep {
        let scope = Scope::Team(team.to_owned());
        let kept = submissions::one(t, &scope, keep)?.filter(|kept| kept.mission == mission);
        let kept = kept.ok_or_else(|| Problem::not_found("the submission whose files are to be kept"))?;
        for (name, hash, bytes) in submissions::files(t, &kept.id)? {
            files.insert(name, Object { hash, bytes: u64::try_from(bytes).unwrap_or(0) });
        }
    }
    let sent: Vec<&str> = upload.form.files.iter().map(|(name, _)| name.as_str()).collect();
    if let Some((one, other)) = file_names::twins(&sent) {
        let detail = format!("'{one:.200}' and '{other:.200}' are one name where case does not matter");
        return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "NAME_REFUSED", detail));
    }
    for (name, object) in &upload.form.files {
        // One of another case is replaced too.
        files.retain(|known: &String, _| known.to_lowercase() != name.to_lowercase());
        files.insert(name.clone(), object.clone());
    }
    Ok(files)
}

fn check_files(limits: &ServeLimits, files: &BTreeMap<String, Object>) -> Result<(), Problem> {
    if files.is_empty() {
        let detail = "the form has no file";
        return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "NO_FILE", detail)
            .hint("send each as a part `file`; its file name is the path inside of the submission"));
    }
    if files.len() > limits.files as usize {
        let detail = format!("{} files: expected at most {}", files.len(), limits.files);
        return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "TOO_MANY_FILES", detail));
    }
    let bytes: u64 = files.values().map(|object| object.bytes).sum();
    if bytes > limits.submission_mib << 20 {
        return Err(too_large("the submission", limits.submission_mib));
    }
    // A file and a folder of one name.
    let is_folder_of = |name: &str| files.keys().any(|other| other.starts_with(&format!("{name}/")));
    match files.keys().find(|name| is_folder_of(name)) {
        None => Ok(()),
        Some(name) => {
            let detail = format!("'{name:.200}' is a file and a folder");
            Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "NAME_REFUSED", detail))
        }
    }
}

fn check_quota(
    app: &ContestApp,
    t: &mut dyn Transaction,
    (team, mission): (&str, &str),
    files: &BTreeMap<String, Object>,
) -> Result<(), Problem> {
    let settings = &app.rules.settings;
    let used = "SELECT count(*) FROM submission WHERE team = $1 AND mission = $2 AND state <> 'broken'";
    let used = t.one(used, &[team.into(), mission.into()])?.map_or(Ok(0), |row| row.int(0))?;
    if used >= i64::from(settings.submissions) {
        let detail = format!("{used} submissions in this mission: no more are taken");
        return Err(refused(StatusCode::CONFLICT, "QUOTA_USED", detail).hint("broken ones do not count"));
    }
    let taken = "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM (SELECT DISTINCT f.blake3, f.bytes FROM submission_file f \
                 JOIN submission s ON s.id = f.submission WHERE s.team = $1) AS own";
    let taken = t.one(taken, &[team.into()])?.map_or(Ok(0), |row| row.int(0))?;
    let bytes: u64 = files.values().map(|object| object.bytes).sum();
    if u64::try_from(taken).unwrap_or(0) + bytes > settings.limits.team_mib << 20 {
        return Err(too_large("all submissions of the team", settings.limits.team_mib));
    }
    Ok(())
}

fn told(files: &BTreeMap<String, Object>) -> Vec<ReceivedFile> {
    let file = |(name, object): (&String, &Object)| ReceivedFile {
        name: name.clone(),
        bytes: object.bytes,
        blake3: object.hash.clone(),
    };
    files.iter().map(file).collect()
}

/// Writes a submission with its event.
///
/// # Errors
/// The database fails.
pub fn received(
    t: &mut dyn Transaction,
    now: Time,
    by: &str,
    (team, mission): (&str, &str),
    files: &BTreeMap<String, Object>,
    is_late: bool,
) -> Result<Event, StoreError> {
    let last = "SELECT coalesce(max(number), 0) FROM submission WHERE team = $1 AND mission = $2";
    let number = t.one(last, &[team.into(), mission.into()])?.map_or(Ok(0), |row| row.int(0))? + 1;
    let id = new_id(now).map_err(|error| StoreError::Failed(error.to_string()))?;
    let list = told(files);
    let body = json!({ "team": team, "mission": mission, "number": number, "late": is_late, "files": list });
    let event = append(t, now, NewEvent { person: by, kind: "submission_received", subject: &id, body })?;
    replay(t, &event)?;
    Ok(event)
}

/// Writes the rows of a submission.
///
/// # Errors
/// The database fails.
pub fn replay(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    if event.kind != "submission_received" {
        return Ok(());
    }
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let body = &event.body;
    let sql = "INSERT INTO submission (id, team, mission, number, person, received_at, late, state, seq, hash, changed_seq) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, 'received', $8, $9, $8)";
    let params = [
        (&event.subject).into(),
        text(&body["team"]).into(),
        text(&body["mission"]).into(),
        body["number"].as_i64().unwrap_or(0).into(),
        (&event.person).into(),
        (&event.at).into(),
        body["late"].as_bool().unwrap_or(false).into(),
        event.seq.into(),
        (&event.hash).into(),
    ];
    t.execute(sql, &params)?;
    for file in body["files"].as_array().into_iter().flatten() {
        let sql = "INSERT INTO submission_file (submission, name, blake3, bytes) VALUES ($1, $2, $3, $4)";
        let bytes = file["bytes"].as_i64().unwrap_or(0);
        let params =
            [(&event.subject).into(), text(&file["name"]).into(), text(&file["blake3"]).into(), bytes.into()];
        t.execute(sql, &params)?;
    }
    Ok(())
}
