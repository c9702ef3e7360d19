//! The slider crank in space, by bodies.

use costate_examples::mechanisms::SliderCrank;

use crate::study::Study;

/// The first two seconds: in shorter runs the errors of HHT with h and with h^2 nearly cancel.
pub fn study() -> Study<SliderCrank> {
    Study { model: SliderCrank::default(), end: 2.0, steps: 2000, output: SliderCrank::POSITION }
}
