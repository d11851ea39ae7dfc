//! The same attack by every operation of the interface, and what a proxy in front changes.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use mapjudge_server::contest::accounts;
use mapjudge_server::contest::check::check;
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::openapi::description;
use mapjudge_server::contest::operation::Verb;
use mapjudge_server::contest::roles::Needs;
use mapjudge_server::contest::routes::operations;
use serde_json::{Value, json};

use crate::contest_place::Place;
use crate::visitor::HOST;

const SQL: [&str; 4] = [
    "'; DROP TABLE submission; --",
    "\" OR \"\" = \"",
    "0' UNION SELECT code_hash FROM person --",
    "%' OR 1=1 --",
];

fn coded(words: &str) -> String {
    words.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The log-in of somebody by a link; the cookie.
async fn cookie(place: &Place, name: &str, headers: &[(&str, &str)]) -> String {
    let code = place.app.database().write(|t| accounts::new_code(t, Time::now(), "x", name)).unwrap();
    let request = Request::post("/api/v1/login").header("host", HOST).header("sec-fetch-site", "same-origin");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request = request.header("content-type", "application/json");
    let answer = place.send(request.body(Body::from(json!({ "code": code }).to_string())).unwrap()).await;
    answer.headers["set-cookie"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_foreign_page_does_nothing_by_any_operation() {
    let place = Place::new("");
    let id = place.guest("al").handed_in(b"map").await;
    let cookie = cookie(&place, "ada", &[]).await.split(';').next().unwrap().to_owned();
    let events = || place.app.database().read(mapjudge_server::contest::chain::head).unwrap().seq;
    let before = events();
    let mut tried = 0;
    for operation in operations() {
        if operation.verb == Verb::Get {
            continue;
        }
        let path = operation.path.replace("{id}", &id).replace("{name}", "E").replace("{record}", "1");
        for (name, value) in
            [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("x-none", "")]
        {
            let request = Request::builder().method(&*operation.verb.name().to_uppercase());
            let request =
                request.uri(format!("/api/v1{path}")).header("host", HOST).header("cookie", &cookie);
            let request = request.header(name, value).header("content-type", "text/plain");
            let answer = place.send(request.body(Body::from("{}")).unwrap()).await;
            assert_eq!(
                (answer.status, &answer.json()["code"]),
                (StatusCode::FORBIDDEN, &json!("FOREIGN_ORIGIN")),
                "{path}"
            );
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
    assert_eq!(events(), before, "nothing happened");
}

/// A body of this form with these words wherever a text is taken.
fn filled(schema: &Value, words: &str) -> Value {
    if let Some(properties) = schema["properties"].as_object() {
        return properties.iter().map(|(name, inner)| (name.clone(), filled(inner, words))).collect();
    }
    match schema["type"].as_str() {
        Some("number" | "integer") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([filled(&schema["items"], words)]),
        _ => json!(words),
    }
}

#[tokio::test]
async fn words_of_sql_in_every_string_of_every_operation_break_nothing() {
    let place = Place::new("limits = { uploads_per_minute = 1000 }");
    let id = place.guest("al").handed_in(b"map").await;
    place.rank(&[("Alpha", 1.0)]);
    let people = [("ada", place.guest("ada")), ("jo", place.guest("jo")), ("al", place.guest("al"))];
    let document = description(&operations());
    for words in SQL {
        for (path, verbs) in document["paths"].as_object().unwrap() {
            for (verb, operation) in verbs.as_object().unwrap() {
                if path.ends_with("/events") {
                    continue;
                }
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let query = parameters.filter(|parameter| parameter["in"] == "query");
                let query: Vec<String> =
                    query.map(|p| format!("{}={}", p["name"].as_str().unwrap(), coded(words))).collect();
                let hostile = path
                    .split('/')
                    .map(|part| if part.starts_with('{') { coded(words) } else { part.to_owned() });
                let hostile: Vec<String> = hostile.collect();
                // The words as a name in the path; and behind a submission that is there.
                for path in [hostile.join("/"), path.replace("{id}", &id).replace("{name}", &coded(words))] {
                    let target = format!("{}?{}", path.replace(['{', '}'], ""), query.join("&"));
                    let body =
                        filled(&operation["requestBody"]["content"]["application/json"]["schema"], words);
                    for (name, person) in &people {
                        let answer = person.send(&verb.to_uppercase(), &target, body.clone()).await;
                        assert!(
                            answer.status.as_u16() < 500,
                            "{name}: {verb} {target} {body}: {}",
                            answer.status
                        );
                    }
                }
            }
        }
        for (field, value) in [("mission", words), ("team", words), ("keep", words)] {
            let answer = people[1]
                .1
                .upload_with(&[("team", "Beta"), (field, value)], &[("a.tif", b"x")], Some(words))
                .await;
            assert!(answer.status.is_client_error(), "{field}: {}", answer.status);
        }
        let named = people[2].1.upload(&[(&words.replace('"', "'"), b"x")]).await;
        assert_eq!(named.status, StatusCode::CREATED, "a file may be called so");
    }
    let all = people[1].1.get("/api/v1/submissions?team=Alpha").await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1 + SQL.len());
    let checked = check(place.app.database(), place.app.objects(), place.folder.path()).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
}

#[tokio::test]
async fn a_team_gets_neither_truth_nor_live_numbers_nor_the_record_by_any_operation() {
    let place = Place::new("");
    let team = place.guest("al");
    let id = team.handed_in(b"map").await;
    let ranking = place.rank(&[("Alpha", 1.0)]);
    let mut refused = 0;
    for operation in operations().iter().filter(|one| matches!(one.needs, Needs::Judge | Needs::Admin)) {
        let path = operation.path.replace("{id}", &id).replace("{name}", "E").replace("{record}", "1");
        let answer =
            team.send(&operation.verb.name().to_uppercase(), &format!("/api/v1{path}"), json!({})).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        refused += 1;
    }
    assert!(refused > 30, "{refused}");
    let lying = json!({ "truth_from_map": { "x_m": 0, "y_m": 0, "theta_rad": 0, "scale": 1 } });
    for (verb, path) in [
        ("GET", format!("desk?of={id}")),
        ("GET", format!("submissions/{id}/planes/truth/0/0/0.png")),
        ("GET", format!("submissions/{id}/planes/map/0/0/0.png")),
        (
            "GET",
            format!(
                "submissions/{id}/difference.png?x=0&y=0&theta=0&scale=1&west=0&south=0&cell=1&width=9&height=9"
            ),
        ),
        ("GET", format!("submissions/{id}/pictures/map.png")),
        ("POST", format!("submissions/{id}/live")),
        ("GET", "ranking?of=jury".to_owned()),
        ("GET", format!("ranking?of={ranking}")),
    ] {
        let answer = team.send(verb, &format!("/api/v1/{path}"), lying.clone()).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{verb} {path}");
    }
    assert_eq!(team.get("/api/v1/ranking/maps").await.json()["items"], json!([]));
    let own = team.get(&format!("/api/v1/submissions/{id}")).await.json();
    assert_eq!(
        (&own["score"], &own["attention"]),
        (&Value::Null, &json!([])),
        "before it is published: {own}"
    );
}

/// A wrong code, with a header of a proxy.
async fn guessed(place: &Place, forwarded: &str) -> StatusCode {
    let request = Request::post("/api/v1/login").header("host", HOST).header("sec-fetch-site", "same-origin");
    let request = request.header("content-type", "application/json").header("x-forwarded-for", forwarded);
    place.send(request.body(Body::from("{\"code\":\"guess\"}")).unwrap()).await.status
}

#[tokio::test]
async fn behind_a_proxy_each_address_guesses_for_itself_and_a_forged_header_helps_nobody() {
    let near = Place::new("");
    for number in 0..5 {
        assert_eq!(guessed(&near, &format!("10.0.0.{number}")).await, StatusCode::FORBIDDEN);
    }
    assert_eq!(guessed(&near, "10.0.0.9").await, StatusCode::TOO_MANY_REQUESTS, "nobody believes the header");
    let behind = Place::behind("https://maps.example.org");
    for number in 0..5 {
        assert_eq!(guessed(&behind, &format!("6.6.6.{number}, 10.0.0.1")).await, StatusCode::FORBIDDEN);
    }
    assert_eq!(
        guessed(&behind, "6.6.6.6, 10.0.0.1").await,
        StatusCode::TOO_MANY_REQUESTS,
        "what the proxy appended counts"
    );
    assert_eq!(guessed(&behind, "10.0.0.2").await, StatusCode::FORBIDDEN, "somebody else");
}

#[tokio::test]
async fn a_cookie_under_https_is_bound_to_the_host() {
    let behind = Place::behind("https://maps.example.org");
    let set = cookie(&behind, "jo", &[("x-forwarded-for", "10.0.0.1")]).await;
    assert!(set.starts_with("__Host-mapjudge="), "{set}");
    for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Domain"), "{set}");
    let me = async |host: &str, cookie: &str| {
        let request = Request::get("/api/v1/me").header("host", host).header("cookie", cookie);
        behind.send(request.body(Body::empty()).unwrap()).await
    };
    let own = set.split(';').next().unwrap();
    assert_eq!(me("maps.example.org", own).await.json()["name"], "jo");
    assert_eq!(me("evil.example", own).await.status, StatusCode::MISDIRECTED_REQUEST);
    let near = Place::new("");
    let plain = cookie(&near, "jo", &[]).await;
    assert!(plain.starts_with("mapjudge-4000=") && !plain.contains("Secure"), "{plain}");
}
