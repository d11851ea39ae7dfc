//! `/submissions/{id}/planes/..`, `/submissions/{id}/difference.png`: maps as images, drawn by us from cells.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use mapjudge::overlay::{Ink, difference_tile};
use model::{GridGeometry, Pose2, Similarity2};
use serde::Deserialize;

use super::host::{OverlayHost, TileOf};
use super::overlay::submissions_named;
use crate::answer::{Bytes, Png};
use crate::app::App;
use crate::contest::roles::Who;
use crate::limits::MAX_PICTURE_PIXELS;
use crate::overlay_desk::TRUTH;
use crate::problem::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/submissions/{id}/planes/{which}/{level}/{column}/{row}", get(tile::<App>))
        .route("/submissions/{id}/difference.png", get(difference::<App>))
}

#[derive(Deserialize)]
pub struct Look {
    #[serde(default)]
    ink: Option<String>,
}

pub async fn tile<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path((id, which, level, column, row)): Path<(String, String, usize, usize, String)>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Bytes<Png>, Problem> {
    let row = row.strip_suffix(".png").and_then(|row| row.parse::<usize>().ok());
    let row = row.ok_or_else(|| Problem::not_found("tiles are called ROW.png"))?;
    let map = match which.as_str() {
        "truth" => TRUTH.to_owned(),
        "map" => id.clone(),
        _ => return Err(Problem::not_found("planes are `truth` and `map`")),
    };
    let ink = match look.ink.as_deref() {
        None | Some("plain") => Ink::Plain,
        Some("truth") => Ink::Truth,
        Some("map") => Ink::Map,
        Some(_) => return Err(Problem::not_found("inks are `truth`, `map` and `plain`")),
    };
    let png = host.tile(who, TileOf { beside: id, map }, (level, column, row), ink).await?;
    let png = png.ok_or_else(|| Problem::not_found("the map has no such tile"))?;
    let tag = format!("\"{}\"", blake3::hash(&png).to_hex());
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let caching = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "private, no-cache")];
    Ok(if is_known {
        Bytes::of((StatusCode::NOT_MODIFIED, caching))
    } else {
        Bytes::of((caching, image(png)))
    })
}

fn image(png: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "image/png")], png).into_response()
}

/// A window in the frame of the truth, where the map lies, and what it is laid on, which lies where it was laid.
#[derive(Deserialize)]
pub struct Difference {
    x: f64,
    y: f64,
    theta: f64,
    scale: f64,
    on: Option<String>,
    west: f64,
    south: f64,
    cell: f64,
    width: usize,
    height: usize,
}

pub async fn difference<H: OverlayHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(id): Path<String>,
    Query(asked): Query<Difference>,
) -> Result<Bytes<Png>, Problem> {
    if asked.width.saturating_mul(asked.height) > MAX_PICTURE_PIXELS {
        let detail = format!("{} x {} pixels: expected at most 4 million", asked.width, asked.height);
        return Err(Problem::unprocessable("PICTURE_TOO_LARGE", detail));
    }
    let transform = Similarity2::new(asked.x, asked.y, asked.theta, asked.scale);
    let origin = Pose2::new(asked.west, asked.south, 0.0);
    let window = GridGeometry::new(asked.width, asked.height, asked.cell, origin);
    let window = window.map_err(|error| Problem::unprocessable("WINDOW_INVALID", error.to_string()))?;
    let on = asked.on.clone().unwrap_or_else(|| TRUTH.to_owned());
    host.on_desk(who, submissions_named(&id, &on), move |desk| {
        let on = on.as_str();
        let (map, below) = (&desk.map(&id)?.value.grid, &desk.map(on)?.value.grid);
        Ok(Bytes::of(image(difference_tile((below, desk.frame_in_truth(on)?), (map, transform), &window)?)))
    })
    .await
}
