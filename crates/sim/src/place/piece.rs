//! The pieces of furniture and their measures, as a laser at the height of a table would see them.
//!
//! Lengths are those of common office furniture. A piece has its own frame: width along the wall behind it,
//! depth away from that wall.

use super::canvas::Rect;
use super::office::OfficePlan;

/// Names of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Barrel,
    Bench,
    Bin,
    Counter,
    Cubicles,
    Cupboard,
    Desk,
    DeskCluster,
    MeetingTable,
    Pillar,
    Plant,
    RoundTable,
    Shelf,
    SideTable,
    Sofa,
}

impl PieceKind {
    const fn stands_free(self) -> bool {
        matches!(
            self,
            Self::Barrel
                | Self::DeskCluster
                | Self::MeetingTable
                | Self::Pillar
                | Self::RoundTable
                | Self::SideTable
        )
    }
}

/// One solid thing of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A box whose inside is never seen.
    Box(Rect),
    /// A disc in a square.
    Disc(Rect),
    /// A thin board.
    Panel(Rect),
}

/// A piece of furniture in cells.
#[derive(Debug)]
pub(super) struct Piece {
    /// Extent along the wall behind the piece.
    pub width: i64,
    /// Extent away from that wall.
    pub depth: i64,
    /// True if the piece stands with its back to a wall, false if it stands free in the room.
    pub stands_at_wall: bool,
    /// What it is made of.
    pub parts: Vec<Part>,
}

impl Piece {
    /// A piece in the cells of a plan.
    pub(super) fn new(kind: PieceKind, plan: &OfficePlan) -> Self {
        let mut maker = Maker { plan, parts: Vec::new(), width: 0, depth: 0 };
        maker.build(kind);
        let stands_at_wall = !kind.stands_free();
        Self { width: maker.width, depth: maker.depth, stands_at_wall, parts: maker.parts }
    }
}

/// Collects parts given in metres and the rectangle around them.
struct Maker<'a> {
    plan: &'a OfficePlan,
    parts: Vec<Part>,
    width: i64,
    depth: i64,
}

