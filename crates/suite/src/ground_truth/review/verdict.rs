//! Decisions: each one line at the end of the record, or two where it makes a dispute.

use model::{Displacement, Pose2, RelationRecord, RelationStatus};
use truth::{Opinion, OpinionRefused, differ, dispute};

use super::record_index::{Indexed, RecordIndex};
use super::{Review, proposed};
use crate::JobError;

/// Longer notes are refused, bytes.
const MAX_NOTE_BYTES: usize = 4096;

/// What a person does to a relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// Right as it was proposed.
    Accept,
    /// Wrong.
    Reject,
    /// Right at this displacement; accepted where it is the proposed one.
    Adjust(Pose2),
    /// Takes this person's last act on the relation back.
    Undo,
    /// Asks for the opinion of another person.
    AskSecond,
    /// Makes a proposal of it again, whoever decided, and forgets all opinions.
    Reopen,
}

/// A decision about a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The relation.
    pub id: String,
    /// The version of the relation that the person saw.
    pub version: String,
    /// What the person does.
    pub act: Act,
    /// What the person writes beside it.
    pub note: Option<String>,
    /// How long the person looked at it.
    pub seconds: Option<f64>,
    /// Which opinion it is meant to be; refused if it would be another one.
    pub opinion: Option<u8>,
}

impl Verdict {
    /// A decision with nothing beside it.
    #[must_use]
    pub const fn new(id: String, version: String, act: Act) -> Self {
        Self { id, version, act, note: None, seconds: None, opinion: None }
    }
}

/// Who decides, and when.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// Name of the person.
    pub reviewer: &'a str,
    /// What the line carries as its time.
    pub time: Option<&'a str>,
}

/// What became of a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// It stands in the record.
    Written(Box<Written>),
    /// Somebody else has appended a line since the person looked: nothing is written. This is the last line now.
    Conflict(Box<RelationRecord>),
    /// It makes no sense here: nothing is written.
    Refused(Refusal),
}

/// What was appended.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The last line of the relation before.
    pub before: RelationRecord,
    /// The line of the decision.
    pub entry: RelationRecord,
    /// True if a line followed that says that opinions differ.
    pub is_disputed: bool,
    /// The version of the relation now.
    pub version: String,
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No line has this name.
    #[error("the record has no relation '{0}'")]
    NoRelation(String),
    /// It is not this person's turn.
    #[error(transparent)]
    Opinion(#[from] OpinionRefused),
    /// The relation has gained or lost an opinion.
    #[error("expected opinion {expected}, found {found}: look at the relation again")]
    OtherOpinion {
        /// What the person meant to give.
        expected: u8,
        /// What it would be.
        found: u8,
    },
    /// The last act on the relation is not this person's.
    #[error("there is no decision of yours to take back")]
    NothingToUndo,
    /// Nobody needs to be asked.
    #[error("it has two opinions already")]
    TwoOpinions,
    /// Somebody has asked.
    #[error("a second opinion is asked for already")]
    AlreadyAsked,
    /// A displacement or a time is no number.
    #[error("expected finite numbers")]
    NotFinite,
    /// A note is longer than a line of a record should be.
    #[error("expected a note of at most {MAX_NOTE_BYTES} bytes")]
    LongNote,
    /// Only persons decide here.
    #[error("expected the name of who decides, which does not begin with 'rule: '")]
    NoReviewer,
}

impl Refusal {
    /// A name that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoRelation(_) => "NO_RELATION",
            Self::Opinion(_) | Self::OtherOpinion { .. } => "OPINION_REFUSED",
            Self::NothingToUndo => "NOTHING_TO_UNDO",
            Self::TwoOpinions | Self::AlreadyAsked => "SECOND_OPINION_REFUSED",
            Self::NotFinite | Self::LongNote | Self::NoReviewer => "VERDICT_INVALID",
        }
    }
}

impl Review {
    /// Appends a decision, if the relation is still as the person saw it.
    ///
    /// # Errors
    /// The record cannot be read, or not be appended to.
    pub fn decide(&mut self, by: By<'_>, verdict: &Verdict) -> Result<Decided, JobError> {
        self.decide_announced(by, verdict, &mut |_| Ok(()))
    }

