//! A map: one class per cell, and, where the file had them, probabilities and navigation classes.

use crate::{CellClass, GridGeometry, NavigationClass};

/// Why the planes of a grid were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GridError {
    /// A plane has another number of cells than the geometry.
    #[error("{plane}: {found} cells, expected {expected}")]
    Size { plane: &'static str, found: usize, expected: usize },
    /// A probability is not a number in [0, 1].
    #[error("probability {value} at index {index}: expected a number from 0 to 1")]
    Probability { index: usize, value: f64 },
}

impl GridError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Size { .. } => "PLANE_SIZE",
            Self::Probability { .. } => "PROBABILITY_RANGE",
        }
    }
}

/// A map of three-value cells. All planes are in image order: top row first, left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    geometry: GridGeometry,
    classes: Vec<CellClass>,
    probabilities: Option<Vec<f64>>,
    navigation: Option<Vec<NavigationClass>>,
}

impl Grid {
    /// A grid of classes.
    ///
    /// # Errors
    /// The number of classes differs from the number of cells.
    pub fn new(geometry: GridGeometry, classes: Vec<CellClass>) -> Result<Self, GridError> {
        check_size("classes", classes.len(), &geometry)?;
        Ok(Self { geometry, classes, probabilities: None, navigation: None })
    }

    /// A grid where every cell has the same class.
    pub fn filled(geometry: GridGeometry, class: CellClass) -> Self {
        Self { geometry, classes: vec![class; geometry.cells()], probabilities: None, navigation: None }
    }

    /// A grid of five-class navigation cells, with the three-value classes that follow from them.
    ///
    /// # Errors
    /// The number of classes differs from the number of cells.
    pub fn of_navigation(
        geometry: GridGeometry,
        navigation: Vec<NavigationClass>,
    ) -> Result<Self, GridError> {
        check_size("navigation classes", navigation.len(), &geometry)?;
        let classes = navigation.iter().map(|n| n.cell_class()).collect();
        Ok(Self { geometry, classes, probabilities: None, navigation: Some(navigation) })
    }

    /// Adds an occupancy probability per cell. Cells of class unknown should hold 0.5.
    ///
    /// Eight bytes per cell, because published examples are compared to nine digits; only maps whose
    /// file carries probabilities have this plane.
    ///
    /// # Errors
    /// A wrong number of values, or a value that is not in [0, 1].
    pub fn with_probabilities(mut self, probabilities: Vec<f64>) -> Result<Self, GridError> {
        check_size("probabilities", probabilities.len(), &self.geometry)?;
        if let Some((index, &value)) =
            probabilities.iter().enumerate().find(|(_, p)| !(0.0..=1.0).contains(*p))
        {
            return Err(GridError::Probability { index, value });
        }
        self.probabilities = Some(probabilities);
        Ok(self)
    }

    /// The same cells with another geometry of equal size, for instance after an alignment.
    ///
    /// # Errors
    /// The number of cells differs.
    pub fn with_geometry(mut self, geometry: GridGeometry) -> Result<Self, GridError> {
        check_size("classes", self.classes.len(), &geometry)?;
        self.geometry = geometry;
        Ok(self)
    }

    /// Size and place of the grid.
    pub const fn geometry(&self) -> &GridGeometry {
        &self.geometry
    }

    /// One class per cell.
    pub fn classes(&self) -> &[CellClass] {
        &self.classes
    }

    /// The classes as bytes: 0 free, 1 unknown, 2 occupied.
    pub fn class_bytes(&self) -> &[u8] {
        bytemuck::must_cast_slice(&self.classes)
    }

    /// Occupancy probabilities, where the map has them.
    pub fn probabilities(&self) -> Option<&[f64]> {
        self.probabilities.as_deref()
    }

    /// Navigation classes, where the map has them.
    pub fn navigation(&self) -> Option<&[NavigationClass]> {
        self.navigation.as_deref()
    }

    /// The navigation classes as bytes, in the order of [`NavigationClass::ALL`].
    pub fn navigation_bytes(&self) -> Option<&[u8]> {
        self.navigation.as_deref().map(bytemuck::must_cast_slice)
    }

    /// The probability of a cell, or the number of its class (0, 0.5, 1) where there is none.
    pub fn number(&self, index: usize) -> f64 {
        self.probabilities.as_ref().map_or_else(|| self.classes[index].number(), |p| p[index])
    }

    /// Number of cells of each class, in the order free, unknown, occupied.
    pub fn class_counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for class in &self.classes {
            counts[*class as usize] += 1;
        }
        counts
    }
}

fn check_size(plane: &'static str, found: usize, geometry: &GridGeometry) -> Result<(), GridError> {
    let expected = geometry.cells();
    if found == expected { Ok(()) } else { Err(GridError::Size { plane, found, expected }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose2;

    fn two_cells() -> GridGeometry {
        GridGeometry::new(2, 1, 1.0, Pose2::IDENTITY).unwrap()
    }

    #[test]
    fn planes_of_the_wrong_size_are_refused() {
        assert!(Grid::new(two_cells(), vec![CellClass::Free]).is_err());
        let grid = Grid::filled(two_cells(), CellClass::Free);
        assert!(grid.clone().with_probabilities(vec![0.0]).is_err());
        assert!(grid.with_probabilities(vec![0.0, f64::NAN]).is_err());
    }

    #[test]
    fn numbers_come_from_probabilities_where_there_are_any() {
        let grid = Grid::new(two_cells(), vec![CellClass::Unknown, CellClass::Occupied]).unwrap();
        assert_eq!((grid.number(0), grid.number(1)), (0.5, 1.0));
        let grid = grid.with_probabilities(vec![0.4, 0.9]).unwrap();
        assert_eq!((grid.number(0), grid.number(1)), (0.4, 0.9));
    }

    #[test]
    fn bytes_are_the_numbers_of_the_classes() {
        let grid = Grid::new(two_cells(), vec![CellClass::Occupied, CellClass::Unknown]).unwrap();
        assert_eq!(grid.class_bytes(), [2, 1]);
        assert_eq!(grid.class_counts(), [0, 1, 1]);
    }
}
