//! Load generator: a contest of many teams, submissions into its database, and workers that judge them. Prints one line of
//! JSON with the times; `fill` leaves a contest that has run for long instead. `conformance/serve.py` runs both.
//!
//! ```sh
//! cargo run --release -p mapjudge-server --example contest_load -- target/release/mapjudge sqlite 100 2 1 free
//! cargo run --release -p mapjudge-server --example contest_load -- target/release/mapjudge postgres://.. 100 2 2 own
//! cargo run --release -p mapjudge-server --example contest_load -- fill FOLDER 10000 100000
//! ```
//!
//! `own` keeps each worker on a core of its own, as if it were a machine of one core; `free` lets them use all cores.
#![allow(clippy::print_stdout, reason = "it is a program")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mapjudge_server::contest::accept::received;
use mapjudge_server::contest::basis::FileRef;
use mapjudge_server::contest::chain::{NewEvent, append};
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::jobs::{import, import_folders, start};
use mapjudge_server::contest::objects::Objects;
use mapjudge_server::contest::store::{Database, StoreError};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Files of the demonstration's first team.
type Files = Vec<(String, Vec<u8>)>;

/// Where workers run.
#[derive(Clone, Copy)]
enum Cores {
    Own,
    Free,
}

impl Cores {
    /// The core of a worker; none if it may use all.
    fn of(self, worker: usize) -> Option<usize> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        matches!(self, Self::Own).then_some(worker % cores)
    }
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [fill, folder, submissions, events] = &words[..]
        && fill == "fill"
    {
        return filled(Path::new(folder), submissions.parse()?, events.parse()?);
    }
    let [program, db, teams, each, workers, cores] = &words[..] else {
        return Err("expected PROGRAM sqlite|postgres://.. TEAMS SUBMISSIONS WORKERS own|free".into());
    };
    let (teams, each, workers): (usize, usize, usize) = (teams.parse()?, each.parse()?, workers.parse()?);
    let cores = if cores == "own" { Cores::Own } else { Cores::Free };
    let folder = std::env::temp_dir().join(format!("mapjudge-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = measured(&std::fs::canonicalize(program)?, db, &folder, (teams, each, workers), cores);
    std::fs::remove_dir_all(&folder)?;
    println!("{}", result?);
    Ok(())
}

fn measured(
    program: &Path,
    db: &str,
    folder: &Path,
    (teams, each, workers): (usize, usize, usize),
    cores: Cores,
) -> Result<serde_json::Value> {
    let files = contest(program, folder, teams)?;
    let url =
        if db == "sqlite" { format!("sqlite:{}", folder.join("judge.db").display()) } else { db.to_owned() };
    let database = Arc::new(Database::open(&url)?);
    let objects = Objects::open(&folder.join("objects"))?;
    import_folders(&database, &objects, folder)?;
    let begun = Instant::now();
    for number in 0..each {
        for team in 0..teams {
            submit(&database, &objects, &files, team, number)?;
        }
    }
    let received_s = begun.elapsed().as_secs_f64();
    let work = start(&database, None, |words: &str| eprintln!("{words}"))?;
    let judging = Instant::now();
    let started = (0..workers).map(|number| worker(program, &url, folder, cores.of(number)));
    let mut running = started.collect::<Result<Vec<_>>>()?;
    wait_for(&database, "SELECT count(*) FROM submission WHERE state IN ('received', 'checked')", 0)?;
    let judged_s = judging.elapsed().as_secs_f64();
    let ranking = Instant::now();
    wait_for(&database, "SELECT count(*) FROM job WHERE state IN ('waiting', 'leased')", 0)?;
    let ranked_s = ranking.elapsed().as_secs_f64();
    let (own_s, judging_s) = running.iter().map(cpu_s).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    for worker in &mut running {
        worker.kill()?;
        worker.wait()?;
    }
    work.stop();
    let count =
        |sql: &str| -> Result<i64> { Ok(database.read(|t| t.one(sql, &[]))?.ok_or("no row")?.int(0)?) };
    let all = teams * each;
    Ok(serde_json::json!({
        "database": if db == "sqlite" { "sqlite" } else { "postgres" }, "teams": teams, "submissions": all, "workers": workers,
        "workers_cpu_s": own_s + judging_s, "of_these_judging_cpu_s": judging_s,
        "received_s": received_s, "judged_s": judged_s, "judged_per_s": all as f64 / judged_s, "ranked_s": ranked_s,
        "measured": count("SELECT count(*) FROM submission WHERE state = 'measured'")?,
        "broken": count("SELECT count(*) FROM submission WHERE state = 'broken'")?,
        "rankings": count("SELECT count(*) FROM ranking")?,
        "events": count("SELECT count(*) FROM event")?,
    }))
}

/// Processor time of a worker itself, and of the processes that judged for it. 0 where the system does not say.
fn cpu_s(worker: &Child) -> (f64, f64) {
    const TICKS_PER_S: f64 = 100.0;
    let told = std::fs::read_to_string(format!("/proc/{}/stat", worker.id())).unwrap_or_default();
    let fields = told.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    match ticks[..] {
        [user, system, of_children, system_of_children] => {
            ((user + system) / TICKS_PER_S, (of_children + system_of_children) / TICKS_PER_S)
        }
        _ => (0.0, 0.0),
    }
}

/// A contest of two teams with so many submissions, measured long ago, and so many events.
fn filled(folder: &Path, submissions: usize, events: usize) -> Result<()> {
    let text = "title = 'Cup'\nprofile = 'vr-2008'\n[[teams]]\nname = 'Alpha'\nfolder = 'alpha'\n\
                [[teams]]\nname = 'Beta'\nfolder = 'beta'\n";
    std::fs::write(folder.join("contest.toml"), text)?;
    let state = folder.join(".mapjudge");
    std::fs::create_dir_all(&state)?;
    let database = Database::open(&format!("sqlite:{}", state.join("judge.db").display()))?;
    let objects = Objects::open(&state.join("objects"))?;
    import_folders(&database, &objects, folder)?;
    let files = BTreeMap::from([("map.tif".to_owned(), objects.put(b"map")?)]);
    database.write(|t| {
        for number in 0..submissions {
            let team = if number % 2 == 0 { "Alpha" } else { "Beta" };
            received(t, Time::now(), "al", (team, ""), &files, false)?;
        }
        for _ in submissions..events {
            let event =
                NewEvent { person: "jo", kind: "logged_in", subject: "jo", body: serde_json::json!({}) };
            append(t, Time::now(), event)?;
        }
        t.execute("UPDATE submission SET state = 'measured'", &[])?;
        Ok::<_, StoreError>(())
    })?;
    Ok(())
}

/// The contest of the demonstration with more teams, and the files of one of its own.
fn contest(program: &Path, folder: &Path, teams: usize) -> Result<Files> {
    let demo = folder.join("demo");
    let made =
        Command::new(program).args(["demo", "--quiet", "--out"]).arg(&demo).stdout(Stdio::null()).status()?;
    if !made.success() {
        return Err("the demonstration failed".into());
    }
    let from = demo.join("contest");
    for name in ["rules.toml", "truth"] {
        std::fs::rename(from.join(name), folder.join(name))?;
    }
    let text = std::fs::read_to_string(from.join("contest.toml"))?;
    let mut text = text.split("\n[[teams]]").next().unwrap_or_default().to_owned();
    for team in 0..teams {
        write!(text, "\n[[teams]]\nname = \"team {team:04}\"\nfolder = \"team{team:04}\"\n")?;
    }
    std::fs::write(folder.join("contest.toml"), text)?;
    let paths: Vec<PathBuf> =
        std::fs::read_dir(from.join("aurora"))?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    let file = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, std::fs::read(path)?))
    };
    paths.into_iter().map(file).collect()
}

