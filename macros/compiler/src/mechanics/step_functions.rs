//! Expressions for everything that one step of the integrator and one step of the discrete adjoint compute: residual,
//! elimination, substitution and products share subexpressions, and no intermediate results are stored.

use super::adjoint_parts::AdjointParts;
use super::adjoint_step::{AdjointStep, history};
use super::elimination::Elimination;
use super::equations::Equations;
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id, Integrator, Symbol};

/// The expressions of a step; only for models whose Newton matrix is eliminated symbolically.
#[derive(Debug, Clone)]
pub struct StepFunctions {
    /// True if the functions are to be written in loops, because the elimination follows like parts of a large model.
    pub in_loops: bool,
    /// The factors that change during a run.
    pub factors: Vec<Id>,
    /// The factors as the adjoint computes them, together with the blocks of the matrix.
    pub adjoint_factors: Vec<Id>,
    /// -K^-1 r (n + m): the correction of a Newton iteration, of a and lambda.
    pub correction: Vec<Id>,
    /// -K^-1 r (n + m) with given factors.
    pub correction_by_factors: Vec<Id>,
    /// K^-1 b with given factors (n + m).
    pub solution: Vec<Id>,
    /// K^-T b with given factors (n + m).
    pub transposed_solution: Vec<Id>,
    /// One step of the discrete adjoint, including the history.
    pub adjoint: AdjointStep,
    /// The contribution of the history to the right-hand side of a step of the adjoint (n + m).
    pub history: Vec<Id>,
    /// One step of the discrete adjoint in which the history is part of the passed right-hand side.
    pub adjoint_without_history: AdjointStep,
    /// The step of the adjoint in two parts; `None` before `lowered`, or if the split is not worth while.
    pub adjoint_parts: Option<AdjointParts>,
}

impl StepFunctions {
    /// Derives the functions in `graph`.
    pub fn new(model: &Model, graph: &mut Graph, equations: &Equations, elimination: &Elimination) -> StepFunctions {
        let size = elimination.steps.len();
        let factors = elimination.factors();
        let given = elimination.given_factors(graph);
        let right = negative_residual(graph, equations);
        let given_right = graph.given(Given::RightSide, size);
        let (of_blocks, history) = (elimination.factors_of_blocks(), history(graph, equations));
        StepFunctions {
            in_loops: elimination.is_regular,
            factors: elimination.varying(graph),
            correction: factors.solve(graph, right.clone()),
            correction_by_factors: given.solve(graph, right),
            solution: given.solve(graph, given_right.clone()),
            transposed_solution: given.solve_transposed(graph, given_right),
            adjoint_factors: elimination.varying_of_blocks(graph),
            adjoint: AdjointStep::new(model, graph, equations, &of_blocks, Some(&history)),
            adjoint_without_history: AdjointStep::new(model, graph, equations, &of_blocks, None),
            history,
            adjoint_parts: None,
        }
    }

    /// Lowers the functions for emission: powers become products, and sums and products are regrouped to shorten
    /// chains of operations.
    pub fn lowered(&self, graph: &mut Graph) -> StepFunctions {
        // expressions of one emitted function are lowered together
        let mut lower = |parts: [&[Id]; 2]| {
            rewrite(parts, |roots| {
                let roots = graph.lower_powers(roots);
                // regrouped sums would differ between like parts of the model
                if self.in_loops { roots } else { graph.balance(&roots) }
            })
        };
        let (factors, correction) = lower([&self.factors, &self.correction]);
        let AdjointStep { variables, gradient } = &self.adjoint;
        let (adjoint_factors, mut step) = if self.adjoint_factors == self.factors {
            (factors.clone(), joined(lower([variables, gradient])))
        } else {
            lower([&self.adjoint_factors, &[&variables[..], gradient].concat()])
        };
        let gradient = step.split_off(variables.len());
        let [correction_by_factors, solution, transposed_solution] =
            [&self.correction_by_factors, &self.solution, &self.transposed_solution].map(|part| lower([part, &[]]).0);
        let gradient = if self.in_loops { graph.group_long_sums(&gradient) } else { gradient };
        StepFunctions {
            in_loops: self.in_loops,
            factors,
            adjoint_factors,
            correction,
            correction_by_factors,
            solution,
            transposed_solution,
            adjoint: AdjointStep { variables: step, gradient },
            adjoint_parts: self.adjoint_parts(graph),
            history: self.history.clone(),
            adjoint_without_history: self.adjoint_without_history.clone(),
        }
    }

    /// Splits the step of the adjoint in two parts, for emission.
    fn adjoint_parts(&self, graph: &mut Graph) -> Option<AdjointParts> {
        let AdjointStep { variables, gradient } = &self.adjoint_without_history;
        let step = [&variables[..], gradient, &self.history].concat();
        let (factors, mut step) = rewrite([&self.adjoint_factors, &step], |roots| graph.lower_powers(roots));
        let mut gradient = step.split_off(variables.len());
        let history = gradient.split_off(self.adjoint_without_history.gradient.len());
        let mut parts = AdjointParts::new(graph, &factors, &AdjointStep { variables: step, gradient }, &history)?;
        if self.in_loops {
            parts.recurrence.gradient = graph.group_long_sums(&parts.recurrence.gradient);
            return Some(parts);
        }
        let AdjointStep { variables, gradient } = &parts.recurrence;
        let (variables, gradient) = rewrite([variables, gradient], |roots| graph.balance(roots));
        let history = graph.balance(&parts.history);
        let (factors, coefficients) = rewrite([&parts.factors, &parts.coefficients], |roots| graph.balance(roots));
        let recurrence = AdjointStep { variables, gradient };
        Some(AdjointParts { factors, coefficients, recurrence, history, ..parts })
    }
}

fn joined((mut first, second): (Vec<Id>, Vec<Id>)) -> Vec<Id> {
    first.extend(second);
    first
}

/// Rewrites two lists of expressions together.
fn rewrite(parts: [&[Id]; 2], rewrite: impl FnOnce(&[Id]) -> Vec<Id>) -> (Vec<Id>, Vec<Id>) {
    let mut first = rewrite(&parts.concat());
    let second = first.split_off(parts[0].len());
    (first, second)
}

/// Derives `-(w_a M a + G - history)`, and then `-C/w_q`.
fn negative_residual(graph: &mut Graph, equations: &Equations) -> Vec<Id> {
    let [w_a, w_q] = [Integrator::Accelerations, Integrator::Coordinates].map(|name| graph.weight(name));
    let mut right = graph.given(Given::History, equations.force.len());
    for (row, right) in right.iter_mut().enumerate() {
        let driven = graph.add(*right, equations.force[row]);
        *right = graph.subtract(driven, equations.constraint_force[row]);
    }
    for (row, column, value) in equations.mass.iter() {
        let acceleration = graph.symbol(Symbol::Acceleration(column));
        let inertia = graph.multiply(w_a, value);
        let inertia = graph.multiply(inertia, acceleration);
        right[row] = graph.subtract(right[row], inertia);
    }
    let scale = graph.reciprocal(w_q);
    for &constraint in &equations.constraint {
        let scaled = graph.multiply(scale, constraint);
        let negative = graph.negate(scaled);
        right.push(negative);
    }
    right
}
