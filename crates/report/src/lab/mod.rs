//! The lab's result: value, tables and the page (X-LAB).

mod page;
mod panel;
mod table;
mod value;

pub use page::lab_page;
pub use table::{lab_costs_csv, lab_matrix_csv, lab_matrix_markdown, lab_table};
pub use value::{
    LAB_SCHEMA, LabAnswer, LabCost, LabCurve, LabKind, LabMap, LabMetric, LabReport, LabVerdict,
};
