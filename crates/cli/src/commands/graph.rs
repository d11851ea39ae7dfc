//! `mapjudge graph MAP`: the graph of a map's free space.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::files::{Loader, OutputFolder};
use mapjudge::{GraphOfMap, MapGraph, graph};

use super::rooms::{geojson, write_layer};
use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, RobotFlags};
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, json};
use crate::progress::Progress;

/// The graph of a map's free space: junctions, edges, cycles.
///
/// All routes through the free space: junctions and ends, the edges between them with length and clearance, cycles, and
/// how hard the place is.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Geojson, Format::Graphml])),
    mut_arg("out", |out| out.help("Also write figure, GeoJSON, MIF, GraphML and JSON into this folder")),
    after_help = "\
Examples:
  mapjudge graph map.yaml
      nodes, edges, cycles and the difficulty of the place
  mapjudge graph map.yaml --robot-radius 0.3 --despeckle 4 --out graph
      for a wider robot, specks removed; graph/ gets figure, GeoJSON, MIF, GraphML and JSON
  mapjudge graph map.yaml --format json
      every node and edge"
)]
pub struct Graph {
    /// Map: ROS map YAML, PGM, PNG, BMP, GeoTIFF or text grid.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    robot: RobotFlags,
    #[command(flatten)]
    output: OutputFlags,
}

/// Steps that the progress bar shows.
const STEPS: usize = 3;

impl Graph {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let bar = Progress::steps(STEPS, global.quiet).counting("steps");
        bar.next("reading");
        let map = Loader::new(self.force.over(&self.reading.options)).map(&self.map)?;
        let found = graph(&map, &self.robot.inputs(global.seed()), &|step| bar.next(step))?;
        Ok(self.output.answer(found))
    }
}

impl Output for GraphOfMap {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.graph),
            Format::Geojson => geojson(&self.graph.edge_layer()),
            Format::Graphml => Ok(self.graph.graphml()),
            _ => Ok(table(&self.graph)),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        write_layer(folder, &self.graph.node_layer())?;
        write_layer(folder, &self.graph.edge_layer())?;
        folder.write("graph.graphml", self.graph.graphml())?;
        folder.write("graph.json", json(&self.graph)?)?;
        Ok(folder.write("graph.png", self.png()?)?)
    }
}

fn table(graph: &MapGraph) -> String {
    let environment = &graph.environment;
    let metres = |value: Option<f64>| value.map_or("-".to_owned(), |m| format!("{m:.2} m"));
    let share = environment.featureless_share.map_or("-".to_owned(), |s| format!("{:.1} %", 100.0 * s));
    let mut text = format!(
        "nodes {}, edges {}, components {}, cycles {}\n\
         path length          {:.2} m\n\
         mean corridor width  {}\n\
         corners              {} ({} sharper than 60 degrees)\n\
         featureless          {share} of the path has no corner within {} m\n",
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
            "node {:>4}  ({}, {}) m  clearance {:.2} m  degree {}",
            node.id,
            report::fixed(node.x_m, 2),
            report::fixed(node.y_m, 2),
            node.clearance_m,
            node.degree
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
