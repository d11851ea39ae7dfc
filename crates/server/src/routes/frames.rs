//! `/submissions/{id}/frame`, `/frame/parse`, `/points/..`: what a person settled on, kept and brought back.

use std::sync::Arc;

use align::closed_form::PointPair;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use mapjudge::AlignmentFile;
use mapjudge::overlay::HandFrame;
use model::Similarity2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::host::OverlayHost;
use super::overlay::{SentPair, clicked_pairs};
use super::{Body, body};
use crate::answer::Tagged;
use crate::app::App;
use crate::contest::roles::Who;
use crate::events::Event;
use crate::overlay_desk::{Frame, TRUTH};
use crate::problem::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/submissions/{id}/frame", get(frame).put(save))
        .route("/frame/parse", post(parse_frame::<App>))
        .route("/points/parse", post(parse_points))
        .route("/points/format", post(format_points))
}

/// The transform file of a map.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SavedFrame {
    /// Null if none was saved or given.
    pub file: Option<AlignmentFile>,
    /// Where it is kept, for people.
    pub saved_to: Option<String>,
}

fn tagged(frame: &Frame) -> Tagged<SavedFrame> {
    let value = SavedFrame { file: frame.file.clone(), saved_to: frame.saved_to.clone() };
    Tagged { tag: format!("\"{}\"", frame.version), value }
}

async fn frame(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Tagged<SavedFrame>, Problem> {
    let desk = app.overlay()?;
    let frame = desk.frame_of(desk.index(&id)?).clone();
    Ok(tagged(&frame))
}

/// A transform that a person settled on.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Choice {
    pub truth_from_map: Similarity2,
    #[serde(default)]
    pub by: String,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub pairs: Vec<SentPair>,
}

async fn save(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    choice: Body<Choice>,
) -> Result<Tagged<SavedFrame>, Problem> {
    let choice = body(choice)?;
    let version =
        headers.get(header::IF_MATCH).and_then(|tag| tag.to_str().ok()?.trim_matches('"').parse().ok());
    let pairs =
        clicked_pairs(choice.pairs)?.into_iter().filter(|clicked| clicked.is_on).map(|clicked| clicked.pair);
    let chosen = HandFrame {
        truth_from_map: choice.truth_from_map,
        by: choice.by,
        reason: choice.reason,
        pairs: pairs.collect(),
    };
    let answer = app
        .compute(move |app| {
            let desk = app.overlay()?;
            let index = desk.index(&id)?;
            let file = desk.pair(&id, TRUTH)?.frame_file(&chosen);
            let file =
                file.map_err(|refusal| Problem::unprocessable("FRAME_REFUSED", refusal.to_string()))?;
            match desk.save(index, version, file)? {
                Some(frame) => Ok(tagged(&frame)),
                None => Err(collision(&desk.frame_of(index))),
            }
        })
        .await?;
    app.events.tell(Event::Frame);
    Ok(answer)
}

fn collision(frame: &Frame) -> Problem {
    let who = frame.file.as_ref().and_then(|file| file.by.clone()).unwrap_or_default();
    let detail = format!("{who:.200} saved another frame of this map meanwhile");
    Problem::new(StatusCode::PRECONDITION_FAILED, "SAVED_MEANWHILE", "Somebody else was faster", detail)
        .hint("look at that one first, then save again")
}

/// A file that was dropped onto a page; `id` names the map that it is for.
#[derive(Deserialize, JsonSchema)]
pub struct Text {
    text: String,
    id: Option<String>,
}

/// A transform out of a file.
#[derive(Serialize, JsonSchema)]
pub struct ParsedFrame {
    truth_from_map: Similarity2,
    pairs: Vec<SentPair>,
    by: Option<String>,
    reason: Option<String>,
}

pub async fn parse_frame<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    text: Body<Text>,
) -> Result<Json<ParsedFrame>, Problem> {
    let Text { text, id } = body(text)?;
    let file = AlignmentFile::parse(text.as_bytes())
        .map_err(|message| Problem::unprocessable("TRANSFORM_FILE_INVALID", message))?;
    if let Some(id) = id {
        let held = file.clone();
        let other = host.on_desk(who, vec![id.clone()], move |desk| {
            Ok(held.other_files(desk.map(&id)?, desk.map(TRUTH)?))
        });
        if let Some(message) = other.await? {
            return Err(Problem::unprocessable("FRAME_OF_OTHER_FILES", message));
        }
    }
    let Some(truth_from_map) = file.alignment.truth_from_map else {
        return Err(Problem::unprocessable("TRANSFORM_FILE_INVALID", "the file holds no transform"));
    };
    let pairs = file.pairs.iter().map(SentPair::from).collect();
    Ok(Json(ParsedFrame { truth_from_map, pairs, by: file.by, reason: file.reason }))
}

pub async fn parse_points(text: Body<Text>) -> Result<Json<Pairs>, Problem> {
    let pairs = mapjudge::formats::read_point_pairs("the file", body(text)?.text.as_bytes());
    let pairs = pairs.map_err(|error| Problem::unprocessable(error.code(), error.to_string()))?;
    let pairs = pairs.into_iter().map(|(in_map, in_truth)| SentPair::from(&PointPair { in_map, in_truth }));
    Ok(Json(Pairs { pairs: pairs.collect() }))
}

/// Pairs of places.
#[derive(Deserialize, Serialize, JsonSchema)]
pub struct Pairs {
    pairs: Vec<SentPair>,
}

/// Pairs of places as a file has them.
#[derive(Serialize, JsonSchema)]
pub struct PairsText {
    /// CSV.
    text: String,
}

pub async fn format_points(pairs: Body<Pairs>) -> Result<Json<PairsText>, Problem> {
    let mut text = String::from("map_x_m,map_y_m,truth_x_m,truth_y_m\n");
    for clicked in clicked_pairs(body(pairs)?.pairs)?.into_iter().filter(|clicked| clicked.is_on) {
        let PointPair { in_map, in_truth } = clicked.pair;
        text += &format!("{},{},{},{}\n", in_map.x_m, in_map.y_m, in_truth.x_m, in_truth.y_m);
    }
    Ok(Json(PairsText { text }))
}
