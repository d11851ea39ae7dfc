//! One resource of the HTTP interface per file.

pub mod frames;
pub mod host;
pub mod overlay;
pub mod planes;
pub mod reviews;
pub mod session;
pub mod view;

use axum::Json;
use axum::extract::rejection::JsonRejection;

use crate::problem::Problem;

/// Pairs of places that a person clicks, at most.
pub(crate) const MAX_PAIRS: usize = 1000;

/// A body as it arrives.
pub(crate) type Body<T> = Result<Json<T>, JsonRejection>;

/// The default of what is true unless a page says otherwise.
pub(crate) const fn yes() -> bool {
    true
}

/// The body of a request, or what is wrong with it.
pub(crate) fn body<T>(body: Body<T>) -> Result<T, Problem> {
    match body {
        Ok(Json(value)) => Ok(value),
        Err(rejection) => {
            let (status, detail) = (rejection.status(), rejection.body_text());
            Err(Problem::new(status, "REQUEST_INVALID", "This request makes no sense", detail))
        }
    }
}
