//! What all routes share: who is logged in, what is on the desk, who is told the news.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::get;
use tokio::sync::{Notify, Semaphore};

use crate::assets;
use crate::events::{self, Events};
use crate::guard::guard;
use crate::limits::{MAX_COMPUTING, MAX_JSON_BYTES};
use crate::login::Login;
use crate::overlay_desk::OverlayDesk;
use crate::problem::Problem;
use crate::review_desk::ReviewDesk;
use crate::routes;
use crate::view_desk::ViewDesk;

/// What the pages show.
pub enum Desk {
    /// Maps to be laid on a truth.
    Overlay(Box<OverlayDesk>),
    /// A record of relations to decide about.
    Review(Box<ReviewDesk>),
    /// Results to look at.
    View(ViewDesk),
}

/// One run of the program.
pub struct App {
    pub(crate) login: Login,
    pub(crate) desk: Desk,
    pub(crate) events: Events,
    /// Told when a page says that the work is done.
    pub(crate) finished: Notify,
    computing: Semaphore,
    address: SocketAddr,
}

impl App {
    /// A program with this on its desk, that will listen on this address.
    #[must_use]
    pub fn new(desk: Desk, address: SocketAddr) -> Arc<Self> {
        Arc::new(Self {
            login: Login::default(),
            desk,
            events: Events::default(),
            finished: Notify::new(),
            computing: Semaphore::new(MAX_COMPUTING),
            address,
        })
    }

    /// A link that lets one browser in, once.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn new_link(&self) -> Result<String, getrandom::Error> {
        Ok(format!("http://{}/login#{}", self.address, self.login.new_code()?))
    }

    /// The frames that were saved: the map and its file.
    #[must_use]
    pub fn saved_frames(&self) -> Vec<(String, String)> {
        self.overlay().map(OverlayDesk::saved).unwrap_or_default()
    }

    /// The page to begin with.
    pub(crate) fn start(&self) -> String {
        match &self.desk {
            Desk::Overlay(desk) => desk.start(),
            Desk::Review(_) => "/review/1".to_owned(),
            Desk::View(_) => "/view".to_owned(),
        }
    }

    /// Names under which the program may be addressed.
    pub(crate) fn hosts(&self) -> [String; 3] {
        let port = self.address.port();
        [self.address.to_string(), format!("localhost:{port}"), format!("127.0.0.1:{port}")]
    }

    /// Cookies do not know ports: two programs on one machine must not take each other's.
    pub(crate) fn cookie_name(&self) -> String {
        format!("mapjudge-{}", self.address.port())
    }

    pub(crate) fn overlay(&self) -> Result<&OverlayDesk, Problem> {
        match &self.desk {
            Desk::Overlay(desk) => Ok(desk),
            Desk::Review(_) | Desk::View(_) => Err(Problem::not_found("nothing is laid on anything here")),
        }
    }

    pub(crate) fn review_desk(&self) -> Result<&ReviewDesk, Problem> {
        match &self.desk {
            Desk::Review(desk) => Ok(desk),
            Desk::Overlay(_) | Desk::View(_) => Err(Problem::not_found("nothing is reviewed here")),
        }
    }

    /// How far a review is, for people; none where nothing is reviewed.
    #[must_use]
    pub fn review_in_words(&self) -> Option<String> {
        Some(self.review_desk().ok()?.in_words())
    }

    /// Whether the record under review has changed since open pages were last told; reads the record.
    #[must_use]
    pub fn has_review_news(&self) -> bool {
        self.review_desk().is_ok_and(ReviewDesk::has_news)
    }

    /// Computes beside the routes, at most a few things at a time.
    pub(crate) async fn compute<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let broken = || {
            let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
            Problem::new(status, "COMPUTATION_FAILED", "This failed", "the computation came to no end")
        };
        let _permit = self.computing.acquire().await.map_err(|_| broken())?;
        let app = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&app)).await.map_err(|_| broken())?
    }

    /// All routes, guarded.
    pub fn router(self: &Arc<Self>) -> Router {
        let api = Router::new()
            .merge(routes::session::routes())
            .merge(routes::overlay::routes())
            .merge(routes::frames::routes())
            .merge(routes::planes::routes())
            .merge(routes::reviews::routes())
            .merge(routes::view::routes())
            .route("/events", get(events::stream));
        let pages = ["/", "/login", "/overlay/{id}", "/compare", "/review/{record}", "/view"];
        let pages =
            pages.iter().fold(Router::new(), |router, page| router.route(page, get(assets::document)));
        pages
            .route("/assets/{*path}", get(assets::asset))
            .route("/favicon.ico", get(assets::icon))
            .route("/favicon.svg", get(assets::icon))
            .nest("/api/v1", api)
            .fallback(|| async { Problem::not_found("no page and no resource has this address") })
            .layer(DefaultBodyLimit::max(MAX_JSON_BYTES))
            .layer(middleware::from_fn_with_state(Arc::clone(self), guard))
            .with_state(Arc::clone(self))
    }
}
