//! `mapjudge serve`: a contest over HTTP, for teams, judges and the public.

mod cards;
mod review;
mod state;
mod user;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use server::contest::jobs::{self, Work, Worker, WorkerSettings};
use server::contest::program::{ContestProgram, serve_contest};
use server::contest::reach::{PublicUrl, Reach, Refusal};
use server::contest::state_folder::{State, StateError, StatePlaces};
use server::contest::store::{Database, StoreError};
use server::contest::{ContestApp, Preview};

use crate::Global;
use crate::commands::worker::judging_program;
use crate::failure::Failure;
use crate::output::{Answer, note};
use crate::pages::open_in_browser;
use crate::stopping::asked_to_stop;

/// Run a contest: uploads, scoreboard, judges' desk, and a record of who did what.
///
/// Teams hand in and see what is wrong with their files at once; judges enter values, verify and publish; the public sees what
/// was published, and nothing else. The first start prints a link for the admin. Everything is kept in the folder `.mapjudge`
/// beside the contest file, which is never written. `mapjudge help serve` tells the whole of it.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  mapjudge serve contest --open
      the contest of a folder, on this machine alone; opens the admin's page
  mapjudge serve user add 'Ada Lovelace' --role judge --contest contest
      a log-in link for a judge; works once, within a day
  mapjudge serve user cards --contest contest --out cards.html
      a sheet to print and cut: a link for each team
  mapjudge serve contest --public-url https://maps.example.org
      behind a reverse proxy that does TLS
  mapjudge serve backup monday.tar contest
      everything in one file, beside the running server
  mapjudge serve check contest
      whether the chain of events, the tables and all files hold"
)]
pub struct Serve {
    #[command(subcommand)]
    action: Option<Action>,
    /// The contest file, or its folder.
    #[arg(value_name = "CONTEST", default_value = ".")]
    contest: PathBuf,
    /// Address to listen on; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[command(flatten)]
    places: PlaceFlags,
    /// Open the page in the browser of this machine, logged in as the admin.
    #[arg(long)]
    open: bool,
    /// Address under which a reverse proxy shows the contest; its X-Forwarded-For is believed then.
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    public_url: Option<PublicUrl>,
    /// Serve other machines without TLS: whoever is on the network can read codes and files.
    #[arg(long)]
    plain_http: bool,
    /// Everybody on this machine is the admin, without log-in.
    #[arg(long)]
    no_login: bool,
    /// Workers in this process; 0 leaves the work to `mapjudge worker`.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=64))]
    workers: u8,
    /// A record of relations for judges to review, with the log of its scans; may be given several times.
    #[arg(long, value_name = "RECORD.jsonl=LOG", value_parser = review::parse_review)]
    review: Vec<review::ReviewedRecord>,
}

/// Where the state of a contest is.
#[derive(clap::Args)]
struct PlaceFlags {
    /// Database: `sqlite:PATH` or `postgres://..` [default: .mapjudge/judge.db beside the contest file].
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// Folder of the files that were handed in [default: .mapjudge/objects beside the contest file].
    #[arg(long, value_name = "DIR")]
    objects: Option<PathBuf>,
}

impl PlaceFlags {
    fn of(&self, contest: &std::path::Path) -> StatePlaces {
        StatePlaces { contest: contest.to_owned(), db: self.db.clone(), objects: self.objects.clone() }
    }
}

/// The contest that a subcommand works on.
#[derive(clap::Args)]
struct ContestFlags {
    /// The contest file, or its folder.
    #[arg(long, value_name = "CONTEST", default_value = ".")]
    contest: PathBuf,
    #[command(flatten)]
    places: PlaceFlags,
}

impl ContestFlags {
    fn open(&self) -> Result<State, Failure> {
        self.places.of(&self.contest).open().map_err(state_failure)
    }
}

/// The contest that a subcommand works on as a whole, behind its other words or by `--contest`.
#[derive(clap::Args)]
struct WholeContest {
    /// The contest file, or its folder; the same as --contest.
    #[arg(value_name = "CONTEST", conflicts_with = "contest")]
    named: Option<PathBuf>,
    #[command(flatten)]
    flags: ContestFlags,
}

impl WholeContest {
    fn places(&self) -> StatePlaces {
        self.flags.places.of(self.named.as_deref().unwrap_or(&self.flags.contest))
    }

    fn open(&self) -> Result<State, Failure> {
        self.places().open().map_err(state_failure)
    }
}

#[derive(clap::Subcommand)]
enum Action {
    /// Who gets in: add, list, log-in links, tokens for programs, cards to print.
    User(user::User),
    /// Whether the chain of events, the tables and all files hold. Exit code 1 if something does not.
    Check(state::Check),
    /// Write everything into one file, beside the running server.
    Backup(state::Backup),
    /// Unpack a backup into a place without a contest state, and verify it.
    Restore(state::Restore),
    /// Write the folder that `mapjudge contest` judges to the very bytes that were shown.
    Export(state::Export),
}

fn parse_url(text: &str) -> Result<PublicUrl, String> {
    PublicUrl::parse(text)
        .ok_or_else(|| "expected a URL without a path, such as https://maps.example.org".to_owned())
}

