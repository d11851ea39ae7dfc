//! `/desk`, `/submissions/{id}/live` and what else the overlay page asks for, `/frame` and `/pictures/{name}`: maps of
//! submissions on the truth, for judges.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mapjudge::AlignmentFile;
use mapjudge::overlay::HandFrame;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Reason, body, reason, seen};
use crate::contest::app::{ContestApp, Peer, lost_object};
use crate::contest::clock::Time;
use crate::contest::decisions::{self, Decision, Made, Replaces, Subject};
use crate::contest::desks::{frame_file, newest_measurement, saved_frame};
use crate::contest::operation::{Operation, Verb};
use crate::contest::published_maps::{self, sees_truth};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::Transaction;
use crate::contest::store::job_table::{JobKind, enqueue};
use crate::contest::submissions::one;
use crate::overlay_desk::TRUTH;
use crate::problem::Problem;
use crate::routes::frames::{self, Choice};
use crate::routes::host::OverlayHost;
use crate::routes::overlay::{self, clicked_pairs};
use crate::routes::{planes, session};

/// A longer figure is none of ours.
const MAX_FIGURE_BYTES: u64 = 64 << 20;

type Contest = State<Arc<ContestApp>>;

/// Operations on a desk whose handlers are those of the overlay page of one pair.
macro_rules! judge {
    ($verb:ident, $handler:expr) => {
        Operation::new(Verb::$verb, "", Needs::Judge, "", $handler)
    };
}

/// The same for whoever may see the truth, which the desk itself decides: maps of others are not there.
macro_rules! truth_seer {
    ($verb:ident, $handler:expr) => {
        Operation::new(Verb::$verb, "", Needs::Nobody, "", $handler)
    };
}

pub fn operations() -> Vec<Operation> {
    [on_maps(), of_frames()].into_iter().flatten().collect()
}

fn as_image(operation: Operation) -> Operation {
    operation.answers_with(200, "image/png", json!({ "type": "string", "format": "binary" }))
}

fn on_maps() -> Vec<Operation> {
    let post = |path, summary, handler| Operation { verb: Verb::Post, path, summary, ..handler };
    let get = |path, summary, handler| Operation { verb: Verb::Get, path, summary, ..handler };
    vec![
        get(
            "/desk",
            "Maps of submissions for the overlay and compare pages: for judges as they are, for others those of the \
             published ranking, once the truth may be seen.",
            truth_seer!(Get, desk),
        )
        .query(&[("of", "ids of submissions, with commas between")]),
        get(
            "/ranking/maps",
            "Submissions of the published ranking whose maps may be compared, with the figures of their sheets; none before \
             the truth may be seen.",
            truth_seer!(Get, maps),
        ),
        get(
            "/legend",
            "Colours of the overlay.",
            Operation::new(Verb::Get, "", Needs::Nobody, "", session::legend),
        ),
        post("/submissions/{id}/live", "Numbers where a map lies.", truth_seer!(Post, live))
            .takes::<overlay::MapPlacement>(),
        post(
            "/submissions/{id}/fit",
            "A transform from pairs of places.",
            judge!(Post, overlay::fit::<ContestApp>),
        )
        .takes::<overlay::Fit>(),
        post(
            "/submissions/{id}/align",
            "An automatic search.",
            judge!(Post, overlay::align_by_search::<ContestApp>),
        )
        .takes::<overlay::Align>(),
        post(
            "/submissions/{id}/climb",
            "The nearest top of the wall score.",
            judge!(Post, overlay::climb::<ContestApp>),
        )
        .takes::<overlay::MapPlacement>(),
        get(
            "/submissions/{id}/layers",
            "Shapes on map and truth.",
            judge!(Get, overlay::layers::<ContestApp>),
        ),
        get("/submissions/{id}/layers/rooms", "Rooms of the map.", judge!(Get, overlay::rooms::<ContestApp>)),
        as_image(get(
            "/submissions/{id}/planes/{which}/{level}/{column}/{row}",
            "A tile of a map.",
            truth_seer!(Get, planes::tile::<ContestApp>),
        )),
        as_image(get(
            "/submissions/{id}/difference.png",
            "Where map and truth differ.",
            truth_seer!(Get, planes::difference::<ContestApp>),
        )),
    ]
}

