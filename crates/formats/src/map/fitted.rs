//! Thresholds of an image that states none, fitted to its own greys.
//!
//! The usual thresholds read every grey above 205 as free. A plan whose floor is white and whose surroundings or furniture
//! are light grey then loses its walls to the outside. Where the histogram shows two such levels, only the brighter one is
//! free: the limit lies half way between them. Alpha that is full everywhere says nothing and is left out.
//!
//! An image of the usual kind (nearly all of it in three greys, at most one of them free) is read as ever; so are images
//! with a YAML, with thresholds in the options, with translucent pixels, and those whose light greys spread over many
//! levels, as probabilities do.

use model::{CellClass, Finding, Level};

use super::occupancy::Rule;

/// Share of the pixels in the three commonest greys of an image of the usual kind.
const USUAL_SHARE: f64 = 0.995;
/// Share of the pixels that make a grey the floor.
const FLOOR_SHARE: f64 = 0.02;
/// Share of the pixels that make a grey a level of its own, and how far it lies below the floor at least.
const LEVEL_SHARE: f64 = 0.004;
const LEVEL_BELOW: usize = 9;
/// Share of the light pixels that floor and next level hold together, each with the two greys to both sides.
const TWO_LEVELS_SHARE: f64 = 0.85;
const LEVEL_HALF_WIDTH: usize = 2;

/// Reads the greys of an opaque image anew, if its histogram asks for it.
pub(crate) fn refit(greys: &[u8], classes: &mut [CellClass], rule: &Rule) -> Option<Finding> {
    let histogram = histogram(greys);
    let usual: Vec<CellClass> = (0..=255_u8).map(|grey| rule.cell(f64::from(grey)).0).collect();
    if is_usual(&histogram, &usual) {
        return None;
    }
    let levels = two_light_levels(&histogram, &usual);
    let is_free = |grey: usize| levels.is_none_or(|(floor, next)| 2 * grey > floor + next);
    let fitted = |(grey, &class): (usize, &CellClass)| {
        if class == CellClass::Free && !is_free(grey) { CellClass::Unknown } else { class }
    };
    let table: Vec<CellClass> = usual.iter().enumerate().map(fitted).collect();
    let mut changed = 0_u64;
    for (class, &grey) in classes.iter_mut().zip(greys) {
        let read = table[usize::from(grey)];
        changed += u64::from(*class != read);
        *class = read;
    }
    (changed > 0).then(|| finding(levels, changed))
}

fn finding(levels: Option<(usize, usize)>, changed: u64) -> Finding {
    let message = match levels {
        Some((floor, next)) => format!(
            "the file states no thresholds, and its histogram has two light levels, {floor} and {next}: only greys above \
             {} were read as free ({changed} cells differ from the usual thresholds)",
            (floor + next) / 2
        ),
        None => format!(
            "the file states no thresholds and its alpha is full everywhere: only its colours were read ({changed} cells \
             differ from the mean with alpha)"
        ),
    };
    Finding::new(Level::Info, "THRESHOLDS_FITTED", message).hint("give thresholds to read the greys by them")
}

fn histogram(greys: &[u8]) -> [u64; 256] {
    // Four counts at once: equal neighbours would wait for each other.
    let mut counts = [[0_u64; 256]; 4];
    for four in greys.chunks(4) {
        for (count, &grey) in counts.iter_mut().zip(four) {
            count[usize::from(grey)] += 1;
        }
    }
    std::array::from_fn(|grey| counts.iter().map(|count| count[grey]).sum())
}

fn is_usual(histogram: &[u64; 256], usual: &[CellClass]) -> bool {
    let mut levels: Vec<(u64, usize)> = histogram.iter().copied().zip(0..256).collect();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    let common = levels.iter().take(3).filter(|(count, _)| *count > 0);
    let (held, all): (u64, u64) = (common.clone().map(|(count, _)| count).sum(), histogram.iter().sum());
    let free: Vec<usize> =
        common.map(|(_, grey)| *grey).filter(|&grey| usual[grey] == CellClass::Free).collect();
    let apart = free.iter().max().unwrap_or(&0) - free.iter().min().unwrap_or(&0);
    held as f64 >= USUAL_SHARE * all as f64 && apart < LEVEL_BELOW
}

