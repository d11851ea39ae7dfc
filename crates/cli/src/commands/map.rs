//! `mapjudge map LOG`: a map and a trajectory from scans and odometry.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mapjudge::files::OutputFolder;
use mapjudge::mapping::{
    MAP_FILES, MapJob, MapPlan, MapReport, Parameter, Settings, map_file, map_live, parameters,
    read_settings, write_map_result,
};
use mapjudge::{JobError, Snapshots};
use mapper::{Hindsight, MapperEntry};
use model::Pose2;
use sim::replay::{Init, RecordOptions};

use crate::Global;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::format::FormatFlag;
use crate::invocation::run;
use crate::output::{Answer, Printed, finish};
use crate::progress::Progress;

/// Make a map and a trajectory from scans and odometry.
///
/// `robbie` is the particle filter of Pellenz 2008, exactly as published; `graph` matches scans on submaps, closes
/// loops and solves a pose graph; `odometry` believes the odometry, to compare with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge map run.log --mapper graph --out map
      writes map.pgm + map.yaml, map.tif, trajectory.xyt, trajectory.tum, corrected.log, graph.g2o, report.json,
      and index.html, a page with the map, the path and a player
  mapjudge map run.mcap --out map
      a bag: the only topics with laser scans and odometry, the place of the laser from /tf and /tf_static
  mapjudge map run.log --mapper robbie --out map --seed 7 --set icp=off --set cell_size_m=0.10 --set range_max_m=80
  mapjudge map run.log --out map --params mine.toml --online
      parameters from a file; the trajectory as it was known when each scan came
  mapjudge map run.bag --topic /front/scan --odometry-topic /odom --out map
      for bags with several lasers or odometries; --odometry-topic none maps by scan matching alone
  mapjudge map --from tcp://127.0.0.1:3000 --out map --duration 60
      maps what a USARSim server or `mapjudge replay` sends, scan by scan, for a minute at most
  mapjudge map --from tcp://127.0.0.1:3000 --out map --snapshot-every 5
      map/live.png is replaced every five seconds: a viewer that loads it again shows map, path and robot
  mapjudge map run.log --out map --strict
      exit code 1 where the self-check of the map calls it doubtful or broken
  mapjudge map --mapper robbie --list-settings
      the parameters of a mapper with their defaults")]
pub struct Map {
    /// Log with scans: CARMEN, rawlog, a bag, and what else `mapjudge info` calls a log.
    #[arg(value_name = "LOG", required_unless_present_any = ["from", "list_settings"])]
    log: Option<PathBuf>,
    /// Topic of the bag that has the odometry, such as /odom or /tf:odom.base_link, or none; --topic names the scans
    /// [default: the only ones].
    #[arg(long, value_name = "TOPIC", requires = "log")]
    odometry_topic: Option<String>,
    /// Where the laser sits on the robot, metres and degrees, for logs that do not tell it [default: from a bag's tf].
    #[arg(long, value_name = "X,Y,YAW_DEG", allow_hyphen_values = true, value_parser = parse_mount)]
    laser_mount: Option<[f64; 3]>,
    /// Map what a USARSim server or a replay sends: tcp://HOST:PORT or HOST:PORT.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "log")]
    from: Option<String>,
    /// End a live run after so many seconds, also inside of a step; what is left to do after the last scan may take a tenth
    /// of it more [default: when the server closes].
    #[arg(long, value_name = "S", requires = "from", allow_negative_numbers = true)]
    duration: Option<f64>,
    /// For so long a server that is not there yet is tried, seconds.
    #[arg(long, value_name = "S", default_value_t = 5.0, allow_negative_numbers = true)]
    wait: f64,
    /// Do not send INIT to the server.
    #[arg(long, requires = "from")]
    no_init: bool,
    /// Print the parameters of the mapper with their defaults, and end.
    #[arg(long)]
    list_settings: bool,
    /// Which mapper.
    #[arg(long, default_value = "graph", value_parser = mappers())]
    mapper: MapperEntry,
    /// Folder to write into; made if it is not there.
    #[arg(long, value_name = "DIR", required_unless_present = "list_settings", help_heading = "Output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteFlag,
    /// Write map and pose after each S seconds of the run: live.png, snapshots.csv and maps in snapshots/.
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = "Output")]
    snapshot_every: Option<f64>,
    /// Only a map that its self-check calls sound is good enough: a doubtful or broken one gives exit code 1.
    #[arg(long)]
    strict: bool,
    /// The trajectory as it is known after the last scan. The default.
    #[arg(long, conflicts_with = "online")]
    r#final: bool,
    /// The trajectory as it was known when each scan came.
    #[arg(long)]
    online: bool,
    /// A parameter of the mapper; may be given many times. --list-settings lists them.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Parameters of the mapper in a TOML file; --set goes before it.
    #[arg(long, value_name = "FILE.toml")]
    params: Option<PathBuf>,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

/// The mappers of the list, by name.
pub fn mappers() -> impl TypedValueParser<Value = MapperEntry> {
    let value = |entry: &MapperEntry| PossibleValue::new(entry.name).help(entry.summary);
    PossibleValuesParser::new(mapper::all().iter().map(value)).try_map(|name| mapper::find(&name))
}

