//! Who somebody is, and what they may do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a person does in the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PersonRole {
    /// Everything, persons and the freeze too.
    Admin,
    /// Enters values, verifies, publishes.
    Judge,
    /// Hands in for one team.
    Team,
    /// Looks on.
    Viewer,
}

impl PersonRole {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Admin, Self::Judge, Self::Team, Self::Viewer];

    /// The word in tables and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Judge => "judge",
            Self::Team => "team",
            Self::Viewer => "viewer",
        }
    }

    /// The role of a word.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A person who is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Id.
    pub id: String,
    /// Name, unique among those who were not removed.
    pub name: String,
    /// Role.
    pub role: PersonRole,
    /// The team, of somebody who hands in.
    pub team: Option<String>,
}

impl Person {
    /// Whether the person sees everything and enters values.
    #[must_use]
    pub const fn is_judge(&self) -> bool {
        matches!(self.role, PersonRole::Admin | PersonRole::Judge)
    }
}

/// Who sends a request; none for the public.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Who(pub Option<Person>);

impl Who {
    /// The person, where one is known.
    #[must_use]
    pub const fn person(&self) -> Option<&Person> {
        self.0.as_ref()
    }

    /// The name for events.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.as_ref().map_or("", |person| &person.name)
    }

    /// Whether everything is seen.
    #[must_use]
    pub fn is_judge(&self) -> bool {
        self.0.as_ref().is_some_and(Person::is_judge)
    }

    /// The team whose submissions are seen; none for judges, who see all.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match &self.0 {
            Some(person) if person.is_judge() => Scope::All,
            Some(Person { role: PersonRole::Team, team: Some(team), .. }) => Scope::Team(team.clone()),
            _ => Scope::Nothing,
        }
    }
}

/// Whose submissions are seen. Part of every statement that reads one: foreign ones are not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everybody's.
    All,
    /// Of one team.
    Team(String),
    /// Nobody's.
    Nothing,
}

impl Scope {
    /// The two parameters of [`Self::CONDITION`].
    #[must_use]
    pub fn params(&self) -> [super::store::Value; 2] {
        match self {
            Self::All => [1_i64.into(), "".into()],
            Self::Team(team) => [0_i64.into(), team.into()],
            // No team has an empty name that is seen: the second condition needs one.
            Self::Nothing => [0_i64.into(), "\u{1}nobody".into()],
        }
    }

    /// A condition on `submission.team` with the parameters `$1` and `$2`.
    pub const CONDITION: &'static str = "($1 = CAST(1 AS BIGINT) OR team = $2)";
}

/// What a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the public may.
    Nobody,
    /// Somebody who is logged in.
    Person,
    /// Somebody who hands in, for the own team or for any.
    Submitter,
    /// A judge or an admin.
    Judge,
    /// An admin.
    Admin,
}

impl Needs {
    /// Whether somebody has it.
    #[must_use]
    pub fn has(self, who: &Who) -> bool {
        match (self, who.person()) {
            (Self::Nobody, _) | (Self::Person, Some(_)) => true,
            (Self::Submitter, Some(person)) => person.role != PersonRole::Viewer,
            (Self::Judge, Some(person)) => person.is_judge(),
            (Self::Admin, Some(person)) => person.role == PersonRole::Admin,
            (_, None) => false,
        }
    }

    /// In words, for the description of the interface.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Nobody => "anybody",
            Self::Person => "anybody who is logged in",
            Self::Submitter => "teams for themselves, judges for any team",
            Self::Judge => "judges and admins",
            Self::Admin => "admins",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(role: PersonRole) -> Who {
        Who(Some(Person { id: "1".into(), name: "a".into(), role, team: Some("A".into()) }))
    }

    #[test]
    fn each_role_has_what_the_table_says() {
        let all = [Needs::Nobody, Needs::Person, Needs::Submitter, Needs::Judge, Needs::Admin];
        let has = |who: &Who| all.map(|needs| needs.has(who));
        assert_eq!(has(&Who::default()), [true, false, false, false, false]);
        assert_eq!(has(&who(PersonRole::Viewer)), [true, true, false, false, false]);
        assert_eq!(has(&who(PersonRole::Team)), [true, true, true, false, false]);
        assert_eq!(has(&who(PersonRole::Judge)), [true, true, true, true, false]);
        assert_eq!(has(&who(PersonRole::Admin)), [true; 5]);
    }

    #[test]
    fn a_viewer_sees_no_submission_even_of_a_team_that_it_names() {
        assert_eq!(who(PersonRole::Viewer).scope(), Scope::Nothing);
        assert_eq!(who(PersonRole::Team).scope(), Scope::Team("A".into()));
        assert_eq!(who(PersonRole::Judge).scope(), Scope::All);
    }
}
