//! Direct differentiation of the scheme: the sensitivities of all outputs, step by step (OB 3.8).

use crate::integrator::{SimulationError, initial_derivatives};
use crate::machine::{Room, bytes};
use crate::model::{Model, SelectedParameters, Weights};
use crate::problem::Problem;
use crate::scalar::Vector;
use crate::series::Series;
use crate::stored_run::RunStates;

use super::states::Forward;
use super::step::LinearStep;

/// The sensitivities ds_i/dp_k of all outputs at all steps of `run`, a run of `problem`: one series for each of the
/// parameters with the indices `unknown`. `run` is a `&Trajectory` or a `&mut StoredRun`; a run with checkpoints is
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
    unknown: &[usize],
) -> Result<Vec<Series<f64>>, SimulationError> {
    let (width, h, steps) =
        (<M::Outputs<f64> as Vector<f64>>::LENGTH, problem.settings().step, problem.steps());
    let needed = bytes(width, size_of::<f64>()).saturating_mul(steps as u64 + 1);
    let remedy =
        "take fewer parameters, a larger step or an earlier end, or `each_sensitivity`, which keeps none";
    let room = Room { what: "the sensitivities", count: unknown.len(), counted: "parameters", remedy };
    room.check(needed.saturating_mul(unknown.len() as u64)).map_err(SimulationError::from)?;
    let series = unknown.iter().map(|_| Series::of_run(h, width, steps));
    let mut series = series.collect::<Result<Vec<_>, _>>().map_err(SimulationError::from)?;
    each_sensitivity(problem, run, unknown, |i, sensitivities| {
        for (series, sensitivities) in series.iter_mut().zip(sensitivities) {
            series.row_mut(i).copy_from_slice(sensitivities);
        }
        Ok::<_, SimulationError>(())
    })?;
    Ok(series)
}

/// The same one step after another, and none is kept: `each` gets i = 0, 1, ... N and ds_i/dp_k, for each of the parameters
/// a row of all outputs. Of a run with [`checkpoints`](crate::Settings::checkpoints) there are then never all states, and all
/// outputs only in the run itself.
///
/// # Errors
/// As [`gradient`](super::gradient), and those of `each`, which end it.
pub fn each_sensitivity<'a, M: Model, E: From<SimulationError>>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    unknown: &[usize],
    mut each: impl FnMut(usize, &[Vec<f64>]) -> Result<(), E>,
) -> Result<(), E> {
    SelectedParameters::of::<M>(unknown).map_err(SimulationError::from)?;
    let mut states = Forward::new(problem, run.into().0)?;
    let mut linear = LinearStep::new(problem, states.parameters, states.constants);
    let weights = problem.settings().weights();
    let initial =
        initial_derivatives(problem, states.parameters, None, unknown).map_err(SimulationError::from)?;
    let mut columns: Vec<Column<M>> = unknown
        .iter()
        .zip(initial.column_iter())
        .map(|(&parameter, state)| Column::new(Some(parameter), state.as_slice()))
        .collect();
    let mut rows = vec![vec![0.0; <M::Outputs<f64> as Vector<f64>>::LENGTH]; unknown.len()];
    for i in 0..=problem.steps() {
        linear.load(i, states.at(i)?);
        linear.evaluate();
        linear.evaluate_outputs();
        if i > 0 {
            linear.factor()?;
        }
        for (column, row) in columns.iter_mut().zip(&mut rows) {
            if i > 0 {
                column.step(&linear, &weights);
            }
            column.remember_force_residual(&linear);
            row.fill(0.0);
            column.differentiate_outputs(&linear, row);
        }
        each(i, &rows)?;
        problem.poll(i)?;
    }
    Ok(())
}

/// A change of the state: its derivative with respect to one parameter, or what else a run carries on.
pub(super) struct Column<M: Model> {
    parameter: Option<usize>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    lambda: Vec<f64>,
    /// Of the auxiliary acceleration.
    s: Vec<f64>,
    /// dG/dp of the step before.
    force_residual: Vec<f64>,
    solution: M::Unknowns<f64>,
}

