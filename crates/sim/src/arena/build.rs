//! From the plan to the arena.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use model::{FiducialPart, Point2, Pose2};

use super::drawing::{Drawing, Edge, Ground, PalletMark, Rise};
use super::plan::{BarrelKind, BarrelPlan, MarkPlan, Plan};
use super::{Arena, Barrel, Floor, Mark, MarkKind, Wall};
use crate::SimError;

/// Height at which victims and hazards of the drawing hang. Ours.
const DRAWN_MARK_HEIGHT_M: f64 = 0.5;

pub(super) fn build(plan: &Plan) -> Result<Arena, SimError> {
    plan.check()?;
    let drawing = plan.pallets()?;
    let size_m = match (&drawing, plan.size_m) {
        (Some(drawing), _) => [drawing.columns(), drawing.rows()].map(|n| n as f64 * plan.pallet_m),
        (None, Some(size_m)) => size_m,
        (None, None) => return Err(SimError::plan("expected a drawing, or size_m and walls")),
    };
    let mut walls: Vec<Wall> = plan.walls.iter().map(|wall| wall_of(plan, wall)).collect();
    if let Some(drawing) = &drawing {
        walls.extend(drawn_walls(plan, drawing));
    }
    let arena = Arena {
        name: plan.name.clone(),
        size_m,
        walls,
        barrels: plan.barrels.iter().enumerate().flat_map(|(i, b)| barrel(plan, i, b)).collect(),
        floor: drawing.as_ref().map_or_else(Floor::flat, |drawing| Floor::of_drawing(plan, drawing)),
        marks: marks(plan, drawing.as_ref()),
        start: start(plan, drawing.as_ref())?,
        cell_size_m: plan.cell_size_m,
        margin_m: plan.margin_m,
        slice_heights_m: plan.slice_heights_m.clone(),
        wall_thickness_m: plan.wall_thickness_m,
        outside: drawing.as_ref().map(|drawing| outside(plan, drawing)).unwrap_or_default(),
        pallet_m: plan.pallet_m,
        tunnels: drawing.as_ref().map(tunnels).unwrap_or_default(),
        tunnel_m: plan.tunnel_m,
    };
    if !arena.contains(Point2::new(arena.start.x_m, arena.start.y_m)) {
        let Pose2 { x_m, y_m, .. } = arena.start;
        return Err(SimError::plan(format!("start at ({x_m}, {y_m}): expected a place in the arena")));
    }
    Ok(arena)
}

fn point([x_m, y_m]: [f64; 2]) -> Point2 {
    Point2::new(x_m, y_m)
}

fn wall_of(plan: &Plan, wall: &super::plan::WallPlan) -> Wall {
    let height_m = wall.height_m.unwrap_or(plan.wall_height_m);
    Wall { from: point(wall.from_m), to: point(wall.to_m), bottom_m: 0.0, height_m }
}

/// Walls of the drawing; walls in one line that touch become one.
fn drawn_walls(plan: &Plan, drawing: &Drawing) -> Vec<Wall> {
    let (columns, rows) = (drawing.columns(), drawing.rows());
    let mut walls = Vec::new();
    for row in 0..=rows {
        let edges = (0..columns).map(|column| drawing.below(column, row));
        for [from, to] in runs(edges, plan) {
            let y_m = row as f64 * plan.pallet_m;
            walls.push((Point2::new(from, y_m), Point2::new(to, y_m)));
        }
    }
    for column in 0..=columns {
        let edges = (0..rows).map(|row| drawing.left_of(column, row));
        for [from, to] in runs(edges, plan) {
            let x_m = column as f64 * plan.pallet_m;
            walls.push((Point2::new(x_m, from), Point2::new(x_m, to)));
        }
    }
    let wall = |(from, to)| Wall { from, to, bottom_m: 0.0, height_m: plan.wall_height_m };
    walls.into_iter().map(wall).chain(lintels(plan, drawing)).collect()
}

/// Pallets under a roof.
fn tunnels(drawing: &Drawing) -> Vec<(i64, i64)> {
    let marks = drawing.marks().iter().filter(|(_, _, mark)| *mark == PalletMark::Tunnel);
    let mut pallets: Vec<(i64, i64)> = marks.map(|&(column, row, _)| (column as i64, row as i64)).collect();
    pallets.sort_unstable();
    pallets.dedup();
    pallets
}

