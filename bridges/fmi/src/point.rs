//! The equations of motion at one time: states, derivatives, outputs and their derivatives.

use costate::command::{Equations, Instant, StateVectors};
use nalgebra::DMatrix;

use crate::packed::Packed;
use crate::refusal::Refusal;

/// The arguments of the equations.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a> {
    /// t in s.
    pub time: f64,
    /// p.
    pub parameters: &'a [f64],
    /// u.
    pub inputs: &'a [f64],
}

/// States, and what was evaluated at them.
#[derive(Debug, Clone)]
pub struct Point {
    /// x.
    pub states: Vec<f64>,
    /// q, v, a and lambda from which dependent coordinates are continued.
    pub near: StateVectors<f64>,
    evaluated: Option<Evaluated>,
}

/// The motion at a point.
#[derive(Debug, Clone)]
pub struct Evaluated {
    /// x'.
    pub derivatives: Vec<f64>,
    /// s.
    pub outputs: Vec<f64>,
    /// The derivatives of x' and s by x, u and p, once they were asked for.
    jacobian: Option<DMatrix<f64>>,
}

impl Point {
    /// Takes these states, near a state of all coordinates.
    pub fn new(states: Vec<f64>, near: StateVectors<f64>) -> Self {
        Self { states, near, evaluated: None }
    }

    /// Forgets what was evaluated, since an argument has changed.
    pub fn forget(&mut self) {
        self.evaluated = None;
    }

    /// Evaluates derivatives and outputs.
    pub fn evaluated(&mut self, packed: &Packed, of: Arguments<'_>) -> Result<&Evaluated, Refusal> {
        if self.evaluated.is_none() {
            let motion = packed.motion.as_ref().ok_or_else(without_states)?;
            let (states, near) = (&self.states, &self.near);
            let (state, outputs) = with_equations(packed, of.parameters, |equations| {
                let state = motion.evaluate(equations, (of.time, of.inputs), states, near)?;
                let at = Instant { time: of.time, state: &state, inputs: of.inputs };
                let outputs = equations.group(costate::command::Group::Outputs, at);
                Ok((state, outputs))
            })?;
            let bad = outputs.iter().position(|value| !value.is_finite());
            if let Some((place, output)) = bad.and_then(|k| packed.model.description().outputs.get(k).map(|o| (k, o))) {
                let text = format!("the output `{}` is {} at {} s", output.name, outputs[place], of.time);
                return Err(Refusal::discard(text));
            }
            let derivatives = motion.derivative(&state);
            self.near = state;
            self.evaluated = Some(Evaluated { derivatives, outputs, jacobian: None });
        }
        self.evaluated.as_ref().ok_or_else(without_states)
    }

    /// Evaluates the derivatives of x' (first rows) and outputs by x, inputs and parameters (columns).
    pub fn jacobian(&mut self, packed: &Packed, of: Arguments<'_>) -> Result<&DMatrix<f64>, Refusal> {
        self.evaluated(packed, of)?;
        let (Some(evaluated), Some(motion)) = (&mut self.evaluated, &packed.motion) else {
            return Err(without_states());
        };
        if evaluated.jacobian.is_none() {
            let at = Instant { time: of.time, state: &self.near, inputs: of.inputs };
            evaluated.jacobian =
                Some(with_equations(packed, of.parameters, |equations| motion.jacobian(equations, at))?);
        }
        evaluated.jacobian.as_ref().ok_or_else(without_states)
    }
}

fn without_states() -> Refusal {
    Refusal::error("the model has no equation in independent coordinates, and neither states nor derivatives")
}

fn with_equations<T>(
    packed: &Packed,
    parameters: &[f64],
    mut work: impl FnMut(&dyn Equations<f64>) -> Result<T, costate::command::IndependentError>,
) -> Result<T, Refusal> {
    let mut result = None;
    packed.model.system().with_equations(&packed.problem, parameters, &mut |equations| {
        result = Some(work(equations));
    });
    match result {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(Refusal::discard(error)),
        None => Err(Refusal::error("the model was not evaluated")),
    }
}
