//! Contests: teams and missions in, a ranking that can be defended out.
//!
//! [`Contest`] holds missions with their truth and the [`Profile`] that scores; [`Submissions`] gives what teams hand in;
//! [`judge_contest`] measures every submission, alone, in parallel and only if something changed, then scores and ranks. A
//! submission that cannot be read gets zero with the reason and stops nobody else; [`judge_contest_by`] takes a
//! [`Measurer`] that keeps limits too. All of it are values: files are read and written by [`crate::files`].

mod artifact_points;
mod character_matrix;
mod combine;
mod entrants;
mod false_alarms;
mod file_name;
mod formula;
mod hand_frame;
mod identical;
mod measure;
mod measured;
mod measurer;
mod missing_truth;
mod part;
mod place;
mod profile;
mod rank;
mod role;
mod run;
mod sensitivity;
mod sheet_tables;
mod significance;
mod standing;
mod store;

pub(crate) use artifact_points::MAX_REPORTS;
pub use artifact_points::{ArtifactRules, ArtifactScore, artifact_points};
pub use character_matrix::{CharacterMatrix, MatrixError, MatrixScore, matrix_score};
pub use entrants::{
    Combine, Contest, Fault, FaultKind, FileFinding, Mission, Signature, Stated, Submission, Submissions,
};
pub use file_name::{file_name, file_names};
pub use formula::{Formula, FormulaError, Quantity, Unanswered};
pub use measured::Measured;
pub use measurer::{Measurement, Measurer};
pub(crate) use measurer::{load_and_measure, measure_one, plan_of};
pub(crate) use missing_truth::needs_layout_alone;
pub use missing_truth::{MissingTruth, missing_truth};
pub use part::{Criterion, Part, Source};
pub use place::Place;
pub(crate) use place::places;
pub use profile::{Profile, SHIPPED};
pub use role::Role;
pub use run::{ContestOptions, ContestResult, judge_contest, judge_contest_by};
pub use standing::{Entries, Entry};
pub(crate) use store::key;
pub use store::{FINGERPRINT, MemoryStore, Store};
