//! Opinions of people on one relation (T-REVIEW): who has decided, whose turn it is, and what follows where two differ.
//!
//! The lines of a relation are read in their order. A decision of a person is opinion 1, 2 or 3 and replaces those from
//! its number on; a line that is proposed again, or decided by a rule, removes all of them; the line of a dispute keeps the
//! first two. A line that restores an earlier one therefore restores the opinions that stood then.

use std::f64::consts::PI;

use model::{Pose2, RelationRecord, RelationStatus, Rigid, SeededRng};

/// Adjusted displacements further apart than this differ, metres (T-REVIEW).
pub const DIFFER_M: f64 = 0.05;
/// The same for headings: one degree.
pub const DIFFER_RAD: f64 = PI / 180.0;
/// The reviewer of a line that says that two opinions differ.
const DISPUTE_REVIEWER: &str = "rule: opinions differ";

/// What one person decided about a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    pub reviewer: String,
    pub status: RelationStatus,
    /// The displacement that was decided about.
    pub delta: Pose2,
}

/// The standing opinions on a relation, at most three.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinions {
    given: Vec<Opinion>,
    is_disputed: bool,
}

/// Why a person may not decide about a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpinionRefused {
    #[error("the two opinions differ: a third person settles it")]
    Disputed,
    #[error("another person has given a second opinion since")]
    Seconded,
    #[error("a third opinion has settled it")]
    Settled,
}

impl Opinions {
    /// Takes the next line of the relation.
    pub fn take(&mut self, line: &RelationRecord) {
        self.is_disputed = line.is_disputed();
        if self.is_disputed {
            self.given.truncate(2);
        } else if line.status == RelationStatus::Proposed || line.is_by_rule() {
            self.given.clear();
        } else {
            self.given.truncate(usize::from(line.opinion.unwrap_or(1).clamp(1, 3)) - 1);
            self.given.push(Opinion::of(line));
        }
    }

    /// The opinions, the first one first.
    #[must_use]
    pub fn given(&self) -> &[Opinion] {
        &self.given
    }

    /// True if the first two differ and nobody has settled it.
    #[must_use]
    pub const fn is_disputed(&self) -> bool {
        self.is_disputed
    }

    /// Which opinion a decision of this person would be. A person may replace an own opinion as long as nobody has given
    /// a later one.
    ///
    /// # Errors
    /// It is not this person's turn.
    pub fn turn_of(&self, reviewer: &str) -> Result<u8, OpinionRefused> {
        let own = self.given.iter().position(|opinion| opinion.reviewer == reviewer);
        match (own, self.given.len()) {
            (Some(_), 2) if self.is_disputed => Err(OpinionRefused::Disputed),
            (Some(own), given) if own + 1 == given => Ok(given as u8),
            (Some(_), 2) => Err(OpinionRefused::Seconded),
            (Some(_), _) => Err(OpinionRefused::Settled),
            (None, given @ 0..=2) => Ok(given as u8 + 1),
            (None, _) => Err(OpinionRefused::Settled),
        }
    }
}

impl Opinion {
    /// The opinion that a line states.
    #[must_use]
    pub fn of(line: &RelationRecord) -> Self {
        Self {
            reviewer: line.reviewer.clone().unwrap_or_default(),
            status: line.status,
            delta: line.final_relation().pose().planar(),
        }
    }
}

/// Whether two opinions differ: in the status, or, where both adjusted, in the displacement.
#[must_use]
pub fn differ(one: &Opinion, other: &Opinion) -> bool {
    let rest = other.delta.seen_from(one.delta);
    one.status != other.status
        || (one.status == RelationStatus::Adjusted
            && (rest.distance_m() > DIFFER_M || rest.angle_rad() > DIFFER_RAD))
}

/// The line that follows a second opinion which differs from the first: proposed again, so that nothing disputed judges.
#[must_use]
pub fn dispute(second: &RelationRecord) -> RelationRecord {
    let mut line = RelationRecord {
        status: RelationStatus::Proposed,
        delta_final: None,
        reviewer: Some(DISPUTE_REVIEWER.to_owned()),
        note: None,
        opinion: None,
        seconds: None,
        ..second.clone()
    };
    line.tags.push(RelationRecord::DISPUTED.to_owned());
    line
}

/// Which relations get a second opinion: all adjusted ones, all for which somebody asked, and a seeded share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondOpinions {
    /// Share of the decided relations that go to another person, 0 to 1. Default 0.1, ours.
    pub share: f64,
    /// Chooses them: the same seed chooses the same relations, whatever their order.
    pub seed: u64,
}

impl Default for SecondOpinions {
    fn default() -> Self {
        Self { share: 0.1, seed: 0 }
    }
}

impl SecondOpinions {
    /// Which opinion is asked of this person about a relation whose last line is given; none if nothing is.
    #[must_use]
    pub fn due(&self, last: &RelationRecord, opinions: &Opinions, reviewer: &str) -> Option<u8> {
        let given = opinions.given();
        if given.iter().any(|opinion| opinion.reviewer == reviewer) {
            return None;
        }
        let is_open = match given.len() {
            0 => last.status == RelationStatus::Proposed || last.second_by.is_some(),
            1 => self.is_wanted(last),
            2 => opinions.is_disputed(),
            _ => false,
        };
        is_open.then_some(given.len() as u8 + 1)
    }

