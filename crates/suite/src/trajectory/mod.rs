//! Several runs against each other, and the figures of one run.

mod bootstrap;
mod compare;
mod compare_saved;
mod errors;
mod figures;

pub(crate) use compare::compare_runs;
pub(crate) use compare_saved::compare_saved;
pub(crate) use errors::error_tables;
pub(crate) use figures::run_figures;
