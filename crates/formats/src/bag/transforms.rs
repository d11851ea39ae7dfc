//! Transforms between frames over time, and the trajectory of one frame in another.
//!
//! Frames form a tree. A pair that the bag holds itself gives its transforms as they are, sorted by stamp; a
//! pair further apart is composed along the tree, as tf2 does it, at the stamps of the link that has most of
//! them, the other links interpolated between their neighbours (positions linearly, rotations on the shorter
//! arc). Static transforms hold at all times.

use std::collections::{BTreeMap, VecDeque};

use model::{Pose3, PoseSource, StampedPose};

use super::messages::{Transform, seconds};

/// A frame and the one above it.
type Pair = (String, String);

/// The transforms of one pair of frames.
#[derive(Default)]
struct Link {
    /// Stamp in nanoseconds and parent_from_child, sorted by stamp once all are there.
    samples: Vec<(i64, Pose3)>,
    is_static: bool,
}

/// All transforms of a bag.
#[derive(Default)]
pub(crate) struct Transforms {
    links: BTreeMap<Pair, Link>,
}

/// Whether transforms hold at all times or at their stamp.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Validity {
    Always,
    AtStamp,
}

/// A trajectory that transforms give.
pub(crate) struct FrameTrajectory {
    pub poses: Vec<StampedPose>,
    /// Frames from the one to the other; two where the bag holds the pair itself.
    pub frames: Vec<String>,
    /// Stamps that lie outside of the time that all links cover.
    pub left_out: usize,
}

impl Transforms {
    pub fn add(&mut self, transform: &Transform, validity: Validity) {
        // tf2 knows no leading slash; tf wrote it now and then.
        let plain = |frame: &str| frame.trim_start_matches('/').to_owned();
        let pair = (plain(&transform.parent), plain(&transform.child));
        let link = self.links.entry(pair).or_default();
        link.is_static |= validity == Validity::Always;
        link.samples.push((transform.stamp_ns, transform.parent_from_child));
    }

    /// Sorts by stamp; returns how many transforms came later than a younger one of their pair.
    pub fn sort(&mut self) -> usize {
        let mut moved = 0;
        for link in self.links.values_mut() {
            let mut latest_ns = i64::MIN;
            for (stamp_ns, _) in &link.samples {
                moved += usize::from(*stamp_ns < latest_ns);
                latest_ns = latest_ns.max(*stamp_ns);
            }
            link.samples.sort_by_key(|(stamp_ns, _)| *stamp_ns);
        }
        moved
    }

    /// The pairs of the bag as `parent.child`, those that move first; only the first where there are many.
    pub fn pairs(&self) -> String {
        const SHOWN: usize = 12;
        let mut links: Vec<_> = self.links.iter().collect();
        links.sort_by_key(|(_, link)| link.is_static);
        let shown = links.iter().take(SHOWN).map(|((parent, child), _)| format!("{parent}.{child}"));
        let more =
            if links.len() > SHOWN { format!(" and {} more", links.len() - SHOWN) } else { String::new() };
        shown.collect::<Vec<_>>().join(", ") + &more
    }

    /// The trajectory of `parent.child`.
    pub fn of_pair(&self, wanted: &str) -> Option<FrameTrajectory> {
        let (parent, child) = self.frames_of(wanted)?;
        self.along(self.path(parent, child)?)
    }

    /// The trajectory of the only pair that moves, or of the only one at all.
    pub fn of_only_pair(&self) -> Option<FrameTrajectory> {
        let mut moving = self.links.iter().filter(|(_, link)| !link.is_static);
        let only = match (moving.next(), moving.next(), self.links.len()) {
            (Some((pair, _)), None, _) => pair,
            (None, _, 1) => self.links.keys().next()?,
            _ => return None,
        };
        self.along(vec![only.0.clone(), only.1.clone()])
    }

