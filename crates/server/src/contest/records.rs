//! Records of relations that are reviewed beside a contest: each decision is a line of its record, and an event.

use std::sync::Arc;

use mapjudge::ground_truth::Review;
use model::RelationRecord;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::app::ContestApp;
use super::chain::{NewEvent, append, head};
use super::clock::Time;
use super::roles::Who;
use super::store::{StoreError, Transaction};
use super::stream::News;
use crate::problem::Problem;
use crate::review_desk::{ReviewDesk, Seat};
use crate::routes::host::{NewVerdict, ReviewHost};
use crate::routes::reviews::line_of;

/// The event of a verdict.
pub(super) const VERDICT: &str = "review_verdict";
/// The event of one that could not be written.
const VERDICT_FAILED: &str = "review_verdict_failed";

/// A record under review.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewedRecord {
    /// Its number in addresses, from 1.
    pub(crate) id: String,
    /// Its name.
    pub(crate) record: String,
}

impl ContestApp {
    /// Puts records on the desk. Once, before the contest is served. Whoever is logged in decides, whatever their reviewer is.
    /// A verdict that a crash kept from its record is written now.
    ///
    /// # Errors
    /// Such a verdict cannot be written; the records are on the desk all the same.
    pub fn set_reviews(&self, desks: Vec<ReviewDesk>) -> Result<(), Problem> {
        let _ = self.reviews.set(desks);
        self.finish_verdicts()
    }

    pub(crate) fn records(&self) -> &[ReviewDesk] {
        self.reviews.get().map_or(&[], Vec::as_slice)
    }

    fn record(&self, id: &str) -> Result<&ReviewDesk, Problem> {
        let place = id.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let desk = place.and_then(|place| self.records().get(place));
        desk.ok_or_else(|| Problem::not_found("there is no such record"))
    }

    /// Keeps an event about a verdict.
    fn review_event(&self, kind: &str, verdict: &NewVerdict<'_>, body: Json) -> Result<(), Problem> {
        let event = NewEvent { person: verdict.who.name(), kind, subject: verdict.record, body };
        self.db.write(|t| append(t, Time::now(), event).map(|_| ()))?;
        Ok(())
    }

    /// Writes the last verdict of each record if its event was kept, and the program ended before its line was written.
    fn finish_verdicts(&self) -> Result<(), Problem> {
        let each: Vec<Result<(), Problem>> =
            self.records().iter().map(|desk| self.finish_verdict(desk)).collect();
        each.into_iter().collect()
    }

    fn finish_verdict(&self, desk: &ReviewDesk) -> Result<(), Problem> {
        let Some(event) = self.db.read(|t| last_verdict(t, desk.record()))? else { return Ok(()) };
        let lines: Result<Vec<RelationRecord>, _> = [&event["line"], &event["rule_line"]]
            .into_iter()
            .filter(|line| line.is_object())
            .map(|line| mapjudge::formats::parse_relation_record(line.to_string().as_bytes()))
            .collect();
        let lines =
            lines.map_err(|_| StoreError::Row(format!("the line of a verdict about {}", desk.record())))?;
        desk.review().write_announced(event["version"].as_str().unwrap_or_default(), &lines)?;
        Ok(())
    }

    /// The records as pages list them: their number in addresses, and their name.
    pub(crate) fn reviewed_records(&self) -> Vec<ReviewedRecord> {
        let told = |(place, desk): (usize, &ReviewDesk)| {
            let (id, record) = ((place + 1).to_string(), desk.record().to_owned());
            ReviewedRecord { id, record }
        };
        self.records().iter().enumerate().map(told).collect()
    }

    /// Tells open pages when somebody else appended to a record. Reads files.
    pub(crate) fn follow_records(&self) -> Result<(), Problem> {
        for (place, desk) in self.records().iter().enumerate() {
            if desk.has_news() {
                let seq = self.db.read(|t| Ok::<_, Problem>(head(t)?.seq))?;
                let (kind, subject) = ("review_changed".to_owned(), (place + 1).to_string());
                // Nobody listens: nothing to tell.
                let _ = self.news.send(News { seq, kind, subject, team: None });
            }
        }
        Ok(())
    }
}

/// The last verdict of a record, if it did not fail.
fn last_verdict(t: &mut dyn Transaction, record: &str) -> Result<Option<Json>, StoreError> {
    let sql = "SELECT kind, body FROM event WHERE kind IN ($1, $2) ORDER BY seq DESC";
    for row in t.query(sql, &[VERDICT.into(), VERDICT_FAILED.into()])? {
        let body = row.json(1)?;
        if body["record"] == record {
            return Ok((row.text(0)? == VERDICT).then_some(body));
        }
    }
    Ok(None)
}

impl ReviewHost for ContestApp {
    async fn on_review<T: Send + 'static>(
        self: &Arc<Self>,
        record: String,
        who: Who,
        work: impl FnOnce(&Seat, &mut Review) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.run(move |app| {
            let desk = app.record(&record)?;
            work(&Seat::now(who.name().to_owned()), &mut desk.review())
        })
        .await
    }

    fn keep_verdict(&self, verdict: &NewVerdict<'_>) -> Result<(), Problem> {
        let [line, rest @ ..] = verdict.lines else { return Ok(()) };
        let mut body = json!({
            "record": self.record(verdict.record)?.record(), "line": line_of(line), "version": verdict.version,
        });
        if let [rule_line] = rest {
            body["rule_line"] = line_of(rule_line);
        }
        self.review_event(VERDICT, verdict, body)
    }

    fn verdict_failed(&self, verdict: &NewVerdict<'_>) {
        let [line, ..] = verdict.lines else { return };
        let record = self.record(verdict.record).map(ReviewDesk::record).unwrap_or_default();
        // A database that fails too says so to the next who asks; the record has no line either way.
        let _ = self.review_event(VERDICT_FAILED, verdict, json!({ "record": record, "id": line.id }));
    }

    fn verdict_written(&self) {
        self.written.notify_one();
    }
}
