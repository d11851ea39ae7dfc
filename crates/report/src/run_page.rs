//! A run as one HTML file that needs nothing else: figures of the run, what was odd, and a player with a slider.
//!
//! The player draws what the robot had seen up to a timestamp, so that the map grows: from the scans of the frames
//! themselves, or from the times at which the cells of the map became known.
//! `run_page/page.html` says in which order, `run_page/player.js` how it plays.

use minijinja::{Value, context};
use model::{Finding, Grid, Level, Point2, Pose2};

use crate::figure::base64;
use crate::page::PageKind;
use crate::printable::printable;
use crate::{Figure, GROUND_COLOURS, Layer, RenderError};

const STILL_PAGE: PageKind = PageKind {
    template: include_str!("run_page/page.html"),
    style: include_str!("run_page/player.css"),
    script: "",
    class: "",
};
const PLAYER_PAGE: PageKind = PageKind { script: include_str!("run_page/player.js"), ..STILL_PAGE };

/// The robot and its map at one time of a run. Places are in metres in the frame of the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// When, seconds.
    pub time_s: f64,
    /// Where the robots are.
    pub robots: Vec<Pose2>,
    /// What the scan of the first robot hit; empty where there was none.
    pub hits: Vec<Point2>,
}

/// What a page shows.
#[derive(Clone, Debug, Default)]
pub struct RunPage<'a> {
    /// What ran.
    pub title: String,
    /// What kind of run it was, in a word or two.
    pub kind: &'a str,
    /// Names with values, the important ones first.
    pub facts: Vec<(&'a str, String)>,
    pub findings: &'a [Finding],
    /// The map in the end; none for a run without one.
    pub map: Option<&'a Grid>,
    /// When each cell of the map became known, seconds of the frames' clock; infinite for one that never did. Empty if
    /// nobody knows.
    pub known_at_s: &'a [f32],
    /// The run, in order of time.
    pub frames: &'a [Frame],
    /// Both ends of each loop closure.
    pub loop_closures: &'a [[Point2; 2]],
    /// Charts and maps below the player.
    pub figures: Vec<Figure>,
}

/// Loop closures that are drawn at most, and frames and points that are played at most: the page stays below 5 MB.
const MAX_CLOSURES: usize = 2000;
const MAX_FRAMES: usize = 1200;
const MAX_NUMBERS: usize = 500_000;