fn of_frames() -> Vec<Operation> {
    let post = |path, summary, handler| Operation { verb: Verb::Post, path, summary, ..handler };
    let get = |path, summary, handler| Operation { verb: Verb::Get, path, summary, ..handler };
    vec![
        post("/frame/parse", "Reads a transform file.", judge!(Post, frames::parse_frame::<ContestApp>)),
        post("/points/parse", "Reads pairs of places.", judge!(Post, frames::parse_points)),
        post("/points/format", "Writes pairs of places.", judge!(Post, frames::format_points)),
        get("/submissions/{id}/frame", "The transform that a judge saved.", judge!(Get, frame)),
        Operation::new(Verb::Put, "/submissions/{id}/frame", Needs::Judge, "Lay a map by hand.", save)
            .takes::<Choice>(),
        Operation::new(Verb::Delete, "/submissions/{id}/frame", Needs::Judge, "Take that back.", remove)
            .takes::<Reason>(),
        as_image(get(
            "/submissions/{id}/pictures/{name}",
            "A figure of its sheet: of the own submissions, and of published ones, once the truth may be seen.",
            truth_seer!(Get, picture),
        )),
    ]
}

/// Numbers where a map lies, so many a second: whoever moves a map by hand needs no more. Of the public one address is one
/// person, and all that are no judges wait for each other: they cannot keep the judges' cores busy.
async fn live(
    State(app): Contest,
    who: Who,
    Peer(address): Peer,
    Path(id): Path<String>,
    placement: Body<overlay::MapPlacement>,
) -> Result<Json<Value>, Problem> {
    let asks = who.person().map_or_else(|| address.to_string(), |person| person.name.clone());
    let most = app.rules.settings.limits.live_per_second;
    if !app.rates.may_ask_live(&asks, most) {
        let (status, detail) =
            (StatusCode::TOO_MANY_REQUESTS, format!("more than {most} requests within a second"));
        return Err(Problem::new(status, "TOO_MANY_LIVE", "Wait a second", detail));
    }
    let waiting = Arc::clone(&app);
    let _turn = if who.is_judge() { None } else { waiting.comparing.acquire().await.ok() };
    overlay::live(State(app), who, Path(id), placement).await
}

#[derive(Deserialize)]
struct Asked {
    of: String,
}

async fn desk(State(app): Contest, who: Who, Query(asked): Query<Asked>) -> Result<Json<Value>, Problem> {
    let ids: Vec<String> = asked.of.split(',').map(str::to_owned).collect();
    let saves_to = who.is_judge().then_some("the contest");
    app.on_desk(who.clone(), ids, move |desk| {
        Ok(Json(json!({
            "tool": { "name": "mapjudge", "version": env!("CARGO_PKG_VERSION") }, "start": "/desk", "contest": true,
            "kind": "overlay", "truth": desk.truth_info(), "maps": desk.map_infos(), "saves_to": saves_to,
            "reviewer": who.name(),
        })))
    })
    .await
}

async fn maps(State(app): Contest, who: Who) -> Result<Json<Value>, Problem> {
    app.read(move |app, t| {
        let all = published_maps::all(app, t, &who)?;
        let told = |map: &published_maps::PublishedMap| {
            json!({ "id": map.id, "team": map.team, "mission": map.mission, "pictures": told_pictures(&map.pictures) })
        };
        Ok(Json(json!({ "items": all.iter().map(told).collect::<Vec<_>>() })))
    })
    .await
}

fn tagged(made: Option<&Made>, value: Value) -> Response {
    ([(header::ETAG, format!("\"{}\"", made.map_or(0, |made| made.seq)))], Json(value)).into_response()
}

async fn frame(State(app): Contest, who: Who, Path(id): Path<String>) -> Result<Response, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let made = saved_frame(t, &row.id)?;
        let file = made.as_ref().and_then(|made| frame_file(app, made));
        let saved_to = made.as_ref().map(|_| "the contest");
        Ok(tagged(made.as_ref(), json!({ "file": file, "saved_to": saved_to })))
    })
    .await
}

