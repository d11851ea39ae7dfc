//! Cells as bits of a word, the lowest bit for the leftmost cell.

/// Cells in a word.
pub(crate) const CELLS_PER_WORD: usize = 64;

/// Up to 64 cells as bits, set where the cell is not 0.
pub(crate) fn packed(cells: &[u8]) -> u64 {
    packed_where(cells, |cell| cell != 0)
}

/// Up to 64 cells as bits, set where the condition holds.
#[inline]
pub(crate) fn packed_where(cells: &[u8], condition: impl Fn(u8) -> bool) -> u64 {
    let mut bytes = [0; CELLS_PER_WORD];
    for (byte, &cell) in bytes.iter_mut().zip(cells) {
        *byte = u8::from(condition(cell));
    }
    let (eights, _) = bytes.as_chunks::<8>();
    // Each byte is 0 or 1; the product gathers the eight lowest bits in the highest byte.
    let gather = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |word, eight| word << 8 | gather(eight))
}

/// The lowest bits of a word as cells of 0 and 1.
pub(crate) fn unpack(word: u64, cells: &mut [u8]) {
    for (column, cell) in cells.iter_mut().enumerate() {
        *cell = (word >> column & 1) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leftmost_cell_is_the_lowest_bit() {
        assert_eq!(packed(&[1, 0, 7, 0, 0, 0, 0, 0, 1]), 0b1_0000_0101);
        assert_eq!(packed(&[255; 64]), u64::MAX);
        assert_eq!(packed(&[]), 0);
    }

    #[test]
    fn unpacking_undoes_packing() {
        let cells: Vec<u8> = (0..64_u32).map(|i| (i * i / 3 % 2) as u8).collect();
        let mut found = [9; 64];
        unpack(packed(&cells), &mut found);
        assert_eq!(found[..], cells);
    }
}
