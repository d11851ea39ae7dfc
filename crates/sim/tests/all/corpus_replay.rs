//! The corpus of the fuzz targets `arena_plan` and `waypoints` on stable, and mutations of it: an arena or an error,
//! never a panic.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use mapjudge_sim::arena::{Arena, MazePlan, OfficeFloorPlan, Plan};
use mapjudge_sim::run::read_waypoints;

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/any_format").join(target)
}

fn files(target: &str) -> Vec<String> {
    let mut paths: Vec<_> =
        std::fs::read_dir(corpus(target)).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    // The first byte selects the reader.
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()[1..].to_owned()).collect()
}

fn build(text: &str) -> Option<Arena> {
    let arena = Arena::build(&Plan::read(text).ok()?).ok()?;
    if arena.geometry().is_ok_and(|geometry| geometry.cells() < 1 << 18) {
        arena.truth(0.3).unwrap();
    }
    Some(arena)
}

#[test]
fn plans_of_the_corpus_are_built() {
    let texts = files("arena_plan");
    assert!(texts.len() >= 3);
    assert!(texts.iter().all(|text| build(text).is_some()));
    assert!(files("waypoints").iter().all(|text| read_waypoints(text).is_ok()));
}

#[test]
fn mutated_plans_are_built_or_refused() {
    let mut random = model::SeededRng::new(7);
    for text in files("arena_plan").iter().chain(&files("waypoints")) {
        for _ in 0..60 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = b"0123456789.-+e|'\"[]=#xSV>^ \n"[random.below(27)];
            }
            if let Ok(text) = std::str::from_utf8(&bytes) {
                build(text);
                let _ = read_waypoints(text);
            }
        }
    }
}

#[test]
#[ignore = "writes fuzz/corpus"]
fn regenerate_corpus() {
    let maze = MazePlan { width_m: 4.8, height_m: 3.6, ramp_share: 0.3, barrels: 2, ..MazePlan::default() };
    let office = OfficeFloorPlan { furniture: 0, ..OfficeFloorPlan::default() };
    let small = "pallet_m = 1.22\nwall_height_m = 2.2\nslice_heights_m = [1.0, 2.0]\ndrawing = '''\n\
                 +---+---+---+\n| S   >   = |\n+   +- -+   +\n| V :>>H| x\n+---+---+---+\n'''\n\
                 [start]\nheading_deg = 90.0\n[[barrel]]\nat_m = [1.22, 0.6]\nkind = \"quarter\"\n";
    let files = [
        ("arena_plan", "maze", maze.plan().unwrap().to_text()),
        ("arena_plan", "office", office.floor().unwrap().plan.to_text()),
        ("arena_plan", "small", small.to_owned()),
        ("waypoints", "lines", "# x y\n0.6 0.6\n1.8,0.6\n".to_owned()),
    ];
    let selectors = include_str!("../../../../fuzz/selectors.txt");
    for (target, name, text) in files {
        let place = selectors.lines().position(|line| line == target).unwrap();
        let text = format!("{}{text}", char::from(b'0' + u8::try_from(place).unwrap()));
        std::fs::create_dir_all(corpus(target)).unwrap();
        std::fs::write(corpus(target).join(name), text).unwrap();
    }
}
