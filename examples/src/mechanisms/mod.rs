//! Mechanisms that several examples use, one kind a file.

mod four_bars;
mod governor;
mod slider_crank;
mod spatial_chain;

pub use four_bars::{FourBars2, FourBars10, FourBars40};
pub use governor::Governor;
pub use slider_crank::SliderCrank;
pub use spatial_chain::{SpatialChain10, SpatialChain100};
