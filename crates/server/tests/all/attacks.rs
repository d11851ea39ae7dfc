//! What strangers try: other hosts, foreign pages, guessed codes, odd paths, nonsense in bodies.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;

use crate::visitor::{HOST, Visitor, overlay_of, rooms};

fn one_map(name: &str) -> mapjudge_server::Desk {
    overlay_of(vec![(name, rooms())])
}

#[tokio::test]
async fn a_browser_without_the_link_gets_nothing() {
    let visitor = Visitor::outside(one_map("a.yaml"));
    for path in
        ["desk", "legend", "events", "submissions/1/frame", "submissions/1/planes/truth/0/0/0.png", "view"]
    {
        let answer = visitor.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(answer.json()["hint"].as_str().unwrap().contains("link"));
    }
    let forged = Visitor { cookie: Some("mapjudge-4000=guess".to_owned()), ..visitor };
    assert_eq!(forged.get("/api/v1/desk").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_link_works_once() {
    let visitor = Visitor::inside(one_map("a.yaml")).await;
    let link = visitor.app.new_link().unwrap();
    let code = link.split_once('#').unwrap().1;
    let first = visitor.post("/api/v1/login", json!({ "code": code })).await;
    assert_eq!(first.status, StatusCode::OK);
    let cookie = first.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert_eq!(visitor.post("/api/v1/login", json!({ "code": code })).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn another_host_is_turned_away() {
    let visitor = Visitor::inside(one_map("a.yaml")).await;
    for host in ["evil.example", "127.0.0.1:1", "127.0.0.1", ""] {
        let request = Request::get("/api/v1/desk")
            .header("host", host)
            .header("cookie", visitor.cookie.clone().unwrap());
        let answer = visitor.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
    }
}

#[tokio::test]
async fn a_page_of_somebody_else_changes_nothing() {
    let visitor = Visitor::inside(one_map("a.yaml")).await;
    for (name, value) in
        [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "none"), ("origin", "http://evil.example")]
    {
        let request = Request::put("/api/v1/submissions/1/frame").header("host", HOST).header(name, value);
        let request = request.header("cookie", visitor.cookie.clone().unwrap());
        let answer = visitor.send(request.body(Body::from("{}")).unwrap()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
}

#[tokio::test]
async fn paths_lead_nowhere_else() {
    let visitor = Visitor::inside(one_map("a.yaml")).await;
    for path in [
        "/assets/../../../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/index.html",
        "/api/v1/submissions/..%2f1/frame",
        "/api/v1/submissions/99/frame",
        "/api/v1/submissions/-1/frame",
        "/etc/passwd",
    ] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("/work"), "{path}");
    }
}

#[tokio::test]
async fn every_answer_carries_the_headers() {
    let visitor = Visitor::inside(one_map("a.yaml")).await;
    for path in ["/", "/login", "/overlay/1", "/api/v1/desk", "/nothing"] {
        let headers = visitor.get(path).await.headers;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for"),
            "{path}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
}

#[tokio::test]
async fn nonsense_in_a_body_is_a_problem_and_no_panic() {
    let visitor = Visitor::inside(one_map("a.yaml")).await;
    let far = json!({ "x_m": 1e300, "y_m": -1e300, "theta_rad": 1e300, "scale": 1e-300 });
    for path in ["live", "fit", "align", "climb"] {
        for body in [
            json!({}),
            json!([]),
            json!({ "truth_from_map": far }),
            json!({ "truth_from_map": { "x_m": 0, "y_m": 0, "theta_rad": 0, "scale": 0 } }),
            json!({ "pairs": [{ "map": [1e308, 1e308], "truth": [-1e308, 0] }], "motion": "scale" }),
            json!({ "pairs": vec![json!({ "map": [0, 0], "truth": [0, 0] }); 2000], "motion": "turn" }),
            json!({ "truth_from_map": { "x_m": 0, "y_m": 0, "theta_rad": 0, "scale": 1 }, "on": "../truth" }),
        ] {
            let answer = visitor.post(&format!("/api/v1/submissions/1/{path}"), body.clone()).await;
            assert!(answer.status != StatusCode::INTERNAL_SERVER_ERROR, "{path} {body}");
        }
    }
    let huge = "x".repeat(2 << 20);
    let answer = visitor.post("/api/v1/points/parse", json!({ "text": huge })).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn hostile_names_stay_data() {
    let name = "<img src=x onerror=alert(1)>\u{202e}.yaml";
    let visitor = Visitor::inside(one_map(name)).await;
    let desk = visitor.get("/api/v1/desk").await;
    assert_eq!(desk.headers["content-type"], "application/json");
    assert_eq!(desk.json()["maps"][0]["name"], name);
}
