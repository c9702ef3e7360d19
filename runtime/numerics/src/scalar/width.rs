//! Constants of the build and of the layout of lanes.

/// True if this is a build for processors with fused multiplication and addition: elsewhere the fused
/// operation is a slow function.
pub(crate) const FUSES: bool = cfg!(target_feature = "fma");

/// Number of parameter sets that go side by side.
pub const LANES: usize = 4;
