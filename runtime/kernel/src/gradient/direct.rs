//! The loop of direct differentiation: derivatives with respect to parameters, inputs and tables, propagated
//! through every step side by side (OB 3.8).

use std::ops::Range;

use costate_numerics::scalar::{CollectVec, Lanes, Scalar, Vector, Work, lift_into};
use costate_system::model::{Functions, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};
use costate_system::system::{EachSample, StateVectors};

use super::Columns;
use super::InputChange;
use crate::equations::ModelEquations;
use crate::initial::{derivatives_by_given, initial_derivatives, initial_input_derivatives, initial_lookups};
use crate::room::with_room;
use crate::run::{Forward, RunConstants, RunStates};
use crate::step::{ColumnScalar, Displacement, LinearStep, Solver, StepConstants, TableRates, Tangent, With};

/// A direct change besides that of the state, and the derivative of x_0 and s_0 (4n + m).
type Start = (With, Vec<f64>);

/// Differentiates a run of the model `M`; `each` is called with every sample in turn and the derivatives of
/// the outputs, a row for each column, until it breaks.
///
/// Derivatives with respect to inputs need constant steps. A change of an input begins with its first step.
pub fn by_sample<M: Functions>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_>,
    by: Columns<'_>,
    each: &mut EachSample<'_>,
) -> Result<(), SimulationError> {
    /// Number of columns from which on four go side by side.
    const MIN_IN_LANES: usize = 3;
    SelectedParameters::of(M::description(program), by.parameters)?;
    if !by.inputs.is_empty() {
        problem.require_constant_steps("the derivatives with respect to inputs")?;
    }
    let mut states = Forward::<M, f64>::new(problem, run)?;
    let starts = &starts(problem, &mut states, by)?;
    if starts.len() < MIN_IN_LANES || !Lanes::are_available() {
        let constants = states.constants;
        return with_room::<M, f64, _>(program, || {
            f64::dispatch(Steps { problem, states, by, constants, starts, each })
        });
    }
    let mut parameters = M::Parameters::<Lanes>::zeros(M::lengths(program).parameters);
    lift_into(states.parameters.as_ref(), parameters.as_mut());
    let constants = &RunConstants::new(program, problem, &parameters);
    with_room::<M, Lanes, _>(program, || Lanes::dispatch(Steps { problem, states, by, constants, starts, each }))
}

/// All steps as a piece of work.
struct Steps<'s, 'r, 'e, M: Functions, S: ColumnScalar> {
    problem: &'s Problem,
    states: Forward<'r, M, f64>,
    by: Columns<'s>,
    constants: &'s RunConstants<M, S>,
    starts: &'s [Start],
    each: &'s mut EachSample<'e>,
}

impl<M: Functions, S: ColumnScalar> Work for Steps<'_, '_, '_, M, S> {
    type Output = Result<(), SimulationError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { problem, mut states, by, constants: of_columns, starts, each } = self;
        let Columns { inputs, tables, .. } = by;
        let program = of_columns.program();
        let width = M::lengths(program).outputs;
        let (before_inputs, n) = (by.before_inputs(), M::lengths(program).coordinates);
        let mut linear = LinearStep::new(program);
        let mut factors = M::Factors::<S>::zeros(M::lengths(program).factors);
        let pieces = by.pieces(most_columns::<M>(program, S::COUNT), S::COUNT);
        let first_of_tables = before_inputs + inputs.len();
        let tangent = |piece: &Range<usize>| match piece.start.checked_sub(first_of_tables) {
            Some(first) => {
                let starts: Vec<&[f64]> = starts[piece.clone()].iter().map(|(_, start)| &start[..]).collect_vec();
                Tangent::<M, S>::of_tables(program, first, &starts)
            }
            None => Tangent::new(program, &starts[piece.clone()]),
        };
        let mut tangents: Vec<_> = pieces.iter().map(tangent).collect_vec();
        let begins: Vec<usize> = pieces.iter().map(|piece| by.begins(piece.clone())).collect_vec();
        let mut rows = vec![vec![0.0; width + if by.start.is_some() { 2 * n } else { 0 }]; starts.len()];
        let mut outputs = Vec::new();
        for i in 0..=problem.steps() {
            linear.load(problem.moment(i), states.at(i)?);
            let (constants, sample) = (states.constants.of_step(i), problem.sample(i));
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
                linear.factor(constants)?;
                lift_into(linear.matrix.factors.as_ref(), factors.as_mut());
            }
            let solver = Solver { linear: &linear, constants: &of_columns.of_step(i).model, factors: &factors };
            // columns are not propagated before their change begins
            let begun = tangents.iter_mut().zip(&pieces).zip(&begins).filter(|(_, begins)| i >= **begins);
            for ((tangent, piece), _) in begun {
                for column in piece.clone() {
                    let input = column.checked_sub(before_inputs).and_then(|k| inputs.get(k));
                    if let Some(input) = input {
                        let change = With::Input { input: input.input, change: input.at(i) };
                        tangent.set_with(column - piece.start, change);
                    }
                }
                if i > 0 {
                    tangent.advance(&constants.weights, &solver);
                }
                tangent.remember_force_residual(&linear);
                if sample.is_none() {
                    continue;
                }
                outputs.clear();
                outputs.resize(width * tangent.width(), S::default());
                tangent.differentiate_outputs(&linear, &mut outputs);
                if by.start.is_some() && i == problem.steps() {
                    outputs.extend_from_slice(&tangent.q);
                    outputs.extend_from_slice(&tangent.v);
                }
                for (output, derivatives) in outputs.chunks_exact(tangent.width()).enumerate() {
                    let groups = rows[piece.clone()].chunks_mut(S::COUNT);
                    for (rows, derivatives) in groups.zip(derivatives) {
                        for (row, derivative) in rows.iter_mut().zip(derivatives.numbers()) {
                            row[output] = derivative;
                        }
                    }
                }
            }
            if let Some(sample) = sample
                && each(sample, &rows).is_break()
            {
                return Ok(());
            }
            if states.constants.displaces(i + 1) {
                restart(problem, &states, i, tables, &mut tangents);
            }
            problem.poll(i)?;
        }
        Ok(())
    }
}

