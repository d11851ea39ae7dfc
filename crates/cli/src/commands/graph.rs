//! `mapjudge graph MAP`: the graph of a map's free space.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use indicatif::ProgressBar;
use mapjudge::{GraphOfMap, MapGraph, graph};

use crate::output::{Failure, print, progress_steps};
use crate::reading::ReadingFlags;
use crate::robot::RobotFlags;

/// The graph of all ways through the free space of a map: junctions and ends, the ways between them with length and
/// clearance, cycles, and how hard the place is.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge graph map.yaml
      nodes, edges, cycles and the difficulty of the place
  mapjudge graph map.yaml --robot-radius 0.3 --despeckle 4 --out graph
      for a wider robot, specks removed; graph/ gets picture, GeoJSON, MIF, GraphML and JSON
  mapjudge graph map.yaml --format json
      every node and edge")]
pub struct Graph {
    /// Map: ROS map YAML, PGM, PNG, BMP, GeoTIFF or text grid.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    /// How to print.
    #[arg(long, default_value = "text", help_heading = "Output")]
    format: GraphFormat,
    /// Also write picture, GeoJSON, MIF, GraphML and JSON into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum GraphFormat {
    Text,
    Json,
    Geojson,
    Graphml,
}

/// Steps that the progress bar shows.
const STEPS: u64 = 3;

impl Graph {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let bar = if quiet { ProgressBar::hidden() } else { progress_steps(STEPS) };
        let step = |name: &'static str| {
            bar.set_message(name);
            bar.inc(1);
        };
        let found = graph(&self.map, &self.reading.options()?, &self.robot.inputs(seed)?, &step)?;
        bar.finish_and_clear();
        if let Some(folder) = &self.out {
            write_files(folder, &found)?;
        }
        print(&match self.format {
            GraphFormat::Text => as_text(&found.graph),
            GraphFormat::Json => as_json(&found.graph)?,
            GraphFormat::Geojson => geojson(&found.graph.edge_layer())?,
            GraphFormat::Graphml => found.graph.graphml(),
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn as_json(graph: &MapGraph) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(graph).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

fn geojson(layer: &model::VectorLayer) -> Result<String, Failure> {
    formats::write_geojson(layer).map_err(|error| Failure::new(error.to_string()))
}

fn as_text(graph: &MapGraph) -> String {
    let environment = &graph.environment;
    let metres = |value: Option<f64>| value.map_or("-".to_owned(), |m| format!("{m:.2} m"));
    let share = environment.featureless_share.map_or("-".to_owned(), |s| format!("{:.1} %", 100.0 * s));
    let mut text = format!(
        "nodes {}, edges {}, components {}, cycles {}\n\
         path length          {:.2} m\n\
         mean corridor width  {}\n\
         corners              {} ({} sharper than 60 degrees)\n\
         featureless          {share} of the way has no corner within {} m\n",
        graph.nodes.len(),
        graph.edges.len(),
        graph.components,
        graph.cycles,
        environment.path_length_m,
        metres(environment.mean_corridor_width_m),
        environment.corners,
        environment.sharp_corners,
        environment.sensor_range_m,
    );
    for node in &graph.nodes {
        let _ = writeln!(
            text,
            "node {:>4}  ({:.2}, {:.2}) m  clearance {:.2} m  degree {}",
            node.id, node.x_m, node.y_m, node.clearance_m, node.degree
        );
    }
    for edge in &graph.edges {
        let _ = writeln!(
            text,
            "edge {:>4} - {:<4} length {:.2} m  clearance {:.2} m",
            edge.a, edge.b, edge.length_m, edge.min_clearance_m
        );
    }
    for finding in &graph.findings {
        let _ = writeln!(text, "{}: {}", finding.code, finding.message);
    }
    text
}

fn write_files(folder: &Path, found: &GraphOfMap) -> Result<(), Failure> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::new(format!("{}: {error}", path.display())).hint("choose a folder that can be written to")
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let write = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| failed(&path, &error))
    };
    for layer in [found.graph.node_layer(), found.graph.edge_layer()] {
        write(format!("{}.geojson", layer.name), geojson(&layer)?.as_bytes())?;
        let pair = formats::write_mif(&layer).map_err(|error| Failure::new(error.to_string()))?;
        write(format!("{}.mif", layer.name), pair.mif.as_bytes())?;
        write(format!("{}.mid", layer.name), pair.mid.as_bytes())?;
    }
    write("graph.graphml".to_owned(), found.graph.graphml().as_bytes())?;
    write("graph.json".to_owned(), as_json(&found.graph)?.as_bytes())?;
    write("graph.png".to_owned(), &found.picture()?)
}
