//! `/ranking/maps`, `/submissions/{id}/pictures/{name}`: maps that everybody may compare, and the figures of sheets.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::answer::{Bytes, FigureImage, List};
use crate::contest::app::{ContestApp, lost_object};
use crate::contest::desks::newest_measurement;
use crate::contest::operation::{Operation, Verb};
use crate::contest::published_maps::{self, sees_truth};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::Transaction;
use crate::contest::submissions::one;
use crate::problem::Problem;

/// A longer figure is none of ours.
const MAX_FIGURE_BYTES: u64 = 64 << 20;

type Contest = State<Arc<ContestApp>>;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Verb::Get,
            "/ranking/maps",
            Needs::Nobody,
            "Submissions of the published ranking whose maps may be compared, with the figures of their sheets; none before \
             the truth may be seen.",
            maps,
        ),
        Operation::new(
            Verb::Get,
            "/submissions/{id}/pictures/{name}",
            Needs::Nobody,
            "A figure of its sheet: of the own submissions, and of published ones, once the truth may be seen.",
            picture,
        ),
    ]
}

/// A figure of a sheet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Figure {
    /// Its name in addresses.
    name: String,
    /// For people.
    title: String,
    /// What it shows.
    words: String,
}

/// A submission of the published ranking whose map may be compared.
#[derive(Serialize, JsonSchema)]
struct PublishedMap {
    id: String,
    team: String,
    mission: String,
    /// The figures of its sheet.
    pictures: Vec<Figure>,
}

async fn maps(State(app): Contest, who: Who) -> Result<Json<List<PublishedMap>>, Problem> {
    app.read(move |app, t| {
        let told = |map: published_maps::PublishedMap| {
            let pictures = told_figures(&map.pictures);
            PublishedMap { id: map.id, team: map.team, mission: map.mission, pictures }
        };
        let items = published_maps::all(app, t, &who)?.into_iter().map(told).collect();
        Ok(Json(List { items }))
    })
    .await
}

/// The figures of a submission that somebody may see. They show the truth: teams see them once that may be seen.
pub(super) fn figures(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    id: &str,
) -> Result<Vec<Figure>, Problem> {
    if !sees_truth(app, t, who)? {
        return Ok(Vec::new());
    }
    let pictures = newest_measurement(t, id)?.map_or(Value::Null, |newest| newest.pictures);
    Ok(told_figures(&pictures))
}

fn told_figures(pictures: &Value) -> Vec<Figure> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let told = |figure: &Value| Figure {
        name: text(&figure["name"]),
        title: text(&figure["title"]),
        words: text(&figure["words"]),
    };
    pictures.as_array().into_iter().flatten().map(told).collect()
}

async fn picture(
    State(app): Contest,
    who: Who,
    Path((id, name)): Path<(String, String)>,
) -> Result<Bytes<FigureImage>, Problem> {
    let bytes = app.read(move |app, t| {
        let unknown = || Problem::not_found("it has no such figure");
        if !sees_truth(app, t, &who)? {
            return Err(unknown());
        }
        let pictures = match one(t, &who.scope(), &id)? {
            Some(row) => newest_measurement(t, &row.id)?.map_or(Value::Null, |newest| newest.pictures),
            // Of others what was published with the ranking.
            None => {
                let published = published_maps::all(app, t, &who)?.into_iter().find(|map| map.id == id);
                published.ok_or_else(unknown)?.pictures
            }
        };
        let found = pictures.as_array().into_iter().flatten().find(|figure| figure["name"] == *name);
        let hash = found.and_then(|figure| figure["blake3"].as_str()).ok_or_else(unknown)?;
        let bytes = app.objects.read(hash, MAX_FIGURE_BYTES).map_err(|_| lost_object())?;
        let kind = if name.ends_with(".svg") { "image/svg+xml" } else { "image/png" };
        Ok((kind, bytes))
    });
    let (kind, bytes) = bytes.await?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok(Bytes::of((headers, bytes)))
}
