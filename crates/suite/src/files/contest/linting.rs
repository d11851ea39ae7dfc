//! What the linter says about the files of a team.

use std::path::PathBuf;

use model::{Finding, Level};

use super::contest_file::ContestFolder;
use super::load::TeamFiles;
use crate::contest::FileFinding;
use crate::files::lint::lint_inside;
use crate::files::loader::Loader;

impl ContestFolder {
    pub(super) fn lint_findings(&self, loader: &Loader, files: &TeamFiles) -> Vec<FileFinding> {
        let mut all: Vec<PathBuf> = files.files.values().flatten().cloned().collect();
        all.sort();
        all.dedup();
        let mut findings = files.findings.clone();
        for linted in lint_inside(Some(&files.folder), &all, self.profile.lint, &loader.reading) {
            let file = loader.shown(&linted.path);
            let serious = linted.findings.into_iter().filter(|finding| finding.level >= Level::Warning);
            findings.extend(serious.map(|finding| FileFinding {
                file: file.clone(),
                finding: Finding {
                    message: loader.without_root(&finding.message),
                    hint: finding.hint.map(|hint| loader.without_root(&hint)),
                    ..finding
                },
            }));
        }
        findings
    }
}
