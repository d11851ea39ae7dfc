//! `/login`, `/logout`: a code of a link opens a session, once.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Body, body};
use crate::answer::Done;
use crate::contest::accounts;
use crate::contest::app::{ContestApp, Peer};
use crate::contest::clock::Time;
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::Needs;
use crate::guard::session_token;
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Verb::Post, "/login", Needs::Nobody, "Open a session with the code of a link.", login)
            .takes::<Code>(),
        Operation::new(Verb::Post, "/logout", Needs::Nobody, "End the session.", logout),
    ]
}

/// What stands behind the # of a log-in link.
#[derive(Deserialize, JsonSchema)]
struct Code {
    code: String,
}

async fn login(
    State(app): State<Arc<ContestApp>>,
    Peer(address): Peer,
    headers: HeaderMap,
    code: Body<Code>,
) -> Result<Done, Problem> {
    let code = body(code)?.code;
    if !app.rates.may_log_in(address, app.rules.settings.limits.wrong_codes_per_minute) {
        let detail = "too many wrong codes within a minute";
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_CODES", "Wait a minute", detail));
    }
    let old = session_token(&headers, &app.reach.cookie_name()).map(str::to_owned);
    let opened = app
        .write(move |_, t| {
            let opened = accounts::log_in(t, Time::now(), &code)?;
            // A new session at each log-in: one that somebody slipped in is worth nothing.
            if let (Some(_), Some(old)) = (&opened, &old) {
                accounts::log_out(t, old)?;
            }
            Ok(opened)
        })
        .await?;
    let Some((_, token)) = opened else {
        app.rates.wrong_code(address);
        let detail = "it was used before, is older than a day, or was replaced by a newer one";
        return Err(Problem::new(StatusCode::FORBIDDEN, "CODE_UNKNOWN", "This link does not work", detail)
            .hint("ask the organiser for a new link"));
    };
    Ok(Done { cookie: Some(cookie(&app, &token, "")) })
}

fn cookie(app: &ContestApp, token: &str, rest: &str) -> String {
    let secure = if app.reach.is_secure() { "; Secure" } else { "" };
    format!("{}={token}; HttpOnly; SameSite=Strict; Path=/{secure}{rest}", app.reach.cookie_name())
}

async fn logout(State(app): State<Arc<ContestApp>>, headers: HeaderMap) -> Result<Done, Problem> {
    if let Some(token) = session_token(&headers, &app.reach.cookie_name()).map(str::to_owned) {
        app.write(move |_, t| Ok(accounts::log_out(t, &token)?)).await?;
    }
    let gone = cookie(&app, "", "; Max-Age=0");
    Ok(Done { cookie: Some(gone) })
}
