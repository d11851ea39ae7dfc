//! Routes over several floors (X-FLOORS): a path may leave a floor through a connector and goes on at its other end.
//!
//! On each floor the lengths between the start, the ends of connectors and the targets are counted as on a floor of its own.
//! The shortest route over all floors is then the shortest path through these few places, a connector adding its length in
//! both directions.

use model::{CellClass, Point2};
use raster::shortest_paths::Lengths;

use super::ground::Ground;
use super::path_space::{PathSpace, Start, Target};
use crate::{Case, Reason, Undefined};

/// A connector is entered where the robot fits this near to its end, metres.
const MAX_END_M: f64 = 1.0;

/// Several floors and what leads from one to another.
#[derive(Clone, Copy, Debug)]
pub struct LinkedFloors<'a> {
    /// One case per floor; robots start on the first.
    pub floors: &'a [&'a Case],
    pub links: &'a [FloorLink],
}

/// Stairs, a ramp or a lift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloorLink {
    pub ends: [LinkEnd; 2],
    /// Distance travelled from end to end, metres.
    pub length_m: f64,
}

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkEnd {
    /// Number of the floor.
    pub floor: usize,
    /// In the frame of the floor's truth.
    pub at: Point2,
}

/// A target with the shortest routes to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkedRoute {
    /// Number of the floor.
    pub floor: usize,
    pub target: Target,
    /// Metres on the truth; none without a route.
    pub truth_m: Option<f64>,
    /// The route that the maps promise.
    pub map: Option<PlannedRoute>,
    /// Whether the map does not know the target.
    pub is_unknown: bool,
}

/// A route as the maps promise it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedRoute {
    pub length_m: f64,
    /// Whether it leads where the truth has no room for the robot.
    pub is_barred: bool,
}

/// Which of the two maps of a floor is driven on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Truth,
    Map,
}

/// A place on a floor from which routes go on: the start, or the end of a link.
#[derive(Clone, Copy, Debug)]
struct Entrance {
    floor: usize,
    at: At,
}

#[derive(Clone, Copy, Debug)]
enum At {
    Start,
    LinkEnd(Point2),
}

/// For a floor, the cells of its truth where a plan may lead as a mask; none if plans are not followed.
pub type OpenCells<'a> = dyn Fn(&PathSpace) -> Result<Option<Vec<u8>>, Reason> + 'a;

impl LinkedFloors<'_> {
    /// The start on the first floor, and the routes to the targets of all floors.
    ///
    /// # Errors
    /// The robot cannot start on the first floor, or a map is too large for exact distances.
    pub fn routes(&self, open: &OpenCells<'_>) -> Result<(Start, Vec<LinkedRoute>), Undefined> {
        let spaces: Vec<&PathSpace> =
            self.floors.iter().map(|case| case.paths()).collect::<Result<_, _>>()?;
        let first = spaces.first().ok_or(Reason::NoMaps)?;
        let start = first.start()?;
        let targets: Vec<Vec<Target>> =
            spaces.iter().map(|space| space.targets()).collect::<Result<_, _>>()?;
        let open: Vec<Option<Vec<u8>>> = spaces.iter().map(|space| open(space)).collect::<Result<_, _>>()?;
        let on_truth = self.shortest(&spaces, &start, &targets, Side::Truth, &open)?;
        let on_map = self.shortest(&spaces, &start, &targets, Side::Map, &open)?;
        let all =
            targets.iter().enumerate().flat_map(|(floor, own)| own.iter().map(move |own| (floor, *own)));
        let routes = all.zip(on_truth.into_iter().zip(on_map)).map(|((floor, target), (truth, map))| {
            let is_unknown = target
                .cell
                .zip(spaces.get(floor))
                .is_some_and(|(cell, space)| space.map.is(cell, CellClass::Unknown));
            LinkedRoute { floor, target, truth_m: truth.map(|route| route.length_m), map, is_unknown }
        });
        Ok((start, routes.collect()))
    }

    /// The shortest route to each target, floor by floor.
    fn shortest(
        &self,
        spaces: &[&PathSpace],
        start: &Start,
        targets: &[Vec<Target>],
        side: Side,
        open: &[Option<Vec<u8>>],
    ) -> Result<Vec<Option<PlannedRoute>>, Undefined> {
        let ends = self.links.iter().flat_map(|link| link.ends);
        let ends = ends.map(|end| Entrance { floor: end.floor, at: At::LinkEnd(end.at) });
        let entrances: Vec<Entrance> =
            [Entrance { floor: 0, at: At::Start }].into_iter().chain(ends).collect();
        // Legs between places, and from each place to the targets of its floor.
        let mut between = vec![vec![None; entrances.len()]; entrances.len()];
        let mut onward = vec![Vec::new(); entrances.len()];
        for (from, entrance) in entrances.iter().enumerate() {
            let Some(space) = spaces.get(entrance.floor) else { continue };
            let ground = side.ground(space);
            let Some(cell) = side.cell(space, start, entrance.at)? else { continue };
            let lengths = ground.lengths_from(cell)?;
            let followed = open.get(entrance.floor).and_then(Option::as_deref).filter(|_| side == Side::Map);
            let leg = |cell: usize| leg(ground, &lengths, cell, followed);
            for (to, other) in entrances.iter().enumerate().filter(|(_, other)| other.floor == entrance.floor)
            {
                between[from][to] = side.cell(space, start, other.at)?.and_then(leg);
            }
            let own = targets.get(entrance.floor).map_or(&[][..], Vec::as_slice);
            onward[from] = own.iter().map(|target| target.cell.and_then(leg)).collect();
        }
        for (index, link) in self.links.iter().enumerate() {
            let (one, other) = (1 + 2 * index, 2 + 2 * index);
            let through = Some(PlannedRoute { length_m: link.length_m, is_barred: false });
            (between[one][other], between[other][one]) = (through, through);
        }
        let reached = reached(&between);
        let mut found = Vec::new();
        for (floor, own) in targets.iter().enumerate() {
            let places =
                || entrances.iter().zip(reached.iter().zip(&onward)).filter(|(at, _)| at.floor == floor);
            for target in 0..own.len() {
                let routes = places()
                    .filter_map(|(_, (to, onward))| joined((*to)?, onward.get(target).copied().flatten()?));
                found.push(routes.min_by(|a, b| a.length_m.total_cmp(&b.length_m)));
            }
        }
        Ok(found)
    }
}

