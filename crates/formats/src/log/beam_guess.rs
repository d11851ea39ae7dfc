//! Where the beams of a scan point, if its record does not state it, and which ranges are no returns.
//!
//! CARMEN's older records give ranges only. SICK scanners of that time had these layouts, from right to left,
//! starting at -90 degrees. 180 beams are 181 without the last one: -90 to +89 degrees. Stretching them to ±90
//! would move an end point at 30 m by half a metre.

use std::collections::BTreeMap;

use model::{BeamModel, Finding, LaserScan, Level, LogRecord, SensorLog};

use crate::ReadOptions;

/// Ranges from here on are no returns, if there are any: SICK scanners print 81.83 or 81.91.
const USUAL_MAX_RANGE_M: f64 = 80.0;
/// Ranges without return scatter: 51.05 to 51.25 m and 50 m stand in one log. Those down to this share of the
/// most frequent one are taken for no return. Ours, because nothing is published.
const SCATTER: f64 = 0.97;
/// Number of beams and degrees between them.
const LAYOUTS: [(usize, f64); 6] = [(181, 1.0), (180, 1.0), (361, 0.5), (360, 0.5), (401, 0.25), (400, 0.25)];

/// The usual layout of so many beams; 180 degrees in all where there is none.
pub(crate) fn guess(beams: usize) -> BeamModel {
    let usual = LAYOUTS.iter().find(|(count, _)| *count == beams).map(|(_, step_deg)| *step_deg);
    let step_deg = usual.unwrap_or(if beams > 1 { 180.0 / (beams - 1) as f64 } else { 0.0 });
    BeamModel {
        first_rad: -std::f64::consts::FRAC_PI_2,
        step_rad: step_deg.to_radians(),
        max_range_m: USUAL_MAX_RANGE_M,
        is_guessed: true,
    }
}

/// The range that stands for "no return": 80 m if ranges reach that far, else a little below the most
/// frequent of the largest ranges of all scans, else 80 m.
fn max_range_m<'a>(scans: impl Iterator<Item = &'a LaserScan>) -> f64 {
    let mut largest_of_scans = BTreeMap::new();
    let mut largest_m = 0.0_f32;
    for scan in scans {
        let of_scan_m = scan.ranges_m.iter().copied().fold(0.0, f32::max);
        largest_m = largest_m.max(of_scan_m);
        *largest_of_scans.entry(of_scan_m.to_bits()).or_insert(0_usize) += 1;
    }
    if f64::from(largest_m) >= USUAL_MAX_RANGE_M {
        return USUAL_MAX_RANGE_M;
    }
    // Positive floats sort as their bits do; of equally frequent ranges the largest counts.
    let most_frequent = largest_of_scans.into_iter().max_by_key(|(bits, count)| (*count, *bits));
    match most_frequent {
        Some((bits, count)) if count > 1 && bits > 0 => SCATTER * f64::from(f32::from_bits(bits)),
        _ => USUAL_MAX_RANGE_M,
    }
}

/// The scans of a log.
pub(crate) fn scans_of(log: &mut SensorLog) -> Vec<&mut LaserScan> {
    let records = log.records.iter_mut();
    records.filter_map(|record| if let LogRecord::Scan(scan) = record { Some(scan) } else { None }).collect()
}

