//! News for open pages, as server-sent events: what happened, by its place in the chain, to whom it may be told.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{self, KeepAlive, Sse};
use serde_json::json;
use tokio::sync::broadcast;

use super::app::ContestApp;
use super::chain::{COLUMNS, Event, head};
use super::clock::Time;
use super::publications;
use super::roles::{Scope, Who};
use super::store::{StoreError, Transaction};
use crate::answer::{Bytes, EventStream};
use crate::limits::{FOLLOW_EVERY, HEARTBEAT};
use crate::problem::Problem;

/// Between looks at the chain, for events of other processes.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Events that a page that comes back is told one by one; beyond that it asks for everything.
const MAX_MISSED: usize = 200;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The event.
    pub seq: i64,
    /// Its kind.
    pub kind: String,
    /// What it is about.
    pub subject: String,
    /// The team whose submission it is about.
    pub team: Option<String>,
}

impl News {
    /// The name of the event on the wire.
    fn topic(&self) -> &'static str {
        match self.kind.as_str() {
            "published" | "frozen" | "unfrozen" | "ranking_made" => "ranking",
            "notice_added" => "notice",
            "review_verdict" | "review_verdict_failed" | "review_changed" => "review",
            "submission_received"
            | "submission_checked"
            | "measured"
            | "submission_broken"
            | "rejudged"
            | "note_added" => "submission",
            "rejudging_made" | "rejudging_applied" | "rejudging_dropped" => "job",
            _ => "decision",
        }
    }

    /// Whether somebody may be told. The public hears of what is published alone.
    fn is_for(&self, scope: &Scope) -> bool {
        let is_public = matches!(self.kind.as_str(), "published" | "frozen" | "unfrozen" | "notice_added");
        // A team learns of decisions about its submissions with the ranking.
        let is_own = matches!(
            self.kind.as_str(),
            "submission_received"
                | "submission_checked"
                | "measured"
                | "submission_broken"
                | "note_added"
                | "rejudged"
        );
        match scope {
            Scope::All => !matches!(self.kind.as_str(), "logged_in" | "code_made"),
            Scope::Team(team) => is_public || (is_own && self.team.as_ref() == Some(team)),
            Scope::Nothing => is_public,
        }
    }

    fn told(&self) -> sse::Event {
        let data = json!({ "seq": self.seq, "kind": self.kind, "subject": self.subject });
        sse::Event::default().id(self.seq.to_string()).event(self.topic()).data(data.to_string())
    }
}

/// Events behind a place in the chain.
fn behind(t: &mut dyn Transaction, seq: i64, most: usize) -> Result<Vec<News>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM event WHERE seq > $1 ORDER BY seq LIMIT $2");
    let rows = t.query(&sql, &[seq.into(), (most as i64).into()])?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let Event { seq, kind, subject, .. } = Event::of_row(row)?;
        let team = t.one("SELECT team FROM submission WHERE id = $1", &[(&subject).into()])?;
        found.push(News { seq, kind, subject, team: team.map(|row| row.text(0)).transpose()? });
    }
    Ok(found)
}

/// The stream of one page; it ends when the program does.
pub async fn stream(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    headers: HeaderMap,
) -> Result<Bytes<EventStream>, Problem> {
    let scope = who.scope();
    let news = app.news.subscribe();
    let last: Option<i64> =
        headers.get("last-event-id").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mut first = vec![sse::Event::default().comment("hello")];
    if let Some(last) = last {
        let missed = app.read(move |_, t| Ok(behind(t, last, MAX_MISSED)?)).await?;
        if missed.len() < MAX_MISSED {
            first.extend(missed.iter().filter(|news| news.is_for(&scope)).map(News::told));
        } else {
            first.push(resync());
        }
    }
    let first = futures_util::stream::iter(first.into_iter().map(Ok::<_, Infallible>));
    let later = futures_util::stream::unfold((Some(news), scope), |(news, scope)| async move {
        let mut news = news?;
        loop {
            match news.recv().await {
                Ok(told) if told.kind == ENDING => {
                    return Some((Ok(sse::Event::default().event("ending").data("{}")), (None, scope)));
                }
                Ok(told) if told.is_for(&scope) => return Some((Ok(told.told()), (Some(news), scope))),
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    return Some((Ok(resync()), (Some(news), scope)));
                }
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    });
    let stream = futures_util::StreamExt::chain(first, later);
    Ok(Bytes::of(Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))))
}

