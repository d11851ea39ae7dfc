//! `mapjudge lab MAP..`: how every metric answers to known damage.

use std::path::{Path, PathBuf};

use mapjudge::files::{LabRowFile, Loader, OutputFolder, case_names};
use mapjudge::lab::{LabPlan, LabRows, NoRows, lab_costs, rows_csv, run_lab, sum_up};
use mapjudge::{AlignBy, JobError, Loaded, Map};
use report::{LabReport, lab_costs_csv, lab_matrix_csv, lab_matrix_markdown, lab_page, lab_table};
use sim::damage::{KINDS, Kind};

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, OverwriteFlag};
use crate::format::{Format, FormatFlag};
use crate::output::{Answer, Output, finish, json};
use crate::progress::Progress;

/// How every metric answers to known damage.
///
/// Each map is damaged in known ways and scored against itself: which metric sees which defect, from which strength on, and
/// which are blind or misled. A run that was ended goes on where it was when it is started again.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Csv, Format::Md])),
    after_help = "\
Examples:
  mapjudge lab truth.yaml --dry-run
      how many pairs, and about how long they take
  mapjudge lab floor1.yaml floor2.yaml floor3.yaml --out lab
      lab/ gets index.html (the matrix, small multiples, costs), matrix.csv, rows.csv and lab.json
  mapjudge lab truth.yaml --damage noise,shift,closed_door --metrics paths,occupied_iou --levels 3 --seeds 2 --out lab
      some kinds, some metrics, three levels, two seeds"
)]
pub struct Lab {
    /// Maps that are right: each is the truth of the maps that are made from it.
    #[arg(value_name = "MAP", required = true)]
    maps: Vec<PathBuf>,
    /// Kinds of damage, with commas; `all` for all of them.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "all")]
    damage: Vec<String>,
    /// Ids and families of metrics, with commas [default: cells,distance,paths,topology].
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Levels per kind, 1 to 6, spread over its ladder.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=6))]
    levels: u8,
    /// Seeds per map, kind and level, 1 to 100; kinds without chance have one.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=100))]
    seeds: u8,
    /// How a damaged map comes into the coordinate frame of its truth: none, or the name of a search.
    #[arg(long, value_name = "none|auto|METHOD", default_value = "none")]
    align: String,
    /// Print the number of pairs and the estimated time, and compute nothing else.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    /// Folder to write into; without it only the matrix is printed.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteFlag,
    #[command(flatten)]
    format: FormatFlag,
}

/// Files that a lab writes.
const LAB_FILES: [&str; 6] = ["index.html", "lab.json", "matrix.csv", "rows.csv", "costs.csv", "draws.csv"];

impl Lab {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let plan = self.plan(global.seed())?;
        let loader = Loader::new(self.force.over(&self.reading.options));
        let names = case_names(&self.maps);
        let maps: Vec<(String, Loaded<Map>)> = names
            .into_iter()
            .zip(&self.maps)
            .map(|(name, path)| Ok((name, loader.map(path)?)))
            .collect::<Result<_, JobError>>()?;
        if self.dry_run {
            return Ok(Answer::text(estimate(&maps, &plan)?));
        }
        let folder = self.out.as_deref().map(|out| self.overwrite.report_folder(out));
        if let Some(folder) = &folder {
            folder.check(&LAB_FILES)?;
        }
        let rows = scored(&maps, &plan, self.out.as_deref(), global.quiet)?;
        let (report, draws) = sum_up(&maps, &plan, &rows);
        if let Some(folder) = &folder {
            let costs = lab_costs(&maps[0].1, &plan)?;
            let names: Vec<String> = maps.iter().map(|(name, _)| name.clone()).collect();
            folder.write("lab.json", json(&report)?)?;
            folder.write("matrix.csv", lab_matrix_csv(&report))?;
            folder.write("rows.csv", rows_csv(&rows, &names))?;
            folder.write("costs.csv", lab_costs_csv(&costs))?;
            folder.write("draws.csv", draws.csv())?;
            let page = lab_page(&report, &costs).map_err(JobError::from)?;
            folder.write("index.html", page)?;
            finish(folder, global.quiet)?;
            forget_rows(folder);
        }
        Ok(self.format.answer(Matrix(report)))
    }

    fn plan(&self, seed: u64) -> Result<LabPlan, Failure> {
        let align: AlignBy = self.align.parse().map_err(|_| {
            Failure::new(format!("--align {}: no method of this name", self.align))
                .hint(format!("one of {}", AlignBy::words().join(", ")))
        })?;
        let usual = LabPlan::default();
        let plan = LabPlan {
            kinds: kinds(&self.damage)?,
            metrics: if self.metrics.is_empty() { usual.metrics } else { self.metrics.clone() },
            levels: usize::from(self.levels),
            seeds: usize::from(self.seeds),
            align,
            seed,
        };
        plan.metric_ids()?;
        Ok(plan)
    }
}

/// The kinds of these names, in the order of tables.
fn kinds(names: &[String]) -> Result<Vec<Kind>, Failure> {
    for name in names.iter().filter(|name| *name != "all") {
        if Kind::find(name).is_none() {
            return Err(JobError::from(sim::SimError::UnknownKind(name.clone())).into());
        }
    }
    let is_asked = |kind: &Kind| names.iter().any(|name| name == "all" || name == kind.spec.name);
    Ok(KINDS.into_iter().filter(is_asked).collect())
}

/// Scores all pairs. With a folder, rows are kept there until the results are written.
fn scored(
    maps: &[(String, Loaded<Map>)],
    plan: &LabPlan,
    out: Option<&Path>,
    quiet: bool,
) -> Result<LabRows, Failure> {
    let bar = Progress::steps(plan.pairs(maps.len()).len(), quiet)
        .counting_until("pairs", "the same command goes on from here");
    let progress = |done: usize| bar.done(done);
    Ok(match out {
        Some(out) => run_lab(maps, plan, &LabRowFile::open(out, maps, plan)?, &progress)?,
        None => run_lab(maps, plan, &NoRows, &progress)?,
    })
}

/// The rows are in rows.csv now.
fn forget_rows(folder: &OutputFolder) {
    LabRowFile::remove(folder.path());
}

/// The number of pairs, and the time that they take by that of one pair per map.
fn estimate(maps: &[(String, Loaded<Map>)], plan: &LabPlan) -> Result<String, Failure> {
    let pairs = plan.pairs(1).len();
    let one = LabPlan { kinds: Vec::new(), ..plan.clone() };
    let mut seconds = 0.0;
    for (_, map) in maps {
        // Metrics computed alone cannot share their inputs, so that this is an upper bound.
        let costs = lab_costs(map, &one)?;
        seconds += costs.iter().map(|cost| cost.processor_ms).sum::<f64>() / 1e3 * pairs as f64;
    }
    Ok(format!(
        "{} pairs of {} maps, at most about {:.0} s of processor time\n",
        plan.pairs(maps.len()).len(),
        maps.len(),
        seconds.ceil()
    ))
}

struct Matrix(LabReport);

impl Output for Matrix {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.0),
            Format::Csv => Ok(lab_matrix_csv(&self.0)),
            Format::Md => Ok(lab_matrix_markdown(&self.0)),
            _ => Ok(lab_table(&self.0)),
        }
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.0.notes.iter().map(|note| format!("note: {note}")).collect()
    }
}
