//! What `mapjudge truth` did, for people.

use std::fmt::Write;

use mapjudge::ground_truth::{Accepted, Proposal, ProposalCoverage, RecordCheck, Reviewed};
use truth::Doubt;

use super::super::relations::check::facts;
use crate::output::finding_line;

pub(super) fn proposal_table(proposal: &Proposal) -> String {
    let Proposal { path, source, scans, without_pose, proposed, matched, degenerate, .. } = proposal;
    let mut text = format!(
        "{path}: {source}\n  scans          {scans}, {without_pose} without a pose\n  proposed       {proposed}, \
         {matched} matched, {degenerate} of them degenerate\n"
    );
    if let Some(accepted) = proposal.accepted {
        decided(&mut text, accepted, &proposal.doubts);
    }
    let ProposalCoverage { time, path, parts, revisits } = proposal.covered;
    let percent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let what = if proposal.accepted.is_some() { "accepted" } else { "matched" };
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        "  covered        {} of the time, {} of the path, in {parts} connected parts; {revisits} revisits {what}",
        percent(time),
        percent(path)
    );
    text
}

pub(super) fn accepted_table(accepted: &Accepted) -> String {
    let mut text = format!("{}: {}\n", accepted.path, accepted.rule);
    decided(&mut text, accepted.accepted, &accepted.doubts);
    text
}

fn decided(text: &mut String, accepted: usize, doubts: &[(Doubt, usize)]) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "  accepted       {accepted}");
    for (doubt, count) in doubts {
        let _ = writeln!(text, "  doubtful       {count}: {}", doubt.words());
    }
}

pub(super) fn check_table(checked: &RecordCheck) -> String {
    let statuses = checked.statuses;
    let mut text = format!(
        "{}\n  status         {} proposed, {} accepted ({} by rule), {} adjusted, {} rejected\n",
        checked.path,
        statuses.proposed,
        statuses.accepted,
        statuses.by_rule,
        statuses.adjusted,
        statuses.rejected
    );
    facts(&mut text, &checked.relations);
    for finding in &checked.findings {
        let _ = writeln!(text, "{}", finding_line(finding));
    }
    text
}

pub(super) fn review_table(reviewed: &Reviewed) -> String {
    let count = |status: &str| reviewed.decisions.iter().filter(|decision| decision.status == status).count();
    format!(
        "{}\n  decided        {} accepted, {} adjusted, {} rejected, {} undone\n  left           {}\n",
        reviewed.path,
        count("accepted"),
        count("adjusted"),
        count("rejected"),
        reviewed.undone,
        reviewed.left
    )
}
