//! `mapjudge simulate ARENA`: a robot drives through an arena; its log and the truth are written.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mapjudge::files::OutputFolder;
use mapjudge::{
    Driving, LOCALIZATION_FILES, Localize, SIMULATION_FILES, Simulation, SimulationEnding, SimulationReport,
    Snapshots, TiltFigures, Verdict, read_arena, read_waypoints, simulate, write_simulated_run,
};
use mapper::{MapperEntry, RangeDevice};
use sim::arena::Arena;
use sim::robot::RobotModel;
use sim::sensor::{Laser, Levelling, OdometryModel, Sonar};
use sim::usarsim::LiveServer;

use crate::Global;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, finish, print};
use crate::progress::Progress;

/// Drive a simulated robot through an arena; its log and the truth are written.
///
/// The log has scans, odometry and inertial readings with their faults; the truth is exact. A drive that does not finish
/// (the time is over, the robot is stuck, or it knows of nothing more to explore before 90 % of the ground is seen) gives
/// exit code 3; its files are written all the same.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge arena random --seed 7 --out maze
  mapjudge simulate maze --drive waypoints:points.txt --out run
      drives along lines `x y` in metres; run/ gets log.usar, log.clf, truth.tum, truth.xyt and the page index.html
  mapjudge simulate maze --drive explore --out explored
      the robot explores the maze by itself; it is told its true pose
  mapjudge simulate maze --drive explore --localize graph --out explored
      the same by the pose that the mapper `graph` finds from its scans and odometry; explored/ also gets
      map.pgm + map.yaml and trajectory.tum of the mapper
  mapjudge simulate maze --serve 3000
      USARSim clients drive; each gets a robot of its own
  mapjudge simulate maze --drive waypoints:points.txt --levelled --upright --out run
      with the scanner kept level, and a second one that looks up and down")]
pub struct Simulate {
    /// Plan of an arena, or a folder that `mapjudge arena` wrote.
    #[arg(value_name = "ARENA")]
    arena: PathBuf,
    /// Who drives: explore, or waypoints:FILE.
    #[arg(long, value_name = "HOW", required_unless_present = "serve", requires = "out")]
    drive: Option<String>,
    /// By which pose a robot explores: its true one, or that of a mapper.
    #[arg(long, value_name = "BY", default_value = "truth", value_parser = localizations())]
    localize: Localize,
    /// Folder to write into.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteFlag,
    /// Write what the robot knows after each S seconds of its time: live.png, snapshots.csv and maps in snapshots/.
    #[arg(long, value_name = "S", allow_negative_numbers = true, requires = "drive")]
    snapshot_every: Option<f64>,
    /// Serve USARSim clients at this port instead, a robot for each; 0 takes a free one, which is printed.
    #[arg(long, value_name = "PORT", conflicts_with_all = ["drive", "out"], help_heading = "Server")]
    serve: Option<u16>,
    /// Address to listen at.
    #[arg(
        long,
        alias = "bind",
        value_name = "ADDRESS",
        default_value = "127.0.0.1",
        help_heading = "Server"
    )]
    host: String,
    /// How much faster than real time the robots live.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, help_heading = "Server")]
    speed: f64,
    /// Scanner.
    #[arg(long, default_value = "urg-04lx", help_heading = "Robot")]
    laser: LaserName,
    /// A second scanner of the same kind that looks up and down.
    #[arg(long, help_heading = "Robot")]
    upright: bool,
    /// A ring of sixteen sonar transducers too.
    #[arg(long, help_heading = "Robot")]
    sonar: bool,
    /// Keep the scanner level with an accelerometer and two servos.
    #[arg(long, help_heading = "Robot")]
    levelled: bool,
    /// Odometry without fault, wheels that neither skid nor slip.
    #[arg(long, help_heading = "Robot")]
    exact_odometry: bool,
    /// End of the run at the latest, seconds [default: 1200, the contest's 20 minutes]. An exploration that it ends is
    /// what was asked for if it is given.
    #[arg(long, alias = "longest", value_name = "S", allow_negative_numbers = true, help_heading = "Robot")]
    max_time: Option<f64>,
    #[command(flatten)]
    format: FormatFlag,
}

