//! `/freeze`, `/notices`: what admins and judges do in public.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::contest::Notice;
use super::{Body, body, text};
use crate::answer::Made;
use crate::contest::app::ContestApp;
use crate::contest::chain::{NewEvent, append};
use crate::contest::clock::Time;
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::roles::{Needs, Who};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Verb::Put,
            "/freeze",
            Needs::Admin,
            "Freeze the public ranking, or lift the freeze.",
            freeze,
        )
        .takes::<Choice>(),
        Operation::new(Verb::Post, "/notices", Needs::Judge, "Tell everybody something.", notice)
            .takes::<NewNotice>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct Choice {
    frozen: bool,
}

/// Whether the public ranking stands still.
#[derive(Serialize, JsonSchema)]
struct Freeze {
    frozen: bool,
    frozen_since: Option<String>,
}

async fn freeze(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    choice: Body<Choice>,
) -> Result<Json<Freeze>, Problem> {
    let is_frozen = body(choice)?.frozen;
    app.write(move |app, t| {
        let (now, planned) = (Time::now(), app.rules.settings.freeze.as_deref());
        if publications::frozen_since(t, now, planned)?.is_some() != is_frozen {
            publications::freeze(t, now, who.name(), is_frozen)?;
        }
        let since = publications::frozen_since(t, now, planned)?;
        Ok(Json(Freeze { frozen: since.is_some(), frozen_since: since }))
    })
    .await
}

#[derive(Deserialize, JsonSchema)]
struct NewNotice {
    text: String,
}

async fn notice(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    notice: Body<NewNotice>,
) -> Result<Made<Notice>, Problem> {
    let text = text(&body(notice)?.text)?;
    app.write(move |_, t| {
        let body = json!({ "text": text });
        let event =
            append(t, Time::now(), NewEvent { person: who.name(), kind: "notice_added", subject: "", body })?;
        crate::contest::replay::event(t, &event)?;
        Ok(Made::of(Notice { at: event.at, text }))
    })
    .await
}
