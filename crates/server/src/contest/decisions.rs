//! What judges decide about submissions: values, the transform of a map, that it is verified, that it counts. Nothing is
//! overwritten: a decision is ended by the event that takes it back or replaces it.

use serde_json::{Value as Json, json};

use super::chain::{Event, NewEvent, append};
use super::clock::Time;
use super::store::{Row, StoreError, Transaction};

/// Kinds of decisions, and the events that make and end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A value of a criterion: a number or a list.
    Value,
    /// The transform that lays the map on the truth: the hash of its file among the objects.
    Frame,
    /// A judge looked at it and agrees.
    Verification,
    /// It counts, whatever else was handed in.
    Counts,
}

impl Decision {
    /// The word in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Frame => "frame",
            Self::Verification => "verification",
            Self::Counts => "counts",
        }
    }

    const fn made(self) -> &'static str {
        match self {
            Self::Value => "value_entered",
            Self::Frame => "frame_saved",
            Self::Verification => "verified",
            Self::Counts => "counts_chosen",
        }
    }

    const fn ended(self) -> &'static str {
        match self {
            Self::Value => "value_removed",
            Self::Frame => "frame_removed",
            Self::Verification => "unverified",
            Self::Counts => "counts_released",
        }
    }
}

/// A decision in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Its event.
    pub seq: i64,
    /// The submission.
    pub subject: String,
    /// The criterion, of values.
    pub name: String,
    /// A number, a list, a hash, or null.
    pub value: Json,
    /// Why.
    pub reason: String,
    /// Who.
    pub by: String,
    /// When.
    pub at: String,
}

/// What is to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The kind.
    pub kind: Decision,
    /// The submission.
    pub submission: &'a str,
    /// The criterion; empty for other kinds.
    pub name: &'a str,
}

const COLUMNS: &str = "seq, subject, name, value, reason, person, at";

fn made(row: &Row) -> Result<Made, StoreError> {
    Ok(Made {
        seq: row.int(0)?,
        subject: row.text(1)?,
        name: row.text(2)?,
        value: row.json(3)?,
        reason: row.text(4)?,
        by: row.text(5)?,
        at: row.text(6)?,
    })
}

/// Decisions in effect about one submission, the oldest first.
///
/// # Errors
/// The database fails.
pub fn of_submission(
    t: &mut dyn Transaction,
    kind: Decision,
    submission: &str,
) -> Result<Vec<Made>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM decision WHERE subject = $1 AND kind = $2 AND ended_by_seq IS NULL ORDER BY seq"
    );
    t.query(&sql, &[submission.into(), kind.name().into()])?.iter().map(made).collect()
}

/// Decisions of a kind in effect about all submissions, the oldest first.
///
/// # Errors
/// The database fails.
pub fn all(t: &mut dyn Transaction, kind: Decision) -> Result<Vec<Made>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM decision WHERE kind = $1 AND ended_by_seq IS NULL ORDER BY seq");
    t.query(&sql, &[kind.name().into()])?.iter().map(made).collect()
}

/// Decides, and ends what it replaces: of values the earlier ones of everybody, or of this judge alone where several enter.
///
/// # Errors
/// The database fails.
pub fn decide(
    t: &mut dyn Transaction,
    at: Time,
    by: &str,
    subject: Subject<'_>,
    (value, reason): (&Json, &str),
    replaces: Replaces,
) -> Result<Event, StoreError> {
    let Subject { kind, submission, name } = subject;
    let body = json!({ "name": name, "value": value, "reason": reason, "replaces": replaces.word() });
    let event = append(t, at, NewEvent { person: by, kind: kind.made(), subject: submission, body })?;
    apply(t, &event, kind, (name, value, reason), replaces)?;
    Ok(event)
}

/// Whose earlier decisions end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// Everybody's.
    All,
    /// Those of the same judge.
    Own,
}

