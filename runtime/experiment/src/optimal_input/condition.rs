//! End conditions, and limits of energy and rate of an input.

use costate_system::identifiers::{Coordinate, Dynamic, Input, Output};
use costate_system::problem::Settings;
use costate_system::series::Series;

use super::error::OptimalInputError;

/// A quantity with a given value at the end of the experiment: a scrap function of OB 5.1.3.
///
/// ```text
/// EndCondition::velocity(TwoMasses::X1, 0.0)
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndCondition<M = Dynamic> {
    quantity: EndQuantity<M>,
    target: f64,
    scale: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum EndQuantity<M> {
    Position(Coordinate<M>),
    Velocity(Coordinate<M>),
    Output(Output<M>),
}

impl<M> EndCondition<M> {
    /// Creates a condition on a coordinate's position, in SI units.
    pub fn position(coordinate: Coordinate<M>, target: f64) -> Self {
        Self { quantity: EndQuantity::Position(coordinate), target, scale: None }
    }

    /// Creates a condition on a coordinate's velocity, in SI units.
    pub fn velocity(coordinate: Coordinate<M>, target: f64) -> Self {
        Self { quantity: EndQuantity::Velocity(coordinate), target, scale: None }
    }

    /// Creates a condition on an output, in its unit.
    pub fn output(output: Output<M>, target: f64) -> Self {
        Self { quantity: EndQuantity::Output(output), target, scale: None }
    }

    /// Sets a typical size of the quantity; the tolerance is relative to this size. By default the largest magnitude
    /// of the quantity in the experiment with the start input.
    #[must_use]
    pub fn scaled(mut self, scale: f64) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Returns the name of the quantity, for messages and tables.
    pub fn name(&self) -> String {
        self.erased().quantity.name()
    }

    /// Returns the target value.
    pub fn target(&self) -> f64 {
        self.target
    }

    /// Removes the type of the model.
    pub(super) fn erased(&self) -> EndCondition {
        let quantity = match &self.quantity {
            EndQuantity::Position(coordinate) => EndQuantity::Position(coordinate.erased()),
            EndQuantity::Velocity(coordinate) => EndQuantity::Velocity(coordinate.erased()),
            EndQuantity::Output(output) => EndQuantity::Output(output.erased()),
        };
        EndCondition { quantity, target: self.target, scale: self.scale }
    }
}

impl EndQuantity<Dynamic> {
    fn name(self) -> String {
        match self {
            Self::Position(coordinate) => coordinate.name().to_owned(),
            Self::Velocity(coordinate) => format!("dot({})", coordinate.name()),
            Self::Output(output) => output.name().to_owned(),
        }
    }
}

impl EndCondition {
    /// Returns the scale of the quantity: the given one, or the largest magnitude in a run.
    pub(super) fn scale(&self, peaks: &Peaks) -> Result<f64, OptimalInputError> {
        let scale = self.scale.unwrap_or_else(|| peaks.of(self));
        if scale > 0.0 && scale.is_finite() && self.target.is_finite() {
            Ok(scale)
        } else {
            Err(OptimalInputError::Scale { condition: self.name(), scale, target: self.target })
        }
    }

    /// Returns the value at the end, in the unit of the quantity; `state` is x_N (3n + m), `outputs` are s_N.
    pub(super) fn value(&self, state: &[f64], outputs: &[f64]) -> f64 {
        match self.quantity {
            EndQuantity::Position(coordinate) => state[coordinate.index()],
            EndQuantity::Velocity(coordinate) => state[velocity(coordinate)],
            EndQuantity::Output(output) => outputs[output.index()],
        }
    }

    /// Adds `factor` times the derivatives of the value to those with respect to x_N and s_N.
    pub(super) fn add_gradient(&self, factor: f64, state: &mut [f64], outputs: &mut [f64]) {
        match self.quantity {
            EndQuantity::Position(coordinate) => state[coordinate.index()] += factor,
            EndQuantity::Velocity(coordinate) => state[velocity(coordinate)] += factor,
            EndQuantity::Output(output) => outputs[output.index()] += factor,
        }
    }
}

/// Returns the index of a coordinate's velocity in a state (q, v, a, lambda).
fn velocity(coordinate: Coordinate) -> usize {
    coordinate.description().coordinates.len() + coordinate.index()
}

/// The largest magnitudes of all states and outputs in a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Peaks {
    pub state: Vec<f64>,
    pub outputs: Vec<f64>,
}

