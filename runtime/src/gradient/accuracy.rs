//! How accurate a run is: the errors that its step size leaves in coordinates and outputs.

mod estimate;
mod found;

use std::fmt;

use crate::identifiers::{Coordinate, Output};
use crate::model::{Model, Quantity};
use crate::problem::{Remedy, SimulationError};

pub(crate) use estimate::{accuracy, check_accuracy, measured_accuracy};

/// The estimated error of one quantity over a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ErrorEstimate {
    /// The quantity: a coordinate or an output.
    pub quantity: Quantity,
    /// The largest magnitude of the error, in the quantity's unit.
    pub error: f64,
    /// When that is, in s.
    pub time: f64,
    /// Largest minus least value of the quantity in the run.
    pub range: f64,
    /// What the error is compared with: the range of a coordinate, or the range along which a thousandth of the run's largest
    /// work would be done, where it hardly moves; the range of an output or its largest magnitude, or, where it only moves
    /// because of the error, as a constant energy does, how much it would vary if all that it depends on added up.
    pub scale: f64,
}

impl ErrorEstimate {
    /// The error as a part of its scale.
    pub fn relative(&self) -> f64 {
        if self.error == 0.0 { 0.0 } else { self.error / self.scale }
    }
}

/// The errors that the step size leaves in a run, to leading order; kinks of forces are seen as far as steps resolve them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// Step size in s; the sampling interval where steps are adaptive.
    pub step: f64,
    /// The tolerance of adaptive steps.
    pub tolerance: Option<f64>,
    /// Length of the run in s.
    pub end: f64,
    /// The power of the step with which errors fall: 2, or 1 for HHT with alpha < 0 where masses depend on positions.
    pub order: u32,
    /// Of the coordinates, in the order of declaration.
    pub coordinates: Vec<ErrorEstimate>,
    /// Of the outputs.
    pub outputs: Vec<ErrorEstimate>,
}

/// Steps beyond this part of the present one are not advised: errors beyond all bounds do not say how fast they will fall.
const LEAST_ADVISED: f64 = 1e-3;

impl Accuracy {
    /// The estimate with the largest [relative](ErrorEstimate::relative) error; one that is no number is the largest.
    pub fn worst(&self) -> Option<&ErrorEstimate> {
        let all = self.coordinates.iter().chain(&self.outputs);
        all.max_by(|a, b| a.relative().abs().total_cmp(&b.relative().abs()))
    }

    /// The error of a coordinate of the model that was run.
    pub fn coordinate<M: Model>(&self, coordinate: Coordinate<M>) -> Option<&ErrorEstimate> {
        self.coordinates.get(coordinate.index())
    }

    /// The error of an output of the model that was run.
    pub fn output<M: Model>(&self, output: Output<M>) -> Option<&ErrorEstimate> {
        self.outputs.get(output.index())
    }

    /// The largest error relative to its scale; 0 where nothing moves.
    pub fn relative(&self) -> f64 {
        self.worst().map_or(0.0, ErrorEstimate::relative)
    }

    /// The largest step size in s that the run's length is a multiple of and with which the [worst](Self::worst) error is
    /// expected to be at most this part of its scale, but no larger than a run can begin with, a tenth of its length.
    pub fn step_for(&self, relative: f64) -> f64 {
        let error = self.relative();
        let factor =
            if error == 0.0 { f64::INFINITY } else { (relative / error).powf(1.0 / f64::from(self.order)) };
        let factor = if factor.is_nan() { LEAST_ADVISED } else { factor.max(LEAST_ADVISED) };
        round_step(self.end, (self.step * factor).min(0.1 * self.end))
    }
}

impl Accuracy {
    /// What would do for errors of this part of their scales.
    fn remedy(&self, limit: f64) -> Remedy {
        match self.tolerance {
            None => Remedy::Step { step: self.step, advised: self.step_for(limit) },
            // the error of a step falls with its third power, that of a run with the second
            Some(tolerance) => {
                let factor = (limit / self.relative()).powf(1.5);
                let factor = if factor.is_nan() { LEAST_ADVISED } else { factor.max(LEAST_ADVISED) };
                Remedy::Tolerance { tolerance, advised: tolerance * factor }
            }
        }
    }

    /// # Errors
    /// [`SimulationError::Inaccurate`] for an error beyond this part of its scale, or one that is no number.
    pub(crate) fn within(&self, limit: f64) -> Result<(), SimulationError> {
        match self.worst() {
            Some(worst) if worst.relative() > limit || worst.relative().is_nan() => {
                Err(SimulationError::Inaccurate {
                    quantity: worst.quantity.name,
                    unit: worst.quantity.unit,
                    error: worst.error,
                    time: worst.time,
                    relative: worst.relative(),
                    limit,
                    remedy: self.remedy(limit),
                })
            }
            _ => Ok(()),
        }
    }
}

/// The largest step up to `largest` of which the end is a multiple; a round one, if it is not much smaller.
fn round_step(end: f64, largest: f64) -> f64 {
    let decade = 10f64.powi(largest.log10().floor() as i32);
    let round = [8.0, 5.0, 4.0, 2.5, 2.0, 1.0].into_iter().map(|digit| {
        // a decimal number as it would be written
        let step = digit * decade;
        format!("{step:.3e}").parse().unwrap_or(step)
    });
    let steps = (end / largest).ceil();
    let fits = |step: &f64| {
        let count = end / step;
        *step <= largest && (count - count.round()).abs() < 1e-9 * count && count < 1.5 * steps
    };
    round.into_iter().find(fits).unwrap_or(end / steps)
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tolerance {
            None => write!(f, "estimated errors at steps of {} s", self.step)?,
            Some(tolerance) => write!(f, "estimated errors with adaptive steps, tolerance {tolerance:e}")?,
        }
        for estimate in self.coordinates.iter().chain(&self.outputs) {
            let ErrorEstimate { quantity: Quantity { name, unit, .. }, error, time, range, .. } = estimate;
            let unit = if *unit == "1" { "" } else { unit };
            let percent = 100.0 * estimate.relative();
            write!(
                f,
                "\n  {name}: {error:.1e} {unit} at {time:.4} s ({percent:.2} %), range {range:.3e} {unit}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_where_they_can_be() {
        assert_eq!(round_step(10.0, 0.0123), 0.01);
        assert_eq!(round_step(10.0, 0.009), 0.008);
        assert_eq!(round_step(1.0, 3.1e-4), 2.5e-4);
        // no round number of steps
        let step = round_step(0.71317, 0.0123);
        assert!(step <= 0.0123 && step > 0.0121 && (0.71317 / step - 58.0).abs() < 1e-9, "{step}");
    }

    #[test]
    fn the_worst_counts() {
        let quantity = Quantity { name: "x", unit: "m", documentation: "" };
        let estimate = |error, scale| ErrorEstimate { quantity, error, time: 0.0, range: scale, scale };
        let accuracy = |coordinates| Accuracy {
            step: 0.1,
            tolerance: None,
            end: 10.0,
            order: 2,
            coordinates,
            outputs: vec![],
        };
        let both = accuracy(vec![estimate(1.0, 10.0), estimate(0.2, 1.0)]);
        assert_eq!((both.relative(), both.step_for(0.05)), (0.2, 0.05));
        assert_eq!(accuracy(vec![estimate(0.0, 0.0)]).relative(), 0.0);
        let without_number = accuracy(vec![estimate(f64::NAN, 1.0), estimate(0.2, 1.0)]);
        assert!(without_number.relative().is_nan());
        assert!((7e-5..=1e-4).contains(&without_number.step_for(0.05)));
    }
}
