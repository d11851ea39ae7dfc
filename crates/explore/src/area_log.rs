//! Time and effort of a run (X-TIME): area over time, how soon a share of it was known, its mean over the run.
//!
//! Between samples the area is taken as linear. Paper: Balaguer et al. 2009, section 2 (named as important, not scored).

use serde::Serialize;

/// How much was known at a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AreaSample {
    /// Seconds since the start.
    pub time_s: f64,
    /// Driven by all robots, metres.
    pub distance_m: f64,
    /// Known free area, square metres.
    pub area_m2: f64,
}

/// Area over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct AreaLog {
    /// Samples in the order of time.
    pub samples: Vec<AreaSample>,
}

impl AreaLog {
    /// The area at the end; 0 without samples.
    #[must_use]
    pub fn final_area_m2(&self) -> f64 {
        self.samples.last().map_or(0.0, |sample| sample.area_m2)
    }

    /// When an area was first known; none if it never was.
    #[must_use]
    pub fn time_of_s(&self, area_m2: f64) -> Option<f64> {
        self.when(area_m2, |sample| sample.time_s)
    }

    /// How far the robots had driven when an area was first known.
    #[must_use]
    pub fn distance_of_m(&self, area_m2: f64) -> Option<f64> {
        self.when(area_m2, |sample| sample.distance_m)
    }

    fn when(&self, area_m2: f64, of: impl Fn(&AreaSample) -> f64) -> Option<f64> {
        let at = self.samples.iter().position(|sample| sample.area_m2 >= area_m2)?;
        let reached = &self.samples[at];
        let Some(before) = at.checked_sub(1).map(|before| &self.samples[before]) else {
            return Some(of(reached));
        };
        let share = (area_m2 - before.area_m2) / (reached.area_m2 - before.area_m2);
        Some(of(before) + share * (of(reached) - of(before)))
    }

    /// Mean over the run of the area as a share of the area at the end; none without time or area.
    #[must_use]
    pub fn mean_share(&self) -> Option<f64> {
        let (first, last) = (self.samples.first()?, self.samples.last()?);
        let (duration_s, final_m2) = (last.time_s - first.time_s, last.area_m2);
        let pairs = self.samples.windows(2);
        let integral: f64 =
            pairs.map(|two| (two[1].time_s - two[0].time_s) * (two[0].area_m2 + two[1].area_m2) / 2.0).sum();
        (duration_s > 0.0 && final_m2 > 0.0).then(|| integral / (duration_s * final_m2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(samples: &[(f64, f64)]) -> AreaLog {
        let sample =
            |&(time_s, area_m2): &(f64, f64)| AreaSample { time_s, distance_m: time_s / 2.0, area_m2 };
        AreaLog { samples: samples.iter().map(sample).collect() }
    }

    #[test]
    fn x_time_the_example() {
        let log = log(&[(0.0, 0.0), (60.0, 100.0), (120.0, 150.0), (300.0, 200.0)]);
        let of_final = |share: f64| log.time_of_s(share * log.final_area_m2()).unwrap();
        assert!((of_final(0.5) - 60.0).abs() < 1e-9 && (of_final(0.9) - 228.0).abs() < 1e-9);
        assert!((log.mean_share().unwrap() - 0.7).abs() < 1e-12);
        assert_eq!(log.distance_of_m(100.0), Some(30.0));
    }

    #[test]
    fn what_never_was_has_no_time() {
        assert_eq!(log(&[(0.0, 1.0)]).time_of_s(2.0), None);
        assert_eq!((log(&[]).mean_share(), log(&[(0.0, 1.0)]).mean_share()), (None, None));
        assert_eq!(log(&[(3.0, 1.0)]).time_of_s(0.5), Some(3.0), "known from the beginning");
    }
}
