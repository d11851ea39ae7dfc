//! Every contest profile with every combination of its files: the role that owns a value decides it, and nothing is lost
//! by handing in more.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use mapjudge::contest::{ContestOptions, Profile, Role, SHIPPED, Source, judge_contest};
use mapjudge::files::contest::{ContestFolder, load_contest};
use mapjudge::formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_geotiff, write_layout_toml, write_ros_map,
};
use mapjudge::metrics::{Family, find};
use mapjudge::model::{CellClass, Grid, GridGeometry, NavigationClass, Pose2};
use mapjudge::report::{MissionResult, Outcome, PartRecord};
use serde_json::Value;

/// Side of the place in cells of half a metre.
const SIDE: usize = 24;

/// What can be handed in, with its file and its content.
pub const FILES: [(Role, &str); 8] = [
    (Role::Map, "team_nav.tif"),
    (Role::Victims, "team_victims.csv"),
    (Role::Path, "team_robot_path.tum"),
    (Role::Points, "team_pois.csv"),
    (Role::Artifacts, "team_finds.pts"),
    (Role::Trajectory, "team_run.tum"),
    (Role::Matrix, "team_matrix.txt"),
    (Role::Annotations, "team_groups.geojson"),
];

fn is_wall(index: usize) -> bool {
    let (column, row) = (index % SIDE, index / SIDE);
    let is_border = [column, row].iter().any(|place| *place == 0 || *place == SIDE - 1);
    is_border || (column == SIDE / 2 && row < SIDE / 2)
}

fn geometry() -> GridGeometry {
    GridGeometry::new(SIDE, SIDE, 0.5, Pose2::IDENTITY).unwrap()
}

fn list(kind: &str, rows: &[(&str, f64, f64)]) -> String {
    let mut text = format!("\"{kind}\"\n\"1.2\"\n\"T\"\n\"DE\"\n\"2025-07-19\"\n\"12:00:00\"\n\"final\"\n\n");
    text.push_str("id,time,text,x,y,z,robot,mode,type\n");
    for (index, (name, x, y)) in rows.iter().enumerate() {
        let kind = if name.starts_with('v') { "victim" } else { "qr" };
        writeln!(text, "{},12:01:00,\"{name}\",{x},{y},0,\"r1\",A,{kind}", index + 1).unwrap();
    }
    text
}

fn run(shift_m: f64) -> String {
    (0..20).map(|t| format!("{t} {} {} 0 0 0 0 1\n", 1.0 + 0.2 * f64::from(t) + shift_m, 2.0)).collect()
}

pub fn content(role: Role) -> Vec<u8> {
    let class =
        |index| if is_wall(index) { NavigationClass::Untraversable } else { NavigationClass::Cleared };
    match role {
        Role::Map => {
            let cells: Vec<NavigationClass> = (0..SIDE * SIDE).map(class).collect();
            let layers =
                [GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&cells) }];
            write_geotiff(&geometry(), &GeoTiffFrame::Local("arena".into()), &layers).unwrap()
        }
        Role::Victims => list("pois", &[("v1", 3.1, 3.0), ("v2", 8.0, 9.2)]).into_bytes(),
        Role::Points => list("pois", &[("a", 1.0, 1.1), ("b", 9.0, 2.0), ("c", 4.0, 8.0)]).into_bytes(),
        Role::Path | Role::Trajectory => run(0.05).into_bytes(),
        Role::Artifacts => b"team\ndrill,1,1\nrope,9.1,2\n".to_vec(),
        Role::Matrix => b"5,1,1,0\n".to_vec(),
        Role::Annotations => groups("room").into_bytes(),
        other => panic!("nobody hands in {}", other.name()),
    }
}

/// The western room with a word.
fn groups(word: &str) -> String {
    let ring = "[[[0.5,0.5],[6,0.5],[6,11.5],[0.5,11.5],[0.5,0.5]]]";
    format!(
        "{{\"type\":\"FeatureCollection\",\"features\":[{{\"type\":\"Feature\",\"properties\":{{\"LABEL\":\"{word}\"}},\
         \"geometry\":{{\"type\":\"Polygon\",\"coordinates\":{ring}}}}}]}}"
    )
}

