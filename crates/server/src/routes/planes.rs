//! `/submissions/{id}/planes/..`, `/submissions/{id}/difference.png`: maps as images, drawn by us from cells.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use mapjudge::overlay::{Ink, TiledMap, difference_tile};
use model::{GridGeometry, Pose2, Similarity2};
use serde::Deserialize;

use crate::app::{App, Desk};
use crate::limits::MAX_PICTURE_PIXELS;
use crate::overlay_desk::TRUTH;
use crate::problem::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/submissions/{id}/planes/{which}/{level}/{column}/{row}", get(tile))
        .route("/submissions/{id}/difference.png", get(difference))
}

#[derive(Deserialize)]
struct Look {
    #[serde(default)]
    ink: Option<String>,
}

async fn tile(
    State(app): State<Arc<App>>,
    Path((id, which, level, column, row)): Path<(String, String, usize, usize, String)>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let row = row.strip_suffix(".png").and_then(|row| row.parse::<usize>().ok());
    let row = row.ok_or_else(|| Problem::not_found("tiles are called ROW.png"))?;
    let of = match which.as_str() {
        "truth" => TRUTH.to_owned(),
        "map" => id,
        _ => return Err(Problem::not_found("planes are `truth` and `map`")),
    };
    let ink = match look.ink.as_deref() {
        None | Some("plain") => Ink::Plain,
        Some("truth") => Ink::Truth,
        Some("map") => Ink::Map,
        Some(_) => return Err(Problem::not_found("inks are `truth`, `map` and `plain`")),
    };
    let png = app
        .compute(move |app| {
            let found = tiles(app, &of)?.tile(level, column, row, ink)?;
            found.ok_or_else(|| Problem::not_found("the map has no such tile"))
        })
        .await?;
    let tag = format!("\"{}\"", blake3::hash(&png).to_hex());
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let caching = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, "private, no-cache")];
    Ok(if is_known {
        (StatusCode::NOT_MODIFIED, caching).into_response()
    } else {
        (caching, image(png)).into_response()
    })
}

fn tiles<'a>(app: &'a App, id: &str) -> Result<&'a TiledMap, Problem> {
    match &app.desk {
        Desk::Overlay(desk) => desk.tiles(id),
        Desk::Review(_) => Err(Problem::not_found("a review shows no maps")),
        Desk::View(desk) => desk.tiles(id),
    }
}

fn image(png: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "image/png")], png).into_response()
}

/// A window in the frame of the truth, where the map lies, and what it is laid on, which lies where it was laid.
#[derive(Deserialize)]
struct Difference {
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

async fn difference(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(asked): Query<Difference>,
) -> Result<Response, Problem> {
    if asked.width.saturating_mul(asked.height) > MAX_PICTURE_PIXELS {
        let detail = format!("{} x {} pixels: expected at most 4 million", asked.width, asked.height);
        return Err(Problem::unprocessable("PICTURE_TOO_LARGE", detail));
    }
    let transform = Similarity2::new(asked.x, asked.y, asked.theta, asked.scale);
    let origin = Pose2::new(asked.west, asked.south, 0.0);
    let window = GridGeometry::new(asked.width, asked.height, asked.cell, origin);
    let window = window.map_err(|error| Problem::unprocessable("WINDOW_INVALID", error.to_string()))?;
    app.compute(move |app| {
        let (desk, on) = (app.overlay()?, asked.on.as_deref().unwrap_or(TRUTH));
        let (map, below) = (&desk.map(&id)?.value.grid, &desk.map(on)?.value.grid);
        Ok(image(difference_tile((below, desk.frame_in_truth(on)?), (map, transform), &window)?))
    })
    .await
}
