//! Direct differentiation of the scheme: the sensitivities of all outputs, step by step (OB 3.8).

use crate::identifiers::Parameter;
use crate::initial::{initial_derivatives, initial_input_derivatives, initial_lookups};
use crate::machine::{Room, bytes};
use crate::model::{Model, SelectedParameters};
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::scalar::Vector;
use crate::series::Series;

use crate::run::Forward;
use crate::step::{LinearStep, TableRates, Tangent, With};

/// What a change of one number makes of an input: du_i for the steps from `first` on, 0 before and behind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InputChange {
    /// Index of the input.
    pub input: usize,
    /// The step, or 0 for the start, to which the first change belongs.
    pub first: usize,
    /// du_i by the number.
    pub changes: Vec<f64>,
}

impl InputChange {
    /// du_i.
    pub fn at(&self, i: usize) -> f64 {
        i.checked_sub(self.first).and_then(|k| self.changes.get(k)).copied().unwrap_or(0.0)
    }

    /// The derivative of a cost by the number, of that by the inputs.
    pub fn derivative(&self, by_inputs: &Series<f64>) -> f64 {
        let changes = self.changes.iter().enumerate();
        changes.map(|(k, change)| change * by_inputs.row(self.first + k)[self.input]).sum()
    }
}

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
    Ok(full_sensitivities(problem, run, &Parameter::indices(unknown), (&[], &[]))?.0)
}

/// By what a run is differentiated directly, in the order of the columns.
#[derive(Clone, Copy, Default)]
struct Columns<'a> {
    /// Indices of parameters.
    parameters: &'a [usize],
    /// What changes inputs.
    inputs: &'a [InputChange],
    /// All values of tables.
    tables: Option<&'a TableRates>,
}

impl Columns<'_> {
    fn count(&self) -> usize {
        self.parameters.len() + self.inputs.len() + self.tables.map_or(0, TableRates::columns)
    }
}

/// The [`sensitivities`] by the parameters with these indices, then by what changes inputs, and then by all values of the `wanted`
/// tables, with the number of values of every table.
pub(crate) fn full_sensitivities<'a, M: Model>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    parameters: &[usize],
    (inputs, wanted): (&[InputChange], &[bool]),
) -> Result<(Vec<Series<f64>>, Vec<usize>), SimulationError> {
    let rates = match wanted.contains(&true) {
        true => Some(TableRates::new(problem.tables(), wanted).map_err(SimulationError::from)?),
        false => None,
    };
    let series = kept(problem, run.into(), Columns { parameters, inputs, tables: rates.as_ref() })?;
    Ok((series, rates.map_or_else(Vec::new, |rates| rates.counts().to_vec())))
}