impl Replaces {
    const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Own => "own",
        }
    }

    fn of(body: &Json) -> Self {
        if body["replaces"] == "own" { Self::Own } else { Self::All }
    }
}

/// Writes the rows of a decision; replaying does the same.
fn apply(
    t: &mut dyn Transaction,
    event: &Event,
    kind: Decision,
    (name, value, reason): (&str, &Json, &str),
    replaces: Replaces,
) -> Result<(), StoreError> {
    end_rows(t, event, kind, name, replaces)?;
    let sql = format!("INSERT INTO decision ({COLUMNS}, kind) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    let params = [
        event.seq.into(),
        (&event.subject).into(),
        name.into(),
        value.to_string().into(),
        reason.into(),
        (&event.person).into(),
        (&event.at).into(),
        kind.name().into(),
    ];
    t.execute(&sql, &params)?;
    touch(t, event)
}

fn end_rows(
    t: &mut dyn Transaction,
    event: &Event,
    kind: Decision,
    name: &str,
    replaces: Replaces,
) -> Result<u64, StoreError> {
    let own = if replaces == Replaces::Own { " AND person = $5" } else { "" };
    let sql = format!(
        "UPDATE decision SET ended_by_seq = $1 WHERE subject = $2 AND kind = $3 AND name = $4 AND ended_by_seq IS NULL{own}"
    );
    let mut params = vec![event.seq.into(), (&event.subject).into(), kind.name().into(), name.into()];
    if replaces == Replaces::Own {
        params.push((&event.person).into());
    }
    t.execute(&sql, &params)
}

/// Takes decisions back; false if there was none.
///
/// # Errors
/// The database fails.
pub fn take_back(
    t: &mut dyn Transaction,
    at: Time,
    by: &str,
    subject: Subject<'_>,
    reason: &str,
    replaces: Replaces,
) -> Result<bool, StoreError> {
    let Subject { kind, submission, name } = subject;
    let in_effect = of_submission(t, kind, submission)?;
    let is_meant = |made: &&Made| made.name == name && (replaces == Replaces::All || made.by == by);
    if !in_effect.iter().any(|made| is_meant(&made)) {
        return Ok(false);
    }
    let body = json!({ "name": name, "reason": reason, "replaces": replaces.word() });
    let event = append(t, at, NewEvent { person: by, kind: kind.ended(), subject: submission, body })?;
    end_rows(t, &event, kind, name, replaces)?;
    touch(t, &event)?;
    Ok(true)
}

/// A submission has changed: what others hold of it is old.
///
/// # Errors
/// The database fails.
pub fn touch(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let sql = "UPDATE submission SET changed_seq = $2 WHERE id = $1";
    t.execute(sql, &[(&event.subject).into(), event.seq.into()])?;
    Ok(())
}

/// Replays an event of a decision; other events are left alone.
///
/// # Errors
/// The database fails.
pub fn replay(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let kinds = [Decision::Value, Decision::Frame, Decision::Verification, Decision::Counts];
    let text = |key: &str| event.body[key].as_str().unwrap_or_default().to_owned();
    let replaces = Replaces::of(&event.body);
    for kind in kinds {
        if event.kind == kind.made() {
            apply(t, event, kind, (&text("name"), &event.body["value"], &text("reason")), replaces)?;
        } else if event.kind == kind.ended() {
            end_rows(t, event, kind, &text("name"), replaces)?;
        }
    }
    Ok(())
}

/// The opinions on one value, and what counts: their median once there are enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinions {
    /// The criterion.
    pub name: String,
    /// All of them, the oldest first.
    pub opinions: Vec<Made>,
    /// What counts.
    pub value: Option<Json>,
}

