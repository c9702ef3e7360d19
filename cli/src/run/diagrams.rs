//! Diagrams of the outputs of a run over time.

use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::simulate::Run;

/// Size of a diagram in pixels.
pub const SIZE: (u32, u32) = (720, 240);

/// Draws every output below the one before.
pub fn of_outputs(run: &Run) -> Figure {
    let times = run.times();
    let outputs = run.trajectory().description().outputs.iter().enumerate();
    outputs.fold(Figure::new(1, SIZE), |figure, (k, output)| {
        let values = run.outputs().channel(k).into_iter().flatten();
        let line = Line::new("", color::BLUE, times.iter().copied().zip(values));
        figure.panel(over_time(output.name, output.name, output.unit).line(line))
    })
}

/// Returns an empty diagram of a quantity over time.
pub fn over_time(title: &str, quantity: &str, unit: &str) -> Panel {
    Panel::new(title, Axis::new("time").unit("s"), Axis::new(quantity).unit(unit))
}
