//! `/contest`, `/me`: what the contest is, and who asks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::contest::app::ContestApp;
use crate::contest::chain::head;
use crate::contest::clock::Time;
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::published_maps::sees_truth;
use crate::contest::roles::{Needs, Person, PersonRole, Scope, Who};
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

async fn contest(State(app): State<Arc<ContestApp>>, who: Who) -> Result<Json<Value>, Problem> {
    app.read(move |app, t| {
        let now = Time::now();
        let shown = publications::shown(t)?;
        let planned = app.rules.settings.freeze.as_deref();
        let frozen = publications::frozen_since(t, now, planned)?;
        // The public counts nothing, not even events.
        let head =
            if who.scope() == Scope::All { head(t)? } else { publications::public_head(shown.as_ref()) };
        let rules = &app.rules;
        let missions: Vec<Value> =
            rules.missions.iter().map(|mission| mission.json(&rules.title, now)).collect();
        let teams: Vec<Value> = rules.teams.iter().map(|team| json!({ "id": team, "name": team })).collect();
        let title = if rules.title.is_empty() { "Contest" } else { &rules.title };
        let reviews = if who.is_judge() { app.records_json() } else { Value::Null };
        Ok(Json(json!({
            "name": title, "profile": rules.profile(), "missions": missions, "teams": teams,
            "criteria": rules.criteria_json(), "settings": rules.settings, "frozen": frozen.is_some(),
            "frozen_since": frozen, "published_seq": shown.map(|shown| shown.seq), "notices": notices(t)?,
            "limits": rules.limits_json(), "head": head, "now": now.text(),
            "tool": { "name": "mapjudge", "version": env!("CARGO_PKG_VERSION") },
            "sees_truth": sees_truth(app, t, &who)?, "is_login_needed": !app.reach.is_free, "reviews": reviews,
        })))
    })
    .await
}

fn notices(t: &mut dyn Transaction) -> Result<Vec<Value>, StoreError> {
    let rows = t.query("SELECT at, text FROM notice ORDER BY seq DESC LIMIT 20", &[])?;
    rows.iter().map(|row| Ok(json!({ "at": row.text(0)?, "text": row.text(1)? }))).collect()
}

async fn me(who: Who) -> Json<Value> {
    let Some(person) = who.person() else {
        return Json(json!({ "name": null, "role": null, "permissions": [] }));
    };
    Json(json!({
        "name": person.name, "role": person.role, "team": person.team, "permissions": permissions(person),
    }))
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
