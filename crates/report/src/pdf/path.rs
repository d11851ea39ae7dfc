//! The data of an SVG path as moves, lines and curves in absolute places.

use std::f64::consts::{FRAC_PI_2, TAU};

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece {
    Move([f64; 2]),
    Line([f64; 2]),
    /// Two control points and the end.
    Curve([[f64; 2]; 3]),
}

/// The pieces of the data; what comes after a fault is left out.
pub(super) fn pieces(data: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut rest = data.trim_start();
    let mut at = [0.0, 0.0];
    let mut command = ' ';
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_alphabetic() {
            command = first;
            rest = &rest[1..];
        }
        let origin = if command.is_ascii_lowercase() { at } else { [0.0, 0.0] };
        let count = match command.to_ascii_uppercase() {
            'M' | 'L' => 2,
            'H' | 'V' => 1,
            'A' => 7,
            _ => return found,
        };
        let Some((numbers, after)) = numbers(rest, count) else { return found };
        rest = after;
        let end = match command.to_ascii_uppercase() {
            'H' => [origin[0] + numbers[0], at[1]],
            'V' => [at[0], origin[1] + numbers[0]],
            'A' => [origin[0] + numbers[5], origin[1] + numbers[6]],
            _ => [origin[0] + numbers[0], origin[1] + numbers[1]],
        };
        match command {
            'M' | 'm' => found.push(Piece::Move(end)),
            'A' | 'a' => found.extend(arc(at, end, numbers[0], [numbers[3] != 0.0, numbers[4] != 0.0])),
            _ => found.push(Piece::Line(end)),
        }
        at = end;
        rest = rest.trim_start();
    }
    found
}

/// The next numbers, and what follows them.
fn numbers(text: &str, count: usize) -> Option<(Vec<f64>, &str)> {
    let mut rest = text;
    let mut found = Vec::with_capacity(count);
    for _ in 0..count {
        rest = rest.trim_start_matches([' ', ',', '\n']);
        let is_part = |(index, letter): (usize, char)| match letter {
            '0'..='9' | '.' | 'e' => true,
            '-' | '+' => index == 0 || rest[..index].ends_with('e'),
            _ => false,
        };
        let end = rest.char_indices().find(|&letter| !is_part(letter)).map_or(rest.len(), |(index, _)| index);
        found.push(rest[..end].parse().ok().filter(|number: &f64| number.is_finite())?);
        rest = &rest[end..];
    }
    Some((found, rest))
}

/// A circular arc as curves of at most a quarter turn; `[large, clockwise]` as SVG means them.
fn arc(from: [f64; 2], to: [f64; 2], radius: f64, [is_large, is_clockwise]: [bool; 2]) -> Vec<Piece> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let chord = dx.hypot(dy);
    if chord < 1e-9 || radius <= 0.0 {
        return vec![Piece::Line(to)];
    }
    let radius = radius.max(chord / 2.0);
    let height = (radius * radius - chord * chord / 4.0).max(0.0).sqrt();
    let side = if is_large == is_clockwise { -1.0 } else { 1.0 };
    let centre = [
        f64::midpoint(from[0], to[0]) - side * height * dy / chord,
        f64::midpoint(from[1], to[1]) + side * height * dx / chord,
    ];
    let start = (from[1] - centre[1]).atan2(from[0] - centre[0]);
    let end = (to[1] - centre[1]).atan2(to[0] - centre[0]);
    // Image rows run down, so that growing angles are clockwise.
    let sweep = if is_clockwise { (end - start).rem_euclid(TAU) } else { -(start - end).rem_euclid(TAU) };
    turned(centre, radius, start, sweep)
}

/// A whole circle.
pub(super) fn circle(centre: [f64; 2], radius: f64) -> Vec<Piece> {
    let mut found = vec![Piece::Move([centre[0] + radius, centre[1]])];
    found.extend(turned(centre, radius, 0.0, TAU));
    found
}

fn turned(centre: [f64; 2], radius: f64, start: f64, sweep: f64) -> Vec<Piece> {
    // Three quarters are three parts, whatever their last digit is.
    let parts = (sweep.abs() / FRAC_PI_2 - 1e-9).ceil().clamp(1.0, 4.0);
    let step = sweep / parts;
    // The tangents of the curve that leaves a circle by 0.03 % of its radius at most.
    let tangent = radius * 4.0 / 3.0 * (step / 4.0).tan();
    let place = |angle: f64| [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()];
    let curve = |part: f64| {
        let (a, b) = (start + part * step, start + (part + 1.0) * step);
        let (p, q) = (place(a), place(b));
        Piece::Curve([
            [p[0] - tangent * a.sin(), p[1] + tangent * a.cos()],
            [q[0] + tangent * b.sin(), q[1] - tangent * b.cos()],
            q,
        ])
    };
    let count = parts as u8;
    (0..count).map(|part| curve(f64::from(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_lines_become_absolute() {
        let found = pieces("M1 2l3 -4v5H9V8m1-1L2,3");
        let line = Piece::Line;
        let expected = [
            Piece::Move([1.0, 2.0]),
            line([4.0, -2.0]),
            line([4.0, 3.0]),
            line([9.0, 3.0]),
            line([9.0, 8.0]),
            Piece::Move([10.0, 7.0]),
            line([2.0, 3.0]),
        ];
        assert_eq!(found, expected);
        assert_eq!(pieces("M1 2Q3 4"), [Piece::Move([1.0, 2.0])]);
        assert!(pieces("1 2").is_empty() && pieces("Mx").is_empty() && pieces("ü").is_empty());
    }

    #[test]
    fn arcs_end_where_they_should_on_the_side_they_should() {
        // A half circle from (0, 0) to (2, 0), clockwise on the screen: over the top, which is negative y.
        let Some(Piece::Curve([_, _, middle])) = pieces("M0 0A1 1 0 0 1 2 0").get(1).copied() else {
            panic!("a curve");
        };
        assert!((middle[0] - 1.0).abs() < 1e-9 && (middle[1] + 1.0).abs() < 1e-9, "{middle:?}");
        let Some(Piece::Curve([_, _, end])) = pieces("M0 0A1 1 0 1 0 1 1").last().copied() else {
            panic!("a curve")
        };
        assert!((end[0] - 1.0).abs() < 1e-9 && (end[1] - 1.0).abs() < 1e-9);
        // Three quarters of a turn.
        assert_eq!(pieces("M0 0A1 1 0 1 0 1 1").len(), 4);
    }
}
