//! One operation of the HTTP interface: what the router serves and the description tells is the same value.

use std::sync::Arc;

use axum::handler::Handler;
use axum::http::StatusCode;
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value as Json;

use super::app::ContestApp;
use super::roles::Needs;
use crate::answer::{Answer, JSON};

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
    /// Status, headers and forms of the answer, from the type of what the handler returns.
    pub answer: fn(&mut SchemaGenerator) -> Described,
    /// What serves it.
    pub handler: MethodRouter<Arc<ContestApp>>,
}

/// The success of an operation.
pub struct Described {
    /// Status.
    pub status: StatusCode,
    /// Headers with their meaning.
    pub headers: &'static [(&'static str, &'static str)],
    /// Media types with their forms.
    pub content: Vec<(&'static str, Json)>,
}

fn describe<A: Answer>(forms: &mut SchemaGenerator) -> Described {
    Described { status: A::STATUS, headers: A::HEADERS, content: A::content(forms) }
}

/// A handler that says in its type what it answers.
pub trait Serves<T>: Handler<T, Arc<ContestApp>> {
    /// What it answers.
    type Answer: Answer;
}

impl<F, Fut, A> Serves<((),)> for F
where
    F: FnOnce() -> Fut + Handler<((),), Arc<ContestApp>>,
    Fut: Future<Output = A>,
    A: Answer,
{
    type Answer = A;
}

/// The same for handlers with extractors; `Marker` is axum's.
macro_rules! serves {
    ($($part:ident)*) => {
        impl<F, Fut, A, Marker, $($part,)*> Serves<(Marker, $($part,)*)> for F
        where
            F: FnOnce($($part),*) -> Fut + Handler<(Marker, $($part,)*), Arc<ContestApp>>,
            Fut: Future<Output = A>,
            A: Answer,
        {
            type Answer = A;
        }
    };
}

serves!(P1);
serves!(P1 P2);
serves!(P1 P2 P3);
serves!(P1 P2 P3 P4);
serves!(P1 P2 P3 P4 P5);

impl Operation {
    /// An operation; what it answers follows from its handler.
    pub fn new<H, T>(verb: Verb, path: &'static str, needs: Needs, summary: &'static str, handler: H) -> Self
    where
        H: Serves<T>,
        T: 'static,
    {
        let answer = describe::<H::Answer>;
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
        Self { body: Some((JSON, schema::<T>())), ..self }
    }

    /// The same with a body of another kind.
    #[must_use]
    pub fn takes_form(self, form: Json) -> Self {
        Self { body: Some(("multipart/form-data", form)), ..self }
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