impl Serve {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        match &self.action {
            Some(Action::User(user)) => user.run(),
            Some(Action::Check(check)) => check.run(),
            Some(Action::Backup(backup)) => backup.run(),
            Some(Action::Restore(restore)) => restore.run(),
            Some(Action::Export(export)) => export.run(),
            None => self.serve(),
        }
    }

    fn serve(&self) -> Result<Answer, Failure> {
        let places = self.places.of(&self.contest);
        let state = places.open().map_err(state_failure)?;
        let _lock = places.lock().map_err(state_failure)?;
        state.objects.remove_unfinished();
        let reach = Reach {
            address: self.listen,
            public_url: self.public_url.clone(),
            is_free: self.no_login,
            is_plain_http_accepted: self.plain_http,
        };
        let users = state.db.read(server::contest::accounts::admins).map_err(database_failure)?;
        reach.check(users).map_err(refused)?;
        let reviews = Mutex::new(Some(review::open_reviews(&self.review)?));
        let (work, previewer) = self.work(&places, &state)?;
        let previewer = Mutex::new(Some(previewer));
        let stop = asked_to_stop()?;
        let program = ContestProgram {
            on_ready: &|app| {
                if let Some(previewer) = previewer.lock().unwrap_or_else(PoisonError::into_inner).take() {
                    app.set_preview(previewer);
                }
                if let Some(reviews) = reviews.lock().unwrap_or_else(PoisonError::into_inner).take()
                    && let Err(problem) = app.set_reviews(reviews)
                {
                    note(&format!("a verdict could not be written to its record: {}", problem.detail));
                }
                self.tell(app, users);
            },
            should_end: &|| stop.load(Ordering::Relaxed),
        };
        let served = serve_contest(state, reach, &program);
        work.stop();
        served.map_err(|error| {
            Failure::new(format!("--listen {error}")).hint("127.0.0.1:0 takes any port that is free")
        })?;
        Ok(Answer::notes(vec!["the contest was closed; its state is whole".to_owned()]))
    }

    fn tell(&self, app: &Arc<ContestApp>, users: i64) {
        note(&format!("the contest is at {}", app.base()));
        if self.no_login {
            note("everybody on this machine is the admin");
            if self.open {
                open_in_browser(&app.base());
            }
        } else if users == 0 || self.open {
            match app.admin_link() {
                Ok(link) => {
                    note(&format!("open {link}"));
                    note("this link of the admin works once, within a day; Ctrl-C ends");
                    if self.open {
                        open_in_browser(&link);
                    }
                }
                Err(error) => note(&format!("error: no link could be made: {error}")),
            }
        } else {
            note("`mapjudge serve user code NAME` makes a log-in link; Ctrl-C ends");
        }
    }

    /// Keeps what is found in the folder, and starts what works beside the routes; with who ranks before a value is saved.
    fn work(&self, places: &StatePlaces, state: &State) -> Result<(Work, Box<dyn Preview>), Failure> {
        let failed = |error: jobs::JobsError| Failure::new(error.to_string());
        let imported = jobs::import_folders(&state.db, &state.objects, &self.contest).map_err(failed)?;
        if imported > 0 {
            note(&format!("{imported} submissions were found in the folders of the teams"));
        }
        let db = Arc::new(Database::open(&places.db_url()).map_err(database_failure)?);
        let worker = |jobs: u8| {
            let settings = WorkerSettings { jobs: usize::from(jobs), ..WorkerSettings::default() };
            Worker::new(Arc::clone(&db), state.objects.clone(), settings, judging_program()?).map_err(failed)
        };
        let own = if self.workers > 0 { Some(worker(self.workers)?) } else { None };
        let previewer = Box::new(worker(1)?);
        Ok((jobs::start(&db, own, |words: &str| note(words)).map_err(failed)?, previewer))
    }
}

fn refused(refusal: Refusal) -> Failure {
    let hint = match refusal {
        Refusal::NoUser => {
            "`mapjudge serve user add NAME --role admin` prints a log-in link; then start again"
        }
        Refusal::PlainHttp => {
            "put a reverse proxy with TLS before it and name its address with --public-url; on a network of your own, --plain-http"
        }
        Refusal::Free => "leave out --no-login, or listen on 127.0.0.1 without --public-url",
    };
    Failure::new(format!("--listen: {refusal}")).hint(hint)
}

fn state_failure(error: StateError) -> Failure {
    match error {
        StateError::Contest(error) => error.into(),
        StateError::Archive => Failure::new(error.to_string()).hint("unpack it into a folder first"),
        StateError::Store(error) => database_failure(error),
        StateError::Disk { .. } => Failure::new(error.to_string()).hint("the folder must be writable"),
        StateError::Locked => Failure::new(error.to_string())
            .hint("end that one first; commands such as `serve user` work beside it"),
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn database_failure(error: StoreError) -> Failure {
    Failure::new(error.to_string()).hint("--db names the database: sqlite:PATH or postgres://USER@HOST/NAME")
}
