//! Benchmarks of multibody dynamics, one a file, and motions that are hard on the start and on estimates.

pub mod andrews;
pub mod flexible_crank;
pub mod four_bars;
pub mod governor;
pub mod heavy_top;
pub mod motions;
pub mod slider_crank;
