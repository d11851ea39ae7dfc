//! The types of the pages, made from the description of the interface, so that both cannot differ.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use crate::forms::document;

const FILE: &str = "ui/src/api/interface.ts";
const RENEW: &str = "MAPJUDGE_RENEW=1 cargo nextest run --workspace page_types";
const SCHEMAS: &str = "#/components/schemas/";

/// TypeScript of the forms that answers use.
fn types(document: &Value) -> String {
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut used = BTreeSet::new();
    reach(schemas, &document["paths"], &mut used);
    let mut text = format!(
        "// The answers of the HTTP interface. Made from its description by a test: {RENEW}\n\
         // In lists of the interface entries stand under `items`.\n"
    );
    for name in &used {
        let form = &schemas[name];
        text.push('\n');
        text.push_str(&comment(form, ""));
        let written = of(form, "");
        let is_interface = form["properties"].is_object() && written.starts_with('{');
        text.push_str(&if is_interface {
            format!("export interface {name} {written}\n")
        } else {
            format!("export type {name} = {written};\n")
        });
    }
    text
}

/// Notes the names of all forms that a value leads to, but those of requests, and those of `mapjudge schema`.
fn reach(schemas: &Map<String, Value>, value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(name) =
                fields.get("$ref").and_then(Value::as_str).and_then(|place| place.strip_prefix(SCHEMAS))
                && !(name == "contest" || name.contains('.'))
                && used.insert(name.to_owned())
            {
                reach(schemas, &schemas[name], used);
            }
            fields
                .iter()
                .filter(|(key, _)| *key != "requestBody")
                .for_each(|(_, inner)| reach(schemas, inner, used));
        }
        Value::Array(list) => list.iter().for_each(|inner| reach(schemas, inner, used)),
        _ => {}
    }
}

fn comment(form: &Value, indent: &str) -> String {
    let words = form["description"].as_str().unwrap_or_default().replace("*/", "* /").replace('\n', " ");
    if words.is_empty() { String::new() } else { format!("{indent}/** {words} */\n") }
}

fn of(form: &Value, indent: &str) -> String {
    let Some(fields) = form.as_object() else { return "unknown".to_owned() };
    if let Some(place) = fields.get("$ref").and_then(Value::as_str) {
        return place.trim_start_matches(SCHEMAS).to_owned();
    }
    if let Some(only) = fields.get("const") {
        return literal(only);
    }
    if let Some(words) = fields.get("enum").and_then(Value::as_array) {
        return words.iter().map(literal).collect::<Vec<_>>().join(" | ");
    }
    if let Some(choices) = fields.get("anyOf").or(fields.get("oneOf")).and_then(Value::as_array) {
        let own = fields.get("properties").map(|_| object(fields, indent));
        let all = choices.iter().map(|one| of(one, indent)).collect::<Vec<_>>().join(" | ");
        return own.map_or_else(|| all.clone(), |own| format!("{own} & ({all})"));
    }
    match fields.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().map(|kind| of_kind(kind, fields, indent)).collect::<Vec<_>>().join(" | ")
        }
        Some(kind) => of_kind(kind, fields, indent),
        None => "unknown".to_owned(),
    }
}

fn of_kind(kind: &Value, fields: &Map<String, Value>, indent: &str) -> String {
    match kind.as_str() {
        Some("integer") => "number".to_owned(),
        Some("array") => list(fields, indent),
        Some("object") => object(fields, indent),
        Some(same) => same.to_owned(),
        None => "unknown".to_owned(),
    }
}

fn list(fields: &Map<String, Value>, indent: &str) -> String {
    if let Some(first) = fields.get("prefixItems").and_then(Value::as_array) {
        let all = first.iter().map(|one| of(one, indent)).collect::<Vec<_>>();
        return format!("readonly [{}]", all.join(", "));
    }
    let item = fields.get("items").map_or_else(|| "unknown".to_owned(), |item| of(item, indent));
    let bound = |name: &str| fields.get(name).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most && most <= 4 => {
            format!("readonly [{}]", vec![item; usize::try_from(most).unwrap()].join(", "))
        }
        _ if item.contains(' ') => format!("readonly ({item})[]"),
        _ => format!("readonly {item}[]"),
    }
}

fn object(fields: &Map<String, Value>, indent: &str) -> String {
    let Some(properties) = fields.get("properties").and_then(Value::as_object) else {
        let values = fields.get("additionalProperties").filter(|form| form.is_object());
        let values = values.map_or_else(|| "unknown".to_owned(), |form| of(form, indent));
        return format!("Readonly<Record<string, {values}>>");
    };
    let required: Vec<&str> = fields
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let deeper = format!("{indent}  ");
    let line = |(name, form): (&String, &Value)| {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        format!("{}{deeper}readonly {name}{mark}: {};\n", comment(form, &deeper), of(form, &deeper))
    };
    format!("{{\n{}{indent}}}", properties.iter().map(line).collect::<String>())
}

fn literal(value: &Value) -> String {
    value.as_str().map_or_else(
        || value.to_string(),
        |text| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
    )
}

#[test]
fn page_types_are_those_of_the_description() {
    let made = types(document());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
    if std::env::var_os("MAPJUDGE_RENEW").is_some() {
        return std::fs::write(&path, made).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == made, "{FILE} is old: {RENEW}");
}

#[test]
fn page_types_of_a_form_are_written() {
    let document = serde_json::json!({
        "paths": { "/x": { "get": {
            "requestBody": { "$ref": "#/components/schemas/NewNote" },
            "responses": { "200": { "$ref": "#/components/schemas/Note" } },
        } } },
        "components": { "schemas": {
            "NewNote": {},
            "Kind": { "oneOf": [{ "const": "a", "type": "string" }, { "const": "b's", "type": "string" }] },
            "Note": { "type": "object", "description": "A note.", "required": ["id", "at", "kind", "any"], "properties": {
                "id": { "type": ["string", "null"], "description": "Its id." },
                "at": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
                "kind": { "anyOf": [{ "$ref": "#/components/schemas/Kind" }, { "type": "null" }] },
                "any": true,
                "kinds": { "type": "array", "items": { "enum": ["x", 1] } },
                "by": { "type": "object", "additionalProperties": { "type": "integer" } },
            } },
        } },
    });
    let written = types(&document);
    let (_, body) = written.split_once("\n\n").unwrap();
    assert_eq!(
        body,
        "export type Kind = 'a' | 'b\\'s';\n\n/** A note. */\nexport interface Note {\n  /** Its id. */\n  \
         readonly id: string | null;\n  readonly at: readonly [number, number];\n  readonly kind: Kind | null;\n  \
         readonly any: unknown;\n  readonly kinds?: readonly ('x' | 1)[];\n  \
         readonly by?: Readonly<Record<string, number>>;\n}\n"
    );
}
