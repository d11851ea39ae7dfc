//! `/reviews/{record}`: records of relations that judges decide about. The handlers are those of the page of one record.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use crate::answer::List;
use crate::contest::app::ContestApp;
use crate::contest::operation::{Operation, Verb};
use crate::contest::records::ReviewedRecord;
use crate::contest::roles::Needs;
use crate::routes::reviews::{self, ScanPlacement, SentPairs, SentVerdict};

type App = ContestApp;

pub fn operations() -> Vec<Operation> {
    [read(), decide()].into_iter().flatten().collect()
}

fn read() -> Vec<Operation> {
    let get = |path, summary, handler| Operation { path, summary, ..handler };
    macro_rules! judge {
        ($handler:expr) => {
            Operation::new(Verb::Get, "", Needs::Judge, "", $handler)
        };
    }
    vec![
        get("/reviews", "Records of relations under review.", judge!(list)),
        get("/reviews/{record}", "How far a review is.", judge!(reviews::summary::<App>)),
        get("/reviews/{record}/next", "The most doubtful proposals.", judge!(reviews::next::<App>)).query(&[
            ("count", "so many"),
            ("skip", "ids that are left out, with commas between"),
            ("blind", "true (the default) hides the opinion of another judge"),
        ]),
        get("/reviews/{record}/list", "Relations of a record.", judge!(reviews::list::<App>)).query(&[
            ("after", "the id behind which to begin"),
            ("limit", "at most 200"),
            ("status", "proposed, accepted, adjusted or rejected"),
        ]),
        get("/reviews/{record}/relations/{id}", "One relation.", judge!(reviews::relation::<App>))
            .query(&[("blind", "true (the default) hides the opinion of another judge")]),
        get("/reviews/{record}/agreement", "How far judges agree.", judge!(reviews::agreement::<App>)),
        get("/reviews/{record}/export", "The ground truth so far.", judge!(reviews::export::<App>)),
    ]
}

fn decide() -> Vec<Operation> {
    let post = |path, summary, handler| Operation { path, summary, ..handler };
    macro_rules! judge {
        ($handler:expr) => {
            Operation::new(Verb::Post, "", Needs::Judge, "", $handler)
        };
    }
    vec![
        post("/reviews/{record}/evaluate", "Numbers at a displacement.", judge!(reviews::evaluate::<App>))
            .takes::<ScanPlacement>(),
        post("/reviews/{record}/refine", "The scans' own match from there.", judge!(reviews::refine::<App>))
            .takes::<ScanPlacement>(),
        post("/reviews/{record}/fit", "A displacement from pairs.", judge!(reviews::fit::<App>))
            .takes::<SentPairs>(),
        post("/reviews/{record}/verdicts", "Decide; a line and an event.", judge!(reviews::decide::<App>))
            .takes::<SentVerdict>(),
    ]
}

async fn list(State(app): State<Arc<App>>) -> Json<List<ReviewedRecord>> {
    Json(List { items: app.reviewed_records() })
}
