//! `mapjudge serve check|backup|restore`: the state of a contest as a whole.

use std::path::{Path, PathBuf};

use mapjudge::Verdict;
use mapjudge::files::{Overwrite, check_overwrite};
use serde::Serialize;
use server::contest::backup::{BackupError, backup, restore};
use server::contest::check::check;
use server::contest::export::{Extent, export};

use super::{WholeContest, database_failure};
use crate::failure::Failure;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};

/// Whether the chain of events, the tables and all files hold. Exit code 1 if something does not.
#[derive(clap::Args)]
pub struct Check {
    #[command(flatten)]
    contest: WholeContest,
    #[command(flatten)]
    format: FormatFlag,
}

/// What a check says.
#[derive(Serialize)]
struct Told {
    events: i64,
    head: String,
    objects: usize,
    faults: Vec<String>,
}

/// A folder inside of the objects that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(objects: &Path) -> Result<Self, Failure> {
        let folder = objects.join("tmp").join(format!("work-{}", std::process::id()));
        let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(&folder).map_err(failed)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Check {
    pub fn run(&self) -> Result<Answer, Failure> {
        checked(&self.contest, self.format)
    }
}

fn checked(contest: &WholeContest, format: FormatFlag) -> Result<Answer, Failure> {
    let state = contest.open()?;
    let scratch = Scratch::new(&contest.places().objects_folder())?;
    let checked = check(&state.db, &state.objects, &scratch.0).map_err(database_failure)?;
    let verdict = if checked.faults.is_empty() { Verdict::Fine } else { Verdict::Missed };
    let told = Told {
        events: checked.head.seq,
        head: checked.head.hash,
        objects: checked.objects,
        faults: checked.faults,
    };
    Ok(format.answer(Printed::new(told, words).judged(verdict)))
}

fn words(told: &Told) -> String {
    let Told { events, head, objects, faults } = told;
    let faults: String = faults.iter().map(|fault| format!("fault: {fault}\n")).collect();
    let verdict = if faults.is_empty() { "everything holds" } else { "the state does not hold" };
    format!("{faults}{events} events, the last is {head}; {objects} files; {verdict}\n")
}

/// Write everything into one file, beside the running server.
#[derive(clap::Args)]
pub struct Backup {
    /// The file to write.
    #[arg(value_name = "FILE.tar")]
    file: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    contest: WholeContest,
}

impl Backup {
    pub fn run(&self) -> Result<Answer, Failure> {
        if !self.force {
            check_overwrite(&self.file, Overwrite::Refused)?;
        }
        let state = self.contest.open()?;
        let scratch = Scratch::new(&self.contest.places().objects_folder())?;
        let count = backup(&state.db, &state.objects, &scratch.0, &self.file).map_err(failure)?;
        Ok(Answer::notes(vec![format!("the database and {count} files in {}", self.file.display())]))
    }
}

/// Unpack a backup into a place without a contest state, and verify it.
#[derive(clap::Args)]
pub struct Restore {
    /// The file of a backup.
    #[arg(value_name = "FILE.tar")]
    file: PathBuf,
    #[command(flatten)]
    contest: WholeContest,
}

impl Restore {
    pub fn run(&self) -> Result<Answer, Failure> {
        let places = self.contest.places();
        let url = places.db_url();
        let Some(database) = url.strip_prefix("sqlite:") else {
            let message = "a backup is restored into SQLite";
            return Err(Failure::new(message).hint("PostgreSQL is restored by its own `pg_restore`"));
        };
        let own = places.own_folder();
        std::fs::create_dir_all(&own).map_err(|error| Failure::new(format!("{}: {error}", own.display())))?;
        restore(&self.file, Path::new(database), &places.objects_folder()).map_err(failure)?;
        checked(&self.contest, FormatFlag::default())
    }
}

/// Write the folder that `mapjudge contest` judges to the very bytes that were shown.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge serve export day-one contest
  mapjudge contest day-one/contest.toml --format json
      the same bytes as record/contest.json, which the server showed")]
pub struct Export {
    /// An empty folder, or one that is made.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// As it was ranked last up to this event [default: now].
    #[arg(long, value_name = "SEQ")]
    at: Option<i64>,
    /// All submissions and events, not only what counts.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    contest: WholeContest,
}

impl Export {
    pub fn run(&self) -> Result<Answer, Failure> {
        let state = self.contest.open()?;
        let extent = if self.all { Extent::All } else { Extent::Counted };
        let exported = export(&state.db, &state.objects, &self.folder, self.at, extent).map_err(|error| {
            Failure::new(error.to_string()).hint("a ranking follows the first measured submission")
        })?;
        let file = self.folder.join(&exported.contest);
        Ok(Answer::text(format!("mapjudge contest {}\n", file.display())))
    }
}

fn failure(error: BackupError) -> Failure {
    match error {
        BackupError::Store(error) => database_failure(error),
        BackupError::File(error) => error.into(),
        BackupError::Disk(_) => Failure::new(error.to_string()),
        BackupError::Damaged(_) => Failure::new(error.to_string()).hint("take another backup"),
        BackupError::Exists => Failure::new(error.to_string())
            .hint("move the folder .mapjudge away first, or name another --contest"),
    }
}
