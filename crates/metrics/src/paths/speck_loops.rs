//! Loops around specks: a few isolated cells in open space add a loop each and can multiply the edges.

use model::CellClass;
use raster::components::{Components, Connectivity, components_of};

use super::ground::Ground;
use crate::Reason;

/// Occupied groups of fewer cells are specks.
const SPECK_BELOW_CELLS: usize = 4;
/// Share of the edges above which the report warns.
const WARN_ABOVE: f64 = 0.2;

/// Whether more than a fifth of the edges belong to loops around groups of fewer than 4 occupied cells.
///
/// # Errors
/// The map is too large for exact distances.
pub(crate) fn too_many_speck_loops(ground: &Ground) -> Result<bool, Reason> {
    let edges = ground.skeleton()?.edges.len();
    Ok(speck_loop_edges(ground)? as f64 > WARN_ABOVE * edges as f64)
}

/// Edges that border a mesh of the graph in which nothing but specks lies.
fn speck_loop_edges(ground: &Ground) -> Result<usize, Reason> {
    let graph = ground.skeleton()?;
    let (width, height) = ground.size();
    let mut lines = vec![0_u8; width * height];
    for edge in &graph.edges {
        edge.cells.iter().for_each(|&cell| lines[cell as usize] = 1);
    }
    let meshes = components_of(&lines, 0, width, height, Connectivity::Four);
    let holds = contents(ground, &meshes);
    let is_speck_mesh =
        |cell: usize| meshes.component_at(cell).is_some_and(|mesh| holds[mesh as usize] == Contents::Specks);
    let borders = |&cell: &u32| {
        let (cell, x) = (cell as usize, cell as usize % width);
        let sides = [
            (x > 0).then(|| cell.wrapping_sub(1)),
            (x + 1 < width).then_some(cell + 1),
            cell.checked_sub(width),
            (cell + width < width * height).then_some(cell + width),
        ];
        sides.into_iter().flatten().any(is_speck_mesh)
    };
    Ok(graph.edges.iter().filter(|edge| edge.cells.iter().any(borders)).count())
}

/// What a mesh of the graph holds besides free cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    Nothing,
    Specks,
    More,
}

fn contents(ground: &Ground, meshes: &Components) -> Vec<Contents> {
    let (width, height) = ground.size();
    let groups =
        components_of(ground.classes(), CellClass::Occupied as u8, width, height, Connectivity::Eight);
    let mut sizes = vec![0; groups.count() as usize + 1];
    groups.runs().for_each(|(group, cells)| sizes[group as usize] += cells.len());
    let mut holds = vec![Contents::Nothing; meshes.count() as usize + 1];
    for (mesh, cells) in meshes.runs() {
        let held = &mut holds[mesh as usize];
        let row = cells.start / width;
        let at_border = row == 0 || row + 1 == height || cells.start % width == 0 || cells.end % width == 0;
        let unknown = ground.classes()[cells].contains(&(CellClass::Unknown as u8));
        if at_border || unknown {
            *held = Contents::More;
        }
    }
    for (group, cells) in groups.runs() {
        let Some(mesh) = meshes.component_at(cells.start) else { continue };
        let held = &mut holds[mesh as usize];
        *held = match (*held, sizes[group as usize] < SPECK_BELOW_CELLS) {
            (Contents::Nothing | Contents::Specks, true) => Contents::Specks,
            _ => Contents::More,
        };
    }
    holds
}
