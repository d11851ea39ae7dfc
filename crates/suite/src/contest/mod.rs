//! Contests: teams and missions in, a ranking that can be defended out.
//!
//! [`Contest`] is what a contest file says, with the [`Profile`] that scores; [`judge_contest`] measures every
//! submission, alone, in parallel and only if something changed, then scores and ranks; [`write_contest`] writes the
//! pages. A submission that cannot be read gets zero with the reason and stops nobody else.

mod artifact_points;
mod cache;
mod character_matrix;
mod combine;
mod file;
mod file_name;
mod formula;
mod measure;
mod measured;
mod mission_truth;
mod output;
mod part;
mod pattern;
mod place;
mod profile;
mod rank;
mod role;
mod run;
mod samples;
mod sensitivity;
mod significance;
mod skeleton;
mod standing;
mod submission;
mod zip;

pub use artifact_points::{ArtifactRules, ArtifactScore, artifact_points};
pub use cache::Cache;
pub use character_matrix::{CharacterMatrix, MatrixError, MatrixScore, matrix_score};
pub use file::{Contest, ContestFile};
pub use formula::{Formula, FormulaError, Quantity, Unanswered};
pub use output::write_contest;
pub use part::{Criterion, Part, Source};
pub use place::Place;
pub use profile::{Profile, SHIPPED};
pub use role::Role;
pub use run::{ContestOptions, JudgedContest, judge_contest};
pub use skeleton::skeleton;
