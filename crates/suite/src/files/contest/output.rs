//! The files of a judged contest: ranking, overview, a report and a sheet per submission, a bundle per team.

use std::path::Path;

use report::{
    ContestReport, Format, MissionResult, Overlay, RankedTeam, RecordHead, Report, Sheet, overview, ranking,
    sheet,
};
use serde_json::json;

use super::contest_file::ContestFolder;
use super::zip::Zip;
use crate::contest::{ContestResult, Measured};
use crate::files::{OutputFolder, read_small};
use crate::{JobError, new_report};

/// The files that every contest writes, beside those of its teams.
pub const CONTEST_FILES: [&str; 7] =
    ["contest.json", "ranking.txt", "ranking.csv", "ranking.md", "ranking.tex", "ranking.xml", "index.html"];

/// Where an exported contest keeps the end of its chain of events, in the folder of the contest.
pub const RECORD_HEAD: &str = "record/head.json";
/// A longer file is no such end.
const MAX_HEAD_BYTES: u64 = 4096;

/// Refuses to write results into the folder of a team, where they could replace what it handed in. A team that lies in the
/// folder of the contest itself has no folder of its own.
///
/// # Errors
/// The results would lie there.
pub fn refuse_among_submissions(contest: &ContestFolder, out: &Path) -> Result<(), JobError> {
    // The folder of results need not exist yet.
    let place = out.ancestors().find_map(|path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        path.canonicalize().ok()
    });
    let of_contest = contest.folder.canonicalize().ok();
    let folders = contest.file.teams.iter().flat_map(|team| {
        let own = team.missions.values().filter_map(|own| own.folder.as_ref());
        own.chain([&team.folder])
    });
    let teams = folders.filter_map(|folder| contest.folder.join(folder).canonicalize().ok());
    let mut own = teams.filter(|folder| Some(folder) != of_contest.as_ref());
    match place {
        Some(place) if own.any(|folder| place.starts_with(folder)) => {
            Err(JobError::OverInput { path: out.display().to_string() })
        }
        _ => Ok(()),
    }
}

/// Writes everything into a folder. In a guarded one all files appear with its end, and those of an earlier result that
/// are no more go.
///
/// # Errors
/// A file cannot be written, or a page cannot be made.
pub fn write_contest(
    contest: &ContestFolder,
    result: &ContestResult,
    folder: &OutputFolder,
    command: &str,
) -> Result<(), JobError> {
    let report = &result.report;
    let tables = [
        (Format::Json, "contest.json"),
        (Format::Table, "ranking.txt"),
        (Format::Csv, "ranking.csv"),
        (Format::Md, "ranking.md"),
        (Format::Latex, "ranking.tex"),
        (Format::Junit, "ranking.xml"),
    ];
    for (format, name) in tables {
        folder.write(name, ranking(report, format)?)?;
    }
    let record = record_head(&contest.folder.join(RECORD_HEAD));
    let writer = Writer { contest, result, folder, command, record };
    let mut overlays = Vec::new();
    for team in &report.ranking {
        overlays.extend(writer.team(team)?);
    }
    folder.write("index.html", overview(report, &overlays)?)
}

/// The end of the record, where the contest has one. It is printed and proves nothing here, so that a file which is none is
/// as good as no file.
fn record_head(path: &Path) -> Option<RecordHead> {
    serde_json::from_slice(&read_small(path, MAX_HEAD_BYTES).ok()?).ok()
}

/// The bundle of a team, by the folder of its sheets.
fn bundle(team_folder: &str) -> String {
    format!("appeals/{}.zip", team_folder.trim_start_matches("teams/"))
}

struct Writer<'a> {
    contest: &'a ContestFolder,
    result: &'a ContestResult,
    folder: &'a OutputFolder,
    command: &'a str,
    record: Option<RecordHead>,
}

