//! One operation of the HTTP interface: what the router serves and the description tells is the same value.

use std::sync::Arc;

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::JsonSchema;
use serde_json::{Value as Json, json};

use super::app::ContestApp;
use super::roles::Needs;

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Makes.
    Post,
    /// Sets.
    Put,
    /// Takes back.
    Delete,
}

impl Verb {
    /// The word in the description.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Delete => "delete",
        }
    }

    const fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Put => MethodFilter::PUT,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}

/// One operation.
pub struct Operation {
    /// Path below `/api/v1`, with names in braces.
    pub path: &'static str,
    /// Method.
    pub verb: Verb,
    /// Who may.
    pub needs: Needs,
    /// What it does.
    pub summary: &'static str,
    /// Names and meaning of parameters behind the question mark.
    pub query: &'static [(&'static str, &'static str)],
    /// Media type and form of the body.
    pub body: Option<(&'static str, Json)>,
    /// Status, media type and form of the answer.
    pub answer: (u16, Option<(&'static str, Json)>),
    /// What serves it.
    pub handler: MethodRouter<Arc<ContestApp>>,
}

impl Operation {
    /// An operation that answers 200 with JSON.
    pub fn new<H, T>(verb: Verb, path: &'static str, needs: Needs, summary: &'static str, handler: H) -> Self
    where
        H: Handler<T, Arc<ContestApp>>,
        T: 'static,
    {
        let answer = (200, Some(("application/json", json!({}))));
        let handler = on(verb.filter(), handler);
        Self { path, verb, needs, summary, query: &[], body: None, answer, handler }
    }

    /// The same with parameters.
    #[must_use]
    pub fn query(self, query: &'static [(&'static str, &'static str)]) -> Self {
        Self { query, ..self }
    }

    /// The same with a body of JSON.
    #[must_use]
    pub fn takes<T: JsonSchema>(self) -> Self {
        Self { body: Some(("application/json", schema::<T>())), ..self }
    }

    /// The same with a body of another kind.
    #[must_use]
    pub fn takes_form(self, form: Json) -> Self {
        Self { body: Some(("multipart/form-data", form)), ..self }
    }

    /// The same with the form of its answer.
    #[must_use]
    pub fn answers<T: JsonSchema>(self, status: u16) -> Self {
        Self { answer: (status, Some(("application/json", schema::<T>()))), ..self }
    }

    /// The same with an answer of another kind.
    #[must_use]
    pub fn answers_with(self, status: u16, kind: &'static str, form: Json) -> Self {
        Self { answer: (status, Some((kind, form))), ..self }
    }

    /// The same with another status and some JSON.
    #[must_use]
    pub fn answers_status(self, status: u16) -> Self {
        Self { answer: (status, Some(("application/json", json!({})))), ..self }
    }

    /// The same with an empty answer.
    #[must_use]
    pub fn answers_nothing(self) -> Self {
        Self { answer: (204, None), ..self }
    }
}

/// The form of a type, without references to elsewhere.
#[must_use]
pub fn schema<T: JsonSchema>() -> Json {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
