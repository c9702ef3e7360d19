//! Direct differentiation of the scheme: the sensitivities of all outputs, step by step (OB 3.8).

use std::ops::ControlFlow;

use nalgebra::DMatrix;

use costate_contract::machine::{Room, bytes};

use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;
use crate::step::TableRates;
use crate::system::Differentiable;

use super::columns::{Columns, InputChange};

/// The sensitivities ds_i/dp_k of all outputs at all steps of `run`, a run of `problem`: one series for each of the
/// parameters `unknown`. `run` is a `&Trajectory` or a `&mut StoredRun`; a run with checkpoints is
/// computed once more, and keeps them.
///
/// All unknowns share one factorisation per step.
///
/// # Errors
/// As [`gradient`](super::gradient).
pub fn sensitivities<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    unknown: &[Parameter<M>],
) -> Result<Vec<Series<f64>>, SimulationError> {
    let (outputs, parameters) = (all_outputs(problem), Parameter::indices(unknown));
    let model = M::differentiable();
    Ok(full_sensitivities(model, problem, run.into(), &parameters, (&[], &[]), &outputs)?.0)
}

/// The positions of all outputs.
pub fn all_outputs(problem: &Problem) -> Vec<usize> {
    (0..problem.description().outputs.len()).collect()
}

/// The [`sensitivities`] of some `outputs`, in this order, by the parameters with these indices, then by what changes
/// inputs, and then by all values of the `wanted` tables, with the number of values of every table.
pub fn full_sensitivities(
    model: &dyn Differentiable,
    problem: &Problem,
    run: RunStates<'_>,
    parameters: &[usize],
    (inputs, wanted): (&[InputChange], &[bool]),
    outputs: &[usize],
) -> Result<(Vec<Series<f64>>, Vec<usize>), SimulationError> {
    let by = Columns { parameters, inputs, ..Columns::default() };
    let found = part_sensitivities(model, problem, run, (by, wanted), outputs)?;
    Ok((found.outputs, found.of_tables))
}

/// The derivatives of a run by parameters, by numbers of its given start, by inputs and by the values of tables, in
/// this order.
#[derive(Debug, Clone)]
pub struct PartSensitivities {
    /// The derivatives of the wanted outputs.
    pub outputs: Vec<Series<f64>>,
    /// The number of values of every table.
    pub of_tables: Vec<usize>,
    /// The derivatives of q and v at the end (2n rows), where those by the start are wanted; else zeros.
    pub end: DMatrix<f64>,
}

/// Computes the derivatives of some `outputs`, in this order, at all steps, by these columns and then by all values of
/// the `wanted` tables.
pub fn part_sensitivities(
    model: &dyn Differentiable,
    problem: &Problem,
    run: RunStates<'_>,
    (by, wanted): (Columns<'_>, &[bool]),
    outputs: &[usize],
) -> Result<PartSensitivities, SimulationError> {
    let rates = match wanted.contains(&true) {
        true => Some(TableRates::new(problem, wanted).map_err(SimulationError::from)?),
        false => None,
    };
    let by = Columns { tables: rates.as_ref(), ..by };
    let columns = by.count();
    let all_outputs = problem.description().outputs.len();
    let mut end = DMatrix::zeros(2 * problem.description().coordinates.len(), columns);
    let (width, h, steps) = (outputs.len(), problem.settings().step, problem.samples() - 1);
    let needed = bytes(width, size_of::<f64>()).saturating_mul(steps as u64 + 1);
    let remedy = "take fewer unknowns, a larger step or an earlier end, or `sensitivities_by_sample`, which keeps none";
    let room = Room { what: "the sensitivities", count: columns, counted: "unknowns", remedy };
    room.check(needed.saturating_mul(columns as u64)).map_err(SimulationError::from)?;
    let series = (0..columns).map(|_| Series::of_run(h, width, steps));
    let mut series = series.collect::<Result<Vec<_>, _>>().map_err(SimulationError::from)?;
    model.sensitivities(problem, run, by, &mut |i, sensitivities| {
        for (series, sensitivities) in series.iter_mut().zip(sensitivities) {
            // rows are short: a loop is faster than a call
            series.row_mut(i).iter_mut().zip(outputs).for_each(|(place, at)| *place = sensitivities[*at]);
        }
        if i == steps && by.start.is_some() {
            for (mut column, sensitivities) in end.column_iter_mut().zip(sensitivities) {
                column.iter_mut().zip(&sensitivities[all_outputs..]).for_each(|(place, of_end)| *place = *of_end);
            }
        }
        ControlFlow::Continue(())
    })?;
    let of_tables = rates.map_or_else(Vec::new, |rates| rates.counts().to_vec());
    Ok(PartSensitivities { outputs: series, of_tables, end })
}

/// The [`sensitivities`] of all outputs one step after another, of which none is kept: `each` gets the samples i = 0,
/// 1, ... N and ds_i/dp_k, for each of the parameters a row of all outputs. Of a run with `checkpoints` there are then
/// never all states, and all outputs only in the run itself.
///
/// # Errors
/// As [`gradient`](super::gradient), and those of `each`, which end it.
pub fn sensitivities_by_sample<'a, M: Model, E: From<SimulationError> + Send>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    unknown: &[Parameter<M>],
    each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E> + Send,
) -> Result<(), E> {
    let parameters = &Parameter::indices(unknown)[..];
    each_sample(M::differentiable(), problem, run.into(), parameters, each)
}

/// The [`sensitivities_by_sample`] by the parameters with these indices.
pub fn each_sample<E: From<SimulationError> + Send>(
    model: &dyn Differentiable,
    problem: &Problem,
    run: RunStates<'_>,
    parameters: &[usize],
    mut each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut failed = None;
    let by = Columns { parameters, ..Columns::default() };
    model.sensitivities(problem, run, by, &mut |i, sensitivities| match each(i, sensitivities) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    failed.map_or(Ok(()), Err)
}
