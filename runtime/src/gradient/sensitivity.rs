//! Direct differentiation of the scheme: the sensitivities of all outputs, step by step (OB 3.8).

use crate::identifiers::Parameter;
use crate::machine::{Room, bytes};
use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::scalar::Vector;
use crate::series::Series;
use crate::step::TableRates;

use super::direct::{Columns, InputChange, by_sample};

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
    let outputs = all_outputs::<M>();
    Ok(full_sensitivities(problem, run, &Parameter::indices(unknown), (&[], &[]), &outputs)?.0)
}

/// The positions of all outputs.
pub(crate) fn all_outputs<M: Model>() -> Vec<usize> {
    (0..<M::Outputs<f64> as Vector<f64>>::LENGTH).collect()
}

/// The [`sensitivities`] of some `outputs`, in this order, by the parameters with these indices, then by what changes inputs, and
/// then by all values of the `wanted` tables, with the number of values of every table.
pub(crate) fn full_sensitivities<'a, M: Model>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    parameters: &[usize],
    (inputs, wanted): (&[InputChange], &[bool]),
    outputs: &[usize],
) -> Result<(Vec<Series<f64>>, Vec<usize>), SimulationError> {
    let rates = match wanted.contains(&true) {
        true => Some(TableRates::new(problem.tables(), wanted).map_err(SimulationError::from)?),
        false => None,
    };
    let by = Columns { parameters, inputs, tables: rates.as_ref() };
    let series = kept(problem, run.into(), by, outputs)?;
    Ok((series, rates.map_or_else(Vec::new, |rates| rates.counts().to_vec())))
}

/// The sensitivities at all steps.
#[inline(never)]
fn kept<M: Model>(
    problem: &Problem<M>,
    run: RunStates<'_, M>,
    by: Columns<'_>,
    outputs: &[usize],
) -> Result<Vec<Series<f64>>, SimulationError> {
    let columns = by.count();
    let (width, h, steps) = (outputs.len(), problem.settings().step, problem.samples() - 1);
    let needed = bytes(width, size_of::<f64>()).saturating_mul(steps as u64 + 1);
    let remedy = "take fewer unknowns, a larger step or an earlier end, or `sensitivities_by_sample`, which keeps none";
    let room = Room { what: "the sensitivities", count: columns, counted: "unknowns", remedy };
    room.check(needed.saturating_mul(columns as u64)).map_err(SimulationError::from)?;
    let series = (0..columns).map(|_| Series::of_run(h, width, steps));
    let mut series = series.collect::<Result<Vec<_>, _>>().map_err(SimulationError::from)?;
    by_sample(problem, run, by, |i, sensitivities| {
        for (series, sensitivities) in series.iter_mut().zip(sensitivities) {
            // rows are short: a loop is faster than a call
            series.row_mut(i).iter_mut().zip(outputs).for_each(|(place, at)| *place = sensitivities[*at]);
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
pub fn sensitivities_by_sample<'a, M: Model, E: From<SimulationError> + Send>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    unknown: &[Parameter<M>],
    each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E> + Send,
) -> Result<(), E> {
    let parameters = &Parameter::indices(unknown)[..];
    by_sample(problem, run.into(), Columns { parameters, ..Columns::default() }, each)
}
