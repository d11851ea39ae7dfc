//! `/submissions/{id}/live`, `/fit`, `/align`, `/climb`, `/layers`: the numbers and shapes of a map where it lies.

use std::sync::Arc;
use std::time::Instant;

use align::closed_form::PointPair;
use align::{Alignment, Verdict};
use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use mapjudge::SearchMethod;
use mapjudge::overlay::{
    BentMap, ClickedPair, DrawnLayer, FitMotion, FitRefusal, FittedPairs, LayerFrame, LiveNumbers,
    PairResidual, Precision, fit_pairs, room_layer,
};
use model::{Point2, Pose2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::host::OverlayHost;
use super::{Body, MAX_PAIRS, body, yes};
use crate::app::App;
use crate::contest::roles::Who;
use crate::overlay_desk::TRUTH;
use crate::problem::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/submissions/{id}/live", post(live::<App>))
        .route("/submissions/{id}/fit", post(fit::<App>))
        .route("/submissions/{id}/align", post(align_by_search::<App>))
        .route("/submissions/{id}/climb", post(climb::<App>))
        .route("/submissions/{id}/layers", get(layers::<App>))
        .route("/submissions/{id}/layers/rooms", get(rooms::<App>))
}

/// Where a map lies.
#[derive(Deserialize, JsonSchema)]
pub struct MapPlacement {
    truth_from_map: Similarity2,
    #[serde(default)]
    exact: bool,
    #[serde(default = "default_below")]
    on: String,
}

/// The submissions that a request names: `on` may be another map, or the truth, which is none.
pub(crate) fn submissions_named(id: &str, on: &str) -> Vec<String> {
    [id, on].into_iter().filter(|name| *name != TRUTH).map(str::to_owned).collect()
}

fn default_below() -> String {
    TRUTH.to_owned()
}

fn valid_transform(transform: Similarity2) -> Result<Similarity2, Problem> {
    let is_usable = transform.is_valid();
    is_usable.then_some(transform).ok_or_else(|| {
        Problem::unprocessable("TRANSFORM_INVALID", "expected finite numbers and a scale above 0")
    })
}

/// Numbers where a map lies.
#[derive(Serialize, JsonSchema)]
pub struct LiveAnswer {
    #[serde(flatten)]
    numbers: LiveNumbers,
    /// Why they are not exact, though that was asked for.
    why_not_exact: Option<String>,
    /// How long they took.
    seconds: f64,
}

pub async fn live<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
    placement: Body<MapPlacement>,
) -> Result<Json<LiveAnswer>, Problem> {
    let placement = body(placement)?;
    let transform = valid_transform(placement.truth_from_map)?;
    host.on_desk(who, submissions_named(&id, &placement.on), move |desk| {
        let began = Instant::now();
        let pair = desk.pair(&id, &placement.on)?;
        let quickly = || pair.live(transform, Precision::WhileMoving);
        let (numbers, why_not_exact) = match placement.exact.then(|| pair.live(transform, Precision::Exact)) {
            Some(Ok(numbers)) if !numbers.needs_too_much() => (numbers, None),
            Some(Ok(_)) => (quickly()?, Some("the maps are too large for exact numbers".to_owned())),
            Some(Err(error)) => (quickly()?, Some(error.to_string())),
            None => (quickly()?, None),
        };
        Ok(Json(LiveAnswer { numbers, why_not_exact, seconds: began.elapsed().as_secs_f64() }))
    })
    .await
}

/// A pair as pages have it: a place in both maps, and whether it counts.
#[derive(Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "Pair")]
pub struct SentPair {
    map: [f64; 2],
    truth: [f64; 2],
    #[serde(default = "yes")]
    on: bool,
}

impl From<&PointPair> for SentPair {
    fn from(pair: &PointPair) -> Self {
        let PointPair { in_map, in_truth } = pair;
        Self { map: [in_map.x_m, in_map.y_m], truth: [in_truth.x_m, in_truth.y_m], on: true }
    }
}

impl From<SentPair> for ClickedPair {
    fn from(sent: SentPair) -> Self {
        let point = |[x_m, y_m]: [f64; 2]| Point2::new(x_m, y_m);
        Self { pair: PointPair { in_map: point(sent.map), in_truth: point(sent.truth) }, is_on: sent.on }
    }
}

/// Pairs with finite numbers, and not too many of them.
pub(crate) fn clicked_pairs(pairs: Vec<SentPair>) -> Result<Vec<ClickedPair>, Problem> {
    if pairs.len() > MAX_PAIRS {
        let detail = format!("{} pairs: expected at most {MAX_PAIRS}", pairs.len());
        return Err(Problem::unprocessable("TOO_MANY_PAIRS", detail));
    }
    if pairs.iter().any(|pair| pair.map.iter().chain(&pair.truth).any(|number| !number.is_finite())) {
        return Err(Problem::unprocessable("PAIR_INVALID", "expected finite numbers"));
    }
    Ok(pairs.into_iter().map(ClickedPair::from).collect())
}

/// Pairs, and what the fit may do.
#[derive(Deserialize, JsonSchema)]
pub struct Fit {
    pairs: Vec<SentPair>,
    #[serde(default)]
    motion: FitMotion,
    #[serde(default = "default_degree")]
    degree: usize,
    #[serde(default = "default_below")]
    on: String,
}

const fn default_degree() -> usize {
    1
}

