//! `mapjudge rooms MAP`: the rooms of a map.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::files::{Loader, OutputFolder, write_same_or_new};
use mapjudge::{JobError, RoomAnalysis, RoomList, find_rooms};

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, RoomFlags};
use crate::format::Format;
use crate::invocation::refuse_input;
use crate::output::{Answer, Output, OutputFlags, finding_line, json, write_figures};

/// Find the rooms of a map.
///
/// Size, place, shape and neighbours of each, as a table, a figure and vector layers.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Csv, Format::Geojson])),
    mut_arg("out", |out| out.help("Also write figure, vector layers, labels and list into this folder")),
    after_help = "\
Examples:
  mapjudge rooms map.yaml
      a table of the rooms
  mapjudge rooms map.yaml --out rooms
      rooms.svg (the map with its rooms in colour), rooms.geojson, rooms.mif, labels.png and rooms.json
  mapjudge rooms map.yaml --labels labels.png --format json
      room numbers as 16-bit grey values, and the list as JSON
  mapjudge rooms map.yaml --method visibility --theta 0.5 --spacing 0.1 --linkage single
      the paper's method with another limit, denser wall points, and clusters compared by their most similar points
  mapjudge rooms plan.png --free-thresh 0.02 --resolution 0.05 --reference plan_with_closed_doors.png
      precision, recall and IoU against rooms that somebody drew"
)]
pub struct Rooms {
    /// The map.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    #[command(flatten)]
    rooms: RoomFlags,
    /// A map of equal size in which the doors are closed: each connected free part is a room to be found.
    #[arg(long, value_name = "MAP")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    output: OutputFlags,
    /// Write the room numbers as 16-bit grey values; 0 is no room.
    #[arg(long, value_name = "PNG", help_heading = "Output")]
    labels: Option<PathBuf>,
}

impl Rooms {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        let loader = Loader::new(self.force.over(&self.reading.options));
        let map = loader.map(&self.map)?;
        let reference = self.reference.as_deref().map(|path| loader.map(path)).transpose()?;
        let found = find_rooms(&map, &self.rooms.params()?, reference.as_ref())?;
        if let Some(path) = &self.labels {
            refuse_input(path)?;
            write_same_or_new(path, found.labels_png()?, self.output.overwrite())?;
        }
        Ok(self.output.answer(found))
    }
}

impl Output for RoomAnalysis {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.list),
            Format::Csv => Ok(csv(&self.list)),
            Format::Geojson => geojson(&self.layer()),
            _ => Ok(table(&self.list)),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        write_figures(folder, &[self.figure()?])?;
        folder.write("labels.png", self.labels_png()?)?;
        folder.write("rooms.json", json(&self.list)?)?;
        write_layer(folder, &self.layer())
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.list.findings.iter().map(finding_line).collect()
    }
}

/// A vector layer as GeoJSON.
pub fn geojson(layer: &model::VectorLayer) -> Result<String, Failure> {
    formats::write_geojson(layer).map_err(|error| unwritable("geojson", &error))
}

/// A vector layer as GeoJSON and as MIF/MID.
pub fn write_layer(folder: &OutputFolder, layer: &model::VectorLayer) -> Result<(), Failure> {
    let pair = formats::write_mif(layer).map_err(|error| unwritable("mif", &error))?;
    folder.write(&format!("{}.geojson", layer.name), geojson(layer)?)?;
    folder.write(&format!("{}.mif", layer.name), pair.mif)?;
    Ok(folder.write(&format!("{}.mid", layer.name), pair.mid)?)
}

fn unwritable(output: &str, why: &dyn std::fmt::Display) -> Failure {
    JobError::Unwritable { output: output.to_owned(), why: why.to_string() }.into()
}

fn table(list: &RoomList) -> String {
    let mut text = format!("{}: {} rooms\n", list.map, list.rooms.len());
    let _ = writeln!(
        text,
        "room   area m2        x m        y m  length m   width m  elongation  compactness  neighbours"
    );
    for r in &list.rooms {
        let neighbours: Vec<String> = r.neighbours.iter().map(u32::to_string).collect();
        let _ = writeln!(
            text,
            "{:4} {:9.2} {:>10} {:>10} {:9.2} {:9.2} {:11.2} {:12.2}  {}",
            r.id,
            r.area_m2,
            report::fixed(r.x_m, 2),
            report::fixed(r.y_m, 2),
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

fn csv(list: &RoomList) -> String {
    let mut text =
        "id,area_m2,x_m,y_m,length_m,width_m,theta_rad,perimeter_m,elongation,compactness\n".to_owned();
    for r in &list.rooms {
        let sizes = [r.area_m2, r.x_m, r.y_m, r.length_m, r.width_m, r.theta_rad, r.perimeter_m];
        let cells: Vec<String> =
            sizes.iter().chain([&r.elongation, &r.compactness]).map(f64::to_string).collect();
        let _ = writeln!(text, "{},{}", r.id, cells.join(","));
    }
    text
}
