//! The transform that a person settled on, as a file with who, why and what the search had said.

use align::closed_form::PointPair;
use align::{Alignment, Verdict};
use model::{Point2, Similarity2};

use super::OverlayPair;
use crate::AlignmentFile;

/// Letters of a reason, at least.
const MIN_REASON: usize = 10;
/// A person's name and reason are no longer.
const MAX_WORDS: usize = 2000;

/// What a person chose.
#[derive(Clone, Debug, PartialEq)]
pub struct HandFrame {
    /// Where the map lies.
    pub truth_from_map: Similarity2,
    /// Who.
    pub by: String,
    /// Why; may be empty unless the search was certain of another place.
    pub reason: String,
    /// The places that were pointed out.
    pub pairs: Vec<PointPair>,
}

/// Why a choice cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameRefusal {
    /// Nobody stands for it.
    #[error("nobody is named: expected who lays the map")]
    Nobody,
    /// The numbers mean nothing.
    #[error("the transform has no finite numbers and a scale above 0")]
    Transform,
    /// Name or reason are too long.
    #[error("name and reason together have more than {MAX_WORDS} characters")]
    TooLong,
    /// The search was certain of another place.
    #[error(
        "the automatic alignment is certain and lies {moved_by} away: expected a reason of at least {MIN_REASON} characters"
    )]
    Reason {
        /// How far a corner of the map moves, in words.
        moved_by: String,
    },
}

impl OverlayPair {
    /// The file of a choice.
    ///
    /// # Errors
    /// Nobody is named, or the search was certain of another place and no reason is given.
    pub fn frame_file(&self, choice: &HandFrame) -> Result<AlignmentFile, FrameRefusal> {
        let (by, reason) = (choice.by.trim(), choice.reason.trim());
        if by.is_empty() {
            return Err(FrameRefusal::Nobody);
        }
        if by.chars().count() + reason.chars().count() > MAX_WORDS {
            return Err(FrameRefusal::TooLong);
        }
        if !choice.truth_from_map.is_valid() {
            return Err(FrameRefusal::Transform);
        }
        let automatic = self.automatic().cloned();
        if let Some(left_m) = automatic.as_ref().and_then(|found| self.leaves(found, choice.truth_from_map))
            && reason.chars().count() < MIN_REASON
        {
            return Err(FrameRefusal::Reason { moved_by: format!("{left_m:.2} m") });
        }
        Ok(AlignmentFile {
            inputs: [self.truth().inputs("truth"), self.map().inputs("map")].concat(),
            by: Some(by.to_owned()),
            reason: (!reason.is_empty()).then(|| reason.to_owned()),
            pairs: choice.pairs.clone(),
            automatic,
            ..AlignmentFile::by_hand(choice.truth_from_map)
        })
    }

    /// How far a corner of the map lies from where a certain search puts it, if that is more than its tolerance.
    fn leaves(&self, automatic: &Alignment, chosen: Similarity2) -> Option<f64> {
        const TOLERANCE_M: f64 = 0.3;
        let found = automatic.truth_from_map.filter(|_| automatic.certificate.verdict == Verdict::Certain)?;
        let geometry = self.map().value.grid.geometry();
        let (width, height) = (geometry.width() as f64, geometry.height() as f64);
        let corners: [Point2; 4] = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
            .map(|(right, up)| geometry.world_of_grid_point(right, up));
        let distances = corners.map(|corner| (found * corner).distance_m(chosen * corner));
        let farthest_m = distances.into_iter().fold(0.0, f64::max);
        (farthest_m > TOLERANCE_M).then_some(farthest_m)
    }
}

#[cfg(test)]
mod tests {
    use align::Method;
    use model::Pose2;

    use super::*;
    use crate::{Loaded, Map, SearchMethod};

    fn pair() -> OverlayPair {
        let map = || Loaded::in_memory(Map::new(testkit::seven_rooms(Pose2::IDENTITY)));
        OverlayPair::new(map(), map())
    }

    fn choice(x_m: f64, by: &str, reason: &str) -> HandFrame {
        let (by, reason) = (by.to_owned(), reason.to_owned());
        HandFrame { truth_from_map: Similarity2::new(x_m, 0.0, 0.0, 1.0), by, reason, pairs: Vec::new() }
    }

    #[test]
    fn a_choice_names_a_person_and_leaves_a_certain_place_only_with_a_reason() {
        let pair = pair();
        assert_eq!(pair.frame_file(&choice(0.0, " ", "")), Err(FrameRefusal::Nobody));
        assert!(pair.frame_file(&choice(5.0, "Ada", "")).is_ok(), "nobody asked the search");
        let found = pair.align(SearchMethod::Correlative).unwrap();
        assert_eq!(found.certificate.verdict, Verdict::Certain);
        assert!(pair.frame_file(&choice(0.1, "Ada", "")).is_ok(), "within the tolerance");
        assert!(matches!(pair.frame_file(&choice(5.0, "Ada", "no")), Err(FrameRefusal::Reason { .. })));
        let file = pair.frame_file(&choice(5.0, "Ada", "the doors were moved")).unwrap();
        assert_eq!((file.alignment.method, file.by.as_deref()), (Method::Manual, Some("Ada")));
        assert_eq!(file.automatic, Some(found));
        let read = AlignmentFile::parse(file.to_json().unwrap().as_bytes());
        assert_eq!(read, Ok(file));
        assert_eq!(pair.frame_file(&choice(f64::NAN, "Ada", "")), Err(FrameRefusal::Transform));
        assert_eq!(pair.frame_file(&choice(0.0, "Ada", &"x".repeat(5000))), Err(FrameRefusal::TooLong));
    }
}
