//! `mapjudge worker`: judges uploads for a contest server, on this machine or another.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use server::contest::jobs::{Worker as JobWorker, WorkerSettings, program_version};
use server::contest::objects::Objects;
use server::contest::store::Database;

use crate::Global;
use crate::failure::Failure;
use crate::flags::parse_size;
use crate::output::{Answer, note};
use crate::program;
use crate::stopping::asked_to_stop;

/// Judge uploads for `mapjudge serve`, beside it or on another machine.
///
/// Takes jobs from the database and files from the folder of objects, which the machines share; judges each upload in a
/// process of its own, with limits and without a database; gives its jobs back when it is stopped. A worker of another
/// version than the server takes nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge worker --db postgres://judge@db/contest --objects /shared/objects --jobs 4
      judges four uploads at once
  mapjudge worker --db sqlite:final/.mapjudge/judge.db --objects final/.mapjudge/objects
      one more beside a server on this machine")]
pub struct Worker {
    /// Database of the server: sqlite:PATH or postgres://..
    #[arg(long, value_name = "URL")]
    db: String,
    /// Folder of objects of the server.
    #[arg(long, value_name = "DIR")]
    objects: PathBuf,
    /// Uploads that are judged at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Memory for judging one upload, the truth included.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = parse_size)]
    memory: u64,
    /// Seconds for judging one upload.
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    time: u32,
}

impl Worker {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        if !self.objects.is_dir() {
            return Err(Failure::new(format!("--objects {}: no such folder", self.objects.display()))
                .hint("name the folder that the server writes, such as final/.mapjudge/objects"));
        }
        let database = Database::open(&self.db).map_err(|error| {
            Failure::new(format!("--db: {error}")).hint("use the --db of `mapjudge serve`")
        })?;
        let objects = Objects::open(&self.objects)
            .map_err(|error| Failure::new(format!("--objects {}: {error}", self.objects.display())))?;
        let settings = WorkerSettings {
            jobs: usize::from(self.jobs),
            max_memory_bytes: self.memory,
            max_time: Duration::from_secs(u64::from(self.time)),
        };
        let worker = JobWorker::new(Arc::new(database), objects, settings, judging_program()?)
            .map_err(|error| Failure::new(error.to_string()))?;
        let stop = asked_to_stop()?;
        note(&format!(
            "worker {} of version {}, {} at once; Ctrl-C ends",
            worker.id,
            program_version(),
            self.jobs
        ));
        worker.run(&stop, &|words| note(words));
        Ok(Answer::notes(Vec::new()))
    }
}

/// This program once more, with an empty environment.
pub fn judging_program() -> Result<server::contest::jobs::Program, Failure> {
    // Asked for once now: a program that cannot be found is an error of this command.
    program::again()
        .map_err(|error| Failure::new(format!("this program cannot be found to start it again: {error}")))?;
    Ok(Box::new(|| {
        let mut command = program::again()?;
        command.env_clear();
        #[cfg(target_os = "linux")]
        command.envs(program::variables());
        Ok(command)
    }))
}
