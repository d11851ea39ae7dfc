//! What `mapjudge truth` did, for people.

use std::fmt::Write;

use mapjudge::ground_truth::{Accepted, Proposal, RecordCheck};
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
        let why = match doubt {
            Doubt::NoMatch => "their scans do not match",
            Doubt::Degenerate => "their scans fix nothing in one direction",
            Doubt::Overlap => "too small an overlap",
            Doubt::Inliers => "too few inliers",
            Doubt::Rms => "too large a distance of the pairs",
            Doubt::Contradicted => "points where the other scan sees through",
            Doubt::Moved => "the match left the poses it began with",
            Doubt::Sigma => "too large a deviation",
            Doubt::Witnesses => "no other revisit agrees",
            Doubt::Bent => "the poses between the visits are bent",
        };
        let _ = writeln!(text, "  doubtful       {count}: {why}");
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
