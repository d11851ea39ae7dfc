//! A small contest with its people, and requests to it without a connection.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, request::Builder};
use mapjudge::files::contest::ContestFolder;
use mapjudge_server::contest::ContestApp;
use mapjudge_server::contest::accounts;
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::counting::counted;
use mapjudge_server::contest::jobs::record;
use mapjudge_server::contest::objects::Objects;
use mapjudge_server::contest::reach::{PublicUrl, Reach};
use mapjudge_server::contest::roles::PersonRole;
use mapjudge_server::contest::store::{Database, StoreError};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::forms::check_answer;
use crate::visitor::{Answer, HOST};

pub const CONTEST: &str = "title = 'Cup'\nprofile = 'rvrl-2022'\n\
    [[teams]]\nname = 'Alpha'\nfolder = 'alpha'\n[[teams]]\nname = 'Beta'\nfolder = 'beta'\n";

pub struct Place {
    pub folder: tempfile::TempDir,
    pub app: Arc<ContestApp>,
    router: axum::Router,
}

/// Somebody who sends requests.
pub struct Guest<'a> {
    place: &'a Place,
    token: Option<String>,
}

impl Place {
    /// The contest with more settings under `[serve]`.
    pub fn new(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        Self::on(folder, db, settings)
    }

    pub fn on(folder: tempfile::TempDir, db: Database, settings: &str) -> Self {
        let place = Self::with(folder, db, settings);
        place.add("ada", PersonRole::Admin, None);
        place.add("jo", PersonRole::Judge, None);
        place.add("al", PersonRole::Team, Some("Alpha"));
        place.add("bo", PersonRole::Team, Some("Beta"));
        place.add("vi", PersonRole::Viewer, None);
        place
    }

    /// The same behind a proxy that shows it under this address.
    pub fn behind(public_url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let public_url = PublicUrl::parse(public_url);
        let place = Self::reached(folder, db, "", Reach { public_url, ..Reach::near(HOST.parse().unwrap()) });
        place.add("jo", PersonRole::Judge, None);
        place
    }

    fn with(folder: tempfile::TempDir, db: Database, settings: &str) -> Self {
        Self::reached(folder, db, settings, Reach::near(HOST.parse().unwrap()))
    }

    fn reached(folder: tempfile::TempDir, db: Database, settings: &str, reach: Reach) -> Self {
        let text = format!("{CONTEST}\n[serve]\n{settings}\n");
        let contest = ContestFolder::parse(&text, "contest.toml", folder.path().to_owned()).unwrap();
        let objects = Objects::open(&folder.path().join("objects")).unwrap();
        let app = ContestApp::new(db, objects, contest, reach);
        let router = app.router();
        Self { folder, app, router }
    }

    /// The same place after the program ended.
    pub fn again(self, settings: &str) -> Self {
        let Self { folder, app, router } = self;
        drop((app, router));
        let db = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        Self::with(folder, db, settings)
    }

    /// A second program over the same state, as after a crash of the first.
    pub fn again_on(place: &Self, settings: &str) -> Self {
        let db = Database::open(place.folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        Self::with(folder, db, settings)
    }

    fn add(&self, name: &str, role: PersonRole, team: Option<&str>) {
        let (teams, db) = (["Alpha".to_owned(), "Beta".to_owned()], self.app.database());
        beside(|| db.write(|t| accounts::add(t, Time::now(), "x", (name, role, team), &teams)).unwrap());
    }

    /// A person with a token.
    pub fn guest(&self, name: &str) -> Guest<'_> {
        let db = self.app.database();
        let token = beside(|| db.write(|t| accounts::new_token(t, Time::now(), "x", name)).unwrap());
        Guest { place: self, token: Some(token) }
    }

