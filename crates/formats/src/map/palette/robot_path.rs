//! The robot path of a league image: a thin line, traced into polylines.
//!
//! The line is thinned to one pixel (Zhang and Suen, "A fast parallel algorithm for thinning digital
//! patterns", CACM 27(3), 1984) and followed from its ends, straight on at crossings. Lines whose ends meet
//! across a gap of a few pixels are joined. An image does not tell in which order a path was driven; the
//! first line begins at the end that is nearer to the start.

use super::palette_file::Element;

/// Rounds of thinning: lines up to twice as many pixels wide become one pixel wide. The rules ask for 0.02 m.
const THINNING_ROUNDS: usize = 8;
/// Lines with fewer pixels are specks.
const MIN_PIXELS: usize = 4;
/// Gaps of at most this many pixels are bridged.
const BRIDGED_PX: f64 = 4.0;
/// A point is left out if the line misses it by no more.
const SIMPLIFIED_PX: f64 = 1.25;
/// More pixels than this share of the image are no line.
const MAX_SHARE: usize = 8;

/// Points in pixels from the left and from the top edge of the image.
pub(crate) type Polyline = Vec<(f64, f64)>;

/// The lines of the path; none at all if the colour covers too much of the image to be a line.
pub(crate) fn trace_path(
    elements: &[Element],
    width: usize,
    start_px: Option<(f64, f64)>,
) -> Option<Vec<Polyline>> {
    let pixels: Vec<usize> = (0..elements.len()).filter(|&index| elements[index] == Element::Path).collect();
    if pixels.len() > elements.len() / MAX_SHARE {
        return None;
    }
    let mut canvas = Canvas::new(&pixels, width, elements.len() / width);
    canvas.thin();
    let lines = joined(canvas.followed());
    let mut lines: Vec<Polyline> = lines.into_iter().filter(|line| line.len() >= MIN_PIXELS).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    if let (Some(start), Some(first)) = (start_px, lines.first_mut())
        && distance(first[first.len() - 1], start) < distance(first[0], start)
    {
        first.reverse();
    }
    Some(lines.iter().map(|line| simplified(line)).collect())
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The pixels of the line with a margin of one pixel, so that every pixel has eight neighbours.
struct Canvas {
    is_set: Vec<bool>,
    /// Pixels that may be set, in image order.
    pixels: Vec<usize>,
    width: usize,
}

impl Canvas {
    fn new(pixels: &[usize], width: usize, height: usize) -> Self {
        let framed = width + 2;
        let pixels: Vec<usize> =
            pixels.iter().map(|&index| (index / width + 1) * framed + index % width + 1).collect();
        let mut is_set = vec![false; framed * (height + 2)];
        pixels.iter().for_each(|&index| is_set[index] = true);
        Self { is_set, pixels, width: framed }
    }

    /// The neighbours clockwise from the one above.
    const fn ring(&self, index: usize) -> [usize; 8] {
        let (above, below) = (index - self.width, index + self.width);
        [above, above + 1, index + 1, below + 1, below, below - 1, index - 1, above - 1]
    }

    /// Zhang and Suen: two half-rounds that peel from opposite sides.
    fn thin(&mut self) {
        for _ in 0..THINNING_ROUNDS {
            let before = self.pixels.len();
            for half in [0, 1] {
                let peeled: Vec<usize> =
                    self.pixels.iter().copied().filter(|&index| self.may_go(index, half)).collect();
                peeled.iter().for_each(|&index| self.is_set[index] = false);
                self.pixels.retain(|&index| self.is_set[index]);
            }
            if self.pixels.len() == before {
                return;
            }
        }
    }

    fn may_go(&self, index: usize, half: usize) -> bool {
        let p = self.ring(index).map(|neighbour| self.is_set[neighbour]);
        let neighbours = p.iter().filter(|&&set| set).count();
        let changes = (0..8).filter(|&k| !p[k] && p[(k + 1) % 8]).count();
        let (up, right, down, left) = (p[0], p[2], p[4], p[6]);
        let sides =
            if half == 0 { !(right && down && (up || left)) } else { !(up && left && (right || down)) };
        (2..=6).contains(&neighbours) && changes == 1 && sides
    }

    /// Follows each line from its ends, then what is left.
    fn followed(&mut self) -> Vec<Polyline> {
        let is_end = |&index: &usize| {
            let p = self.ring(index).map(|neighbour| self.is_set[neighbour]);
            (0..8).filter(|&k| !p[k] && p[(k + 1) % 8]).count() <= 1
        };
        let mut starts: Vec<usize> = self.pixels.iter().copied().filter(is_end).collect();
        starts.extend_from_slice(&self.pixels);
        let mut lines = Vec::new();
        for start in starts {
            if self.is_set[start] {
                lines.push(self.follow(start));
            }
        }
        lines
    }

    /// Takes the pixels of a line off the canvas, straight on where there is a choice.
    fn follow(&mut self, start: usize) -> Polyline {
        const LOOK_BACK: usize = 6;
        let mut line = vec![self.place(start)];
        self.is_set[start] = false;
        let mut at = start;
        loop {
            let here = line[line.len() - 1];
            let back = line[line.len().saturating_sub(LOOK_BACK)];
            let heading = (here.0 - back.0, here.1 - back.1);
            let turn = |&next: &usize| {
                let to = self.place(next);
                let step = (to.0 - here.0, to.1 - here.1);
                let length = step.0.hypot(step.1);
                (step.0 * heading.0 + step.1 * heading.1) / length - 1e-3 * length
            };
            let candidates = self.ring(at).into_iter().filter(|&next| self.is_set[next]);
            let Some(next) = candidates.max_by(|a, b| turn(a).total_cmp(&turn(b))) else { return line };
            // What lies beside both pixels is a corner of the stair, not a branch.
            for corner in self.ring(at) {
                if self.is_set[corner]
                    && corner != next
                    && self.ring(next).contains(&corner)
                    && self.degree(corner) <= 1
                {
                    self.is_set[corner] = false;
                }
            }
            self.is_set[next] = false;
            line.push(self.place(next));
            at = next;
        }
    }

    fn degree(&self, index: usize) -> usize {
        self.ring(index).into_iter().filter(|&neighbour| self.is_set[neighbour]).count()
    }

    /// The middle of a pixel, in pixels of the image.
    fn place(&self, index: usize) -> (f64, f64) {
        ((index % self.width) as f64 - 0.5, (index / self.width) as f64 - 0.5)
    }
}

/// Joins lines whose ends nearly meet, the nearest ends first.
fn joined(mut lines: Vec<Polyline>) -> Vec<Polyline> {
    /// Beyond this, comparing all ends would take long.
    const MAX_LINES: usize = 400;
    lines.retain(|line| line.len() > 1);
    if lines.len() > MAX_LINES {
        return lines;
    }
    while let Some((first, second, flip_first, flip_second)) = nearest_ends(&lines) {
        let mut tail = lines.remove(second);
        if flip_first {
            lines[first].reverse();
        }
        if flip_second {
            tail.reverse();
        }
        lines[first].extend(tail);
    }
    lines
}

/// The two lines that meet best, and which of them have to be turned round.
fn nearest_ends(lines: &[Polyline]) -> Option<(usize, usize, bool, bool)> {
    let mut best = None;
    for second in 1..lines.len() {
        for first in 0..second {
            for (flip_first, flip_second) in [(false, false), (false, true), (true, false), (true, true)] {
                let (a, b) = (&lines[first], &lines[second]);
                let end = if flip_first { a[0] } else { a[a.len() - 1] };
                let start = if flip_second { b[b.len() - 1] } else { b[0] };
                let gap = distance(end, start);
                if gap <= BRIDGED_PX && best.is_none_or(|(least, _)| gap < least) {
                    best = Some((gap, (first, second, flip_first, flip_second)));
                }
            }
        }
    }
    best.map(|(_, found)| found)
}

/// Leaves out points that the line passes close by (Douglas and Peucker 1973).
fn simplified(line: &[(f64, f64)]) -> Polyline {
    /// Long lines are cut first, because the time grows with the square of their length.
    const PIECE: usize = 512;
    let mut kept = vec![line[0]];
    let mut start = 0;
    while start + 1 < line.len() {
        let end = (start + PIECE).min(line.len() - 1);
        simplify_piece(&line[start..=end], &mut kept);
        start = end;
    }
    kept
}

/// Appends the kept points of a piece, without its first.
fn simplify_piece(piece: &[(f64, f64)], kept: &mut Polyline) {
    let mut open = vec![(0, piece.len() - 1)];
    while let Some((first, last)) = open.pop() {
        let offset = |index: &usize| offset_of(piece[*index], piece[first], piece[last]);
        let farthest = (first + 1..last).max_by(|a, b| offset(a).total_cmp(&offset(b)));
        match farthest.filter(|index| offset(index) > SIMPLIFIED_PX) {
            Some(middle) => open.extend([(middle, last), (first, middle)]),
            None => kept.push(piece[last]),
        }
    }
}

/// Distance of a point from the segment between two others.
fn offset_of(point: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let along = (b.0 - a.0, b.1 - a.1);
    let squared = along.0 * along.0 + along.1 * along.1;
    let share = if squared == 0.0 {
        0.0
    } else {
        (((point.0 - a.0) * along.0 + (point.1 - a.1) * along.1) / squared).clamp(0.0, 1.0)
    };
    distance(point, (a.0 + share * along.0, a.1 + share * along.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 120;

    /// Draws lines of two pixels width.
    fn drawn(lines: &[[(f64, f64); 2]]) -> Vec<Element> {
        let near = |index: usize| {
            let place = ((index % SIDE) as f64 + 0.5, (index / SIDE) as f64 + 0.5);
            lines.iter().any(|&[a, b]| offset_of(place, a, b) <= 1.0)
        };
        (0..SIDE * SIDE).map(|i| if near(i) { Element::Path } else { Element::Searched }).collect()
    }

    #[test]
    fn a_bent_line_becomes_one_polyline_from_the_start() {
        let (a, b, c) = ((10.0, 10.0), (80.0, 30.0), (70.0, 100.0));
        let lines = trace_path(&drawn(&[[a, b], [b, c]]), SIDE, Some((69.0, 105.0))).unwrap();
        assert_eq!(lines.len(), 1);
        let line = &lines[0];
        assert!(distance(line[0], c) < 3.0 && distance(line[line.len() - 1], a) < 3.0, "{line:?}");
        assert!(line.iter().any(|&point| distance(point, b) < 3.0), "{line:?}");
        assert!(line.len() <= 8, "{line:?}");
    }

    #[test]
    fn a_crossing_is_passed_straight_on() {
        let elements = drawn(&[[(10.0, 20.0), (110.0, 100.0)], [(10.0, 100.0), (110.0, 20.0)]]);
        let lines = trace_path(&elements, SIDE, None).unwrap();
        let total: f64 = lines.iter().flat_map(|l| l.windows(2)).map(|w| distance(w[0], w[1])).sum();
        assert!((total - 2.0 * 100f64.hypot(80.0)).abs() < 12.0, "{total} {lines:?}");
        assert!(lines.len() <= 3, "{lines:?}");
    }

    #[test]
    fn no_line_and_a_flood_of_colour() {
        assert_eq!(trace_path(&[Element::Searched; 64], 8, None), Some(vec![]));
        assert_eq!(trace_path(&[Element::Path; 64], 8, None), None);
    }
}
