//! The inputs of an experiment that depend on unknowns: values at knots, and delays of signals.

use std::borrow::Cow;
use std::sync::Arc;

use costate_measure::record::AssumedUnit;
use costate_numerics::scalar::{Dual, Scalar};
use costate_system::gradient::InputChange;
use costate_system::problem::{InputSamples, Problem, SimulationError};
use costate_system::table::{Curve, Interpolation};

use super::layout::Value;
use crate::definition::unknown_input::{Course, knot_weights};

/// A signal that is shifted in time relative to its record.
#[derive(Debug, Clone)]
pub(crate) struct DelayedInput {
    /// Index of the input.
    pub input: usize,
    pub delay: Value,
    /// The signal, over times that are `later` by so many s. The derivative by the delay of straight lines jumps at the
    /// samples.
    pub signal: Arc<Curve>,
    pub later: f64,
}

impl DelayedInput {
    /// Returns the signal with a cubic spline in place of straight lines, and the other way round.
    pub fn otherwise(&self) -> Self {
        let kind = match self.signal.interpolation() {
            Interpolation::Straight => Interpolation::Spline,
            _ => Interpolation::Straight,
        };
        Self { signal: Arc::new(Curve::clone(&self.signal).interpolated(kind)), ..self.clone() }
    }
}

/// An input with unknown values at knots.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnotInput {
    /// Index of the input.
    pub input: usize,
    /// Index of the first value among the unknowns; the others follow.
    pub first: usize,
    pub knots: usize,
    /// Time of the first knot in s.
    pub from: f64,
    /// Time from knot to knot in s.
    pub interval: f64,
    pub course: Course,
}

/// The inputs of an experiment that depend on unknowns.
#[derive(Debug, Clone, Default)]
pub(crate) struct DrivenInputs {
    pub delayed: Vec<DelayedInput>,
    pub of_knots: Vec<KnotInput>,
    /// Channels of delayed inputs that have no unit and are taken in the unit of the model.
    pub assumed: Vec<AssumedUnit>,
}

impl DrivenInputs {
    /// Returns true if all inputs are known.
    pub fn is_empty(&self) -> bool {
        self.delayed.is_empty() && self.of_knots.is_empty()
    }

    /// Returns the indices of the unknowns on which inputs depend.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> {
        let delays = self.delayed.iter().filter_map(|delayed| match delayed.delay {
            Value::Unknown(unknown) => Some(unknown),
            Value::Known(_) => None,
        });
        delays.chain(self.of_knots.iter().flat_map(|knots| knots.first..knots.first + knots.knots))
    }

    /// Returns the problem with the inputs at these unknowns. The inputs of `problem` are those without the unknown
    /// parts.
    pub fn applied<'p>(&self, problem: &'p Problem, unknowns: &[f64]) -> Result<Cow<'p, Problem>, SimulationError> {
        if self.is_empty() {
            return Ok(Cow::Borrowed(problem));
        }
        let mut inputs = problem.inputs().clone();
        self.add(problem, unknowns, |i, input, value: f64, is_all| {
            let place = &mut inputs.row_mut(i)[input];
            *place = if is_all { value } else { *place + value };
        });
        Ok(Cow::Owned(problem.clone().with_inputs(inputs.rows())?))
    }

    /// Returns the problem with the inputs, and their derivatives in the direction of the unknowns.
    pub fn applied_dual<'p>(
        &self,
        problem: &'p Problem,
        unknowns: &[Dual],
    ) -> Result<Cow<'p, Problem>, SimulationError> {
        if self.is_empty() {
            return Ok(Cow::Borrowed(problem));
        }
        let real: Vec<f64> = unknowns.iter().map(|unknown| unknown.value).collect();
        let mut changes = InputSamples::zeros(problem.inputs().width(), problem.inputs().len());
        self.add(problem, unknowns, |i, input, value: Dual, _| {
            changes.row_mut(i)[input] += value.derivative;
        });
        Ok(Cow::Owned(self.applied(problem, &real)?.into_owned().with_input_changes(changes)))
    }

    /// Calls `add` with step, input, value, and true if the value is the whole input, false if it is a part.
    fn add<S: Scalar>(&self, problem: &Problem, unknowns: &[S], mut add: impl FnMut(usize, usize, S, bool)) {
        for i in 0..problem.inputs().len() {
            let time = problem.time(i);
            for DelayedInput { input, delay, signal, later } in &self.delayed {
                add(i, *input, signal.value(S::constant(time + later) - delay.of(unknowns)), true);
            }
            for KnotInput { input, first, knots, from, interval, course } in self.of_knots.iter().copied() {
                for (knot, weight) in knot_weights(course, (time - from, interval), knots) {
                    add(i, input, unknowns[first + knot] * weight, false);
                }
            }
        }
    }

    /// Returns the derivatives of the inputs by every unknown.
    pub fn changes(&self, problem: &Problem, unknowns: &[f64]) -> Vec<(usize, InputChange)> {
        let samples = problem.inputs().len();
        let mut all = Vec::new();
        for DelayedInput { input, delay, signal, later } in &self.delayed {
            let Value::Unknown(unknown) = *delay else { continue };
            let slope = |i: usize| {
                let [slope] = signal.derivatives(problem.time(i) + later - unknowns[unknown], [1]);
                -slope
            };
            all.push((unknown, InputChange { input: *input, first: 0, changes: (0..samples).map(slope).collect() }));
        }
        for KnotInput { input, first, knots, from, interval, course } in self.of_knots.iter().copied() {
            let start = all.len();
            let change = |knot| (first + knot, InputChange { input, first: 0, changes: Vec::new() });
            all.extend((0..knots).map(change));
            for i in 0..samples {
                for (knot, weight) in knot_weights(course, (problem.time(i) - from, interval), knots) {
                    let (_, change) = &mut all[start + knot];
                    if change.changes.is_empty() {
                        change.first = i;
                    }
                    change.changes.resize(i - change.first, 0.0);
                    change.changes.push(weight);
                }
            }
        }
        all
    }
}
