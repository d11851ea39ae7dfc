//! A contest of many large submissions, broken ones among them, against the script that a user writes today, started
//! once per submission.
//!
//! Takes the maps of the benchmark kit (2000 x 2000 cells) from its cache and makes each submission from one of them with
//! noise of its own. CPU time of the whole contest by that of the script for the same submissions; images and bundles are
//! left out on both sides. `MAPJUDGE_STUDY_SUBMISSIONS` sets the number (default 200), `MAPJUDGE_BENCH_CACHE` the cache.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use mapjudge::contest::{ContestOptions, judge_contest};
use mapjudge::files::contest::{ContestFolder, load_contest};
use model::Grid;
use report::Outcome;
use sim::damage::{Noise, noise};

use super::Findings;
use crate::inputs::{BenchError, read};
use crate::measure::{cpu_s, status_kib};

/// The metrics of the script.
const METRICS: [&str; 9] = [
    "map_score_balaguer",
    "overall_error",
    "normalized_map_score_balaguer",
    "occupied_map_score_balaguer",
    "map_score_collins",
    "occupied_map_score_collins",
    "baron_correlation",
    "picture_distance",
    "image_similarity",
];
/// Maps of the kit that submissions are made from.
const MAPS: [&str; 5] = ["noise", "bend", "gap", "missing", "robot"];
/// Submissions for which the script is started; the others cost as much.
const SCRIPT_RUNS: usize = 6;
const MIN_RATIO: f64 = 10.0;
const MAX_MB: f64 = 1024.0;

/// Runs the study; the data sets are not used.
pub fn run(_data: &Path) -> Result<Findings, BenchError> {
    let count = number("MAPJUDGE_STUDY_SUBMISSIONS", 200);
    let cache =
        PathBuf::from(std::env::var("MAPJUDGE_BENCH_CACHE").unwrap_or_else(|_| ".cache/bench".into()));
    let folder = std::env::temp_dir().join(format!("mapjudge-contest-{}", std::process::id()));
    let result = in_folder(&folder, &cache, count);
    // What cannot be removed stays in the folder for temporary files.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn in_folder(folder: &Path, cache: &Path, count: usize) -> Result<Findings, BenchError> {
    let maps = cache.join("inputs/maps/2000");
    let broken = generate(folder, &maps, count)?;
    let failed = |error: &dyn std::fmt::Display| BenchError::NoValue(error.to_string());
    let files = ContestFolder::from_file(&folder.join("contest.toml")).map_err(|error| failed(&error))?;
    let options = ContestOptions { resamples: 100, ..ContestOptions::default() };
    let (before_s, start) = (cpu_s(), std::time::Instant::now());
    let contest = load_contest(&files).map_err(|error| failed(&error))?;
    let judged = judge_contest(&contest, &files, &options, None, &|_| {}).map_err(|error| failed(&error))?;
    let (cpu_s, wall_s) = (cpu_s() - before_s, start.elapsed().as_secs_f64());
    let peak_mb = status_kib("VmHWM:").map_or(f64::NAN, |kib| kib / 1024.0);
    // The broken ones cost little; their time is counted, their number is not.
    let per_submission_s = cpu_s / count as f64;
    let script_s = script(folder, &maps, cache, count.min(SCRIPT_RUNS))?;
    let ratio = script_s / per_submission_s;
    let all = judged.report.ranking.iter().flat_map(|team| &team.missions);
    let zeros = all.filter(|mission| mission.outcome == Outcome::Broken).count();
    let table = vec![
        format!("{count} submissions of 2000 x 2000 cells and {broken} broken ones"),
        format!(
            "contest: {cpu_s:.1} s CPU, {wall_s:.1} s elapsed, {:.1} ms CPU per submission",
            1e3 * per_submission_s
        ),
        format!("script: {:.0} ms CPU per submission (mean of {})", 1e3 * script_s, count.min(SCRIPT_RUNS)),
        format!("ratio {ratio:.1}, peak memory {peak_mb:.0} MB, {zeros} submissions got zero"),
    ];
    let mut missed = Vec::new();
    if ratio < MIN_RATIO {
        missed.push(format!("ratio {ratio:.1}, expected at least {MIN_RATIO}"));
    }
    if peak_mb.is_nan() || peak_mb > MAX_MB {
        missed.push(format!("peak memory {peak_mb:.0} MB, expected at most {MAX_MB}"));
    }
    if zeros != broken {
        missed.push(format!("{zeros} broken submissions, expected {broken}"));
    }
    Ok(Findings { table, missed })
}

