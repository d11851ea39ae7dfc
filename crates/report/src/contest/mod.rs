//! The value of a contest, schema `mapjudge.contest/1`, and its renderings: ranking tables, overview, score sheets.

mod overview;
mod pareto_chart;
mod ranking_table;
mod sheet;
mod value;

pub use overview::{Overlay, overview};
pub use ranking_table::{ranking, ranking_on};
pub use sheet::{RecordHead, Sheet, SheetTable, sheet};
pub use value::{
    CONTEST_SCHEMA, ContestFinding, ContestReport, EnteredRecord, Flip, MissionResult, Outcome, PairShare,
    ParetoAxisRecord, ParetoRecord, PartRecord, RankedTeam, Rules, Significance, contest_schema,
};

#[cfg(test)]
pub(crate) mod example;
