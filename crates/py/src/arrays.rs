//! Arrays to cells, read where they lie: strided and reversed views are not copied.
//!
//! The lock of the interpreter is held meanwhile, since another thread could write into the array.

use formats::{ReadOptions, grey_classes};
use model::CellClass;
use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::input;

/// Cells in image order.
pub struct Cells {
    pub width: usize,
    pub height: usize,
    pub classes: Vec<CellClass>,
    pub probabilities: Option<Vec<f64>>,
}

/// Which row of the world the first row of an array is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FirstRow {
    Top,
    Bottom,
}

/// What the numbers of an array mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Greys of an image.
    Picture,
    /// Percent of being occupied; -1, or 255 in unsigned bytes, is unknown.
    Occupancy,
    /// Occupied or free.
    Occupied,
    /// From 0 to 1; not a number is unknown.
    Probability,
    /// 0 free, 1 unknown, 2 occupied.
    Classes,
}

/// Cells whose numbers mean nothing, as the array has them.
pub type Mask<'py> = Option<PyReadonlyArray2<'py, bool>>;

/// Reads an array of two dimensions; its type must be one that fits the meaning. What is masked may be any number.
pub fn cells(
    array: &Bound<'_, PyAny>,
    mask: &Mask<'_>,
    meaning: Meaning,
    first_row: FirstRow,
    reading: &ReadOptions,
) -> PyResult<Cells> {
    if let Ok(bytes) = array.extract::<PyReadonlyArray2<'_, u8>>() {
        return of_bytes((&bytes, mask), meaning, first_row, reading);
    }
    if let Ok(bytes) = array.extract::<PyReadonlyArray2<'_, i8>>() {
        return percentages((&bytes, mask), first_row, i16::from);
    }
    if let Ok(flags) = array.extract::<PyReadonlyArray2<'_, bool>>() {
        let class = |flag: bool| if flag { CellClass::Occupied } else { CellClass::Free };
        return Ok(collected(&flags, first_row, class));
    }
    if let Ok(numbers) = array.extract::<PyReadonlyArray2<'_, f32>>() {
        return probabilities((&numbers, mask), first_row, shortest);
    }
    if let Ok(numbers) = array.extract::<PyReadonlyArray2<'_, f64>>() {
        return probabilities((&numbers, mask), first_row, std::convert::identity);
    }
    let hint = "give a two-dimensional array of uint8, int8, bool, float32 or float64";
    Err(input(array.py(), "ARRAY_TYPE", "the array has a type or shape that no map has", Some(hint)))
}

/// A number of 32 bits as the decimal that it was written as.
fn shortest(value: f32) -> f64 {
    if value.is_finite() { value.to_string().parse().unwrap_or(f64::from(value)) } else { f64::from(value) }
}

/// An array with its mask.
type Masked<'a, 'py, T> = (&'a PyReadonlyArray2<'py, T>, &'a Mask<'py>);

fn of_bytes(
    bytes: Masked<'_, '_, u8>,
    meaning: Meaning,
    first_row: FirstRow,
    reading: &ReadOptions,
) -> PyResult<Cells> {
    match meaning {
        Meaning::Occupancy => {
            percentages(bytes, first_row, |value| if value == 255 { -1 } else { i16::from(value) })
        }
        Meaning::Classes => {
            let odd = |value: &u8| usize::from(*value) >= CellClass::ALL.len();
            refuse_odd(bytes, odd, |value| value.to_string(), "0 free, 1 unknown or 2 occupied")?;
            let class = |value| CellClass::ALL.get(usize::from(value)).copied().unwrap_or(CellClass::Unknown);
            Ok(collected(bytes.0, first_row, class))
        }
        _ => Ok(greys(bytes.0, first_row, &grey_classes(reading))),
    }
}

/// Classes of greys. Where the table has three ranges, two comparisons with fixed classes tell them, which the compiler makes
/// for many cells at once: 0.03 ns a cell instead of 0.19.
fn greys(bytes: &PyReadonlyArray2<'_, u8>, first_row: FirstRow, table: &[CellClass; 256]) -> Cells {
    use CellClass::{Free, Occupied, Unknown};
    let is_end = |grey: &u8| table[usize::from(*grey)] != table[usize::from(*grey) + 1];
    let ends: Vec<u8> = (0..u8::MAX).filter(is_end).collect();
    let ranges = match ends[..] {
        [dark, middle] => Some((dark, middle, [table[0], table[usize::from(middle)], table[255]])),
        _ => None,
    };
    match ranges {
        Some((dark, middle, [Occupied, Unknown, Free])) => collected(bytes, first_row, move |grey| {
            let below = if grey > dark { Unknown } else { Occupied };
            if grey > middle { Free } else { below }
        }),
        Some((dark, middle, [Free, Unknown, Occupied])) => collected(bytes, first_row, move |grey| {
            let below = if grey > dark { Unknown } else { Free };
            if grey > middle { Occupied } else { below }
        }),
        _ => collected(bytes, first_row, |grey| table[usize::from(grey)]),
    }
}

