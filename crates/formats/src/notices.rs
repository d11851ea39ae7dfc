//! Findings of a reader of many lines: each code once, where it was first noticed, with the number of lines.
//!
//! A file padded by a spreadsheet has the same fault on each of its lines; one finding says more than a thousand.

use model::Finding;

/// What a reader has noticed so far, in the order in which it was first noticed.
#[derive(Default)]
pub(crate) struct Notices {
    noticed: Vec<(Finding, usize)>,
}

impl Notices {
    /// Notes something at a line, counted from 1. `finding` is asked only the first time.
    pub fn note(&mut self, code: &'static str, line: usize, finding: impl FnOnce() -> Finding) {
        self.count(code, || finding().at_line(line));
    }

    /// Notes something that has no line of its own.
    pub fn count(&mut self, code: &'static str, finding: impl FnOnce() -> Finding) {
        match self.noticed.iter_mut().find(|(known, _)| known.code == code) {
            Some((_, times)) => *times += 1,
            None => self.noticed.push((finding(), 1)),
        }
    }

    /// Adds a finding that stands for itself.
    pub fn push(&mut self, finding: Finding) {
        self.noticed.push((finding, 1));
    }

    /// The findings; those noticed more than once say how often.
    pub fn into_findings(self) -> Vec<Finding> {
        let with_count = |(mut finding, times): (Finding, usize)| {
            if times > 1 {
                finding.message += &format!(" ({times} times in this file, here first)");
            }
            finding
        };
        self.noticed.into_iter().map(with_count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_notice_is_one_finding_with_its_first_line_and_its_count() {
        let mut notices = Notices::default();
        for line in [3, 5, 9] {
            notices.note("A_FAULT", line, || Finding::warning("A_FAULT", format!("seen at {line}")));
        }
        notices.note("ANOTHER", 4, || Finding::warning("ANOTHER", "once"));
        let findings = notices.into_findings();
        assert_eq!((findings[0].line, findings[1].line), (Some(3), Some(4)));
        assert_eq!(findings[0].message, "seen at 3 (3 times in this file, here first)");
        assert_eq!(findings[1].message, "once");
    }
}
