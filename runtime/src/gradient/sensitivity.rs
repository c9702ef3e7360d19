//! Direct differentiation of the scheme: the sensitivities of all outputs, step by step (OB 3.8).

use crate::identifiers::Parameter;
use crate::initial::initial_derivatives;
use crate::machine::{Room, bytes};
use crate::model::{Model, SelectedParameters};
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::scalar::Vector;
use crate::series::Series;

use crate::run::Forward;
use crate::step::{LinearStep, Tangent, With};

/// The sensitivities ds_i/dp_k of all outputs at all steps of `run`, a run of `problem`: one series for each of the
/// parameters `unknown`. `run` is a `&Trajectory` or a `&mut StoredRun`; a run with checkpoints is
/// computed once more, and keeps them.
///
/// All unknowns share one factorisation per step.
///
/// # Errors
/// As [`gradient`](super::gradient).
#[inline(never)]
pub fn sensitivities<'a, M: Model>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    unknown: &[Parameter<M>],
) -> Result<Vec<Series<f64>>, SimulationError> {
    let (width, h, steps) =
        (<M::Outputs<f64> as Vector<f64>>::LENGTH, problem.settings().step, problem.samples() - 1);
    let needed = bytes(width, size_of::<f64>()).saturating_mul(steps as u64 + 1);
    let remedy = "take fewer parameters, a larger step or an earlier end, or `sensitivities_by_sample`, which keeps none";
    let room = Room { what: "the sensitivities", count: unknown.len(), counted: "parameters", remedy };
    room.check(needed.saturating_mul(unknown.len() as u64)).map_err(SimulationError::from)?;
    let series = unknown.iter().map(|_| Series::of_run(h, width, steps));
    let mut series = series.collect::<Result<Vec<_>, _>>().map_err(SimulationError::from)?;
    sensitivities_by_sample(problem, run, unknown, |i, sensitivities| {
        for (series, sensitivities) in series.iter_mut().zip(sensitivities) {
            series.row_mut(i).copy_from_slice(sensitivities);
        }
        Ok::<_, SimulationError>(())
    })?;
    Ok(series)
}

/// The [`sensitivities`] of all outputs one step after another, of which none is kept: `each` gets the samples i = 0, 1, ... N
/// and ds_i/dp_k, for each of the parameters a row of all outputs. Of a run with
/// [`checkpoints`](crate::simulate::Settings::checkpoints) there are then never all states, and all outputs only in the run
/// itself.
///
/// # Errors
/// As [`gradient`](super::gradient), and those of `each`, which end it.
pub fn sensitivities_by_sample<'a, M: Model, E: From<SimulationError>>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    unknown: &[Parameter<M>],
    mut each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E>,
) -> Result<(), E> {
    let unknown = &Parameter::indices(unknown)[..];
    SelectedParameters::of::<M>(unknown).map_err(SimulationError::from)?;
    let mut states = Forward::new(problem, run.into().0)?;
    let mut linear = LinearStep::new();
    let constants = states.constants;
    let initial =
        initial_derivatives(problem, states.parameters, None, unknown).map_err(SimulationError::from)?;
    let mut columns: Vec<Tangent<M>> = unknown
        .iter()
        .zip(initial.column_iter())
        .map(|(&parameter, state)| Tangent::new(With::Parameter(parameter), state.as_slice()))
        .collect();
    let mut rows = vec![vec![0.0; <M::Outputs<f64> as Vector<f64>>::LENGTH]; unknown.len()];
    for i in 0..=problem.steps() {
        linear.load(problem.moment(i), states.at(i)?);
        let (constants, sample) = (constants.of_step(i), problem.sample(i));
        linear.evaluate(constants);
        if sample.is_some() {
            linear.evaluate_outputs(constants);
        }
        if i > 0 {
            linear.factor(constants).map_err(SimulationError::from)?;
        }
        for (column, row) in columns.iter_mut().zip(&mut rows) {
            if let Some(ratio) = states.constants.change(i) {
                column.change_step(ratio);
            }
            if i > 0 {
                column.step(&linear, constants);
            }
            column.remember_force_residual(&linear);
            if sample.is_some() {
                row.fill(0.0);
                column.differentiate_outputs(&linear, row);
            }
        }
        if let Some(sample) = sample {
            each(sample, &rows)?;
        }
        problem.poll(i)?;
    }
    Ok(())
}
