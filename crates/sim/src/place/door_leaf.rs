//! The leaf of an open door: it stands in the room as a thin line, about a quarter turn from the wall.

use model::{CellClass, SeededRng};

use super::canvas::{Canvas, Rect};
use super::layout::{Axis, Layout, Opening, Passage};
use super::office::OfficePlan;

/// Part of the doors whose leaf is seen; the others are taken off or lie flat at a wall.
const SEEN_CHANCE: f64 = 0.6;
/// Free floor between a leaf and the next leaf or opening, so that neither blocks the other.
const GAP_M: f64 = 0.5;
/// Most that the tip of a leaf leans aside: half of the wall beside a door.
const MAX_LEAN_M: f64 = 0.15;

/// Paints the leaves of a layout's doors, where there is room for them.
pub(super) fn hang_doors(canvas: &mut Canvas, layout: &Layout, plan: &OfficePlan) {
    let mut rng = SeededRng::new(plan.seed).stream(1);
    let gap = plan.cells(GAP_M);
    let mut hung: Vec<Vec<Rect>> = vec![Vec::new(); layout.spaces.len()];
    let openings_of = openings_by_space(layout);
    for (number, opening) in layout.openings.iter().enumerate() {
        let leaf = leaf(opening, layout.spaces[opening.room].rect, plan, &mut rng);
        let is_seen = rng.chance(SEEN_CHANCE);
        let Some(around) = leaf.iter().copied().reduce(Rect::union) else { continue };
        let around = around.grown(gap, gap);
        let others = openings_of[opening.room].iter().filter(|other| **other != number);
        let is_in_the_way = others.map(|other| &layout.openings[*other].rect).any(|r| r.overlaps(around))
            || hung[opening.room].iter().any(|r| r.overlaps(around));
        if opening.passage == Passage::Door && is_seen && !is_in_the_way {
            hung[opening.room].extend_from_slice(&leaf);
            leaf.iter().for_each(|cells| canvas.fill(*cells, CellClass::Occupied));
        }
    }
}

fn openings_by_space(layout: &Layout) -> Vec<Vec<usize>> {
    let mut openings_of = vec![Vec::new(); layout.spaces.len()];
    for (number, opening) in layout.openings.iter().enumerate() {
        openings_of[opening.room].push(number);
        openings_of[opening.beyond].push(number);
    }
    openings_of
}

/// The leaf as one strip of cells per step away from the wall. Strips overlap where the leaf leans, so that
/// it stays closed.
fn leaf(opening: &Opening, room: Rect, plan: &OfficePlan, rng: &mut SeededRng) -> Vec<Rect> {
    let rect = opening.rect;
    let hinge_is_high = rng.chance(0.5);
    let lean = rng.one_of(&[-2, 0, 0, 2, 3]) * plan.cells(MAX_LEAN_M) / 3;
    let (low, high, length, room_is_beyond) = match opening.axis {
        Axis::Vertical => (rect.left, rect.right, rect.width(), room.bottom >= rect.top),
        Axis::Horizontal => (rect.bottom, rect.top, rect.height(), room.left >= rect.right),
    };
    let (hinge, outwards) = if hinge_is_high { (high, 1) } else { (low - 1, -1) };
    let side = |step: i64| hinge + outwards * (lean * step / length);
    let strip = |step: i64| {
        let (from, to) = (side((step - 1).max(0)), side(step));
        let (low, high) = (from.min(to), from.max(to) + 1);
        match (opening.axis, room_is_beyond) {
            (Axis::Vertical, true) => Rect::new(low, rect.top + step, high, rect.top + step + 1),
            (Axis::Vertical, false) => Rect::new(low, rect.bottom - step - 1, high, rect.bottom - step),
            (Axis::Horizontal, true) => Rect::new(rect.right + step, low, rect.right + step + 1, high),
            (Axis::Horizontal, false) => Rect::new(rect.left - step - 1, low, rect.left - step, high),
        }
    };
    (0..length).map(strip).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Space, SpaceKind};
    use super::*;

    const ROOM: Rect = Rect::new(0, 0, 60, 60);

    fn door(rect: Rect, axis: Axis) -> Opening {
        Opening { rect, axis, passage: Passage::Door, room: 0, beyond: 1 }
    }

    #[test]
    fn a_leaf_stands_in_the_room_beside_its_door_and_is_as_long_as_the_door_is_wide() {
        let doors = [
            (door(Rect::new(20, 60, 38, 62), Axis::Vertical), Rect::new(16, 42, 42, 60)),
            (door(Rect::new(20, -2, 38, 0), Axis::Vertical), Rect::new(16, 0, 42, 18)),
            (door(Rect::new(-1, 20, 0, 38), Axis::Horizontal), Rect::new(0, 16, 18, 42)),
            (door(Rect::new(60, 20, 61, 38), Axis::Horizontal), Rect::new(42, 16, 60, 42)),
        ];
        for (opening, expected_around) in doors {
            for seed in 0..30 {
                let leaf = leaf(&opening, ROOM, &OfficePlan::default(), &mut SeededRng::new(seed));
                assert_eq!(leaf.len(), 18);
                let around = leaf.iter().copied().reduce(Rect::union).unwrap();
                assert!(expected_around.contains(around), "{around:?}");
                assert_eq!(around.width().max(around.height()), 18);
            }
        }
    }

    #[test]
    fn leaves_never_stand_in_front_of_another_opening() {
        let plan = OfficePlan::default();
        // Two doors in one corner: each leaf would stand in the way of the other door.
        let layout = Layout {
            spaces: vec![Space { rect: ROOM, kind: SpaceKind::Office }; 2],
            openings: vec![
                door(Rect::new(6, -2, 24, 0), Axis::Vertical),
                door(Rect::new(-1, 6, 0, 24), Axis::Horizontal),
            ],
        };
        for seed in 0..30 {
            let geometry = model::GridGeometry::new(60, 60, 0.05, model::Pose2::IDENTITY).unwrap();
            let mut canvas = Canvas::unknown(geometry);
            hang_doors(&mut canvas, &layout, &OfficePlan { seed, ..plan });
            let counts = canvas.into_grid().unwrap().class_counts();
            // One leaf has 18 strips of at most two cells; two would have at least 36 cells.
            assert!(counts[CellClass::Occupied as usize] < 36, "seed {seed}: {counts:?}");
        }
    }
}
