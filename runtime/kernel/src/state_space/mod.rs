//! Compiled models as state spaces: every `model!` can be filtered.
//!
//! A model is advanced by Runge-Kutta steps (`runge_kutta`) or by the steps of runs (`implicit`, `layout` has the
//! parts of a filter's state, and its `transition` makes F of the tangent of a step). `manifold` brings states that a
//! filter has changed back to the constraints. Sigma points and particles go four at a time (`fours`,
//! `implicit/lanes.rs`, `runge_kutta/lanes.rs`), by the same generic code as single points: `stages`, `projection`, and
//! the steps of runs.

mod accelerations;
mod dual_step;
mod fours;
mod implicit;
mod initial;
mod layout;
mod manifold;
mod observability;
mod outputs;
mod process;
mod projection;
mod runge_kutta;
mod stages;
mod tableau;

use costate_numerics::scalar::{LANES, Scalar, Vector, lanes_are_available, lift_into};
use costate_system::identifiers::{Output, Parameter};
use costate_system::model::{Functions, NameOf, OtherModel};
use costate_system::problem::{Problem, SimulationError};

use crate::initial::check_parameters;
use crate::step::StepError;

use costate_system::state_space::{FilterError, ModelFailure};

pub use implicit::ImplicitModel;
pub use observability::{Observability, observability};
pub use process::FilterProcess;
pub use runge_kutta::RungeKuttaModel;
pub use tableau::RungeKutta;

/// The selection that both kinds of steps share: the model, the parameters that are states, and the outputs
/// that are measured.
#[derive(Debug, Clone)]
struct Selected<M: Functions> {
    program: M::Program,
    problem: Problem,
    parameters: M::Parameters<f64>,
    /// Indices of parameters that are states.
    estimated: Vec<usize>,
    /// Indices of outputs that are measured.
    measured: Vec<usize>,
    /// A name of another model that was given.
    other: Option<OtherModel>,
}

impl<M: Functions> Selected<M> {
    fn new(program: M::Program, problem: &Problem, parameters: M::Parameters<f64>) -> Self {
        Self {
            program,
            problem: problem.clone(),
            parameters,
            estimated: Vec::new(),
            measured: (0..M::description(program).outputs.len()).collect(),
            other: None,
        }
    }

    /// Checks the steps of the problem and the names that were given.
    fn check(&self) -> Result<(), ModelFailure> {
        self.problem.require_constant_steps("a filter").map_err(failed)?;
        self.other.clone().map_or(Ok(()), |other| Err(failed(other)))
    }

    /// Returns the positions of these names; one of another model is an error of the first step.
    fn known(&mut self, names: impl IntoIterator<Item = (usize, Result<(), OtherModel>)>) -> Vec<usize> {
        let known = names.into_iter().filter_map(|(index, checked)| match checked {
            Ok(()) => Some(index),
            Err(other) => {
                self.other = Some(other);
                None
            }
        });
        known.collect()
    }

    fn estimate<N: NameOf<M>>(&mut self, parameters: impl IntoIterator<Item = Parameter<N>>) {
        let described = M::description(self.program);
        let names = parameters.into_iter().map(|parameter| (parameter.index(), parameter.check_model(described)));
        for index in self.known(names) {
            if !self.estimated.contains(&index) {
                self.estimated.push(index);
            }
        }
    }

    /// Returns the position of a parameter among those that are states; `None` for one of another model.
    fn position<N: NameOf<M>>(&self, parameter: Parameter<N>) -> Option<usize> {
        parameter.check_model(M::description(self.program)).ok()?;
        self.estimated.iter().position(|&index| index == parameter.index())
    }

    fn measure<N: NameOf<M>>(&mut self, outputs: impl IntoIterator<Item = Output<N>>) {
        let described = M::description(self.program);
        let names = outputs.into_iter().map(|output| (output.index(), output.check_model(described)));
        self.measured = self.known(names);
    }

    /// Returns the parameters, with the estimated ones from a state.
    #[inline(always)]
    fn parameters<S: Scalar>(&self, of_state: &[S]) -> M::Parameters<S> {
        let mut parameters = M::Parameters::<S>::zeros(self.parameters.as_ref().len());
        lift_into(self.parameters.as_ref(), parameters.as_mut());
        for (&index, &value) in self.estimated.iter().zip(of_state) {
            parameters.as_mut()[index] = value;
        }
        parameters
    }

    /// Returns the cause of a failed step: a parameter that is infinite or NaN is named rather than its
    /// consequence.
    #[cold]
    fn or_parameter(&self, of_state: &[f64], error: StepError) -> SimulationError {
        check_parameters(M::description(self.program), self.parameters(of_state).as_ref())
            .err()
            .map_or(error.into(), SimulationError::from)
    }

    /// Returns the inputs of the problem as rows of a record.
    fn inputs(&self) -> Vec<f64> {
        self.problem.inputs().numbers().to_vec()
    }

    fn name(&self, estimated: usize) -> String {
        let index = self.estimated.get(estimated).copied().unwrap_or(usize::MAX);
        M::description(self.program).parameters.get(index).map_or_else(String::new, |quantity| quantity.name.to_owned())
    }
}

/// Returns the number i of the step that ends at the time t_i = i h.
fn step_at(time: f64, h: f64) -> usize {
    (time / h).round() as usize
}

fn coordinate_name<M: Functions>(program: M::Program, prefix: &str, index: usize) -> String {
    let name = M::description(program).coordinates.get(index).map_or("?", |quantity| quantity.name);
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}({name})") }
}

pub(super) fn unsuitable<M: Functions>(program: M::Program, why: &str, remedy: &'static str) -> FilterError {
    FilterError::Unsuitable { what: format!("the model `{}` {why}", M::description(program).name), remedy }
}

/// Converts the error of a failed step for a filter.
fn failed(error: impl Into<SimulationError>) -> ModelFailure {
    ModelFailure::new(error.into())
}

/// Checks whether several points go in lanes: a single point costs less without lanes.
fn go_in_lanes<M: Functions>(program: M::Program, points: usize) -> bool {
    points > 1 && lanes_are_available() && M::description(program).elimination.is_some()
}

/// Returns up to four points, `length` numbers each, for the lanes; the first point replaces missing ones.
fn by_lanes(points: &[f64], length: usize) -> [&[f64]; LANES] {
    let first = points.get(..length).unwrap_or_default();
    let point = |lane: usize| points.get(lane * length..(lane + 1) * length).unwrap_or(first);
    std::array::from_fn(point)
}
