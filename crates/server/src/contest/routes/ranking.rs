//! `/ranking`: the bytes of a ranking. The public gets the published one, which is a file.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use report::{ContestReport, Format};
use schemars::SchemaGenerator;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, JSON};
use crate::contest::app::ContestApp;
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::roles::{Needs, Who};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    let ranking = Operation::new(
        Verb::Get,
        "/ranking",
        Needs::Nobody,
        "A ranking, as `mapjudge contest` writes it.",
        ranking,
    )
    .query(&[
        (
            "of",
            "public (the default), jury for the newest, or the number of a ranking; the last two for judges",
        ),
        ("format", "json (the default), csv, md, html or latex"),
    ]);
    vec![ranking]
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    of: Option<String>,
    #[serde(default)]
    format: Option<String>,
}

/// A ranking in one of its formats.
struct RankingBytes(Response);

impl IntoResponse for RankingBytes {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Answer for RankingBytes {
    const STATUS: StatusCode = StatusCode::OK;
    const HEADERS: &'static [(&'static str, &'static str)] =
        &[("ETag", "Of these bytes, for `If-None-Match`."), ("X-Ranking-Seq", "The number of the ranking.")];

    fn content(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
        let text = || json!({ "type": "string" });
        let mut content = vec![(JSON, json!({ "$ref": crate::contest::openapi::CONTEST }))];
        content.extend(["text/csv", "text/markdown", "text/plain", "text/html"].map(|kind| (kind, text())));
        content
    }
}

async fn ranking(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Result<RankingBytes, Problem> {
    let format = asked.format.unwrap_or_else(|| "json".to_owned());
    let of = asked.of.unwrap_or_else(|| "public".to_owned());
    let wanted = headers.get(header::IF_NONE_MATCH).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    app.read(move |app, t| {
        let (seq, hash) = match of.as_str() {
            "public" => {
                let shown = publications::shown(t)?.ok_or_else(nothing_published)?;
                (shown.ranking, shown.contest_json)
            }
            _ if !who.is_judge() => return Err(Problem::not_found("there is no such ranking")),
            "jury" => {
                let newest = publications::newest(t)?.ok_or_else(nothing_ranked)?;
                (newest.seq, newest.contest_json)
            }
            number => {
                let known =
                    number.parse().ok().map(|seq| publications::ranking(t, seq)).transpose()?.flatten();
                let known = known.ok_or_else(|| Problem::not_found("there is no such ranking"))?;
                (known.seq, known.contest_json)
            }
        };
        let tag = format!("\"{hash}-{format}\"");
        if wanted.as_deref() == Some(tag.as_str()) {
            return Ok(RankingBytes((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response()));
        }
        let (kind, bytes) = rendered(app.ranking_bytes(&hash)?, &format)?;
        let seq_name = HeaderName::from_static("x-ranking-seq");
        let headers = [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::ETAG, tag),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (seq_name, seq.to_string()),
        ];
        Ok(RankingBytes((headers, bytes).into_response()))
    })
    .await
}

fn nothing_published() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "NOTHING_PUBLISHED",
        "Nothing published yet",
        "no ranking was published yet",
    )
}

fn nothing_ranked() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "NOTHING_RANKED",
        "Nothing ranked yet",
        "no submission was ranked yet",
    )
    .hint("rankings follow the first measured submission by a second")
}

fn rendered(bytes: Vec<u8>, format: &str) -> Result<(&'static str, Vec<u8>), Problem> {
    let (format, kind) = match format {
        "json" => return Ok(("application/json", bytes)),
        "csv" => (Format::Csv, "text/csv; charset=utf-8"),
        "md" => (Format::Md, "text/markdown; charset=utf-8"),
        "latex" => (Format::Latex, "text/plain; charset=utf-8"),
        "html" => (Format::Html, "text/html; charset=utf-8"),
        other => {
            let detail = format!("'{other:.20}': expected json, csv, md, html or latex");
            return Err(Problem::unprocessable("FORMAT_UNKNOWN", detail));
        }
    };
    let broken = |_| crate::contest::app::lost_object();
    let report: ContestReport = serde_json::from_slice(&bytes).map_err(broken)?;
    let text = report::ranking(&report, format)
        .map_err(|error| Problem::unprocessable("NOT_RENDERED", error.to_string()))?;
    Ok((kind, text.into_bytes()))
}
