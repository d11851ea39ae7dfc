//! `mapjudge rooms MAP`: the rooms of a map.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use mapjudge::{RoomAnalysis, RoomList, find_rooms};
use metrics::rooms::segmentation::RoomFinder;

use crate::commands::info::finding_line;
use crate::output::{Failure, note, print};
use crate::reading::ReadingFlags;

/// Find the rooms of a map: size, place, shape and neighbours of each, as a table, a picture and vector layers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge rooms map.yaml
      a table of the rooms
  mapjudge rooms map.yaml --out rooms
      rooms.svg (the map with its rooms in colour), rooms.geojson, rooms.mif, labels.png and rooms.json
  mapjudge rooms map.yaml --labels labels.png --format json
      room numbers as 16-bit grey values, and the list as JSON
  mapjudge rooms plan.png --free-thresh 0.02 --resolution 0.05 --reference plan_with_closed_doors.png
      precision, recall and IoU against rooms that somebody drew")]
pub struct Rooms {
    /// The map.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// `visibility` joins points on the walls that see the same walls (Pellenz); `watershed` parts the free space at
    /// narrow passes; `combined` does both and finds more rooms rightly than either.
    #[arg(long, default_value = "combined")]
    method: MethodFlag,
    /// A map of equal size in which the doors are closed: each connected free part is a room to be found.
    #[arg(long, value_name = "MAP")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
    /// How to print.
    #[arg(long, default_value = "table", help_heading = "Output")]
    format: RoomsFormat,
    /// Write the room numbers as 16-bit grey values; 0 is no room.
    #[arg(long, value_name = "PNG", help_heading = "Output")]
    labels: Option<PathBuf>,
    /// Write picture, vector layers, labels and list into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodFlag {
    Combined,
    Visibility,
    Watershed,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum RoomsFormat {
    Table,
    Json,
    Csv,
    Geojson,
}

impl Rooms {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let method = match self.method {
            MethodFlag::Combined => RoomFinder::Combined,
            MethodFlag::Visibility => RoomFinder::Visibility,
            MethodFlag::Watershed => RoomFinder::Watershed,
        };
        let found = find_rooms(&self.map, method, self.reference.as_deref(), &self.reading.options()?)?;
        if !quiet {
            found.list.findings.iter().for_each(|finding| note(&finding_line(finding)));
        }
        if let Some(path) = &self.labels {
            write(path, &found.labels_png()?)?;
        }
        if let Some(folder) = &self.out {
            write_all(folder, &found)?;
        }
        print(&match self.format {
            RoomsFormat::Table => as_table(&found.list),
            RoomsFormat::Json => as_json(&found.list)?,
            RoomsFormat::Csv => as_csv(&found.list),
            RoomsFormat::Geojson => geojson(&found)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn as_table(list: &RoomList) -> String {
    let mut text = format!("{}: {} rooms\n", list.map, list.rooms.len());
    let _ = writeln!(
        text,
        "room   area m2        x m        y m  length m   width m  elongation  compactness  neighbours"
    );
    for r in &list.rooms {
        let neighbours: Vec<String> = r.neighbours.iter().map(u32::to_string).collect();
        let _ = writeln!(
            text,
            "{:4} {:9.2} {:10.2} {:10.2} {:9.2} {:9.2} {:11.2} {:12.2}  {}",
            r.id,
            r.area_m2,
            r.x_m,
            r.y_m,
            r.length_m,
            r.width_m,
            r.elongation,
            r.compactness,
            neighbours.join(" ")
        );
    }
    if let Some(q) = &list.quality {
        let share = |value: Option<f64>| value.map_or_else(|| "undefined".to_owned(), |v| format!("{v:.3}"));
        let _ = writeln!(
            text,
            "against {} reference rooms: precision {}, recall {}, IoU {}",
            q.reference_rooms,
            share(q.precision),
            share(q.recall),
            share(q.iou)
        );
    }
    text
}

fn as_json(list: &RoomList) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(list).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

fn as_csv(list: &RoomList) -> String {
    let mut text =
        "id,area_m2,x_m,y_m,length_m,width_m,theta_rad,perimeter_m,elongation,compactness\n".to_owned();
    for r in &list.rooms {
        let numbers = [
            r.area_m2,
            r.x_m,
            r.y_m,
            r.length_m,
            r.width_m,
            r.theta_rad,
            r.perimeter_m,
            r.elongation,
            r.compactness,
        ];
        let cells: Vec<String> = numbers.iter().map(f64::to_string).collect();
        let _ = writeln!(text, "{},{}", r.id, cells.join(","));
    }
    text
}

fn geojson(found: &RoomAnalysis) -> Result<String, Failure> {
    formats::write_geojson(&found.layer()).map_err(|error| Failure::new(error.to_string()))
}

fn write_all(folder: &Path, found: &RoomAnalysis) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let picture = found.picture()?;
    let mif = formats::write_mif(&found.layer()).map_err(|error| Failure::new(error.to_string()))?;
    write(&folder.join(picture.file_name()), picture.bytes())?;
    write(&folder.join("labels.png"), &found.labels_png()?)?;
    write(&folder.join("rooms.json"), as_json(&found.list)?.as_bytes())?;
    write(&folder.join("rooms.geojson"), geojson(found)?.as_bytes())?;
    write(&folder.join("rooms.mif"), mif.mif.as_bytes())?;
    write(&folder.join("rooms.mid"), mif.mid.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| {
        Failure::new(format!("{}: {error}", path.display())).hint("choose a place that can be written to")
    })
}
