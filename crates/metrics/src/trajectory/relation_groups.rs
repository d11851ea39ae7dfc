//! Errors of relations by region and by ground: where the robot was at the second time of each.

use align::trajectory::{Fittable, Track};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::relation_errors::RelationError;
use super::run::Run;
use super::statistics::Statistics;

/// An interval of time that the robot spent in a region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimedRegion {
    /// Begin, seconds.
    pub from_s: f64,
    /// End, seconds; the end itself belongs to the next interval.
    pub to_s: f64,
    /// Such as `maze` or `corridor`.
    pub region: String,
    /// Such as `flat` or `ramp`; goes over what the tilt of the poses tells.
    #[serde(default)]
    pub ground: Option<String>,
}

/// The errors of the relations of one group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupErrors {
    /// The region or the ground.
    pub name: String,
    pub relations: usize,
    pub translation_m: Statistics,
    pub rotation_deg: Statistics,
}

/// The name of everything outside the given intervals.
const ELSEWHERE: &str = "elsewhere";

/// Errors by the region at the second time; empty if no region is given.
pub(super) fn by_region(errors: &[RelationError], regions: &[TimedRegion]) -> Vec<GroupErrors> {
    if regions.is_empty() {
        return Vec::new();
    }
    let name = |error: &RelationError| {
        let region = at(regions, error.to_s).map_or(ELSEWHERE, |region| region.region.as_str());
        Some(region.to_owned())
    };
    grouped(errors, name)
}

/// Errors by the ground at the second time: as given, else `ramp` where the poses of the truth, or without one those of
/// the estimate, are tilted by more than `ramp_above_rad`. Empty without given grounds where all poses lie in the plane.
pub(super) fn by_ground<P: Fittable>(
    run: &Run<P>,
    errors: &[RelationError],
    regions: &[TimedRegion],
    ramp_above_rad: f64,
) -> Vec<GroupErrors> {
    match run.left_out.as_ref().and_then(|left_out| left_out.truth.as_ref()) {
        Some(truth) => by_tilt(truth, errors, regions, ramp_above_rad),
        None => by_tilt(run.truth.as_ref().unwrap_or(&run.estimate), errors, regions, ramp_above_rad),
    }
}

fn by_tilt<P: Fittable>(
    track: &Track<P>,
    errors: &[RelationError],
    regions: &[TimedRegion],
    ramp_above_rad: f64,
) -> Vec<GroupErrors> {
    let is_spatial = track.poses().iter().any(|pose| tilt_rad(*pose) > 1e-6);
    let tilted = |error: &RelationError| {
        let tilt_rad = tilt_rad(nearest(track, error.to_s).filter(|_| is_spatial)?);
        Some(if tilt_rad > ramp_above_rad { "ramp" } else { "flat" }.to_owned())
    };
    let given = |error: &RelationError| at(regions, error.to_s)?.ground.clone();
    grouped(errors, |error| given(error).or_else(|| tilted(error)))
}

fn at(regions: &[TimedRegion], time_s: f64) -> Option<&TimedRegion> {
    regions.iter().find(|region| region.from_s <= time_s && time_s < region.to_s)
}

/// Angle between the vertical of the robot and that of the world.
fn tilt_rad<P: Fittable>(pose: P) -> f64 {
    pose.rotation_rows()[2][2].clamp(-1.0, 1.0).acos()
}

fn nearest<P: Fittable>(track: &Track<P>, time_s: f64) -> Option<P> {
    let times_s = track.times_s();
    let after = times_s.partition_point(|time| *time < time_s);
    let away = |index: &usize| (times_s[*index] - time_s).abs();
    let near =
        [after.checked_sub(1), Some(after)].into_iter().flatten().filter(|index| *index < times_s.len());
    near.min_by(|a, b| away(a).total_cmp(&away(b))).map(|index| track.poses()[index])
}

/// Groups in the order of their first relation; relations without a name are in none.
fn grouped(errors: &[RelationError], name: impl Fn(&RelationError) -> Option<String>) -> Vec<GroupErrors> {
    let mut groups: Vec<(String, Vec<&RelationError>)> = Vec::new();
    for error in errors {
        let Some(name) = name(error) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) => own.push(error),
            None => groups.push((name, vec![error])),
        }
    }
    let summary = |(name, own): (String, Vec<&RelationError>)| {
        let of = |part: fn(&RelationError) -> f64| {
            Statistics::of(&own.iter().map(|error| part(error)).collect::<Vec<f64>>())
        };
        let translation_m = of(|error| error.translation_m)?;
        let rotation_deg = of(|error| error.rotation_rad.to_degrees())?;
        Some(GroupErrors { name, relations: own.len(), translation_m, rotation_deg })
    };
    groups.into_iter().filter_map(summary).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(to_s: f64, translation_m: f64) -> RelationError {
        RelationError {
            index: 0,
            from_s: 0.0,
            to_s,
            length_m: 1.0,
            from_pose: 0,
            to_pose: 0,
            translation_m,
            rotation_rad: 0.0,
        }
    }

    #[test]
    fn a_relation_belongs_to_the_region_of_its_second_time() {
        let region =
            |from_s, to_s, name: &str| TimedRegion { from_s, to_s, region: name.to_owned(), ground: None };
        let regions = [region(0.0, 10.0, "hall"), region(10.0, 20.0, "maze")];
        let errors = [error(9.9, 0.1), error(10.0, 0.5), error(15.0, 0.7), error(20.0, 2.0)];
        let found = by_region(&errors, &regions);
        let shown: Vec<_> = found
            .iter()
            .map(|group| (group.name.as_str(), group.relations, group.translation_m.mean))
            .collect();
        assert_eq!(shown, [("hall", 1, 0.1), ("maze", 2, 0.6), ("elsewhere", 1, 2.0)]);
        assert!(by_region(&errors, &[]).is_empty());
    }
}
