//! The slider crank in space, by bodies.

#[path = "../../mechanisms/slider_crank.rs"]
mod model;

use crate::study::Study;

pub use model::SliderCrank;

/// The first two seconds: in shorter runs the errors of HHT with h and with h^2 nearly cancel.
pub fn study() -> Study<SliderCrank> {
    Study { model: SliderCrank::default(), end: 2.0, steps: 2000, output: SliderCrank::POSITION }
}
