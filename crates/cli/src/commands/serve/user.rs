//! `mapjudge serve user add|list|code|token|revoke|cards`: who gets in.

use std::path::PathBuf;

use mapjudge::files::{Overwrite, write_same_or_new};
use server::contest::accounts::{self, AccountError, Listed};
use server::contest::clock::Time;
use server::contest::reach::PublicUrl;
use server::contest::roles::PersonRole;
use server::contest::rules::Rules;
use server::contest::state_folder::State;

use super::cards::{Card, sheet};
use super::{ContestFlags, parse_url};
use crate::failure::Failure;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};

/// Who did what from a terminal.
const ORGANISER: &str = "organiser";

/// Who gets in: add, list, log-in links, tokens for programs, cards to print.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge serve user add 'Ada Lovelace' --role judge
  mapjudge serve user add hector --role team --team Hector
  mapjudge serve user code hector
      a new link; the old one ends
  mapjudge serve user token hector
      for curl: -H \"Authorization: Bearer TOKEN\"")]
pub struct User {
    #[command(subcommand)]
    action: UserAction,
}

#[derive(clap::Subcommand)]
enum UserAction {
    /// Add somebody and print a log-in link.
    Add {
        /// Name, as events show it.
        name: String,
        /// What the person may do.
        #[arg(long, value_parser = ["admin", "judge", "team", "viewer"])]
        role: String,
        /// The team that somebody of the role team hands in for.
        #[arg(long)]
        team: Option<String>,
        #[command(flatten)]
        link: LinkFlags,
    },
    /// List everybody.
    List {
        #[command(flatten)]
        contest: ContestFlags,
        #[command(flatten)]
        format: FormatFlag,
    },
    /// Print a new log-in link; the old one ends.
    Code {
        /// Name.
        name: String,
        #[command(flatten)]
        link: LinkFlags,
    },
    /// Print a token for a program.
    Token {
        /// Name.
        name: String,
        #[command(flatten)]
        contest: ContestFlags,
    },
    /// Remove somebody; sessions and tokens end at once.
    Revoke {
        /// Name.
        name: String,
        #[command(flatten)]
        contest: ContestFlags,
    },
    /// Write a sheet to print and cut, with a new link for each team.
    Cards {
        /// The page to write.
        #[arg(long, value_name = "FILE.html", default_value = "cards.html")]
        out: PathBuf,
        /// Write over a file that is there.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        link: LinkFlags,
    },
}

#[derive(clap::Args)]
struct LinkFlags {
    #[command(flatten)]
    contest: ContestFlags,
    /// Address under which the contest is reached, for the link.
    #[arg(long, value_name = "URL", value_parser = parse_url, default_value = "http://127.0.0.1:8080")]
    public_url: PublicUrl,
}

impl LinkFlags {
    fn link(&self, code: &str) -> String {
        format!("{}/login#{code}", self.public_url.text())
    }
}

impl User {
    pub fn run(&self) -> Result<Answer, Failure> {
        let now = Time::now();
        match &self.action {
            UserAction::Add { name, role, team, link } => {
                let state = link.contest.open()?;
                let role = PersonRole::of(role).ok_or_else(|| Failure::new("--role is unknown"))?;
                let teams = Rules::of(&state.folder).teams;
                let made = state.db.write(|t| {
                    accounts::add(t, now, ORGANISER, (name, role, team.as_deref()), &teams)?;
                    accounts::new_code(t, now, ORGANISER, name)
                });
                let code = made.map_err(|error| failure(&error, &teams))?;
                Ok(Answer::text(format!("{}\n", link.link(&code))))
            }
            UserAction::Code { name, link } => {
                let state = link.contest.open()?;
                let code = state.db.write(|t| accounts::new_code(t, now, ORGANISER, name));
                Ok(Answer::text(format!("{}\n", link.link(&code.map_err(|error| failure(&error, &[]))?))))
            }
            UserAction::Token { name, contest } => {
                let token = contest.open()?.db.write(|t| accounts::new_token(t, now, ORGANISER, name));
                Ok(Answer::text(format!("{}\n", token.map_err(|error| failure(&error, &[]))?)))
            }
            UserAction::Revoke { name, contest } => {
                let revoked = contest.open()?.db.write(|t| accounts::revoke(t, now, ORGANISER, name));
                revoked.map_err(|error| failure(&error, &[]))?;
                Ok(Answer::notes(vec![format!("{name} gets in no more")]))
            }
            UserAction::List { contest, format } => {
                let listed = contest.open()?.db.read(|t| accounts::list(t, now));
                Ok(format.answer(Printed::new(listed.map_err(super::database_failure)?, table)))
            }
            UserAction::Cards { out, force, link } => {
                let state = link.contest.open()?;
                let cards = cards(&state, now, link).map_err(|error| failure(&error, &[]))?;
                let count = cards.len();
                let overwrite = if *force { Overwrite::Allowed } else { Overwrite::Refused };
                write_same_or_new(out, sheet(&state.folder.file.title, &cards), overwrite)?;
                Ok(Answer::notes(vec![format!(
                    "{count} cards in {}; each link works once, within a day",
                    out.display()
                )]))
            }
        }
    }
}

/// A card for each team: for its people of the contest, or for one who is added under its name.
fn cards(state: &State, now: Time, link: &LinkFlags) -> Result<Vec<Card>, AccountError> {
    let teams = Rules::of(&state.folder).teams;
    state.db.write(|t| {
        let people = accounts::list(t, now)?;
        let mut cards = Vec::new();
        for team in &teams {
            let of_team = people.iter().find(|person| !person.revoked && person.team.as_ref() == Some(team));
            let name = match of_team {
                Some(person) => person.name.clone(),
                None => accounts::add(t, now, ORGANISER, (team, PersonRole::Team, Some(team)), &teams)?.name,
            };
            let code = accounts::new_code(t, now, ORGANISER, &name)?;
            cards.push(Card { team: team.clone(), link: link.link(&code) });
        }
        Ok(cards)
    })
}

#[allow(clippy::ptr_arg, reason = "what a table is made of is the value itself")]
fn table(listed: &Vec<Listed>) -> String {
    let mut text = String::new();
    for person in listed {
        let team = person.team.as_ref().map_or_else(String::new, |team| format!(" of {team}"));
        let seen = person.seen_at.as_deref().map_or("never here", |_| "was here");
        let state = match (person.revoked, person.has_code) {
            (true, _) => "removed",
            (false, true) => "has a link that was not used",
            (false, false) => seen,
        };
        text += &format!("{}: {}{team}; {state}\n", report::shown_name(&person.name), person.role.name());
    }
    text
}

fn failure(error: &AccountError, teams: &[String]) -> Failure {
    let hint = match error {
        AccountError::Unknown(_) => "`mapjudge serve user list` lists everybody".to_owned(),
        AccountError::Known(_) => "`mapjudge serve user code NAME` makes a new link".to_owned(),
        AccountError::Team(_) => format!("--role team --team NAME; the teams are {}", teams.join(", ")),
        AccountError::LastAdmin(_) => "add another admin first".to_owned(),
        AccountError::Name | AccountError::Random | AccountError::Store(_) => {
            "`mapjudge serve user --help` has examples".to_owned()
        }
    };
    Failure::new(error.to_string()).hint(hint)
}