/// What closes the sides of a tunnel above its roof: walls from the roof up, where the pallet is open to one without.
fn lintels(plan: &Plan, drawing: &Drawing) -> Vec<Wall> {
    let roofed = tunnels(drawing);
    let mut lintels = Vec::new();
    if plan.tunnel_m >= plan.wall_height_m {
        return lintels;
    }
    for &(column, row) in &roofed {
        for side in Rise::ALL {
            let (x, y) = side.step();
            let is_open = drawing.edge(column as usize, row as usize, side) != Edge::Wall;
            if !is_open || roofed.binary_search(&(column + x, row + y)).is_ok() {
                continue;
            }
            let corner = |across: i64| {
                let place = |pallet: i64, step: i64, other: i64| {
                    (pallet as f64 + (1 + step) as f64 / 2.0 + (across * other) as f64 / 2.0) * plan.pallet_m
                };
                Point2::new(place(column, x, y), place(row, y, x))
            };
            let (bottom_m, height_m) = (plan.tunnel_m, plan.wall_height_m);
            lintels.push(Wall { from: corner(-1), to: corner(1), bottom_m, height_m });
        }
    }
    lintels
}

/// The stretches of wall along a line of edges, metres along the line.
fn runs(edges: impl Iterator<Item = Edge>, plan: &Plan) -> Vec<[f64; 2]> {
    let mut found: Vec<[f64; 2]> = Vec::new();
    let mut add = |from: f64, to: f64| match found.last_mut() {
        Some(last) if (last[1] - from).abs() < 1e-9 => last[1] = to,
        _ => found.push([from, to]),
    };
    for (index, edge) in edges.enumerate() {
        let (from, to) = (index as f64 * plan.pallet_m, (index + 1) as f64 * plan.pallet_m);
        let side_m = (plan.pallet_m - plan.opening_m) / 2.0;
        match edge {
            Edge::Open => {}
            Edge::Wall => add(from, to),
            Edge::Opening if side_m > 1e-9 => {
                add(from, from + side_m);
                add(to - side_m, to);
            }
            Edge::Opening => {}
        }
    }
    found
}

/// The parts of a barrel: two for a split one.
fn barrel(plan: &Plan, index: usize, barrel: &BarrelPlan) -> Vec<Barrel> {
    let name = barrel.name.clone().unwrap_or_else(|| format!("F{}", index + 1));
    let facing_rad = barrel.facing_deg.to_radians();
    let sides: &[(&str, f64)] = match barrel.kind {
        BarrelKind::Split | BarrelKind::Percent => &[("A", 0.0), ("B", PI)],
        _ => &[("A", 0.0)],
    };
    let opening_rad = match barrel.kind {
        BarrelKind::Quarter => FRAC_PI_2,
        BarrelKind::Half | BarrelKind::Split => PI,
        BarrelKind::ThreeQuarter => 1.5 * PI,
        BarrelKind::Whole => TAU,
        BarrelKind::Percent => TAU * barrel.visible_percent / 100.0,
    };
    let offset_m = match barrel.kind {
        BarrelKind::Split => plan.wall_thickness_m / 2.0,
        // Whole barrels that touch the board from both sides.
        BarrelKind::Percent => plan.wall_thickness_m / 2.0 + barrel.radius_m,
        _ => 0.0,
    };
    let part = |&(side, turn_rad): &(&str, f64)| {
        let direction_rad = model::wrap(facing_rad + turn_rad);
        let (sin, cos) = direction_rad.sin_cos();
        let [x_m, y_m] = barrel.at_m;
        Barrel {
            part: FiducialPart {
                kind: model::PartKind::Barrel,
                fiducial: name.clone(),
                part: format!("{name}{side}"),
                center: Point2::new(x_m + offset_m * cos, y_m + offset_m * sin),
                radius_m: barrel.radius_m,
                opening_rad,
                direction_rad,
                height_m: barrel.height_m,
                range: barrel.range.clone(),
            },
            bottom_m: (barrel.height_m - barrel.length_m / 2.0).max(0.0),
            top_m: barrel.height_m + barrel.length_m / 2.0,
        }
    };
    sides.iter().map(part).collect()
}

