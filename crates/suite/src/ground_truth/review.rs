//! The review of proposals by a person, command by command (specification T-GEN).
//!
//! Each decision is appended to the record at once, under its lock and only if nobody else decided meanwhile, so that a
//! review can stop at any time and go on later: what is decided is not shown again.

use std::collections::HashMap;
use std::io::BufRead;

use mapper::{Scan, refine};
use model::{Displacement, Point2, Pose2, RelationRecord, RelationStatus};
use report::chart::{ScanPair, scan_pair};
use serde::Serialize;
use truth::AcceptRule;

use super::review_command::{Command, HELP, next_command};
use crate::JobError;

/// The name of the form of [`Reviewed`].
pub const REVIEW_SCHEMA: &str = "mapjudge.truth-review/1";

/// In whose name is decided, and what comes first.
#[derive(Clone, Debug)]
pub(super) struct Reviewing {
    /// Who decides.
    pub reviewer: String,
    /// What decisions carry as their time.
    pub time: Option<String>,
    /// What it doubts comes first.
    pub rule: AcceptRule,
    /// The scans by the bits of their times, as proposals name them.
    pub scans: HashMap<u64, Scan>,
}

/// Where the record lies, and where the figure goes.
pub(super) trait Desk {
    /// The last entry of every relation, as the record is now.
    fn records(&self) -> Result<Vec<RelationRecord>, JobError>;
    /// Appends an entry if the last one of its id is still what was decided about; false if it is not.
    fn append(&self, before: &RelationRecord, after: &RelationRecord) -> Result<bool, JobError>;
    /// Keeps the figure of the two scans; returns its name for people.
    fn draw(&self, svg: &str) -> Result<String, JobError>;
}

/// What a review did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reviewed {
    /// Name of this form.
    pub schema: &'static str,
    /// The record as given.
    pub path: String,
    /// Decisions that stand at the end, in their order.
    pub decisions: Vec<ReviewDecision>,
    /// Decisions that were taken back.
    pub undone: usize,
    /// Proposals that nobody has decided.
    pub left: usize,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewDecision {
    /// The relation.
    pub id: String,
    /// `accepted`, `adjusted`, `rejected`, or `proposed` for one that was opened again.
    pub status: &'static str,
}

/// Reviews a record: shows the next proposal, reads commands until `quit` or the end. `say` is told what happens.
pub(super) fn reviewed(
    how: &Reviewing,
    desk: &dyn Desk,
    path: String,
    commands: &mut dyn BufRead,
    say: &dyn Fn(&str),
) -> Result<Reviewed, JobError> {
    let mut session =
        Session { how, desk, say, skipped: Vec::new(), done: Vec::new(), undone: 0, open: None };
    session.show_next()?;
    while let Some(command) = next_command(commands).map_err(|source| JobError::file("stdin", source))? {
        match command {
            Ok(Command::Quit) => break,
            Ok(command) => session.carry_out(command)?,
            Err(why) => say(&format!("{why}; `help` lists the commands")),
        }
    }
    let left = session.undecided()?.len();
    let decisions = session
        .done
        .iter()
        .map(|(_, after)| ReviewDecision { id: after.id.clone(), status: status_name(after.status) });
    let decisions = decisions.collect();
    Ok(Reviewed { schema: REVIEW_SCHEMA, path, decisions, undone: session.undone, left })
}

/// A proposal on the screen.
struct Open {
    record: RelationRecord,
    /// The displacement as it is drawn: the proposal and what was changed since.
    delta: Pose2,
}

struct Session<'a> {
    how: &'a Reviewing,
    desk: &'a dyn Desk,
    say: &'a dyn Fn(&str),
    /// Proposals that are left for the end.
    skipped: Vec<String>,
    /// What was decided, before and after, the last one at the end.
    done: Vec<(RelationRecord, RelationRecord)>,
    undone: usize,
    open: Option<Open>,
}

