//! The files of a judged contest: ranking, overview, a report and a sheet per submission, a bundle per team.

use std::path::Path;

use report::{
    ContestReport, Format, MissionResult, Overlay, RankedTeam, Report, Sheet, SheetPicture, overview,
    ranking, sheet,
};
use serde_json::json;

use super::cache::Cache;
use super::file::Contest;
use super::file_name::file_name;
use super::measured::Measured;
use super::run::JudgedContest;
use super::zip::Zip;
use crate::JobError;
use crate::evaluate::new_report;

/// Pictures that a sheet has room for, by file.
const ON_SHEET: [&str; 2] = ["overlay.png", "errors.png"];

/// Writes everything into a folder.
///
/// # Errors
/// A file cannot be written, or a page cannot be made.
pub fn write_contest(
    contest: &Contest,
    judged: &JudgedContest<'_>,
    cache: &Cache,
    folder: &Path,
    command: &str,
) -> Result<(), JobError> {
    let report = &judged.report;
    let tables = [
        (Format::Json, "contest.json"),
        (Format::Table, "ranking.txt"),
        (Format::Csv, "ranking.csv"),
        (Format::Md, "ranking.md"),
        (Format::Latex, "ranking.tex"),
        (Format::Junit, "ranking.xml"),
    ];
    for (format, name) in tables {
        write(&folder.join(name), ranking(report, format)?.as_bytes())?;
    }
    let writer = Writer { contest, judged, cache, folder, command };
    let mut overlays = Vec::new();
    for team in &report.ranking {
        overlays.extend(writer.team(team)?);
    }
    write(&folder.join("index.html"), overview(report, &overlays)?.as_bytes())
}

struct Writer<'a> {
    contest: &'a Contest,
    judged: &'a JudgedContest<'a>,
    cache: &'a Cache,
    folder: &'a Path,
    command: &'a str,
}

impl Writer<'_> {
    /// Reports, sheets, pictures and the bundle of a team; its maps for the overview.
    fn team(&self, team: &RankedTeam) -> Result<Vec<Overlay>, JobError> {
        let mut zip = Zip::default();
        let mut overlays = Vec::new();
        let mut add = |name: &str, bytes: &[u8]| {
            zip.add(name, bytes)
                .map_err(|error| JobError::contest(name, error.to_string(), "leave out pictures"))
        };
        add("contest.json", ranking(&self.judged.report, Format::Json)?.as_bytes())?;
        add("profile.toml", toml::to_string_pretty(&self.contest.profile).unwrap_or_default().as_bytes())?;
        let index = self.contest.file.teams.iter().position(|entry| entry.name == team.team).unwrap_or(0);
        for (place, mission) in team.missions.iter().enumerate() {
            let measured = &self.judged.entries[index][place].measured;
            let pictures = self.pictures(index, place, measured);
            let base = mission.report.trim_end_matches("report.json");
            let mut keep = |name: &str, bytes: &[u8]| -> Result<(), JobError> {
                write(&self.folder.join(format!("{base}{name}")), bytes)?;
                let short = base.strip_prefix(&format!("{}/", team.folder)).unwrap_or(base);
                add(&format!("{short}{name}"), bytes)
            };
            keep("report.json", report_text(measured)?.as_bytes())?;
            keep("sheet.html", self.sheet(team, mission, &pictures)?.as_bytes())?;
            for picture in &pictures {
                keep(&picture.file, &picture.bytes)?;
            }
            overlays.push(Overlay {
                team: team.team.clone(),
                mission: mission.mission.clone(),
                png: pictures
                    .iter()
                    .find(|p| p.file == "overlay.png")
                    .map(|p| p.bytes.clone())
                    .unwrap_or_default(),
                reason: mission.reason.clone().or_else(|| Some("no map to draw".to_owned())),
            });
        }
        add("manifest.json", self.manifest(team).as_bytes())?;
        let bytes = zip
            .finish()
            .map_err(|error| JobError::contest("bundle", error.to_string(), "leave out pictures"))?;
        write(&self.folder.join(format!("appeals/{}.zip", file_name(&team.team))), &bytes)?;
        let has_maps = overlays.iter().any(|overlay| !overlay.png.is_empty());
        Ok(if has_maps || self.has_any_map() { overlays } else { Vec::new() })
    }

    /// Whether any team has a map to show; else the overview shows none.
    fn has_any_map(&self) -> bool {
        let drawn =
            |measured: &Measured| measured.pictures.iter().any(|picture| picture.file == "overlay.png");
        self.judged.entries.iter().flatten().any(|entry| drawn(&entry.measured))
    }

    fn pictures(&self, team: usize, mission: usize, measured: &Measured) -> Vec<SheetPicture> {
        let Some(key) = &self.judged.keys[team][mission] else { return Vec::new() };
        let read = |record: &super::measured::PictureRecord| {
            let bytes = std::fs::read(self.cache.entry(key).join(&record.file)).ok()?;
            let (file, title, caption) = (record.file.clone(), record.title.clone(), record.caption.clone());
            Some(SheetPicture { file, title, caption, bytes })
        };
        measured.pictures.iter().filter_map(read).collect()
    }

    fn sheet(
        &self,
        team: &RankedTeam,
        mission: &MissionResult,
        pictures: &[SheetPicture],
    ) -> Result<String, JobError> {
        let shown: Vec<SheetPicture> =
            pictures.iter().filter(|p| ON_SHEET.contains(&p.file.as_str())).cloned().collect();
        let (contest, command) = (&self.judged.report, self.command);
        Ok(sheet(&Sheet { contest, team, mission, pictures: &shown, command })?)
    }

    /// What the bundle rests on: hashes, parameters in effect, and the command that repeats it.
    fn manifest(&self, team: &RankedTeam) -> String {
        let report: &ContestReport = &self.judged.report;
        let inputs =
            |mission: &MissionResult| json!({ "mission": mission.mission, "inputs": mission.inputs });
        let manifest = json!({
            "schema": "mapjudge.appeal/1",
            "tool": report.tool,
            "team": team.team,
            "profile": report.profile,
            "command": self.command,
            "truth": report.truth,
            "missions": team.missions.iter().map(inputs).collect::<Vec<_>>(),
            "values_entered": self.entered(team),
            "rules": report.rules,
            "parameters": self.contest.profile.job,
            "stamp": report.stamp,
        });
        format!("{}\n", serde_json::to_string_pretty(&manifest).unwrap_or_default())
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
    Ok(report::render(&report, Format::Json, &[])?)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| JobError::file(folder, source))?;
    }
    std::fs::write(path, bytes).map_err(|source| JobError::file(path, source))
}
