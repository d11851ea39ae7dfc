//! Where a page lies in the world: the tags or the world file as an affine transform, and that as a grid.
//!
//! ```text
//! X = t0 + t1 column + t2 row      Y = t3 + t4 column + t5 row
//! ```
//!
//! in the order of GDAL, for the upper-left corner of a pixel; rows grow downwards. Specification: OGC
//! GeoTIFF 1.1, section 7.2 and annex B.6. A tie point of the type "pixel is point" is the centre of its
//! pixel, so the corner lies half a pixel before it. Departures, as in GDAL: a negative ScaleY is read as
//! positive; several tie points are taken where a scale says the same, and are refused without one.

use model::{Finding, Pose2};

use super::directory::Directory;
use super::geo_keys::GeoKeys;
use crate::{Place, ReadError};

const SCALE_TAG: u16 = 33550;
const TIE_POINT_TAG: u16 = 33922;
const MATRIX_TAG: u16 = 34264;
/// Relative difference up to which two lengths are equal (F-TIF).
const SAME: f64 = 1e-9;
/// Fraction of a pixel by which further tie points may miss the place that the first one gives.
const TIE_POINT_PIXELS: f64 = 1e-3;

/// The six numbers of an affine transform, in GDAL's order.
pub(crate) type GeoTransform = [f64; 6];

/// The place that a page states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stated {
    pub transform: GeoTransform,
    /// Raster and world coordinates (I, J, X, Y) of a tie point of pixel corners. From it the lower-left
    /// corner follows without the rounding of a way over the upper-left one.
    tie: Option<[f64; 4]>,
}

impl From<GeoTransform> for Stated {
    fn from(transform: GeoTransform) -> Self {
        Self { transform, tie: None }
    }
}

/// The place that a page states; none if it states none.
pub(super) fn stated_by(
    directory: &Directory<'_>,
    keys: &GeoKeys,
    findings: &mut Vec<Finding>,
) -> Result<Option<Stated>, ReadError> {
    let scale = directory.reals(SCALE_TAG).unwrap_or_default();
    let ties = directory.reals(TIE_POINT_TAG).unwrap_or_default();
    let matrix = directory.reals(MATRIX_TAG).unwrap_or_default();
    let transform = match (scale.as_slice(), ties.as_slice(), matrix.as_slice()) {
        (&[sx, sy, ..], &[i, j, _, x, y, _, ..], _) if sx != 0.0 && sy != 0.0 => {
            if sy < 0.0 {
                findings.push(negative_scale(sy));
            }
            let sy = sy.abs();
            let transform = [x - i * sx, sx, 0.0, y + j * sy, 0.0, -sy];
            check_ties(directory, &transform, &ties)?;
            transform
        }
        (_, _, &[a, b, _, x, d, e, _, y, ..]) if matrix.len() == 16 => [x, a, b, y, d, e],
        (_, ties, _) if ties.len() > 6 => return Err(only_tie_points(directory, ties.len() / 6)),
        _ => return Ok(None),
    };
    if !transform.iter().all(|number| number.is_finite()) {
        let place = Place::field("georeference");
        return Err(ReadError::malformed(
            directory.tiff.file,
            place,
            "finite numbers",
            format!("{transform:?}"),
        ));
    }
    if keys.pixel_is_point() {
        return Ok(Some(half_pixel_back(transform).into()));
    }
    let has_scale = transform[2] == 0.0 && transform[4] == 0.0 && scale.len() >= 2;
    let tie = (has_scale && ties.len() >= 6).then(|| [ties[0], ties[1], ties[3], ties[4]]);
    Ok(Some(Stated { transform, tie }))
}

/// The transform of pixel corners, given that of pixel centres.
pub(crate) fn half_pixel_back([x, a, b, y, d, e]: GeoTransform) -> GeoTransform {
    [x - 0.5 * (a + b), a, b, y - 0.5 * (d + e), d, e]
}

fn check_ties(
    directory: &Directory<'_>,
    &[x, a, _, y, _, e]: &GeoTransform,
    ties: &[f64],
) -> Result<(), ReadError> {
    let misses = |tie: &&[f64]| {
        let (dx, dy) = (x + a * tie[0] - tie[3], y + e * tie[1] - tie[4]);
        dx.abs() > TIE_POINT_PIXELS * a.abs() || dy.abs() > TIE_POINT_PIXELS * e.abs()
    };
    match ties.chunks_exact(6).find(misses) {
        Some(_) => Err(only_tie_points(directory, ties.len() / 6)),
        None => Ok(()),
    }
}

