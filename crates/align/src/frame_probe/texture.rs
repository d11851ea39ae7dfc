//! What the cells of a map look like by themselves, from a sample of its rows: whether neighbours agree, whether free
//! space is closed, how much is occupied.

use model::Grid;

/// Rows that are looked at, at most.
const MAX_ROWS: usize = 32;
/// Fewer pairs of neighbours say nothing.
const MIN_PAIRS: f64 = 500.0;

/// Facts about the cells of one map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapTexture {
    /// How much more often neighbours in a row are of one class than by chance, up to 1 (Cohen's kappa); 0 for random cells.
    pub neighbour_agreement: f64,
    /// Share of the borders of free space that lie to unknown cells, 0 to 1: a finished plan has none.
    pub open_borders: f64,
    /// Share of the known cells that are occupied, 0 to 1.
    pub occupied: f64,
}

impl MapTexture {
    /// Looks at a map; none if too little of it is known to say anything.
    #[must_use]
    pub fn of(map: &Grid) -> Option<Self> {
        let geometry = map.geometry();
        let step = geometry.height().div_ceil(MAX_ROWS).max(1);
        // Pairs of neighbours by their classes: free, unknown, occupied.
        let mut pairs = pairs_of(map.class_bytes().chunks_exact(geometry.width().max(1)).step_by(step));
        // Unknown beside unknown is the empty part of the image.
        pairs[1][1] = 0.0;
        let all: f64 = pairs.iter().flatten().sum();
        if all < MIN_PAIRS {
            return None;
        }
        let share = |class: usize| {
            (0..3).map(|other| pairs[class][other] + pairs[other][class]).sum::<f64>() / (2.0 * all)
        };
        let (observed, by_chance) = (
            (0..3).map(|class| pairs[class][class]).sum::<f64>() / all,
            (0..3).map(|class| share(class) * share(class)).sum::<f64>(),
        );
        let beside = |a: usize, b: usize| pairs[a][b] + pairs[b][a];
        let (open, closed) = (beside(0, 1), beside(0, 2));
        let [free, occupied] = [share(0), share(2)];
        Some(Self {
            neighbour_agreement: if by_chance < 1.0 {
                (observed - by_chance) / (1.0 - by_chance)
            } else {
                1.0
            },
            open_borders: if open + closed > 0.0 { open / (open + closed) } else { 0.0 },
            occupied: occupied / (free + occupied).max(f64::MIN_POSITIVE),
        })
    }
}

/// Neighbours in some rows, counted by their classes. Four counters take turns: a single one would wait for itself.
fn pairs_of<'a>(rows: impl Iterator<Item = &'a [u8]>) -> [[f64; 3]; 3] {
    let mut counts = [[0_u32; 16]; 4];
    for row in rows {
        let codes =
            row.iter().zip(&row[1.min(row.len())..]).map(|(&left, &right)| 4 * left.min(2) + right.min(2));
        for (index, code) in codes.enumerate() {
            counts[index % 4][usize::from(code)] += 1;
        }
    }
    let count = |code: usize| counts.iter().map(|counts| f64::from(counts[code])).sum();
    std::array::from_fn(|left| std::array::from_fn(|right| count(4 * left + right)))
}
