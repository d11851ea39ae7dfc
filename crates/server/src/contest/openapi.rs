//! The description of the HTTP interface (OpenAPI 3.1), made from the operations that the router serves.

use axum::Json as Answer;
use serde_json::{Map, Value as Json, json};

use super::operation::Operation;
use super::roles::Needs;
use super::routes;

/// Name of the form of a contest in the description.
pub const CONTEST: &str = "#/components/schemas/contest";

/// `GET /openapi.json`.
pub async fn document() -> Answer<Json> {
    Answer(description(&routes::operations()))
}

/// The description of these operations.
#[must_use]
pub fn description(operations: &[Operation]) -> Json {
    let mut paths: Map<String, Json> = Map::new();
    for operation in operations {
        let path = format!("/api/v1{}", operation.path.replace("{*", "{"));
        let entry = paths.entry(path).or_insert_with(|| json!({}));
        entry[operation.verb.name()] = described(operation);
    }
    let own = json!({ "summary": "This description.", "operationId": "get_openapi", "security": [{}],
        "responses": { "200": { "description": "OpenAPI 3.1.", "content": { "application/json": { "schema": {} } } } } });
    paths.insert("/api/v1/openapi.json".to_owned(), json!({ "get": own }));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "mapjudge serve", "version": "1",
            "summary": "A contest: uploads, ranking, decisions, and the record of who did what.",
        },
        "paths": paths,
        "components": {
            "schemas": {
                "problem": problem(), "contest": report::contest_schema(), "report": report::schema(),
            },
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token of `mapjudge serve user token NAME`." },
                "session": { "type": "apiKey", "in": "cookie", "name": "mapjudge",
                    "description": "The session of a browser; its name ends in the port, or is __Host-mapjudge under https." },
            },
        },
    })
}

fn problem() -> Json {
    let text = json!({ "type": "string" });
    json!({
        "type": "object", "description": "RFC 9457.", "required": ["type", "code", "title", "status", "detail"],
        "properties": { "type": text, "code": text, "title": text, "status": { "type": "integer" }, "detail": text, "hint": text },
    })
}

fn described(operation: &Operation) -> Json {
    let names = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = names.map(|name| {
        let name = name.trim_start_matches('*');
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
    });
    let in_query = operation.query.iter().map(|(name, words)| {
        json!({ "name": name, "in": "query", "required": false, "description": words, "schema": { "type": "string" } })
    });
    let parameters: Vec<Json> = in_path.chain(in_query).collect();
    let (status, form) = &operation.answer;
    let mut responses = Map::new();
    let mut answer = json!({ "description": "Done." });
    if let Some((kind, schema)) = form {
        answer["content"] = json!({ *kind: { "schema": schema } });
    }
    responses.insert(status.to_string(), answer);
    responses.insert(
        "default".to_owned(),
        json!({ "description": "Why it was not done.", "content": {
            "application/problem+json": { "schema": { "$ref": "#/components/schemas/problem" } } } }),
    );
    let mut told = json!({
        "operationId": id(operation), "summary": operation.summary,
        "description": format!("For {}.", operation.needs.words()), "parameters": parameters, "responses": responses,
        "security": if operation.needs == Needs::Nobody { json!([{}, { "token": [] }, { "session": [] }]) }
            else { json!([{ "token": [] }, { "session": [] }]) },
    });
    if let Some((kind, schema)) = &operation.body {
        told["requestBody"] = json!({ "required": true, "content": { *kind: { "schema": schema } } });
    }
    told
}

/// A name for generators: the method and the words of the path.
fn id(operation: &Operation) -> String {
    let words = operation
        .path
        .split('/')
        .map(|part| part.trim_matches(['{', '}', '*']))
        .filter(|part| !part.is_empty());
    std::iter::once(operation.verb.name()).chain(words).collect::<Vec<_>>().join("_")
}