/// The page.
///
/// # Errors
/// A figure or the map cannot be drawn.
pub fn run_page(page: &RunPage<'_>) -> Result<String, RenderError> {
    let figure = |figure: &Figure| -> Result<Value, RenderError> {
        let svg = figure.is_vector().then(|| figure.svg()).transpose()?;
        let uri = (!figure.is_vector()).then(|| figure.data_uri()).transpose()?;
        let (title, caption) = (printable(&figure.title), printable(&figure.caption));
        Ok(context! { title, caption, uri, svg => svg.map(Value::from_safe_string) })
    };
    let figures: Vec<Value> = page.figures.iter().map(figure).collect::<Result<_, _>>()?;
    let finding = |finding: &Finding| {
        let level = match finding.level {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        let hint = finding.hint.as_deref().map(printable);
        context! { level, code => finding.code.to_string(), message => printable(&finding.message), hint }
    };
    let facts: Vec<Value> = page
        .facts
        .iter()
        .map(|(name, value)| context! { name => *name, value => printable(value) })
        .collect();
    let run = player_data(page)?;
    let kind = if run.is_some() { PLAYER_PAGE } else { STILL_PAGE };
    let context = context! {
        title => printable(&page.title),
        kind => page.kind,
        facts,
        findings => page.findings.iter().map(finding).collect::<Vec<_>>(),
        run => run.map(Value::from_safe_string),
        has_closures => !page.loop_closures.is_empty(),
        figures,
    };
    kind.render(&printable(&page.title), context)
}

/// What the player reads: numbers and the picture of the map, as JSON; none without a frame. Lengths are centimetres, angles
/// thousandths of a radian.
fn player_data(page: &RunPage<'_>) -> Result<Option<String>, RenderError> {
    let is_finite =
        |frame: &&Frame| frame.time_s.is_finite() && frame.robots.iter().all(|pose| pose.is_finite());
    let usable: Vec<&Frame> = page.frames.iter().filter(is_finite).collect();
    if usable.is_empty() {
        return Ok(None);
    }
    let numbers = usable.iter().map(|frame| 3 * frame.robots.len() + 2 * frame.hits.len() + 1).sum::<usize>();
    let every = usable.len().div_ceil(MAX_FRAMES).max(numbers.div_ceil(MAX_NUMBERS)).max(1);
    let frames: Vec<&Frame> = usable.into_iter().step_by(every).collect();
    let place = |point: &Point2| [scaled(point.x_m, 100.0), scaled(point.y_m, 100.0)];
    let robots = |frame: &&Frame| -> Vec<i64> {
        let pose =
            |pose: &Pose2| [scaled(pose.x_m, 100.0), scaled(pose.y_m, 100.0), scaled(pose.theta_rad, 1e3)];
        frame.robots.iter().flat_map(pose).collect()
    };
    let hits = |frame: &&Frame| -> Vec<i64> { frame.hits.iter().flat_map(place).collect() };
    let closure = |ends: &[Point2; 2]| -> Vec<i64> { ends.iter().flat_map(place).collect() };
    let data = serde_json::json!({
        "time_s": frames.iter().map(|frame| (frame.time_s * 1e3).round() / 1e3).collect::<Vec<_>>(),
        "robots": frames.iter().map(robots).collect::<Vec<_>>(),
        "hits": frames.iter().map(hits).collect::<Vec<_>>(),
        "closures": page.loop_closures.iter().take(MAX_CLOSURES).map(closure).collect::<Vec<_>>(),
        "map": page.map.map(map_data).transpose()?,
        "known": page.map.map(|map| known_data(map, page.known_at_s, &frames)).transpose()?.flatten(),
    });
    // The text stands in a script element: nothing in it may end that.
    Ok(Some(data.to_string().replace('<', "\\u003c")))
}

fn scaled(value: f64, by: f64) -> i64 {
    (value * by).round() as i64
}

/// Steps in which a map grows at most: the entries of an image of one byte but the last, which is for unknown cells.
const GROWTH_STEPS: u8 = 254;

/// An image of the size of the map's: grey value `g` of a cell says that it became known at `g` of [`GROWTH_STEPS`] parts of
/// the run; the white cells never did. None without such times.
fn known_data(map: &Grid, known_at_s: &[f32], frames: &[&Frame]) -> Result<Option<String>, RenderError> {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return Ok(None) };
    if known_at_s.len() != map.geometry().cells() {
        return Ok(None);
    }
    let (steps, whole_s) = (f64::from(GROWTH_STEPS), (last.time_s - first.time_s).max(f64::MIN_POSITIVE));
    let entry = |at_s: &f32| match f64::from(*at_s) {
        at_s if at_s.is_finite() => ((at_s - first.time_s) / whole_s * steps).ceil().clamp(0.0, steps) as u8,
        _ => u8::MAX,
    };
    let entries: Vec<u8> = known_at_s.iter().map(entry).collect();
    let legend: Vec<([u8; 3], &str)> = (0..=GROWTH_STEPS).map(|grey| ([grey; 3], "")).collect();
    // Entries beyond the palette are open, which is white.
    let known = Layer::cells("known", map.geometry(), entries, &legend);
    let png = Figure::new("known", "Known", "", vec![known]).cells_png()?;
    Ok(Some(format!("data:image/png;base64,{}", base64(&png))))
}