/// Gives all scans with guessed beams the values of the options, else the same maximal range, and tells what was guessed.
pub(crate) fn settle(mut scans: Vec<&mut LaserScan>, options: &ReadOptions) -> Vec<Finding> {
    scans.retain(|scan| scan.beams.is_guessed);
    let max_range_m = options.max_range_m.unwrap_or_else(|| max_range_m(scans.iter().map(|scan| &**scan)));
    let mut counts = BTreeMap::new();
    for scan in scans {
        scan.beams.max_range_m = max_range_m;
        lay_over(&mut scan.beams, scan.ranges_m.len(), options);
        let layout = (scan.ranges_m.len(), scan.beams);
        counts.entry(scan.ranges_m.len()).or_insert((layout, 0_usize)).1 += 1;
    }
    let message = |((beams, layout), scans): ((usize, BeamModel), usize)| {
        let last_rad = layout.first_rad + layout.step_rad * beams.saturating_sub(1) as f64;
        format!(
            "{scans} scans of {beams} beams do not say where the beams point; taken as {} to {:.6} degrees, {:.6} apart, no return from {max_range_m} m on",
            layout.first_rad.to_degrees(),
            last_rad.to_degrees(),
            layout.step_rad.to_degrees()
        )
    };
    let code = if options.fov_deg.is_some() { "BEAMS_GIVEN" } else { "BEAMS_GUESSED" };
    counts.into_values().map(|count| Finding::new(Level::Info, code, message(count))).collect()
}

/// Replaces guesses by the options: beams lie evenly about the axis of the laser, from right to left.
pub(crate) fn lay_over(guessed: &mut BeamModel, beams: usize, options: &ReadOptions) {
    guessed.max_range_m = options.max_range_m.unwrap_or(guessed.max_range_m);
    let Some(fov_deg) = options.fov_deg else { return };
    let fov_rad = fov_deg.to_radians();
    guessed.first_rad = -fov_rad / 2.0;
    guessed.step_rad = if beams > 1 { fov_rad / (beams - 1) as f64 } else { 0.0 };
    guessed.is_guessed = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(ranges_m: &[f32]) -> LaserScan {
        LaserScan {
            time_s: 0.0,
            beams: guess(ranges_m.len()),
            ranges_m: ranges_m.to_vec(),
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: String::new(),
        }
    }

    #[test]
    fn the_last_beam_of_180_points_to_89_degrees() {
        for (beams, last_deg) in
            [(180, 89.0), (181, 90.0), (360, 89.5), (361, 90.0), (400, 9.75), (401, 10.0), (91, 90.0)]
        {
            let layout = guess(beams);
            let found_deg = (layout.first_rad + layout.step_rad * (beams - 1) as f64).to_degrees();
            assert!((found_deg - last_deg).abs() < 1e-9, "{beams}: {found_deg}");
        }
        assert_eq!((guess(1).step_rad, guess(0).step_rad), (0.0, 0.0));
    }

    #[test]
    fn no_return_is_the_usual_range_or_the_most_frequent_largest_one() {
        for (scans, expected_m) in [
            (vec![vec![1.0, 81.91], vec![2.0, 3.0]], 80.0),
            (vec![vec![1.0, 50.0], vec![50.0, 3.0], vec![51.25, 50.0], vec![4.0, 4.5]], 48.5),
            (vec![vec![1.0, 2.0], vec![3.0, 4.0]], 80.0),
            (vec![vec![], vec![]], 80.0),
        ] {
            let scans: Vec<_> = scans.iter().map(|ranges| scan(ranges)).collect();
            assert_eq!(max_range_m(scans.iter()), expected_m);
        }
    }

    #[test]
    fn what_the_user_says_goes_over_the_guess() {
        let options = |fov_deg, max_range_m| ReadOptions { fov_deg, max_range_m, ..ReadOptions::default() };
        let mut found = scan(&[1.0, 2.0, 81.91]);
        let findings = settle(vec![&mut found], &options(Some(90.0), Some(4.0)));
        let angles_deg = [found.beams.first_rad, found.beams.step_rad].map(f64::to_degrees);
        assert!(
            (angles_deg[0] + 45.0).abs() < 1e-12 && (angles_deg[1] - 45.0).abs() < 1e-12,
            "{angles_deg:?}"
        );
        assert_eq!((found.beams.max_range_m, found.beams.is_guessed), (4.0, false));
        assert_eq!(findings[0].code, "BEAMS_GIVEN");
        let mut guessed = scan(&[1.0, 2.0, 81.91]);
        settle(vec![&mut guessed], &options(None, Some(4.0)));
        assert_eq!((guessed.beams.max_range_m, guessed.beams.is_guessed), (4.0, true));
    }
}