    /// Names of frames may hold dots themselves, so all that exist are tried.
    fn frames_of(&self, wanted: &str) -> Option<(&str, &str)> {
        let frames = || self.links.keys().flat_map(|(parent, child)| [parent.as_str(), child.as_str()]);
        wanted.match_indices('.').find_map(|(dot, _)| {
            let known = |name: &str| frames().find(|frame| *frame == name.trim_start_matches('/'));
            Some((known(&wanted[..dot])?, known(&wanted[dot + 1..])?))
        })
    }

    /// Frames from one to another along the tree, by the fewest links.
    fn path(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut neighbours: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (parent, child) in self.links.keys() {
            neighbours.entry(parent).or_default().push(child);
            neighbours.entry(child).or_default().push(parent);
        }
        let mut before: BTreeMap<&str, &str> = BTreeMap::from([(to, to)]);
        let mut open = VecDeque::from([to]);
        while let Some(frame) = open.pop_front().filter(|frame| *frame != from) {
            for &next in neighbours.get(frame).into_iter().flatten() {
                if !before.contains_key(next) {
                    before.insert(next, frame);
                    open.push_back(next);
                }
            }
        }
        let mut path = vec![from.to_owned()];
        let mut frame = from;
        while frame != to {
            frame = before.get(frame)?;
            path.push(frame.to_owned());
        }
        (path.len() > 1).then_some(path)
    }

    fn along(&self, frames: Vec<String>) -> Option<FrameTrajectory> {
        let steps: Option<Vec<_>> = frames.windows(2).map(|pair| self.step(&pair[0], &pair[1])).collect();
        let steps = steps?;
        let moving = || steps.iter().map(|step| step.link).filter(|link| !link.is_static);
        let busiest = moving().max_by_key(|link| link.samples.len());
        let stamps_ns: Vec<i64> = match busiest {
            Some(link) => link.samples.iter().map(|(stamp_ns, _)| *stamp_ns).collect(),
            None => {
                steps.iter().filter_map(|step| Some(step.link.samples.last()?.0)).max().into_iter().collect()
            }
        };
        let mut left_out = 0;
        let mut poses = Vec::with_capacity(stamps_ns.len());
        for (index, stamp_ns) in stamps_ns.into_iter().enumerate() {
            let sampled: Option<Vec<_>> =
                steps.iter().map(|step| step.at(stamp_ns, (busiest, index))).collect();
            let Some(sampled) = sampled else {
                left_out += 1;
                continue;
            };
            let is_measured = sampled.iter().all(|(_, source)| *source == PoseSource::Measured);
            let source = if is_measured { PoseSource::Measured } else { PoseSource::Interpolated };
            let product = sampled.into_iter().map(|(pose, _)| pose).reduce(|outer, inner| outer * inner);
            let Some(world_from_robot) = product else { continue };
            poses.push(StampedPose { time_s: seconds(stamp_ns), world_from_robot, source });
        }
        Some(FrameTrajectory { poses, frames, left_out })
    }

    fn step(&self, upper: &str, lower: &str) -> Option<Step<'_>> {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let down = self.links.get(&pair(upper, lower)).map(|link| Step { link, direction: Direction::Down });
        down.or_else(|| Some(Step { link: self.links.get(&pair(lower, upper))?, direction: Direction::Up }))
    }
}

/// Whether a path follows a link from parent to child or back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

#[derive(Clone, Copy)]
struct Step<'a> {
    link: &'a Link,
    direction: Direction,
}

impl Step<'_> {
    /// The transform of this step at a time; of the link that gives the stamps, the sample of that number.
    fn at(self, stamp_ns: i64, (busiest, index): (Option<&Link>, usize)) -> Option<(Pose3, PoseSource)> {
        let samples = &self.link.samples;
        let (pose, source) = if self.link.is_static {
            (samples.last()?.1, PoseSource::Measured)
        } else if busiest.is_some_and(|busiest| std::ptr::eq(busiest, self.link)) {
            (samples.get(index)?.1, PoseSource::Measured)
        } else {
            between(samples, stamp_ns)?
        };
        Some((if self.direction == Direction::Down { pose } else { pose.inverse() }, source))
    }
}

