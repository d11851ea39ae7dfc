//! Random numbers for mutations of files.

/// A small generator (xorshift) started from a number other than 0: the same numbers in every run.
pub struct Random(pub u64);

impl Random {
    #[allow(
        clippy::should_implement_trait,
        reason = "it never ends, and an iterator's option would be in the way"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below a limit; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}
