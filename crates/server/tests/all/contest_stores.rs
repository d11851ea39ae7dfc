//! The same contest on PostgreSQL. Debian's server is started on loopback, in a folder of the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use axum::http::StatusCode;
use mapjudge::files::contest::ContestFolder;
use mapjudge_server::contest::check::check;
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::objects::Objects;
use mapjudge_server::contest::program::{ContestProgram, serve_contest};
use mapjudge_server::contest::reach::Reach;
use mapjudge_server::contest::state_folder::State;
use mapjudge_server::contest::store::job_table::{JobKind, enqueue};
use mapjudge_server::contest::store::{Database, StoreError};
use serde_json::json;

use crate::contest_place::{CONTEST, Place, beside};

/// A server that ends with the test.
struct Postgres {
    folder: tempfile::TempDir,
    program: PathBuf,
    is_root: bool,
}

impl Postgres {
    /// None where it cannot be started; the reason is told.
    fn start(settings: &str) -> Option<Self> {
        let Some(program) = installed() else {
            testkit::skip("no PostgreSQL: apt-get install postgresql");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|told| told.stdout == b"0\n");
        let server = Self { folder, program, is_root };
        if is_root && !server.run("true", &[]) {
            testkit::skip("PostgreSQL does not run as root, and there is no user postgres to change to");
            return None;
        }
        if is_root {
            assert!(
                Command::new("chown").arg("postgres").arg(server.folder.path()).status().unwrap().success()
            );
        }
        let data = server.data();
        let made =
            server.run("initdb", &["-D", &data, "-U", "judge", "-A", "trust", "--no-sync", "-E", "UTF8"]);
        let options = format!("-c listen_addresses='' -k {} {settings}", server.folder.path().display());
        let started = made
            && server
                .run("pg_ctl", &["-D", &data, "-w", "-l", &format!("{data}.log"), "-o", &options, "start"]);
        if !started {
            testkit::skip("PostgreSQL cannot be started here");
            return None;
        }
        Some(server)
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> bool {
        let own = self.program.join(program);
        let path = if own.exists() { own } else { PathBuf::from(program) };
        let mut command = if self.is_root {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        let command = command.args(arguments).current_dir("/").stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }

    fn url(&self) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://judge@{folder}/postgres")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "stop"]);
    }
}

fn installed() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    versions
        .map(|version| version.path().join("bin"))
        .find(|bin: &PathBuf| Path::new(bin).join("initdb").exists())
}

#[tokio::test]
async fn a_contest_on_postgresql() {
    let Some(server) = Postgres::start("") else { return };
    let (folder, url) = (tempfile::tempdir().unwrap(), server.url());
    let place = Place::on(folder, beside(|| Database::open(&url).unwrap()), "verify = false");
    let id = place.guest("al").handed_in(b"map").await;
    let first = place.rank(&[("Alpha", 1.5)]);
    let (judge, admin) = (place.guest("jo"), place.guest("ada"));
    let criterion =
        judge.get("/api/v1/contest").await.json()["criteria"][0]["name"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/submissions/{id}/values/{criterion}");
    let entered = judge.send("PUT", &path, json!({ "value": 3, "reason": "seen on the field" })).await;
    assert_eq!(entered.json()["value"], json!(3.0));
    for path in
        ["submissions", "queue", "values", "jobs", "audit", "users", "publications", "publications/draft"]
    {
        let answer = admin.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", String::from_utf8_lossy(&answer.body));
    }
    let whole = judge.get(&format!("/api/v1/submissions/{id}")).await.json();
    assert_eq!(whole["score"].as_f64(), Some(1.5));
    judge.send("POST", "/api/v1/publications", json!({ "ranking": first })).await;
    assert_eq!(place.public().get("/api/v1/ranking").await.status, StatusCode::OK);
    beside(|| {
        let checked = check(place.app.database(), place.app.objects(), place.folder.path()).unwrap();
        assert_eq!(checked.faults, Vec::<String>::new());
        leases(place.app.database());
    });
}

#[test]
fn a_program_on_postgresql_makes_the_first_link_and_ends() {
    let Some(server) = Postgres::start("") else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = State {
        folder: ContestFolder::parse(CONTEST, "contest.toml", folder.path().to_owned()).unwrap(),
        db: Database::open(&server.url()).unwrap(),
        objects: Objects::open(&folder.path().join("objects")).unwrap(),
    };
    let link = Mutex::new(None);
    let program = ContestProgram {
        on_ready: &|app| *link.lock().unwrap() = Some(app.admin_link().unwrap()),
        should_end: &|| link.lock().unwrap().is_some(),
    };
    serve_contest(state, Reach::near("127.0.0.1:0".parse().unwrap()), &program).unwrap();
    assert!(link.into_inner().unwrap().unwrap().contains("/login#"));
}

/// Two workers never hold one job; a late result is dropped.
fn leases(db: &Database) {
    let now = Time::now();
    for number in 0..20 {
        db.write(|t| enqueue(t, now, JobKind::Align, &number.to_string(), 80)).unwrap();
    }
    let take = |worker: &str| {
        let mut taken = Vec::new();
        while let Some(job) = db.lease(worker, "1", now).unwrap() {
            taken.push(job.subject.clone());
            assert!(db.finish(&job, now, |_| Ok::<_, StoreError>(())).unwrap());
            assert!(!db.finish(&job, now, |_| Ok::<_, StoreError>(())).unwrap());
        }
        taken
    };
    let mut all = std::thread::scope(|scope| {
        let workers = ["a", "b", "c"].map(|worker| scope.spawn(move || take(worker)));
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    all.sort();
    let count = all.len();
    all.dedup();
    assert_eq!((all.len(), count), (20, 20));
}

#[test]
fn a_server_that_forgets_is_refused() {
    let Some(server) = Postgres::start("-c synchronous_commit=off") else { return };
    let refused = Database::open(&server.url()).err().unwrap();
    assert!(refused.to_string().contains("synchronous_commit is off"), "{refused}");
}
