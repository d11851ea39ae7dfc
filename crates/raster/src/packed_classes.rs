//! Classes packed four to a byte, for those who hash or send whole planes.
//!
//! Of each block of 256 cells, cell i takes bits 2q and 2q + 1 of byte i mod 64, where q = i div 64: so that one instruction
//! packs as many bytes as the processor holds. The last block is filled up with zeros.

/// Bytes that a block becomes, and its cells.
const PACKED: usize = 64;
const CELLS: usize = 4 * PACKED;

/// Packs classes, bytes of 0 to 3, behind what is there.
pub fn pack(classes: &[u8], packed: &mut Vec<u8>) {
    let (blocks, rest) = classes.as_chunks::<CELLS>();
    packed.reserve((blocks.len() + 1) * PACKED);
    for block in blocks {
        packed.extend_from_slice(&packed_block(block));
    }
    if !rest.is_empty() {
        let mut last = [0; CELLS];
        last[..rest.len()].copy_from_slice(rest);
        packed.extend_from_slice(&packed_block(&last));
    }
}

fn packed_block(cells: &[u8; CELLS]) -> [u8; PACKED] {
    let mut packed = [0; PACKED];
    for (index, byte) in packed.iter_mut().enumerate() {
        let of_quarter = |quarter: usize| cells[quarter * PACKED + index] << (2 * quarter);
        *byte = of_quarter(0) | of_quarter(1) | of_quarter(2) | of_quarter(3);
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_cells_of_a_block_share_a_byte_by_hand() {
        let mut cells = [0; 300];
        [cells[0], cells[64], cells[128], cells[192]] = [2, 1, 0, 2];
        cells[63] = 1;
        cells[256] = 2;
        let mut packed = vec![9];
        pack(&cells, &mut packed);
        assert_eq!(packed.len(), 1 + 2 * PACKED);
        assert_eq!((packed[0], packed[1], packed[64], packed[65]), (9, 0b10_00_01_10, 1, 2));
        assert_eq!(packed.iter().filter(|&&byte| byte != 0).count(), 4);
    }

    #[test]
    fn nothing_packs_to_nothing() {
        let mut packed = Vec::new();
        pack(&[], &mut packed);
        assert!(packed.is_empty());
    }
}
