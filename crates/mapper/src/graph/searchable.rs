//! What a search for a place needs of finished submaps. It takes some megabytes a submap and milliseconds to make, so it is made
//! when a submap is searched, and kept of the last few.

use super::field::{Field, Pyramid};
use super::submap::Submap;

/// Levels above the field: squares of up to 32 cells.
const LEVELS: usize = 5;
/// Submaps of which it is kept. Ours: twice as many as one keyframe is searched in.
const KEPT: usize = 4;

/// Pyramids by the indices of their submaps, the one used last at the end.
#[derive(Default)]
pub(super) struct Searchable {
    kept: Vec<(usize, Pyramid)>,
}

impl Searchable {
    /// Makes sure that a finished submap can be searched.
    pub fn prepare(&mut self, index: usize, submap: &Submap) {
        let known = self.kept.iter().position(|(other, _)| *other == index);
        let used = match known {
            Some(known) => self.kept.remove(known),
            None => (index, Field::of(&submap.surfaces).pyramid(LEVELS)),
        };
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(used);
    }

    /// Of a submap that was prepared.
    pub fn of(&self, index: usize) -> Option<&Pyramid> {
        self.kept.iter().find(|(other, _)| *other == index).map(|(_, pyramid)| pyramid)
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;

    #[test]
    fn the_last_few_are_kept_and_tell_what_the_growing_field_told() {
        let mut submap = Submap::new(0, 0.0, 0);
        let hits: Vec<Point2> = (0..50).map(|k| Point2::new(2.0, f64::from(k) * 0.07 - 1.0)).collect();
        for hit in &hits {
            submap.surfaces.add(*hit, None, 1.0);
            submap.field.add(*hit);
        }
        let asked: Vec<Point2> = (0..60).map(|k| Point2::new(1.9, f64::from(k) * 0.1 - 2.0)).collect();
        let at = model::Pose2::new(0.03, 0.02, 0.01);
        let growing = submap.field.score(&asked, at);
        submap.finish();
        let mut searchable = Searchable::default();
        (0..=KEPT).for_each(|index| searchable.prepare(index, &submap));
        assert!(searchable.of(0).is_none() && searchable.kept.len() == KEPT);
        let found = searchable.of(KEPT).unwrap().field.score(&asked, at);
        assert!(growing > 0.3 && found == growing, "{found} {growing}");
        searchable.prepare(1, &submap);
        searchable.prepare(9, &submap);
        assert!(searchable.of(1).is_some() && searchable.of(2).is_none(), "the one used last stays");
    }
}
