//! The figure of a broken map: its parts in colour, and the seams between them.

use align::piecewise::Parts;
use metrics::Case;
use model::{CellClass, GridGeometry};
use report::{Figure, Layer, MARK_COLOURS, OPEN, Rgb};

/// Walls of different parts closer than this form a seam, metres.
const SEAM_M: f64 = 0.5;
const UNREGISTERED: u8 = 0;
const FIRST_PART: u8 = 1;
const SEAM: u8 = FIRST_PART + MARK_COLOURS.len() as u8;
const TRUTH_LEGEND: [(Rgb, &str); 2] = [([255; 3], "free or unknown"), ([190; 3], "wall of the truth")];
const UNREGISTERED_LEGEND: (Rgb, &str) = ([110; 3], "wall that fits nowhere");
const SEAM_LEGEND: (Rgb, &str) = ([0; 3], "seam");

/// Draws the parts if a metric computed them; none otherwise.
pub fn parts_figure(case: &Case) -> Option<Figure> {
    let (Some(parts), Ok(grids)) = (case.computed_parts(), case.grids()) else {
        return None;
    };
    let geometry = grids.geometry();
    let is_wall = |class: &CellClass| u8::from(*class == CellClass::Occupied);
    let walls = grids.truth.classes().iter().map(is_wall).collect();
    let legend: Vec<(Rgb, &str)> = [UNREGISTERED_LEGEND]
        .into_iter()
        .chain(MARK_COLOURS.map(|colour| (colour, "part")))
        .chain([SEAM_LEGEND])
        .collect();
    let layers = vec![
        Layer::cells("truth", geometry, walls, &TRUTH_LEGEND),
        Layer::cells("parts", geometry, walls_by_part(geometry, parts), &legend),
    ];
    let caption = "Walls of the map by the frame they fit in: each part in a colour of its own, seams between parts \
                   black, walls that fit nowhere dark grey, walls of the truth light grey.";
    Some(Figure::new("parts", "Parts of the map", caption, layers))
}

fn walls_by_part(geometry: &GridGeometry, parts: &Parts) -> Vec<u8> {
    let mut entries = vec![OPEN; geometry.cells()];
    parts.unregistered.iter().for_each(|&cell| entries[cell] = UNREGISTERED);
    for (number, part) in parts.parts.iter().enumerate() {
        let colour = FIRST_PART + (number % MARK_COLOURS.len()) as u8;
        part.cells.iter().for_each(|&cell| entries[cell] = colour);
    }
    let reach = (SEAM_M / geometry.cell_size_m()).ceil() as usize;
    for cell in seam_cells(&entries, geometry.width(), reach) {
        entries[cell] = SEAM;
    }
    entries
}

/// Cells of parts with a cell of another part nearby.
fn seam_cells(entries: &[u8], width: usize, reach: usize) -> Vec<usize> {
    let is_part = |entry: u8| (FIRST_PART..SEAM).contains(&entry);
    let height = entries.len() / width;
    let is_seam = |&cell: &usize| {
        let (x, y, own) = (cell % width, cell / width, entries[cell]);
        let rows = y.saturating_sub(reach)..=(y + reach).min(height - 1);
        let columns = x.saturating_sub(reach)..=(x + reach).min(width - 1);
        is_part(own)
            && rows.into_iter().any(|row| {
                entries[row * width..][columns.clone()].iter().any(|&other| is_part(other) && other != own)
            })
    };
    (0..entries.len()).filter(is_seam).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seams_lie_where_two_parts_meet() {
        let (a, b) = (FIRST_PART, FIRST_PART + 1);
        let entries = [a, a, a, a, b, b, b, b, OPEN, OPEN];
        assert_eq!(seam_cells(&entries, 10, 1), [3, 4]);
        assert!(seam_cells(&[a, UNREGISTERED, OPEN, OPEN], 4, 3).is_empty());
    }
}
