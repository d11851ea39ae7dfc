//! Furniture: which pieces a space gets, and where they can stand.
//!
//! A piece stands against a wall or keeps [`GAP_M`] to everything else, and never in front of a door. So the
//! free floor of a space stays in one part, and a small robot can go round each piece.

use model::{CellClass, SeededRng};

use super::canvas::{Canvas, Rect};
use super::layout::{Axis, Layout, SpaceKind};
use super::office::OfficePlan;
use super::piece::{Part, Piece, PieceKind};

/// Free floor between pieces, and between a piece and a wall it does not stand against.
const GAP_M: f64 = 0.5;
/// Free floor in front of a door, beyond the length of its open leaf.
const BEYOND_DOOR_LEAF_M: f64 = 0.15;
/// Free floor beside a door: its leaf may lean this far.
const DOOR_SIDE_M: f64 = 0.3;
/// Positions tried before a piece is given up.
const ATTEMPTS: usize = 80;

/// Puts furniture into every space of a layout.
pub(super) fn furnish(canvas: &mut Canvas, layout: &Layout, plan: &OfficePlan) {
    let mut rng = SeededRng::new(plan.seed).stream(2);
    let kept_clear = floor_before_openings(layout, plan);
    for (space, kept_clear) in layout.spaces.iter().zip(kept_clear) {
        let mut room = Room { rect: space.rect, kept_clear, taken: Vec::new(), gap: plan.cells(GAP_M) };
        for kind in furniture_of(space.kind, space.rect, plan, &mut rng) {
            let piece = Piece::new(kind, plan);
            if let Some(standing) = room.find_place(&piece, &mut rng) {
                paint(canvas, &piece, standing);
            }
        }
    }
}

/// For each space, the floor that must stay free because people walk there.
fn floor_before_openings(layout: &Layout, plan: &OfficePlan) -> Vec<Vec<Rect>> {
    let depth = plan.cells(plan.door_width_m) + plan.cells(BEYOND_DOOR_LEAF_M);
    let side = plan.cells(DOOR_SIDE_M);
    let mut floor = vec![Vec::new(); layout.spaces.len()];
    for opening in &layout.openings {
        let zone = match opening.axis {
            Axis::Vertical => opening.rect.grown(side, depth),
            Axis::Horizontal => opening.rect.grown(depth, side),
        };
        floor[opening.room].push(zone);
        floor[opening.beyond].push(zone);
    }
    floor
}

/// The pieces a space would like to have, the most important first.
fn furniture_of(kind: SpaceKind, rect: Rect, plan: &OfficePlan, rng: &mut SeededRng) -> Vec<PieceKind> {
    let area_m2 = rect.area_cells() as f64 * plan.cell_size_m * plan.cell_size_m;
    let one_per = |m2: f64| ((area_m2 / m2) as usize).max(1);
    let repeated = |kind: PieceKind, times: usize| std::iter::repeat_n(kind, times);
    match kind {
        SpaceKind::Shaft => Vec::new(),
        SpaceKind::Corridor => {
            let any = [PieceKind::Cupboard, PieceKind::Plant, PieceKind::Bin, PieceKind::Bench];
            (0..one_per(9.0)).map(|_| rng.one_of(&any)).collect()
        }
        SpaceKind::Lounge => {
            let mut pieces = vec![PieceKind::Sofa, PieceKind::SideTable, PieceKind::Sofa, PieceKind::Pillar];
            pieces.extend([PieceKind::SideTable, PieceKind::Plant, PieceKind::Plant]);
            pieces
        }
        SpaceKind::Office => repeated(PieceKind::Desk, one_per(6.0).min(3))
            .chain([PieceKind::Cupboard, rng.one_of(&[PieceKind::Plant, PieceKind::Shelf]), PieceKind::Bin])
            .collect(),
        SpaceKind::OpenPlan => repeated(PieceKind::DeskCluster, one_per(14.0))
            .chain(repeated(PieceKind::Desk, 2))
            .chain([PieceKind::Cupboard, PieceKind::Cupboard, PieceKind::Pillar, PieceKind::Plant])
            .collect(),
        SpaceKind::Meeting => {
            let table =
                rng.one_of(&[PieceKind::MeetingTable, PieceKind::MeetingTable, PieceKind::RoundTable]);
            vec![table, PieceKind::RoundTable, PieceKind::Cupboard, PieceKind::Shelf, PieceKind::Plant]
        }
        SpaceKind::Kitchen => {
            vec![PieceKind::Counter, PieceKind::RoundTable, PieceKind::Shelf, PieceKind::Bin]
        }
        SpaceKind::Washroom => vec![PieceKind::Cubicles, PieceKind::Counter, PieceKind::Bin],
        SpaceKind::Store => repeated(PieceKind::Shelf, one_per(3.0))
            .chain(repeated(PieceKind::Barrel, one_per(4.0)))
            .collect(),
    }
}

