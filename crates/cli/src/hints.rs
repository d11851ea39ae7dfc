//! What a user of the command line can do about an error. Flags are named here and nowhere else.

use formats::ReadError;
use mapjudge::JobError;
use metrics::ParamError;

/// Names in one suggestion.
const MAX_SUGGESTED: usize = 4;

/// What the user can do about an error of the library.
pub fn hint(error: &JobError) -> Option<String> {
    let words = match error {
        JobError::Read(ReadError::Contradiction { .. }) => {
            "leave the resolution to the file or correct the file; --map-resolution and --truth-resolution are for one side, \
             --force goes over what files state"
        }
        JobError::Read(error @ ReadError::TooLarge { .. }) => {
            let hint = error.hint().unwrap_or_default();
            return Some(format!("{hint}; --max-memory SIZE allows more"));
        }
        JobError::Read(error) => {
            let otherwise = "correct the file there, or write it again with the program that made it";
            return error.hint().map(|hint| with_flags(&hint)).or_else(|| Some(otherwise.to_owned()));
        }
        JobError::UnknownMetric { nearest, .. } if !nearest.is_empty() => return Some(meant(nearest)),
        JobError::Parameter(ParamError::Unknown { metric, .. } | ParamError::Value { metric, .. }) => {
            return Some(format!("`mapjudge metrics {metric}` describes the parameters"));
        }
        JobError::SeveralTopics { what, .. } => return Some(topic_flag(what).to_owned()),
        JobError::Contest { hint, .. } | JobError::Rows { hint, .. } => return Some(hint.clone()),
        JobError::Incomplete(what) => what_is_missing(what),
        JobError::OverMemory(_) => "allow more with --max-memory SIZE, crop the map, or use a coarser one",
        JobError::NoTrajectory { why, .. } => poses_instead_of(why),
        other => fixed_hint(other)?,
    };
    Some(words.to_owned())
}

/// A hint of the readers, which name options by their key, with the flag instead.
pub fn with_flags(hint: &str) -> String {
    let hint = hint.replace("skip_bad = ", "--skip-bad ").replace("with the option topic", "with --topic");
    let hint =
        hint.replace("the option resolution_m", "--resolution").replace("align = auto", "--align auto");
    hint.replace("docs/replay.md", "`mapjudge help replay`")
}

/// A suggestion of metrics.
pub fn meant(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().take(MAX_SUGGESTED).map(|name| format!("'{name}'")).collect();
    let more = if names.len() > MAX_SUGGESTED { "; `mapjudge metrics` lists them all" } else { "" };
    format!("did you mean {}?{more}", quoted.join(" or "))
}

fn what_is_missing(what: &str) -> &'static str {
    match what {
        "truth or relations" => "give --truth TRAJECTORY or --relations FILE",
        "trajectory" => "name at least one trajectory",
        "truth" => {
            "give the ground truth with --truth FILE; without one, --metrics plausibility asks what the map alone tells"
        }
        "true points" => "give the true points with --truth FILE",
        "start" => "give the place of the first robot with --start X,Y",
        "layout" => "give the places of the fiducials with --layout FILE",
        "second map" => "name two maps",
        _ => "name at least one map file",
    }
}

fn poses_instead_of(why: &str) -> &'static str {
    match why {
        "unknown_records" => "records are odom, flaser, rlaser, robotlaser, truepos",
        "bag_without_topic" => "name a topic with --topic; `mapjudge info` lists them",
        "no_records" => "for logs, choose other records with --records, for instance odom,flaser",
        "destroyed_stamps" => "use --associate index if the poses of both files have the same numbers",
        "no_relations" => "give rows of t1 t2 x y z roll pitch yaw",
        _ => "give a file with poses over time",
    }
}

fn topic_flag(what: &str) -> &'static str {
    if what == "odometry" {
        "name one with --odometry-topic, or --odometry-topic none to map by scan matching alone"
    } else {
        "name one with --topic"
    }
}

