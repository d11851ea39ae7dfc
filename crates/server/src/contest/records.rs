//! Records of relations that are reviewed beside a contest: each decision is a line of its record, and an event.

use std::sync::Arc;

use mapjudge::ground_truth::Review;
use serde_json::{Value as Json, json};

use super::app::ContestApp;
use super::chain::{NewEvent, append, head};
use super::clock::Time;
use super::roles::Who;
use super::stream::News;
use crate::problem::Problem;
use crate::review_desk::{ReviewDesk, Seat};
use crate::routes::host::ReviewHost;

impl ContestApp {
    /// Puts records on the desk. Once, before the contest is served. Whoever is logged in decides, whatever their reviewer is.
    pub fn set_reviews(&self, desks: Vec<ReviewDesk>) {
        let _ = self.reviews.set(desks);
    }

    pub(crate) fn records(&self) -> &[ReviewDesk] {
        self.reviews.get().map_or(&[], Vec::as_slice)
    }

    fn record(&self, id: &str) -> Result<&ReviewDesk, Problem> {
        let place = id.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let desk = place.and_then(|place| self.records().get(place));
        desk.ok_or_else(|| Problem::not_found("there is no such record"))
    }

    /// The records as pages list them: their number in addresses, and their name.
    pub(crate) fn records_json(&self) -> Json {
        let told = |(place, desk): (usize, &ReviewDesk)| json!({ "id": (place + 1).to_string(), "record": desk.record() });
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

    async fn verdict_written(self: &Arc<Self>, record: String, who: Who, line: Json) -> Result<(), Problem> {
        self.write(move |app, t| {
            let body = json!({ "record": app.record(&record)?.record(), "line": line });
            let event = NewEvent { person: who.name(), kind: "review_verdict", subject: &record, body };
            append(t, Time::now(), event)?;
            Ok(())
        })
        .await
    }
}
