//! The figure of the vector layers: what the team wrote on its map, and what is true, over the truth (Balaguer et al. 2009,
//! figures 3 and 4).

use metrics::Case;
use metrics::annotation::inputs::{Annotations, LabelledPlace, Region};
use metrics::topology::place_graph::PlaceGraph;
use model::Point2;
use report::{Figure, GROUND_COLOURS, Layer, Rgb, Symbol, VectorShape, Vectors};

/// Colours of Okabe and Ito (2008).
const SKY: Rgb = [86, 180, 233];
const BLUE: Rgb = [0, 114, 178];
const GREEN: Rgb = [0, 158, 115];
const PURPLE: Rgb = [204, 121, 167];
const ORANGE: Rgb = [230, 159, 0];
const VERMILION: Rgb = [213, 94, 0];
const GREY: Rgb = [90, 90, 90];

/// Whose layer it is; those of the truth are dashed lines and rings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Team,
    Truth,
}

/// The vector layers of a case over its truth; none if it has neither.
pub fn layer_figure(case: &Case) -> Option<Figure> {
    let (grids, given) = (case.grids().ok()?, case.annotations().ok()?);
    let mut drawn = vectors_of(&given.truth, Whose::Truth);
    drawn.extend(vectors_of(&given.map, Whose::Team));
    if drawn.is_empty() {
        return None;
    }
    let classes = grids.truth.class_bytes();
    let mut layers = vec![Layer::classes("truth", grids.geometry(), classes, GROUND_COLOURS)];
    layers.extend(drawn.into_iter().map(|(name, vectors)| Layer::vectors(&name, vectors)));
    let caption = "What the team wrote on its map, over the truth. Dashed lines and rings are the truth's: a report inside a \
                   ring of its colour was right.";
    Some(Figure::new("layers", "Vector layers", caption, layers))
}

/// The layers that are there, with the names that pages switch them by, in drawing order.
fn vectors_of(given: &Annotations, whose: Whose) -> Vec<(String, Vectors)> {
    let lines = |paths: &[Vec<Point2>]| paths.iter().map(|path| VectorShape::Line(metres(path))).collect();
    let mut found: Vec<(&str, &str, Rgb, Symbol, Vec<VectorShape>)> = Vec::new();
    if let Some(groups) = &given.groups {
        found.push(("groups", "groups", SKY, Symbol::Dot, groups.iter().map(area).collect()));
    }
    if let Some(paths) = &given.robot_paths {
        found.push(("robot_path", "robot paths", BLUE, Symbol::Dot, lines(paths)));
    }
    if let Some(paths) = &given.responder_paths {
        let shapes = paths.iter().map(|path| VectorShape::Line(metres(&path.line))).collect();
        found.push(("responder_path", "responder paths", GREEN, Symbol::Dot, shapes));
    }
    if let Some(skeleton) = &given.skeleton {
        found.push(("skeleton", "skeleton", PURPLE, Symbol::Dot, skeleton_shapes(skeleton)));
    }
    if let Some(snapshots) = &given.snapshots {
        let shapes = snapshots.iter().map(|snapshot| place(snapshot.at, "")).collect();
        found.push(("snapshots", "snapshots", GREY, Symbol::Dot, shapes));
    }
    let labelled = |places: &[LabelledPlace]| places.iter().map(|one| place(one.at, &one.label)).collect();
    if let Some(labels) = &given.labels {
        found.push(("labels", "labels", GREY, Symbol::Square, labelled(labels)));
    }
    if let Some(hazards) = &given.hazards {
        found.push(("hazards", "hazards", ORANGE, Symbol::Triangle, labelled(hazards)));
    }
    if let Some(victims) = &given.victims {
        let shapes = victims.iter().map(|victim| place(victim.place(), &victim.id)).collect();
        found.push(("victims", "victims", VERMILION, Symbol::Cross, shapes));
    }
    let is_drawn = |layer: &(&str, &str, Rgb, Symbol, Vec<VectorShape>)| !layer.4.is_empty();
    let named = |(name, title, colour, symbol, shapes)| match whose {
        Whose::Team => (
            str::to_owned(name),
            Vectors { title: str::to_owned(title), colour, is_dashed: false, symbol, shapes },
        ),
        Whose::Truth => (
            format!("true_{name}"),
            Vectors { title: format!("true {title}"), colour, is_dashed: true, symbol: Symbol::Ring, shapes },
        ),
    };
    found.into_iter().filter(is_drawn).map(named).collect()
}

fn metres(line: &[Point2]) -> Vec<[f64; 2]> {
    line.iter().map(|point| [point.x_m, point.y_m]).collect()
}

fn place(at: Point2, label: &str) -> VectorShape {
    VectorShape::Place { at: [at.x_m, at.y_m], label: label.to_owned() }
}

fn area(region: &Region) -> VectorShape {
    let rings = region.rings.iter().map(|ring| metres(ring)).collect();
    VectorShape::Area { rings, label: region.label.clone() }
}

fn skeleton_shapes(skeleton: &PlaceGraph) -> Vec<VectorShape> {
    let edges = skeleton.edges.iter().map(|edge| VectorShape::Line(metres(&edge.line)));
    edges.chain(skeleton.nodes[..skeleton.places].iter().map(|&node| place(node, ""))).collect()
}

#[cfg(test)]
mod tests {
    use metrics::annotation::inputs::{AnnotationInputs, Victim};

    use super::*;

    #[test]
    fn layers_of_team_and_truth_are_drawn_over_the_truth() {
        let grid = std::sync::Arc::new(testkit::grid(["###", "#.#", "###"]));
        let window = align::Window::Truth;
        let rule = align::Resample::OccupiedWins;
        let grids = align::common_grid(&grid, &grid, model::Pose2::IDENTITY, window, rule).unwrap();
        let case = Case::new(grids);
        assert_eq!(layer_figure(&case), None);
        let victim = |x| Victim { id: "v".to_owned(), position_m: [x, 1.5, 0.0], ..Victim::default() };
        let truth = Annotations { victims: Some(vec![victim(1.5)]), ..Annotations::default() };
        let map = Annotations {
            victims: Some(vec![victim(1.2)]),
            robot_paths: Some(vec![vec![Point2::new(0.5, 0.5), Point2::new(1.5, 1.5)]]),
            labels: Some(Vec::new()),
            ..Annotations::default()
        };
        let figure = layer_figure(&case.with_annotations(AnnotationInputs { map, truth })).unwrap();
        let names: Vec<&str> = figure.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["truth", "true_victims", "robot_path", "victims"], "an empty layer is not drawn");
    }
}