/// The image of a map, and where it lies: lower left corner, size in centimetres, direction.
fn map_data(map: &Grid) -> Result<serde_json::Value, RenderError> {
    let geometry = map.geometry();
    let layer = Layer::classes("map", geometry, map.class_bytes(), GROUND_COLOURS);
    let png = Figure::new("map", "Map", "", vec![layer]).cells_png()?;
    let (origin, cell_m) = (geometry.origin(), geometry.cell_size_m());
    Ok(serde_json::json!({
        "png": format!("data:image/png;base64,{}", base64(&png)),
        "x": scaled(origin.x_m, 100.0),
        "y": scaled(origin.y_m, 100.0),
        "turn": origin.theta_rad,
        "width": geometry.width() as f64 * cell_m * 100.0,
        "height": geometry.height() as f64 * cell_m * 100.0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(count: usize, hits: usize) -> Vec<Frame> {
        let frame = |number: usize| Frame {
            time_s: number as f64 * 0.1,
            robots: vec![Pose2::new(number as f64 * 0.01, -1.0, 0.5)],
            hits: vec![Point2::new(-12.345, 67.89); hits],
        };
        (0..count).map(frame).collect()
    }

    #[test]
    fn the_page_needs_no_network_and_plays_the_run() {
        let frames = frames(3, 2);
        let findings = [Finding::warning("NO_ODOMETRY", "a <b>bold</b> word")];
        let page = RunPage {
            title: "</script><b>run</b>".to_owned(),
            kind: "Map",
            facts: vec![("scans", "3".to_owned())],
            findings: &findings,
            frames: &frames,
            loop_closures: &[[Point2::new(0.0, 0.0), Point2::new(1.0, 0.0)]],
            ..RunPage::default()
        };
        let text = run_page(&page).unwrap();
        assert!(text.contains(r#""time_s":[0.0,0.1,0.2]"#) && text.contains("[2,-100,500]"), "{text}");
        assert!(text.contains("[-1235,6789,") && text.contains("NO_ODOMETRY"));
        assert!(!text.contains("<b>"), "no tag of a stranger may open");
        let outside = text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !outside.contains("http://") && !outside.contains("https://") && !outside.contains("src=\"/")
        );
    }

    /// The image once had a scale bar below, and the player stretched it: paths led through walls.
    #[test]
    fn the_image_of_the_map_has_the_shape_of_its_cells() {
        let geometry = model::GridGeometry::new(400, 200, 0.05, Pose2::IDENTITY).unwrap();
        let map = Grid::new(geometry, vec![model::CellClass::Free; 400 * 200]).unwrap();
        let data = map_data(&map).unwrap();
        let png = decoded(data["png"].as_str().unwrap());
        // Width and height of the IHDR chunk.
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!(side(16), 2 * side(20), "{} x {}", side(16), side(20));
    }

    fn decoded(uri: &str) -> Vec<u8> {
        use base64::Engine;
        let text = uri.strip_prefix("data:image/png;base64,").unwrap();
        base64::engine::general_purpose::STANDARD.decode(text).unwrap()
    }

    /// Worked by hand: three cells known at the start, in the middle and at the end of 20 s, and one never.
    #[test]
    fn cells_that_became_known_later_have_a_higher_grey_value() {
        let geometry = model::GridGeometry::new(4, 1, 0.05, Pose2::IDENTITY).unwrap();
        let map = Grid::new(geometry, vec![model::CellClass::Free; 4]).unwrap();
        let frames = [0.0, 20.0].map(|time_s| Frame { time_s, ..Frame::default() });
        let frames: Vec<&Frame> = frames.iter().collect();
        let uri = known_data(&map, &[0.0, 10.0, 20.0, f32::INFINITY], &frames).unwrap().unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(decoded(&uri)));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let width = reader.next_frame(&mut pixels).unwrap().width as usize;
        let grey = [0, 1, 2, 3].map(|cell| pixels[3 * (cell * width / 4 + width / 8)]);
        assert_eq!(grey, [0, 127, 254, 255]);
        assert_eq!(known_data(&map, &[0.0], &frames).unwrap(), None, "not one time per cell");
    }

    #[test]
    fn a_run_of_any_length_stays_below_5_mb() {
        let frames = frames(5000, 1000);
        let text = run_page(&RunPage { frames: &frames, ..RunPage::default() }).unwrap();
        assert!(text.len() < 5_000_000, "{}", text.len());
        let strange = [Frame { time_s: f64::NAN, ..Frame::default() }];
        assert!(!run_page(&RunPage { frames: &strange, ..RunPage::default() }).unwrap().contains("<canvas"));
    }
}
