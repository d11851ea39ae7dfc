//! The program around a contest: listens, starts what works beside the routes, ends when it is told.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use super::accounts::{self, AccountError};
use super::app::ContestApp;
use super::clock::Time;
use super::reach::Reach;
use super::roles::PersonRole;
use super::state_folder::State;
use super::stream;
use crate::ServeError;
use crate::accept_loop::{From, accept_loop};

/// Who the first link is for.
const FIRST_ADMIN: &str = "admin";
/// Until open answers have ended.
const GOODBYE: Duration = Duration::from_millis(150);

/// What the program around a contest is told, and tells.
pub struct ContestProgram<'a> {
    /// Called once, when the pages can be opened.
    pub on_ready: &'a (dyn Fn(&Arc<ContestApp>) + Sync),
    /// Asked several times a second whether to end.
    pub should_end: &'a (dyn Fn() -> bool + Sync),
}

/// Serves a contest until the caller says so.
///
/// # Errors
/// The address is taken.
pub fn serve_contest(state: State, reach: Reach, program: &ContestProgram<'_>) -> Result<(), ServeError> {
    let system = |error: std::io::Error| ServeError::System(error.to_string());
    let address = reach.address;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(system)?;
    // The last to hold the app is this thread: the client of PostgreSQL must not be used, nor dropped, on one of the runtime.
    let app = runtime.block_on(async {
        let listener =
            TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })?;
        let from = if address.ip().is_loopback() { From::ThisMachine } else { From::Anywhere };
        let reach = Reach { address: listener.local_addr().map_err(system)?, ..reach };
        let State { folder, db, objects } = state;
        let app = ContestApp::new(db, objects, folder, reach);
        let (end, ending) = watch::channel(false);
        let most = app.rules.settings.limits.connections as usize;
        let serving = tokio::spawn(accept_loop(listener, app.router(), (from, most), ending));
        let following = tokio::spawn(stream::follow(Arc::clone(&app)));
        std::thread::scope(|scope| {
            scope.spawn(|| (program.on_ready)(&app));
        });
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        while !(program.should_end)() {
            ticks.tick().await;
        }
        following.abort();
        stream::end(&app);
        // Open pages get the news before their connections go.
        tokio::time::sleep(GOODBYE).await;
        let _ = end.send(true);
        let _ = serving.await;
        Ok::<_, ServeError>(app)
    })?;
    runtime.shutdown_timeout(Duration::from_secs(1));
    drop(app);
    Ok(())
}

impl ContestApp {
    /// Number of admins; without one nobody can let others in.
    ///
    /// # Errors
    /// The database fails.
    pub fn admins(&self) -> Result<i64, AccountError> {
        Ok(self.db.read(accounts::admins)?)
    }

    /// A log-in link for the admin, who is added if there is none yet.
    ///
    /// # Errors
    /// The database fails.
    pub fn admin_link(&self) -> Result<String, AccountError> {
        let now = Time::now();
        let code = self.db.write(|t| {
            let sql = "SELECT name FROM person WHERE role = 'admin' AND revoked = 0 ORDER BY id LIMIT 1";
            let name = match t.one(sql, &[])? {
                Some(row) => row.text(0)?,
                None => {
                    accounts::add(t, now, super::chain::PROGRAM, (FIRST_ADMIN, PersonRole::Admin, None), &[])?
                        .name
                }
            };
            accounts::new_code(t, now, super::chain::PROGRAM, &name)
        })?;
        Ok(format!("{}/login#{code}", self.reach.base()))
    }
}
