//! What strangers, and people who want to win, try with a contest.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use mapjudge_server::contest::accounts;
use mapjudge_server::contest::check::check;
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::operation::Verb;
use mapjudge_server::contest::roles::Needs;
use mapjudge_server::contest::routes::operations;
use serde_json::json;

use crate::contest_place::{BOUNDARY, Place, form};
use crate::visitor::HOST;

const HOSTILE: [&str; 5] = [
    "<img src=x onerror=alert(1)>",
    "'; DROP TABLE submission; --",
    "\" OR 1=1 --",
    "\u{202e}gnp.exe",
    "../../../../etc/passwd",
];

#[tokio::test]
async fn names_lead_nowhere() {
    let place = Place::new("limits = { uploads_per_minute = 1000 }");
    let team = place.guest("al");
    for name in ["../x", "/etc/passwd", "a/../../x", "..\\x", "a/b/c/d/e", "a//b", "\u{202e}x"] {
        let answer = team.upload(&[(name, b"x")]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name:?}");
        assert_eq!(answer.json()["code"], "NAME_REFUSED", "{name:?}");
    }
    assert_eq!(team.upload(&[("a.tif", b"x"), ("A.TIF", b"y")]).await.json()["code"], "NAME_REFUSED");
    assert_eq!(team.upload(&[("a", b"x"), ("a/b", b"y")]).await.json()["code"], "NAME_REFUSED");
    assert_eq!(team.upload(&[]).await.json()["code"], "NO_FILE");
    let id = team.handed_in(b"map").await;
    for name in ["../../judge.db", "..%2f..%2fjudge.db", "%2e%2e/judge.db", "/etc/passwd", "map.tif/..", ""] {
        let answer = team.get(&format!("/api/v1/submissions/{id}/files/{name}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{name}");
    }
    assert_eq!(place.public().get("/assets/..%2f..%2fCargo.toml").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn words_stay_data_and_files_are_never_shown() {
    let place = Place::new("");
    let (team, judge, admin) = (place.guest("al"), place.guest("jo"), place.guest("ada"));
    let script = "<script>alert(1)<!script>.svg".replace('!', "");
    let id =
        team.upload(&[(&script, b"<svg onload=alert(1)>")]).await.json()["id"].as_str().unwrap().to_owned();
    let notes = format!("/api/v1/submissions/{id}/notes");
    for words in HOSTILE {
        let note = team.send("POST", &notes, json!({ "kind": "question", "text": words })).await;
        assert_eq!((note.status, note.json()["text"].as_str()), (StatusCode::CREATED, Some(words)));
        admin.send("POST", "/api/v1/notices", json!({ "text": words })).await;
        let user = admin.send("POST", "/api/v1/users", json!({ "name": words, "role": "viewer" })).await;
        assert_eq!(user.status, StatusCode::CREATED, "{words}");
    }
    let long = team.send("POST", &notes, json!({ "kind": "question", "text": "x".repeat(10_000) })).await;
    assert_eq!(long.json()["code"], "TEXT_INVALID");
    for path in [format!("/api/v1/submissions/{id}"), "/api/v1/contest".into(), "/api/v1/users".into()] {
        let answer = if path.ends_with("users") { admin.get(&path).await } else { judge.get(&path).await };
        assert_eq!(
            (answer.status, &answer.headers["content-type"]),
            (StatusCode::OK, &"application/json".parse().unwrap())
        );
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for"));
    }
    let coded: String = script.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let file = team.get(&format!("/api/v1/submissions/{id}/files/{coded}")).await;
    assert_eq!(
        (file.status, &file.headers["content-type"]),
        (StatusCode::OK, &"application/octet-stream".parse().unwrap())
    );
    assert!(file.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let checked = check(place.app.database(), place.app.objects(), place.folder.path()).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
}

#[tokio::test]
async fn a_page_of_somebody_else_does_nothing() {
    let place = Place::new("");
    let db = place.app.database();
    let code = db.write(|t| accounts::new_code(t, Time::now(), "x", "ada")).unwrap();
    let (_, session) = db.write(|t| accounts::log_in(t, Time::now(), &code)).unwrap().unwrap();
    let cookie = format!("mapjudge-4000={session}");
    let freeze = |name: &'static str, value: &'static str| {
        let request = Request::put("/api/v1/freeze").header("host", HOST).header("cookie", &cookie);
        let request = request.header("content-type", "application/json");
        let request = if name.is_empty() { request } else { request.header(name, value) };
        place.send(request.body(Body::from("{\"frozen\":true}")).unwrap())
    };
    for (name, value) in [
        ("", ""),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "http://evil.example"),
        ("authorization", "Bearer guess"),
    ] {
        assert_eq!(freeze(name, value).await.status, StatusCode::FORBIDDEN, "{name} {value}");
    }
    assert_eq!(freeze("origin", "http://127.0.0.1:4000").await.status, StatusCode::OK);
    for host in ["evil.example", "127.0.0.1:1", ""] {
        let request = Request::get("/api/v1/contest").header("host", host).body(Body::empty()).unwrap();
        assert_eq!(place.send(request).await.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
    }
}

#[tokio::test]
async fn a_session_is_new_at_log_in_and_ends_with_its_person() {
    let place = Place::new("");
    let db = place.app.database();
    let log_in = |cookie: &str| {
        let code = db.write(|t| accounts::new_code(t, Time::now(), "x", "jo")).unwrap();
        let request =
            Request::post("/api/v1/login").header("host", HOST).header("sec-fetch-site", "same-origin");
        let request = request.header("content-type", "application/json").header("cookie", cookie);
        place.send(request.body(Body::from(json!({ "code": code }).to_string())).unwrap())
    };
    let fixed = "mapjudge-4000=slipped-in-by-eve";
    let answer = log_in(fixed).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    let set = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict") && !set.contains("slipped"), "{set}");
    let cookie = set.split(';').next().unwrap().to_owned();
    let me = |cookie: String| {
        let request = Request::get("/api/v1/me").header("host", HOST).header("cookie", cookie);
        place.send(request.body(Body::empty()).unwrap())
    };
    assert_eq!(me(cookie.clone()).await.json()["role"], "judge");
    assert_eq!(me(fixed.to_owned()).await.json()["role"], json!(null));
    let again = log_in(&cookie).await;
    assert_eq!(me(cookie.clone()).await.json()["role"], json!(null), "the old session ended");
    let cookie = again.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(
        place.guest("ada").send("DELETE", "/api/v1/users/jo", json!({})).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(me(cookie).await.json()["role"], json!(null), "removed people are out at once");
}

#[tokio::test]
async fn guessing_codes_is_refused_after_five() {
    let place = Place::new("");
    let public = place.public();
    for _ in 0..5 {
        let answer = public.send("POST", "/api/v1/login", json!({ "code": "guess" })).await;
        assert_eq!(answer.json()["code"], "CODE_UNKNOWN");
    }
    let code = place.app.database().write(|t| accounts::new_code(t, Time::now(), "x", "jo")).unwrap();
    let answer = public.send("POST", "/api/v1/login", json!({ "code": code })).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn nobody_reaches_what_is_not_theirs_by_any_route() {
    let place = Place::new("");
    let (own, other) = (place.guest("al"), place.guest("bo"));
    let id = own.handed_in(b"secret map").await;
    let guests = [("bo", place.guest("bo")), ("vi", place.guest("vi")), ("", place.public())];
    for operation in operations() {
        let path = operation.path.replace("{id}", &id).replace("{name}", "E").replace("{*name}", "map.tif");
        let path = format!("/api/v1{}", path.replace("{record}", "1"));
        for (name, guest) in &guests {
            let method = operation.verb.name().to_uppercase();
            let body = json!({ "reason": "seen on the field", "kind": "question", "text": "x", "value": 1 });
            if operation.path == "/events"
                || (operation.verb == Verb::Post && operation.path == "/submissions")
            {
                continue;
            }
            let answer = guest.send(&method, &path, body).await;
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            assert!(!text.contains(&id), "{name}: {method} {path}: {text}");
            if operation.path.contains("{id}") {
                assert!(answer.status.is_client_error(), "{name}: {method} {path}: {}", answer.status);
            }
            let expected = match (operation.needs, *name) {
                (Needs::Nobody, _) => continue,
                (_, "") => StatusCode::UNAUTHORIZED,
                (Needs::Submitter, "bo") if operation.path.contains("{id}") => StatusCode::NOT_FOUND,
                (Needs::Judge | Needs::Admin, _) | (Needs::Submitter, "vi") => StatusCode::FORBIDDEN,
                _ => continue,
            };
            assert_eq!(answer.status, expected, "{name}: {method} {path}");
        }
    }
    let keep = other.upload_with(&[("keep", &id)], &[("x.tif", b"x")], None).await;
    assert_eq!(keep.status, StatusCode::NOT_FOUND, "files of another team are not kept");
    let named = other.upload_with(&[("team", "Alpha")], &[("x.tif", b"x")], None).await;
    assert_eq!(named.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn words_of_sql_find_nothing_and_break_nothing() {
    let place = Place::new("");
    let (team, judge) = (place.guest("al"), place.guest("jo"));
    team.handed_in(b"map").await;
    for words in HOSTILE {
        let coded: String = words.bytes().map(|byte| format!("%{byte:02X}")).collect();
        for path in [
            format!("submissions?team={coded}"),
            format!("submissions?mission={coded}&after={coded}"),
            format!("submissions/{coded}"),
            format!("rejudgings/{coded}"),
            format!("ranking?of={coded}"),
            format!("ranking?format={coded}"),
            format!("audit?after={coded}"),
        ] {
            let answer = judge.get(&format!("/api/v1/{path}")).await;
            assert!(answer.status.as_u16() < 500, "{path}: {}", answer.status);
        }
        let keyed = team.upload_with(&[("mission", words)], &[("a.tif", b"x")], None).await;
        assert_eq!(keyed.json()["code"], "MISSION_UNKNOWN");
    }
    let all = judge.get("/api/v1/submissions").await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn large_bodies_are_refused_with_and_without_a_length() {
    let place =
        Place::new("limits = { file_mib = 1, submission_mib = 2, files = 3, uploads_per_minute = 1000 }");
    let team = place.guest("al");
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let request = team.request("POST", "/api/v1/submissions").header("content-type", &kind);
    let huge = request.header("content-length", "107374182400").body(Body::empty()).unwrap();
    assert_eq!(place.send(huge).await.status, StatusCode::PAYLOAD_TOO_LARGE, "a header of 100 GB");
    let mib = vec![7; 1 << 20];
    assert_eq!(team.upload(&[("a.tif", &mib)]).await.status, StatusCode::CREATED);
    let larger = vec![7; (1 << 20) + 1];
    assert_eq!(team.upload(&[("a.tif", &larger)]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let three = [("a", &mib[..]), ("b", &mib[..]), ("c", &b"x"[..])];
    let body = form(&[], &three);
    let chunks: Vec<_> = body.chunks(100_000).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect();
    let stream = Body::from_stream(futures_util::stream::iter(chunks));
    let request = team.request("POST", "/api/v1/submissions").header("content-type", &kind);
    assert_eq!(place.send(request.body(stream).unwrap()).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let four: Vec<(&str, &[u8])> = vec![("a", b"1"), ("b", b"2"), ("c", b"3"), ("d", b"4")];
    assert_eq!(team.upload(&four).await.json()["code"], "TOO_MANY_FILES");
    let json = "x".repeat(2 << 20);
    let answer = place.guest("jo").send("POST", "/api/v1/notices", json!({ "text": json })).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let unfinished = std::fs::read_dir(place.folder.path().join("objects/tmp")).unwrap().count();
    assert_eq!(unfinished, 0, "what was refused leaves nothing");
}

#[tokio::test]
async fn a_form_that_ends_early_leaves_nothing() {
    let place = Place::new("");
    let team = place.guest("al");
    let whole = form(&[], &[("map.tif", &[7; 5000])]);
    for cut in [0, 50, 1000, whole.len() - 10] {
        let request = team.request("POST", "/api/v1/submissions");
        let request = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
        let answer = place.send(request.body(Body::from(whole[..cut].to_vec())).unwrap()).await;
        assert!(answer.status.is_client_error(), "{cut}: {}", answer.status);
    }
    assert_eq!(team.get("/api/v1/submissions").await.json()["items"], json!([]));
    assert_eq!(std::fs::read_dir(place.folder.path().join("objects/tmp")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_repeated_request_is_one_submission_and_a_reused_key_is_refused() {
    let place = Place::new("limits = { uploads_per_minute = 1 }");
    let team = place.guest("al");
    let first = team.upload_with(&[], &[("a.tif", b"1")], Some("key")).await;
    let again = team.upload_with(&[], &[("a.tif", b"1")], Some("key")).await;
    assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::CREATED));
    assert_eq!(first.json(), again.json());
    let other = team.upload_with(&[], &[("a.tif", b"2")], Some("key")).await;
    assert_eq!(other.json()["code"], "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(team.get("/api/v1/submissions").await.json()["items"].as_array().unwrap().len(), 1);
    let foreign = place.guest("bo").upload_with(&[], &[("a.tif", b"2")], Some("key")).await;
    assert_eq!(foreign.status, StatusCode::CREATED, "keys are each person's own");
}

#[tokio::test]
async fn a_tampered_state_is_named() {
    let place = Place::new("");
    let id = place.guest("al").handed_in(b"map").await;
    let db = place.app.database();
    let faults = || check(db, place.app.objects(), place.folder.path()).unwrap().faults;
    let again = || {
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(place.folder.path().join(format!("replayed.db{ending}")));
        }
    };
    assert_eq!(faults(), Vec::<String>::new());
    again();
    let team = "UPDATE submission SET team = 'Beta' WHERE id = $1";
    db.write(|t| t.execute(team, &[(&id).into()])).unwrap();
    assert!(faults().iter().any(|fault| fault.contains("table submission")));
    again();
    db.write(|t| t.execute("UPDATE submission SET team = 'Alpha' WHERE id = $1", &[(&id).into()])).unwrap();
    let event = "UPDATE event SET body = replace(body, 'Alpha', 'Beta') WHERE kind = 'submission_received'";
    db.write(|t| t.execute(event, &[])).unwrap();
    let seq = db.read(|t| t.one("SELECT seq FROM submission", &[])).unwrap().unwrap().int(0).unwrap();
    assert!(
        faults().iter().any(|fault| fault.starts_with(&format!("event {seq}: its content"))),
        "{:?}",
        faults()
    );
    again();
    let hash = blake3::hash(b"map").to_hex().to_string();
    std::fs::write(place.app.objects().path(&hash).unwrap(), "mop").unwrap();
    assert!(faults().iter().any(|fault| fault.contains(&hash)));
}
