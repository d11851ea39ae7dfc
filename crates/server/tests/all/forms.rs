//! Whether a value has the form that the description of the interface gives it: every answer of the tests is checked.

use std::sync::OnceLock;

use axum::http::{HeaderMap, Method, StatusCode};
use mapjudge_server::contest::openapi::description;
use mapjudge_server::contest::routes::operations;
use serde_json::{Map, Value, json};

/// Words of a form that say nothing about what is valid, or that JSON Schema takes as a note.
const NOTES: [&str; 7] =
    ["title", "description", "format", "default", "examples", "x-schema-id", "deprecated"];

/// The description, made once.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| description(&operations()))
}

/// Checks an answer of JSON below `/api/v1` against the description.
pub fn check_answer(method: &Method, path: &str, status: StatusCode, headers: &HeaderMap, body: &[u8]) {
    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (path, asked) = (path.split('?').next().unwrap(), format!("{method} {path}: {status}"));
    if kind == "application/problem+json" {
        let problem = json!({ "$ref": "#/components/schemas/Problem" });
        return hold(&problem, &serde_json::from_slice(body).unwrap(), &asked);
    }
    if !path.starts_with("/api/v1/") || path.ends_with("/openapi.json") || !status.is_success() {
        return;
    }
    let told = described(method, path).unwrap_or_else(|| panic!("{asked}: no operation"));
    let answer = &told["responses"][status.as_str()];
    assert!(answer.is_object(), "{asked}: not the status of the description");
    let Some(forms) = answer["content"].as_object() else {
        return assert!(body.is_empty(), "{asked}: a body, though the description has none");
    };
    let kind = kind.split(';').next().unwrap();
    let form = forms.get(kind).unwrap_or_else(|| panic!("{asked}: {kind} is not described"));
    if kind == "application/json" {
        hold(&form["schema"], &serde_json::from_slice(body).unwrap(), &asked);
    }
}

fn hold(form: &Value, value: &Value, asked: &str) {
    if let Err(why) = valid(document(), form, value) {
        panic!("{asked}: {why}");
    }
}

/// The operation that serves an address: names in braces take one part of it, the last one of files all parts that are left.
fn described(method: &Method, path: &str) -> Option<&'static Value> {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let wanted: Vec<&str> = template.split('/').collect();
        let is_open = template.ends_with("/files/{name}") && parts.len() > wanted.len();
        let same = |(part, wanted): (&&str, &&str)| wanted.starts_with('{') || part == wanted;
        (parts.len() == wanted.len() || is_open) && parts.iter().zip(&wanted).all(same)
    };
    let paths = document()["paths"].as_object().unwrap();
    // Of several that fit, the one without a name in the place: `/publications/draft` is no publication.
    let mut found: Vec<&String> = paths.keys().filter(|template| fits(template)).collect();
    found.sort_by_key(|template| template.matches('{').count());
    let operation = found.first().map(|template| &paths[*template][method.as_str().to_lowercase()])?;
    operation.is_object().then_some(operation)
}

/// Whether a value has a form of JSON Schema, as far as our forms use it; a field that the form does not name is a fault,
/// unless the form says what such fields are.
pub fn valid(document: &Value, form: &Value, value: &Value) -> Result<(), String> {
    let form = match form {
        Value::Bool(true) => return Ok(()),
        Value::Object(form) => form,
        other => return Err(format!("{other} is no form")),
    };
    for (word, wanted) in form {
        let within = |why: String| format!("{word}: {why}");
        match word.as_str() {
            "$ref" => {
                let place = wanted.as_str().unwrap().trim_start_matches('#');
                let named = document.pointer(place).ok_or_else(|| format!("{place} leads nowhere"))?;
                valid(document, named, value).map_err(|why| format!("{place}: {why}"))?;
            }
            "type" => has_type(wanted, value)?,
            "const" if wanted != value => return Err(format!("{value}: expected {wanted}")),
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                return Err(format!("{value} not in {wanted}"));
            }
            "anyOf" | "oneOf" => {
                let tried: Vec<_> =
                    wanted.as_array().unwrap().iter().map(|one| valid(document, one, value)).collect();
                let fitting = tried.iter().filter(|one| one.is_ok()).count();
                if fitting == 0 || (word == "oneOf" && fitting > 1) {
                    return Err(within(format!("{fitting} fit: {tried:?}")));
                }
            }
            "allOf" => {
                for one in wanted.as_array().unwrap() {
                    valid(document, one, value).map_err(within)?;
                }
            }
            "minimum" | "maximum" | "minItems" | "maxItems" => {
                bounded(word, wanted.as_f64().unwrap(), value)?;
            }
            "const"
            | "enum"
            | "properties"
            | "required"
            | "additionalProperties"
            | "items"
            | "prefixItems" => {}
            note if NOTES.contains(&note) => {}
            other => return Err(format!("the form has '{other}', which this check does not know")),
        }
    }
    match value {
        Value::Object(fields) => fields_fit(document, form, fields),
        Value::Array(list) => items_fit(document, form, list),
        _ => Ok(()),
    }
}

