//! What every request to a contest must bring, and what every answer carries.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

use super::accounts;
use super::app::{ContestApp, Peer};
use super::clock::Time;
use super::roles::{Needs, Person, PersonRole, Who};
use crate::guard::{add_headers, session_token, text};
use crate::problem::Problem;

/// Until the first bytes of a body must be there, beside what their number takes.
const BODY_BEGINS: Duration = Duration::from_secs(10);
/// Bytes of a refusal of the framework.
const MAX_REFUSAL: usize = 10_000;
/// Slowest body, bytes in a second.
const SLOWEST_BODY: u64 = 1000;

/// Checks a request before any route sees it, says who sends it, and adds the headers of every answer.
pub async fn guard(State(app): State<Arc<ContestApp>>, request: Request, next: Next) -> Response {
    let mut answer = match admitted(&app, request).await {
        Ok(request) => as_problem(next.run(request).await).await,
        Err(problem) => problem.into_response(),
    };
    add_headers(&mut answer);
    answer
}

/// Refusals of extractors are plain text: every error is a problem here.
async fn as_problem(answer: Response) -> Response {
    let status = answer.status();
    let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_text = kind.is_some_and(|kind| kind.starts_with("text/plain"));
    if !(status.is_client_error() || status.is_server_error()) || !is_text {
        return answer;
    }
    let told = axum::body::to_bytes(answer.into_body(), MAX_REFUSAL).await.unwrap_or_default();
    let detail = String::from_utf8_lossy(&told).into_owned();
    Problem::new(status, "REQUEST_INVALID", "This request makes no sense", detail).into_response()
}

async fn admitted(app: &Arc<ContestApp>, mut request: Request) -> Result<Request, Problem> {
    let headers = request.headers();
    let host = text(headers, &header::HOST).unwrap_or_default();
    if !app.reach.knows_host(host) {
        let detail = "the request names another host than the one this contest is served under";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "FOREIGN_HOST", "Wrong address", detail)
            .hint("open the address that the organiser gave you"));
    }
    let cookie = session_token(headers, &app.reach.cookie_name()).map(str::to_owned);
    let bearer = text(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let bearer = bearer.map(|token| token.trim().to_owned());
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_program = bearer.is_some() && !headers.contains_key(header::COOKIE);
    if !is_safe && !is_program && !is_same_origin(app, headers, host) {
        let detail = "the request comes from a page of somebody else";
        return Err(Problem::new(StatusCode::FORBIDDEN, "FOREIGN_ORIGIN", "Refused", detail)
            .hint("programs send a token and no cookie"));
    }
    let address = address(app, &request);
    if request.uri().path().starts_with("/api/") {
        let who = identify(app, bearer, cookie).await?;
        request.extensions_mut().insert(who);
    }
    request.extensions_mut().insert(Peer(address));
    Ok(request.map(not_too_slow))
}

fn is_same_origin(app: &ContestApp, headers: &HeaderMap, host: &str) -> bool {
    match text(headers, &header::HeaderName::from_static("sec-fetch-site")) {
        Some(site) => site == "same-origin",
        None => text(headers, &header::ORIGIN).is_some_and(|origin| app.reach.is_own_origin(origin, host)),
    }
}

/// The address of whoever sends: behind a proxy, what the proxy appended.
fn address(app: &ContestApp, request: &Request) -> IpAddr {
    let forwarded = app.reach.public_url.is_some().then(|| {
        let lines = request.headers().get_all("x-forwarded-for").iter();
        let last = lines.filter_map(|value| value.to_str().ok()).next_back()?;
        last.rsplit(',').next()?.trim().parse().ok()
    });
    let peer = || request.extensions().get::<Peer>().map(|peer| peer.0);
    forwarded.flatten().or_else(peer).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

async fn identify(
    app: &Arc<ContestApp>,
    bearer: Option<String>,
    cookie: Option<String>,
) -> Result<Who, Problem> {
    if app.reach.is_free {
        let (id, name) = (String::new(), "admin".to_owned());
        return Ok(Who(Some(Person { id, name, role: PersonRole::Admin, team: None })));
    }
    let now = Time::now();
    if let Some(token) = bearer {
        let person = app.read(move |_, t| Ok(accounts::of_token(t, &token)?)).await?;
        let unknown = || {
            Problem::new(StatusCode::UNAUTHORIZED, "TOKEN_UNKNOWN", "Not logged in", "nobody has this token")
                .hint("an admin makes a new one")
        };
        return person.map(|person| Who(Some(person))).ok_or_else(unknown);
    }
    let Some(cookie) = cookie else { return Ok(Who::default()) };
    let token = cookie.clone();
    let Some((person, is_old)) = app.read(move |_, t| Ok(accounts::of_session(t, now, &token)?)).await?
    else {
        return Ok(Who::default());
    };
    if is_old {
        app.run(move |app| Ok(app.db.write(|t| accounts::keep_alive(t, now, &cookie))?)).await?;
    }
    Ok(Who(Some(person)))
}

/// A body that comes in at a walking pace at least.
fn not_too_slow(body: Body) -> Body {
    if body_is_empty(&body) {
        return body;
    }
    let began = Instant::now();
    let stream = futures_util::stream::unfold(
        (body.into_data_stream(), 0_u64),
        move |(mut stream, bytes)| async move {
            let until = began + BODY_BEGINS + Duration::from_secs(bytes / SLOWEST_BODY);
            match timeout_at(until, stream.next()).await {
                Ok(None) => None,
                Ok(Some(Ok(chunk))) => {
                    let bytes = bytes + chunk.len() as u64;
                    Some((Ok(chunk), (stream, bytes)))
                }
                Ok(Some(Err(error))) => Some((Err(error), (stream, bytes))),
                Err(_) => {
                    let slow =
                        std::io::Error::new(std::io::ErrorKind::TimedOut, "the body comes in too slowly");
                    Some((Err(axum::Error::new(slow)), (stream, bytes)))
                }
            }
        },
    );
    Body::from_stream(stream)
}

fn body_is_empty(body: &Body) -> bool {
    use axum::body::HttpBody;
    body.is_end_stream()
}

/// Lets through who has what an operation needs.
pub async fn needed(needs: Needs, who: Who, request: Request, next: Next) -> Response {
    if needs.has(&who) {
        return next.run(request).await;
    }
    let problem = if who.person().is_none() {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "NO_SESSION",
            "Not logged in",
            "this needs somebody who is logged in",
        )
        .hint("open the log-in link that you were given, or ask the organiser for a new one")
    } else {
        let detail = format!("this is for {}", needs.words());
        Problem::new(StatusCode::FORBIDDEN, "NOT_ALLOWED", "Not for you", detail)
    };
    problem.into_response()
}

impl<S: Sync> FromRequestParts<S> for Who {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::LOCALHOST))))
    }
}
