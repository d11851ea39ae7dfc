//! Rings around the worst places, with numbers that keep apart, and the list of what they mean.

use std::fmt::Write;

use super::Place;
use super::layout::{Layout, is_drawable};
use crate::chart::frame::{Anchor, round_tenth, text};
use crate::chart::ink::BAD;
use crate::chart::lettering::{LINE_PX, cut, width_px};

/// Rings drawn; a list of more belongs into a table.
const MAX_PLACES: usize = 20;
const RING_PX: f64 = 9.0;

/// The places that are drawn and listed.
pub(super) fn listed(worst: &[Place]) -> &[Place] {
    &worst[..worst.len().min(MAX_PLACES)]
}

/// A ring, and the numbers of the places in it.
struct Ring {
    at: (f64, f64),
    text: String,
}

/// Rings around the places; places within one ring share it, and its number.
pub(super) fn draw_rings(svg: &mut String, layout: &Layout, worst: &[Place]) {
    let mut taken = Vec::new();
    for ring in rings(layout, worst) {
        let (x, y) = ring.at;
        // Writing into a string cannot fail.
        let _ = writeln!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{RING_PX}\" fill=\"none\" stroke=\"{BAD}\" stroke-width=\"2.4\"/>",
            round_tenth(x),
            round_tenth(y)
        );
        let beside = free_place(layout, &ring, &taken);
        taken.push((beside, width_px(&ring.text)));
        // Black on white can be read over any map and path.
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" rx=\"2\" fill=\"#fff\" opacity=\"0.85\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"#000\">{}</text>",
            round_tenth(beside.0 - 1.0),
            round_tenth(beside.1 - 7.0),
            round_tenth(width_px(&ring.text) + 2.0),
            round_tenth(beside.0),
            round_tenth(beside.1 + 4.5),
            ring.text
        );
    }
}

fn rings(layout: &Layout, worst: &[Place]) -> Vec<Ring> {
    let mut rings: Vec<Ring> = Vec::new();
    for (index, place) in worst.iter().enumerate().filter(|(_, place)| is_drawable(place.at)) {
        let at = layout.place(place.at);
        let near = rings.iter_mut().find(|ring| (ring.at.0 - at.0).hypot(ring.at.1 - at.1) < 2.0 * RING_PX);
        match near {
            Some(ring) => ring.text = format!("{}, {}", ring.text, index + 1),
            None => rings.push(Ring { at, text: (index + 1).to_string() }),
        }
    }
    rings
}

/// Beside the ring on the side that is free and inside the figure; right of it if none is.
fn free_place(layout: &Layout, ring: &Ring, taken: &[((f64, f64), f64)]) -> (f64, f64) {
    let (x, y) = ring.at;
    let width = width_px(&ring.text);
    let (right, left) = (x + RING_PX + 3.0, x - RING_PX - 3.0 - width);
    let (above, below) = (y - RING_PX - 8.0, y + RING_PX + 8.0);
    let places = [
        (right, y),
        (left, y),
        (x - width / 2.0, above),
        (x - width / 2.0, below),
        (right, above),
        (right, below),
        (left, above),
        (left, below),
    ];
    let is_free = |place: &&(f64, f64)| {
        let inside = place.0 >= layout.area.left
            && place.0 + width <= layout.area.right()
            && place.1 - 7.0 >= 0.0
            && place.1 + 7.0 <= layout.area.bottom();
        let apart = |((other_x, other_y), other_width): &((f64, f64), f64)| {
            (other_y - place.1).abs() >= 14.0
                || other_x + other_width <= place.0
                || place.0 + width <= *other_x
        };
        inside && taken.iter().all(apart)
    };
    *places.iter().find(is_free).unwrap_or(&places[0])
}

/// What the numbers mean, a line each.
pub(super) fn draw_list(svg: &mut String, worst: &[Place], (x, top): (f64, f64), width: f64) {
    for (index, place) in worst.iter().enumerate() {
        let line = format!("{}: {}", index + 1, place.label);
        text(svg, (x, top + (index as f64) * LINE_PX), Anchor::Start, &cut(&line, width - x));
    }
}
