//! The program around the pages: listens, prints links through its caller, ends when it is told.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::accept_loop::{From, accept_loop};
use crate::app::{App, Desk};
use crate::events::Event;
use crate::limits::{FOLLOW_EVERY, MAX_CONNECTIONS};

/// Why no page can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another machine could reach it.
    #[error("{0}: expected an address of this machine alone, such as 127.0.0.1:0")]
    NotLoopback(SocketAddr),
    /// The address is taken, or may not be used.
    #[error("{address}: {source}")]
    Listen {
        /// Where it should have listened.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system refused threads or randomness.
    #[error("the pages cannot be served: {0}")]
    System(String),
}

/// What the program around the pages is told, and tells.
pub struct Program<'a> {
    /// Called once, when the pages can be opened.
    pub on_ready: &'a (dyn Fn(&Arc<App>) + Sync),
    /// Asked several times a second whether to end.
    pub should_end: &'a (dyn Fn() -> bool + Sync),
}

/// Serves pages until the caller says so, or a page says that the work is done. Returns the desk as it is then.
///
/// # Errors
/// The address is not of this machine alone or is taken.
pub fn serve(address: SocketAddr, desk: Desk, program: &Program<'_>) -> Result<Arc<App>, ServeError> {
    if !address.ip().is_loopback() {
        return Err(ServeError::NotLoopback(address));
    }
    let system = |error: std::io::Error| ServeError::System(error.to_string());
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(system)?;
    let app = runtime.block_on(async {
        let listener =
            TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })?;
        let app = App::new(desk, listener.local_addr().map_err(system)?);
        let (end, ending) = watch::channel(false);
        let serving =
            tokio::spawn(accept_loop(listener, app.router(), (From::ThisMachine, MAX_CONNECTIONS), ending));
        (program.on_ready)(&app);
        let following = tokio::spawn(follow_record(Arc::clone(&app)));
        until_end(&app, program).await;
        following.abort();
        app.events.tell(Event::Ending);
        // Open pages get the news before their connections go.
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        let _ = end.send(true);
        let _ = serving.await;
        Ok::<_, ServeError>(app)
    })?;
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    Ok(app)
}

async fn until_end(app: &App, program: &Program<'_>) {
    let mut ticks = tokio::time::interval(std::time::Duration::from_millis(100));
    loop {
        tokio::select! {
            () = app.finished.notified() => return,
            _ = ticks.tick() => {
                if (program.should_end)() {
                    return;
                }
            }
        }
    }
}

/// Tells open pages when somebody else appends to the record under review.
async fn follow_record(app: Arc<App>) {
    if app.review_desk().is_err() {
        return;
    }
    let mut ticks = tokio::time::interval(FOLLOW_EVERY);
    loop {
        ticks.tick().await;
        let looked = Arc::clone(&app);
        // Files are read beside the routes.
        if tokio::task::spawn_blocking(move || looked.has_review_news()).await.unwrap_or(false) {
            app.events.tell(Event::Review);
        }
    }
}
