//! Two cases side by side as one page: the overlays beside each other, then the table.

use minijinja::{Value, context};

use super::{SideBySide, Winner};
use crate::figure::switched;
use crate::page::PageKind;
use crate::printable::printable;
use crate::{CaseReport, Figure, RenderError};

const PAGE: PageKind = PageKind {
    template: include_str!("page.html"),
    style: ".pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }\n",
    script: "",
    class: "",
};

/// The page; `cases` are those of the pair, or none for a page without figures.
///
/// # Errors
/// A figure cannot be drawn.
pub fn side_by_side_html(pair: &SideBySide, cases: &[CaseReport]) -> Result<String, RenderError> {
    let names = [printable(&pair.a), printable(&pair.b)];
    let row = |title: &str, figure: &str| -> Result<Value, RenderError> {
        let side = |(name, case): (&String, &CaseReport)| -> Result<Value, RenderError> {
            let figure = case.figure(figure);
            let switched = figure.map(switched).transpose()?.flatten();
            let uri = figure.filter(|_| switched.is_none()).map(Figure::data_uri).transpose()?;
            Ok(context! { name, uri, switched })
        };
        let sides: Vec<Value> = names.iter().zip(cases).map(side).collect::<Result<_, _>>()?;
        Ok(context! { title, sides })
    };
    let mut rows_of_figures = Vec::new();
    if !cases.is_empty() {
        rows_of_figures.extend([row("Truth and map", "overlay")?, row("Where walls are wrong", "errors")?]);
    }
    if cases.iter().any(|case| case.figure("layers").is_some()) {
        rows_of_figures.push(row("Vector layers", "layers")?);
    }
    let metric = |m: &super::PairedMetric| {
        let [a, b, difference] = m.numbers();
        context! {
            id => m.id.clone(), title => printable(&m.title), unit => m.unit.symbol(), better => m.better.name(),
            a, b, difference, winner => pair.winner_name(m),
            a_wins => m.winner == Some(Winner::A), b_wins => m.winner == Some(Winner::B), doubtful => m.doubtful,
        }
    };
    let page = context! {
        a => names[0].clone(), b => names[1].clone(), summary => pair.summary(), rows_of_figures,
        metrics => pair.metrics.iter().map(metric).collect::<Vec<_>>(),
    };
    PAGE.render(&format!("{} and {}", names[0], names[1]), page)
}