    /// As [`Review::decide`]; `announce` is given the lines before they are written, and may refuse them. The record is
    /// locked meanwhile, so that announcements come in the order of the lines.
    ///
    /// # Errors
    /// The record cannot be read, or not be appended to; or `announce` refuses, and nothing is written.
    pub fn decide_announced<E: From<JobError>>(
        &mut self,
        by: By<'_>,
        verdict: &Verdict,
        announce: &mut dyn FnMut(&[RelationRecord]) -> Result<(), E>,
    ) -> Result<Decided, E> {
        if let Err(refusal) = check(by, verdict) {
            return Ok(Decided::Refused(refusal));
        }
        let restored = match verdict.act {
            Act::Undo => before_last_act(&self.history(&verdict.id)?, by.reviewer),
            _ => None,
        };
        self.write(by, verdict, restored.as_ref(), announce)
    }

    /// Appends an earlier line of a relation once more, if nobody has appended another since `version`.
    ///
    /// # Errors
    /// The record cannot be read, or not be appended to.
    pub fn restore(
        &mut self,
        by: By<'_>,
        version: &str,
        earlier: &RelationRecord,
    ) -> Result<Decided, JobError> {
        let verdict = Verdict::new(earlier.id.clone(), version.to_owned(), Act::Undo);
        self.write(by, &verdict, Some(earlier), &mut |_| Ok(()))
    }

    fn write<E: From<JobError>>(
        &mut self,
        by: By<'_>,
        verdict: &Verdict,
        restored: Option<&RelationRecord>,
        announce: &mut dyn FnMut(&[RelationRecord]) -> Result<(), E>,
    ) -> Result<Decided, E> {
        let (lines, index, rule) = (&mut self.lines, &mut self.index, &self.settings.rule);
        let mut outcome = Ok(Decided::Refused(Refusal::NoRelation(verdict.id.clone())));
        lines.append(&mut |new| {
            index.take(new, rule);
            let (entries, told) = decided(index, by, verdict, restored);
            let announced = if entries.is_empty() { Ok(()) } else { announce(&entries) };
            let is_announced = announced.is_ok();
            outcome = announced.map(|()| told);
            if is_announced { entries } else { Vec::new() }
        })?;
        let mut outcome = outcome?;
        // The line stands; a record that cannot be read now is a fault for whoever reads next.
        let _ = self.follow();
        if let (Decided::Written(written), Some(known)) = (&mut outcome, self.index.get(&verdict.id)) {
            written.version = known.version();
        }
        Ok(outcome)
    }
}

fn check(by: By<'_>, verdict: &Verdict) -> Result<(), Refusal> {
    let is_finite = match verdict.act {
        Act::Adjust(delta) => delta.is_finite(),
        _ => true,
    };
    if by.reviewer.trim().is_empty() || by.reviewer.starts_with("rule: ") {
        return Err(Refusal::NoReviewer);
    }
    if !is_finite || verdict.seconds.is_some_and(|seconds| !(seconds.is_finite() && seconds >= 0.0)) {
        return Err(Refusal::NotFinite);
    }
    if verdict.note.as_ref().is_some_and(|note| note.len() > MAX_NOTE_BYTES) {
        return Err(Refusal::LongNote);
    }
    Ok(())
}

/// The lines to append, and what becomes of the decision.
fn decided(
    index: &RecordIndex,
    by: By<'_>,
    verdict: &Verdict,
    restored: Option<&RelationRecord>,
) -> (Vec<RelationRecord>, Decided) {
    let Some(known) = index.get(&verdict.id) else {
        return (Vec::new(), Decided::Refused(Refusal::NoRelation(verdict.id.clone())));
    };
    if known.version() != verdict.version {
        return (Vec::new(), Decided::Conflict(Box::new(known.last.clone())));
    }
    let entries = match verdict.act {
        Act::Accept => opinion(known, by, verdict, RelationStatus::Accepted, None),
        Act::Reject => opinion(known, by, verdict, RelationStatus::Rejected, None),
        Act::Adjust(delta) if delta == proposed(&known.last) => {
            opinion(known, by, verdict, RelationStatus::Accepted, None)
        }
        Act::Adjust(delta) => opinion(known, by, verdict, RelationStatus::Adjusted, Some(delta)),
        Act::Undo => match restored {
            Some(earlier) => {
                Ok(vec![RelationRecord { undone_by: Some(by.reviewer.to_owned()), ..earlier.clone() }])
            }
            None => Err(Refusal::NothingToUndo),
        },
        Act::AskSecond => second_asked(known, by),
        Act::Reopen => Ok(vec![reopened(known, by)]),
    };
    match entries {
        Err(refusal) => (Vec::new(), Decided::Refused(refusal)),
        Ok(entries) => {
            let (before, version) = (known.last.clone(), String::new());
            let (entry, is_disputed) = (entries[0].clone(), entries.len() > 1);
            let written = Written { before, entry, is_disputed, version };
            (entries, Decided::Written(Box::new(written)))
        }
    }
}