pub fn write_truth(folder: &Path) -> &'static str {
    let cells =
        (0..SIDE * SIDE).map(|index| if is_wall(index) { CellClass::Occupied } else { CellClass::Free });
    let (yaml, pgm) = write_ros_map(&Grid::new(geometry(), cells.collect()).unwrap(), "truth.pgm");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    write("truth.yaml", yaml.as_bytes());
    write("truth.pgm", &pgm);
    write("victims.csv", list("pois", &[("v1", 3.0, 3.0), ("v2", 8.0, 9.0)]).as_bytes());
    write("pois.csv", list("pois", &[("a", 1.0, 1.0), ("b", 9.0, 2.0), ("c", 4.0, 8.0)]).as_bytes());
    write("artifacts.pts", b"truth\ndrill,1,1\nrope,9,2\n");
    write("run.tum", run(0.0).as_bytes());
    write("steps.relations", b"0 5 1.0 0 0 0 0 0\n5 10 1.0 0 0 0 0 0\n");
    write("matrix.csv", b"5,1,1,1\n");
    write("groups.geojson", groups("room").as_bytes());
    "[truth]\nmap = 'truth.yaml'\nvictims = 'victims.csv'\npoints = 'pois.csv'\nartifacts = 'artifacts.pts'\n\
     trajectory = 'run.tum'\nrelations = 'steps.relations'\nmatrix = 'matrix.csv'\nannotations = 'groups.geojson'\n"
}

/// The roles whose files a measured value rests on.
fn owners(value: &str) -> &'static [Role] {
    let name = value.split('.').next().unwrap();
    match (name, find(name).map(|entry| entry.spec.family)) {
        ("artifacts", _) => &[Role::Artifacts],
        ("matrix", _) => &[Role::Matrix],
        ("point_score", _) => &[Role::Points],
        (_, Some(Family::Trajectory)) => &[Role::Trajectory],
        (_, Some(Family::Fiducials)) => &[Role::Map],
        _ => &[Role::Map, Role::Victims, Role::Path, Role::Annotations],
    }
}

/// The combination behind a number: one bit per file.
fn combination(files: &[(Role, &str)], number: usize) -> BTreeSet<Role> {
    let is_in = |(bit, _): &(usize, &(Role, &str))| number >> bit & 1 == 1;
    files.iter().enumerate().filter(is_in).map(|(_, (role, _))| *role).collect()
}

fn is_measured(part: &PartRecord) -> bool {
    part.value != Value::Null && !part.stand_in
}

/// Writes one folder for each combination of the files, and says which teams there are.
fn write_teams(folder: &Path, files: &[(Role, &str)], map: Option<&[u8]>) -> String {
    let mut teams = String::from("[files]\n");
    for (role, name) in files {
        writeln!(teams, "{} = '{name}'", role.name()).unwrap();
    }
    for number in 0..1 << files.len() {
        let place = folder.join(number.to_string());
        std::fs::create_dir(&place).unwrap();
        for (role, name) in files.iter().filter(|(role, _)| combination(files, number).contains(role)) {
            let own = map.filter(|_| *role == Role::Map).map(<[u8]>::to_vec);
            std::fs::write(place.join(name), own.unwrap_or_else(|| content(*role))).unwrap();
        }
        writeln!(teams, "[[teams]]\nname = '{number}'\nfolder = '{number}'").unwrap();
    }
    teams
}

