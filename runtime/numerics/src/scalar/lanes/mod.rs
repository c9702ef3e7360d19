//! Four numbers side by side: in the vectors of processors that have them, as arrays elsewhere. Nothing outside of this
//! crate knows which of the two is used.

// elsewhere they are only there for tests, which do not use all of it
#[cfg(any(test, not(target_arch = "x86_64")))]
#[cfg_attr(target_arch = "x86_64", allow(dead_code))]
mod arrays;
#[cfg(target_arch = "x86_64")]
pub(super) mod functions;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vectors;

#[cfg(not(target_arch = "x86_64"))]
pub use arrays::{LaneMask, Lanes};
#[cfg(target_arch = "x86_64")]
pub use vectors::{LaneMask, Lanes};
