//! Benchmarks of multibody dynamics, one a file.

pub mod andrews;
pub mod flexible_crank;
pub mod four_bars;
pub mod governor;
pub mod heavy_top;
pub mod slider_crank;
