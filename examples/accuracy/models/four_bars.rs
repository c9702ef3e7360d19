//! Two four-bar loops, by bodies in the plane.

use costate_examples::mechanisms::FourBars2;

use crate::study::Study;

/// The first half second: all rockers lie flat, a singular position, at 0.7 s.
pub fn study() -> Study<FourBars2> {
    Study { model: FourBars2::default(), end: 0.5, steps: 50, output: FourBars2::POSITION }
}
