//! A browser that knows one program: host, origin and session.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode};
use mapjudge::{AlignmentFile, Loaded, Map};
use mapjudge_server::{App, Desk, OverlayDesk, OverlayMap};
use model::{Grid, Pose2};
use serde_json::Value;
use tower::ServiceExt;

use crate::forms::check_answer;

pub const HOST: &str = "127.0.0.1:4000";

/// Processor time of this process, which does not count what other programs do on a loaded machine.
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

pub struct Visitor {
    pub app: Arc<App>,
    pub cookie: Option<String>,
}

/// An answer with its body read.
pub struct Answer {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }
}

/// Seven rooms, which have one place only.
pub fn rooms() -> Grid {
    testkit::seven_rooms(Pose2::IDENTITY)
}

pub fn loaded(grid: Grid) -> Loaded<Map> {
    Loaded::in_memory(Map::new(grid))
}

pub fn overlay_of(maps: Vec<(&str, Grid)>) -> Desk {
    let laid = |(name, grid): (&str, Grid)| OverlayMap {
        name: name.to_owned(),
        map: Ok(loaded(grid)),
        layers: Vec::new(),
        frame: None,
    };
    let keep = |index: usize, _: &AlignmentFile| Ok(format!("frame-{index}.json"));
    Desk::Overlay(Box::new(OverlayDesk::new(
        ("truth.yaml", loaded(rooms())),
        maps.into_iter().map(laid).collect(),
        Some(Box::new(keep)),
    )))
}

impl Visitor {
    /// A browser that opened the link.
    pub async fn inside(desk: Desk) -> Self {
        let mut visitor = Self::outside(desk);
        let link = visitor.app.new_link().unwrap();
        let code = link.split_once('#').unwrap().1.to_owned();
        let answer = visitor.post("/api/v1/login", serde_json::json!({ "code": code })).await;
        assert_eq!(answer.status, StatusCode::OK);
        let cookie = answer.headers["set-cookie"].to_str().unwrap().to_owned();
        visitor.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        visitor
    }

    /// A browser that did not.
    pub fn outside(desk: Desk) -> Self {
        Self { app: App::new(desk, HOST.parse().unwrap()), cookie: None }
    }

    pub fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("host", HOST);
        let request =
            request.header("sec-fetch-site", "same-origin").header("content-type", "application/json");
        self.cookie.iter().fold(request, |request, cookie| request.header("cookie", cookie))
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().to_string());
        let answer: Response<Body> = self.app.router().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let body = to_bytes(body, 64 << 20).await.unwrap().to_vec();
        // What a program of one pair answers otherwise than a contest, or alone.
        let is_own = ["/login", "/desk", "/finish", "/view"].iter().any(|own| path.contains(own));
        if !is_own {
            check_answer(&method, &path, parts.status, &parts.headers, &body);
        }
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request("POST", path).body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn put(&self, path: &str, version: Option<&str>, body: Value) -> Answer {
        let request = self.request("PUT", path);
        let request =
            version.into_iter().fold(request, |request, version| request.header("if-match", version));
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }
}
