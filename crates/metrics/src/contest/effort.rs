//! X-TIME: time and effort of a run, from what it had explored when.
//!
//! ```text
//! t_q  = first time at which area >= q · final area, between samples linear
//! mean = 1/T ∫ area(t) / final area dt
//! ```
//!
//! Paper: Balaguer et al. 2009, section 2 names time, power and sensing steps as important and does not score them;
//! nor do we. The limits of the contest, 20 minutes to run and 15 to process, are checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Area explored at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AreaAt {
    pub time_s: f64,
    pub area_m2: f64,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EffortLimits {
    /// Longest run, seconds. Default 1200: 20 minutes in the contest of 2008.
    pub run_s: f64,
    /// Longest processing afterwards, seconds. Default 900: 15 minutes in the contest of 2008.
    pub processing_s: f64,
}

impl EffortLimits {
    /// The published limits.
    pub const PAPER: Self = Self { run_s: 1200.0, processing_s: 900.0 };
}

impl Default for EffortLimits {
    fn default() -> Self {
        Self::PAPER
    }
}

/// How fast a run explored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExplorationPace {
    /// From the first to the last sample.
    pub duration_s: f64,
    /// At the last sample.
    pub final_m2: f64,
    /// Seconds from the first sample to half of the final area.
    pub t50_s: f64,
    /// Seconds to nine tenths of it.
    pub t90_s: f64,
    /// Mean share of the final area over the run.
    pub mean_share: f64,
}

/// How fast a run explored; none with fewer than two samples, times that do not grow, or no area in the end.
#[must_use]
pub fn exploration_pace(samples: &[AreaAt]) -> Option<ExplorationPace> {
    let (first, last) = (samples.first()?, samples.last()?);
    let is_finite = |s: &AreaAt| s.time_s.is_finite() && s.area_m2.is_finite() && s.area_m2 >= 0.0;
    let grows = samples.windows(2).all(|pair| pair[0].time_s <= pair[1].time_s);
    let duration_s = last.time_s - first.time_s;
    if !samples.iter().all(is_finite) || !grows || duration_s <= 0.0 || last.area_m2 <= 0.0 {
        return None;
    }
    let integral: f64 = samples
        .windows(2)
        .map(|pair| (pair[1].time_s - pair[0].time_s) * (pair[0].area_m2 + pair[1].area_m2) / 2.0)
        .sum();
    Some(ExplorationPace {
        duration_s,
        final_m2: last.area_m2,
        t50_s: time_to(samples, 0.5 * last.area_m2) - first.time_s,
        t90_s: time_to(samples, 0.9 * last.area_m2) - first.time_s,
        mean_share: integral / (duration_s * last.area_m2),
    })
}

/// The first time at which an area was reached; the area of the last sample reaches it.
fn time_to(samples: &[AreaAt], area_m2: f64) -> f64 {
    let mut before: Option<&AreaAt> = None;
    for sample in samples {
        if sample.area_m2 >= area_m2 {
            return before.map_or(sample.time_s, |before| {
                let share = (area_m2 - before.area_m2) / (sample.area_m2 - before.area_m2);
                before.time_s + share * (sample.time_s - before.time_s)
            });
        }
        before = Some(sample);
    }
    samples.last().map_or(0.0, |last| last.time_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    fn samples(list: &[(f64, f64)]) -> Vec<AreaAt> {
        list.iter().map(|&(time_s, area_m2)| AreaAt { time_s, area_m2 }).collect()
    }

    #[test]
    fn x_time_example() {
        let run = samples(&[(0.0, 0.0), (60.0, 100.0), (120.0, 150.0), (300.0, 200.0)]);
        let pace = exploration_pace(&run).unwrap();
        nearly(pace.t50_s, 60.0, 1e-9);
        nearly(pace.t90_s, 228.0, 1e-9);
        nearly(pace.mean_share, 0.7, 1e-9);
    }

    #[test]
    fn a_clock_that_starts_late_changes_nothing() {
        let late = samples(&[(1e6, 0.0), (1e6 + 60.0, 100.0), (1e6 + 120.0, 150.0), (1e6 + 300.0, 200.0)]);
        nearly(exploration_pace(&late).unwrap().t90_s, 228.0, 1e-6);
    }

    #[test]
    fn a_run_without_area_or_time_has_no_pace() {
        assert_eq!(exploration_pace(&[]), None);
        assert_eq!(exploration_pace(&samples(&[(0.0, 5.0)])), None);
        assert_eq!(exploration_pace(&samples(&[(0.0, 0.0), (10.0, 0.0)])), None);
        assert_eq!(exploration_pace(&samples(&[(5.0, 1.0), (0.0, 2.0)])), None);
        assert_eq!(exploration_pace(&samples(&[(0.0, f64::NAN), (5.0, 2.0)])), None);
    }

    #[test]
    fn area_that_was_there_from_the_start_took_no_time() {
        nearly(exploration_pace(&samples(&[(3.0, 7.0), (9.0, 7.0)])).unwrap().t90_s, 0.0, 1e-12);
    }
}