fn has_type(wanted: &Value, value: &Value) -> Result<(), String> {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    };
    let fits = wanted.as_array().map_or_else(|| is(wanted), |names| names.iter().any(is));
    if fits { Ok(()) } else { Err(format!("{value:.200}: expected {wanted}")) }
}

fn bounded(word: &str, bound: f64, value: &Value) -> Result<(), String> {
    let measured =
        if word.ends_with("Items") { value.as_array().map(|list| list.len() as f64) } else { value.as_f64() };
    let fits =
        measured.is_none_or(|found| if word.starts_with("min") { found >= bound } else { found <= bound });
    if fits { Ok(()) } else { Err(format!("{value:.200}: {word} {bound}")) }
}

fn fields_fit(
    document: &Value,
    form: &Map<String, Value>,
    fields: &Map<String, Value>,
) -> Result<(), String> {
    let required = form.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            return Err(format!("'{name}' is missing"));
        }
    }
    let (named, others) = (form.get("properties"), form.get("additionalProperties"));
    for (name, value) in fields {
        let known = named.and_then(|named| named.get(name)).or(others);
        match known {
            Some(form) => valid(document, form, value).map_err(|why| format!("{name}: {why}"))?,
            // A form of alternatives names its fields there.
            None if named.is_none() => {}
            None => return Err(format!("'{name}' is not described")),
        }
    }
    Ok(())
}

fn items_fit(document: &Value, form: &Map<String, Value>, list: &[Value]) -> Result<(), String> {
    let first = form.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (place, item) in list.iter().enumerate() {
        if let Some(form) = first.get(place).or(form.get("items")) {
            valid(document, form, item).map_err(|why| format!("{place}: {why}"))?;
        }
    }
    Ok(())
}

#[test]
fn a_value_of_another_form_is_found() {
    let document = json!({ "defs": { "Head": {
        "type": "object", "required": ["seq"],
        "properties": { "seq": { "type": "integer", "minimum": 0 }, "hash": { "type": ["string", "null"] } },
    } } });
    let head = json!({ "$ref": "#/defs/Head" });
    let form = json!({ "anyOf": [{ "type": "null" }, { "type": "array", "items": head, "maxItems": 2 }] });
    for good in [json!(null), json!([]), json!([{ "seq": 1 }, { "seq": 0, "hash": null }])] {
        assert_eq!(valid(&document, &form, &good), Ok(()), "{good}");
    }
    let one = json!({ "seq": 1 });
    for bad in [
        json!(1),
        json!([{}]),
        json!([{ "seq": "1" }]),
        json!([{ "seq": -1 }]),
        json!([{ "seq": 1.5 }]),
        json!([{ "seq": 1, "hash": 2 }]),
        json!([{ "seq": 1, "more": 2 }]),
        json!([one, one, one]),
    ] {
        assert!(valid(&document, &form, &bad).is_err(), "{bad}");
    }
    for (form, good, bad) in [
        (json!({ "enum": ["a", "b"] }), json!("b"), json!("c")),
        (json!({ "const": "a" }), json!("a"), json!(null)),
        (json!({ "oneOf": [{ "type": "number" }, { "type": "integer" }] }), json!(0.5), json!(1)),
        (json!({ "additionalProperties": { "type": "number" } }), json!({ "x": 1 }), json!({ "x": "1" })),
        (json!({ "prefixItems": [{ "type": "string" }] }), json!(["a", 1]), json!([1])),
    ] {
        assert_eq!(valid(&document, &form, &good), Ok(()), "{form}");
        assert!(valid(&document, &form, &bad).is_err(), "{form}");
    }
    assert!(
        valid(&document, &json!({ "not": {} }), &json!(1)).is_err(),
        "a word that is not checked is no pass"
    );
}

/// An answer of JSON says what it holds: neither anything at all nor an object without named fields.
#[test]
fn no_answer_is_without_a_form() {
    let document = document();
    let mut forms = 0;
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for (verb, operation) in verbs.as_object().unwrap() {
            let answers = operation["responses"].as_object().unwrap();
            for (status, answer) in answers.iter().filter(|(status, _)| status.starts_with('2')) {
                assert!(
                    status == "204" || answer["content"].is_object(),
                    "{verb} {path} answers without a form"
                );
                let Some(form) = answer.pointer("/content/application~1json/schema") else { continue };
                if path.ends_with("/openapi.json") {
                    continue;
                }
                let named = form["$ref"].is_string() || form["items"]["$ref"].is_string();
                let listed = form.pointer("/properties/items/items/$ref").is_some_and(Value::is_string);
                assert!(named || listed, "{verb} {path}: {form}");
                forms += 1;
            }
        }
    }
    assert!(forms > 40, "{forms}");
    for (name, form) in document["components"]["schemas"].as_object().unwrap() {
        let says = ["properties", "enum", "oneOf", "anyOf", "allOf", "type", "$ref"]
            .iter()
            .any(|word| form.get(word).is_some());
        assert!(says, "{name} says nothing: {form}");
        // Fields are added within a version: a client that checks answers goes on.
        assert!(form["additionalProperties"] != json!(false), "{name} is closed: {form}");
    }
}