/// The line of an opinion, and that of the dispute which it may make.
fn opinion(
    known: &Indexed,
    by: By<'_>,
    verdict: &Verdict,
    status: RelationStatus,
    delta: Option<Pose2>,
) -> Result<Vec<RelationRecord>, Refusal> {
    let opinion = known.opinions.turn_of(by.reviewer)?;
    if let Some(expected) = verdict.opinion.filter(|&expected| expected != opinion) {
        return Err(Refusal::OtherOpinion { expected, found: opinion });
    }
    let last = &known.last;
    let [_, _, z_m] = last.relation.translation_m;
    let [roll, pitch, _] = last.relation.roll_pitch_yaw_rad;
    let delta_final = delta.map(|delta| Displacement {
        translation_m: [delta.x_m, delta.y_m, z_m],
        roll_pitch_yaw_rad: [roll, pitch, delta.theta_rad],
    });
    // The note of another person's opinion is not this person's.
    let note = verdict.note.clone().or_else(|| last.note.clone().filter(|_| opinion == 1));
    let mut entry = RelationRecord {
        status,
        delta_final,
        reviewer: Some(by.reviewer.to_owned()),
        time: by.time.map(str::to_owned),
        note,
        opinion: Some(opinion),
        seconds: verdict.seconds,
        undone_by: None,
        ..last.clone()
    };
    entry.tags.retain(|tag| tag != RelationRecord::DISPUTED);
    let first = known.opinions.given().first().filter(|_| opinion == 2);
    let is_disputed = first.is_some_and(|first| differ(first, &Opinion::of(&entry)));
    let dispute = is_disputed.then(|| dispute(&entry));
    Ok([entry].into_iter().chain(dispute).collect())
}

fn second_asked(known: &Indexed, by: By<'_>) -> Result<Vec<RelationRecord>, Refusal> {
    if known.opinions.given().len() > 1 {
        return Err(Refusal::TwoOpinions);
    }
    if known.last.second_by.is_some() {
        return Err(Refusal::AlreadyAsked);
    }
    let second_by = Some(by.reviewer.to_owned());
    Ok(vec![RelationRecord { second_by, undone_by: None, ..known.last.clone() }])
}

fn reopened(known: &Indexed, by: By<'_>) -> RelationRecord {
    let mut entry = RelationRecord {
        status: RelationStatus::Proposed,
        delta_final: None,
        reviewer: None,
        time: None,
        opinion: None,
        seconds: None,
        undone_by: Some(by.reviewer.to_owned()),
        ..known.last.clone()
    };
    entry.tags.retain(|tag| tag != RelationRecord::DISPUTED);
    entry
}

/// An act and the line that stood after it.
struct Done {
    by: Option<String>,
    end: RelationRecord,
}

/// The line that stood before the last act, if that was this person's: acts that were taken back do not count.
fn before_last_act(history: &[RelationRecord], reviewer: &str) -> Option<RelationRecord> {
    let plain = |line: &RelationRecord| RelationRecord { undone_by: None, ..line.clone() };
    let mut done: Vec<Done> = Vec::new();
    for line in history {
        let end = plain(line);
        if line.undone_by.is_some() {
            let earlier = done.len().saturating_sub(1);
            if let Some(at) = done[..earlier].iter().rposition(|act| act.end == end) {
                done.truncate(at + 1);
                continue;
            }
            done.push(Done { by: line.undone_by.clone(), end });
            continue;
        }
        match done.last_mut() {
            // The line of a dispute belongs to the opinion that made it.
            Some(last) if line.is_disputed() && line.is_by_rule() => last.end = end,
            last => {
                let was_asked = last.is_some_and(|last| last.end.second_by.is_some());
                let asks = line.second_by.is_some() && !was_asked;
                let by = if asks { line.second_by.clone() } else { line.reviewer.clone() };
                done.push(Done { by, end });
            }
        }
    }
    let last = done.pop()?;
    let before = done.pop()?;
    (last.by.as_deref() == Some(reviewer)).then_some(before.end)
}