    fn is_wanted(&self, last: &RelationRecord) -> bool {
        last.status == RelationStatus::Adjusted || last.second_by.is_some() || self.is_drawn(&last.id)
    }

    /// Whether the seed draws this relation.
    #[must_use]
    pub fn is_drawn(&self, id: &str) -> bool {
        // FNV-1a: a stream of its own for each name, so that the file's order does not matter.
        let name = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        SeededRng::new(self.seed).stream(name).uniform() < self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::relation;

    fn line(status: RelationStatus, reviewer: &str, opinion: u8) -> RelationRecord {
        RelationRecord {
            status,
            reviewer: Some(reviewer.to_owned()),
            opinion: Some(opinion),
            ..RelationRecord::proposed("a".to_owned(), relation(0.0, 1.0, 0.5, 0.0, 0.0))
        }
    }

    fn after(lines: &[RelationRecord]) -> Opinions {
        let mut opinions = Opinions::default();
        lines.iter().for_each(|line| opinions.take(line));
        opinions
    }

    use RelationStatus::{Accepted, Adjusted, Proposed, Rejected};

    #[test]
    fn a_dispute_waits_for_a_third_person_and_undo_restores_each_state() {
        let proposal = RelationRecord { reviewer: None, opinion: None, ..line(Proposed, "", 1) };
        let (first, second) = (line(Accepted, "Ada", 1), line(Rejected, "Bob", 2));
        let disputed = dispute(&second);
        assert_eq!((disputed.status, disputed.is_disputed(), disputed.is_truth()), (Proposed, true, false));
        let mut lines = vec![proposal.clone(), first.clone(), second, disputed.clone()];
        let opinions = after(&lines);
        assert!(opinions.is_disputed() && opinions.given().len() == 2);
        assert_eq!(opinions.turn_of("Ada"), Err(OpinionRefused::Disputed));
        assert_eq!(opinions.turn_of("Bob"), Err(OpinionRefused::Disputed));
        assert_eq!(opinions.turn_of("Cid"), Ok(3));
        lines.push(line(Accepted, "Cid", 3));
        assert_eq!((after(&lines).given().len(), after(&lines).is_disputed()), (3, false));
        assert_eq!(after(&lines).turn_of("Dan"), Err(OpinionRefused::Settled));
        lines.push(disputed);
        assert_eq!((after(&lines).given().len(), after(&lines).is_disputed()), (2, true));
        lines.push(first);
        assert_eq!((after(&lines).given().len(), after(&lines).is_disputed()), (1, false));
        assert_eq!((after(&lines).turn_of("Ada"), after(&lines).turn_of("Bob")), (Ok(1), Ok(2)));
        lines.push(proposal);
        assert_eq!(after(&lines), Opinions::default());
    }

    #[test]
    fn adjustments_differ_from_5_cm_and_1_degree_on() {
        let at = |x_m: f64, theta_rad| Opinion {
            reviewer: String::new(),
            status: Adjusted,
            delta: Pose2::new(x_m, 0.0, theta_rad),
        };
        assert!(!differ(&at(0.0, 0.0), &at(0.049, 0.017)) && differ(&at(0.0, 0.0), &at(0.051, 0.0)));
        assert!(differ(&at(0.0, 0.0), &at(0.0, 0.018)));
        // Whoever accepts says nothing about a displacement of their own.
        let accepted = Opinion { status: Accepted, ..at(3.0, 0.0) };
        assert!(!differ(&accepted, &Opinion { status: Accepted, ..at(0.0, 0.0) }));
        assert!(differ(&accepted, &at(3.0, 0.0)));
    }

    #[test]
    fn adjusted_asked_for_and_drawn_relations_go_to_another_person() {
        let none = SecondOpinions { share: 0.0, seed: 0 };
        let due = |second: &SecondOpinions, last: &RelationRecord, who: &str| {
            second.due(last, &after(std::slice::from_ref(last)), who)
        };
        let accepted = line(Accepted, "Ada", 1);
        assert_eq!(due(&none, &accepted, "Bob"), None);
        assert_eq!(due(&none, &line(Adjusted, "Ada", 1), "Bob"), Some(2));
        assert_eq!(due(&none, &line(Adjusted, "Ada", 1), "Ada"), None);
        let asked = RelationRecord { second_by: Some("Ada".to_owned()), ..accepted.clone() };
        assert_eq!(due(&none, &asked, "Bob"), Some(2));
        let all = SecondOpinions { share: 1.0, seed: 0 };
        assert_eq!((due(&all, &accepted, "Bob"), due(&all, &accepted, "Ada")), (Some(2), None));
        let by_rule = line(Accepted, "rule: overlap >= 0.5", 1);
        assert_eq!(due(&all, &by_rule, "Bob"), None);
        let asked = RelationRecord { second_by: Some("Ada".to_owned()), ..by_rule };
        assert_eq!(due(&none, &asked, "Bob"), Some(1));
    }

    #[test]
    fn a_seed_draws_its_share_and_another_seed_others() {
        let drawn = |seed: u64| -> Vec<usize> {
            let second = SecondOpinions { share: 0.1, seed };
            (0..2000).filter(|index| second.is_drawn(&format!("r{index}"))).collect()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        // 200 expected, four standard deviations of 13.4.
        assert!(drawn(1).len().abs_diff(200) < 54, "{}", drawn(1).len());
    }
}