    /// The public.
    pub fn public(&self) -> Guest<'_> {
        Guest { place: self, token: None }
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().to_string());
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let body = to_bytes(body, 64 << 20).await.unwrap().to_vec();
        check_answer(&method, &path, parts.status, &parts.headers, &body);
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// What a worker does: measures everything and ranks; the scores by team.
    pub fn rank(&self, scores: &[(&str, f64)]) -> i64 {
        self.rank_draft(scores, None)
    }

    pub fn rank_draft(&self, scores: &[(&str, f64)], draft_of: Option<&str>) -> i64 {
        let bytes = contest_json(scores).to_string();
        let object = self.app.objects().put(bytes.as_bytes()).unwrap();
        let (now, db) = (Time::now(), self.app.database());
        let ranked = beside(|| {
            db.write(|t| {
            t.execute("UPDATE submission SET state = 'measured', measured_at = $1", &[now.text().into()])?;
            t.execute("UPDATE job SET state = 'done'", &[])?;
            let mut counting = json!({});
            for ((team, _), (id, _)) in counted(t, false)? {
                let score = scores.iter().find(|(name, _)| *name == team).map(|(_, score)| *score);
                counting[id] = json!(score);
            }
            let body = json!({ "contest_json": object.hash, "upto_seq": 0, "draft_of": draft_of, "scores": counting });
            let event = record::ranking_made(t, now, body)?;
            Ok::<_, StoreError>(event.seq)
        })
        });
        ranked.unwrap()
    }
}

/// Runs on a thread of its own: the client of PostgreSQL must not be used on those of a runtime.
pub fn beside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

/// A ranking of these scores, as `mapjudge contest` writes one.
pub fn contest_json(scores: &[(&str, f64)]) -> Value {
    let mut sorted = scores.to_vec();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let row = |(rank, (team, score)): (usize, &(&str, f64))| {
        let part = json!({ "name": "E", "title": "Explored", "value": score, "reason": null, "by_judge": false,
            "stand_in": false, "detail": null });
        let mission = json!({ "mission": "", "score": score, "outcome": "scored", "reason": null,
            "substituted": format!("E = {score}"), "parts": [part], "inputs": [], "report": "", "sheet": "" });
        json!({ "team": team, "rank": rank + 1, "score": score, "interval": null, "parts": { "E": score },
            "missions": [mission], "folder": team })
    };
    let rows: Vec<Value> = sorted.iter().enumerate().map(row).collect();
    json!({
        "schema": "mapjudge.contest/1", "tool": { "name": "mapjudge", "version": "0" }, "title": "Cup",
        "profile": "rrl-2025",
        "rules": { "title": "", "source": "", "notes": [], "formula": "E", "better": "higher", "weights": {},
            "constants": {}, "combine": "sum" },
        "missions": [""], "ranking": rows, "significance": [],
        "resampling": { "resamples": 0, "seed": 1, "resampled": [], "fixed": [] }, "sensitivity": [],
        "pareto": null, "findings": [], "truth": [],
    })
}

impl Guest<'_> {
    pub fn request(&self, method: &str, path: &str) -> Builder {
        let request = Request::builder().method(method).uri(path).header("host", HOST);
        let request = self
            .token
            .iter()
            .fold(request, |request, token| request.header("authorization", format!("Bearer {token}")));
        if self.token.is_none() { request.header("sec-fetch-site", "same-origin") } else { request }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.place.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn send(&self, method: &str, path: &str, body: Value) -> Answer {
        self.send_if(method, path, None, body).await
    }

    pub async fn send_if(&self, method: &str, path: &str, tag: Option<&str>, body: Value) -> Answer {
        let request = self.request(method, path).header("content-type", "application/json");
        let request = tag.into_iter().fold(request, |request, tag| request.header("if-match", tag));
        self.place.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Hands in files.
    pub async fn upload(&self, files: &[(&str, &[u8])]) -> Answer {
        self.upload_with(&[], files, None).await
    }

    pub async fn upload_with(
        &self,
        fields: &[(&str, &str)],
        files: &[(&str, &[u8])],
        key: Option<&str>,
    ) -> Answer {
        let request = self.request("POST", "/api/v1/submissions");
        let request = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
        let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
        self.place.send(request.body(Body::from(form(fields, files))).unwrap()).await
    }

    /// Hands in one file, which must be taken; the id.
    pub async fn handed_in(&self, bytes: &[u8]) -> String {
        let answer = self.upload(&[("map.tif", bytes)]).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["id"].as_str().unwrap().to_owned()
    }
}

pub const BOUNDARY: &str = "----mapjudge";

/// A form as browsers send it.
pub fn form(fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                .bytes(),
        );
    }
    for (name, bytes) in files {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        );
        body.extend(head.bytes());
        body.extend_from_slice(bytes);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").bytes());
    body
}
