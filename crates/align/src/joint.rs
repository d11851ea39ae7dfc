//! Frames of several maps of one place from their pairwise alignments: the loops of pairs must close.
//!
//! 1. the strongest links that connect all maps (a spanning tree) give a first frame to each;
//! 2. links that contradict these frames are dropped: a wrong pair does not close its loops;
//! 3. each frame becomes the weighted mean of its remaining links, again and again until nothing moves.

use model::{Point2, Pose2, wrap};

/// How two maps lie on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Number of the map whose frame is the target.
    pub first: usize,
    /// Number of the other map.
    pub second: usize,
    /// The motion from the second into the first.
    pub first_from_second: Pose2,
    /// How far to trust it, above 0.
    pub weight: f64,
}

/// Frames of all maps in that of the best linked one.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The map whose frame is the common one.
    pub reference: usize,
    /// `reference_from_map` of each map; none for one that no link reaches.
    pub frames: Vec<Option<Pose2>>,
    /// Links that contradict the frames.
    pub contradicting: Vec<(usize, usize)>,
    /// Largest displacement of a map's middle between a kept link and the frames, metres.
    pub largest_gap_m: f64,
}

/// Links that miss the frames by more than this contradict them.
const CONTRADICTS_M: f64 = 1.0;
const CONTRADICTS_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;
const ROUNDS: usize = 200;

/// Joins pairwise alignments of maps with the given middles (in their own frames).
///
/// None without a map.
pub fn joint_frames(middles: &[Point2], links: &[Link]) -> Option<Joint> {
    let reference = best_linked(middles.len(), links)?;
    let mut frames = by_spanning_tree(middles.len(), reference, links);
    let contradicts = |link: &&Link| match predicted(link, &frames) {
        Some((said, is)) => {
            gap_m(said, is, middles[link.second]) > CONTRADICTS_M || turn_rad(said, is) > CONTRADICTS_RAD
        }
        None => false,
    };
    let contradicting: Vec<(usize, usize)> =
        links.iter().filter(contradicts).map(|link| (link.first, link.second)).collect();
    let kept: Vec<Link> =
        links.iter().filter(|link| !contradicting.contains(&(link.first, link.second))).copied().collect();
    for _ in 0..ROUNDS {
        let averaged = |(map, frame): (usize, &Option<Pose2>)| match frame {
            Some(_) if map != reference => mean_frame(map, middles[map], &kept, &frames),
            frame => *frame,
        };
        frames = frames.iter().enumerate().map(averaged).collect();
    }
    let gaps = kept.iter().filter_map(|link| {
        let (said, is) = predicted(link, &frames)?;
        Some(gap_m(said, is, middles[link.second]))
    });
    let largest_gap_m = gaps.fold(0.0, f64::max);
    Some(Joint { reference, frames, contradicting, largest_gap_m })
}

/// The map with the largest sum of weights; of equals the first.
fn best_linked(maps: usize, links: &[Link]) -> Option<usize> {
    let weight = |map: usize| -> f64 {
        links.iter().filter(|link| link.first == map || link.second == map).map(|link| link.weight).sum()
    };
    (0..maps).reduce(|best, map| if weight(map) > weight(best) { map } else { best })
}

fn by_spanning_tree(maps: usize, reference: usize, links: &[Link]) -> Vec<Option<Pose2>> {
    let mut frames = vec![None; maps];
    frames[reference] = Some(Pose2::IDENTITY);
    loop {
        let reaches = |link: &&Link| frames[link.first].is_some() != frames[link.second].is_some();
        let strongest = links.iter().filter(reaches).max_by(|a, b| a.weight.total_cmp(&b.weight));
        let Some(link) = strongest else { return frames };
        match (frames[link.first], frames[link.second]) {
            (Some(first), None) => frames[link.second] = Some(first * link.first_from_second),
            (None, Some(second)) => frames[link.first] = Some(second * link.first_from_second.inverse()),
            _ => return frames,
        }
    }
}

