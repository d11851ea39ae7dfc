//! Conformance (X-CONFORM): the vectors that any program can be held against, and how an answer is judged.
//!
//! Here are values only: the set of vectors, the description of a tool, the forms in which it gets a vector, what its
//! output means, and the verdict. `files::conform` runs the tool.

mod answer;
mod compare;
mod form;
mod npy;
mod pattern;
mod tar;
mod template;
mod tool_file;
mod vectors;

pub(crate) use answer::{Outcome, read_outcome};
pub(crate) use compare::{Asked, conform_report, judged_value};
pub(crate) use form::{Staged, stage};
pub use tar::{tar_header, tar_of};
pub use template::{SHIPPED_TOOLS, TEMPLATE};
pub(crate) use tool_file::OneOrMany;
pub use tool_file::{InputForm, KnownDifference, ToolFile, ToolMetric};
pub use vectors::{Expected, Vector, VectorFiles, VectorKind, VectorSet};
