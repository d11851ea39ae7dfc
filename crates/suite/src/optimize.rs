//! Pose graphs as files: read, solved, written.

use std::path::Path;

use align::pose_graph::{Kernel, NamedGraph, Solver, Start};
use formats::{Content, ReadOptions, read_document, write_g2o};
use model::Finding;
use serde::Serialize;

use crate::JobError;
use crate::files::shown_path as shown;

/// The name of the form of [`Optimized`].
pub const OPTIMIZE_SCHEMA: &str = "mapjudge.optimize/1";

/// What solving a pose graph did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Optimized {
    /// Name of this form.
    pub schema: &'static str,
    /// The file as given.
    pub path: String,
    /// Poses.
    pub vertices: usize,
    /// Measurements between them.
    pub edges: usize,
    /// Connected parts.
    pub parts: usize,
    /// The start that led to the solution with the lowest cost: the poses in the file, the chain of measurements, rotations
    /// first, or least squares with the kernel graduated.
    pub start: Start,
    /// chi2 before: of the poses in the file, or of the chain of measurements where it has none.
    pub chi2_start: f64,
    /// chi2 where the solver began.
    pub chi2_initialised: f64,
    /// chi2 of the solution, without kernels.
    pub chi2: f64,
    /// Cost of the solution, with kernels.
    pub cost: f64,
    /// Iterations that improved the cost.
    pub iterations: usize,
    /// Ids of the two poses of each measurement that does not count at all; of the kernel `gnc` only.
    pub rejected: Vec<[u64; 2]>,
    /// What was noticed about the file.
    pub findings: Vec<Finding>,
}

/// Finds the poses that fit the edges of a graph best, and writes them as g2o if an output is named.
///
/// # Errors
/// The file cannot be read, holds no planar graph, or its edges do not determine the poses; the output cannot be
/// written.
pub fn optimize(
    input: &Path,
    output: Option<&Path>,
    kernel: Kernel,
    options: &ReadOptions,
) -> Result<Optimized, JobError> {
    let document = read_document(input, options)?;
    let unusable =
        |why: &dyn std::fmt::Display| JobError::NoGraph { path: shown(input), why: why.to_string() };
    let Content::Graph(graph) = &document.content else {
        let why = format!("found {}, expected a pose graph", document.content.kind().noun());
        return Err(unusable(&why));
    };
    let mut named = NamedGraph::of_model(graph, kernel).map_err(|error| unusable(&error))?;
    let solution = solver(&named).solve(&named.graph).map_err(|error| unusable(&error))?;
    let chi2_start = if named.given == named.ids.len() {
        solution.chi2_given
    } else {
        let chain = Solver { starts: vec![Start::Chain], max_iterations: 0, ..Solver::default() };
        chain.solve(&named.graph).map_err(|error| unusable(&error))?.chi2
    };
    let ids_of = |&index: &usize| {
        let constraint = &named.graph.constraints[index];
        [named.ids[constraint.from], named.ids[constraint.to]]
    };
    let rejected = solution.rejected.iter().map(ids_of).collect();
    named.graph.poses = solution.poses;
    if let Some(output) = output {
        let text = write_g2o(&named.to_model(graph));
        crate::files::write_whole(output, text)?;
    }
    Ok(Optimized {
        schema: OPTIMIZE_SCHEMA,
        path: shown(input),
        vertices: named.ids.len(),
        edges: graph.edges.len(),
        parts: solution.parts,
        start: solution.start,
        chi2_start,
        chi2_initialised: solution.chi2_start,
        chi2: solution.chi2,
        cost: solution.cost,
        iterations: solution.iterations,
        rejected,
        findings: document.findings,
    })
}

/// Poses that stand in no file are no start.
fn solver(named: &NamedGraph) -> Solver {
    let mut solver = Solver::default();
    if named.given < named.ids.len() {
        solver.starts.retain(|&start| start != Start::Given);
    }
    solver
}