fn center(plan: &Plan, column: usize, row: usize) -> Point2 {
    Point2::new((column as f64 + 0.5) * plan.pallet_m, (row as f64 + 0.5) * plan.pallet_m)
}

fn marks(plan: &Plan, drawing: Option<&Drawing>) -> Vec<Mark> {
    let drawn = |kind: PalletMark| {
        let marks = drawing.map(Drawing::marks).unwrap_or_default();
        let of_kind = marks.iter().filter(move |(_, _, mark)| *mark == kind);
        of_kind.map(|&(column, row, _)| {
            let Point2 { x_m, y_m } = center(plan, column, row);
            MarkPlan { name: None, at_m: [x_m, y_m], height_m: DRAWN_MARK_HEIGHT_M }
        })
    };
    let lists = [
        (MarkKind::Victim, "V", plan.victims.iter().cloned().chain(drawn(PalletMark::Victim)).collect()),
        (MarkKind::Hazard, "H", plan.hazards.iter().cloned().chain(drawn(PalletMark::Hazard)).collect()),
        (MarkKind::Label, "L", plan.labels.clone()),
    ];
    let mut marks = Vec::new();
    for (kind, letter, list) in lists {
        for (index, mark) in list.into_iter().enumerate() {
            let name = mark.name.unwrap_or_else(|| format!("{letter}{}", index + 1));
            marks.push(Mark { kind, name, place: point(mark.at_m), height_m: mark.height_m });
        }
    }
    marks
}

fn start(plan: &Plan, drawing: Option<&Drawing>) -> Result<Pose2, SimError> {
    let marks = drawing.map(Drawing::marks).unwrap_or_default();
    let mut drawn = marks.iter().filter(|(_, _, mark)| *mark == PalletMark::Start);
    let first = drawn.next().map(|&(column, row, _)| center(plan, column, row));
    if drawn.next().is_some() {
        return Err(SimError::plan("drawing: expected one S, found several"));
    }
    let heading_rad = plan.start.map_or(0.0, |start| start.heading_deg.to_radians());
    let place = plan.start.and_then(|start| start.at_m).map(point).or(first);
    let place = place.ok_or_else(|| SimError::plan("expected an S in the drawing, or at_m in [start]"))?;
    Ok(Pose2::new(place.x_m, place.y_m, model::wrap(heading_rad)))
}

