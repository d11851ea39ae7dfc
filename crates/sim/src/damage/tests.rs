//! What holds for every kind of damage.

use model::{Cell, CellClass, Grid, Point2};

use super::*;
use crate::SimError;
use crate::place::{OfficePlan, office};

fn floor(seed: u64) -> Grid {
    office(&OfficePlan { seed, ..OfficePlan::default() }).unwrap()
}

#[test]
fn names_are_unique_and_ladders_lie_in_their_ranges() {
    for (index, kind) in KINDS.iter().enumerate() {
        assert!(KINDS[..index].iter().all(|other| other.spec.name != kind.spec.name));
        let (low, high) = kind.spec.range;
        assert!(kind.spec.ladder.iter().all(|strength| (low..=high).contains(strength)), "{kind:?}");
        assert_eq!(kind.spec.ladder.len(), if kind.spec.name == "mirror" { 1 } else { 6 }, "{kind:?}");
    }
}

#[test]
fn level_0_is_the_map_itself_and_every_other_level_changes_it() {
    let truth = floor(2);
    for kind in KINDS {
        assert_eq!(kind.level(0), None);
        if let Some(nothing) = kind.spec.harmless {
            let same = kind.apply(&truth, nothing, 1).unwrap();
            assert_eq!((same.map, same.motion), (truth.clone(), Motion::STILL), "{kind:?}");
        }
        let strongest = *kind.spec.ladder.last().unwrap();
        assert_ne!(kind.apply(&truth, strongest, 1).unwrap().map.classes(), truth.classes(), "{kind:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_map_with_any_number_of_threads() {
    let truth = floor(2);
    for kind in KINDS {
        let damaged = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| kind.apply(&truth, kind.spec.ladder[0], 5)).unwrap().map
        };
        assert_eq!(damaged(1), damaged(3), "{kind:?}");
    }
    let noisy = |seed| KINDS[0].apply(&truth, 0.01, seed).unwrap().map;
    assert_ne!(noisy(1), noisy(2));
}

#[test]
fn tiny_maps_and_maps_without_knowledge_are_damaged_or_have_nothing_to_damage() {
    for rows in [vec!["#"], vec!["."], vec!["?"], vec!["???", "???"], vec!["#.?", "..#"]] {
        let truth = testkit::grid(rows);
        for kind in KINDS {
            for strength in kind.spec.ladder {
                match kind.apply(&truth, *strength, 1) {
                    Ok(damaged) if truth.class_counts()[1] == truth.geometry().cells() as u64 => {
                        assert!(damaged.map.classes().iter().all(|c| *c == CellClass::Unknown), "{kind:?}");
                    }
                    Ok(_) => {}
                    Err(error) => assert!(
                        matches!(
                            error,
                            SimError::NothingToDamage { .. }
                                | SimError::Folds { .. }
                                | SimError::NothingLeft { .. }
                        ),
                        "{kind:?}: {error}"
                    ),
                }
            }
        }
    }
}

/// Share of the truth's wall cells that, moved by the field, have a wall of the damaged map within a cell.
fn met(truth: &Grid, damaged: &DamagedByChain) -> f64 {
    let [dx, dy] = damaged.field(truth);
    let geometry = damaged.map.geometry();
    let is_wall = |i: i64, j: i64| {
        let cell = Some((usize::try_from(i), usize::try_from(j)));
        cell.is_some_and(|(i, j)| match (i, j) {
            (Ok(i), Ok(j)) if i < geometry.width() && j < geometry.height() => {
                damaged.map.classes()[geometry.index_of(Cell { i, j })] == CellClass::Occupied
            }
            _ => false,
        })
    };
    let (mut walls, mut met) = (0, 0);
    for (index, _) in truth.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Occupied) {
        if dx[index].is_nan() {
            continue;
        }
        walls += 1;
        let from = truth.geometry().center_of(truth.geometry().cell_of(index));
        let to = Point2::new(from.x_m + f64::from(dx[index]), from.y_m + f64::from(dy[index]));
        let (right, up) = geometry.grid_point_of_world(to);
        let (i, j) = (right.floor() as i64, up.floor() as i64);
        met += u32::from((-1..=1).any(|di| (-1..=1).any(|dj| is_wall(i + di, j + dj))));
    }
    f64::from(met) / f64::from(walls)
}

