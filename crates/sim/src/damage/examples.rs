//! Six examples of damaged maps, with parameters that show well. They keep the geometry of the truth.

use model::Grid;

use super::{
    Bend, MissingWing, Noise, RigidMove, ThickWalls, Unseen, bend, missing_wing, noise, rigid_move,
    thick_walls, unseen,
};
use crate::SimError;

/// A damaged map as a demonstration shows it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Stable name, as in file names: `thick_walls`.
    pub name: &'static str,
    /// What it does to a map, in a few words.
    pub title: &'static str,
    /// Applies the damage with the given seed; kinds without chance ignore the seed.
    pub apply: fn(&Grid, u64) -> Result<Grid, SimError>,
}

/// The examples, alphabetical.
pub const EXAMPLES: [Example; 6] = [
    Example {
        name: "bend",
        title: "heading drifts, so the far end is bent away",
        apply: |truth, _| bend(truth, &Bend::default()),
    },
    Example {
        name: "missing_wing",
        title: "a part was never explored",
        apply: |truth, seed| missing_wing(truth, &MissingWing { seed, ..MissingWing::default() }),
    },
    Example {
        name: "noise",
        title: "ragged walls and specks",
        apply: |truth, seed| noise(truth, &Noise { seed, ..Noise::default() }),
    },
    Example {
        name: "shift",
        title: "moved and turned as a whole",
        apply: |truth, _| rigid_move(truth, &RigidMove::default()),
    },
    Example {
        name: "thick_walls",
        title: "walls too thick",
        apply: |truth, _| thick_walls(truth, &ThickWalls::default()),
    },
    Example {
        name: "unseen",
        title: "only the faces of walls that a laser sees",
        apply: |truth, _| unseen(truth, &Unseen::default()),
    },
];

#[cfg(test)]
mod tests {
    use model::CellClass;

    use super::*;
    use crate::place::{OfficePlan, office};

    #[test]
    fn each_damage_changes_the_map_but_not_its_geometry() {
        let truth = office(&OfficePlan::default()).unwrap();
        for damage in EXAMPLES {
            let map = (damage.apply)(&truth, 1).unwrap();
            assert_eq!(map.geometry(), truth.geometry(), "{}", damage.name);
            assert_ne!(map.classes(), truth.classes(), "{}", damage.name);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_map() {
        let truth = office(&OfficePlan::default()).unwrap();
        for damage in EXAMPLES {
            assert_eq!((damage.apply)(&truth, 5), (damage.apply)(&truth, 5), "{}", damage.name);
        }
    }

    #[test]
    fn maps_of_one_cell_and_maps_without_knowledge_are_damaged_without_complaint() {
        for rows in [vec!["#"], vec!["."], vec!["?"], vec!["???", "???"]] {
            let truth = testkit::grid(rows);
            for damage in EXAMPLES {
                let map = (damage.apply)(&truth, 1).unwrap();
                assert_eq!(map.geometry(), truth.geometry(), "{}", damage.name);
            }
        }
        let nothing = testkit::grid(["???", "???"]);
        for damage in EXAMPLES {
            let map = (damage.apply)(&nothing, 1).unwrap();
            assert!(map.classes().iter().all(|c| *c == CellClass::Unknown), "{}", damage.name);
        }
    }

    #[test]
    fn names_are_unique_and_sorted() {
        assert!(EXAMPLES.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
