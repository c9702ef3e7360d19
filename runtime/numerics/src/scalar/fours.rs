//! Vectors of four numbers, whose availability on this processor is determined once.

use super::Lanes;

/// Four numbers to create others from, or none.
#[derive(Debug, Clone, Copy)]
pub struct Fours {
    some: Option<Lanes>,
}

impl Default for Fours {
    /// Determines whether the processor has vectors.
    fn default() -> Self {
        Self { some: Lanes::are_available().then(Lanes::default) }
    }
}

impl Fours {
    /// Returns four numbers, if vectors are available.
    #[inline(always)]
    pub fn some(self) -> Option<Lanes> {
        self.some
    }
}
