//! Pages in a browser: flags, the link, and the end of the work.

use std::io::BufRead;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use server::{App, Desk, Program, serve};

use crate::failure::Failure;
use crate::output::note;
use crate::stopping::asked_to_stop;

/// How pages are shown.
#[derive(clap::Args)]
#[command(next_help_heading = "Page")]
pub struct PageFlags {
    /// Address of the page, of this machine alone; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Open the page in the browser of this machine.
    #[arg(long)]
    open: bool,
}

impl PageFlags {
    /// Shows pages until a page says that the work is done, or Ctrl-C.
    pub fn show(&self, desk: Desk) -> Result<Arc<App>, Failure> {
        let stop = asked_to_stop()?;
        let program =
            Program { on_ready: &|app| self.tell(app), should_end: &|| stop.load(Ordering::Relaxed) };
        serve(self.listen, desk, &program).map_err(|error| {
            Failure::new(format!("--listen {error}")).hint("127.0.0.1:0 takes any port that is free")
        })
    }

    fn tell(&self, app: &Arc<App>) {
        let Ok(link) = app.new_link() else {
            note("no link could be made: the system gives no random numbers");
            return;
        };
        note(&format!("open {link}"));
        note("the link works once, in one browser; Enter prints a new one, Ctrl-C ends");
        if self.open {
            open_in_browser(&link);
        }
        let app = Arc::downgrade(app);
        // Ends with the program; a closed input asks for nothing.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                match (line, app.upgrade()) {
                    (Ok(_), Some(app)) => app.new_link().map_or((), |link| note(&format!("open {link}"))),
                    _ => return,
                }
            }
        });
    }
}

/// Opens a page in the browser of this machine.
pub fn open_in_browser(link: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let (input, output, errors) = (Stdio::null(), Stdio::null(), Stdio::null());
    let started = Command::new(program).arg(link).stdin(input).stdout(output).stderr(errors).spawn();
    if started.is_err() {
        note(&format!("--open: {program} is not here; open the link yourself"));
    }
}
