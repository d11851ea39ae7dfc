//! The description of the interface, and what it leads to.

use axum::http::StatusCode;
use mapjudge_server::contest::openapi::description;
use mapjudge_server::contest::routes::operations;
use serde_json::{Value, json};

use crate::contest_place::{Guest, Place};

#[tokio::test]
async fn every_route_is_described() {
    let place = Place::new("");
    let answer = place.public().get("/api/v1/openapi.json").await;
    let document = answer.json();
    assert_eq!((answer.status, document["openapi"].as_str()), (StatusCode::OK, Some("3.1.0")));
    let mut ids = std::collections::BTreeSet::new();
    for operation in operations() {
        let path = format!("/api/v1{}", operation.path.replace("{*", "{"));
        let told = &document["paths"][&path][operation.verb.name()];
        assert!(told["summary"].is_string() && told["responses"]["default"].is_object(), "{path}");
        assert!(ids.insert(told["operationId"].as_str().unwrap().to_owned()), "{path}: its id is used twice");
        let names = operation.path.matches('{').count();
        let in_path = told["parameters"].as_array().unwrap().iter().filter(|p| p["in"] == "path").count();
        assert_eq!(in_path, names, "{path}");
    }
    assert_eq!(document["components"]["schemas"]["contest"]["x-schema-id"], "urn:mapjudge.contest:1");
    let refs = references(&document);
    assert!(refs.len() > 50, "{} references", refs.len());
    for place in refs {
        assert!(document.pointer(place.trim_start_matches('#')).is_some(), "{place} leads nowhere");
    }
    // The resources of the specification.
    for path in [
        "/contest",
        "/me",
        "/login",
        "/logout",
        "/ranking",
        "/submissions",
        "/submissions/{id}",
        "/submissions/{id}/report",
        "/submissions/{id}/findings",
        "/submissions/{id}/files/{name}",
        "/submissions/{id}/notes",
        "/submissions/{id}/values/{name}",
        "/submissions/{id}/verification",
        "/submissions/{id}/counts",
        "/rejudgings",
        "/rejudgings/{id}",
        "/reviews/{record}",
        "/reviews/{record}/next",
        "/reviews/{record}/relations/{id}",
        "/reviews/{record}/evaluate",
        "/reviews/{record}/verdicts",
        "/reviews/{record}/agreement",
        "/publications",
        "/freeze",
        "/events",
        "/audit",
        "/jobs",
        "/users",
        "/queue",
        "/values",
        "/notices",
    ] {
        assert!(document["paths"][format!("/api/v1{path}")].is_object(), "{path}");
    }
}

/// All references of a document.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(list) => list.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Numbers without a pattern, the same at each run.
struct Draw(u64);

