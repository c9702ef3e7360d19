//! Diagrams of the outputs of a run over time.

use costate::command::units::conversion;
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::simulate::Run;

/// Size of a diagram in pixels.
pub const SIZE: (u32, u32) = (720, 240);

/// Values of a quantity, with its unit.
type Signal = (&'static str, Vec<f64>);

/// Draws every output below the one before; one that is rounding as 0.
pub fn of_outputs(run: &Run) -> Figure {
    let (times, trajectory) = (run.times(), run.trajectory());
    let description = trajectory.description();
    let of_run = |k: usize| run.outputs().channel(k).into_iter().flatten().collect();
    let outputs = description.outputs.iter().enumerate().map(|(k, output)| (output.unit, of_run(k)));
    let samples = || (0..run.outputs().samples()).map(|k| trajectory.coordinates(trajectory.step_of_sample(k)));
    let coordinates = description.coordinates.iter().enumerate();
    let coordinates = coordinates.map(|(j, coordinate)| (coordinate.unit, samples().map(|all| all[j]).collect()));
    let signals: Vec<Signal> = outputs.chain(coordinates).collect();
    let end = times.last().copied().unwrap_or(0.0);
    description.outputs.iter().zip(&signals).fold(Figure::new(1, SIZE), |figure, (output, (unit, values))| {
        let is_rounding = largest(values) <= rounding(unit, &signals, end);
        let values = values.iter().map(|value| if is_rounding { 0.0 } else { *value });
        let line = Line::new("", color::BLUE, times.iter().copied().zip(values));
        figure.panel(over_time(output.name, output.name, unit).line(line))
    })
}

/// Returns the largest number in a unit that is rounding beside quantities of the same dimension, and beside lengths,
/// angles, and their rates over the duration of a run in s.
fn rounding(unit: &str, signals: &[Signal], end: f64) -> f64 {
    /// Part of the size of a quantity that is rounding, as in the pages of animations.
    const PART: f64 = 1e-10;
    let angle = [("rad", vec![1.0])];
    let sizes = signals.iter().chain(&angle).flat_map(|(of, values)| {
        let rates = [1, 2].map(|order| (format!("({of})/s^{order}"), end.powi(-order)));
        std::iter::once(((*of).to_owned(), 1.0)).chain(rates).map(|(of, factor)| (of, factor * largest(values)))
    });
    let sizes = sizes.filter_map(|(of, size)| Some(conversion(&of, unit).ok()?.apply(size)));
    PART * sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Returns an empty diagram of a quantity over time.
pub fn over_time(title: &str, quantity: &str, unit: &str) -> Panel {
    Panel::new(title, Axis::new("time").unit("s"), Axis::new(quantity).unit(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_beside_lengths_angles_and_time_is_rounding() {
        let signals = [("mm", vec![0.4, -0.2]), ("m", vec![1e-19]), ("N", vec![3e2])];
        for (unit, size) in [("m", 4e-4), ("m/s^2", 1e-4), ("mm/s", 0.2), ("kN", 0.3), ("rad", 1.0), ("deg/s", 28.65)] {
            let found = rounding(unit, &signals, 2.0);
            assert!((found / (1e-10 * size) - 1.0).abs() < 1e-3, "{unit}: {found}");
        }
        assert_eq!(rounding("W", &signals, 2.0), 0.0);
    }
}