/// The side of the room behind a piece.
#[derive(Clone, Copy)]
enum Back {
    Bottom,
    Top,
    Left,
    Right,
}

/// A piece in its place: the rectangle it covers and the wall it turns its back to.
#[derive(Clone, Copy)]
struct Standing {
    rect: Rect,
    back: Back,
}

impl Standing {
    /// A rectangle of the piece's own frame (width along the wall, depth away from it) on the floor.
    fn on_floor(self, part: Rect) -> Rect {
        let r = self.rect;
        match self.back {
            Back::Bottom => Rect::new(
                r.left + part.left,
                r.bottom + part.bottom,
                r.left + part.right,
                r.bottom + part.top,
            ),
            Back::Top => {
                Rect::new(r.left + part.left, r.top - part.top, r.left + part.right, r.top - part.bottom)
            }
            Back::Left => Rect::new(
                r.left + part.bottom,
                r.bottom + part.left,
                r.left + part.top,
                r.bottom + part.right,
            ),
            Back::Right => Rect::new(
                r.right - part.top,
                r.bottom + part.left,
                r.right - part.bottom,
                r.bottom + part.right,
            ),
        }
    }
}

/// The floor of a space while it is furnished.
struct Room {
    rect: Rect,
    /// Where nothing may stand; it counts as the gap of what stands beside it.
    kept_clear: Vec<Rect>,
    /// What stands there already.
    taken: Vec<Rect>,
    /// Gap in cells.
    gap: i64,
}

impl Room {
    /// Finds a place for a piece and takes it.
    fn find_place(&mut self, piece: &Piece, rng: &mut SeededRng) -> Option<Standing> {
        for _ in 0..ATTEMPTS {
            let back = rng.one_of(&[Back::Bottom, Back::Top, Back::Left, Back::Right]);
            let Some(standing) = self.propose(piece, back, rng) else { continue };
            let needed = self.with_gap(standing.rect);
            let fits = self.rect.contains(needed)
                && !self.kept_clear.iter().any(|zone| zone.overlaps(standing.rect))
                && !self.taken.iter().any(|other| other.overlaps(needed));
            if fits {
                self.taken.push(standing.rect);
                return Some(standing);
            }
        }
        None
    }

    /// A random place on the chosen side, or anywhere for a piece that stands free.
    fn propose(&self, piece: &Piece, back: Back, rng: &mut SeededRng) -> Option<Standing> {
        let (width, depth) = match back {
            Back::Bottom | Back::Top => (piece.width, piece.depth),
            Back::Left | Back::Right => (piece.depth, piece.width),
        };
        if width > self.rect.width() || depth > self.rect.height() {
            return None;
        }
        let mut left = self.snapped(rng, self.rect.left, self.rect.right - width);
        let mut bottom = self.snapped(rng, self.rect.bottom, self.rect.top - depth);
        if piece.stands_at_wall {
            match back {
                Back::Bottom => bottom = self.rect.bottom,
                Back::Top => bottom = self.rect.top - depth,
                Back::Left => left = self.rect.left,
                Back::Right => left = self.rect.right - width,
            }
        } else {
            left = rng.between(self.rect.left + self.gap, self.rect.right - width - self.gap);
            bottom = rng.between(self.rect.bottom + self.gap, self.rect.top - depth - self.gap);
        }
        Some(Standing { rect: Rect::new(left, bottom, left + width, bottom + depth), back })
    }