/// The sensitivities at all steps.
fn kept<M: Model>(
    problem: &Problem<M>,
    run: RunStates<'_, M>,
    by: Columns<'_>,
) -> Result<Vec<Series<f64>>, SimulationError> {
    let columns = by.count();
    let (width, h, steps) =
        (<M::Outputs<f64> as Vector<f64>>::LENGTH, problem.settings().step, problem.samples() - 1);
    let needed = bytes(width, size_of::<f64>()).saturating_mul(steps as u64 + 1);
    let remedy = "take fewer unknowns, a larger step or an earlier end, or `sensitivities_by_sample`, which keeps none";
    let room = Room { what: "the sensitivities", count: columns, counted: "unknowns", remedy };
    room.check(needed.saturating_mul(columns as u64)).map_err(SimulationError::from)?;
    let series = (0..columns).map(|_| Series::of_run(h, width, steps));
    let mut series = series.collect::<Result<Vec<_>, _>>().map_err(SimulationError::from)?;
    by_sample(problem, run, by, |i, sensitivities| {
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
    each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E>,
) -> Result<(), E> {
    let parameters = &Parameter::indices(unknown)[..];
    by_sample(problem, run.into(), Columns { parameters, ..Columns::default() }, each)
}

/// By what changes inputs steps are constant. A change of inputs begins with its first step.
fn by_sample<M: Model, E: From<SimulationError>>(
    problem: &Problem<M>,
    run: RunStates<'_, M>,
    by: Columns<'_>,
    mut each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E>,
) -> Result<(), E> {
    let Columns { parameters: unknown, inputs, tables } = by;
    SelectedParameters::of::<M>(unknown).map_err(SimulationError::from)?;
    if !inputs.is_empty() {
        problem
            .require_constant_steps("the derivatives with respect to inputs")
            .map_err(SimulationError::from)?;
    }
    let mut states = Forward::new(problem, run.0)?;
    let mut linear = LinearStep::new();
    let constants = states.constants;
    let initial =
        initial_derivatives(problem, states.parameters, None, unknown).map_err(SimulationError::from)?;
    let mut columns: Vec<Tangent<M>> = unknown
        .iter()
        .zip(initial.column_iter())
        .map(|(&parameter, state)| Tangent::new(With::Parameter(parameter), state.as_slice()))
        .collect();
    columns.extend(input_columns(problem, &mut states, inputs)?);
    if let Some(tables) = tables {
        columns.extend(table_columns(problem, &states, tables)?);
    }
    let begins = |column: usize| {
        let input = column.checked_sub(unknown.len()).and_then(|k| inputs.get(k));
        input.map_or(0, |input| input.first)
    };
    let mut rows = vec![vec![0.0; <M::Outputs<f64> as Vector<f64>>::LENGTH]; columns.len()];
    for i in 0..=problem.steps() {
        linear.load(problem.moment(i), states.at(i)?);
        let (constants, sample) = (constants.of_step(i), problem.sample(i));
        linear.evaluate(constants);
        if !inputs.is_empty() {
            linear.evaluate_inputs(constants);
        }
        if let Some(tables) = tables {
            linear.evaluate_rates(constants, tables);
        }
        if sample.is_some() {
            linear.evaluate_outputs(constants);
        }
        if i > 0 {
            linear.factor(constants).map_err(SimulationError::from)?;
        }
        for (input, column) in inputs.iter().zip(&mut columns[unknown.len()..]) {
            column.with = With::Input { input: input.input, change: input.at(i) };
        }
        for (k, (column, row)) in columns.iter_mut().zip(&mut rows).enumerate() {
            if i < begins(k) {
                continue;
            }
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

/// The changes of the start by values of tables.
fn table_columns<M: Model>(
    problem: &Problem<M>,
    states: &Forward<'_, M, f64>,
    tables: &TableRates,
) -> Result<Vec<Tangent<M>>, SimulationError> {
    let initial = initial_lookups(problem, states.parameters, None, &tables.wanted())?;
    let starts = tables.of_start(&initial.derivatives, &initial.arguments);
    let columns = starts.column_iter().enumerate();
    Ok(columns.map(|(i, start)| Tangent::new(With::TableValue(i), start.as_slice())).collect())
}

/// The changes of the start by those of inputs.
fn input_columns<M: Model>(
    problem: &Problem<M>,
    states: &mut Forward<'_, M, f64>,
    inputs: &[InputChange],
) -> Result<Vec<Tangent<M>>, SimulationError> {
    let (n, m) = (LinearStep::<M>::N, <M::Multipliers<f64> as Vector<f64>>::LENGTH);
    let begin_at_start = inputs.iter().any(|input| input.first <= 1);
    let of_start = match begin_at_start {
        true => initial_input_derivatives(problem, states.parameters, states.at(0)?)?,
        false => [Vec::new(), Vec::new()],
    };
    let column = |input: &InputChange| {
        let mut start = vec![0.0; 4 * n + m];
        for (i, of_sample) in of_start.iter().enumerate() {
            if let Some(of_input) = of_sample.get(input.input) {
                start.iter_mut().zip(of_input).for_each(|(sum, value)| *sum += input.at(i) * value);
            }
        }
        // what begins later is not carried on before
        Tangent::new(With::Input { input: input.input, change: 0.0 }, &start)
    };
    Ok(inputs.iter().map(column).collect())
}
