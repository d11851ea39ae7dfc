//! Arrays as numpy stores them, version 1.0 of its format: `numpy.lib.format`.

/// Rows of numbers as a two-dimensional array of float64, row after row.
pub fn npy_of(numbers: &[f64], rows: usize, columns: usize) -> Vec<u8> {
    const ALIGNED: usize = 64;
    // Magic, version and length of the header.
    const BEFORE: usize = 10;
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let padding = ALIGNED - (BEFORE + header.len() + 1) % ALIGNED;
    header.extend(std::iter::repeat_n(' ', padding % ALIGNED));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_ends_where_numpy_wants_it() {
        for columns in [1, 12, 123_456] {
            let bytes = npy_of(&[0.5], 1, columns);
            assert_eq!((bytes.len() - 8) % 64, 0);
            assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
            assert_eq!(bytes[bytes.len() - 9], b'\n');
            assert_eq!(&bytes[bytes.len() - 8..], 0.5_f64.to_le_bytes());
        }
    }
}
