//! What all routes of a contest share.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use mapjudge::files::contest::ContestFolder;
use tokio::sync::{Notify, Semaphore, broadcast};

use super::desks::Desks;
use super::guard::guard;
use super::objects::Objects;
use super::openapi;
use super::rates::Rates;
use super::reach::Reach;
use super::roles::Who;
use super::routes;
use super::rules::Rules;
use super::store::{Database, StoreError, Transaction};
use super::stream::News;
use crate::assets;
use crate::problem::Problem;
use crate::review_desk::ReviewDesk;

/// Requests that read or write at a time; more wait.
const MAX_WORKING: usize = 32;
/// Largest ranking that is read.
const MAX_RANKING_BYTES: u64 = 64 << 20;

/// Ranks with a change that nobody has made yet.
pub trait Preview: Send + Sync {
    /// The bytes of the `contest.json` that a value would make.
    ///
    /// # Errors
    /// Why there is none, for people.
    fn with_value(&self, submission: &str, name: &str, value: &serde_json::Value) -> Result<Vec<u8>, String>;
}

/// A contest that is served.
pub struct ContestApp {
    pub(crate) db: Database,
    pub(crate) objects: Objects,
    pub(crate) folder: ContestFolder,
    pub(crate) rules: Rules,
    pub(crate) reach: Reach,
    pub(crate) news: broadcast::Sender<News>,
    pub(crate) rates: Rates,
    pub(crate) desks: Desks,
    pub(crate) preview: OnceLock<Box<dyn Preview>>,
    /// Records of relations under review.
    pub(crate) reviews: OnceLock<Vec<ReviewDesk>>,
    /// Told when something was written, so that open pages hear of it at once.
    pub(crate) written: Notify,
    /// Held by whoever is no judge and has numbers computed.
    pub(crate) comparing: Semaphore,
    working: Semaphore,
}

impl ContestApp {
    /// A contest with its state.
    #[must_use]
    pub fn new(db: Database, objects: Objects, folder: ContestFolder, reach: Reach) -> Arc<Self> {
        Arc::new(Self {
            rules: Rules::of(&folder),
            db,
            objects,
            folder,
            reach,
            news: broadcast::channel(256).0,
            rates: Rates::default(),
            desks: Desks::default(),
            preview: OnceLock::new(),
            reviews: OnceLock::new(),
            written: Notify::new(),
            comparing: Semaphore::new(1),
            working: Semaphore::new(MAX_WORKING),
        })
    }

    /// Says who ranks changes that nobody has made yet. Once, before the contest is served.
    pub fn set_preview(&self, preview: Box<dyn Preview>) {
        let _ = self.preview.set(preview);
    }

    /// The contest as its file says.
    #[must_use]
    pub const fn folder(&self) -> &ContestFolder {
        &self.folder
    }

    /// The address of the contest, for people.
    #[must_use]
    pub fn base(&self) -> String {
        self.reach.base()
    }

    /// The database.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.db
    }

    /// The objects.
    #[must_use]
    pub const fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Works beside the async threads.
    ///
    /// # Errors
    /// What the work says, or that it came to no end.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let broken = || {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Problem::new(status, "COMPUTATION_FAILED", "This failed", "the computation came to no end")
        };
        let _permit = self.working.acquire().await.map_err(|_| broken())?;
        let app = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&app)).await.map_err(|_| broken())?
    }

    /// Reads beside the async threads.
    ///
    /// # Errors
    /// What the work says.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self, &mut dyn Transaction) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.run(move |app| app.db.read(|t| work(app, t))).await
    }

    /// Writes beside the async threads; open pages are told then.
    ///
    /// # Errors
    /// What the work says.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self, &mut dyn Transaction) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let done = self.run(move |app| app.db.write(|t| work(app, t))).await;
        if done.is_ok() {
            self.written.notify_one();
        }
        done
    }

    /// The bytes of a ranking.
    pub(crate) fn ranking_bytes(&self, hash: &str) -> Result<Vec<u8>, Problem> {
        self.objects.read(hash, MAX_RANKING_BYTES).map_err(|_| lost_object())
    }

    /// All routes, guarded.
    pub fn router(self: &Arc<Self>) -> Router {
        let operations = routes::operations();
        let mut api = Router::new().route("/openapi.json", get(openapi::document));
        for operation in operations {
            let (path, method, needs) = (operation.path, operation.handler, operation.needs);
            let needed = middleware::from_fn(move |who: Who, request, next| {
                super::guard::needed(needs, who, request, next)
            });
            api = api.route(path, method.layer(needed));
        }
        let pages = [
            "/",
            "/login",
            "/team",
            "/desk",
            "/desk/values",
            "/desk/rejudgings/{id}",
            "/desk/users",
            "/submission/{id}",
            "/overlay/{id}",
            "/compare",
            "/review/{record}",
            "/audit",
        ];
        let pages =
            pages.iter().fold(Router::new(), |router, page| router.route(page, get(assets::document)));
        pages
            .route("/assets/{*path}", get(assets::asset))
            .route("/favicon.ico", get(assets::icon))
            .route("/favicon.svg", get(assets::icon))
            .nest("/api/v1", api)
            .fallback(|| async { Problem::not_found("no page and no resource has this address") })
            .method_not_allowed_fallback(|| async {
                let detail = "this address does not take this method";
                Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "Refused", detail)
            })
            .layer(DefaultBodyLimit::max((self.rules.settings.limits.json_kib as usize) << 10))
            .layer(middleware::from_fn_with_state(Arc::clone(self), guard))
            .with_state(Arc::clone(self))
    }
}

/// An object that the database names and the disk has not.
pub(crate) fn lost_object() -> Problem {
    let detail = "a file that the contest keeps is not there or not whole";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "OBJECT_LOST", "A file is lost", detail)
        .hint("`mapjudge serve check` names it")
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Open(_) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "DATABASE_AWAY",
                "The database is away",
                "the database cannot be reached at the moment",
            )
            .hint("try again in a minute"),
            _ => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "DATABASE_FAILED",
                "The database failed",
                "nothing was changed",
            )
            .hint("`mapjudge serve check` looks for what is wrong"),
        }
    }
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);
