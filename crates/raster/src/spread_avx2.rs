//! The AVX2 form of [`super::Spread::spread_and_sum`] for bytes and 16-bit numbers.
//!
//! Shifts inside a register bring in zeros, which is "far away", so no lane needs a mask.

use core::arch::x86_64::*;

use bytemuck::must_cast;

use super::RowSum;

/// Spreads and sums one row of numbers of one width.
///
/// `$asking` marks the lanes that are summed, `$accumulate` adds their distances to four wide sums.
macro_rules! spread {
    (
        $name:ident, $number:ty, $lanes:literal, max: $max:ident, minus: $minus:ident, splat: $splat:ident,
        shifts: [$(($bytes:literal, $cells:literal)),*], first: $first:expr, last: $last:expr,
        asking: $asking:ident, accumulate: $accumulate:ident
    ) => {
        #[target_feature(enable = "avx2")]
        pub(super) fn $name(row: &mut [$number], askers: &[u8], colour: u8) -> RowSum {
            const HALF: usize = $lanes / 2;
            let (first, last) = (must_cast::<[u8; 32], __m256i>($first), must_cast::<[u8; 32], __m256i>($last));
            let block = $splat($lanes);

            // To the right. Lane i is i + 1 cells from the block before.
            let away = must_cast::<[$number; $lanes], __m256i>(std::array::from_fn(|i| i as $number + 1));
            let in_upper = must_cast::<[$number; $lanes], __m256i>(std::array::from_fn(|i| (i % HALF) as $number + 1));
            let mut carried = _mm256_setzero_si256();
            let (blocks, _) = row.as_chunks_mut::<$lanes>();
            for cells in blocks.iter_mut() {
                let mut near: __m256i = must_cast(*cells);
                $(near = $max(near, $minus(_mm256_slli_si256::<$bytes>(near), $splat($cells)));)*
                let lower = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x08>(near, near), last);
                near = $max(near, $minus(lower, in_upper));
                let end = _mm256_shuffle_epi8(_mm256_permute4x64_epi64::<0xFF>(near), last);
                *cells = must_cast($max(near, $minus(carried, away)));
                carried = $max(end, $minus(carried, block));
            }

            // To the left, summing.
            let away = must_cast::<[$number; $lanes], __m256i>(std::array::from_fn(|i| ($lanes - i) as $number));
            let in_lower = must_cast::<[$number; $lanes], __m256i>(std::array::from_fn(|i| (HALF - i % HALF) as $number));
            let mut carried = _mm256_setzero_si256();
            let (mut sums, mut greatest) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            let (whole_askers, rest) = askers.as_chunks::<$lanes>();
            let mut rest_askers = [!colour; $lanes];
            rest_askers[..rest.len()].copy_from_slice(rest);
            let used = whole_askers.len() + usize::from(!rest.is_empty());
            for index in (0..used).rev() {
                let mut near: __m256i = must_cast(blocks[index]);
                $(near = $max(near, $minus(_mm256_srli_si256::<$bytes>(near), $splat($cells)));)*
                let upper = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x81>(near, near), first);
                near = $max(near, $minus(upper, in_lower));
                let start = _mm256_shuffle_epi8(_mm256_permute4x64_epi64::<0x00>(near), first);
                let nearest = $max(near, $minus(carried, away));
                carried = $max(start, $minus(carried, block));
                let asking = $asking(whole_askers.get(index).unwrap_or(&rest_askers), colour);
                let distances = _mm256_andnot_si256(nearest, asking);
                greatest = $max(greatest, distances);
                sums = $accumulate(sums, distances);
            }
            let greatest: [$number; $lanes] = must_cast(greatest);
            RowSum { sum: total(sums), max: greatest.iter().copied().max().map_or(0, u32::from) }
        }
    };
}

spread! {
    spread_u8, u8, 32, max: _mm256_max_epu8, minus: _mm256_subs_epu8, splat: _mm256_set1_epi8,
    shifts: [(1, 1), (2, 2), (4, 4), (8, 8)], first: [0; 32], last: [15; 32],
    asking: asking_bytes, accumulate: add_bytes
}

spread! {
    spread_u16, u16, 16, max: _mm256_max_epu16, minus: _mm256_subs_epu16, splat: _mm256_set1_epi16,
    shifts: [(2, 1), (4, 2), (8, 4)], first: std::array::from_fn(|i| (i % 2) as u8),
    last: std::array::from_fn(|i| 14 + (i % 2) as u8),
    asking: asking_words, accumulate: add_words
}

/// All bits set in the lanes whose cell has the colour.
#[target_feature(enable = "avx2")]
fn asking_bytes(askers: &[u8; 32], colour: u8) -> __m256i {
    _mm256_cmpeq_epi8(must_cast(*askers), _mm256_set1_epi8(colour as i8))
}

/// All bits set in the lanes whose cell has the colour.
#[target_feature(enable = "avx2")]
fn asking_words(askers: &[u8; 16], colour: u8) -> __m256i {
    _mm256_cvtepi8_epi16(_mm_cmpeq_epi8(must_cast(*askers), _mm_set1_epi8(colour as i8)))
}

/// Adds 32 bytes to four sums of 64 bits.
#[target_feature(enable = "avx2")]
fn add_bytes(sums: __m256i, distances: __m256i) -> __m256i {
    _mm256_add_epi64(sums, _mm256_sad_epu8(distances, _mm256_setzero_si256()))
}

/// Adds 16 numbers to four sums of 64 bits, low and high bytes apart.
#[target_feature(enable = "avx2")]
fn add_words(sums: __m256i, distances: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let low = _mm256_sad_epu8(_mm256_and_si256(distances, _mm256_set1_epi16(0xFF)), zero);
    let high = _mm256_sad_epu8(_mm256_srli_epi16::<8>(distances), zero);
    _mm256_add_epi64(_mm256_add_epi64(sums, low), _mm256_slli_epi64::<8>(high))
}

fn total(sums: __m256i) -> u64 {
    must_cast::<__m256i, [u64; 4]>(sums).iter().sum()
}
