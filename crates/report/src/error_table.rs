//! Errors of single poses, pairs of poses and relations: tables that become CSV files beside a report.

use serde::{Deserialize, Serialize};

use crate::Report;
use crate::csv::{harmless, quoted};

/// Errors of one kind of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorTable {
    /// Name of its file, without extension.
    pub name: String,
    /// Names with units, such as `translation_error_m`.
    pub columns: Vec<String>,
    /// One row per pose, pair or relation.
    pub rows: Vec<Vec<f64>>,
}

impl ErrorTable {
    /// The values of a column; none if there is no such column.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = f64> + '_> {
        let index = self.columns.iter().position(|column| column == name)?;
        Some(self.rows.iter().map(move |row| row.get(index).copied().unwrap_or(f64::NAN)))
    }
}

/// The names of all tables of errors of a report, in the order of their first case.
#[must_use]
pub fn error_table_names(report: &Report) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for table in report.cases.iter().flat_map(|case| &case.errors) {
        if !names.contains(&table.name.as_str()) {
            names.push(&table.name);
        }
    }
    names
}

/// The tables of one name as CSV, the run in the first column; every digit is kept.
#[must_use]
pub fn errors_csv(report: &Report, name: &str) -> String {
    let mut text = String::new();
    for case in &report.cases {
        let Some(table) = case.error_table(name) else { continue };
        if text.is_empty() {
            text = format!("run,{}\n", table.columns.join(","));
        }
        let run = quoted(&harmless(&case.name));
        for row in &table.rows {
            text.push_str(&run);
            for value in row {
                text.push(',');
                if value.is_finite() {
                    text.push_str(&value.to_string());
                }
            }
            text.push('\n');
        }
    }
    text
}

/// Reads the table of one run back from the text of [`errors_csv`].
///
/// # Errors
/// The line with what was expected there.
pub fn read_errors_csv(text: &str, name: &str, run: &str) -> Result<ErrorTable, String> {
    let mut lines = text.lines().zip(1..);
    let header = lines.next().and_then(|(line, _)| line.strip_prefix("run,"));
    let header = header.ok_or_else(|| "line 1: expected a header that begins with 'run,'".to_owned())?;
    let columns: Vec<String> = header.split(',').map(str::to_owned).collect();
    let own = quoted(&harmless(run));
    let mut rows = Vec::new();
    for (line, number) in lines {
        let mut fields: Vec<&str> = line.rsplitn(columns.len() + 1, ',').collect();
        if fields.pop() != Some(own.as_str()) {
            continue;
        }
        let value = |field: &&str| if field.is_empty() { Ok(f64::NAN) } else { field.parse::<f64>() };
        let row: Vec<f64> = fields.iter().rev().map(value).collect::<Result<_, _>>().map_err(|_| {
            format!("line {number}: expected {} numbers behind the run, found '{line}'", columns.len())
        })?;
        if row.len() != columns.len() {
            return Err(format!("line {number}: expected {} numbers, found {}", columns.len(), row.len()));
        }
        rows.push(row);
    }
    Ok(ErrorTable { name: name.to_owned(), columns, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn report() -> Report {
        let table = |rows: &[[f64; 2]]| ErrorTable {
            name: "errors".to_owned(),
            columns: vec!["time_s".to_owned(), "translation_error_m".to_owned()],
            rows: rows.iter().map(|row| row.to_vec()).collect(),
        };
        let mut report = example::report(vec![example::case("a, =b", vec![]), example::case("=c", vec![])]);
        report.cases[0].errors = vec![table(&[[1.0, 0.25], [2.0, f64::NAN]])];
        report.cases[1].errors = vec![table(&[[1.0, 0.125]])];
        report
    }

    #[test]
    fn every_row_names_its_run_and_comes_back() {
        let report = report();
        let text = errors_csv(&report, "errors");
        assert_eq!(text, "run,time_s,translation_error_m\n\"a, =b\",1,0.25\n\"a, =b\",2,\n'=c,1,0.125\n");
        let back = read_errors_csv(&text, "errors", "a, =b").unwrap();
        assert_eq!(back.rows.len(), 2);
        assert_eq!(back.column("time_s").unwrap().collect::<Vec<_>>(), [1.0, 2.0]);
        assert!(back.column("translation_error_m").unwrap().nth(1).unwrap().is_nan());
        assert_eq!(read_errors_csv(&text, "errors", "=c").unwrap(), report.cases[1].errors[0]);
        assert_eq!(error_table_names(&report), ["errors"]);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        assert!(read_errors_csv("time\n", "errors", "a").unwrap_err().contains("line 1"));
        assert!(read_errors_csv("run,t\na,x\n", "errors", "a").unwrap_err().contains("line 2"));
        assert!(read_errors_csv("run,t\nb,x\n", "errors", "a").unwrap().rows.is_empty());
    }
}
