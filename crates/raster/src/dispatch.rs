//! Run-time choice of the instruction set: the one place of the crate that holds `unsafe`.
//!
//! A kernel is written once as an `#[inline(always)]` function of plain slices and arrays. [`dispatched!`]
//! compiles it again with wider instructions switched on, and calls the widest form the processor has.
//! [`dispatched_avx2!`] is for kernels that name instructions themselves: it is given the AVX2 form and
//! the portable form. Results are equal on all paths, which the kernels' tests check.

/// Compiles one inlined kernel for the baseline, for AVX2 and for AVX-512, and picks at run time.
macro_rules! dispatched {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident : $ty:ty),* $(,)?) $(-> $ret:ty)? = $kernel:path;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn with_avx512($($arg: $ty),*) $(-> $ret)? {
                    $kernel($($arg),*)
                }
                #[target_feature(enable = "avx2")]
                fn with_avx2($($arg: $ty),*) $(-> $ret)? {
                    $kernel($($arg),*)
                }
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                {
                    // SAFETY: the processor has just said that it knows all instructions enabled there.
                    return unsafe { with_avx512($($arg),*) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has just said that it knows AVX2.
                    return unsafe { with_avx2($($arg),*) };
                }
            }
            $kernel($($arg),*)
        }
    };
}

/// Picks between a function compiled with `#[target_feature(enable = "avx2")]` and a portable one.
macro_rules! dispatched_avx2 {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident : $ty:ty),* $(,)?) $(-> $ret:ty)? = $avx2:path | $portable:path;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just said that it knows AVX2, all that function asks for.
                return unsafe { $avx2($($arg),*) };
            }
            $portable($($arg),*)
        }
    };
}

pub(crate) use {dispatched, dispatched_avx2};
