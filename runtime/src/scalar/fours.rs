//! Whether this processor has vectors of four numbers, found out once.

#[cfg(target_arch = "x86_64")]
use super::Lanes;

/// Four numbers to make others from, or none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fours {
    #[cfg(target_arch = "x86_64")]
    some: Option<Lanes>,
}

impl Fours {
    /// Asks the processor.
    pub fn new() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            some: Lanes::are_available().then(Lanes::default),
        }
    }

    /// Four numbers, if there are any.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn some(self) -> Option<Lanes> {
        self.some
    }
}
