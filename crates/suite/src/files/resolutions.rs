//! Which cell size and origin a map and its truth are read with: those of the file, unless it states none or is overruled.

use formats::StatedResolution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Loaded, Map, ReadOptions};

/// Cell sizes and origins for one side of a comparison, under the keys that a job file uses. `resolution_m` of the reading
/// options is for every file that states none, `origin` for every file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Resolutions {
    /// Edge of a cell of the maps, in metres.
    pub map_resolution_m: Option<f64>,
    /// Edge of a cell of the truth, in metres.
    pub truth_resolution_m: Option<f64>,
    /// Pose of the lower-left corner of the maps: x, y in metres, yaw in radians.
    pub map_origin: Option<[f64; 3]>,
    /// The same of the truth.
    pub truth_origin: Option<[f64; 3]>,
    /// Resolutions given here go over those that files state.
    pub force: bool,
}

impl Resolutions {
    /// The options with which the truth is read. A resolution for both sides leaves a truth that states its own alone.
    #[must_use]
    pub fn of_truth(&self, reading: &ReadOptions) -> ReadOptions {
        let truth = self.side(reading, self.truth_resolution_m, StatedResolution::Keep);
        ReadOptions { origin: self.truth_origin.or(truth.origin), ..truth }
    }

    /// The options with which a map is read. A resolution for both sides must serve at least one of the two files.
    #[must_use]
    pub fn of_map(&self, reading: &ReadOptions, truth: Option<&Loaded<Map>>) -> ReadOptions {
        let keeps_its_own = |truth: &Loaded<Map>| {
            truth.findings.iter().any(|finding| finding.code == "RESOLUTION_OF_FILE_KEPT")
        };
        let is_used = truth.is_some_and(|truth| self.truth_resolution_m.is_some() || !keeps_its_own(truth));
        let rule = if is_used { StatedResolution::Keep } else { StatedResolution::Refuse };
        let map = self.side(reading, self.map_resolution_m, rule);
        ReadOptions { origin: self.map_origin.or(map.origin), ..map }
    }

    fn side(&self, reading: &ReadOptions, own_m: Option<f64>, of_both: StatedResolution) -> ReadOptions {
        let stated_resolution = match own_m {
            _ if self.force || reading.stated_resolution == StatedResolution::Override => {
                StatedResolution::Override
            }
            Some(_) => StatedResolution::Refuse,
            None => of_both,
        };
        ReadOptions { resolution_m: own_m.or(reading.resolution_m), stated_resolution, ..reading.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(kept: bool) -> Loaded<Map> {
        let mut truth = Loaded::in_memory(Map::new(testkit::grid(["#."])));
        truth.findings.extend(kept.then(|| model::Finding::warning("RESOLUTION_OF_FILE_KEPT", "")));
        truth
    }

    #[test]
    fn a_resolution_for_both_is_for_files_that_state_none() {
        let both = ReadOptions { resolution_m: Some(0.05), ..ReadOptions::default() };
        let given = Resolutions::default();
        assert_eq!(given.of_truth(&both).stated_resolution, StatedResolution::Keep);
        let of_map = |truth: Option<&Loaded<Map>>| given.of_map(&both, truth).stated_resolution;
        assert_eq!(of_map(Some(&truth(false))), StatedResolution::Keep, "the truth uses it");
        assert_eq!(of_map(Some(&truth(true))), StatedResolution::Refuse, "nothing would use it");
        assert_eq!(of_map(None), StatedResolution::Refuse);
    }

    #[test]
    fn an_origin_of_one_side_goes_over_that_of_both() {
        let both = ReadOptions { origin: Some([1.0, 0.0, 0.0]), ..ReadOptions::default() };
        let given = Resolutions { map_origin: Some([5.0, 0.0, 0.0]), ..Resolutions::default() };
        assert_eq!(given.of_map(&both, None).origin, Some([5.0, 0.0, 0.0]));
        assert_eq!(given.of_truth(&both).origin, Some([1.0, 0.0, 0.0]));
        let given = Resolutions { truth_origin: Some([7.0, 0.0, 0.0]), ..Resolutions::default() };
        assert_eq!(given.of_map(&ReadOptions::default(), None).origin, None);
        assert_eq!(given.of_truth(&ReadOptions::default()).origin, Some([7.0, 0.0, 0.0]));
    }

    #[test]
    fn a_resolution_of_one_side_is_meant_for_its_file() {
        let both = ReadOptions { resolution_m: Some(0.05), ..ReadOptions::default() };
        let given = Resolutions { map_resolution_m: Some(0.1), ..Resolutions::default() };
        let map = given.of_map(&both, Some(&truth(false)));
        assert_eq!((map.resolution_m, map.stated_resolution), (Some(0.1), StatedResolution::Refuse));
        let forced = Resolutions { force: true, ..given };
        assert_eq!(forced.of_map(&both, None).stated_resolution, StatedResolution::Override);
        assert_eq!(forced.of_truth(&both).stated_resolution, StatedResolution::Override);
    }
}
