//! `/events`: news for open pages.

use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::Needs;
use crate::contest::stream::stream;

pub fn operations() -> Vec<Operation> {
    let summary =
        "Server-sent events: ranking, submission, job, decision, review, notice; `Last-Event-ID` resumes.";
    vec![Operation::new(Verb::Get, "/events", Needs::Nobody, summary, stream)]
}