/// Frame of a link's second map: by the link, and as it is.
fn predicted(link: &Link, frames: &[Option<Pose2>]) -> Option<(Pose2, Pose2)> {
    Some((frames[link.first]? * link.first_from_second, frames[link.second]?))
}

fn gap_m(one: Pose2, other: Pose2, middle: Point2) -> f64 {
    (one * middle).distance_m(other * middle)
}

fn turn_rad(one: Pose2, other: Pose2) -> f64 {
    wrap(one.theta_rad - other.theta_rad).abs()
}

/// The mean of the frames that the links of a map give: of its middle, and of its direction.
fn mean_frame(map: usize, middle: Point2, links: &[Link], frames: &[Option<Pose2>]) -> Option<Pose2> {
    let said = links.iter().filter_map(|link| {
        let frame = match map {
            map if map == link.second => frames[link.first]? * link.first_from_second,
            map if map == link.first => frames[link.second]? * link.first_from_second.inverse(),
            _ => return None,
        };
        Some((frame, link.weight))
    });
    let (mut weight, mut x, mut y, mut sin, mut cos) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (frame, w) in said {
        let place = frame * middle;
        let (s, c) = frame.theta_rad.sin_cos();
        weight += w;
        x += w * place.x_m;
        y += w * place.y_m;
        sin += w * s;
        cos += w * c;
    }
    if weight <= 0.0 {
        return frames[map];
    }
    let turn = Pose2::new(0.0, 0.0, sin.atan2(cos));
    let turned = turn * middle;
    Some(Pose2::new(x / weight - turned.x_m, y / weight - turned.y_m, turn.theta_rad))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: [Pose2; 4] =
        [Pose2::IDENTITY, Pose2::new(3.0, -1.0, 0.5), Pose2::new(-2.0, 4.0, -2.0), Pose2::new(0.5, 0.5, 3.0)];

    fn links() -> Vec<Link> {
        let pairs = (0..4).flat_map(|second| (0..second).map(move |first| (first, second)));
        let link = |(first, second): (usize, usize)| Link {
            first,
            second,
            first_from_second: FRAMES[first].inverse() * FRAMES[second],
            weight: if first == 0 { 0.9 } else { 0.5 },
        };
        pairs.map(link).collect()
    }

    fn middles() -> [Point2; 4] {
        [Point2::new(5.0, 5.0); 4]
    }

    #[track_caller]
    fn assert_frames(joint: &Joint, limit_m: f64) {
        for (frame, expected) in joint.frames.iter().zip(FRAMES) {
            let gap =
                gap_m(frame.unwrap(), FRAMES[joint.reference].inverse() * expected, Point2::new(5.0, 5.0));
            assert!(gap <= limit_m, "{joint:?}");
        }
    }

    #[test]
    fn links_that_agree_give_their_frames() {
        let joint = joint_frames(&middles(), &links()).unwrap();
        assert_eq!((joint.reference, joint.contradicting.len()), (0, 0));
        assert_frames(&joint, 1e-9);
        assert!(joint.largest_gap_m < 1e-9);
    }

    #[test]
    fn a_wrong_link_does_not_close_its_loop_and_is_dropped() {
        let mut links = links();
        links[2].first_from_second = Pose2::new(40.0, 0.0, 1.0);
        let joint = joint_frames(&middles(), &links).unwrap();
        assert_eq!(joint.contradicting, [(links[2].first, links[2].second)]);
        assert_frames(&joint, 1e-9);
    }

    #[test]
    fn small_contradictions_are_shared_among_the_links() {
        let mut links = links();
        links[1].first_from_second.x_m += 0.3;
        let joint = joint_frames(&middles(), &links).unwrap();
        assert_frames(&joint, 0.25);
        assert!(joint.largest_gap_m > 0.05 && joint.largest_gap_m < 0.3, "{}", joint.largest_gap_m);
    }

    #[test]
    fn a_map_without_links_has_no_frame() {
        let joint = joint_frames(&middles(), &links()[..1]).unwrap();
        assert_eq!(joint.frames.iter().flatten().count(), 2);
        assert!(joint_frames(&[], &[]).is_none());
    }
}