/// Whether bytes may be percentages with 255 for unknown, which a picture would read as free: 100 and 255 are there, and
/// nothing between them.
pub fn is_ambiguous(array: &Bound<'_, PyAny>) -> bool {
    let Ok(bytes) = array.extract::<PyReadonlyArray2<'_, u8>>() else { return false };
    let (mut full, mut unknown) = (false, false);
    for value in bytes.as_array() {
        match value {
            101..=254 => return false,
            100 => full = true,
            255 => unknown = true,
            _ => {}
        }
    }
    full && unknown
}

/// One class per element; rows are taken as slices where they are.
fn collected<T: Element + Copy>(
    array: &PyReadonlyArray2<'_, T>,
    first_row: FirstRow,
    class: impl Fn(T) -> CellClass + Copy,
) -> Cells {
    let view = array.as_array();
    let (height, width) = view.dim();
    let mut classes = Vec::with_capacity(width * height);
    each_row(array, first_row, |row| {
        // Copied into the loop: what the closure holds could else lie where the classes are written.
        match row.as_slice() {
            Some(slice) => classes.extend(slice.iter().map(move |value| class(*value))),
            None => classes.extend(row.iter().map(move |value| class(*value))),
        }
    });
    Cells { width, height, classes, probabilities: None }
}

fn each_row<T: Element>(
    array: &PyReadonlyArray2<'_, T>,
    first_row: FirstRow,
    mut each: impl FnMut(numpy::ndarray::ArrayView1<'_, T>),
) {
    let view = array.as_array();
    let height = view.dim().0;
    for index in 0..height {
        each(view.row(if first_row == FirstRow::Top { index } else { height - 1 - index }));
    }
}

/// Refuses elements that mean nothing: the first with its place, and how many there are.
fn refuse_odd<T: Element + Copy>(
    (array, mask): Masked<'_, '_, T>,
    is_odd: impl Fn(&T) -> bool,
    shown: impl Fn(T) -> String,
    expected: &str,
) -> PyResult<()> {
    let (view, mask) = (array.as_array(), mask.as_ref().map(|mask| mask.as_array()));
    let is_masked = |place| mask.is_some_and(|mask| mask.get(place) == Some(&true));
    let mut odd = view.indexed_iter().filter(|(place, value)| is_odd(value) && !is_masked(*place));
    let Some(((row, column), first)) = odd.next() else { return Ok(()) };
    let value = shown(*first);
    let message = format!(
        "element [{row}, {column}] is {value}: expected {expected}; {} such elements",
        1 + odd.count()
    );
    Err(input(array.py(), "ARRAY_VALUES", &message, None))
}

/// Percent, as `nav_msgs/OccupancyGrid` has them. Probabilities are kept only where a cell has another than 0, 50 and 100.
fn percentages<T: Element + Copy>(
    (array, mask): Masked<'_, '_, T>,
    first_row: FirstRow,
    percent: impl Fn(T) -> i16 + Copy,
) -> PyResult<Cells> {
    let is_odd = |value: &T| !(-1..=100).contains(&percent(*value));
    refuse_odd(
        (array, mask),
        is_odd,
        |value| percent(value).to_string(),
        "-1 for unknown, or 0 to 100 percent",
    )?;
    let probability = |value: T| match percent(value) {
        -1 => 0.5,
        percent => f64::from(percent) / 100.0,
    };
    let mut cells = collected(array, first_row, |value| CellClass::of_probability(probability(value)));
    let is_plain = |value: &T| [-1, 0, 100].contains(&percent(*value));
    if !array.as_array().iter().all(is_plain) {
        let mut all = Vec::with_capacity(cells.classes.len());
        each_row(array, first_row, |row| all.extend(row.iter().map(|value| probability(*value))));
        cells.probabilities = Some(all);
    }
    Ok(cells)
}

fn probabilities<T: Element + Copy>(
    (array, mask): Masked<'_, '_, T>,
    first_row: FirstRow,
    number: impl Fn(T) -> f64 + Copy,
) -> PyResult<Cells> {
    let is_odd = |value: &T| {
        let value = number(*value);
        !value.is_nan() && !(0.0..=1.0).contains(&value)
    };
    refuse_odd(
        (array, mask),
        is_odd,
        |value| number(value).to_string(),
        "a probability from 0 to 1, or NaN for unknown",
    )?;
    let probability = |value: T| {
        let value = number(value);
        if value.is_nan() { 0.5 } else { value }
    };
    let mut cells = collected(array, first_row, |value| CellClass::of_probability(probability(value)));
    let mut all = Vec::with_capacity(cells.classes.len());
    each_row(array, first_row, |row| all.extend(row.iter().map(|value| probability(*value))));
    cells.probabilities = Some(all);
    Ok(cells)
}

/// Makes masked cells unknown; how many there are.
pub fn hide(cells: &mut Cells, mask: &PyReadonlyArray2<'_, bool>, first_row: FirstRow) -> u64 {
    let (mut index, mut masked) = (0, 0);
    each_row(mask, first_row, |row| {
        for is_masked in row {
            if *is_masked {
                masked += 1;
                if let Some(class) = cells.classes.get_mut(index) {
                    *class = CellClass::Unknown;
                }
                if let Some(p) = cells.probabilities.as_mut().and_then(|all| all.get_mut(index)) {
                    *p = 0.5;
                }
            }
            index += 1;
        }
    });
    masked
}