impl Draw {
    fn next(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn word(&mut self, ids: &[String]) -> String {
        let odd = ["", "0", "-1", "E", "all", "%00", "%F0%9F%A6%80", "..", "99999999999999999999", "Alpha"];
        let place = self.next(odd.len() + ids.len());
        odd.get(place).map_or_else(|| ids[place - odd.len()].clone(), |word| (*word).to_owned())
    }

    fn value(&mut self, schema: &Value, ids: &[String]) -> Value {
        match self.next(12) {
            0 => Value::Null,
            1 => json!(-1e300),
            2 => json!("\u{0}\u{202e}'\""),
            3 => json!([[[{}]]]),
            _ => match schema["properties"].as_object() {
                Some(properties) => {
                    let entries =
                        properties.iter().map(|(name, inner)| (name.clone(), self.value(inner, ids)));
                    Value::Object(entries.collect())
                }
                None => match schema["type"].as_str() {
                    Some("number" | "integer") => json!(self.next(100)),
                    Some("boolean") => json!(self.next(2) == 0),
                    Some("array") => json!([self.word(ids)]),
                    _ => [
                        json!(self.word(ids)),
                        json!("seen on the field by two"),
                        json!(3),
                        json!("all"),
                        json!("team"),
                    ][self.next(5)]
                    .clone(),
                },
            },
        }
    }
}

#[tokio::test]
async fn random_requests_of_the_description_never_break_the_server() {
    let place = Place::new("verify = false\nlimits = { uploads_per_minute = 1000 }");
    let ids = vec![place.guest("al").handed_in(b"map").await, place.guest("bo").handed_in(b"map").await];
    place.rank(&[("Alpha", 1.0), ("Beta", 2.0)]);
    let guests = [place.guest("ada"), place.guest("jo"), place.guest("al"), place.public()];
    let document = description(&operations());
    let mut draw = Draw(7);
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..12 {
        for (path, verbs) in document["paths"].as_object().unwrap() {
            for (verb, operation) in verbs.as_object().unwrap() {
                if path.ends_with("/events") {
                    continue;
                }
                let mut target = path.clone();
                while let (Some(from), Some(to)) = (target.find('{'), target.find('}')) {
                    target.replace_range(from..=to, &draw.word(&ids));
                }
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let query = parameters.filter(|parameter| parameter["in"] == "query");
                let query: Vec<String> =
                    query.map(|p| format!("{}={}", p["name"].as_str().unwrap(), draw.word(&ids))).collect();
                let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
                let body = draw.value(schema, &ids);
                let guest = &guests[draw.next(guests.len())];
                let target = format!("{target}?{}", query.join("&"));
                let answer = guest.send(&verb.to_uppercase(), &target, body.clone()).await;
                assert!(answer.status.as_u16() < 500, "{verb} {target} {body}: {}", answer.status);
                *seen.entry(answer.status.as_u16() / 100).or_insert(0) += 1;
                if answer.status.is_client_error() {
                    assert_eq!(answer.headers["content-type"], "application/problem+json", "{verb} {target}");
                }
            }
        }
    }
    assert!(seen[&2] > 50 && seen[&4] > 50, "{seen:?}");
}

/// All entries of a list, two at a time, by the links of its answers.
async fn followed(guest: &Guest<'_>, list: &str, key: &str) -> Vec<Value> {
    let (mut path, mut all) = (format!("/api/v1/{list}?limit=2"), Vec::new());
    for _ in 0..100 {
        let answer = guest.get(&path).await;
        let items = answer.json()["items"].as_array().unwrap().clone();
        assert!(items.len() <= 2, "{path}");
        all.extend(items.into_iter().map(|item| item[key].clone()));
        let Some(link) = answer.headers.get("link") else { return all };
        let link = link.to_str().unwrap();
        path = link.strip_prefix('<').unwrap().split_once(">; rel=\"next\"").unwrap().0.to_owned();
    }
    panic!("{list} has no end");
}

#[tokio::test]
async fn lists_lead_on_until_nothing_is_left_and_name_nothing_twice() {
    let place = Place::new("verify = false");
    let judge = place.guest("jo");
    for bytes in [b"a", b"b", b"c"] {
        place.guest("al").handed_in(bytes).await;
    }
    let ranking = place.rank(&[("Alpha", 1.0)]);
    for _ in 0..5 {
        judge.send("POST", "/api/v1/publications", json!({ "ranking": ranking })).await;
        let asked = json!({ "submissions": "all", "reason": "the rules were read anew" });
        judge.send("POST", "/api/v1/rejudgings", asked).await;
    }
    for (list, key, least) in
        [("publications", "seq", 5), ("rejudgings", "id", 5), ("submissions", "id", 3), ("audit", "seq", 14)]
    {
        let all = followed(&judge, list, key).await;
        let different: std::collections::BTreeSet<String> = all.iter().map(Value::to_string).collect();
        assert!(all.len() >= least && different.len() == all.len(), "{list}: {all:?}");
        let whole = judge.get(&format!("/api/v1/{list}")).await.json();
        assert_eq!(whole["items"].as_array().unwrap().len(), all.len(), "{list}");
    }
}
