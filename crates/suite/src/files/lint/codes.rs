//! Every finding that mapjudge can raise, for `docs/lint.md` and `mapjudge lint --list`.
//!
//! The list is data, `codes.tsv`: code, level, meaning, example, remedy, with tabs between. A test compares it with
//! the codes that the sources use.

use model::Level;

/// What a finding means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDoc {
    /// Stable name.
    pub code: &'static str,
    /// How serious it is.
    pub level: Level,
    /// What it means.
    pub meaning: &'static str,
    /// What raises it.
    pub example: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// All findings, alphabetical.
#[must_use]
pub fn codes() -> Vec<CodeDoc> {
    include_str!("codes.tsv").lines().filter_map(code_of).collect()
}

fn code_of(line: &'static str) -> Option<CodeDoc> {
    let mut fields = line.split('\t');
    let code = fields.next()?;
    let level = match fields.next()? {
        "info" => Level::Info,
        "warning" => Level::Warning,
        "error" => Level::Error,
        _ => return None,
    };
    Some(CodeDoc { code, level, meaning: fields.next()?, example: fields.next()?, remedy: fields.next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_complete_entry_in_order() {
        let list = codes();
        assert_eq!(list.len(), include_str!("codes.tsv").lines().count());
        assert!(list.is_sorted_by_key(|code| code.code));
        for code in list {
            assert!(
                !(code.meaning.is_empty() || code.example.is_empty() || code.remedy.is_empty()),
                "{}",
                code.code
            );
        }
    }
}
