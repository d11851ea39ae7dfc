//! News for open pages, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{self, KeepAlive, Sse};
use tokio::sync::broadcast;

use crate::app::App;
use crate::limits::HEARTBEAT;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody saved a frame.
    Frame,
    /// The record under review has new lines.
    Review,
    /// The program stops.
    Ending,
}

impl Event {
    const fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Review => "review",
            Self::Ending => "ending",
        }
    }
}

/// Who is told.
#[derive(Debug)]
pub struct Events(broadcast::Sender<Event>);

impl Default for Events {
    fn default() -> Self {
        Self(broadcast::channel(64).0)
    }
}

impl Events {
    /// Tells all open pages.
    pub fn tell(&self, event: Event) {
        // Nobody listens: nothing to tell.
        let _ = self.0.send(event);
    }
}

/// The stream of one page; it ends when the program does.
pub async fn stream(State(app): State<Arc<App>>) -> impl IntoResponse {
    let told = |name: &'static str| Ok::<_, Infallible>(sse::Event::default().event(name).data("{}"));
    let events = Some(app.events.0.subscribe());
    let stream = futures_util::stream::unfold(events, move |events| async move {
        let mut events = events?;
        match events.recv().await {
            Ok(event) => Some((told(event.name()), (event != Event::Ending).then_some(events))),
            // Who lagged asks for everything again.
            Err(broadcast::error::RecvError::Lagged(_)) => Some((told("resync"), Some(events))),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}
