//! Whether a place may be taken for one that looks like it: the map fits itself elsewhere as well as it fits the truth.
//!
//! Two halves of an office floor, or two parts of a hall of shelves, share nothing and still lie on each other with most walls
//! near walls: both are built alike. Where a map was really seen again, nearly all walls of the truth have a wall of the map:
//! specks and lost walls leave some of each near every wall. Where they have not, the fit may rest on what repeats itself;
//! then the map laid on itself, moved from the winner to a rival or mirrored, fits about as well as it fits the truth.
//!
//! Specks and lost walls lower both fits, that of a map to itself more: it is compared with its own faults.
//!
//! The halves of a symmetric place lie on each other without any fault. Nothing tells them from one half seen twice, but that
//! both end in the open: no such fit is trusted where the map is as surely its own mirror image. A symmetric place that
//! is closed by walls in one of the two maps has no other half.

use crate::Certificate;
use crate::candidate::Candidate;
use crate::certificate::{Scored, distinct};
use crate::levels::Levels;
use crate::wall_score::Fit;

/// Share of the walls of the truth that are explained from which on a fit needs no other evidence. Damaged copies have 0.99
/// and more, look-alike halves of one floor up to 0.93 (the tuning half of the shared data).
const SURELY_EXPLAINED: f64 = 0.95;
/// The same for the mirror image: damaged copies have 0.996 and more, halves up to 0.951.
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
/// Share of its walls that a symmetric map shares with its mirror image.
const NEARLY_ALL: f64 = 0.85;
/// What the map's fit to its mirror image gains over such a fit elsewhere where it is no chance: that of a symmetric place in
/// the certificate.
const SURELY_SYMMETRIC: f64 = 0.30;
/// Open cells beside unknown ones, as a share of these and of the walls, from which on a map ends in the open: halves of
/// symmetric places have 0.16 to 0.34, those of long halls 0.04.
const OPEN: f64 = 0.10;

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
        Winner::Map => (SURELY_EXPLAINED, MIN_GAIN),
        Winner::MirrorImage => (SURELY_EXPLAINED_MIRRORED, MIN_GAIN_MIRRORED),
    };
    let to_itself = |levels: &Levels, place: &Candidate| own.0.fit_to_itself(&winner, (levels, place), WALLS);
    let images = || {
        other
            .into_iter()
            .flat_map(|other| places(other).into_iter().map(move |place| to_itself(other.0, &place)))
    };
    if fit.truth_explained >= surely_explained {
        return own.0.openness() >= OPEN && is_symmetric(fit, &images().collect::<Vec<Fit>>());
    }
    let rivals = places(own).into_iter().skip(1).map(|place| to_itself(own.0, &place));
    rivals.chain(images()).any(|to_itself| {
        to_itself.shared >= MIN_SHARED && fit.shared_score < to_itself.shared_score + min_gain
    })
}

/// Whether the map is as surely its own mirror image as it is the truth, by its fits to the mirror image at several places.
fn is_symmetric(fit: &Fit, to_mirror_image: &[Fit]) -> bool {
    let score = |fit: &Fit| fit.shared_score;
    let whole = to_mirror_image.iter().filter(|fit| fit.shared >= NEARLY_ALL);
    let Some(best) = whole.max_by(|a, b| score(a).total_cmp(&score(b))) else { return false };
    let others =
        to_mirror_image.iter().filter(|other| !std::ptr::eq(*other, best) && other.shared >= MIN_SHARED);
    let second = others.map(score).fold(0.0, f64::max);
    score(fit) < score(best) + MIN_GAIN && Certificate::gain(score(best), second) >= SURELY_SYMMETRIC
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
        // Walls of the truth that are all explained prove the place; those of the map do not.
        assert!(looks_alike(Fit { explained: 0.99, ..fit }, 4.0, Winner::Map));
        assert!(!looks_alike(Fit { truth_explained: 0.95, ..fit }, 4.0, Winner::Map));
        assert!(looks_alike(Fit { truth_explained: 0.95, ..fit }, 4.0, Winner::MirrorImage));
        assert!(!looks_alike(Fit { truth_explained: 0.97, ..fit }, 4.0, Winner::MirrorImage));
    }

    /// A hall with two pillars, the same left and right. Its lower end is a wall, or lies in the open.
    fn hall(lower_end: &str) -> Levels {
        let mut rows = ["#########", "#.......#", "#..#.#..#", "#.......#", "#.......#"].to_vec();
        rows.push(lower_end);
        let map = testkit::grid(rows);
        Levels::new(&Allowance { tol_m: Some(1.0), ..Allowance::default() }, &map, &map).unwrap()
    }

    #[test]
    fn a_symmetric_map_that_ends_in_the_open_may_be_the_other_half() {
        let fit = Fit { shared_score: 0.9, explained: 1.0, truth_explained: 1.0, ..Fit::default() };
        for (lower_end, is_open) in [("#.......#", true), ("#########", false)] {
            let levels = hall(lower_end);
            let places = [(0.9, moved(&levels, 0.0))];
            let image = [(0.9, moved(&levels, 0.0)), (0.5, moved(&levels, 5.0))];
            let looks_alike =
                |fit: &Fit, kind| may_look_alike(fit, (&levels, &places), Some((&levels, &image)), kind);
            for kind in [Winner::Map, Winner::MirrorImage] {
                assert_eq!(looks_alike(&fit, kind), is_open, "{lower_end} {kind:?}");
            }
        }
    }

    #[test]
    fn a_map_is_symmetric_where_its_mirror_image_fits_it_in_one_place_alone() {
        let to_image = |shared, shared_score| Fit { shared, shared_score, ..Fit::default() };
        let fit = Fit { shared_score: 0.9, ..Fit::default() };
        assert!(is_symmetric(&fit, &[to_image(0.5, 0.6), to_image(0.9, 0.9)]));
        assert!(!is_symmetric(&fit, &[to_image(0.5, 0.88), to_image(0.9, 0.9)]), "it fits anywhere");
        assert!(!is_symmetric(&fit, &[to_image(0.8, 0.9)]), "a part of it is");
        assert!(!is_symmetric(&fit, &[to_image(0.9, 0.8)]), "it fits the truth better");
        assert!(!is_symmetric(&fit, &[]));
    }

    #[test]
    fn without_candidates_nothing_looks_alike() {
        assert!(!may_look_alike(&Fit::default(), (&comb(), &[]), None, Winner::Map));
    }
}
