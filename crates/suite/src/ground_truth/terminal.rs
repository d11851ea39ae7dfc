//! A review at the terminal, command by command: the same [`Review`] as that of the page.

use std::io::BufRead;

use model::{Point2, Pose2, RelationRecord, RelationStatus, wrap};
use report::chart::{ScanPair, scan_pair};
use serde::Serialize;

use super::review::{Act, Asked, By, Decided, Review, ReviewProposal, Sight, Skipped, Verdict, Written};
use super::review_command::{Command, HELP, next_command};
use crate::JobError;

/// The name of the form of [`Reviewed`].
pub const REVIEW_SCHEMA: &str = "mapjudge.truth-review/1";

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

/// Who reviews what, and where figures and words go.
pub(super) struct Terminal<'a> {
    pub review: &'a mut Review,
    pub by: By<'a>,
    /// Keeps the figure of the two scans; returns its name for people.
    pub draw: &'a dyn Fn(&str) -> Result<String, JobError>,
    /// Is told what happens.
    pub say: &'a dyn Fn(&str),
}

/// A proposal on the screen.
struct Open {
    shown: ReviewProposal,
    /// As it was proposed.
    proposed: Pose2,
    /// The displacement as it is drawn: the proposal and what was changed since.
    delta: Pose2,
}

struct Session<'a> {
    at: Terminal<'a>,
    /// Proposals that are left for the end.
    skipped: Vec<String>,
    /// What was decided, the last one at the end.
    done: Vec<Written>,
    undone: usize,
    open: Option<Open>,
}

impl<'a> Terminal<'a> {
    /// Shows the next proposal and reads commands until `quit` or the end.
    pub(super) fn reviewed(self, path: String, commands: &mut dyn BufRead) -> Result<Reviewed, JobError> {
        let mut session = Session { at: self, skipped: Vec::new(), done: Vec::new(), undone: 0, open: None };
        session.show_next()?;
        while let Some(command) = next_command(commands).map_err(|source| JobError::file("stdin", source))? {
            match command {
                Ok(Command::Quit) => break,
                Ok(command) => session.carry_out(command)?,
                Err(why) => session.say(&format!("{why}; `help` lists the commands")),
            }
        }
        let left = session.left()?;
        let decision = |written: &Written| ReviewDecision {
            id: written.entry.id.clone(),
            status: written.entry.status.name(),
        };
        let decisions = session.done.iter().map(decision).collect();
        Ok(Reviewed { schema: REVIEW_SCHEMA, path, decisions, undone: session.undone, left })
    }
}

