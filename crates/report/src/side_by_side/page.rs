//! Two cases side by side as one page: the overlays beside each other, then the table.

use minijinja::{Environment, Value, context};

use super::{SideBySide, Winner};
use crate::number::shown;
use crate::printable::printable;
use crate::{CaseReport, Figure, RenderError};

const TEMPLATE: &str = r#"<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{ a }} and {{ b }}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 75rem; padding: 0 1rem; color: #1b1b1b; background: #fff; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.pair img { width: 100%; image-rendering: pixelated; border: 1px solid #bbb; }
figure { margin: 0 0 1rem; } figcaption { color: #444; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } td.w { font-weight: 600; }
@media print { body { margin: 0; max-width: none; } }
</style></head><body>
<h1>{{ a }} and {{ b }}</h1>
<p>{{ summary }}</p>
{% for row in rows_of_figures %}<h2>{{ row.title }}</h2>
<div class="pair">{% for side in row.sides %}<figure>{% if side.uri %}<img alt="{{ row.title }} of {{ side.name }}" src="{{ side.uri }}">{% else %}<p>nothing to show</p>{% endif %}<figcaption>{{ side.name }}</figcaption></figure>{% endfor %}</div>
{% endfor %}<h2>Metrics</h2>
<table><thead><tr><th>metric</th><th>unit</th><th>better</th><th>{{ a }}</th><th>{{ b }}</th><th>difference</th><th>winner</th></tr></thead><tbody>
{% for m in metrics %}<tr><td title="{{ m.title }}">{{ m.id }}</td><td>{{ m.unit }}</td><td>{{ m.better }}</td><td class="n{% if m.a_wins %} w{% endif %}">{{ m.a }}</td><td class="n{% if m.b_wins %} w{% endif %}">{{ m.b }}</td><td class="n">{{ m.difference }}</td><td>{{ m.winner }}{% if m.doubtful %} (!){% endif %}</td></tr>
{% endfor %}</tbody></table>
<p>Difference: second minus first. (!): a value carries a warning; the report says which.</p>
</body></html>
"#;

/// The page; `cases` are those of the pair, or none for a page without figures.
///
/// # Errors
/// A figure cannot be drawn.
pub fn side_by_side_html(pair: &SideBySide, cases: &[CaseReport]) -> Result<String, RenderError> {
    let names = [printable(&pair.a), printable(&pair.b)];
    let row = |title: &str, figure: &str| -> Result<Value, RenderError> {
        let side = |(name, case): (&String, &CaseReport)| -> Result<Value, RenderError> {
            Ok(context! { name, uri => case.figure(figure).map(Figure::data_uri).transpose()? })
        };
        let sides: Vec<Value> = names.iter().zip(cases).map(side).collect::<Result<_, _>>()?;
        Ok(context! { title, sides })
    };
    let rows_of_figures = match cases {
        [] => Vec::new(),
        _ => vec![row("Truth and map", "overlay")?, row("Where walls are wrong", "errors")?],
    };
    let metric = |m: &super::PairedMetric| {
        context! {
            id => m.id.clone(), title => printable(&m.title), unit => m.unit.symbol(), better => m.better.name(),
            a => shown(m.a), b => shown(m.b), difference => shown(m.difference), winner => pair.winner_name(m),
            a_wins => m.winner == Some(Winner::A), b_wins => m.winner == Some(Winner::B), doubtful => m.doubtful,
        }
    };
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
    let page = context! {
        a => names[0].clone(), b => names[1].clone(), summary => pair.summary(), rows_of_figures,
        metrics => pair.metrics.iter().map(metric).collect::<Vec<_>>(),
    };
    Ok(environment.render_str(TEMPLATE, page)?)
}
