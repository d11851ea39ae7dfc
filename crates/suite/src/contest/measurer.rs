//! Who measures a submission: this process, or others that may fail without harm to it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::entrants::{Contest, Mission, Submission, Submissions};
use super::measure::measure;
use super::measured::Measured;
use crate::{Figures, Plan};

/// What came of a measurement.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What was measured, or why it was not.
    pub measured: Measured,
    /// Whether the same files give the same again. False where a limit of the machine decided: such a result is not
    /// stored, so that a run with more time or memory measures anew.
    pub is_repeatable: bool,
}

/// Measures submissions by the numbers of team and mission.
pub trait Measurer: Sync {
    /// Measures one submission. Whatever is wrong with it is a result.
    fn measure(&self, team: usize, mission: usize) -> Measurement;
}

/// Measures in this process: a submission that exhausts memory or stack ends all of it.
pub(super) struct InProcess<'a> {
    pub contest: &'a Contest,
    pub submissions: &'a dyn Submissions,
    pub figures: Figures,
}

impl Measurer for InProcess<'_> {
    fn measure(&self, team: usize, mission: usize) -> Measurement {
        let measured = measure_one(self.contest, self.submissions, self.figures, (team, mission));
        Measurement { measured, is_repeatable: true }
    }
}

/// Loads and measures one submission, by the numbers of team and mission. A panic breaks this submission alone.
pub(crate) fn measure_one(
    contest: &Contest,
    submissions: &dyn Submissions,
    figures: Figures,
    (team, mission): (usize, usize),
) -> Measured {
    load_and_measure(contest, submissions, figures, (team, mission)).1
}

/// As [`measure_one`], with what was loaded; none if that failed.
pub(crate) fn load_and_measure(
    contest: &Contest,
    submissions: &dyn Submissions,
    figures: Figures,
    (team, mission): (usize, usize),
) -> (Option<Submission>, Measured) {
    let broken = || Measured::broken("an internal error; please report it with the file");
    let load = || {
        let mut submission = submissions.load(team, mission);
        submission.subject.name.clone_from(&contest.teams[team]);
        submission
    };
    let Ok(submission) = catch_unwind(AssertUnwindSafe(load)) else { return (None, broken()) };
    if let Some(why) = &submission.broken {
        let measured = Measured::broken(why);
        return (Some(submission), measured);
    }
    let at = &contest.missions[mission];
    let measured =
        catch_unwind(AssertUnwindSafe(|| measure(contest, at, &plan_of(contest, at, figures), &submission)));
    (Some(submission), measured.unwrap_or_else(|_| broken()))
}

/// The plan of a mission, with or without figures.
pub(crate) fn plan_of(contest: &Contest, mission: &Mission, figures: Figures) -> Plan {
    Plan { figures, ..contest.plan(mission) }
}
