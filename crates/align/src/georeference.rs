//! Alignment by a shared georeference: both files carry an origin, taken as one frame.

use model::Pose2;

/// Where the origin of a map comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchoring {
    /// By the file or by the user.
    Given,
    /// (0, 0, 0), because neither gave one.
    Assumed,
}

/// The identity, if both maps are anchored; none if one of them is not, and nothing may be assumed.
pub fn truth_from_map(truth: Anchoring, map: Anchoring) -> Option<Pose2> {
    (truth == Anchoring::Given && map == Anchoring::Given).then_some(Pose2::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assumed_origin_is_no_georeference() {
        assert_eq!(truth_from_map(Anchoring::Given, Anchoring::Given), Some(Pose2::IDENTITY));
        assert_eq!(truth_from_map(Anchoring::Assumed, Anchoring::Given), None);
        assert_eq!(truth_from_map(Anchoring::Given, Anchoring::Assumed), None);
    }
}
