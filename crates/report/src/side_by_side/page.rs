//! Two cases side by side as one page: the overlays beside each other, then the table.

use minijinja::{Environment, context};

use super::{SideBySide, Winner};
use crate::base64::base64;
use crate::number::shown;
use crate::printable::printable;
use crate::{CasePictures, RenderError};

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
{% for row in rows_of_pictures %}<h2>{{ row.title }}</h2>
<div class="pair">{% for side in row.sides %}<figure>{% if side.uri %}<img alt="{{ row.title }} of {{ side.name }}" src="{{ side.uri }}">{% else %}<p>nothing to show</p>{% endif %}<figcaption>{{ side.name }}</figcaption></figure>{% endfor %}</div>
{% endfor %}<h2>Metrics</h2>
<table><thead><tr><th>metric</th><th>unit</th><th>better</th><th>{{ a }}</th><th>{{ b }}</th><th>difference</th><th>winner</th></tr></thead><tbody>
{% for m in metrics %}<tr><td title="{{ m.title }}">{{ m.id }}</td><td>{{ m.unit }}</td><td>{{ m.better }}</td><td class="n{% if m.a_wins %} w{% endif %}">{{ m.a }}</td><td class="n{% if m.b_wins %} w{% endif %}">{{ m.b }}</td><td class="n">{{ m.difference }}</td><td>{{ m.winner }}{% if m.doubtful %} (!){% endif %}</td></tr>
{% endfor %}</tbody></table>
<p>Difference: second minus first. (!): a value carries a warning; the report says which.</p>
</body></html>
"#;

/// The page; `pictures` has those of both cases, or none.
///
/// # Errors
/// The page's template failed.
pub fn side_by_side_html(pair: &SideBySide, pictures: &[CasePictures]) -> Result<String, RenderError> {
    let names = [printable(&pair.a), printable(&pair.b)];
    let uri = |png: &[u8]| (!png.is_empty()).then(|| format!("data:image/png;base64,{}", base64(png)));
    let row = |title: &str, of: fn(&CasePictures) -> &Vec<u8>| {
        let sides: Vec<_> = names
            .iter()
            .zip(pictures)
            .map(|(name, pictures)| context! { name, uri => uri(of(pictures)) })
            .collect();
        context! { title, sides }
    };
    let rows_of_pictures = match pictures {
        [] => Vec::new(),
        _ => vec![row("Truth and map", |p| &p.overlay_png), row("Where walls are wrong", |p| &p.heat_png)],
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
        a => names[0].clone(), b => names[1].clone(), summary => pair.summary(), rows_of_pictures,
        metrics => pair.metrics.iter().map(metric).collect::<Vec<_>>(),
    };
    Ok(environment.render_str(TEMPLATE, page)?)
}
