//! Two four-bar loops, by bodies in the plane.

#[path = "../../mechanisms/four_bars.rs"]
mod of_any_number;

use crate::study::Study;

of_any_number::four_bars!(FourBars2, 2);

/// The first half second: all rockers lie flat, a singular position, at 0.7 s.
pub fn study() -> Study<FourBars2> {
    Study { model: FourBars2::default(), end: 0.5, steps: 50, output: FourBars2::POSITION }
}