/// Run limit of the contest (X-TIME).
const RUN_LIMIT_S: f64 = 1200.0;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum LaserName {
    #[value(name = "urg-04lx")]
    Urg04lx,
    #[value(name = "utm-30lx")]
    Utm30lx,
    #[value(name = "sick-lms200")]
    SickLms200,
}

impl Simulate {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let arena = read_arena(&self.arena)?;
        if let Some(port) = self.serve {
            return self.serve(&arena, port, global.seed());
        }
        let (Some(drive), Some(out)) = (&self.drive, &self.out) else {
            return Err(Failure::new("expected --drive and --out, or --serve"));
        };
        let driving = match drive.split_once(':') {
            None if drive == "explore" => Driving::Explore(self.localize),
            Some(("waypoints", file)) => Driving::Waypoints(read_waypoints(Path::new(file))?),
            _ => {
                let failure = Failure::new(format!("--drive {drive}: expected explore or waypoints:FILE"));
                return Err(failure.hint("each line of the file is a waypoint: x y in metres"));
            }
        };
        let longest_s = self.max_time.unwrap_or(RUN_LIMIT_S);
        if !(longest_s > 0.0 && longest_s <= 86_400.0) {
            return Err(Failure::new(format!("--max-time {longest_s}: expected 0 to 86400 s")));
        }
        let simulation = Simulation { robot: self.robot(), driving, seed: global.seed(), longest_s };
        let folder = self.overwrite.results(out);
        folder.check(&SIMULATION_FILES)?;
        if self.localize != Localize::Truth {
            folder.check(&LOCALIZATION_FILES)?;
        }
        let snapshots =
            self.snapshot_every.map(|every_s| Snapshots::new(folder.clone(), every_s)).transpose()?;
        let report = simulated(&arena, &simulation, &folder, snapshots, global.quiet)?;
        finish(&folder, global.quiet)?;
        let is_asked_for = self.max_time.is_some()
            && report.waypoints.is_none()
            && report.ending == SimulationEnding::TimeLimit;
        let verdict = if is_asked_for { Verdict::Fine } else { report.verdict() };
        Ok(self.format.answer(Printed::new(report, table).judged(verdict)))
    }

    /// Serves clients until the program is ended.
    fn serve(&self, arena: &Arena, port: u16, seed: u64) -> Result<Answer, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(format!("{}:{port}: {error}", self.host))
                .hint("choose another --serve PORT or --host ADDRESS")
        };
        let place = (self.host.as_str(), port);
        let server = LiveServer::bind(place, arena, self.robot(), seed, self.speed).map_err(failed)?;
        let address = server.address().map_err(failed)?;
        print(&format!("serving {} at tcp://{address}\n", arena.name))?;
        server.run(&AtomicBool::new(false));
        Ok(Answer::text(""))
    }

    fn robot(&self) -> RobotModel {
        let laser = match self.laser {
            LaserName::Urg04lx => Laser::urg_04lx(),
            LaserName::Utm30lx => Laser::utm_30lx(),
            LaserName::SickLms200 => Laser::sick_lms200(),
        };
        let mut robot = RobotModel { lasers: vec![laser.clone()], ..RobotModel::default() };
        if self.upright {
            robot.lasers.push(laser.upright("Scanner2"));
        }
        if self.sonar {
            robot.sonar = Some(Sonar::default());
        }
        if self.levelled {
            robot.levelling = Some(Levelling::default());
        }
        if self.exact_odometry {
            robot = RobotModel { skid: 1.0, slips_per_m: 0.0, odometry: OdometryModel::EXACT, ..robot };
        }
        robot
    }
}