impl Side {
    const fn ground(self, space: &PathSpace) -> &Ground {
        match self {
            Self::Truth => &space.truth,
            Self::Map => &space.map,
        }
    }

    /// The cell on which the robot stands at a place; none if it does not fit near it.
    fn cell(self, space: &PathSpace, start: &Start, at: At) -> Result<Option<usize>, Reason> {
        match (at, self) {
            (At::Start, Self::Truth) => Ok(Some(start.on_truth)),
            (At::Start, Self::Map) => Ok(start.on_map),
            (At::LinkEnd(place), _) => {
                let ground = self.ground(space);
                let roads = ground.roads()?;
                let reach_cells = MAX_END_M / ground.cell_size_m();
                Ok(ground.cell_at(place).and_then(|cell| ground.nearest_within(roads, cell, reach_cells)))
            }
        }
    }
}

/// From where the lengths are counted to a cell.
fn leg(ground: &Ground, lengths: &Lengths, cell: usize, open: Option<&[u8]>) -> Option<PlannedRoute> {
    let length_m = lengths.steps_to(cell)?.length_cells() * ground.cell_size_m();
    let is_barred = open.is_some_and(|open| {
        let path = lengths.path_to(cell).unwrap_or_default();
        path.iter().any(|cell| open.get(*cell as usize) == Some(&0))
    });
    Some(PlannedRoute { length_m, is_barred })
}

fn joined(one: PlannedRoute, next: PlannedRoute) -> Option<PlannedRoute> {
    let (length_m, is_barred) = (one.length_m + next.length_m, one.is_barred || next.is_barred);
    length_m.is_finite().then_some(PlannedRoute { length_m, is_barred })
}

