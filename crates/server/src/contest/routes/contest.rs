//! `/contest`, `/me`: what the contest is, and who asks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use mapjudge::files::contest::ServeSettings;
use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::app::ContestApp;
use crate::contest::chain::{Head, head};
use crate::contest::clock::Time;
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::published_maps::sees_truth;
use crate::contest::records::ReviewedRecord;
use crate::contest::roles::{Needs, Person, PersonRole, Scope, Who};
use crate::contest::rules::{Criterion, Mission, ProfileName, UploadLimits};
use crate::contest::store::{StoreError, Transaction};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Verb::Get,
            "/contest",
            Needs::Nobody,
            "Missions, teams, settings and limits.",
            contest,
        ),
        Operation::new(Verb::Get, "/me", Needs::Nobody, "Who asks, and what they may do.", me),
    ]
}

/// What the contest is, and how it is run.
#[derive(Serialize, JsonSchema)]
struct Contest {
    name: String,
    profile: ProfileName,
    missions: Vec<Mission>,
    teams: Vec<Team>,
    /// Values that judges enter.
    criteria: Vec<Criterion>,
    settings: ServeSettings,
    /// Whether the public ranking stands still.
    frozen: bool,
    frozen_since: Option<String>,
    /// The event of what the public sees.
    published_seq: Option<i64>,
    /// The newest first.
    notices: Vec<Notice>,
    limits: UploadLimits,
    /// The end of the record; for the public that of the publication.
    head: Head,
    /// The server's clock.
    now: String,
    tool: Tool,
    /// Whether who asks may see the truth, and compare maps on it.
    sees_truth: bool,
    is_login_needed: bool,
    /// Records of relations under review; null for all but judges.
    reviews: Option<Vec<ReviewedRecord>>,
}

#[derive(Serialize, JsonSchema)]
struct Team {
    id: String,
    name: String,
}

/// Something that everybody is told.
#[derive(Serialize, JsonSchema)]
pub(super) struct Notice {
    pub(super) at: String,
    pub(super) text: String,
}

/// The program that answers.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Tool {
    /// This one.
    pub(crate) const OWN: Self = Self { name: "mapjudge", version: env!("CARGO_PKG_VERSION") };
}

async fn contest(State(app): State<Arc<ContestApp>>, who: Who) -> Result<Json<Contest>, Problem> {
    app.read(move |app, t| {
        let now = Time::now();
        let shown = publications::shown(t)?;
        let planned = app.rules.settings.freeze.as_deref();
        let frozen = publications::frozen_since(t, now, planned)?;
        // The public counts nothing, not even events.
        let head =
            if who.scope() == Scope::All { head(t)? } else { publications::public_head(shown.as_ref()) };
        let rules = &app.rules;
        let team = |name: &String| Team { id: name.clone(), name: name.clone() };
        let title = if rules.title.is_empty() { "Contest" } else { &rules.title };
        Ok(Json(Contest {
            name: title.to_owned(),
            profile: rules.profile.clone(),
            missions: rules.missions.iter().map(|mission| mission.told(&rules.title, now)).collect(),
            teams: rules.teams.iter().map(team).collect(),
            criteria: rules.criteria.clone(),
            settings: rules.settings.clone(),
            frozen: frozen.is_some(),
            frozen_since: frozen,
            published_seq: shown.map(|shown| shown.seq),
            notices: notices(t)?,
            limits: rules.upload_limits(),
            head,
            now: now.text(),
            tool: Tool::OWN,
            sees_truth: sees_truth(app, t, &who)?,
            is_login_needed: !app.reach.is_free,
            reviews: who.is_judge().then(|| app.reviewed_records()),
        }))
    })
    .await
}

fn notices(t: &mut dyn Transaction) -> Result<Vec<Notice>, StoreError> {
    let rows = t.query("SELECT at, text FROM notice ORDER BY seq DESC LIMIT 20", &[])?;
    rows.iter().map(|row| Ok(Notice { at: row.text(0)?, text: row.text(1)? })).collect()
}

/// Who asks.
#[derive(Serialize, JsonSchema)]
struct Me {
    /// Null for the public.
    name: Option<String>,
    role: Option<PersonRole>,
    /// Of somebody who hands in.
    team: Option<String>,
    /// What the person may do beside reading.
    permissions: Vec<&'static str>,
}

async fn me(who: Who) -> Json<Me> {
    let permissions = who.person().map_or_else(Vec::new, permissions);
    let (name, role, team) = match who.0 {
        Some(person) => (Some(person.name), Some(person.role), person.team),
        None => (None, None, None),
    };
    Json(Me { name, role, team, permissions })
}

fn permissions(person: &Person) -> Vec<&'static str> {
    match person.role {
        PersonRole::Viewer => vec![],
        PersonRole::Team => vec!["upload", "ask"],
        PersonRole::Judge => {
            vec!["upload", "ask", "see_truth", "decide", "publish", "rejudge", "audit", "review"]
        }
        PersonRole::Admin => vec![
            "upload",
            "ask",
            "see_truth",
            "decide",
            "publish",
            "rejudge",
            "audit",
            "review",
            "freeze",
            "users",
        ],
    }
}
