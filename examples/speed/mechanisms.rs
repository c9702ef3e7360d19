//! Mechanisms of bodies. Their files stand beside the programs that include them, so that no other program compiles them.

#[path = "../mechanisms/four_bars.rs"]
mod four_bars;
#[path = "../mechanisms/governor.rs"]
mod governor;
#[path = "../mechanisms/slider_crank.rs"]
mod slider_crank;
#[path = "../mechanisms/spatial_chain.rs"]
mod spatial_chain;

pub use governor::Governor;
pub use slider_crank::SliderCrank;

four_bars::four_bars!(FourBars10, 10);
four_bars::four_bars!(FourBars40, 40);
spatial_chain::spatial_chain!(SpatialChain10, 10);
spatial_chain::spatial_chain!(SpatialChain100, 100);
