//! What the build and the layout of lanes fix for all numbers.

/// Whether this is a build for processors with fused multiplication and addition: elsewhere the fused operation is a slow
/// function.
pub(crate) const FUSES: bool = cfg!(target_feature = "fma");

/// Parameter sets that go side by side.
pub const LANES: usize = 4;
