//! What handlers answer. Status, media types and forms belong to the type of an answer, so that the description of the interface
//! cannot differ from what is sent, and nothing can be served without a form.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use crate::problem::Problem;

/// The media type of JSON.
pub const JSON: &str = "application/json";

/// The success of an operation, as the description has it.
pub trait Answer: IntoResponse {
    /// The status.
    const STATUS: StatusCode;
    /// Headers that belong to the interface, with their meaning.
    const HEADERS: &'static [(&'static str, &'static str)] = &[];

    /// Media types, each with the schema of its body; none for an empty body.
    fn content(forms: &mut SchemaGenerator) -> Vec<(&'static str, Value)>;
}

impl<A: Answer> Answer for Result<A, Problem> {
    const STATUS: StatusCode = A::STATUS;
    const HEADERS: &'static [(&'static str, &'static str)] = A::HEADERS;

    fn content(forms: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        A::content(forms)
    }
}

impl<T: Serialize + JsonSchema> Answer for Json<T> {
    const STATUS: StatusCode = StatusCode::OK;

    fn content(forms: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        vec![(JSON, forms.subschema_for::<T>().to_value())]
    }
}

/// Something new.
pub struct Made<T> {
    /// What it is.
    pub value: T,
    /// Its address, where it has one.
    pub location: Option<String>,
}

impl<T> Made<T> {
    /// Something without an address of its own.
    pub const fn of(value: T) -> Self {
        Self { value, location: None }
    }
}

impl<T: Serialize> IntoResponse for Made<T> {
    fn into_response(self) -> Response {
        let mut answer = (StatusCode::CREATED, Json(self.value)).into_response();
        if let Some(place) = self.location.and_then(|place| HeaderValue::from_str(&place).ok()) {
            answer.headers_mut().insert(header::LOCATION, place);
        }
        answer
    }
}

impl<T: Serialize + JsonSchema> Answer for Made<T> {
    const STATUS: StatusCode = StatusCode::CREATED;
    const HEADERS: &'static [(&'static str, &'static str)] =
        &[("Location", "The address of what was made, where it has one.")];

    fn content(forms: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        Json::<T>::content(forms)
    }
}

/// Something with a version, for `If-Match`.
pub struct Tagged<T> {
    /// The version, in quotation marks.
    pub tag: String,
    /// What it is.
    pub value: T,
}

impl<T: Serialize> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        ([(header::ETAG, self.tag)], Json(self.value)).into_response()
    }
}

impl<T: Serialize + JsonSchema> Answer for Tagged<T> {
    const STATUS: StatusCode = StatusCode::OK;
    const HEADERS: &'static [(&'static str, &'static str)] = &[("ETag", "The version, for `If-Match`.")];

    fn content(forms: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        Json::<T>::content(forms)
    }
}

/// All entries of a short list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub struct List<T> {
    /// The entries.
    pub items: Vec<T>,
}

/// A part of a long list.
pub struct Linked<T> {
    /// The part, with its `items`.
    pub value: T,
    /// Where the next part is, as a link.
    pub next: Option<String>,
}

impl<T: Serialize> IntoResponse for Linked<T> {
    fn into_response(self) -> Response {
        let mut answer = Json(self.value).into_response();
        if let Some(link) = self.next.and_then(|link| HeaderValue::from_str(&link).ok()) {
            answer.headers_mut().insert(header::LINK, link);
        }
        answer
    }
}

impl<T: Serialize + JsonSchema> Answer for Linked<T> {
    const STATUS: StatusCode = StatusCode::OK;
    const HEADERS: &'static [(&'static str, &'static str)] =
        &[("Link", "`rel=\"next\"`: where the list goes on; missing at its end.")];

    fn content(forms: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        Json::<T>::content(forms)
    }
}

/// Done, and nothing to tell; a session begins or ends by its cookie.
pub struct Done {
    /// `Set-Cookie`.
    pub cookie: Option<String>,
}

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        let mut answer = StatusCode::NO_CONTENT.into_response();
        if let Some(cookie) = self.cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
            answer.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        answer
    }
}

impl Answer for Done {
    const STATUS: StatusCode = StatusCode::NO_CONTENT;

    fn content(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

/// A body that is no JSON: headers and bytes are the handler's, the media types are those of its kind.
pub struct Bytes<K> {
    answer: Response,
    kind: std::marker::PhantomData<K>,
}

/// What bytes are.
pub trait Kind {
    /// Their media types.
    const MEDIA_TYPES: &'static [&'static str];

    /// The schema of a body of text; binary ones have none.
    fn form() -> Value {
        json!({ "type": "string", "format": "binary" })
    }
}

impl<K> Bytes<K> {
    /// This response.
    pub fn of(answer: impl IntoResponse) -> Self {
        Self { answer: answer.into_response(), kind: std::marker::PhantomData }
    }
}

impl<K> IntoResponse for Bytes<K> {
    fn into_response(self) -> Response {
        self.answer
    }
}

impl<K: Kind> Answer for Bytes<K> {
    const STATUS: StatusCode = StatusCode::OK;

    fn content(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        K::MEDIA_TYPES.iter().map(|kind| (*kind, K::form())).collect()
    }
}

/// A tile or a difference.
pub enum Png {}
impl Kind for Png {
    const MEDIA_TYPES: &'static [&'static str] = &["image/png"];
}

/// A figure of a sheet.
pub enum FigureImage {}
impl Kind for FigureImage {
    const MEDIA_TYPES: &'static [&'static str] = &["image/png", "image/svg+xml"];
}

/// A file, as it was handed in.
pub enum AnyFile {}
impl Kind for AnyFile {
    const MEDIA_TYPES: &'static [&'static str] = &["application/octet-stream"];
}

/// Text.
pub enum PlainText {}
impl Kind for PlainText {
    const MEDIA_TYPES: &'static [&'static str] = &["text/plain"];

    fn form() -> Value {
        json!({ "type": "string" })
    }
}

/// Server-sent events.
pub enum EventStream {}
impl Kind for EventStream {
    const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

    fn form() -> Value {
        json!({ "type": "string" })
    }
}