/// A transform from pairs.
#[derive(Serialize, JsonSchema)]
pub struct FitAnswer {
    /// Null if it was refused.
    truth_from_map: Option<Similarity2>,
    /// Why there is none.
    refused: Option<FitRefusal>,
    /// Root mean square of the residuals of pairs that count.
    rms_m: Option<f64>,
    /// How that is computed.
    formula: &'static str,
    /// By pair, in their order.
    residuals: Vec<PairResidual>,
    /// The map as a polynomial bends it.
    bent: Option<DrawnBentMap>,
}

/// A map as a polynomial bends it, with its image where it can be drawn.
#[derive(Serialize, JsonSchema)]
struct DrawnBentMap {
    #[serde(flatten)]
    lines: BentMap,
    /// Psi of the bent map; null where it is undefined.
    psi_after: Option<f64>,
    picture: Option<BentImage>,
}

/// The cells of a bent map, in the frame of the truth.
#[derive(Serialize, JsonSchema)]
struct BentImage {
    /// Left border, metres.
    west: f64,
    /// Lower border, metres.
    south: f64,
    /// Edge of a pixel, metres.
    cell_m: f64,
    /// PNG in base64.
    png: String,
}

pub async fn fit<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
    fit: Body<Fit>,
) -> Result<Json<FitAnswer>, Problem> {
    let fit = body(fit)?;
    let pairs = clicked_pairs(fit.pairs)?;
    host.on_desk(who, submissions_named(&id, &fit.on), move |desk| {
        let (map, below) = (desk.map(&id)?, desk.map(&fit.on)?);
        let cell_size_m = below.value.grid.geometry().cell_size_m();
        let fitted = fit_pairs(&pairs, fit.motion, fit.degree, map.value.grid.geometry(), cell_size_m);
        let pair = fitted.warp.is_some().then(|| desk.pair(&id, &fit.on)).transpose()?;
        // A map that cannot be drawn still has its grid.
        let drawn = pair.zip(fitted.warp.as_ref()).and_then(|(pair, warp)| pair.bend(warp).ok());
        let psi_after = drawn.as_ref().and_then(|drawn| drawn.psi_after);
        let picture = drawn.map(|drawn| {
            let Pose2 { x_m: west, y_m: south, .. } = drawn.window.origin();
            let (cell_m, png) = (drawn.window.cell_size_m(), BASE64.encode(drawn.png));
            BentImage { west, south, cell_m, png }
        });
        let FittedPairs { truth_from_map, refused, rms_m, formula, residuals, bent, .. } = fitted;
        let bent = bent.map(|lines| DrawnBentMap { lines, psi_after, picture });
        Ok(Json(FitAnswer { truth_from_map, refused, rms_m, formula, residuals, bent }))
    })
    .await
}

/// A method of search.
#[derive(Deserialize, JsonSchema)]
pub struct Align {
    #[serde(default = "default_method")]
    method: String,
    #[serde(default = "default_below")]
    on: String,
}

fn default_method() -> String {
    "auto".to_owned()
}

/// What a search found.
#[derive(Serialize, JsonSchema)]
pub struct AlignAnswer {
    alignment: Alignment,
    /// The verdict for people.
    words: &'static str,
    /// How long it took.
    seconds: f64,
}

pub async fn align_by_search<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
    asked: Body<Align>,
) -> Result<Json<AlignAnswer>, Problem> {
    let asked = body(asked)?;
    let method = match asked.method.as_str() {
        "auto" => SearchMethod::Correlative,
        name => *SearchMethod::ALL
            .iter()
            .find(|method| method.name() == name)
            .ok_or_else(|| Problem::unprocessable("METHOD_UNKNOWN", format!("no method '{name:.40}'")))?,
    };
    host.on_desk(who, submissions_named(&id, &asked.on), move |desk| {
        let began = Instant::now();
        let alignment = desk.pair(&id, &asked.on)?.align(method)?;
        let words = match alignment.certificate.verdict {
            Verdict::Certain => "certain: no other place fits nearly as well",
            Verdict::Ambiguous => "ambiguous: another place fits about as well",
            Verdict::Failed => "failed: nothing in the map fits",
            Verdict::Mirrored => "mirrored: the mirror image of the map fits better",
        };
        Ok(Json(AlignAnswer { alignment, words, seconds: began.elapsed().as_secs_f64() }))
    })
    .await
}

/// The nearest top of the wall score.
#[derive(Serialize, JsonSchema)]
pub struct ClimbAnswer {
    truth_from_map: Similarity2,
    score_before: f64,
    score_after: f64,
}

pub async fn climb<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
    placement: Body<MapPlacement>,
) -> Result<Json<ClimbAnswer>, Problem> {
    let placement = body(placement)?;
    let start = valid_transform(placement.truth_from_map)?;
    host.on_desk(who, submissions_named(&id, &placement.on), move |desk| {
        let climbed = desk.pair(&id, &placement.on)?.climb(start);
        let climbed =
            climbed.ok_or_else(|| Problem::unprocessable("NO_WALLS", "one of the maps has no wall"))?;
        Ok(Json(ClimbAnswer {
            truth_from_map: climbed.truth_from_map,
            score_before: climbed.score_before,
            score_after: climbed.score_after,
        }))
    })
    .await
}

/// Shapes on map and truth.
#[derive(Serialize, JsonSchema)]
pub struct Layers {
    layers: Vec<DrawnLayer>,
}

pub async fn layers<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Layers>, Problem> {
    host.on_desk(who, vec![id.clone()], move |desk| Ok(Json(Layers { layers: desk.layers(&id)? }))).await
}

pub async fn rooms<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<DrawnLayer>, Problem> {
    let frame = if id == TRUTH { LayerFrame::Truth } else { LayerFrame::Map };
    host.on_desk(who, vec![id.clone()], move |desk| Ok(Json(room_layer(desk.map(&id)?, frame)?))).await
}