impl<M: Model> Column<M> {
    /// `start` is the derivative of x_0 and s_0 (4n + m).
    pub fn new(parameter: Option<usize>, start: &[f64]) -> Self {
        let n = LinearStep::<M>::N;
        let (state, auxiliary) = start.split_at(start.len() - n);
        Self {
            parameter,
            q: state[..n].to_vec(),
            v: state[n..2 * n].to_vec(),
            a: state[2 * n..3 * n].to_vec(),
            lambda: state[3 * n..].to_vec(),
            s: auxiliary.to_vec(),
            force_residual: vec![0.0; n],
            solution: Vector::zeros(),
        }
    }

    /// From step i - 1 to step i: the derivative of the step's equations, solved with the Newton matrix.
    pub fn step(&mut self, linear: &LinearStep<'_, M>, weights: &Weights) {
        let Weights { accelerations: inertia, previous, coordinates: q_of_a, velocities: v_of_a, .. } =
            *weights;
        for (j, (a, s)) in self.a.iter().zip(&mut self.s).enumerate() {
            self.q[j] += weights.step * self.v[j]
                + weights.coordinates_of_auxiliary * *s
                + weights.coordinates_of_acceleration * a;
            self.v[j] += weights.velocities_of_auxiliary * *s + weights.velocities_of_acceleration * a;
            *s = weights.auxiliary_of_auxiliary * *s + weights.auxiliary_of_acceleration * a;
        }
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let (motion, constraints) = self.solution.as_mut().split_at_mut(self.q.len());
        for (row, old) in motion.iter_mut().zip(&self.force_residual) {
            *row = previous * old;
        }
        constraints.fill(0.0);
        blocks.inertia_q.add_product(group, -inertia, &self.q, motion);
        blocks.residual_q.add_product(group, -1.0, &self.q, motion);
        blocks.residual_v.add_product(group, -1.0, &self.v, motion);
        blocks.constraint_q.add_product(group, -1.0 / q_of_a, &self.q, constraints);
        if let Some(parameter) = self.parameter {
            blocks.inertia_p.add_column(group, -inertia, parameter, motion);
            blocks.residual_p.add_column(group, -1.0, parameter, motion);
            blocks.constraint_p.add_column(group, -1.0 / q_of_a, parameter, constraints);
        }
        linear.solve(&mut self.solution);
        let (a, lambda) = self.solution.as_ref().split_at(self.q.len());
        self.a.copy_from_slice(a);
        self.lambda.copy_from_slice(lambda);
        for (j, a) in a.iter().enumerate() {
            self.q[j] += q_of_a * a;
            self.v[j] += v_of_a * a;
            self.s[j] += weights.auxiliary_of_new * a;
        }
    }

    /// dG/dp of the step before.
    pub fn force_residual_mut(&mut self) -> &mut [f64] {
        &mut self.force_residual
    }

    /// dG_i/dp for the next step.
    pub fn remember_force_residual(&mut self, linear: &LinearStep<'_, M>) {
        let (blocks, group) = (&linear.blocks, linear.adjoint());
        let result = &mut self.force_residual;
        result.fill(0.0);
        blocks.residual_q.add_product(group, 1.0, &self.q, result);
        blocks.residual_v.add_product(group, 1.0, &self.v, result);
        blocks.constraint_q.add_transposed_product(group, 1.0, &self.lambda, result);
        if let Some(parameter) = self.parameter {
            blocks.residual_p.add_column(group, 1.0, parameter, result);
        }
    }

    pub fn differentiate_outputs(&self, linear: &LinearStep<'_, M>, row: &mut [f64]) {
        let (blocks, group) = (&linear.blocks, linear.outputs());
        blocks.output_q.add_product(group, 1.0, &self.q, row);
        blocks.output_v.add_product(group, 1.0, &self.v, row);
        blocks.output_a.add_product(group, 1.0, &self.a, row);
        blocks.output_lambda.add_product(group, 1.0, &self.lambda, row);
        if let Some(parameter) = self.parameter {
            blocks.output_p.add_column(group, 1.0, parameter, row);
        }
    }
}