impl Writer<'_> {
    /// Reports, sheets, figures and the bundle of a team; its maps for the overview.
    fn team(&self, team: &RankedTeam) -> Result<Vec<Overlay>, JobError> {
        let mut zip = Zip::default();
        let mut overlays = Vec::new();
        let mut add = |name: &str, bytes: &[u8]| {
            zip.add(name, bytes)
                .map_err(|error| JobError::contest(name, error.to_string(), "leave out figures"))
        };
        add("contest.json", ranking(&self.result.report, Format::Json)?.as_bytes())?;
        add("profile.toml", toml::to_string_pretty(&self.contest.profile).unwrap_or_default().as_bytes())?;
        let index = self.contest.file.teams.iter().position(|entry| entry.name == team.team).unwrap_or(0);
        for (entry, mission) in self.result.entries[index].iter().zip(&team.missions) {
            let figures = &entry.measured.figures;
            let base = mission.report.trim_end_matches("report.json");
            let mut keep = |name: &str, bytes: &[u8]| -> Result<(), JobError> {
                self.folder.write(&format!("{base}{name}"), bytes)?;
                let short = base.strip_prefix(&format!("{}/", team.folder)).unwrap_or(base);
                add(&format!("{short}{name}"), bytes)
            };
            keep("report.json", report_text(&entry.measured)?.as_bytes())?;
            keep("sheet.html", self.sheet(team, mission, &entry.measured)?.as_bytes())?;
            for figure in figures {
                keep(&figure.file_name(), &figure.bytes()?)?;
            }
            let overlay = figures.iter().find(|figure| figure.name == "overlay");
            overlays.push(Overlay {
                team: team.team.clone(),
                mission: mission.mission.clone(),
                figure: overlay.cloned(),
                reason: mission.reason.clone().or_else(|| Some("no map to draw".to_owned())),
            });
        }
        add("manifest.json", self.manifest(team).as_bytes())?;
        let bytes = zip
            .finish()
            .map_err(|error| JobError::contest("bundle", error.to_string(), "leave out figures"))?;
        self.folder.write(&bundle(&team.folder), &bytes)?;
        let has_maps = overlays.iter().any(|overlay| overlay.figure.is_some());
        Ok(if has_maps || self.has_any_map() { overlays } else { Vec::new() })
    }

    /// Whether any team has a map to show; else the overview shows none.
    fn has_any_map(&self) -> bool {
        let drawn = |measured: &Measured| measured.figures.iter().any(|figure| figure.name == "overlay");
        self.result.entries.iter().flatten().any(|entry| drawn(&entry.measured))
    }

    fn sheet(
        &self,
        team: &RankedTeam,
        mission: &MissionResult,
        measured: &Measured,
    ) -> Result<String, JobError> {
        let (contest, command) = (&self.result.report, self.command);
        let Measured { figures, tables, .. } = measured;
        let record = self.record.as_ref();
        Ok(sheet(&Sheet { contest, team, mission, figures, tables, command, record })?)
    }

    /// What the bundle rests on: hashes, parameters in effect, and the command that repeats it.
    fn manifest(&self, team: &RankedTeam) -> String {
        let report: &ContestReport = &self.result.report;
        let inputs =
            |mission: &MissionResult| json!({ "mission": mission.mission, "inputs": mission.inputs });
        let mut manifest = json!({
            "schema": "mapjudge.appeal/1",
            "tool": report.tool,
            "team": team.team,
            "profile": report.profile,
            "command": self.command,
            "truth": report.truth,
            "missions": team.missions.iter().map(inputs).collect::<Vec<_>>(),
            "values_entered": self.entered(team),
            "rules": report.rules,
            "parameters": self.parameters(),
            "stamp": report.stamp,
        });
        if let Some(record) = &self.record {
            manifest["record"] = json!(record);
        }
        format!("{}\n", serde_json::to_string_pretty(&manifest).unwrap_or_default())
    }

    /// The plan in effect and how files were read.
    fn parameters(&self) -> serde_json::Value {
        let mut parameters = json!(self.contest.profile.plan);
        parameters["read"] = json!(self.contest.profile.read);
        parameters
    }

    fn entered(&self, team: &RankedTeam) -> serde_json::Value {
        let entry = self.contest.file.teams.iter().find(|entry| entry.name == team.team);
        entry.map_or(serde_json::Value::Null, |entry| {
            json!({ "operators": entry.operators, "values": entry.values, "missions": entry.missions })
        })
    }
}

fn report_text(measured: &Measured) -> Result<String, JobError> {
    let report: Report = new_report(measured.cases.clone());
    Ok(report::render(&report, Format::Json)?)
}