/// Lower-left corners of the pallets that are no part of the arena.
fn outside(plan: &Plan, drawing: &Drawing) -> Vec<Point2> {
    let pallets = (0..drawing.rows()).flat_map(|row| (0..drawing.columns()).map(move |column| (column, row)));
    let left_out = pallets.filter(|&(column, row)| drawing.ground(column, row) == Ground::Outside);
    left_out
        .map(|(column, row)| Point2::new(column as f64 * plan.pallet_m, row as f64 * plan.pallet_m))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arena(drawing: &str, rest: &str) -> Result<Arena, SimError> {
        Plan::read(&format!("drawing = '''\n{drawing}\n'''\n{rest}")).and_then(|plan| Arena::build(&plan))
    }

    #[test]
    fn walls_that_touch_become_one_and_openings_stay_open() {
        let arena = arena("+---+---+\n| S :   |\n+---+- -+", "").unwrap();
        let long = |wall: &Wall| (wall.to.x_m - wall.from.x_m).hypot(wall.to.y_m - wall.from.y_m);
        let mut lengths: Vec<f64> = arena.walls.iter().map(long).collect();
        lengths.sort_by(f64::total_cmp);
        // Upper edge 2.4; lower edge 1.2 + 0.2 and 0.2; left and right 1.2; beside the opening 0.2 twice.
        for (found, expected) in lengths.iter().zip([0.2, 0.2, 0.2, 1.2, 1.2, 1.4, 2.4]) {
            assert!((found - expected).abs() < 1e-9, "{lengths:?}");
        }
        assert_eq!(lengths.len(), 7);
        assert_eq!(arena.size_m, [2.4, 1.2]);
        assert_eq!(arena.start, Pose2::new(0.6, 0.6, 0.0));
    }

    #[test]
    fn a_split_barrel_has_two_parts_a_wall_apart() {
        let barrel = "[[barrel]]\nat_m = [1.2, 0.6]\nkind = 'split'\n[[barrel]]\nat_m = [0, 0]\nkind = 'quarter'\nfacing_deg = 45";
        let layout = arena("+---+---+\n| S |   |\n+---+---+", barrel).unwrap().fiducial_layout();
        let names: Vec<&str> = layout.parts.iter().map(|part| part.part.as_str()).collect();
        assert_eq!(names, ["F1A", "F1B", "F2A"]);
        assert_eq!(layout.pair_distances_m, [("F1".to_owned(), 0.01)]);
        assert!((layout.parts[0].center.x_m - 1.205).abs() < 1e-12);
        assert!((layout.parts[1].center.x_m - 1.195).abs() < 1e-12);
        assert_eq!(layout.parts[2].opening_rad, FRAC_PI_2);
    }

    #[test]
    fn percent_barrels_touch_the_board_from_both_sides_and_show_their_percentage() {
        let barrel = "[[barrel]]\nat_m = [1.2, 0.6]\nkind = 'percent'\nvisible_percent = 75\nradius_m = 0.3";
        let layout = arena("+---+---+\n| S |   |\n+---+---+", barrel).unwrap().fiducial_layout();
        assert_eq!(layout.pair_distances_m, [("F1".to_owned(), 0.61)]);
        assert!((layout.parts[0].center.x_m - 1.505).abs() < 1e-12);
        assert!((layout.parts[1].center.x_m - 0.895).abs() < 1e-12);
        assert!(layout.parts.iter().all(|part| (part.opening_rad - 1.5 * PI).abs() < 1e-12));
        assert!((layout.parts[1].direction_rad.abs() - PI).abs() < 1e-9, "it looks away from the board");
        let whole = "[[barrel]]\nat_m = [1.2, 0.6]\nkind = 'percent'\nvisible_percent = 101";
        assert!(arena("+---+\n| S |\n+---+", whole).unwrap_err().to_string().contains("visible_percent"));
    }

    #[test]
    fn a_tunnel_is_a_wall_above_its_roof_at_open_sides() {
        let arena = arena("+---+---+---+\n| S   T   T |\n+---+---+---+", "tunnel_m = 0.5").unwrap();
        let lintels: Vec<&Wall> = arena.walls.iter().filter(|wall| wall.bottom_m > 0.0).collect();
        // Only where the first tunnel pallet meets the start: between the two tunnels and behind walls there is none.
        assert_eq!(lintels.len(), 1);
        let wall = lintels[0];
        assert_eq!((wall.from.x_m, wall.to.x_m, wall.bottom_m, wall.height_m), (1.2, 1.2, 0.5, 1.2));
        assert!((wall.from.y_m - wall.to.y_m).abs() > 1.19);
        assert!(arena.is_in_tunnel(Point2::new(1.5, 0.5)) && !arena.is_in_tunnel(Point2::new(0.5, 0.5)));
    }

    #[test]
    fn marks_of_tables_come_before_those_of_the_drawing() {
        let rest = "[[victim]]\nname = 'doll'\nat_m = [0.1, 0.2]\n[[label]]\nat_m = [1, 1]";
        let arena = arena("+---+---+\n| S   VH|\n+---+---+", rest).unwrap();
        let names: Vec<&str> = arena.marks.iter().map(|mark| mark.name.as_str()).collect();
        assert_eq!(names, ["doll", "V2", "H1", "L1"]);
        assert_eq!(arena.marks[1].place, Point2::new(1.7999999999999998, 0.6));
    }

    #[test]
    fn arenas_without_start_or_extent_are_refused() {
        let message = |result: Result<Arena, SimError>| result.unwrap_err().to_string();
        assert!(message(arena("+---+\n|   |\n+---+", "")).contains("expected an S"));
        assert!(message(arena("+---+---+\n| S   S |\n+---+---+", "")).contains("one S"));
        assert!(message(arena("+---+\n|   |\n+---+", "[start]\nat_m = [9, 9]")).contains("in the arena"));
        assert!(message(arena("+---+\n|xS |\n+---+", "")).contains("in the arena"));
        assert!(message(Arena::build(&Plan::default())).contains("drawing, or size_m"));
    }
}
