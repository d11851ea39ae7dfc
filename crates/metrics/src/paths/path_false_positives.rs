//! Path false positives: paths of the map that lead through walls of the truth.
//!
//! ```text
//! FP = 100 · invalid / edges
//! edge of the map's graph is invalid  <=>  one of its cells is occupied in the truth
//! ```
//!
//! Unit: percent. Range: 0 to 100. Better: lower.
//! Paper: Collins et al., section 3.3.
//! Departure: the paper's Voronoi graph is the thinned free space of the map for a robot of `robot_radius_m` (0.25 m,
//! ours), with short dead ends removed; `robot_radius_m = 0`, `prune_factor = 0` is nearest to the paper.
//! Unknown: a cell that the truth does not know makes no edge invalid; in the map it cannot be driven.
//! Known bias: counts edges, not their length: a map cluttered with specks has many short edges, and one hole in a
//! wall weighs less there. An empty map has no edge and no value.
//! Sees: opened_wall, mirror; late: shift, rotate, bend, cut, moved_room, blur, scale; blind to: noise, missing_wing,
//! thick_walls, unseen, ghost_walls, closed_door, resolution. Damage of docs/lab.md, five generated floors.
//! Variants: none.
//! Undefined: `NO_EDGES` if the map's graph has no edge; `TOO_LARGE` for windows too long for exact distances.

use model::CellClass;

use super::path_space::Place;
use super::speck_loops::too_many_speck_loops;
use crate::prelude::*;

/// Parameters of the path false positives: none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathFalsePositives {}

/// An edge through a wall.
#[derive(Serialize)]
struct Offence {
    from: Place,
    to: Place,
    length_m: f64,
    /// The first cell of the edge inside a wall.
    wall: Place,
}

impl Metric for PathFalsePositives {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Paths, "path_false_positives", "P-FNFP", "Path false positives")
            .measured_in(Unit::Percent, Better::Lower)
            .between(0.0, 100.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let graph = space.map.skeleton()?;
        if graph.edges.is_empty() {
            return Err(Reason::NoEdges.into());
        }
        let is_wall = |cell: &&u32| space.truth.is(**cell as usize, CellClass::Occupied);
        let offence = |edge: &raster::skeleton_graph::Edge| {
            let wall = *edge.cells.iter().find(is_wall)?;
            Some(Offence {
                from: space.place(graph.nodes[edge.a].cell),
                to: space.place(graph.nodes[edge.b].cell),
                length_m: space.metres(edge.steps),
                wall: space.place(wall),
            })
        };
        let mut offences: Vec<Offence> = graph.edges.iter().filter_map(offence).collect();
        offences.sort_by(|a, b| b.length_m.total_cmp(&a.length_m));
        Ok(Score::new(100.0 * offences.len() as f64 / graph.edges.len() as f64)
            .warn_if(too_many_speck_loops(&space.map)?, Reason::SpeckLoops)
            .with("edges", graph.edges.len())
            .with("invalid", offences.len())
            .with_table("offending", offences))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok((space, blocks)) = case.paths().and_then(|space| Ok((space, case.blocks()?))) else {
            return Vec::new();
        };
        let Ok(graph) = space.map.skeleton() else { return Vec::new() };
        // An edge belongs to the block of its middle.
        let parts = graph.edges.iter().filter_map(|edge| {
            let is_invalid =
                edge.cells.iter().any(|cell| space.truth.is(*cell as usize, CellClass::Occupied));
            let middle = *edge.cells.get(edge.cells.len() / 2)? as usize;
            Some((middle, if is_invalid { 100.0 } else { 0.0 }, 1.0))
        });
        vec![blocks.ratio(parts)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::path_case;

    fn score(truth: &[&str], map: &[&str]) -> Score {
        PathFalsePositives {}.evaluate(&path_case(truth, map)).unwrap()
    }

    fn ladders() -> (Vec<&'static str>, Vec<&'static str>) {
        let (closed, corridor) = ("###########", "#.........#");
        let ladder = |rung| [&[closed, corridor][..], &[rung; 5], &[corridor, closed]].concat();
        (ladder("####.######"), ladder("####.####.#"))
    }

    #[test]
    fn e3_a_link_through_the_wall() {
        let (one, two) = ladders();
        let found = score(&one, &two);
        assert_eq!((found.value, found.detail["edges"].as_u64()), (25.0, Some(4)));
        assert_eq!(found.detail["invalid"], 1);
        assert_eq!(found.detail["offending"][0]["wall"]["x_m"], 9.5, "column 9");
        let swapped = score(&two, &one);
        assert_eq!((swapped.value, swapped.detail["edges"].as_u64()), (0.0, Some(5)));
    }

    #[test]
    fn e2_a_cut_arm_is_no_false_positive() {
        let truth = ["#####", "#...#", "#####"];
        assert_eq!(score(&truth, &truth).value, 0.0);
        assert_eq!(score(&["#####", "#?..#", "#####"], &truth).value, 0.0, "unknown is no wall");
    }

    #[test]
    fn a_map_without_an_edge_is_undefined() {
        let case = path_case(&["..."], &["???"]);
        assert_eq!(PathFalsePositives {}.evaluate(&case).unwrap_err().reasons, [Reason::NoEdges]);
    }

    #[test]
    fn loops_around_specks_carry_a_warning() {
        let clean = vec![".".repeat(40); 40];
        let mut specks = clean.clone();
        for y in (4..40).step_by(8) {
            for x in (4..40).step_by(8) {
                specks[y].replace_range(x..=x, "#");
            }
        }
        let warnings = |map: &[String]| {
            let lines = |rows: &'_ [String]| rows.join("\n");
            let (truth, map) = (lines(&clean), lines(map));
            score(&truth.lines().collect::<Vec<_>>(), &map.lines().collect::<Vec<_>>()).warnings
        };
        assert_eq!(warnings(&specks), [Reason::SpeckLoops]);
        assert_eq!(warnings(&clean), []);
    }
}
