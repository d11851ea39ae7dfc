//! The elements of our own SVG, in order, with what they inherit.

/// An element with its own attributes over those of the elements around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    /// Product of all opacities around it.
    pub(super) opacity: f64,
    /// The text up to the next tag.
    pub(super) text: String,
}

/// What an element takes from those around it.
const INHERITED: [&str; 4] = ["fill", "stroke", "font-size", "text-anchor"];

impl Element {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A finite number, or the default.
    pub(super) fn number(&self, name: &str, default: f64) -> f64 {
        let number = self.get(name).and_then(|text| text.parse().ok());
        number.filter(|number: &f64| number.is_finite()).unwrap_or(default)
    }

    pub(super) fn view_box(&self) -> Option<[f64; 4]> {
        let numbers: Vec<f64> =
            self.get("viewBox")?.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let view: [f64; 4] = numbers.try_into().ok()?;
        view.iter().all(|number| number.is_finite()).then_some(view)
    }

    /// The angle in degrees and the centre of `rotate(a x y)`.
    pub(super) fn rotation(&self) -> Option<[f64; 3]> {
        let inside = self.get("transform")?.strip_prefix("rotate(")?.strip_suffix(')')?;
        let numbers: Vec<f64> = inside.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        numbers.try_into().ok()
    }
}

/// All elements of a text, each opened once; what cannot be read ends the list.
pub(super) fn elements(svg: &str) -> Vec<Element> {
    let mut found: Vec<Element> = Vec::new();
    let mut open: Vec<Element> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let Some((tag, text)) = piece.split_once('>') else { break };
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let mut element = read_tag(tag);
        element.opacity = element.number("opacity", 1.0).clamp(0.0, 1.0);
        if let Some(parent) = open.last() {
            element.opacity *= parent.opacity;
            for name in INHERITED {
                if let (None, Some(value)) = (element.get(name), parent.get(name)) {
                    let pair = (name.to_owned(), value.to_owned());
                    element.attributes.push(pair);
                }
            }
        }
        element.text = unescaped(text.trim_end_matches('\n'));
        if !is_closed {
            open.push(element.clone());
        }
        found.push(element);
    }
    found
}

fn read_tag(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
    let mut element = Element { name: name.to_owned(), ..Element::default() };
    while let Some((key, after)) = rest.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else { break };
        element.attributes.push((key.trim().to_owned(), unescaped(value)));
        rest = after;
    }
    element
}

fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