/// Parameters of a mapper: those of a file, and those of the command line laid over.
pub fn settings(file: Option<&Path>, given: &[String]) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(path) = file {
        read_settings(path, &mut settings)?;
    }
    for text in given {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Failure::new(format!("--set {text}: expected NAME=VALUE")).hint("for example --set icp=off")
        })?;
        settings.set_text(name, value).map_err(JobError::from)?;
    }
    Ok(settings)
}

impl Map {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let settings = settings(self.params.as_deref(), &self.settings)?;
        if self.list_settings {
            let list = parameters(self.mapper, &settings, global.seed()).map_err(JobError::from)?;
            return Ok(self.format.answer(Printed::new(list, |list: &Vec<Parameter>| {
                list.iter().map(parameter_text).collect()
            })));
        }
        let hindsight = if self.online { Hindsight::Online } else { Hindsight::Final };
        let mount = self.laser_mount.map(|[x_m, y_m, yaw_deg]| Pose2::new(x_m, y_m, yaw_deg.to_radians()));
        let plan = MapPlan {
            mapper: self.mapper,
            settings,
            seed: global.seed(),
            hindsight,
            robot_from_laser: mount,
        };
        let out = self.out.as_deref().unwrap_or(Path::new(""));
        // What a robot sends comes once: no later run is that run again.
        let run = if self.from.is_some() { run(out, &[]).unrepeatable() } else { run(out, &[]) };
        let folder = OutputFolder::guarded(out, run, self.overwrite.overwrite());
        let report = match &self.from {
            Some(server) => self.listen(server, &plan, &folder, global)?,
            None => self.make(plan, &folder, global)?,
        };
        finish(&folder, global.quiet)?;
        let verdict = if self.strict { report.strict_verdict() } else { report.verdict() };
        let findings = report.findings.clone();
        Ok(self.format.answer(Printed::new(report, table).noting(&findings).judged(verdict)))
    }

    fn make(&self, plan: MapPlan, folder: &OutputFolder, global: &Global) -> Result<MapReport, Failure> {
        let job = MapJob {
            log: self.log.clone().unwrap_or_default(),
            odometry_topic: self.odometry_topic.clone(),
            plan,
            folder: folder.clone(),
            snapshot_every_s: self.snapshot_every,
        };
        let bar = Progress::steps(0, global.quiet).counting("scans mapped");
        let progress = |done: usize, all: usize| {
            bar.done_of(done, all);
            bar.set_message(format!("{:.0} scans/s", bar.per_sec()));
        };
        Ok(map_file(&job, &self.reading.options, &progress)?)
    }

    /// Maps what a server sends.
    fn listen(
        &self,
        server: &str,
        plan: &MapPlan,
        folder: &OutputFolder,
        global: &Global,
    ) -> Result<MapReport, Failure> {
        folder.check(&MAP_FILES)?;
        let robot = Init::Robot { class: "USARBot.P3AT".to_owned(), name: "mapper".to_owned() };
        let connection = RecordOptions {
            init: if self.no_init { Init::Silent } else { robot },
            max_time_s: self.duration.unwrap_or(f64::INFINITY),
            patience_s: self.wait,
            ..RecordOptions::default()
        };
        let snapshots =
            self.snapshot_every.map(|every_s| Snapshots::new(folder.clone(), every_s)).transpose()?;
        let bar = Progress::spinner(global.quiet);
        let progress = |scans: usize| {
            bar.done(scans);
            bar.set_message(format!("{scans} scans, {:.0} scans/s", bar.per_sec()));
        };
        let result = map_live(server, plan, &connection, &self.reading.options, snapshots, &progress)?;
        Ok(write_map_result(folder, result)?)
    }
}

fn parse_mount(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x_m, y_m, yaw_deg]) if x_m.is_finite() && y_m.is_finite() && yaw_deg.is_finite() => {
            Ok([x_m, y_m, yaw_deg])
        }
        _ => Err("expected X,Y,YAW in metres and degrees".to_owned()),
    }
}

fn parameter_text(parameter: &Parameter) -> String {
    let Parameter { name, value, range, meaning, .. } = parameter;
    let range = range.map_or_else(String::new, |[min, max]| format!("  [{min} to {max}]"));
    format!("{name} = {value}{range}\n    {meaning}\n")
}

fn table(report: &MapReport) -> String {
    let MapReport { log, scans, matched, loops, counts, .. } = report;
    let times = report.ms_per_scan.map_or_else(String::new, |ms| {
        format!("  time        {:.2} ms per scan, {:.2} ms in one of a hundred\n", ms.p50, ms.p99)
    });
    let keyframes = report.keyframes.map_or_else(String::new, |count| format!(", {count} keyframes"));
    let check = &report.self_check;
    let soundness = check.verdict.map_or("no two scans could be compared", mapper::Soundness::name);
    let seen = check.seen_through.map_or_else(String::new, |share| {
        format!("; other visits look through {:.1} % of the points", 100.0 * share)
    });
    format!(
        "{log}\n  self-check  {soundness}{seen}\n  scans       {scans}, {matched} matched{keyframes}\n  loops       {loops}\n{times}  \
         left out    {} without odometry, {} not finite; {} back in time, {} without a return\n  \
         files       {}\n",
        counts.without_odometry,
        counts.not_finite,
        counts.back_in_time,
        counts.without_hits,
        report.files.join(", ")
    )
}
