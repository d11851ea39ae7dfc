//! `/users`: who gets in. A link holds its code behind the #, where no server and no log sees it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Body, body};
use crate::answer::{Done, List, Made};
use crate::contest::accounts::{self, AccountError, Listed};
use crate::contest::app::ContestApp;
use crate::contest::clock::Time;
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, PersonRole, Who};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Verb::Get, "/users", Needs::Admin, "Everybody, removed ones too.", list),
        Operation::new(
            Verb::Post,
            "/users",
            Needs::Admin,
            "Add somebody; the answer has the log-in link.",
            add,
        )
        .takes::<NewUser>(),
        Operation::new(
            Verb::Post,
            "/users/{name}/code",
            Needs::Admin,
            "A new log-in link; the old one ends.",
            code,
        ),
        Operation::new(Verb::Post, "/users/{name}/token", Needs::Admin, "A token for a program.", token),
        Operation::new(
            Verb::Delete,
            "/users/{name}",
            Needs::Admin,
            "Remove somebody; sessions end at once.",
            revoke,
        ),
    ]
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Self {
        let detail = error.to_string();
        match error {
            AccountError::Store(store) => store.into(),
            AccountError::Unknown(_) => Self::not_found(detail),
            AccountError::Known(_) => {
                Self::new(StatusCode::CONFLICT, "NAME_TAKEN", "This cannot be done", detail)
            }
            AccountError::LastAdmin(_) => {
                Self::new(StatusCode::CONFLICT, "LAST_ADMIN", "This cannot be done", detail)
                    .hint("make somebody else admin first")
            }
            AccountError::Random => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "NO_RANDOMNESS", "This failed", detail)
            }
            AccountError::Name | AccountError::Team(_) => Self::unprocessable("USER_INVALID", detail),
        }
    }
}

async fn list(State(app): State<Arc<ContestApp>>) -> Result<Json<List<Listed>>, Problem> {
    app.read(|_, t| Ok(Json(List { items: accounts::list(t, Time::now())? }))).await
}

/// Somebody new.
#[derive(Deserialize, JsonSchema)]
struct NewUser {
    name: String,
    role: PersonRole,
    /// Of the role team.
    #[serde(default)]
    team: Option<String>,
}

/// A log-in link.
#[derive(Serialize, JsonSchema)]
struct Link {
    name: String,
    /// Works once, within a day.
    link: String,
}

/// What a program logs in with.
#[derive(Serialize, JsonSchema)]
struct Token {
    name: String,
    token: String,
}

/// The link of a code.
pub fn link(app: &ContestApp, code: &str) -> String {
    format!("{}/login#{code}", app.reach.base())
}

async fn add(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    user: Body<NewUser>,
) -> Result<Made<Link>, Problem> {
    let NewUser { name, role, team } = body(user)?;
    app.write(move |app, t| {
        let now = Time::now();
        accounts::add(t, now, who.name(), (&name, role, team.as_deref()), &app.rules.teams)?;
        let code = accounts::new_code(t, now, who.name(), &name)?;
        Ok(Made::of(Link { name, link: link(app, &code) }))
    })
    .await
}

async fn code(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(name): Path<String>,
) -> Result<Made<Link>, Problem> {
    app.write(move |app, t| {
        let code = accounts::new_code(t, Time::now(), who.name(), &name)?;
        Ok(Made::of(Link { name, link: link(app, &code) }))
    })
    .await
}

async fn token(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(name): Path<String>,
) -> Result<Made<Token>, Problem> {
    app.write(move |_, t| {
        let token = accounts::new_token(t, Time::now(), who.name(), &name)?;
        Ok(Made::of(Token { name, token }))
    })
    .await
}

async fn revoke(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(name): Path<String>,
) -> Result<Done, Problem> {
    app.write(move |_, t| {
        accounts::revoke(t, Time::now(), who.name(), &name)?;
        Ok(Done { cookie: None })
    })
    .await
}