    /// A position from first to last, moved into the corner where the gap to it would be too small.
    fn snapped(&self, rng: &mut SeededRng, first: i64, last: i64) -> i64 {
        let drawn = rng.between(first, last);
        if drawn - first < self.gap {
            first
        } else if last - drawn < self.gap {
            last
        } else {
            drawn
        }
    }

    /// The floor a piece needs: a gap on each side that does not stand against a wall.
    fn with_gap(&self, piece: Rect) -> Rect {
        let gap = |touches: bool| if touches { 0 } else { self.gap };
        Rect::new(
            piece.left - gap(piece.left == self.rect.left),
            piece.bottom - gap(piece.bottom == self.rect.bottom),
            piece.right + gap(piece.right == self.rect.right),
            piece.top + gap(piece.top == self.rect.top),
        )
    }
}

fn paint(canvas: &mut Canvas, piece: &Piece, standing: Standing) {
    for part in &piece.parts {
        match *part {
            Part::Box(rect) => canvas.solid_box(standing.on_floor(rect)),
            Part::Disc(rect) => canvas.solid_disc(standing.on_floor(rect)),
            Part::Panel(rect) => canvas.fill(standing.on_floor(rect), CellClass::Occupied),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(width: i64, depth: i64, stands_at_wall: bool) -> Piece {
        Piece { width, depth, stands_at_wall, parts: Vec::new() }
    }

    fn room(kept_clear: Vec<Rect>) -> Room {
        Room { rect: Rect::new(0, 0, 20, 12), kept_clear, taken: Vec::new(), gap: 3 }
    }

    #[test]
    fn parts_turn_with_the_wall_behind_their_piece() {
        // A piece of 4 x 2 with a part in the corner at its own lower left.
        let part = Rect::new(0, 0, 1, 2);
        let flat = Rect::new(10, 10, 14, 12);
        let upright = Rect::new(10, 10, 12, 14);
        let floor = |rect, back| Standing { rect, back }.on_floor(part);
        assert_eq!(floor(flat, Back::Bottom), Rect::new(10, 10, 11, 12));
        assert_eq!(floor(flat, Back::Top), Rect::new(10, 10, 11, 12));
        assert_eq!(floor(upright, Back::Left), Rect::new(10, 10, 12, 11));
        assert_eq!(floor(upright, Back::Right), Rect::new(10, 10, 12, 11));
        let front = Rect::new(0, 1, 4, 2);
        assert_eq!(Standing { rect: flat, back: Back::Top }.on_floor(front), Rect::new(10, 10, 14, 11));
        assert_eq!(Standing { rect: upright, back: Back::Right }.on_floor(front), Rect::new(10, 10, 11, 14));
    }

    #[test]
    fn pieces_keep_the_gap_to_each_other_and_to_walls_they_do_not_touch() {
        for seed in 0..50 {
            let mut rng = SeededRng::new(seed);
            let mut room = room(Vec::new());
            for _ in 0..6 {
                room.find_place(&piece(4, 2, seed % 2 == 0), &mut rng);
            }
            assert!(!room.taken.is_empty());
            for (number, a) in room.taken.iter().enumerate() {
                assert!(room.rect.contains(room.with_gap(*a)), "seed {seed}");
                assert!(room.taken[..number].iter().all(|b| !b.grown(3, 3).overlaps(*a)), "seed {seed}");
            }
        }
    }

    #[test]
    fn nothing_stands_where_people_walk() {
        let zone = Rect::new(0, 0, 20, 9);
        for seed in 0..50 {
            let mut room = room(vec![zone]);
            if let Some(standing) = room.find_place(&piece(4, 2, true), &mut SeededRng::new(seed)) {
                assert!(standing.rect.bottom >= 9, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_piece_larger_than_the_room_is_given_up() {
        assert!(room(Vec::new()).find_place(&piece(30, 2, true), &mut SeededRng::new(1)).is_none());
    }
}
