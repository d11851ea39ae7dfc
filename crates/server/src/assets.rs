//! The built page, inside the program. All pages are one document; the script draws what the address asks for.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::problem::Problem;

#[derive(RustEmbed)]
// A link to `ui/dist`, which source packages follow.
#[folder = "dist"]
struct Files;

/// The document of every page.
pub async fn document() -> Response {
    file("index.html")
}

/// A script, a style or an image of the page.
pub async fn asset(Path(path): Path<String>) -> Response {
    file(&format!("assets/{path}"))
}

/// The icon that browsers ask for.
pub async fn icon() -> Response {
    file("assets/favicon.svg")
}

fn file(path: &str) -> Response {
    let Some(found) = Files::get(path) else {
        return Problem::not_found(format!("the program holds no file '{path:.80}'")).into_response();
    };
    let kind = match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        _ => "application/octet-stream",
    };
    let bytes = bytes::Bytes::from(found.data.into_owned());
    (StatusCode::OK, [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes)
        .into_response()
}
