//! `/desk`, `/submissions/{id}/live` and what else the overlay page asks for, `/frame`: maps of submissions on the truth.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use mapjudge::AlignmentFile;
use mapjudge::overlay::HandFrame;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::contest::Tool;
use super::{Body, Reason, body, reason, seen};
use crate::answer::Tagged;
use crate::contest::app::{ContestApp, Peer, lost_object};
use crate::contest::clock::Time;
use crate::contest::decisions::{self, Decision, Made, Replaces, Subject};
use crate::contest::desks::{frame_file, saved_frame};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::Transaction;
use crate::contest::store::job_table::{JobKind, enqueue};
use crate::map_info::MapInfo;
use crate::overlay_desk::TRUTH;
use crate::problem::Problem;
use crate::routes::frames::{self, Choice, SavedFrame};
use crate::routes::host::OverlayHost;
use crate::routes::overlay::{self, LiveAnswer, clicked_pairs};
use crate::routes::{planes, session};

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
    [on_maps(), images(), of_frames()].into_iter().flatten().collect()
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
    ]
}

fn images() -> Vec<Operation> {
    let get = |path, summary, handler| Operation { verb: Verb::Get, path, summary, ..handler };
    vec![
        get(
            "/submissions/{id}/planes/{which}/{level}/{column}/{row}",
            "A tile of a map.",
            truth_seer!(Get, planes::tile::<ContestApp>),
        )
        .query(&[("ink", "plain (the default), truth or map")]),
        get(
            "/submissions/{id}/difference.png",
            "Where map and truth differ, in a window in the frame of the truth.",
            truth_seer!(Get, planes::difference::<ContestApp>),
        )
        .query(&[
            ("x", "where the map lies, metres"),
            ("y", "where the map lies, metres"),
            ("theta", "how far it is turned, radians"),
            ("scale", "of the map"),
            ("on", "truth (the default), or another submission"),
            ("west", "left border of the window, metres"),
            ("south", "lower border of the window, metres"),
            ("cell", "edge of a pixel, metres"),
            ("width", "pixels"),
            ("height", "pixels"),
        ]),
    ]
}

fn of_frames() -> Vec<Operation> {
    let post = |path, summary, handler| Operation { verb: Verb::Post, path, summary, ..handler };
    let get = |path, summary, handler| Operation { verb: Verb::Get, path, summary, ..handler };
    vec![
        post("/frame/parse", "Reads a transform file.", judge!(Post, frames::parse_frame::<ContestApp>))
            .takes::<frames::Text>(),
        post("/points/parse", "Reads pairs of places.", judge!(Post, frames::parse_points))
            .takes::<frames::Text>(),
        post("/points/format", "Writes pairs of places.", judge!(Post, frames::format_points))
            .takes::<frames::Pairs>(),
        get("/submissions/{id}/frame", "The transform that a judge saved.", judge!(Get, frame)),
        Operation::new(Verb::Put, "/submissions/{id}/frame", Needs::Judge, "Lay a map by hand.", save)
            .takes::<Choice>(),
        Operation::new(Verb::Delete, "/submissions/{id}/frame", Needs::Judge, "Take that back.", remove)
            .takes::<Reason>(),
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
) -> Result<Json<LiveAnswer>, Problem> {
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

/// What is laid on what.
#[derive(Serialize, JsonSchema)]
struct Desk {
    /// Always `overlay`.
    kind: &'static str,
    tool: Tool,
    /// The page to begin with.
    start: &'static str,
    /// Names are those of people who logged in, and the server goes on: always true.
    contest: bool,
    truth: MapInfo,
    maps: Vec<MapInfo>,
    /// Where a transform is kept, for people; null for who may keep none.
    saves_to: Option<&'static str>,
    /// Who looks.
    reviewer: String,
}

async fn desk(State(app): Contest, who: Who, Query(asked): Query<Asked>) -> Result<Json<Desk>, Problem> {
    let ids: Vec<String> = asked.of.split(',').map(str::to_owned).collect();
    let saves_to = who.is_judge().then_some("the contest");
    app.on_desk(who.clone(), ids, move |desk| {
        Ok(Json(Desk {
            kind: "overlay",
            tool: Tool::OWN,
            start: "/desk",
            contest: true,
            truth: desk.truth_info().clone(),
            maps: desk.map_infos(),
            saves_to,
            reviewer: who.name().to_owned(),
        }))
    })
    .await
}

fn tagged(made: Option<&Made>, file: Option<AlignmentFile>) -> Tagged<SavedFrame> {
    let saved_to = made.map(|_| "the contest".to_owned());
    let tag = format!("\"{}\"", made.map_or(0, |made| made.seq));
    Tagged { tag, value: SavedFrame { file, saved_to } }
}

async fn frame(State(app): Contest, who: Who, Path(id): Path<String>) -> Result<Tagged<SavedFrame>, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let made = saved_frame(t, &row.id)?;
        let file = made.as_ref().and_then(|made| frame_file(app, made));
        Ok(tagged(made.as_ref(), file))
    })
    .await
}

async fn save(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    choice: Body<Choice>,
) -> Result<Tagged<SavedFrame>, Problem> {
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
    app.write(move |app, t| keep(app, t, &who, &id, file, expected)).await
}

/// Keeps a transform file as a decision, and has the submission measured with it.
fn keep(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    id: &str,
    file: AlignmentFile,
    expected: Option<i64>,
) -> Result<Tagged<SavedFrame>, Problem> {
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
    Ok(tagged(made.as_ref(), Some(file)))
}

async fn remove(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    why: Body<Reason>,
) -> Result<Tagged<SavedFrame>, Problem> {
    let why = reason(&body(why)?.reason)?;
    app.write(move |_, t| {
        let row = seen(t, &who.scope(), &id)?;
        let subject = Subject { kind: Decision::Frame, submission: &row.id, name: "" };
        let now = Time::now();
        if !decisions::take_back(t, now, who.name(), subject, &why, Replaces::All)? {
            return Err(Problem::not_found("there is nothing to take back"));
        }
        enqueue(t, now, JobKind::Measure, &row.id, JobKind::Measure.priority())?;
        Ok(tagged(None, None))
    })
    .await
}
