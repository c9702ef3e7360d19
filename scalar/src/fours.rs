//! Whether this processor has vectors of four numbers, found out once.

use super::Lanes;

/// Four numbers to make others from, or none.
#[derive(Debug, Clone, Copy)]
pub struct Fours {
    some: Option<Lanes>,
}

impl Default for Fours {
    /// Asks the processor.
    fn default() -> Self {
        Self { some: Lanes::are_available().then(Lanes::default) }
    }
}

impl Fours {
    /// Four numbers, if there are any.
    #[inline(always)]
    pub fn some(self) -> Option<Lanes> {
        self.some
    }
}