/// The floor and the brightest level below it that the usual thresholds call free too. Where further levels below them hold
/// more, nothing is fitted.
fn two_light_levels(histogram: &[u64; 256], usual: &[CellClass]) -> Option<(usize, usize)> {
    let all: u64 = histogram.iter().sum();
    let holds = |grey: usize, share: f64| histogram[grey] as f64 >= share * all as f64;
    let is_light = |grey: &usize| usual[*grey] == CellClass::Free;
    let floor = (0..256).rev().filter(is_light).find(|&grey| holds(grey, FLOOR_SHARE))?;
    let below = (0..=floor.checked_sub(LEVEL_BELOW)?).rev().filter(is_light);
    let next = below.filter(|&grey| is_spike(histogram, grey)).find(|&grey| holds(grey, LEVEL_SHARE))?;
    let light: u64 = (0..256).filter(is_light).map(|grey| histogram[grey]).sum();
    let around = |grey: usize| -> u64 {
        let last = (grey + LEVEL_HALF_WIDTH).min(255);
        histogram[grey.saturating_sub(LEVEL_HALF_WIDTH)..=last].iter().sum()
    };
    let held = around(floor) + around(next);
    (held as f64 >= TWO_LEVELS_SHARE * light as f64).then_some((floor, next))
}

/// Whether a grey is commoner than both greys beside it.
fn is_spike(histogram: &[u64; 256], grey: usize) -> bool {
    let beside = [grey.checked_sub(1), Some(grey + 1)].into_iter().flatten();
    beside.filter_map(|other| histogram.get(other)).all(|&count| count < histogram[grey])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadOptions;

    /// The classes of each grey after fitting; greys with their numbers of pixels.
    fn fitted(greys: &[(u8, usize)]) -> (Vec<CellClass>, Option<Finding>) {
        let rule = Rule::of_options(&ReadOptions::default());
        let pixels: Vec<u8> =
            greys.iter().flat_map(|&(grey, count)| std::iter::repeat_n(grey, count)).collect();
        let mut classes: Vec<CellClass> = pixels.iter().map(|&grey| rule.cell(f64::from(grey)).0).collect();
        let finding = refit(&pixels, &mut classes, &rule);
        let class_of = |grey: u8| classes[pixels.iter().position(|&other| other == grey).unwrap()];
        (greys.iter().map(|&(grey, _)| class_of(grey)).collect(), finding)
    }

    #[test]
    fn of_two_light_levels_only_the_brighter_one_is_free() {
        // Walls, outside, edges of walls, floor. Half way between 230 and 255 lies 242.5.
        let (classes, finding) = fitted(&[(12, 50), (230, 600), (236, 3), (250, 3), (255, 340)]);
        use CellClass::{Free, Occupied, Unknown};
        assert_eq!(classes, [Occupied, Unknown, Unknown, Free, Free]);
        let finding = finding.unwrap();
        assert_eq!(finding.code, "THRESHOLDS_FITTED");
        assert!(
            finding.message.contains("255 and 230") && finding.message.contains("603 cells"),
            "{finding:?}"
        );
    }

    #[test]
    fn usual_maps_and_spread_greys_are_read_as_ever() {
        for greys in [
            vec![(0, 50), (205, 600), (254, 350)],
            vec![(0, 50), (205, 600), (254, 200), (255, 150)],
            vec![(0, 500), (255, 500)],
            vec![(70, 100), (178, 500), (255, 390), (120, 10)],
            // Probabilities: twelve levels of nearly free.
            (0..12).map(|k| (200 + 5 * k as u8, 100)).collect(),
            vec![(0, 10)],
        ] {
            assert_eq!(fitted(&greys).1, None, "{greys:?}");
        }
        assert!(fitted(&[]).1.is_none());
    }

    #[test]
    fn furniture_drawn_in_light_grey_is_not_free() {
        let (classes, finding) = fitted(&[(0, 5410), (211, 60), (255, 1120)]);
        assert_eq!(classes[1], CellClass::Unknown);
        assert!(finding.is_some());
    }
}
