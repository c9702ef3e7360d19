//! Outputs that are sampled during a run, whose states are not kept.

use costate_contract::machine::OutOfMemory;
use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::Functions;
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use super::combined_outputs;
use super::constants::RunConstants;
use super::forward::integrator;
use crate::initial::consistent_state;
use crate::step::State;

/// Collects s_i.
pub(super) struct OutputSampler<'a, M: Functions, S: Scalar> {
    problem: &'a Problem,
    constants: &'a M::Constants<S>,
    inputs: M::Inputs<S>,
    outputs: M::Outputs<S>,
    series: Series<S>,
}

impl<'a, M: Functions, S: Scalar> OutputSampler<'a, M, S> {
    /// For all samples of `problem`.
    pub fn new(problem: &'a Problem, constants: &'a M::Constants<S>) -> Result<Self, OutOfMemory> {
        let lengths = M::lengths(M::program(constants));
        let (step, width) = (problem.settings().step, lengths.outputs);
        let series = Series::of_run(step, width, problem.samples() - 1)?;
        Ok(Self {
            problem,
            constants,
            inputs: Vector::zeros(lengths.inputs),
            outputs: Vector::zeros(lengths.outputs),
            series,
        })
    }

    /// Takes s_i at x_i, if there is a sample.
    pub fn sample(&mut self, i: usize, state: &State<M, S>) {
        let Some(k) = self.problem.sample(i) else { return };
        let at = self.problem.moment(i);
        at.lift_inputs(&mut self.inputs);
        M::outputs(&state.point(at.time, &self.inputs, self.constants), &mut self.outputs);
        self.series.row_mut(k).copy_from_slice(self.outputs.as_ref());
    }

    /// All samples.
    pub fn into_series(self) -> Series<S> {
        self.series
    }
}

/// Simulates `problem` with `parameters` and keeps the outputs.
pub fn run_outputs<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> Result<Series<S>, SimulationError> {
    if let Some(levels) = problem.levels() {
        return combined_outputs(problem, &levels, |level| run_outputs::<M, S>(program, level, parameters));
    }
    problem.check_steps()?;
    problem.poll(0)?;
    let initial = consistent_state::<M, _>(program, problem, parameters)?.start::<M>();
    let constants = RunConstants::new(program, problem, parameters);
    let mut sampler = OutputSampler::new(problem, constants.model())?;
    let mut integrator = integrator(problem, parameters, &constants, initial);
    sampler.sample(0, integrator.state());
    for i in 1..=problem.steps() {
        let constants = constants.enter(problem, i, &mut integrator);
        integrator.step(constants, problem.moment(i))?;
        sampler.sample(i, integrator.state());
        problem.poll(i)?;
    }
    Ok(sampler.into_series())
}