/// Hints that are the same whatever the file was.
fn fixed_hint(error: &JobError) -> Option<&'static str> {
    Some(match error {
        JobError::NoLayout { .. } => {
            "`mapjudge fiducials init MAP` drafts one; `mapjudge help fiducials` shows its form"
        }
        JobError::Radius { .. } => {
            "check the resolution of the map, or give the radius in cells with --radius-px"
        }
        JobError::NoFeatures { .. } => "expected walls of 0.4 m, or small groups of cells, in free ground",
        JobError::NoBarrels { .. } => "try a range such as --radius-px 4..10, or a lower --min-quality",
        JobError::UnknownMetric { .. } => "`mapjudge metrics` lists them all",
        JobError::FrameOfOtherFiles { .. } => "lay it on the truth again with `mapjudge align --by-hand`",
        JobError::Transform { .. } => "`mapjudge align MAP --truth MAP --format json` prints one",
        JobError::Align(_) => "`mapjudge align --help` describes the parameters",
        JobError::CommonGrid { .. } => "use --window truth, or check the origins",
        JobError::Relocalize(_) => {
            "give a map with walls, a log with scans of that place, and --truth TRAJECTORY where the log has no true poses"
        }
        JobError::Robot(_) => "lengths are metres from 0 on, places X,Y on the truth",
        JobError::NoConversion { .. } => "`mapjudge convert --help` lists the endings",
        JobError::Unwritable { .. } => "choose another format, or correct the content",
        JobError::WouldLose { .. } => "use --lossy to go on, or choose a format that holds it",
        JobError::Range { .. } => "`mapjudge COMMAND --help` tells what it means",
        JobError::NoPoints { .. } => "give a detection list of the league (CSV) or a point list (.pts)",
        JobError::NoAnnotations { .. } | JobError::NoLog { .. } => {
            "`mapjudge info FILE` tells what a file is"
        }
        JobError::WhoseAnnotations(_) => "score each map with its own files, or `compare` two of them",
        JobError::NoConsensus { .. } => {
            "give at least three maps of one place that overlap; `mapjudge align` shows single pairs"
        }
        JobError::MapTooLarge { .. } => "use --method visibility, or a coarser map",
        JobError::ReferenceSize { .. } => "draw the reference on a copy of the map's image",
        JobError::NoMap { .. } => {
            "give a log with laser scans; a scanner that sees further needs --set range_max_m=METRES"
        }
        JobError::MapperParameter(_) => "`mapjudge map --list-settings` lists the parameters",
        JobError::RecordExists(_) => "choose another file; `mapjudge truth accept` appends to a record",
        JobError::NoRelations { .. } => {
            "`mapjudge info FILE` tells what a file is, `mapjudge help relations` what is needed"
        }
        JobError::Replay(_) => "`mapjudge replay --help` and `mapjudge record --help` describe the options",
        JobError::Program { .. } => {
            "it must connect to {host} {port}, send INIT, and write lines `x y theta t` to {out}"
        }
        JobError::Explore(explore::ExploreError::NoGround) => {
            "is this the right map? `mapjudge info MAP` tells how its pixels were read"
        }
        JobError::Explore(explore::ExploreError::Target { .. }) => {
            "give a --target on known free ground, or --explore"
        }
        JobError::Explore(_) => "choose another --start, or see `mapjudge explore --help`",
        JobError::Arena { .. } => {
            "`mapjudge arena random --out DIR` makes one; `mapjudge help simulation` describes plans and waypoints"
        }
        _ => return file_hint(error),
    })
}

/// Hints about files and folders.
fn file_hint(error: &JobError) -> Option<&'static str> {
    Some(match error {
        JobError::NoGraph { .. } => {
            "give a planar graph in g2o or TORO form whose edges have a positive information"
        }
        JobError::OtherLog { .. } => "give the log from which `mapjudge truth propose` made the record",
        JobError::File { .. } => "check the path and its permissions",
        JobError::FileTooLarge { .. } => "check that this is the file that was meant",
        JobError::Output { .. } => "choose a place that can be written to, and that is not taken by a file",
        JobError::NotOurs(_) => "choose another folder with --out, or replace what is there with --overwrite",
        JobError::Exists(_) => "use --force to replace it, or choose another name",
        JobError::JobFile { .. } => "`mapjudge help job` describes the keys; `score --job FILE` reads it",
        JobError::ToolFile { .. } => {
            "`mapjudge conform init` prints a commented file; --path DIR names a folder with programs"
        }
        JobError::FloorsAmbiguous { .. } => {
            "name the files after the floors, with {floor} in the path of the maps"
        }
        JobError::Vectors { .. } => "leave --vectors out to use those of this program",
        JobError::Limits { .. } => "write a rule in each line, such as: overall_error <= 5000",
        JobError::Baseline { .. } => "give the report.json of an earlier run",
        JobError::OverInput { .. } => "choose another name, or another folder with --out",
        _ => return None,
    })
}
