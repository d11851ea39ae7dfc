//! The picture of a broken map: its parts in colour, and the seams between them.

use align::piecewise::Parts;
use metrics::{AlignedGrids, Case};
use model::CellClass;
use report::{Figure, Image, MARK_COLOURS, Rgb, marked_png};

use crate::JobError;

/// Walls of different parts closer than this form a seam, metres.
const SEAM_M: f64 = 0.5;
const GROUND: u8 = 0;
const TRUTH: u8 = 1;
const UNREGISTERED: u8 = 2;
const FIRST_PART: u8 = 3;
/// Unknown or free, wall of the truth, wall that fits nowhere.
const GROUND_COLOURS: [Rgb; 3] = [[255, 255, 255], [190, 190, 190], [110, 110, 110]];
const SEAM_COLOUR: Rgb = [0, 0, 0];

/// Draws the parts if a metric computed them; none otherwise.
pub fn parts_figure(case: &Case) -> Result<Option<Figure>, JobError> {
    let (Some(parts), Ok(grids)) = (case.computed_parts(), case.grids()) else {
        return Ok(None);
    };
    let geometry = grids.geometry();
    let (width, height) = (geometry.width(), geometry.height());
    let seam = FIRST_PART + MARK_COLOURS.len() as u8;
    let mut entries = walls_by_part(grids, parts);
    let reach = (SEAM_M / geometry.cell_size_m()).ceil() as usize;
    for cell in seam_cells(&entries, width, reach) {
        entries[cell] = seam;
    }
    let palette: Vec<Rgb> = GROUND_COLOURS.into_iter().chain(MARK_COLOURS).chain([SEAM_COLOUR]).collect();
    Ok(Some(Figure {
        name: "parts".to_owned(),
        title: "Parts of the map".to_owned(),
        caption: "Walls of the map by the frame they fit in: each part in a colour of its own, seams between parts \
                  black, walls that fit nowhere dark grey, walls of the truth light grey."
            .to_owned(),
        image: Image::Png(marked_png(&palette, &entries, width, height)?),
    }))
}

fn walls_by_part(grids: &AlignedGrids, parts: &Parts) -> Vec<u8> {
    let truth = |class: &CellClass| if *class == CellClass::Occupied { TRUTH } else { GROUND };
    let mut entries: Vec<u8> = grids.truth.classes().iter().map(truth).collect();
    parts.unregistered.iter().for_each(|&cell| entries[cell] = UNREGISTERED);
    for (number, part) in parts.parts.iter().enumerate() {
        let colour = FIRST_PART + (number % MARK_COLOURS.len()) as u8;
        part.cells.iter().for_each(|&cell| entries[cell] = colour);
    }
    entries
}

/// Cells of parts with a cell of another part nearby.
fn seam_cells(entries: &[u8], width: usize, reach: usize) -> Vec<usize> {
    let height = entries.len() / width;
    let is_seam = |&cell: &usize| {
        let (x, y, own) = (cell % width, cell / width, entries[cell]);
        let rows = y.saturating_sub(reach)..=(y + reach).min(height - 1);
        let columns = x.saturating_sub(reach)..=(x + reach).min(width - 1);
        own >= FIRST_PART
            && rows.into_iter().any(|row| {
                entries[row * width..][columns.clone()]
                    .iter()
                    .any(|&other| other >= FIRST_PART && other != own)
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
        let entries = [a, a, a, a, b, b, b, b, GROUND, TRUTH];
        assert_eq!(seam_cells(&entries, 10, 1), [3, 4]);
        assert!(seam_cells(&[a, UNREGISTERED, TRUTH, GROUND], 4, 3).is_empty());
    }
}
