//! A figure of vector layers inside a page: a box to tick per layer, which hides the layer by a rule of the style sheet.
//! No script is needed, so that it works in an archive that is opened years later.

use std::fmt::Write;

use super::{Figure, ImageError};
use crate::chart::escaped;

/// Names of all layers that the style sheet knows; each has a rule there.
#[cfg(test)]
const KNOWN: [&str; 8] =
    ["groups", "robot_path", "responder_path", "skeleton", "snapshots", "labels", "hazards", "victims"];

/// The figure with its switches as HTML; none if it has no vector layers.
pub(crate) fn switched(figure: &Figure) -> Result<Option<String>, ImageError> {
    let layers = figure.vector_layers();
    if layers.is_empty() {
        return Ok(None);
    }
    let mut html = "<div class=\"layered\">\n".to_owned();
    for (name, vectors) in layers {
        let (name, colour, title) = (escaped(name), vectors.hex(), escaped(&vectors.title));
        // Writing into a string cannot fail.
        let _ = writeln!(
            html,
            "<label><input type=\"checkbox\" class=\"show-{name}\" checked><i style=\"background:{colour}\"></i>{title}</label>"
        );
    }
    let _ = writeln!(html, "<div class=\"drawing\">{}</div>\n</div>", figure.svg()?);
    Ok(Some(html))
}

#[cfg(test)]
mod tests {
    use model::{GridGeometry, Pose2};

    use super::super::{Layer, Symbol, Vectors};
    use super::*;

    #[test]
    fn every_layer_has_a_switch_and_a_rule_that_hides_it() {
        let geometry = GridGeometry::new(2, 1, 1.0, Pose2::IDENTITY).unwrap();
        let mut layers = vec![Layer::classes("truth", &geometry, &[0, 2], [[255; 3]; 3])];
        let style = include_str!("../page/style.css");
        for name in KNOWN.iter().flat_map(|name| [(*name).to_owned(), format!("true_{name}")]) {
            let rule = format!(".layered:has(.show-{name}:not(:checked)) .layer-{name}");
            assert!(style.contains(&rule), "{rule}");
            let title = format!("<{name}>");
            let vectors = Vectors {
                title,
                colour: [1, 2, 3],
                is_dashed: false,
                symbol: Symbol::Dot,
                shapes: Vec::new(),
            };
            layers.push(Layer::vectors(&name, vectors));
        }
        let figure = Figure::new("layers", "", "", layers);
        let html = switched(&figure).unwrap().unwrap();
        assert_eq!(html.matches("<input").count(), 16);
        assert!(html.contains("<label><input type=\"checkbox\" class=\"show-victims\" checked>"), "{html}");
        assert!(html.contains("&lt;true_victims&gt;") && html.contains("class=\"layer-true_groups\""));
        let plain =
            Figure::new("a", "", "", vec![Layer::classes("truth", &geometry, &[0, 2], [[255; 3]; 3])]);
        assert_eq!(switched(&plain).unwrap(), None);
    }
}
