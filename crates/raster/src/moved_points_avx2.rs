//! The AVX2 form of the sums under neighbouring translations.
//!
//! Two values of at most 127 fit into a byte, so that points are added in pairs before bytes become 16-bit numbers: once as
//! they are (lower + 256 upper, modulo 2^16), once the upper ones alone. The lower ones are the difference.

use core::arch::x86_64::*;

use bytemuck::must_cast;

use super::{HALF, bytes_at};

/// See [`super::portable`].
#[target_feature(enable = "avx2")]
pub(super) fn sums<const HALVES: usize>(cells: &[u8], offsets: &[u32], sums: &mut [[u16; HALF]; HALVES]) {
    let zero = _mm256_setzero_si256();
    let (mut words, mut uppers) = ([zero; HALVES], [zero; HALVES]);
    let none = [[0; HALF]; HALVES];
    let mut add = |a: &[[u8; HALF]; HALVES], b: &[[u8; HALF]; HALVES]| {
        for half in 0..HALVES {
            let both = _mm256_add_epi8(must_cast(a[half]), must_cast(b[half]));
            words[half] = _mm256_add_epi16(words[half], both);
            uppers[half] = _mm256_add_epi16(uppers[half], _mm256_srli_epi16::<8>(both));
        }
    };
    let (pairs, rest) = offsets.as_chunks::<2>();
    for &[a, b] in pairs {
        match (bytes_at(cells, a), bytes_at(cells, b)) {
            (Some(a), Some(b)) => add(a, b),
            (a, b) => add(a.unwrap_or(&none), b.unwrap_or(&none)),
        }
    }
    for &last in rest {
        add(bytes_at(cells, last).unwrap_or(&none), &none);
    }
    for half in 0..HALVES {
        let lower = _mm256_sub_epi16(words[half], _mm256_slli_epi16::<8>(uppers[half]));
        let (lower, upper) = (
            must_cast::<__m256i, [u16; HALF / 2]>(lower),
            must_cast::<__m256i, [u16; HALF / 2]>(uppers[half]),
        );
        for (pair, (lower, upper)) in
            sums[half].as_chunks_mut::<2>().0.iter_mut().zip(lower.iter().zip(upper))
        {
            *pair = [*lower, upper];
        }
    }
}
