//! `/publications`: what the public was shown, and showing it something newer.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Asked, Body, body, limit, link_next, text};
use crate::answer::{Linked, List, Made};
use crate::contest::app::ContestApp;
use crate::contest::clock::Time;
use crate::contest::difference::{Difference, between};
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications::{self, Publication};
use crate::contest::roles::{Needs, Who};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Verb::Get,
            "/publications",
            Needs::Nobody,
            "What was published, the newest first.",
            list,
        )
        .query(&[("after", "the publication behind which to begin"), ("limit", "at most 200")]),
        Operation::new(Verb::Post, "/publications", Needs::Judge, "Show the public a ranking.", publish)
            .takes::<Choice>(),
        Operation::new(
            Verb::Get,
            "/publications/draft",
            Needs::Judge,
            "What would change if the newest ranking was published.",
            draft,
        ),
    ]
}

async fn list(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Query(asked): Query<Asked<i64>>,
) -> Result<Linked<List<Publication>>, Problem> {
    app.read(move |_, t| {
        let most = limit(asked.limit);
        let mut all = publications::all(t, asked.after, most)?;
        if !who.is_judge() {
            all.iter_mut().for_each(|publication| publication.by = None);
        }
        let last = all.last().filter(|_| all.len() as i64 == most);
        let next = last.map(|last| link_next("publications", &[], &last.seq.to_string(), most));
        Ok(Linked { value: List { items: all }, next })
    })
    .await
}

/// What is to be published.
#[derive(Deserialize, JsonSchema)]
struct Choice {
    /// Number of a ranking.
    ranking: i64,
    /// Words for the public.
    #[serde(default)]
    note: Option<String>,
}

async fn publish(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    choice: Body<Choice>,
) -> Result<Made<Publication>, Problem> {
    let Choice { ranking, note } = body(choice)?;
    let note = note.filter(|note| !note.trim().is_empty()).map(|note| text(&note)).transpose()?;
    app.write(move |app, t| {
        let now = Time::now();
        let known = publications::ranking(t, ranking)?.filter(|known| known.draft_of.is_none());
        known.ok_or_else(|| Problem::not_found("there is no such ranking, or it is a draft"))?;
        if publications::frozen_since(t, now, app.rules.settings.freeze.as_deref())?.is_some() {
            let detail = "the public ranking is frozen";
            return Err(Problem::new(StatusCode::CONFLICT, "FROZEN", "Nothing is published", detail)
                .hint("an admin lifts the freeze"));
        }
        if app.rules.settings.verify {
            let unverified = publications::unverified(t, ranking)?;
            if !unverified.is_empty() {
                let detail = format!("{} submissions that count are not verified", unverified.len());
                return Err(Problem::new(
                    StatusCode::CONFLICT,
                    "NOT_VERIFIED",
                    "Nothing is published",
                    detail,
                )
                .hint("verify them, or set verify = false under [serve] of the contest file")
                .with("submissions", json!(unverified)));
            }
        }
        publications::publish(t, now, who.name(), ranking, note.as_deref())?;
        let shown = publications::shown(t)?.ok_or_else(|| Problem::not_found("the publication"))?;
        Ok(Made::of(shown))
    })
    .await
}

async fn draft(State(app): State<Arc<ContestApp>>) -> Result<Json<Difference>, Problem> {
    app.read(move |app, t| {
        let newest =
            publications::newest(t)?.ok_or_else(|| Problem::not_found("no submission was ranked yet"))?;
        let shown = publications::shown(t)?;
        let before = shown
            .as_ref()
            .map(|shown| Ok::<_, Problem>((shown.ranking, app.ranking_bytes(&shown.contest_json)?)));
        let after = (newest.seq, app.ranking_bytes(&newest.contest_json)?);
        Ok(Json(between(before.transpose()?.as_ref(), &after)?))
    })
    .await
}
