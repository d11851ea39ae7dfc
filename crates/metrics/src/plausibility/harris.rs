//! Harris' corner response of an image, and the separable filters that it needs.

/// Where a filter finds values beyond the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    /// `b a | a b c`: the edge is repeated.
    Reflected,
    /// `c b | a b c`: the edge stands once.
    Mirrored,
}

impl Border {
    /// The position within `0..length` that stands for a position beyond it.
    fn inside(self, at: isize, length: usize) -> usize {
        let length = length as isize;
        let (period, at) = match self {
            Self::Reflected => (2 * length, at.rem_euclid(2 * length)),
            Self::Mirrored if length == 1 => return 0,
            Self::Mirrored => (2 * length - 2, at.rem_euclid(2 * length - 2)),
        };
        let at = match self {
            Self::Reflected if at >= length => period - 1 - at,
            Self::Mirrored if at >= length => period - at,
            _ => at,
        };
        at as usize
    }
}

/// An image of numbers, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Image {
    pub width: usize,
    pub values: Vec<f32>,
}

impl Image {
    fn height(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// Correlated with a column of weights times a row of weights; `anchors` are the places of the output in (row, column).
    pub(super) fn filtered(&self, [row, column]: [&[f64]; 2], anchors: [usize; 2], border: Border) -> Self {
        let along = self.along(row, anchors[0], border);
        along.across(column, anchors[1], border)
    }

    fn along(&self, weights: &[f64], anchor: usize, border: Border) -> Self {
        let width = self.width;
        let sources: Vec<usize> = (0..width + weights.len())
            .map(|at| border.inside(at as isize - anchor as isize, width.max(1)))
            .collect();
        let mut values = Vec::with_capacity(self.values.len());
        for line in self.values.chunks(width.max(1)) {
            values.extend((0..width).map(|x| {
                let terms = weights.iter().zip(&sources[x..]);
                terms.map(|(weight, &source)| weight * f64::from(line[source])).sum::<f64>() as f32
            }));
        }
        Self { width, values }
    }

    fn across(&self, weights: &[f64], anchor: usize, border: Border) -> Self {
        let (width, height) = (self.width, self.height());
        let mut values = vec![0.0; self.values.len()];
        let mut sums = vec![0.0; width];
        for (y, line) in values.chunks_mut(width.max(1)).enumerate() {
            sums.fill(0.0);
            for (index, weight) in weights.iter().enumerate() {
                let source = border.inside((y + index) as isize - anchor as isize, height);
                let from = &self.values[source * width..(source + 1) * width];
                sums.iter_mut()
                    .zip(from)
                    .for_each(|(sum, value): (&mut f64, _)| *sum += weight * f64::from(*value));
            }
            line.iter_mut().zip(&sums).for_each(|(value, sum)| *value = *sum as f32);
        }
        Self { width, values }
    }

    fn times(&self, other: &Self) -> Self {
        let values = self.values.iter().zip(&other.values).map(|(a, b)| a * b).collect();
        Self { width: self.width, values }
    }
}

/// Sobel's weights for an aperture: binomial smoothing, and the difference of two binomials.
fn sobel(aperture: usize) -> [Vec<f64>; 2] {
    let grown = |weights: Vec<f64>, sign: f64| -> Vec<f64> {
        let before = weights.iter().map(|weight| sign * weight).chain([0.0]);
        let after = [0.0].into_iter().chain(weights.iter().copied());
        before.zip(after).map(|(a, b)| a + b).collect()
    };
    let binomial = |times: usize| (0..times).fold(vec![1.0], |weights, _| grown(weights, 1.0));
    [binomial(aperture - 1), grown(binomial(aperture.saturating_sub(2)), -1.0)]
}

/// Harris' response det M - k (trace M)², M being the sum of products of Sobel derivatives over a block of cells. The
/// derivatives have no common factor: only ratios of responses mean something.
pub(super) fn harris(image: &Image, block: usize, aperture: usize, k: f64) -> Image {
    let [smooth, differ] = sobel(aperture);
    let middle = [aperture / 2; 2];
    let dx = image.filtered([&differ, &smooth], middle, Border::Mirrored);
    let dy = image.filtered([&smooth, &differ], middle, Border::Mirrored);
    let ones = vec![1.0; block];
    let summed = |products: Image| products.filtered([&ones, &ones], [block / 2; 2], Border::Mirrored);
    let (xx, xy, yy) = (summed(dx.times(&dx)), summed(dx.times(&dy)), summed(dy.times(&dy)));
    let values = xx.values.iter().zip(&xy.values).zip(&yy.values).map(|((xx, xy), yy)| {
        let (xx, xy, yy) = (f64::from(*xx), f64::from(*xy), f64::from(*yy));
        (xx * yy - xy * xy - k * (xx + yy).powi(2)) as f32
    });
    Image { width: image.width, values: values.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_by_hand() {
        let at = |border: Border| (-3..6).map(|at| border.inside(at, 3)).collect::<Vec<_>>();
        assert_eq!(at(Border::Reflected), [2, 1, 0, 0, 1, 2, 2, 1, 0]);
        assert_eq!(at(Border::Mirrored), [1, 2, 1, 0, 1, 2, 1, 0, 1]);
        assert_eq!(Border::Mirrored.inside(-7, 1), 0);
    }

    #[test]
    fn sobel_weights_by_hand() {
        assert_eq!(sobel(3), [vec![1.0, 2.0, 1.0], vec![-1.0, 0.0, 1.0]]);
        assert_eq!(sobel(5), [vec![1.0, 4.0, 6.0, 4.0, 1.0], vec![-1.0, -2.0, 0.0, 2.0, 1.0]]);
    }

    #[test]
    fn the_corner_of_a_square_answers_most_and_its_sides_do_not() {
        let value = |x: usize, y: usize| if x >= 10 && y >= 10 { 255.0 } else { 0.0 };
        let values = (0..400).map(|cell| value(cell % 20, cell / 20)).collect();
        let response = harris(&Image { width: 20, values }, 2, 3, 0.04);
        let best = (0..400).max_by(|a, b| response.values[*a].total_cmp(&response.values[*b])).unwrap();
        assert!((9..=11).contains(&(best % 20)) && (9..=11).contains(&(best / 20)), "{best}");
        // In the middle of a side one derivative is 0: the response is -k trace².
        assert!(response.values[16 * 20 + 10] < 0.0 && response.values[2 * 20 + 2] == 0.0);
    }
}