impl Peaks {
    /// Returns the largest magnitudes of the outputs.
    pub fn of_outputs(outputs: &Series<f64>) -> Vec<f64> {
        (0..outputs.width())
            .map(|k| outputs.channel(k).into_iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs())))
            .collect()
    }

    fn of(&self, condition: &EndCondition) -> f64 {
        condition.value(&self.state, &self.outputs)
    }
}

/// A limit of an input over the whole experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InputLimit<M = Dynamic> {
    input: Input<M>,
    kind: LimitKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum LimitKind {
    Energy(f64),
    Rate(f64),
}

impl<M> InputLimit<M> {
    /// Limits the integral of u^2 over time, by the trapezoidal rule, in the square of the input's unit times s.
    pub fn energy(input: Input<M>, most: f64) -> Self {
        Self { input, kind: LimitKind::Energy(most) }
    }

    /// Limits the magnitude of the input's change per second, in its unit per s.
    pub fn rate(input: Input<M>, most: f64) -> Self {
        Self { input, kind: LimitKind::Rate(most) }
    }

    /// Returns the name of the limit, for messages and tables.
    pub fn name(&self) -> String {
        self.kind.name(self.input.erased())
    }

    /// Removes the type of the model.
    pub(super) fn erased(&self) -> InputLimit {
        InputLimit { input: self.input.erased(), kind: self.kind }
    }
}

impl LimitKind {
    fn name(self, input: Input) -> String {
        let kind = match self {
            Self::Energy(_) => "energy",
            Self::Rate(_) => "rate",
        };
        format!("{kind} of {}", input.name())
    }
}

impl InputLimit {
    /// Returns the index of the input.
    pub(super) fn input(&self) -> usize {
        self.input.index()
    }

    /// Returns the limit.
    pub(super) fn most(&self) -> f64 {
        let (LimitKind::Energy(most) | LimitKind::Rate(most)) = self.kind;
        most
    }

    pub(super) fn check(&self) -> Result<(), OptimalInputError> {
        let most = self.most();
        if most > 0.0 && most.is_finite() { Ok(()) } else { Err(OptimalInputError::Limit { limit: self.name(), most }) }
    }

    /// Returns the number of inequalities: one for the energy, one per step for the rate.
    pub(super) fn count(&self, settings: &Settings) -> usize {
        match self.kind {
            LimitKind::Energy(_) => 1,
            LimitKind::Rate(_) => settings.steps(),
        }
    }

    /// Returns the inequalities g <= 0: the energy divided by its limit, or the squares of the rates divided by that
    /// of their limit, less 1.
    pub(super) fn values(&self, step: f64, input: &[f64]) -> Vec<f64> {
        match self.kind {
            LimitKind::Energy(most) => {
                let squares = input.iter().enumerate().map(|(i, u)| trapezoidal(i, input.len()) * u * u);
                vec![step * squares.sum::<f64>() / most - 1.0]
            }
            LimitKind::Rate(most) => {
                let change = |pair: &[f64]| ((pair[1] - pair[0]) / (step * most)).powi(2) - 1.0;
                input.windows(2).map(change).collect()
            }
        }
    }

    /// Adds the derivatives of the sum of the inequalities, multiplied by `factors`, to those with respect to the
    /// input.
    pub(super) fn add_gradient(&self, step: f64, input: &[f64], factors: &[f64], gradient: &mut [f64]) {
        match self.kind {
            LimitKind::Energy(most) => {
                let Some(factor) = factors.first() else { return };
                for (i, (gradient, u)) in gradient.iter_mut().zip(input).enumerate() {
                    *gradient += factor * 2.0 * step * trapezoidal(i, input.len()) * u / most;
                }
            }
            LimitKind::Rate(most) => {
                for (i, factor) in factors.iter().enumerate() {
                    let slope = factor * 2.0 * (input[i + 1] - input[i]) / (step * most).powi(2);
                    gradient[i + 1] += slope;
                    gradient[i] -= slope;
                }
            }
        }
    }
}

fn trapezoidal(i: usize, samples: usize) -> f64 {
    if i == 0 || i + 1 == samples { 0.5 } else { 1.0 }
}