/// One submission: the files with some blanks behind them, so that no two have the same bytes.
fn submit(database: &Database, objects: &Objects, files: &Files, team: usize, number: usize) -> Result<()> {
    let mut kept = Vec::new();
    for (name, bytes) in files {
        let mut bytes = bytes.clone();
        let mark = team * 100 + number;
        bytes.extend((0..24).map(|bit| if mark >> bit & 1 == 1 { b'\n' } else { b' ' }));
        let object = objects.put(&bytes)?;
        kept.push(FileRef { name: name.clone(), blake3: object.hash, bytes: object.bytes });
    }
    database.write(|t| import::import(t, &format!("team {team:04}"), "", &kept))?;
    Ok(())
}

fn worker(program: &Path, url: &str, folder: &Path, core: Option<usize>) -> Result<Child> {
    let mut command = Command::new(if core.is_some() { Path::new("taskset") } else { program });
    if let Some(core) = core {
        command.arg("--cpu-list").arg(core.to_string()).arg(program);
    }
    command.args(["worker", "--db", url, "--objects"]).arg(folder.join("objects"));
    Ok(command.stdout(Stdio::null()).spawn()?)
}

fn wait_for(database: &Database, sql: &str, expected: i64) -> Result<()> {
    loop {
        let found = database.read(|t| t.one(sql, &[]))?.ok_or("no row")?.int(0)?;
        if found == expected {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