/// Writes the contest; gives the number of broken submissions.
fn generate(folder: &Path, maps: &Path, count: usize) -> Result<usize, BenchError> {
    let truth = std::fs::read(maps.join("truth.png"));
    save(&folder.join("truth.png"), &truth.map_err(|error| wrong(&maps.join("truth.png"), &error))?)?;
    let sources: Vec<Grid> =
        MAPS.iter().map(|name| read(&maps.join(format!("{name}.png")))).collect::<Result<_, _>>()?;
    let mut text =
        String::from("profile = 'rules.toml'\n[truth]\nmap = 'truth.png'\n[files]\nmap = 'map.png'\n");
    let mut team = |name: &str| {
        // Writing into a string cannot fail.
        let _ = write!(text, "[[teams]]\nname = '{name}'\nfolder = '{name}'\n");
    };
    for index in 0..count {
        let name = format!("team{index}");
        let rough = Noise { seed: index as u64, ..Noise::default() };
        let map = noise(&sources[index % sources.len()], &rough).map_err(|error| wrong(folder, &error))?;
        save(&folder.join(&name).join("map.png"), &png(&map)?)?;
        team(&name);
    }
    let whole = png(&sources[0])?;
    let broken: [(&str, Vec<u8>); 5] = [
        ("empty", Vec::new()),
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("text", b"no map".to_vec()),
        ("flipped", whole.iter().enumerate().map(|(i, b)| if i % 997 == 500 { !b } else { *b }).collect()),
        ("vast", vast_png(&whole)),
    ];
    for (name, bytes) in &broken {
        save(&folder.join(name).join("map.png"), bytes)?;
        team(name);
    }
    team("absent");
    save(&folder.join("contest.toml"), text.as_bytes())?;
    save(&folder.join("rules.toml"), rules().as_bytes())?;
    Ok(broken.len() + 1)
}

/// An image whose header claims 100,000 by 100,000 pixels.
fn vast_png(whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    bytes[16..20].copy_from_slice(&100_000_u32.to_be_bytes());
    bytes[20..24].copy_from_slice(&100_000_u32.to_be_bytes());
    let checksum = crc32fast::hash(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

/// The grey levels of the kit: 254 free, 205 unknown, 0 occupied.
fn png(map: &Grid) -> Result<Vec<u8>, BenchError> {
    formats::write_png(map).map_err(BenchError::no_value)
}

fn rules() -> String {
    let mut text = String::from(
        "name = 'study'\ntitle = 'Study'\nsource = 'ours'\nformula = 'picture_distance'\nbetter = 'lower'\n\
         [inputs]\nmap = { required = true, pattern = 'map.png' }\n\
         [plan]\nalign = 'none'\n[read]\nresolution_m = 0.05\noccupied_thresh = 0.65\nfree_thresh = 0.196\n",
    );
    for id in METRICS {
        let _ = write!(
            text,
            "[[parts]]\nname = '{id}'\ntitle = '{id}'\nfrom = {{ kind = 'measured', value = '{id}' }}\n"
        );
    }
    text
}

/// Mean CPU time of the script, seconds.
fn script(folder: &Path, maps: &Path, cache: &Path, runs: usize) -> Result<f64, BenchError> {
    let kit = std::env::var("MAPJUDGE_BENCH_KIT").unwrap_or_else(|_| "../shared/bench".into());
    let script = PathBuf::from(kit).join("peers/score_pair.py");
    let before_s = children_cpu_s();
    for index in 0..runs {
        let output = Command::new(cache.join("venv/bin/python"))
            .arg(&script)
            .arg(maps.join("truth.png"))
            .arg(folder.join(format!("team{index}/map.png")))
            .env("OMP_NUM_THREADS", "1")
            .env("OPENBLAS_NUM_THREADS", "1")
            .output()
            .map_err(|error| wrong(&script, &error))?;
        if !output.status.success() {
            return Err(wrong(&script, &String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok((children_cpu_s() - before_s) / runs.max(1) as f64)
}

/// User and system time of the children that were waited for, seconds; Linux counts it in hundredths.
fn children_cpu_s() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), BenchError> {
    let parent = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|error| wrong(parent, &error))?;
    std::fs::write(path, bytes).map_err(|error| wrong(path, &error))
}

fn wrong(path: &Path, error: &dyn std::fmt::Display) -> BenchError {
    BenchError::Description { path: path.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_the_study_are_a_profile() {
        let profile = mapjudge::contest::Profile::parse(&rules(), "rules.toml").unwrap();
        assert_eq!(profile.metrics().len(), METRICS.len());
    }
}