/// Displaces the velocities after step i, where the next step restarts.
#[inline(never)]
fn restart<M: Functions, S: ColumnScalar>(
    problem: &Problem,
    states: &Forward<'_, M, f64>,
    i: usize,
    tables: Option<&TableRates>,
    tangents: &mut [Tangent<M, S>],
) {
    let constants = states.constants;
    let StepConstants { model, weights, .. } = constants.of_step(i + 1);
    let (time, description) = (problem.time(i), problem.description());
    let state = StateVectors::of_stored(description.coordinates.len(), states.current(i));
    let equations = ModelEquations::<M, f64>(model);
    let mut displacement = Displacement::new(description);
    displacement.find(&equations, weights, time, &state, None);
    displacement.differentiate(&equations, time, &state);
    let lookups = tables.map(|tables| (displacement.lookups(&equations, time, &state), tables));
    for tangent in tangents {
        tangent.restart(&displacement, lookups.as_ref().map(|(lookups, tables)| (lookups, *tables)));
    }
}

/// Returns the number of columns that go through a step together: so many that their matrices stay in the
/// first cache.
fn most_columns<M: Functions>(program: M::Program, count: usize) -> usize {
    /// Bytes of the first cache that the matrices may take.
    const CACHE: usize = 16_384;
    let (n, m) = (M::lengths(program).coordinates, M::lengths(program).multipliers);
    let rows = 7 * n + 2 * m + M::lengths(program).outputs;
    let columns = CACHE / (rows.max(1) * size_of::<f64>());
    (columns / count * count).max(count)
}

/// Returns the initial derivatives of the columns.
fn starts<M: Functions>(
    problem: &Problem,
    states: &mut Forward<'_, M, f64>,
    by: Columns<'_>,
) -> Result<Vec<Start>, SimulationError> {
    let Columns { parameters, start, inputs, tables } = by;
    let program = states.constants.program();
    let initial = initial_derivatives::<M>(program, problem, states.parameters, None, parameters)?;
    let columns = parameters.iter().zip(initial.column_iter());
    let mut starts: Vec<Start> =
        columns.map(|(&parameter, start)| (With::Parameter(parameter), start.as_slice().to_vec())).collect_vec();
    if let Some(given) = start.filter(|given| !given.is_empty()) {
        let initial = derivatives_by_given::<M>(program, problem, states.parameters, given)?;
        starts.extend(initial.column_iter().map(|start| (With::Nothing, start.as_slice().to_vec())));
    }
    starts.extend(input_starts(problem, states, inputs)?);
    if let Some(tables) = tables {
        starts.extend(table_starts(problem, states, tables)?);
    }
    Ok(starts)
}

/// Returns the derivatives of the start with respect to values of tables.
fn table_starts<M: Functions>(
    problem: &Problem,
    states: &Forward<'_, M, f64>,
    tables: &TableRates,
) -> Result<Vec<Start>, SimulationError> {
    let program = states.constants.program();
    let initial = initial_lookups::<M>(program, problem, states.parameters, None, &tables.wanted())?;
    let starts = tables.of_start(&initial.derivatives, &initial.arguments);
    let columns = starts.column_iter();
    Ok(columns.map(|start| (With::Nothing, start.as_slice().to_vec())).collect_vec())
}

/// Returns the derivatives of the start with respect to inputs.
fn input_starts<M: Functions>(
    problem: &Problem,
    states: &mut Forward<'_, M, f64>,
    inputs: &[InputChange],
) -> Result<Vec<Start>, SimulationError> {
    let program = states.constants.program();
    let (n, m) = (M::lengths(program).coordinates, M::lengths(program).multipliers);
    let begin_at_start = inputs.iter().any(|input| input.first == 0);
    let of_start = match begin_at_start {
        true => initial_input_derivatives::<M, _>(program, problem, states.parameters, states.at(0)?)?,
        false => Vec::new(),
    };
    let column = |input: &InputChange| {
        let mut start = vec![0.0; 4 * n + m];
        if let Some(of_input) = of_start.get(input.input) {
            start.iter_mut().zip(of_input).for_each(|(sum, value)| *sum += input.at(0) * value);
        }
        // the change is set when it begins
        (With::Input { input: input.input, change: 0.0 }, start)
    };
    Ok(inputs.iter().map(column).collect_vec())
}