async fn save(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    choice: Body<Choice>,
) -> Result<Response, Problem> {
    let choice = body(choice)?;
    let expected: Option<i64> =
        headers.get(header::IF_MATCH).and_then(|tag| tag.to_str().ok()?.trim_matches('"').parse().ok());
    let pairs =
        clicked_pairs(choice.pairs)?.into_iter().filter(|clicked| clicked.is_on).map(|clicked| clicked.pair);
    let chosen = HandFrame {
        truth_from_map: choice.truth_from_map,
        by: who.name().to_owned(),
        reason: choice.reason,
        pairs: pairs.collect(),
    };
    let laid = id.clone();
    let made = app.on_desk(who.clone(), vec![id.clone()], move |desk| {
        let file = desk.pair(&laid, TRUTH)?.frame_file(&chosen);
        file.map_err(|refusal| Problem::unprocessable("FRAME_REFUSED", refusal.to_string()))
    });
    let file = made.await?;
    app.write(move |app, t| keep(app, t, &who, &id, &file, expected)).await
}

/// Keeps a transform file as a decision, and has the submission measured with it.
fn keep(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    id: &str,
    file: &AlignmentFile,
    expected: Option<i64>,
) -> Result<Response, Problem> {
    let row = seen(t, &who.scope(), id)?;
    let before = saved_frame(t, &row.id)?;
    let version = before.as_ref().map_or(0, |made| made.seq);
    if expected.is_some_and(|expected| expected != version) {
        let by = before.map_or_else(String::new, |made| made.by);
        let detail = format!("{by:.200} saved another frame of this map meanwhile");
        let status = StatusCode::PRECONDITION_FAILED;
        return Err(Problem::new(status, "SAVED_MEANWHILE", "Somebody else was faster", detail)
            .hint("look at that one first, then save again"));
    }
    let object = app.objects.put(file.to_json()?.as_bytes()).map_err(|_| lost_object())?;
    let now = Time::now();
    let subject = Subject { kind: Decision::Frame, submission: &row.id, name: "" };
    let why = file.reason.as_deref().unwrap_or_default();
    let value = json!(object.hash);
    decisions::decide(t, now, who.name(), subject, (&value, why), Replaces::All)?;
    enqueue(t, now, JobKind::Measure, &row.id, JobKind::Measure.priority())?;
    let made = saved_frame(t, &row.id)?;
    Ok(tagged(made.as_ref(), json!({ "saved_to": "the contest", "file": file })))
}

async fn remove(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    why: Body<Reason>,
) -> Result<Response, Problem> {
    let why = reason(&body(why)?.reason)?;
    app.write(move |_, t| {
        let row = seen(t, &who.scope(), &id)?;
        let subject = Subject { kind: Decision::Frame, submission: &row.id, name: "" };
        let now = Time::now();
        if !decisions::take_back(t, now, who.name(), subject, &why, Replaces::All)? {
            return Err(Problem::not_found("there is nothing to take back"));
        }
        enqueue(t, now, JobKind::Measure, &row.id, JobKind::Measure.priority())?;
        Ok(tagged(None, json!({ "file": null })))
    })
    .await
}

/// The figures of a submission that somebody may see: name, title, words. They show the truth: teams see them once that
/// may be seen.
pub(super) fn pictures(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    id: &str,
) -> Result<Vec<Value>, Problem> {
    if !sees_truth(app, t, who)? {
        return Ok(Vec::new());
    }
    let pictures = newest_measurement(t, id)?.map_or(Value::Null, |newest| newest.pictures);
    Ok(told_pictures(&pictures))
}

fn told_pictures(pictures: &Value) -> Vec<Value> {
    let told = |figure: &Value| json!({ "name": figure["name"], "title": figure["title"], "words": figure["words"] });
    pictures.as_array().into_iter().flatten().map(told).collect()
}

async fn picture(
    State(app): Contest,
    who: Who,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
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
    Ok((headers, bytes).into_response())
}
