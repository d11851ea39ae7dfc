//! The description of the HTTP interface (OpenAPI 3.1), made from the operations that the router serves.

use std::borrow::Cow;

use axum::Json as Answer;
use report::MissionResult;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::operation::{Described, Operation};
use super::roles::Needs;
use super::routes;
use crate::problem::Problem;

/// Name of the form of a contest in the description.
pub const CONTEST: &str = "#/components/schemas/contest";

/// Something that `mapjudge schema` describes: the description refers to it.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Embedded<T>(pub T);

impl JsonSchema for Embedded<MissionResult> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "MissionResult".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::new_ref(format!("{CONTEST}.MissionResult"))
    }
}

/// `GET /openapi.json`.
pub async fn document() -> Answer<Json> {
    Answer(description(&routes::operations()))
}

/// The description of these operations.
#[must_use]
pub fn description(operations: &[Operation]) -> Json {
    let mut paths: Map<String, Json> = Map::new();
    let mut forms = forms();
    for operation in operations {
        let path = format!("/api/v1{}", operation.path.replace("{*", "{"));
        let entry = paths.entry(path).or_insert_with(|| json!({}));
        entry[operation.verb.name()] = described(operation, &mut forms);
    }
    let own = json!({ "summary": "This description.", "operationId": "get_openapi", "security": [{}],
        "responses": { "200": { "description": "OpenAPI 3.1.", "content": { "application/json": { "schema": {} } } } } });
    paths.insert("/api/v1/openapi.json".to_owned(), json!({ "get": own }));
    forms.subschema_for::<Problem>();
    let mut schemas: Map<String, Json> = forms.take_definitions(true).into_iter().collect();
    embed(&mut schemas, "contest", report::contest_schema());
    embed(&mut schemas, "report", report::schema());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "mapjudge serve", "version": "1",
            "summary": "A contest: uploads, ranking, decisions, and the record of who did what.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token of `mapjudge serve user token NAME`." },
                "session": { "type": "apiKey", "in": "cookie", "name": "mapjudge",
                    "description": "The session of a browser; its name ends in the port, or is __Host-mapjudge under https." },
            },
        },
    })
}

/// Adds a schema of `mapjudge schema` under a name. Its definitions become schemas of their own (`report.Case`): generators of
/// clients do not follow references that are relative to an `$id`.
fn embed(schemas: &mut Map<String, Json>, name: &str, mut schema: Json) {
    let definitions = schema["$defs"].take();
    let id = schema["$id"].take();
    if let Some(fields) = schema.as_object_mut() {
        fields.retain(|key, _| !matches!(key.as_str(), "$defs" | "$id" | "$schema"));
        fields.insert("x-schema-id".to_owned(), id);
    }
    schemas.insert(name.to_owned(), referring(schema, name));
    if let Json::Object(definitions) = definitions {
        for (definition, form) in definitions {
            schemas.insert(format!("{name}.{definition}"), referring(form, name));
        }
    }
}

/// The same with references to where [`embed`] puts definitions.
fn referring(form: Json, name: &str) -> Json {
    match form {
        Json::Object(fields) => {
            let field = |(key, value): (String, Json)| {
                let told = value.as_str().and_then(|text| text.strip_prefix("#/$defs/"));
                let value = match told.filter(|_| key == "$ref") {
                    Some(definition) => format!("#/components/schemas/{name}.{definition}").into(),
                    None => referring(value, name),
                };
                (key, value)
            };
            fields.into_iter().map(field).collect()
        }
        Json::Array(list) => list.into_iter().map(|one| referring(one, name)).collect(),
        other => other,
    }
}

/// Makes the forms of answers; those with a name go among the schemas of the description.
fn forms() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    settings.with_transform(RecursiveTransform(opened)).into_generator()
}

/// Within version 1 fields are added: an answer is not wrong because it has one more. What reads files refuses others.
fn opened(form: &mut Schema) {
    if form.get("additionalProperties") == Some(&Json::Bool(false)) {
        form.remove("additionalProperties");
    }
}

fn described(operation: &Operation, forms: &mut SchemaGenerator) -> Json {
    let names = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = names.map(|name| {
        let name = name.trim_start_matches('*');
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
    });
    let in_query = operation.query.iter().map(|(name, words)| {
        json!({ "name": name, "in": "query", "required": false, "description": words, "schema": { "type": "string" } })
    });
    let parameters: Vec<Json> = in_path.chain(in_query).collect();
    let Described { status, headers, content } = (operation.answer)(forms);
    let mut responses = Map::new();
    let mut answer = json!({ "description": "Done." });
    if !headers.is_empty() {
        let header = |(name, words): &(&str, &str)| {
            ((*name).to_owned(), json!({ "description": words, "schema": { "type": "string" } }))
        };
        answer["headers"] = headers.iter().map(header).collect();
    }
    if !content.is_empty() {
        let body = |(kind, schema): (&str, Json)| (kind.to_owned(), json!({ "schema": schema }));
        answer["content"] = content.into_iter().map(body).collect();
    }
    responses.insert(status.as_u16().to_string(), answer);
    responses.insert(
        "default".to_owned(),
        json!({ "description": "Why it was not done.", "content": {
            "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } }),
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