fn resync() -> sse::Event {
    sse::Event::default().event("resync").data("{}")
}

/// The kind of news that ends all streams.
const ENDING: &str = "ending";

/// Ends all streams.
pub fn end(app: &ContestApp) {
    let (kind, subject) = (ENDING.to_owned(), String::new());
    // Nobody listens: nothing to tell.
    let _ = app.news.send(News { seq: 0, kind, subject, team: None });
}

/// Follows the chain, tells open pages, freezes at the planned time, and publishes where the contest does so by itself.
/// Ends with the program.
pub async fn follow(app: Arc<ContestApp>) {
    let mut last = app.read(|_, t| Ok(head(t)?.seq)).await.unwrap_or(0);
    let mut records = tokio::time::Instant::now();
    loop {
        let _ = tokio::time::timeout(LOOK_EVERY, app.written.notified()).await;
        if !app.records().is_empty() && records.elapsed() >= FOLLOW_EVERY {
            records = tokio::time::Instant::now();
            let _ = app.run(ContestApp::follow_records).await;
        }
        // A database that is away comes back; pages hear then.
        let Ok(found) = app.read(move |_, t| Ok(behind(t, last, 1000)?)).await else { continue };
        last = found.last().map_or(last, |news| news.seq);
        let is_ranking_new =
            found.iter().any(|news| matches!(news.kind.as_str(), "ranking_made" | "unfrozen" | "verified"));
        for news in found {
            let _ = app.news.send(news);
        }
        let _ = by_itself(&app, is_ranking_new).await;
    }
}

async fn by_itself(app: &Arc<ContestApp>, is_ranking_new: bool) -> Result<(), Problem> {
    let now = Time::now();
    if app.rules.settings.freeze.is_some() {
        let is_due = app.read(move |app, t| Ok(is_freeze_due(app, t, now)?)).await?;
        if is_due {
            app.write(move |app, t| {
                if is_freeze_due(app, t, now)? {
                    publications::freeze(t, now, super::chain::PROGRAM, true)?;
                }
                Ok(())
            })
            .await?;
        }
    }
    if is_ranking_new && app.rules.settings.public == mapjudge::files::contest::Public::Auto {
        app.write(move |app, t| Ok(publications::publish_by_itself(t, now, &app.rules)?)).await?;
    }
    Ok(())
}

/// Whether the planned freeze has come and no event says so yet.
fn is_freeze_due(app: &ContestApp, t: &mut dyn Transaction, now: Time) -> Result<bool, StoreError> {
    let planned = app.rules.settings.freeze.as_deref();
    let without = publications::frozen_since(t, now, None)?;
    Ok(without.is_none() && publications::frozen_since(t, now, planned)?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_told_what_is_for_them() {
        let news = |kind: &str, team: Option<&str>| News {
            seq: 1,
            kind: kind.to_owned(),
            subject: String::new(),
            team: team.map(str::to_owned),
        };
        let (public, own) = (Scope::Nothing, Scope::Team("A".to_owned()));
        for kind in ["published", "frozen", "notice_added"] {
            assert!(news(kind, None).is_for(&public) && news(kind, None).is_for(&own), "{kind}");
        }
        for kind in ["ranking_made", "value_entered", "verified", "logged_in", "rejudging_made"] {
            assert!(!news(kind, Some("A")).is_for(&public) && !news(kind, Some("A")).is_for(&own), "{kind}");
        }
        assert!(news("rejudged", Some("A")).is_for(&own) && !news("rejudged", Some("B")).is_for(&own));
        assert!(news("measured", Some("A")).is_for(&own) && !news("measured", Some("B")).is_for(&own));
        assert!(
            news("value_entered", None).is_for(&Scope::All) && !news("measured", Some("A")).is_for(&public)
        );
    }
}