impl Session<'_> {
    /// Proposals that nobody has decided: those that the rule doubts first, skipped ones last.
    fn undecided(&self) -> Result<Vec<RelationRecord>, JobError> {
        let mut open = self.desk.records()?;
        open.retain(|record| record.status == RelationStatus::Proposed);
        let skipped = |record: &RelationRecord| self.skipped.iter().rposition(|id| *id == record.id);
        open.sort_by_key(|record| (skipped(record), self.how.rule.doubt(record).is_none()));
        Ok(open)
    }

    fn show_next(&mut self) -> Result<(), JobError> {
        let open = self.undecided()?;
        let left = open.len();
        self.open = open.into_iter().next().map(|record| Open { delta: pose_of(&record), record });
        match self.open {
            Some(_) => (self.say)(&format!("{left} proposals to decide")),
            None => (self.say)("nothing is left to decide"),
        }
        self.show()
    }

    /// Tells about the open proposal and draws its scans.
    fn show(&self) -> Result<(), JobError> {
        let Some(Open { record, delta }) = &self.open else { return Ok(()) };
        let relation = &record.relation;
        let about = format!(
            "{}: {:.3} s to {:.3} s, x {} m, y {} m, yaw {} deg",
            record.id,
            relation.from_s,
            relation.to_s,
            report::fixed(delta.x_m, 3),
            report::fixed(delta.y_m, 3),
            report::fixed(delta.theta_rad.to_degrees(), 2)
        );
        (self.say)(&about);
        (self.say)(&match (self.how.rule.doubt(record), record.icp) {
            (None, _) => "  no doubt of the rule".to_owned(),
            (Some(doubt), None) => format!("  doubt: {}", doubt.words()),
            (Some(doubt), Some(icp)) => {
                format!("  doubt: {} (overlap {:.2}, rms {:.3} m)", doubt.words(), icp.overlap, icp.rms_m)
            }
        });
        let scans = [relation.from_s, relation.to_s].map(|time_s| self.how.scans.get(&time_s.to_bits()));
        let [Some(first), Some(second)] = scans else {
            (self.say)("  the log has no scans of these times: nothing is drawn");
            return Ok(());
        };
        let moved: Vec<Point2> = second.hits_in_robot.iter().map(|&point| *delta * point).collect();
        let pair = ScanPair {
            first: &first.hits_in_robot,
            second: &moved,
            second_pose: Point2::new(delta.x_m, delta.y_m),
            about: &about,
        };
        let Some(svg) = scan_pair(&pair) else {
            (self.say)("  the scans have no point: nothing is drawn");
            return Ok(());
        };
        (self.say)(&format!("  drawn in {}", self.desk.draw(&svg)?));
        Ok(())
    }

    fn carry_out(&mut self, command: Command) -> Result<(), JobError> {
        match command {
            Command::Help => (self.say)(HELP),
            Command::Undo => return self.undo(),
            Command::Reopen(id) => return self.reopen(&id),
            Command::Status => {
                let left = self.undecided()?.len();
                (self.say)(&format!("{} decided here, {left} proposals to decide", self.done.len()));
            }
            Command::Quit => {}
            _ if self.open.is_none() => (self.say)("nothing is left to decide"),
            Command::Show => self.show()?,
            Command::Accept(note) => self.accept(note)?,
            Command::Reject(note) => self.decide(RelationStatus::Rejected, None, note)?,
            Command::Adjust(by) => self.change(|delta| {
                Pose2::new(
                    delta.x_m + by.x_m,
                    delta.y_m + by.y_m,
                    model::wrap(delta.theta_rad + by.theta_rad),
                )
            })?,
            Command::Set(to) => self.change(|_| to)?,
            Command::Match => self.rematch()?,
            Command::Skip => {
                self.skipped.extend(self.open.as_ref().map(|open| open.record.id.clone()));
                self.show_next()?;
            }
        }
        Ok(())
    }

    fn change(&mut self, change: impl Fn(Pose2) -> Pose2) -> Result<(), JobError> {
        if let Some(open) = &mut self.open {
            open.delta = change(open.delta);
        }
        self.show()
    }

    /// Lays the scans on each other again, from the displacement as it is drawn.
    fn rematch(&mut self) -> Result<(), JobError> {
        let Some(Open { record, delta }) = &self.open else { return Ok(()) };
        let times = [record.relation.from_s, record.relation.to_s];
        let [first, second] = times.map(|time_s| self.how.scans.get(&time_s.to_bits()));
        match first.zip(second).and_then(|(first, second)| refine(first, second, *delta)) {
            Some(found) => self.change(|_| found.first_from_second),
            None => {
                (self.say)("the scans do not match from here");
                Ok(())
            }
        }
    }

    /// Accepts what is drawn: as it was proposed, or adjusted.
    fn accept(&mut self, note: Option<String>) -> Result<(), JobError> {
        let Some(Open { record, delta }) = &self.open else { return Ok(()) };
        let proposed = pose_of(record);
        if *delta == proposed {
            return self.decide(RelationStatus::Accepted, None, note);
        }
        let [_, _, z_m] = record.relation.translation_m;
        let [roll, pitch, _] = record.relation.roll_pitch_yaw_rad;
        let adjusted = Displacement {
            translation_m: [delta.x_m, delta.y_m, z_m],
            roll_pitch_yaw_rad: [roll, pitch, delta.theta_rad],
        };
        self.decide(RelationStatus::Adjusted, Some(adjusted), note)
    }

    fn decide(
        &mut self,
        status: RelationStatus,
        delta_final: Option<Displacement>,
        note: Option<String>,
    ) -> Result<(), JobError> {
        let Some(Open { record, .. }) = self.open.take() else { return Ok(()) };
        let note = note.or_else(|| record.note.clone());
        let after = self.by_reviewer(RelationRecord { status, delta_final, note, ..record.clone() });
        if self.append(&record, &after)? {
            (self.say)(&format!("{}: {}", after.id, status_name(status)));
            self.done.push((record, after));
        }
        self.show_next()
    }

    fn by_reviewer(&self, record: RelationRecord) -> RelationRecord {
        let (reviewer, time) = (Some(self.how.reviewer.clone()), self.how.time.clone());
        RelationRecord { reviewer, time, ..record }
    }

    /// Appends an entry, unless somebody else has decided meanwhile.
    fn append(&self, before: &RelationRecord, after: &RelationRecord) -> Result<bool, JobError> {
        let is_ours = self.desk.append(before, after)?;
        if !is_ours {
            (self.say)(&format!("{}: somebody else has decided meanwhile; nothing is written", before.id));
        }
        Ok(is_ours)
    }

    /// Takes the last decision of this review back: the entry before it is appended once more.
    fn undo(&mut self) -> Result<(), JobError> {
        let Some((before, after)) = self.done.pop() else {
            (self.say)("nothing was decided here; `reopen ID` opens an earlier decision again");
            return Ok(());
        };
        if self.append(&after, &before)? {
            (self.say)(&format!("{}: undone, {} again", before.id, status_name(before.status)));
            self.undone += 1;
            self.open = Some(Open { delta: pose_of(&before), record: before });
            return self.show();
        }
        Ok(())
    }

    /// Makes a proposal of a decided relation, whoever decided it.
    fn reopen(&mut self, id: &str) -> Result<(), JobError> {
        let Some(before) = self.desk.records()?.into_iter().find(|record| record.id == id) else {
            (self.say)(&format!("the record has no relation '{id}'"));
            return Ok(());
        };
        let status = RelationStatus::Proposed;
        let after =
            RelationRecord { status, delta_final: None, reviewer: None, time: None, ..before.clone() };
        if before.status != status && self.append(&before, &after)? {
            (self.say)(&format!("{id}: proposed again"));
            self.done.push((before, after.clone()));
        }
        self.open = Some(Open { delta: pose_of(&after), record: after });
        self.show()
    }
}

fn pose_of(record: &RelationRecord) -> Pose2 {
    record.relation.pose().planar()
}

const fn status_name(status: RelationStatus) -> &'static str {
    match status {
        RelationStatus::Proposed => "proposed",
        RelationStatus::Accepted => "accepted",
        RelationStatus::Adjusted => "adjusted",
        RelationStatus::Rejected => "rejected",
    }
}
