//! Which submission of a team counts in a mission.

use std::collections::BTreeMap;

use super::decisions::{self, Decision};
use super::store::{StoreError, Transaction};

/// The submission that counts, and why, by team and mission.
pub type Counted = BTreeMap<(String, String), (String, Why)>;

/// Why a submission counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A judge chose it.
    Chosen,
    /// It is the last that is in time and can be read.
    Last,
    /// Nothing can be read; it is the last.
    LastBroken,
}

impl Why {
    /// For people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Chosen => "a judge chose it",
            Self::Last => "it is the last one in time",
            Self::LastBroken => "it is the last one in time; none can be read",
        }
    }
}

/// What counts: what a judge chose; else, unless judges choose everything, the last submission that is neither late nor
/// broken and is measured; else the last broken one, whose score is zero with the reason.
///
/// # Errors
/// The database fails.
pub fn counted(t: &mut dyn Transaction, only_chosen: bool) -> Result<Counted, StoreError> {
    let mut counted = Counted::new();
    let rows =
        t.query("SELECT id, team, mission, late, state FROM submission ORDER BY team, mission, number", &[])?;
    let chosen: Vec<String> =
        decisions::all(t, Decision::Counts)?.into_iter().map(|made| made.subject).collect();
    for row in rows {
        let (id, place) = (row.text(0)?, (row.text(1)?, row.text(2)?));
        let (is_late, is_broken) = (row.truth(3)?, row.text(4)? == "broken");
        // What is not measured yet has no score; until then the one before it counts.
        let is_done = matches!(row.text(4)?.as_str(), "measured" | "broken");
        let why = match (chosen.contains(&id), only_chosen || is_late || !is_done, is_broken) {
            (true, _, _) => Why::Chosen,
            (false, true, _) => continue,
            (false, false, false) => Why::Last,
            (false, false, true) => Why::LastBroken,
        };
        let before = counted.get(&place).map(|(_, why)| *why);
        let is_better = match before {
            None | Some(Why::LastBroken) => true,
            Some(Why::Last) => why != Why::LastBroken,
            Some(Why::Chosen) => why == Why::Chosen,
        };
        if is_better {
            counted.insert(place, (id, why));
        }
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::clock::Time;
    use crate::contest::decisions::{Replaces, Subject, decide};
    use crate::contest::store::Database;

    #[test]
    fn the_last_readable_one_in_time_counts_unless_a_judge_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let add = |id: &str, number: i64, late: bool, state: &str| {
            let sql = "INSERT INTO submission (id, team, mission, number, person, received_at, late, state, seq, hash, changed_seq) \
                       VALUES ($1, 'A', 'm', $2, 'a', '', $3, $4, 0, '', 0)";
            let params = [id.into(), number.into(), late.into(), state.into()];
            database.write(|t| t.execute(sql, &params)).unwrap();
        };
        let now = |only_chosen| {
            let counted = database.read(|t| counted(t, only_chosen)).unwrap();
            counted.into_values().next()
        };
        assert_eq!(now(false), None);
        add("one", 1, false, "broken");
        assert_eq!(now(false), Some(("one".into(), Why::LastBroken)));
        add("two", 2, false, "measured");
        add("three", 3, false, "broken");
        add("four", 4, true, "measured");
        add("five", 5, false, "checked");
        assert_eq!(now(false), Some(("two".into(), Why::Last)));
        assert_eq!(now(true), None);
        let subject = Subject { kind: Decision::Counts, submission: "four", name: "" };
        let at = Time::from_unix_ms(0);
        let value = serde_json::Value::Null;
        database.write(|t| decide(t, at, "j", subject, (&value, "the net was down"), Replaces::All)).unwrap();
        assert_eq!(
            (now(false), now(true)),
            (Some(("four".into(), Why::Chosen)), Some(("four".into(), Why::Chosen)))
        );
    }
}