/// The values of a submission; `judges` opinions make one count.
///
/// # Errors
/// The database fails.
pub fn values(t: &mut dyn Transaction, submission: &str, judges: u32) -> Result<Vec<Opinions>, StoreError> {
    let mut found: Vec<Opinions> = Vec::new();
    for made in of_submission(t, Decision::Value, submission)? {
        match found.iter_mut().find(|known| known.name == made.name) {
            Some(known) => known.opinions.push(made),
            None => found.push(Opinions { name: made.name.clone(), opinions: vec![made], value: None }),
        }
    }
    for opinions in &mut found {
        if opinions.opinions.len() >= judges as usize {
            opinions.value = median(&opinions.opinions);
        }
    }
    Ok(found)
}

/// The median of numbers; of lists, and of an even number of opinions the mean of the two in the middle, element by element.
/// None: lists of different lengths.
fn median(opinions: &[Made]) -> Option<Json> {
    if let [one] = opinions {
        return Some(one.value.clone());
    }
    let lists: Option<Vec<Vec<f64>>> = opinions
        .iter()
        .map(|made| match &made.value {
            Json::Array(list) => list.iter().map(Json::as_f64).collect(),
            number => number.as_f64().map(|number| vec![number]),
        })
        .collect();
    let lists = lists?;
    let length = lists.first()?.len();
    if lists.iter().any(|list| list.len() != length) {
        return None;
    }
    let middle = |place: usize| {
        let mut numbers: Vec<f64> = lists.iter().map(|list| list[place]).collect();
        numbers.sort_by(f64::total_cmp);
        let half = numbers.len() / 2;
        if numbers.len() % 2 == 1 { numbers[half] } else { f64::midpoint(numbers[half - 1], numbers[half]) }
    };
    let medians: Vec<f64> = (0..length).map(middle).collect();
    let is_list = opinions.iter().any(|made| made.value.is_array());
    match medians[..] {
        [one] if !is_list => Some(json!(one)),
        _ => Some(json!(medians)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::store::Database;

    fn opinion(value: Json) -> Made {
        let [subject, name, reason, by, at] = Default::default();
        Made { seq: 1, subject, name, value, reason, by, at }
    }

    #[test]
    fn the_median_of_opinions_counts() {
        let of = |values: &[Json]| median(&values.iter().cloned().map(opinion).collect::<Vec<_>>());
        assert_eq!(of(&[json!(3)]), Some(json!(3)));
        assert_eq!(of(&[json!(9), json!(1), json!(2)]), Some(json!(2.0)));
        assert_eq!(of(&[json!(1), json!(2)]), Some(json!(1.5)));
        assert_eq!(of(&[json!([1, 5]), json!([3, 5])]), Some(json!([2.0, 5.0])));
        assert_eq!(of(&[json!([1, 5]), json!([3])]), None);
    }

    #[test]
    fn decisions_end_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let at = Time::from_unix_ms(0);
        let subject = Subject { kind: Decision::Value, submission: "s", name: "P" };
        let enter = |by: &str, number: f64, replaces| {
            database.write(|t| decide(t, at, by, subject, (&json!(number), "seen it"), replaces)).unwrap();
        };
        let counting = |judges| {
            let all = database.read(|t| values(t, "s", judges)).unwrap();
            all.into_iter().next().and_then(|opinions| opinions.value)
        };
        enter("ada", 1.0, Replaces::Own);
        enter("bob", 3.0, Replaces::Own);
        assert_eq!((counting(2), counting(3)), (Some(json!(2.0)), None));
        enter("ada", 5.0, Replaces::Own);
        assert_eq!(counting(2), Some(json!(4.0)));
        enter("bob", 7.0, Replaces::All);
        assert_eq!(counting(1), Some(json!(7.0)));
        let take =
            |by: &str| database.write(|t| take_back(t, at, by, subject, "wrong", Replaces::Own)).unwrap();
        assert!(!take("ada") && take("bob") && !take("bob"));
        assert_eq!(counting(1), None);
        let rows = database.read(|t| t.query("SELECT ended_by_seq FROM decision", &[])).unwrap();
        assert_eq!(rows.len(), 4, "nothing is overwritten");
        assert!(rows.iter().all(|row| row.int_or_none(0).unwrap().is_some()));
    }
}
