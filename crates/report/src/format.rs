//! The names of the renderings, and the door to all of them.

use std::str::FromStr;

use crate::{Report, TableStyle, csv, html, json, junit, latex, markdown, table};

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A table for the terminal.
    Table,
    /// The whole report value.
    Json,
    /// One row per case and metric, for spreadsheets.
    Csv,
    /// A table for GitHub.
    Md,
    /// A booktabs table for a paper.
    Latex,
    /// One page with figures, for people.
    Html,
    /// Limits and baseline as tests, for build servers.
    Junit,
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no format '{found}': expected {}", Format::ALL.map(Format::name).join(", "))]
pub struct FormatError {
    /// What was asked for.
    pub found: String,
}

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The report value has no JSON.
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The page's template failed.
    #[error("the report cannot be written as HTML: {0}")]
    Html(#[from] minijinja::Error),
    /// A figure of the page cannot be drawn.
    #[error("{0}")]
    Image(#[from] crate::ImageError),
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 7] =
        [Self::Table, Self::Json, Self::Csv, Self::Md, Self::Latex, Self::Html, Self::Junit];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Md => "md",
            Self::Latex => "latex",
            Self::Html => "html",
            Self::Junit => "junit",
        }
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Self, FormatError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| FormatError { found: name.to_owned() })
    }
}

/// Writes a report in a format; only HTML shows its figures.
///
/// # Errors
/// The value cannot be written in this format.
pub fn render(report: &Report, format: Format) -> Result<String, RenderError> {
    render_styled(report, format, TableStyle::default())
}

/// As [`render`], with the numbers of Markdown and LaTeX tables as the style says.
///
/// # Errors
/// The value cannot be written in this format.
pub fn render_styled(report: &Report, format: Format, style: TableStyle) -> Result<String, RenderError> {
    match format {
        Format::Table => Ok(table::table(report)),
        Format::Json => json::json(report),
        Format::Csv => csv::csv(report),
        Format::Md => Ok(markdown::markdown(report, style)),
        Format::Latex => Ok(latex::latex(report, style)),
        Format::Html => html(report),
        Format::Junit => Ok(junit::junit(report)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use proptest::prelude::*;

    #[test]
    fn every_name_leads_back_to_its_format() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let message = "pdf".parse::<Format>().unwrap_err().to_string();
        assert!(message.starts_with("no format 'pdf': expected table, json"));
    }

    #[test]
    fn every_format_writes_every_kind_of_report() {
        let reports =
            [example::report(Vec::new()), example::one_case(), example::two_cases(), example::hostile()];
        for report in reports {
            for format in Format::ALL {
                let text = render(&report, format).unwrap();
                assert!(text.ends_with('\n'), "{}", format.name());
                assert!(!text.contains("NaN") && !text.contains("inf\n"), "{}", format.name());
                assert_eq!(text, render(&report, format).unwrap(), "same report, same bytes");
            }
        }
    }

    proptest! {
        #[test]
        fn no_name_adds_a_tag(name in any::<String>(), message in any::<String>()) {
            // An empty hint has no line of its own.
            let message = format!("m{message}");
            let report = |name: &str, message: &str| {
                let mut case = example::case(name, vec![example::overall_error(1.0)]);
                case.findings.push(model::Finding::warning("X", message).hint(message));
                let mut report = example::report(vec![case, example::case("other", vec![])]);
                report.limits = vec![example::limit(name, "overall_error", "<= 0", Some(1.0), false)];
                report
            };
            for format in [Format::Html, Format::Junit] {
                let tags = |name: &str, message: &str| {
                    let text = render(&report(name, message), format).unwrap();
                    (text.matches('<').count(), text.matches('>').count())
                };
                prop_assert_eq!(tags(&name, &message), tags("x", "y"));
            }
            for format in Format::ALL {
                render(&report(&name, &message), format).unwrap();
            }
        }
    }
}
