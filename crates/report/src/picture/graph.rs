//! Lines over a map: the graph of its free space, and routes in the colours of their classes.
//!
//! The map is pale, so that lines stand out; lines and marks win when a large map is reduced.

use model::CellClass;

use super::{PictureError, Rgb, Size, draw};

/// A graph over a map.
pub struct GraphPicture {
    /// Class of each cell, top row first.
    pub classes: Vec<CellClass>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Cells of edges.
    pub lines: Vec<u32>,
    /// Cells of nodes.
    pub nodes: Vec<u32>,
}

/// Ground colours: free, unknown, occupied.
const GROUND: [Rgb; 3] = [[255, 255, 255], [217, 217, 217], [110, 110, 110]];
const LINE: Rgb = [0, 114, 178];
const NODE: Rgb = [213, 94, 0];

/// The graph drawn over the map.
///
/// # Errors
/// Planes of another size, cells outside, or no cell.
pub fn graph_png(picture: &GraphPicture) -> Result<Vec<u8>, PictureError> {
    let layers = [(LINE, &picture.lines[..]), (NODE, &picture.nodes[..])];
    lines_png(&picture.classes, picture.width, picture.height, &layers)
}

/// Layers of cells drawn over a map, later ones on top. At most 13 layers.
///
/// # Errors
/// Planes of another size, cells outside, or no cell.
pub fn lines_png(
    classes: &[CellClass],
    width: usize,
    height: usize,
    layers: &[(Rgb, &[u32])],
) -> Result<Vec<u8>, PictureError> {
    let size = Size::of(width, height)?;
    size.check("map", classes.len())?;
    let mut entries: Vec<u8> = classes.iter().map(|&class| class as u8).collect();
    let mut palette = GROUND.to_vec();
    for (colour, cells) in layers {
        let entry = palette.len() as u8;
        palette.push(*colour);
        for &cell in *cells {
            let cells = entries.len();
            let slot = entries.get_mut(cell as usize);
            *slot.ok_or(PictureError::Outside { index: cell as usize, cells })? = entry;
        }
    }
    // Free gives way to unknown, unknown to walls, walls to lines.
    draw(size, &palette, |index| entries[index], |block| block.iter().copied().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::tests::decode;
    use super::*;
    use CellClass::{Free, Occupied, Unknown};

    #[test]
    fn lines_lie_over_the_map_and_nodes_over_lines() {
        let picture = GraphPicture {
            classes: vec![Free, Unknown, Occupied, Free],
            width: 4,
            height: 1,
            lines: vec![0, 3],
            nodes: vec![3],
        };
        let (width, _, pixels) = decode(&graph_png(&picture).unwrap());
        let step = width / 4;
        let colours: Vec<Rgb> = (0..4).map(|cell| pixels[cell * step]).collect();
        assert_eq!(colours, [LINE, GROUND[1], GROUND[2], NODE]);
    }

    #[test]
    fn cells_outside_are_refused() {
        let error = lines_png(&[Free], 1, 1, &[(LINE, &[7])]).unwrap_err();
        assert!(matches!(error, PictureError::Outside { index: 7, cells: 1 }));
    }
}
