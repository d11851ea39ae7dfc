//! Which rooms of a map are closed: what their borders are made of.

use model::{CellClass, Grid};
use raster::outline::borders;
use raster::rooms::Rooms;
use raster::rooms::descriptor::{Descriptor, descriptors};
use raster::rooms::watershed::{Watershed, watershed_rooms};

use crate::{Reason, Undefined};

/// A room and its border.
#[derive(Clone, Debug)]
pub struct EnclosedRoom {
    pub room: Descriptor,
    /// Border along walls, cells.
    pub wall_cells: usize,
    /// Border along unknown cells or the end of the map, cells.
    pub open_cells: usize,
}

impl EnclosedRoom {
    /// Share of the border that is open; doors to other rooms count for neither.
    #[must_use]
    pub fn open_share(&self) -> f64 {
        let outer = self.wall_cells + self.open_cells;
        if outer == 0 { 0.0 } else { self.open_cells as f64 / outer as f64 }
    }
}

/// The rooms of a map with what bounds them.
///
/// # Errors
/// A map too long for exact distances.
pub fn enclosed_rooms(map: &Grid) -> Result<(Rooms, Vec<EnclosedRoom>), Undefined> {
    let rooms = watershed_rooms(map, &Watershed::default()).ok_or(Reason::TooLarge)?;
    let geometry = map.geometry();
    let (width, height) = (geometry.width(), geometry.height());
    let mut counts = vec![(0, 0); rooms.count as usize];
    for border in borders(&rooms.labels, width, height) {
        for edge in &border.edges {
            let (walls, open) = &mut counts[border.label as usize - 1];
            match edge.across(width, height).map(|cell| map.classes()[cell]) {
                Some(CellClass::Occupied) => *walls += 1,
                Some(CellClass::Free) => {}
                Some(CellClass::Unknown) | None => *open += 1,
            }
        }
    }
    let described = descriptors(&rooms, geometry).into_iter().zip(counts);
    let enclosed =
        described.map(|(room, (wall_cells, open_cells))| EnclosedRoom { room, wall_cells, open_cells });
    Ok((rooms, enclosed.collect()))
}