/// Judges all combinations by a profile; the result of the team that has all files.
fn judged_by_owners(name: &str, folder: &Path, files: &[(Role, &str)], contest: &str) -> MissionResult {
    let contest = ContestFolder::parse(contest, name, folder.to_owned()).unwrap();
    let options = ContestOptions { resamples: 0, ..ContestOptions::default() };
    let judged = judge_contest(&load_contest(&contest).unwrap(), &contest, &options, None, &|_| {}).unwrap();
    let profile = Profile::shipped(name).unwrap();
    let result = |number: usize| {
        let team = judged.report.ranking.iter().find(|team| team.team == number.to_string()).unwrap();
        &team.missions[0]
    };
    let required: Vec<Role> =
        profile.inputs.iter().filter(|(_, rule)| rule.required).map(|(role, _)| *role).collect();
    for number in 0..1 << files.len() {
        let own = combination(files, number);
        let has_required = required.iter().all(|role| own.contains(role));
        let outcome = result(number).outcome;
        assert_eq!(outcome != Outcome::Broken, has_required, "{name}: {own:?} {outcome:?}");
        for bit in (0..files.len()).filter(|bit| number >> bit & 1 == 0 && has_required) {
            let more = result(number | 1 << bit);
            for ((part, less), more) in profile.parts.iter().zip(&result(number).parts).zip(&more.parts) {
                let Source::Measured { value } = &part.from else { continue };
                let added = files[bit].0;
                let place = format!("{name}: {} with {added:?} beside {own:?}", part.name);
                assert!(is_measured(more) || !is_measured(less), "{place}: lost: {:?}", more.reason);
                if !owners(value).contains(&added) {
                    assert_eq!(less.value, more.value, "{place}");
                }
            }
        }
    }
    result((1 << files.len()) - 1).clone()
}

#[test]
fn every_profile_judges_every_combination_of_files_by_their_owners() {
    let folder = tempfile::tempdir().unwrap();
    let truth = write_truth(folder.path());
    let teams = write_teams(folder.path(), &FILES, None);
    for (name, _) in SHIPPED.iter().filter(|(name, _)| *name != "rrl-2010-fiducial") {
        let contest = format!("profile = '{name}'\n{truth}{teams}");
        let whole = judged_by_owners(name, folder.path(), &FILES, &contest);
        let with_walls =
            ["arc-2025", "interleague-2009", "rcj-2025", "rrl-2024", "rrl-2025", "subt-2021", "vr-2008"];
        if with_walls.contains(name) {
            assert_eq!(whole.outcome, Outcome::Scored, "{name}: {:?}", whole.reason);
            assert!(whole.score.is_some_and(|score| score > 0.0), "{name}: {:?}", whole.score);
        }
    }
}

/// The profile of barrels needs an arena with barrels: its maps are searched, so that fewer files are combined.
#[test]
fn the_profile_of_barrels_judges_every_combination_of_files_by_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let arena = sim::BarrelArena::default().mapped().unwrap();
    let layout = write_layout_toml(&arena.layout).unwrap();
    std::fs::write(folder.path().join("barrels.toml"), layout).unwrap();
    let cells: Vec<NavigationClass> = arena.map.classes().iter().map(navigation).collect();
    let layers = [GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&cells) }];
    let frame = GeoTiffFrame::Local("arena".into());
    let map = write_geotiff(arena.map.geometry(), &frame, &layers).unwrap();
    write_truth(folder.path());
    let files = [0, 1, 3, 7].map(|index| FILES[index]);
    let teams = write_teams(folder.path(), &files, Some(&map));
    let name = "rrl-2010-fiducial";
    let truth = "[truth]\nlayout = 'barrels.toml'\nvictims = 'victims.csv'\npoints = 'pois.csv'\n\
                 annotations = 'groups.geojson'\n";
    let whole = judged_by_owners(name, folder.path(), &files, &format!("profile = '{name}'\n{truth}{teams}"));
    assert_eq!(whole.outcome, Outcome::Scored, "{:?}", whole.reason);
    assert!(whole.score.is_some_and(|score| score > 50.0), "{:?}", whole.score);
}

const fn navigation(class: &CellClass) -> NavigationClass {
    match class {
        CellClass::Occupied => NavigationClass::Untraversable,
        CellClass::Free => NavigationClass::Cleared,
        CellClass::Unknown => NavigationClass::Unknown,
    }
}