fn only_tie_points(directory: &Directory<'_>, count: usize) -> ReadError {
    let place = Place::field("ModelTiepoint");
    let expected = "one tie point and a pixel scale, or a transformation";
    let found = format!("{count} tie points, which describe a warped image");
    ReadError::malformed(directory.tiff.file, place, expected, found)
        .with_hint("straighten the image with gdalwarp")
}

fn negative_scale(sy: f64) -> Finding {
    let message = format!("ModelPixelScale: ScaleY is {sy}; it was read as {}, as GDAL does", -sy);
    Finding::warning("NEGATIVE_SCALE_Y", message).hint("write ScaleY as a positive number")
}

/// Pixels of a transform as cells: their sides and the pose of the lower-left corner of the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    /// Width and height of a pixel in metres.
    pub pixel_m: (f64, f64),
    pub origin: Pose2,
}

impl Placement {
    /// The placement of an image of so many rows; shear and mirror images have none.
    pub fn of(file: &str, stated: &Stated, rows: usize) -> Result<Self, ReadError> {
        let [x, a, b, y, d, e] = stated.transform;
        let refused = |found: &str| {
            let place = Place::field("georeference");
            let expected = "scale, rotation and shift, with rows running down";
            let found = format!("{found} (columns step by ({a}, {d}), rows by ({b}, {e}))");
            ReadError::malformed(file, place, expected, found).with_hint("straighten the image with gdalwarp")
        };
        let (width_m, height_m) = (a.hypot(d), b.hypot(e));
        if !(width_m > 0.0 && height_m > 0.0 && width_m.is_finite() && height_m.is_finite()) {
            return Err(refused("pixels without size"));
        }
        if (a * b + d * e).abs() > SAME * width_m * height_m {
            return Err(refused("shear"));
        }
        if a * e - b * d > 0.0 {
            return Err(refused("a mirror image"));
        }
        let rows = rows as f64;
        let (x_m, y_m) = match stated.tie {
            Some([i, j, tie_x, tie_y]) => (tie_x - i * a, tie_y + (rows - j) * e),
            None => (x + b * rows, y + e * rows),
        };
        let origin = Pose2::new(x_m, y_m, d.atan2(a));
        Ok(Self { pixel_m: (width_m, height_m), origin })
    }

    /// Edge of the square cells: the smaller side of the pixels (F-TIF).
    pub fn cell_size_m(&self) -> f64 {
        if self.is_square() { self.pixel_m.0 } else { self.pixel_m.0.min(self.pixel_m.1) }
    }

    /// True if the sides are equal within 1e-9.
    pub fn is_square(&self) -> bool {
        let (width_m, height_m) = self.pixel_m;
        (width_m - height_m).abs() <= SAME * width_m.max(height_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(transform: GeoTransform, rows: usize) -> Placement {
        Placement::of("f", &transform.into(), rows).unwrap()
    }

    #[test]
    fn the_worked_examples_of_area_and_point() {
        // F-TIF: 200 x 100 pixels, scale 0.1, tie (0, 0, 0, 5, 20, 0).
        let area = [5.0, 0.1, 0.0, 20.0, 0.0, -0.1];
        assert_eq!(placed(area, 100).origin, Pose2::new(5.0, 10.0, 0.0));
        let point = placed(half_pixel_back(area), 100).origin;
        assert!((point.x_m - 4.95).abs() < 1e-12 && (point.y_m - 10.05).abs() < 1e-12, "{point:?}");
    }

    #[test]
    fn rotation_becomes_yaw() {
        // Columns run up (+y), rows run to the right (+x): a quarter turn; 3 rows of 0.5 m.
        let turned = placed([2.0, 0.0, 0.5, 1.0, 0.5, 0.0], 3);
        assert_eq!(turned.origin, Pose2::new(3.5, 1.0, std::f64::consts::FRAC_PI_2));
        assert_eq!((turned.cell_size_m(), turned.is_square()), (0.5, true));
    }

    #[test]
    fn shear_mirrors_and_nothing_are_refused_by_name() {
        for (transform, reason) in [
            ([0.0, 1.0, 0.5, 0.0, 0.0, -1.0], "shear"),
            ([0.0, 1.0, 0.0, 0.0, 0.0, 1.0], "a mirror image"),
            ([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "pixels without size"),
            ([0.0, f64::MAX, 0.0, 0.0, f64::MAX, 1.0], "pixels without size"),
        ] {
            let error = Placement::of("f", &transform.into(), 1).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
