//! `/view`, `/view/values`: results to look at, and what lies under the cursor.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::routing::get;
use axum::{Json, Router};
use model::Point2;
use serde::Deserialize;
use serde_json::Value;

use crate::app::{App, Desk};
use crate::problem::Problem;
use crate::view_desk::ViewDesk;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/view", get(all)).route("/view/values", get(values))
}

fn desk(app: &App) -> Result<&ViewDesk, Problem> {
    match &app.desk {
        Desk::View(desk) => Ok(desk),
        Desk::Overlay(_) | Desk::Review(_) => Err(Problem::not_found("this program shows no results")),
    }
}

async fn all(State(app): State<Arc<App>>) -> Result<Json<Value>, Problem> {
    app.compute(|app| Ok(Json(desk(app)?.to_json()))).await
}

#[derive(Deserialize)]
struct Place {
    x: f64,
    y: f64,
}

async fn values(State(app): State<Arc<App>>, Query(place): Query<Place>) -> Result<Json<Value>, Problem> {
    Ok(Json(desk(&app)?.values(Point2::new(place.x, place.y))))
}