#[test]
fn walls_moved_by_the_field_meet_the_walls_of_the_damaged_map() {
    for seed in [2, 3, 5] {
        let truth = floor(seed);
        for name in ["shift", "rotate", "bend", "cut", "scale", "moved_room", "missing_wing", "mirror"] {
            let kind = Kind::find(name).unwrap();
            for strength in kind.spec.ladder {
                let chain = Chain(vec![Link { kind, strength: *strength }]);
                let share = met(&truth, &chain.apply(&truth, seed).unwrap());
                assert!(share >= 0.99, "{name} {strength} seed {seed}: {share}");
            }
        }
    }
}

#[test]
fn a_chain_is_its_links_one_after_the_other() {
    let truth = floor(3);
    let chain: Chain = "bend=0.8m,cut=0.4,rotate=2deg".parse().unwrap();
    let damaged = chain.apply(&truth, 7).unwrap();
    let mut by_steps = truth.clone();
    let mut fields = Vec::new();
    for (index, link) in damaged.links.iter().enumerate() {
        let step = link.link.kind.apply(&by_steps, link.link.strength, link.seed).unwrap();
        fields.push((step.motion.clone(), index));
        by_steps = step.map;
    }
    assert_eq!(by_steps, damaged.map);
    let [dx, dy] = damaged.field(&truth);
    for index in (0..truth.geometry().cells()).step_by(37) {
        let from = truth.geometry().center_of(truth.geometry().cell_of(index));
        let to = fields.iter().fold(from, |point, (motion, _)| motion.moved(point).unwrap());
        assert!((to.x_m - from.x_m - f64::from(dx[index])).abs() < 1e-4);
        assert!((to.y_m - from.y_m - f64::from(dy[index])).abs() < 1e-4);
    }
    assert!(met(&truth, &damaged) >= 0.98);
}

#[test]
fn chains_are_read_and_wrong_ones_refused() {
    let chain: Chain = " bend=0.5m, noise=0.02 ,mirror".parse().unwrap();
    let read: Vec<(&str, f64)> = chain.0.iter().map(|link| (link.kind.spec.name, link.strength)).collect();
    assert_eq!(read, [("bend", 0.5), ("noise", 0.02), ("mirror", 1.0)]);
    let error = |text: &str| text.parse::<Chain>().unwrap_err().to_string();
    assert!(error("").contains("empty"));
    assert!(error("fire=2").contains("thick_walls"), "lists the kinds: {}", error("fire=2"));
    assert!(error("noise=1.5").contains("0 to 1"), "{}", error("noise=1.5"));
    assert!(error("shift=far").contains("0 to 1000 m"), "{}", error("shift=far"));
}

#[test]
fn a_wing_of_everything_leaves_nothing_and_says_so() {
    let kind = Kind::find("missing_wing").unwrap();
    assert!(matches!(kind.apply(&floor(2), 1.0, 1), Err(SimError::NothingLeft { .. })));
}

#[test]
fn poses_turn_with_the_map_and_transforms_lead_back() {
    let truth = floor(2);
    let damaged = "rotate=8,shift=0.4".parse::<Chain>().unwrap().apply(&truth, 4).unwrap();
    let pose = model::Pose2::new(6.0, 5.0, 0.3);
    let moved = damaged.moved_pose(pose).unwrap();
    let back = damaged.truth_from_map().unwrap();
    let returned = back * Point2::new(moved.x_m, moved.y_m);
    assert!((returned.x_m - 6.0).abs() < 1e-9 && (returned.y_m - 5.0).abs() < 1e-9);
    assert!((moved.theta_rad + back.theta_rad - 0.3).abs() < 1e-7, "{moved:?} {back:?}");
}