/// The shortest route from the first place to each, by Dijkstra's algorithm over a table of legs.
fn reached(between: &[Vec<Option<PlannedRoute>>]) -> Vec<Option<PlannedRoute>> {
    let mut best: Vec<Option<PlannedRoute>> = vec![None; between.len()];
    let mut is_settled = vec![false; between.len()];
    if let Some(first) = best.first_mut() {
        *first = Some(PlannedRoute { length_m: 0.0, is_barred: false });
    }
    loop {
        let open = best.iter().enumerate().filter(|(index, _)| !is_settled[*index]);
        let nearest = open.filter_map(|(index, route)| Some((index, (*route)?)));
        let Some((at, route)) = nearest.min_by(|a, b| a.1.length_m.total_cmp(&b.1.length_m)) else {
            return best;
        };
        is_settled[at] = true;
        for (to, leg) in between[at].iter().enumerate() {
            let Some(longer) = leg.and_then(|leg| joined(route, leg)) else { continue };
            if best[to].is_none_or(|known| longer.length_m < known.length_m) {
                best[to] = Some(longer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::path_case_with;
    use crate::paths::navigation_success::NavigationSuccess;
    use crate::paths::path_inputs::PathInputs;
    use crate::paths::path_usefulness::PathUsefulness;
    use crate::{Metric, Score};

    /// Ground: a corridor of seven free cells. First: another one, divided by a wall; each half has stairs from below.
    const GROUND: [&str; 3] = ["#########", "#.......#", "#########"];
    const FIRST: [&str; 3] = ["#########", "#...#...#", "#########"];

    fn inputs(start: Option<[f64; 2]>, targets: &[f64]) -> PathInputs {
        let targets = targets.iter().map(|x| [*x, 1.5]).collect();
        PathInputs { robot_radius_m: 0.0, start, targets, snap_m: Some(0.5), ..Default::default() }
    }

    fn stairs(ground_x: f64, first_x: f64, length_m: f64) -> FloorLink {
        let end = |floor, x| LinkEnd { floor, at: Point2::new(x, 1.5) };
        FloorLink { ends: [end(0, ground_x), end(1, first_x)], length_m }
    }

    /// Both floors with two stairs: from column 1 to column 1 above, 5 m long, and from column 7 to column 7, 6 m long.
    fn scores(ground: &[&str], first: &[&str]) -> [Score; 2] {
        let ground = path_case_with(&GROUND, ground, &inputs(Some([2.5, 1.5]), &[1.5, 7.5]));
        let first = path_case_with(&FIRST, first, &inputs(None, &[3.5, 5.5]));
        let floors = [&ground, &first];
        let links = [stairs(1.5, 1.5, 5.0), stairs(7.5, 7.5, 6.0)];
        let linked = LinkedFloors { floors: &floors, links: &links };
        [
            PathUsefulness::PAPER.across(&linked).unwrap(),
            NavigationSuccess::default().across(&linked).unwrap(),
        ]
    }

    fn lengths(score: &Score, key: &str) -> Vec<Option<f64>> {
        score.detail["targets"].as_array().unwrap().iter().map(|target| target[key].as_f64()).collect()
    }

    fn classes(score: &Score) -> Vec<&str> {
        score.detail["targets"].as_array().unwrap().iter().map(|t| t["class"].as_str().unwrap()).collect()
    }

    #[test]
    fn routes_lead_through_stairs_at_their_length() {
        let [useful, driven] = scores(&GROUND, &FIRST);
        // By hand from column 2: 1 to the left, 5 to the right; 1 + 5 + 2 up the left stairs, 5 + 6 + 2 up the right ones.
        let by_hand = [Some(1.0), Some(5.0), Some(8.0), Some(13.0)];
        assert_eq!(lengths(&useful, "truth_length_m"), by_hand);
        assert_eq!(lengths(&useful, "map_length_m"), by_hand);
        assert_eq!((useful.value, driven.value), (1.0, 1.0));
        assert_eq!(useful.detail["targets"][3]["floor"], 1);
    }

    #[test]
    fn a_route_blocked_below_goes_round_through_the_floor_above() {
        // The wall above is open and the corridor below closed: down the right stairs again, 1 + 5 + 6 + 6 = 18 instead of 5.
        let [useful, driven] =
            scores(&["#########", "#...#...#", "#########"], &["#########", "#.......#", "#########"]);
        assert_eq!(lengths(&useful, "map_length_m"), [Some(1.0), Some(18.0), Some(8.0), Some(10.0)]);
        // 10 is a shortcut for 13, and the plans through the wall that stands above collide.
        assert_eq!(classes(&useful), ["correct", "detour", "correct", "shortcut"]);
        assert_eq!(useful.value, 0.5);
        assert_eq!((driven.value, driven.detail["collision"].as_u64()), (0.5, Some(2)));
    }

    #[test]
    fn a_missing_floor_is_unknown_and_its_targets_are_lost() {
        let unknown = ["?????????"; 3];
        let [useful, driven] = scores(&GROUND, &unknown);
        assert_eq!(classes(&useful), ["correct", "correct", "no-information", "no-information"]);
        assert_eq!((useful.value, driven.value), (0.5, 0.5));
        assert_eq!(driven.detail["missing"].as_u64(), Some(2));
    }

    #[test]
    fn an_end_that_the_map_does_not_reach_is_not_entered() {
        // Above, everything within a metre of the left stairs is unknown: their target can be reached from nowhere.
        let [useful, _] = scores(&GROUND, &["#########", "???.#...#", "#########"]);
        assert_eq!(lengths(&useful, "map_length_m"), [Some(1.0), Some(5.0), None, Some(13.0)]);
        assert_eq!(classes(&useful), ["correct", "correct", "blocked", "correct"]);
    }
}
