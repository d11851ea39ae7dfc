//! Whether a place may be taken for one that looks like it: the map fits itself elsewhere as well as it fits the truth.
//!
//! Two halves of an office floor, or two parts of a hall of shelves, share nothing and still lie on each other with most walls
//! near walls: both are built alike. Where a map was really seen again, nearly all walls of one of the two maps have a wall of
//! the other. Where they have not, the fit may rest on what repeats itself; then the map laid on itself, moved from the winner
//! to a rival or mirrored, fits about as well as it fits the truth.
//!
//! Specks and lost walls lower both fits, that of a map to itself more: it is compared with its own faults.

use crate::candidate::Candidate;
use crate::certificate::{Scored, distinct};
use crate::levels::Levels;
use crate::wall_score::Fit;

/// Share of the walls of one of the two maps that are explained from which on a fit needs no other evidence. Damaged copies
/// have 0.994 and more, look-alike halves of one floor up to 0.93 (the tuning half of the shared data).
const SURELY_EXPLAINED: f64 = 0.95;
/// The same of the truth's walls for the mirror image, which have 0.996 and more in damaged copies, up to 0.951 in halves.
const SURELY_EXPLAINED_MIRRORED: f64 = 0.97;
/// By so much the shared walls must lie nearer to those of the truth than the map's to its own elsewhere.
const MIN_GAIN: f64 = 0.05;
/// The same for the mirror image: a strong thing to say.
const MIN_GAIN_MIRRORED: f64 = 0.10;
/// Share of its walls that a map must share with itself elsewhere; fewer fit anywhere.
const MIN_SHARED: f64 = 0.4;
/// Other places that are looked at, of the map and of its mirror image.
const PLACES: usize = 10;
/// Walls that are looked at.
const WALLS: usize = 4_000;

/// Candidates of the map or of its mirror image, best first.
pub(crate) type Of<'a> = (&'a Levels, &'a [Scored]);

/// What the winner is a place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Winner {
    Map,
    MirrorImage,
}

/// Whether a fit may be one of a place that only looks like the right one. `own` are the winner, first, and its rivals;
/// `other` are those of the mirror image, or of the map where the winner is its mirror image.
pub(crate) fn may_look_alike(fit: &Fit, own: Of<'_>, other: Option<Of<'_>>, kind: Winner) -> bool {
    let Some(&(_, winner)) = own.1.first() else { return false };
    let (surely_explained, min_gain) = match kind {
        Winner::Map => (fit.explained >= SURELY_EXPLAINED, MIN_GAIN),
        Winner::MirrorImage => (fit.truth_explained >= SURELY_EXPLAINED_MIRRORED, MIN_GAIN_MIRRORED),
    };
    if surely_explained {
        return false;
    }
    let rivals = places(own).into_iter().skip(1).map(|place| (own.0, place));
    let images =
        other.into_iter().flat_map(|other| places(other).into_iter().map(move |place| (other.0, place)));
    rivals.chain(images).any(|(levels, place)| {
        let to_itself = own.0.fit_to_itself(&winner, (levels, &place), WALLS);
        to_itself.shared >= MIN_SHARED && fit.shared_score < to_itself.shared_score + min_gain
    })
}

fn places((levels, candidates): Of<'_>) -> Vec<Candidate> {
    let best = distinct(candidates, PLACES, |a, b| levels.differ(a, b));
    best.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowance;

    /// Walls every four columns, 18 cells of them.
    fn comb() -> Levels {
        let map = testkit::grid(["#...#...#..."; 6]);
        Levels::new(&Allowance { tol_m: Some(1.0), ..Allowance::default() }, &map, &map).unwrap()
    }

    fn moved(levels: &Levels, columns: f64) -> Candidate {
        let [x, y] = levels.pivot;
        Candidate { at: [x + columns, y], theta_rad: 0.0, scale: 1.0 }
    }

    #[test]
    fn a_comb_fits_itself_one_tooth_on() {
        let levels = comb();
        let to_itself =
            |columns| levels.fit_to_itself(&moved(&levels, 0.0), (&levels, &moved(&levels, columns)), 100);
        // Of three teeth two lie on teeth, and the third beyond the map.
        let (one_tooth, half_a_tooth) = (to_itself(4.0), to_itself(2.0));
        assert_eq!(one_tooth.shared_score, 1.0);
        assert!((one_tooth.shared - 2.0 / 3.0).abs() < 1e-9, "{one_tooth:?}");
        assert_eq!(half_a_tooth.shared_score, 0.0);
    }

    #[test]
    fn a_fit_no_better_than_that_of_the_map_to_itself_proves_nothing() {
        let levels = comb();
        let places = |columns| [(0.9, moved(&levels, 0.0)), (0.8, moved(&levels, columns))];
        let fit = Fit { shared_score: 0.9, explained: 0.9, truth_explained: 0.9, ..Fit::default() };
        let looks_alike =
            |fit: Fit, columns, kind| may_look_alike(&fit, (&levels, &places(columns)), None, kind);
        for kind in [Winner::Map, Winner::MirrorImage] {
            assert!(looks_alike(fit, 4.0, kind), "{kind:?}: one tooth on is as good");
            assert!(!looks_alike(fit, 6.0, kind), "{kind:?}: between the teeth nothing fits");
        }
        // Walls that are all explained prove the place, for the mirror image those of the truth.
        assert!(!looks_alike(Fit { explained: 0.95, ..fit }, 4.0, Winner::Map));
        assert!(looks_alike(Fit { explained: 0.99, ..fit }, 4.0, Winner::MirrorImage));
        assert!(!looks_alike(Fit { truth_explained: 0.97, ..fit }, 4.0, Winner::MirrorImage));
    }

    #[test]
    fn without_candidates_nothing_looks_alike() {
        assert!(!may_look_alike(&Fit::default(), (&comb(), &[]), None, Winner::Map));
    }
}
