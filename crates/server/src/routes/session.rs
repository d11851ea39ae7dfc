//! `/login`, `/desk`, `/finish`, `/legend`: who is here, what is on the desk, and the end of the work.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use report::OVERLAY_LEGEND;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Body, body};
use crate::app::{App, Desk};
use crate::login::Refused;
use crate::problem::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/login", post(login))
        .route("/desk", get(desk))
        .route("/legend", get(legend))
        .route("/finish", post(finish))
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

async fn login(State(app): State<Arc<App>>, code: Body<Code>) -> Result<Response, Problem> {
    let token = app.login.open(&body(code)?.code).map_err(|refused| match refused {
        Refused::Unknown => Problem::new(
            StatusCode::FORBIDDEN,
            "CODE_UNKNOWN",
            "This link does not work",
            "it was used before, or belongs to a program that has ended",
        )
        .hint("press Enter in the terminal of the program for a new link"),
        Refused::TooMany => {
            let detail = "too many wrong codes within a minute";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_CODES", "Wait a minute", detail)
        }
    })?;
    let cookie = format!("{}={token}; HttpOnly; SameSite=Strict; Path=/", app.cookie_name());
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({ "start": app.start() }))).into_response())
}

async fn desk(State(app): State<Arc<App>>) -> Json<Value> {
    let tool = json!({ "name": "mapjudge", "version": env!("CARGO_PKG_VERSION") });
    let common = json!({ "tool": tool, "start": app.start(), "reviewer": null });
    let own = match &app.desk {
        Desk::Overlay(desk) => json!({
            "kind": "overlay",
            "truth": desk.truth_info(),
            "maps": desk.map_infos(),
            "saves_to": desk.is_kept().then_some("a transform file"),
        }),
        Desk::Review(desk) => json!({
            "kind": "review",
            "truth": null,
            "maps": [],
            "saves_to": desk.record(),
            "reviewer": desk.reviewer(),
        }),
        Desk::View(desk) => {
            json!({ "kind": "view", "truth": null, "maps": desk.map_infos(), "saves_to": null })
        }
    };
    Json(merged(common, own))
}

fn merged(mut all: Value, own: Value) -> Value {
    if let (Some(all), Value::Object(own)) = (all.as_object_mut(), own) {
        all.extend(own);
    }
    all
}

/// A colour of the overlay.
#[derive(Serialize, JsonSchema)]
pub struct LegendEntry {
    /// `#rrggbb`.
    colour: String,
    words: &'static str,
}

pub async fn legend() -> Json<Vec<LegendEntry>> {
    let row = |(colour, words): &([u8; 3], &'static str)| {
        let [red, green, blue] = colour;
        LegendEntry { colour: format!("#{red:02x}{green:02x}{blue:02x}"), words }
    };
    Json(OVERLAY_LEGEND.iter().map(row).collect())
}

async fn finish(State(app): State<Arc<App>>) -> Json<Value> {
    app.finished.notify_one();
    Json(json!({}))
}