impl Session<'_> {
    fn say(&self, words: &str) {
        (self.at.say)(words);
    }

    fn left(&mut self) -> Result<usize, JobError> {
        self.at.review.follow()?;
        Ok(self.at.review.due(&Asked::by(self.at.by.reviewer, 0)).0)
    }

    /// Opens what is most doubtful; skipped ones come last.
    fn show_next(&mut self) -> Result<(), JobError> {
        let asked = Asked {
            skip: &self.skipped,
            skipped: Skipped::Last,
            sight: Sight::Open,
            ..Asked::by(self.at.by.reviewer, 1)
        };
        let next = self.at.review.next(&asked)?;
        let shown = next.proposals.into_iter().next();
        match shown {
            Some(_) => self.say(&format!("{} proposals to decide", next.left)),
            None => self.say("nothing is left to decide"),
        }
        self.open(shown)
    }

    fn open(&mut self, shown: Option<ReviewProposal>) -> Result<(), JobError> {
        self.open = shown.and_then(|shown| {
            let (entry, _) = self.at.review.last(&shown.id)?;
            let proposed = entry.relation.pose().planar();
            Some(Open { delta: proposed, proposed, shown })
        });
        self.show()
    }

    /// Tells about the open proposal and draws its scans.
    fn show(&self) -> Result<(), JobError> {
        let Some(Open { shown, delta, .. }) = &self.open else { return Ok(()) };
        let about = format!(
            "{}: {:.3} s to {:.3} s, x {:.3} m, y {:.3} m, yaw {:.2} deg",
            shown.id,
            shown.from_s,
            shown.to_s,
            delta.x_m,
            delta.y_m,
            delta.theta_rad.to_degrees()
        );
        self.say(&about);
        self.say(&doubt_words(shown));
        match shown.opinion {
            2 => self.say("  a second opinion: that of another person is hidden"),
            3 => self.tell_dispute(shown),
            _ => {}
        }
        self.draw(&shown.id, *delta, &about)
    }

    fn tell_dispute(&self, shown: &ReviewProposal) {
        self.say("  two opinions differ, and yours settles it:");
        for line in shown.history.iter().filter(|line| line.opinion.is_some()) {
            let who = line.reviewer.as_deref().unwrap_or_default();
            self.say(&format!("  {who}: {} {}", line.status, line.note.as_deref().unwrap_or_default()));
        }
    }

    fn draw(&self, id: &str, delta: Pose2, about: &str) -> Result<(), JobError> {
        let Some((entry, _)) = self.at.review.last(id) else { return Ok(()) };
        let Some((first, second)) = self.at.review.scan_hits(entry) else {
            self.say("  the log has no scans of these times: nothing is drawn");
            return Ok(());
        };
        let moved: Vec<Point2> = second.iter().map(|&point| delta * point).collect();
        let pair = ScanPair { first, second: &moved, second_pose: Point2::new(delta.x_m, delta.y_m), about };
        let Some(svg) = scan_pair(&pair) else {
            self.say("  the scans have no point: nothing is drawn");
            return Ok(());
        };
        self.say(&format!("  drawn in {}", (self.at.draw)(&svg)?));
        Ok(())
    }

    fn carry_out(&mut self, command: Command) -> Result<(), JobError> {
        match command {
            Command::Help => self.say(HELP),
            Command::Undo => return self.undo(),
            Command::Reopen(id) => return self.reopen(&id),
            Command::Status => {
                let left = self.left()?;
                self.say(&format!("{} decided here, {left} proposals to decide", self.done.len()));
            }
            Command::Quit => {}
            _ if self.open.is_none() => self.say("nothing is left to decide"),
            Command::Show => self.show()?,
            Command::Accept(note) => self.accept(note)?,
            Command::Reject(note) => self.decide(Act::Reject, note)?,
            Command::Second => self.ask_second()?,
            Command::Adjust(by) => self.change(|delta| {
                Pose2::new(delta.x_m + by.x_m, delta.y_m + by.y_m, wrap(delta.theta_rad + by.theta_rad))
            })?,
            Command::Set(to) => self.change(|_| to)?,
            Command::Match => self.rematch()?,
            Command::Skip => {
                self.skipped.extend(self.open.as_ref().map(|open| open.shown.id.clone()));
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
        let Some(Open { shown, delta, .. }) = &self.open else { return Ok(()) };
        match self.at.review.refine(&shown.id, *delta) {
            Some(found) => self.change(|_| found.delta),
            None => {
                self.say("the scans do not match from here");
                Ok(())
            }
        }
    }

    /// Accepts what is drawn: as it was proposed, or adjusted.
    fn accept(&mut self, note: Option<String>) -> Result<(), JobError> {
        let Some(Open { delta, proposed, .. }) = &self.open else { return Ok(()) };
        let act = if delta == proposed { Act::Accept } else { Act::Adjust(*delta) };
        self.decide(act, note)
    }

    fn decide(&mut self, act: Act, note: Option<String>) -> Result<(), JobError> {
        let Some(Open { shown, .. }) = self.open.take() else { return Ok(()) };
        let verdict = Verdict { note, ..Verdict::new(shown.id, shown.version, act) };
        if let Some(written) = self.written(&verdict)? {
            self.say(&format!("{}: {}", written.entry.id, written.entry.status.name()));
            if written.is_disputed {
                self.say(&format!(
                    "{}: the two opinions differ; a third person settles it",
                    written.entry.id
                ));
            }
            self.done.push(written);
        }
        self.show_next()
    }

    /// Asks for the opinion of another person; the proposal stays open.
    fn ask_second(&mut self) -> Result<(), JobError> {
        let Some(Open { shown, .. }) = &self.open else { return Ok(()) };
        let verdict = Verdict::new(shown.id.clone(), shown.version.clone(), Act::AskSecond);
        if let Some(written) = self.written(&verdict)? {
            self.say(&format!("{}: another person is asked too", written.entry.id));
            if let Some(open) = &mut self.open {
                open.shown.version.clone_from(&written.version);
            }
        }
        Ok(())
    }

    /// Appends a decision; none, with the reason told, if nothing was written.
    fn written(&mut self, verdict: &Verdict) -> Result<Option<Written>, JobError> {
        let decided = self.at.review.decide(self.at.by, verdict)?;
        Ok(self.told(&verdict.id, decided))
    }

    fn told(&self, id: &str, decided: Decided) -> Option<Written> {
        match decided {
            Decided::Written(written) => return Some(*written),
            Decided::Conflict(_) => {
                self.say(&format!("{id}: somebody else has decided meanwhile; nothing is written"));
            }
            Decided::Refused(refusal) => self.say(&format!("{id}: {refusal}; nothing is written")),
        }
        None
    }

    /// Takes the last decision of this review back: the entry before it is appended once more.
    fn undo(&mut self) -> Result<(), JobError> {
        let Some(written) = self.done.pop() else {
            self.say("nothing was decided here; `reopen ID` opens an earlier decision again");
            return Ok(());
        };
        let before: &RelationRecord = &written.before;
        let decided = self.at.review.restore(self.at.by, &written.version, before)?;
        if self.told(&before.id, decided).is_some() {
            self.say(&format!("{}: undone, {} again", before.id, before.status.name()));
            self.undone += 1;
            return self.open_again(&before.id);
        }
        Ok(())
    }

    /// Makes a proposal of a decided relation, whoever decided it.
    fn reopen(&mut self, id: &str) -> Result<(), JobError> {
        self.at.review.follow()?;
        let Some((last, version)) = self.at.review.last(id) else {
            self.say(&format!("the record has no relation '{id}'"));
            return Ok(());
        };
        if last.status != RelationStatus::Proposed || last.is_disputed() {
            let verdict = Verdict::new(id.to_owned(), version, Act::Reopen);
            if let Some(written) = self.written(&verdict)? {
                self.say(&format!("{id}: proposed again"));
                self.done.push(written);
            }
        }
        self.open_again(id)
    }

    fn open_again(&mut self, id: &str) -> Result<(), JobError> {
        let shown = self.at.review.relation(id, self.at.by.reviewer, Sight::Open)?;
        self.open(shown)
    }
}

fn doubt_words(shown: &ReviewProposal) -> String {
    let Some(doubt) = &shown.doubt else { return "  no doubt of the rule".to_owned() };
    let value = |name: &str| {
        shown.evaluation.numbers.iter().find(|number| number.name == name).and_then(|number| number.value)
    };
    match value("overlap").zip(value("rms_m")) {
        None => format!("  doubt: {}", doubt.words),
        Some((overlap, rms_m)) => {
            format!("  doubt: {} (overlap {overlap:.2}, rms {rms_m:.3} m)", doubt.words)
        }
    }
}
