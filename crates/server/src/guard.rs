//! What every request must bring, and what every answer carries: the right host, the own origin, a session, strict headers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::problem::Problem;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'";

/// Checks a request before any route sees it, and adds the headers of every answer.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut answer = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    add_headers(&mut answer);
    answer
}

/// The headers of every answer: nothing of others is loaded, framed or guessed.
pub fn add_headers(answer: &mut Response) {
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

fn check(app: &App, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let host = text(headers, &header::HOST).unwrap_or_default();
    if !app.hosts().iter().any(|known| known == host) {
        let detail = "the request names another host than the one this program listens on";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "FOREIGN_HOST", "Wrong address", detail)
            .hint("open the link that the program printed"));
    }
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_safe && !is_same_origin(headers, host) {
        let detail = "the request comes from a page of somebody else";
        return Err(Problem::new(StatusCode::FORBIDDEN, "FOREIGN_ORIGIN", "Refused", detail));
    }
    let path = request.uri().path();
    let needs_session = path.starts_with("/api/") && path != "/api/v1/login";
    if needs_session
        && !session_token(headers, &app.cookie_name()).is_some_and(|token| app.login.knows(token))
    {
        return Err(Problem::new(
            StatusCode::UNAUTHORIZED,
            "NO_SESSION",
            "Not logged in",
            "this browser has not logged in",
        )
        .hint("open the link that the program printed; press Enter in its terminal for a new one"));
    }
    Ok(())
}

fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    match text(headers, &header::HeaderName::from_static("sec-fetch-site")) {
        Some(site) => site == "same-origin",
        None => {
            text(headers, &header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") == Some(host))
        }
    }
}

/// The session of a cookie.
pub fn session_token<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(key, value)| (key == name).then_some(value))
}

/// A header as text.
pub fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
