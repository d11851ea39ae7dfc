//! What is wrong with a submission, before anyone scores it: what the readers noticed, and the rules of a profile.

mod codes;
mod file_name;
mod fix;
mod groups;
mod league;
mod map_rules;
mod positions;
mod trajectory_rules;
mod world_file;

use std::path::{Path, PathBuf};

use formats::{Content, Document, ReadOptions, read_document_inside};
use model::{Finding, Level};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use codes::{CodeDoc, codes};
pub use fix::{Fix, fix};
pub use groups::{Group, LintedGroup, groups, is_group, lint_groups};
use positions::Ground;

use super::FileInfo;
use crate::files::shown_path as shown;

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// What holds for any file.
    #[default]
    General,
    /// Maps for the ROS map servers.
    RosMap,
    /// The virtual league of 2008: navigation layer and vector layers.
    #[serde(rename = "virtual-league-2008")]
    VirtualLeague2008,
    /// The rescue league: two map slices, world files and detection lists.
    RescueLeague,
    /// Trajectory logs.
    Trajectory,
}

/// Findings of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Linted {
    /// The file as given.
    pub path: PathBuf,
    /// What was found, in the order of the rules.
    pub findings: Vec<Finding>,
}

impl Linted {
    /// The entry of the file in JSON: its path and findings.
    #[must_use]
    pub fn info(&self) -> FileInfo {
        FileInfo { path: shown(&self.path), findings: self.findings.clone(), ..FileInfo::default() }
    }

    /// Whether a rule is broken so that the file cannot be accepted.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Error)
    }
}

/// Checks files one by one, and then together where the profile has rules for the whole submission.
#[must_use]
pub fn lint(files: &[PathBuf], profile: Profile, options: &ReadOptions) -> Vec<Linted> {
    lint_inside(None, files, profile, options)
}

/// As [`lint`]; a file that lies outside of the folder `inside`, or names one that does, is refused unread.
#[must_use]
pub fn lint_inside(
    inside: Option<&Path>,
    files: &[PathBuf],
    profile: Profile,
    options: &ReadOptions,
) -> Vec<Linted> {
    let (mut linted, grounds): (Vec<Linted>, Vec<Ground>) =
        files.iter().map(|path| lint_file(inside, path, profile, options)).unzip();
    match profile {
        Profile::RescueLeague => {
            league::whole_submission(&mut linted);
            positions::check(&mut linted, &grounds);
        }
        Profile::VirtualLeague2008 => {
            league::victims(&mut linted, &grounds);
            positions::check(&mut linted, &grounds);
        }
        Profile::General | Profile::RosMap | Profile::Trajectory => {}
    }
    linted
}

/// The findings of a file, and the ground that it covers.
fn lint_file(
    inside: Option<&Path>,
    path: &Path,
    profile: Profile,
    options: &ReadOptions,
) -> (Linted, Ground) {
    let mut findings = file_name::check(path);
    if profile == Profile::RescueLeague {
        findings.extend(league::name_form(path));
    }
    let mut ground = Ground::default();
    if let Some(found) = world_file::check(path) {
        findings.extend(found);
        return (Linted { path: path.to_owned(), findings }, ground);
    }
    match read_document_inside(inside, path, options, &mut |_, _| {}) {
        Ok(document) => {
            findings.extend(document.findings.iter().cloned());
            findings.extend(rules(profile, &document));
            ground = Ground::of(&document.content);
        }
        Err(error) => {
            let finding = Finding::new(Level::Error, "CANNOT_READ", error.to_string());
            findings.push(match error.hint() {
                Some(hint) => finding.hint(hint),
                None => finding,
            });
        }
    }
    (Linted { path: path.to_owned(), findings }, ground)
}

fn rules(profile: Profile, document: &Document) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_no_map = document.findings.iter().any(|finding| finding.code == "HEIGHTS_ARE_NO_MAP");
    if let Content::Raster(map) = &document.content
        && !is_no_map
    {
        findings.extend(map_rules::check(&map.grid));
    }
    if let Content::Trajectory(trajectory) = &document.content {
        findings.extend(trajectory_rules::check(trajectory));
    }
    findings.extend(match profile {
        Profile::General => None,
        Profile::RosMap => unless_format(document, "ros_yaml", "the YAML of a ROS map"),
        Profile::VirtualLeague2008 => league::navigation_layer(document),
        Profile::RescueLeague => return [findings, league::league_image(document)].concat(),
        Profile::Trajectory => league::is_trajectory(document),
    });
    findings
}

/// An error if the file is of another format than the profile asks for.
fn unless_format(document: &Document, format: &str, expected: &str) -> Option<Finding> {
    (document.format != format).then(|| {
        let message = format!("the profile asks for {expected}, and this is {}", document.format);
        Finding::new(Level::Error, "WRONG_KIND_OF_FILE", message)
    })
}