impl Maker<'_> {
    fn build(&mut self, kind: PieceKind) {
        match kind {
            PieceKind::Barrel => self.disc(0.0, 0.0, 0.6),
            PieceKind::Bench => self.solid(0.0, 0.0, 1.4, 0.4),
            PieceKind::Bin => self.disc_off_walls(0.3),
            PieceKind::Counter => self.solid(0.0, 0.0, 2.0, 0.6),
            PieceKind::Cubicles => self.cubicles(),
            PieceKind::Cupboard => self.solid(0.0, 0.0, 1.2, 0.45),
            PieceKind::Desk => {
                self.solid(0.0, 0.0, 1.6, 0.75);
                self.disc(0.55, 0.85, 0.45);
            }
            PieceKind::DeskCluster => self.desk_cluster(),
            PieceKind::MeetingTable => self.meeting_table(),
            PieceKind::Pillar => self.disc(0.0, 0.0, 0.4),
            PieceKind::Plant => self.disc_off_walls(0.4),
            PieceKind::RoundTable => self.round_table(),
            PieceKind::Shelf => self.solid(0.0, 0.0, 1.0, 0.35),
            PieceKind::SideTable => self.disc(0.0, 0.0, 0.7),
            PieceKind::Sofa => self.solid(0.0, 0.0, 1.8, 0.8),
        }
    }

    /// Two places on each side of a double table.
    fn desk_cluster(&mut self) {
        self.solid(0.0, 0.5, 2.8, 1.2);
        for x_m in [0.5, 1.9] {
            self.disc(x_m, 0.0, 0.4);
            self.disc(x_m, 1.8, 0.4);
        }
    }

    fn meeting_table(&mut self) {
        self.solid(0.0, 0.5, 2.2, 1.0);
        for x_m in [0.2, 0.9, 1.6] {
            self.solid(x_m, 0.0, 0.4, 0.4);
            self.solid(x_m, 1.6, 0.4, 0.4);
        }
    }

    fn round_table(&mut self) {
        self.disc(0.45, 0.45, 0.9);
        for (x_m, y_m) in [(0.7, 0.0), (0.7, 1.4), (0.0, 0.7), (1.4, 0.7)] {
            self.disc(x_m, y_m, 0.4);
        }
    }

    /// Two cubicles, open to the front, each with its bowl.
    fn cubicles(&mut self) {
        for x_m in [0.0, 1.0, 2.0] {
            self.panel(x_m, 0.0, 0.05, 1.4);
        }
        for x_m in [0.35, 1.35] {
            self.solid(x_m, 0.0, 0.4, 0.6);
        }
    }

    fn solid(&mut self, x_m: f64, y_m: f64, width_m: f64, depth_m: f64) {
        let rect = self.rect(x_m, y_m, width_m, depth_m);
        self.parts.push(Part::Box(rect));
    }

    fn disc(&mut self, x_m: f64, y_m: f64, diameter_m: f64) {
        let rect = self.rect(x_m, y_m, diameter_m, diameter_m);
        self.parts.push(Part::Disc(rect));
    }

    /// A disc that may stand in a corner: a little floor around it, so that none is cut off behind it.
    fn disc_off_walls(&mut self, diameter_m: f64) {
        let (gap, diameter) = (self.plan.cells(0.05), self.plan.cells(diameter_m));
        self.parts.push(Part::Disc(Rect::new(gap, gap, gap + diameter, gap + diameter)));
        self.width = diameter + 2 * gap;
        self.depth = diameter + 2 * gap;
    }

    fn panel(&mut self, x_m: f64, y_m: f64, width_m: f64, depth_m: f64) {
        let rect = self.rect(x_m, y_m, width_m, depth_m);
        self.parts.push(Part::Panel(rect));
    }

    fn rect(&mut self, x_m: f64, y_m: f64, width_m: f64, depth_m: f64) -> Rect {
        let start = |m: f64| (m / self.plan.cell_size_m).round() as i64;
        let (left, bottom) = (start(x_m), start(y_m));
        let rect =
            Rect::new(left, bottom, left + self.plan.cells(width_m), bottom + self.plan.cells(depth_m));
        self.width = self.width.max(rect.right);
        self.depth = self.depth.max(rect.top);
        rect
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [PieceKind; 15] = [
        PieceKind::Barrel,
        PieceKind::Bench,
        PieceKind::Bin,
        PieceKind::Counter,
        PieceKind::Cubicles,
        PieceKind::Cupboard,
        PieceKind::Desk,
        PieceKind::DeskCluster,
        PieceKind::MeetingTable,
        PieceKind::Pillar,
        PieceKind::Plant,
        PieceKind::RoundTable,
        PieceKind::Shelf,
        PieceKind::SideTable,
        PieceKind::Sofa,
    ];

    fn rect_of(part: &Part) -> Rect {
        match *part {
            Part::Box(rect) | Part::Disc(rect) | Part::Panel(rect) => rect,
        }
    }

    #[test]
    fn a_desk_with_its_chair_measures_a_metre_sixty_by_a_metre_thirty() {
        let desk = Piece::new(PieceKind::Desk, &OfficePlan::default());
        assert_eq!((desk.width, desk.depth, desk.stands_at_wall), (32, 26, true));
    }

    #[test]
    fn a_plant_stands_one_cell_off_its_walls() {
        let plant = Piece::new(PieceKind::Plant, &OfficePlan::default());
        assert_eq!((plant.width, plant.depth), (10, 10));
        assert_eq!(rect_of(&plant.parts[0]), Rect::new(1, 1, 9, 9));
    }

    #[test]
    fn parts_lie_inside_their_piece_and_never_in_each_other() {
        for kind in ALL {
            let piece = Piece::new(kind, &OfficePlan::default());
            let whole = Rect::new(0, 0, piece.width, piece.depth);
            let parts: Vec<Rect> = piece.parts.iter().map(rect_of).collect();
            for (number, part) in parts.iter().enumerate() {
                assert!(whole.contains(*part), "{kind:?}");
                assert!(parts[..number].iter().all(|other| !other.overlaps(*part)), "{kind:?} {number}");
            }
        }
    }
}
