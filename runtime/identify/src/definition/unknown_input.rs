//! Unknown inputs.

use costate_cost::{SmoothStencil, Stencil};
use costate_optimize::{Scaling, Variable};
use costate_system::identifiers::{Dynamic, Input};

use super::error::SpecificationError;

/// Interpolation of an unknown input between knots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    Straight,
    Smooth,
}

/// An input that was not measured, or not well: its values at equidistant times, the knots, are unknowns beside the
/// parameters.
///
/// The unknown values are added to the input's signal, if it has one, and begin with zero. Where a record has a
/// channel of the input's name, a signal has to be given, either that channel or zero: otherwise the identification
/// refuses the input. The fewer outputs are measured, the less they determine the input: set a prior with
/// [`smoothness`](Self::smoothness) or [`deviation`](Self::deviation), and give the standard deviations of the
/// measurements, as an input with a value for every sample explains noise as well. The result is in
/// `FittedExperiment::inputs`.
///
/// ```text
/// Experiment::new("hammer").unknown_input(UnknownInput::smooth(Mount::FORCE, 1e-3, 50.0).smoothness(2e7))
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnknownInput<M = Dynamic> {
    pub(crate) input: Input<M>,
    pub(crate) course: Course,
    pub(crate) interval: f64,
    typical: f64,
    bounds: Option<(f64, f64)>,
    /// First and last time at which the input is unknown, in s; `None` for the whole run.
    window: Option<(f64, f64)>,
    pub(crate) deviation: Option<f64>,
    pub(crate) curvature: Option<f64>,
}

impl<M> UnknownInput<M> {
    fn new(input: Input<M>, course: Course, (interval, typical): (f64, f64)) -> Self {
        Self { input, course, interval, typical, bounds: None, window: None, deviation: None, curvature: None }
    }

    /// Creates an input of straight lines between knots every `interval` s; with the run's step as interval, every
    /// sample of the input is unknown. `typical` is a typical change of the input, in its unit.
    pub fn straight(input: Input<M>, interval: f64, typical: f64) -> Self {
        Self::new(input, Course::Straight, (interval, typical))
    }

    /// Creates an input of cubics between knots every `interval` s, with one slope at each. `typical` is a typical
    /// change of the input, in its unit.
    pub fn smooth(input: Input<M>, interval: f64, typical: f64) -> Self {
        Self::new(input, Course::Smooth, (interval, typical))
    }

    /// Sets bounds of the unknown values at the knots, in the input's unit.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.bounds = Some((lower, upper));
        self
    }

    /// Restricts the unknown values to a span of time in s; before and after it the input is its signal, or zero.
    /// The first knot is at `from`, the last one at `to` or after it.
    #[must_use]
    pub fn during(mut self, from: f64, to: f64) -> Self {
        self.window = Some((from, to));
        self
    }

    /// Sets a prior: the unknown value at every knot is normally distributed about zero with this standard deviation,
    /// in the input's unit.
    #[must_use]
    pub fn deviation(mut self, deviation: f64) -> Self {
        self.deviation = Some(deviation);
        self
    }

    /// Sets a prior: the second derivative of the unknown values, from three neighbouring knots, is normally
    /// distributed about zero with this standard deviation, in the input's unit per s^2. A signal of the amplitude A
    /// and the frequency f in Hz has second derivatives up to (2 pi f)^2 A.
    #[must_use]
    pub fn smoothness(mut self, curvature: f64) -> Self {
        self.curvature = Some(curvature);
        self
    }

    /// Removes the type of the model.
    pub(crate) fn erased(self) -> UnknownInput {
        let Self { input, course, interval, typical, bounds, window, deviation, curvature } = self;
        let input = input.erased();
        UnknownInput { input, course, interval, typical, bounds, window, deviation, curvature }
    }

    /// Returns true if the input has a prior.
    pub(crate) fn has_prior(&self) -> bool {
        self.deviation.is_some() || self.curvature.is_some()
    }

    /// Returns the first knot in s, and the number of knots in a run until `end` s.
    pub(crate) fn knots(&self, end: f64) -> Result<(f64, usize), SpecificationError> {
        /// Largest number of knots of one input.
        const MAX_KNOTS: usize = 20_000;
        let input = self.input.name();
        let refused = |field, value: f64, limit: &'static str| {
            Err(SpecificationError::UnknownInput { input, field, value, limit })
        };
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        if !is_positive(self.interval) {
            return refused("interval", self.interval, "a finite time above 0 s");
        }
        if !is_positive(self.typical) {
            return refused("typical", self.typical, "a finite number above 0, in the input's unit");
        }
        if let Some(deviation) = self.deviation.filter(|deviation| !is_positive(*deviation)) {
            return refused("deviation", deviation, "a finite number above 0, in the input's unit");
        }
        if let Some(curvature) = self.curvature.filter(|curvature| !is_positive(*curvature)) {
            return refused("smoothness", curvature, "a finite number above 0, in the input's unit per s^2");
        }
        let (from, to) = self.window.unwrap_or((0.0, end));
        if !(0.0..end).contains(&from) {
            return refused("from", from, "within the run");
        }
        if !(to > from && to.is_finite()) {
            return refused("to", to, "a time after the beginning of what is unknown");
        }
        let knots = ((to.min(end) - from) / self.interval - 1e-9).ceil() + 1.0;
        if knots.is_nan() || knots > MAX_KNOTS as f64 {
            return refused("interval", self.interval, "so long that there are no more than 20000 knots");
        }
        Ok((from, (knots as usize).max(2)))
    }

    /// Returns the value at a knot as a variable.
    pub(crate) fn variable(&self, name: impl Into<String>) -> Variable {
        let variable = Variable::new(name, 0.0).scaled(Scaling::Linear { typical: self.typical });
        match self.bounds {
            Some((lower, upper)) => variable.within(lower, upper),
            None => variable,
        }
    }
}

/// Returns the knots on which the value at a time depends, with their weights.
pub(crate) fn knot_weights(
    course: Course,
    (time, interval): (f64, f64),
    knots: usize,
) -> impl Iterator<Item = (usize, f64)> {
    let (straight, smooth) = match course {
        Course::Straight => (Stencil::straight(time, interval, knots), None),
        Course::Smooth => (None, SmoothStencil::at(time, interval, knots)),
    };
    let straight = straight.into_iter().flat_map(|stencil| stencil.weights());
    straight.chain(smooth.into_iter().flat_map(|stencil| stencil.weights()))
}

/// Returns the second derivative at the knots between the first and the last one, in units of `curvature`, as sums
/// over knots.
pub(crate) fn curvatures(interval: f64, knots: usize, curvature: f64) -> Vec<[(usize, f64); 3]> {
    let unit = 1.0 / (interval * interval * curvature);
    (1..knots.saturating_sub(1)).map(|k| [(k - 1, unit), (k, -2.0 * unit), (k + 1, unit)]).collect()
}