/// The pose at a time between the first and the last sample.
fn between(samples: &[(i64, Pose3)], stamp_ns: i64) -> Option<(Pose3, PoseSource)> {
    let after = samples.partition_point(|(sample_ns, _)| *sample_ns < stamp_ns);
    let (next_ns, next) = *samples.get(after)?;
    if next_ns == stamp_ns {
        return Some((next, PoseSource::Measured));
    }
    let (last_ns, last) = *samples.get(after.checked_sub(1)?)?;
    let share = (stamp_ns - last_ns) as f64 / (next_ns - last_ns) as f64;
    Some((interpolated(last, next, share)?, PoseSource::Interpolated))
}

/// Positions linearly, rotations on the shorter arc.
fn interpolated(first: Pose3, second: Pose3, share: f64) -> Option<Pose3> {
    let mixed = |a: f64, b: f64, (wa, wb): (f64, f64)| wa * a + wb * b;
    let linear = (1.0 - share, share);
    let position_m = std::array::from_fn(|i| mixed(first.position_m[i], second.position_m[i], linear));
    let (p, q) = (first.rotation_xyzw, second.rotation_xyzw);
    let cosine: f64 = p.iter().zip(q).map(|(a, b)| a * b).sum();
    let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
    let angle_rad = (cosine * sign).clamp(-1.0, 1.0).acos();
    let sine = angle_rad.sin();
    // Nearly equal rotations: the arc is a straight line to rounding.
    let (wp, wq) = if sine < 1e-9 {
        linear
    } else {
        (((1.0 - share) * angle_rad).sin() / sine, (share * angle_rad).sin() / sine)
    };
    Pose3::new(position_m, std::array::from_fn(|i| mixed(p[i], q[i], (wp, wq * sign))))
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn planar(x_m: f64, yaw_rad: f64) -> Pose3 {
        Pose2::new(x_m, 0.0, yaw_rad).into()
    }

    fn added(pairs: &[(&str, &str)]) -> Transforms {
        let mut transforms = Transforms::default();
        for (parent, child) in pairs {
            let (parent, child) = ((*parent).to_owned(), (*child).to_owned());
            let transform = Transform { stamp_ns: 0, parent, child, parent_from_child: planar(1.0, 0.0) };
            transforms.add(&transform, Validity::AtStamp);
        }
        transforms
    }

    #[test]
    fn halfway_is_half_the_way_and_half_the_turn_on_the_shorter_side() {
        let half = interpolated(planar(1.0, 3.0), planar(2.0, -3.0), 0.5).unwrap().planar();
        assert!((half.x_m - 1.5).abs() < 1e-12);
        assert!((half.theta_rad.abs() - std::f64::consts::PI).abs() < 1e-12, "{half:?}");
        let same = interpolated(planar(1.0, 0.5), planar(1.0, 0.5), 0.25).unwrap().planar();
        assert!((same.theta_rad - 0.5).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_before_the_first_and_after_the_last_sample() {
        let samples = [(10, planar(0.0, 0.0)), (20, planar(1.0, 0.0))];
        assert!(between(&samples, 9).is_none() && between(&samples, 21).is_none());
        assert_eq!(between(&samples, 10).unwrap().1, PoseSource::Measured);
        assert_eq!(between(&samples, 15).unwrap().1, PoseSource::Interpolated);
    }

    #[test]
    fn frames_are_found_by_name_even_with_dots_and_slashes() {
        let transforms = added(&[("/map", "robot.1"), ("robot.1", "laser"), ("far", "away")]);
        let length = |pair: &str| transforms.of_pair(pair).map(|found| found.frames.len());
        assert_eq!(length("map.robot.1"), Some(2));
        assert_eq!(length("robot.1.laser"), Some(2));
        assert_eq!(length("map.laser"), Some(3));
        assert_eq!(length("/laser./map"), Some(3));
        assert_eq!((length("map.away"), length("map.map"), length("map")), (None, None, None));
    }

    #[test]
    fn loops_between_frames_come_to_an_end() {
        let transforms = added(&[("a", "b"), ("b", "c"), ("c", "a"), ("a", "a")]);
        assert_eq!(transforms.of_pair("a.c").unwrap().frames, ["a", "c"]);
    }
}
