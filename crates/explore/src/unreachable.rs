//! Targets that could not be reached or taught nothing. They are left alone for a while, and for good after that.

use model::Point2;

/// Targets that are left alone.
#[derive(Debug)]
pub(crate) struct Unreachable {
    radius_m: f64,
    expiry_plans: usize,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    place: Point2,
    until_plan: usize,
    failures: usize,
}

/// Failures after which a target is left alone for good.
const FOR_GOOD: usize = 3;

impl Unreachable {
    /// Targets within a radius of a failed one are left alone for so many plans.
    pub const fn new(radius_m: f64, expiry_plans: usize) -> Self {
        Self { radius_m, expiry_plans, entries: Vec::new() }
    }

    pub fn add(&mut self, place: Point2, plan: usize) {
        let (radius_m, expiry_plans) = (self.radius_m, self.expiry_plans);
        let known = self.entries.iter_mut().find(|entry| is_near(entry.place, place, radius_m / 2.0));
        match known {
            Some(entry) => {
                entry.failures += 1;
                let is_for_good = entry.failures >= FOR_GOOD;
                entry.until_plan = if is_for_good { usize::MAX } else { plan + expiry_plans };
            }
            None => self.entries.push(Entry { place, until_plan: plan + expiry_plans, failures: 1 }),
        }
    }

    /// Whether a place is left alone now.
    pub fn holds(&self, place: Point2, plan: usize) -> bool {
        let mut alive = self.entries.iter().filter(|entry| plan < entry.until_plan);
        alive.any(|entry| is_near(entry.place, place, self.radius_m))
    }

    /// Gives all places another try that are not left alone for good. False if there was none.
    pub fn expire_all(&mut self, plan: usize) -> bool {
        let alive = |entry: &&mut Entry| plan < entry.until_plan && entry.until_plan != usize::MAX;
        let mut has_any = false;
        for entry in self.entries.iter_mut().filter(alive) {
            entry.until_plan = plan;
            has_any = true;
        }
        has_any
    }
}

pub(crate) fn is_near(one: Point2, other: Point2, within_m: f64) -> bool {
    (one.x_m - other.x_m).hypot(one.y_m - other.y_m) <= within_m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_target_comes_back_and_at_last_does_not() {
        let mut unreachable = Unreachable::new(0.2, 10);
        let place = Point2::new(1.0, 1.0);
        unreachable.add(place, 0);
        assert!(unreachable.holds(Point2::new(1.1, 1.0), 9) && !unreachable.holds(place, 10));
        assert!(!unreachable.holds(Point2::new(1.3, 1.0), 9));
        unreachable.add(place, 10);
        assert!(unreachable.expire_all(11) && !unreachable.holds(place, 11));
        unreachable.add(place, 12);
        assert!(unreachable.holds(place, 1_000_000) && !unreachable.expire_all(13));
    }
}