/// Runs the simulation with a progress bar: share of the place or of the waypoints, and scans per second.
fn simulated(
    arena: &Arena,
    simulation: &Simulation,
    out: &OutputFolder,
    snapshots: Option<Snapshots>,
    quiet: bool,
) -> Result<SimulationReport, Failure> {
    const PARTS: usize = 1000;
    let what = match simulation.driving {
        Driving::Explore(_) => "parts of the place explored",
        Driving::Waypoints(_) => "parts of the route driven",
    };
    let bar = Progress::steps(PARTS, quiet).counting(what);
    let begun = Instant::now();
    let simulated = simulate(arena, simulation, snapshots, &|progress| {
        bar.done((progress.share * PARTS as f64) as usize);
        let rate = progress.scans as f64 / begun.elapsed().as_secs_f64().max(1e-3);
        bar.set_message(format!("{} scans, {rate:.0} scans/s", progress.scans));
    })?;
    write_simulated_run(out, &arena.name, &simulated)?;
    Ok(simulated.report)
}

fn table(report: &SimulationReport) -> String {
    let end = match (report.reached, report.waypoints, report.explored_m2) {
        (Some(reached), Some(points), _) => format!("{reached} of {points} waypoints reached"),
        (_, _, Some(area_m2)) => {
            let percent = 100.0 * report.explored_share.unwrap_or(0.0);
            format!("{area_m2:.2} m2 explored, {percent:.1} % of the free ground")
        }
        _ => String::new(),
    };
    let slopes = report.upright.as_ref().map_or_else(String::new, |upright| {
        let degrees = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        format!(
            "vertical scanner: pitch in {} of {} scans, error {} degrees in the median, {} RMS; ground ahead up to {} degrees\n",
            upright.with_pitch,
            upright.scans,
            degrees(upright.pitch_median_deg),
            degrees(upright.pitch_rms_deg),
            degrees(upright.max_slope_deg),
        )
    });
    let finished = if report.is_finished { "" } else { "; the drive did not finish" };
    let localization = report.localization.as_ref().map_or_else(String::new, |found| {
        format!(
            "  pose        by {}: off by {:.3} m (root mean square, rigid fit), {:.3} m without a fit; {} of {} scans \
             matched, {} loop closures\n",
            report.localize.name(),
            found.ate_m,
            found.ate_unfitted_m,
            found.matched,
            found.scans,
            found.loops
        )
    });
    format!(
        "{:.1} s, {:.2} m, {} scans, {} readings of odometry, {} collisions, {end}\n  ended       {}{finished}\n{localization}{}{slopes}",
        report.time_s,
        report.distance_m,
        report.scans,
        report.odometry,
        report.collisions,
        report.ending.name(),
        tilt_lines(&report.tilt),
    )
}

/// What ramps did to the scanner; empty where there were none.
fn tilt_lines(tilt: &TiltFigures) -> String {
    if tilt.robot_max_deg == 0.0 {
        return String::new();
    }
    format!(
        "  tilt        robot {:.2} degrees (root mean square), {:.1} at most; scanner {:.2}, {:.1} at most\n  \
         beams       {:.2} % missed a wall, {:.2} % ended on a floor: {:.2} % spoilt by tilt; {:.2} % ended on a ramp, as \
         level ones do\n",
        tilt.robot_rms_deg,
        tilt.robot_max_deg,
        tilt.residual_rms_deg,
        tilt.residual_max_deg,
        100.0 * tilt.missed_share,
        100.0 * tilt.phantom_share,
        100.0 * tilt.spoilt_share,
        100.0 * tilt.level_on_ramp_share,
    )
}

/// `truth` and the mappers of the list.
fn localizations() -> impl TypedValueParser<Value = Localize> {
    let truth = PossibleValue::new("truth").help("The true pose in space");
    let mapper = |entry: &MapperEntry| PossibleValue::new(entry.name).help(entry.summary);
    // The robot feeds the scans of its laser; a mapper of sonar readings would learn nothing.
    let by_laser = mapper::all().iter().filter(|entry| entry.device == RangeDevice::Laser);
    let names = std::iter::once(truth).chain(by_laser.map(mapper));
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "truth" => Ok(Localize::Truth),
        name => mapper::find(name).map(Localize::Mapper),
    })
}
