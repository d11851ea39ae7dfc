//! The length of a path as one number per cell: straight and diagonal steps, comparable as integers.
//!
//! [`Order`] is a length in units of 2⁻²⁹ cells: a straight step adds 2²⁹, a diagonal step the odd number W
//! nearest to √2 · 2²⁹. Adding integers loses nothing. The order of these numbers is that of the true lengths
//! up to 170 000 diagonal steps, and off by less than 1.2e-11 cells per step beyond. As W is odd, both
//! counts can be read back.

use crate::Steps;

/// A length that can be compared.
pub(crate) type Order = u64;

/// Bits of an order below a whole cell.
const FRACTION_BITS: u32 = 29;
/// A straight step.
const STRAIGHT: Order = 1 << FRACTION_BITS;
/// A diagonal step: √2 · 2²⁹ = 759250124.994...; no fraction of fewer than 36 bits is nearer to √2.
const DIAGONAL: Order = 759_250_125;
/// The number with `DIAGONAL * DIAGONAL_INVERSE = 1` modulo 2⁶⁴.
const DIAGONAL_INVERSE: u64 = inverse(DIAGONAL);

/// The whole part of a length.
#[inline]
pub(crate) const fn bucket_of(order: Order) -> u64 {
    order >> FRACTION_BITS
}

/// What a search stores per cell.
pub(crate) trait PathKey: Copy + PartialEq {
    /// Not set, or margin: shorter than any offer, so that nothing improves it.
    const BLOCKED: Self;
    /// Not reached: longer than any offer.
    const FAR: Self;
    /// The start; it counts as one straight step, so that it differs from a blocked cell.
    const START: Self;
    /// Keys hold lengths up to this bucket and two more.
    const LAST_BUCKET: u64;

    /// The length that is compared.
    fn order(self) -> Order;
    /// One straight step more.
    fn after_straight(self) -> Self;
    /// One diagonal step more.
    fn after_diagonal(self) -> Self;
    /// The steps from the start; none if the cell is blocked or was not reached.
    fn steps(self) -> Option<Steps>;
}

/// Sixteen bits for each count.
impl PathKey for u32 {
    const BLOCKED: Self = 0;
    const FAR: Self = Self::MAX;
    const START: Self = 1 << 16;
    const LAST_BUCKET: u64 = 65_000;

    #[inline]
    fn order(self) -> Order {
        u64::from(self >> 16) * STRAIGHT + u64::from(self & 0xFFFF) * DIAGONAL
    }

    #[inline]
    fn after_straight(self) -> Self {
        self + (1 << 16)
    }

    #[inline]
    fn after_diagonal(self) -> Self {
        self + 1
    }

    fn steps(self) -> Option<Steps> {
        let steps = || Steps { straight: u64::from(self >> 16) - 1, diagonal: u64::from(self & 0xFFFF) };
        (self != Self::BLOCKED && self != Self::FAR).then(steps)
    }
}

/// The order itself.
impl PathKey for u64 {
    const BLOCKED: Self = 0;
    const FAR: Self = Self::MAX;
    const START: Self = STRAIGHT;
    const LAST_BUCKET: u64 = bucket_of(Self::MAX) - 3;

    #[inline]
    fn order(self) -> Order {
        self
    }

    #[inline]
    fn after_straight(self) -> Self {
        self + STRAIGHT
    }

    #[inline]
    fn after_diagonal(self) -> Self {
        self + DIAGONAL
    }

    fn steps(self) -> Option<Steps> {
        if self == Self::BLOCKED || self == Self::FAR {
            return None;
        }
        let length = self - Self::START;
        let diagonal = length.wrapping_mul(DIAGONAL_INVERSE) & (STRAIGHT - 1);
        Some(Steps { straight: (length - diagonal * DIAGONAL) >> FRACTION_BITS, diagonal })
    }
}

/// Newton's iteration for the inverse of an odd number; each round doubles the right bits.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use super::*;

    fn walked<K: PathKey>(straight: u64, diagonal: u64) -> K {
        let key = (0..straight).fold(K::START, |key, _| key.after_straight());
        (0..diagonal).fold(key, |key, _| key.after_diagonal())
    }

    #[test]
    fn both_counts_come_back() {
        assert_eq!(DIAGONAL.wrapping_mul(DIAGONAL_INVERSE), 1);
        assert!((DIAGONAL as f64 / STRAIGHT as f64 - SQRT_2).abs() < 1.2e-11);
        for (straight, diagonal) in [(0, 0), (1, 0), (0, 1), (40_000, 3), (7, 45_000)] {
            let expected = Some(Steps { straight, diagonal });
            let (narrow, wide) = (walked::<u32>(straight, diagonal), walked::<u64>(straight, diagonal));
            assert_eq!((narrow.steps(), wide.steps()), (expected, expected));
            assert_eq!(narrow.order(), wide.order());
        }
        assert_eq!(walked::<u64>(3, 1_000_000).steps(), Some(Steps { straight: 3, diagonal: 1_000_000 }));
    }

    #[test]
    fn blocked_cells_are_before_and_far_ones_behind_all_lengths() {
        assert!(u32::BLOCKED.order() < u32::START.order() && u64::BLOCKED < u64::START);
        let longest = u32::LAST_BUCKET + 2;
        assert!(walked::<u32>(longest, 0).order() < u32::FAR.order());
        assert!(walked::<u32>(0, (longest as f64 / SQRT_2) as u64).order() < u32::FAR.order());
        assert_eq!((u32::FAR.steps(), u64::BLOCKED.steps()), (None, None));
    }
}
