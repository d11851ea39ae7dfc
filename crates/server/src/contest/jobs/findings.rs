//! What a submission is told about itself, as pages show it, and what a judge should look at.

use mapjudge::AlignmentFile;
use mapjudge::contest::{FaultKind, FileFinding, Measured, Role};
use mapjudge::files::contest::SubmissionCheck;
use model::Level;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::submissions::Attention;

/// What was noticed about a submission, as its team reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubmissionFinding {
    /// How much it matters.
    level: Level,
    /// Stable name for programs.
    code: String,
    message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The file, as the team calls it; missing where it is about no file of the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// A finding about no file.
fn shown(level: Level, code: &str, message: &str, hint: Option<&str>) -> SubmissionFinding {
    let (code, message, hint) = (code.to_owned(), message.to_owned(), hint.map(str::to_owned));
    SubmissionFinding { level, code, message, hint, file: None, line: None }
}

/// Names of files without the folder that the contest gives them.
fn inside<'a>(file: &'a str, folder: &str) -> &'a str {
    file.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(file)
}

fn of_file(found: &FileFinding, folder: &str) -> SubmissionFinding {
    let finding = &found.finding;
    let file = inside(&found.file, folder);
    let is_named = !file.is_empty() && found.file != folder;
    SubmissionFinding {
        file: is_named.then(|| file.to_owned()),
        line: finding.line,
        ..shown(finding.level, &finding.code, &finding.message, finding.hint.as_deref())
    }
}

/// Findings of a check: files that are missing first. `refused` says why an archive cannot be unpacked.
#[must_use]
pub fn of_check(
    check: &SubmissionCheck,
    refused: &[(String, String)],
    folder: &str,
) -> Vec<SubmissionFinding> {
    let archive = |(name, why): &(String, String)| {
        let hint = "hand in an ordinary zip archive of at most 200 files, or the files themselves";
        let file = Some(name.clone());
        SubmissionFinding { file, ..shown(Level::Error, "ARCHIVE_REFUSED", why, Some(hint)) }
    };
    let missing = check.roles.iter().filter(|role| role.is_required).filter_map(|role| {
        let fault = role.fault.as_ref().filter(|fault| fault.kind == FaultKind::Missing)?;
        let message = format!("{}: {}", role.role.name(), fault.why);
        Some(shown(
            Level::Error,
            "REQUIRED_FILE_MISSING",
            &message,
            Some("hand it in under a name that fits"),
        ))
    });
    let noticed = check.findings.iter().map(|found| of_file(found, folder));
    refused.iter().map(archive).chain(missing).chain(noticed).collect()
}

/// Findings of a measured submission: why it is broken first.
#[must_use]
pub fn of_measured(measured: &Measured, folder: &str) -> Vec<SubmissionFinding> {
    let hint = "hand in a file that can be read; until then the submission gets zero";
    let broken = measured.broken.iter().map(|why| shown(Level::Error, "SUBMISSION_BROKEN", why, Some(hint)));
    let undecided =
        measured.undecided.iter().map(|why| shown(Level::Error, "SUBMISSION_UNDECIDED", why, None));
    let noticed = measured.findings.iter().map(|found| of_file(found, folder));
    broken.chain(undecided).chain(noticed).collect()
}

/// What a judge should look at: `frame_uncertain`, `mirrored`, `frame_outdated`. `saved` is the transform file that a judge made.
#[must_use]
pub fn signs(measured: &Measured, saved: Option<&AlignmentFile>) -> Vec<Attention> {
    let mut signs = Vec::new();
    let alignment = measured.cases.iter().find_map(|case| case.alignment.as_ref());
    let certificate = alignment.and_then(|alignment| alignment.certificate.as_ref());
    match certificate.and_then(|certificate| certificate.get("verdict")?.as_str()) {
        Some("ambiguous" | "failed") => signs.push(Attention::FrameUncertain),
        Some("mirrored") => signs.push(Attention::Mirrored),
        _ => {}
    }
    let hash = |inputs: &[report::Input]| {
        inputs.iter().find(|input| input.role == Role::Map.name()).map(|input| input.blake3.clone())
    };
    let laid = saved.and_then(|file| hash(&file.inputs));
    if laid.is_some() && laid != hash(&measured.inputs) {
        signs.push(Attention::FrameOutdated);
    }
    signs
}

#[cfg(test)]
mod tests {
    use mapjudge::contest::Fault;
    use mapjudge::files::contest::FilesOfRole;
    use model::Finding;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_team_reads_its_own_names() {
        let finding = Finding::warning("X", "odd").at_line(3).hint("mend it");
        let found = |file: &str| FileFinding { file: file.to_owned(), finding: finding.clone() };
        let fault = Fault { why: "no file 'nav.tif'".to_owned(), kind: FaultKind::Missing };
        let role = |role, is_required| FilesOfRole {
            role,
            is_required,
            files: Vec::new(),
            fault: Some(fault.clone()),
        };
        let check = SubmissionCheck {
            roles: vec![role(Role::Map, true), role(Role::Victims, false)],
            findings: vec![found("teams/a/x/y.csv"), found("teams/a"), found("other.csv")],
        };
        let shown = of_check(&check, &[("all.zip".to_owned(), "a bomb".to_owned())], "teams/a");
        let codes: Vec<&str> = shown.iter().map(|entry| entry.code.as_str()).collect();
        assert_eq!(codes, ["ARCHIVE_REFUSED", "REQUIRED_FILE_MISSING", "X", "X", "X"]);
        assert_eq!(
            json!(shown[2]),
            json!({ "level": "warning", "code": "X", "message": "odd", "hint": "mend it", "file": "x/y.csv", "line": 3 })
        );
        assert_eq!((&shown[3].file, &shown[4].file), (&None, &Some("other.csv".to_owned())));
    }

    #[test]
    fn a_broken_submission_says_why_first() {
        let shown = of_measured(&Measured::broken("cut off"), "a");
        assert_eq!((shown[0].code.as_str(), shown[0].message.as_str()), ("SUBMISSION_BROKEN", "cut off"));
        assert!(signs(&Measured::broken("cut off"), None).is_empty());
    }
}
