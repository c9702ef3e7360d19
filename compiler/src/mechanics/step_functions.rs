//! What one step of the integrator and one of the discrete adjoint compute, as expressions from end to end: residual,
//! elimination, substitution and products share what they have in common, and nothing is stored in between.

use super::adjoint_parts::AdjointParts;
use super::elimination::{Elimination, Factors};
use super::equations::Equations;
use super::groups::derivative;
use super::{Argument, Block, Function};
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id, Integrator, Symbol};

/// The expressions of a step; only for models whose Newton matrix is eliminated symbolically.
#[derive(Debug, Clone)]
pub struct StepFunctions {
    /// Whether they are to be written in loops: the elimination goes along like parts of a large model.
    pub in_loops: bool,
    /// The factors that change during a run.
    pub factors: Vec<Id>,
    /// The factors as the adjoint computes them, which needs the blocks of the matrix as well.
    pub adjoint_factors: Vec<Id>,
    /// -K^-1 r (n + m): the correction of a Newton iteration, of a and lambda.
    pub correction: Vec<Id>,
    /// The same with factors that are given.
    pub correction_by_factors: Vec<Id>,
    /// K^-1 b with given factors (n + m).
    pub solution: Vec<Id>,
    /// K^-T b with given factors (n + m).
    pub transposed_solution: Vec<Id>,
    /// One step of the discrete adjoint, history included.
    pub adjoint: AdjointStep,
    /// What the history adds to the right-hand side of a step of the adjoint (n + m).
    pub history: Vec<Id>,
    /// A step with its history passed on.
    pub adjoint_without_history: AdjointStep,
    /// The step in two parts, in functions that are lowered.
    pub adjoint_parts: Option<AdjointParts>,
}

/// A step i of the adjoint: what step i + 1 passes on is given.
#[derive(Debug, Clone)]
pub struct AdjointStep {
    /// What y and z change by besides what the scheme says (2n), then w (n) and mu (m).
    pub variables: Vec<Id>,
    /// dJ/dp of this step, for every parameter.
    pub gradient: Vec<Id>,
}

impl StepFunctions {
    /// Derives the functions in `graph`.
    pub fn new(
        model: &Model,
        graph: &mut Graph,
        equations: &Equations,
        elimination: &Elimination,
    ) -> StepFunctions {
        let size = elimination.steps.len();
        let factors = elimination.factors();
        let given = elimination.given_factors(graph);
        let right = negative_residual(graph, equations);
        let given_right = symbols(graph, Given::RightSide, size);
        let (of_blocks, history) = (elimination.factors_of_blocks(), history(graph, equations));
        StepFunctions {
            in_loops: elimination.is_regular,
            factors: elimination.varying(graph),
            correction: factors.solve(graph, right.clone()),
            correction_by_factors: given.solve(graph, right),
            solution: given.solve(graph, given_right.clone()),
            transposed_solution: given.solve_transposed(graph, given_right),
            adjoint_factors: elimination.varying_of_blocks(graph),
            adjoint: adjoint(model, graph, equations, &of_blocks, Some(&history)),
            adjoint_without_history: adjoint(model, graph, equations, &of_blocks, None),
            history,
            adjoint_parts: None,
        }
    }

    /// With powers as products, and sums and products in an order that makes nothing wait, for emission.
    pub fn lowered(&self, graph: &mut Graph) -> StepFunctions {
        // what one emitted function computes goes together
        let mut lower = |parts: [&[Id]; 2]| {
            rewrite(parts, |roots| {
                let roots = graph.lower_powers(roots);
                // sums in another order would be different from one part of the model to the next
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
        let mut alone = |part: &[Id]| lower([part, &[]]).0;
        StepFunctions {
            in_loops: self.in_loops,
            factors,
            adjoint_factors,
            correction,
            correction_by_factors: alone(&self.correction_by_factors),
            solution: alone(&self.solution),
            transposed_solution: alone(&self.transposed_solution),
            adjoint: AdjointStep { variables: step, gradient },
            adjoint_parts: self.adjoint_parts(graph),
            history: self.history.clone(),
            adjoint_without_history: self.adjoint_without_history.clone(),
        }
    }

    /// The step of the adjoint in two parts, for emission.
    fn adjoint_parts(&self, graph: &mut Graph) -> Option<AdjointParts> {
        let AdjointStep { variables, gradient } = &self.adjoint_without_history;
        let step = [&variables[..], gradient, &self.history].concat();
        let (factors, mut step) = rewrite([&self.adjoint_factors, &step], |roots| graph.lower_powers(roots));
        let mut gradient = step.split_off(variables.len());
        let history = gradient.split_off(self.adjoint_without_history.gradient.len());
        let parts = AdjointParts::new(graph, &factors, &AdjointStep { variables: step, gradient }, &history)?;
        if self.in_loops {
            return Some(parts);
        }
        let AdjointStep { variables, gradient } = &parts.recurrence;
        let (variables, gradient) = rewrite([variables, gradient], |roots| graph.balance(roots));
        let history = graph.balance(&parts.history);
        let (factors, coefficients) =
            rewrite([&parts.factors, &parts.coefficients], |roots| graph.balance(roots));
        let recurrence = AdjointStep { variables, gradient };
        Some(AdjointParts { factors, coefficients, recurrence, history, ..parts })
    }
}

fn joined((mut first, second): (Vec<Id>, Vec<Id>)) -> Vec<Id> {
    first.extend(second);
    first
}

/// Two lists of expressions, rewritten together.
fn rewrite(parts: [&[Id]; 2], rewrite: impl FnOnce(&[Id]) -> Vec<Id>) -> (Vec<Id>, Vec<Id>) {
    let mut first = rewrite(&parts.concat());
    let second = first.split_off(parts[0].len());
    (first, second)
}

fn symbols(graph: &mut Graph, given: Given, length: usize) -> Vec<Id> {
    (0..length).map(|i| graph.symbol(Symbol::Given(given, i))).collect()
}

fn weight(graph: &mut Graph, weight: Integrator) -> Id {
    graph.symbol(Symbol::Integrator(weight))
}

/// `-(w_a M a + G - history)`, then `-C/w_q`.
fn negative_residual(graph: &mut Graph, equations: &Equations) -> Vec<Id> {
    let [w_a, w_q] = [Integrator::Accelerations, Integrator::Coordinates].map(|name| weight(graph, name));
    let mut right = symbols(graph, Given::History, equations.force.len());
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
    let scale = inverse(graph, w_q);
    for &constraint in &equations.constraint {
        let scaled = graph.multiply(scale, constraint);
        let negative = graph.negate(scaled);
        right.push(negative);
    }
    right
}

fn inverse(graph: &mut Graph, value: Id) -> Id {
    let one = graph.constant(1.0);
    graph.divide(one, value)
}

/// `sums += sign factor B^T x`, where x belongs to B's rows.
fn add_transposed(graph: &mut Graph, sums: &mut [Id], block: &Block, sign: Sign, x: &[Id]) {
    for (row, column, value) in block.iter() {
        let product = graph.multiply(value, x[row]);
        sums[column] = match sign {
            Sign::Plus => graph.add(sums[column], product),
            Sign::Minus => graph.subtract(sums[column], product),
        };
    }
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

fn scaled(graph: &mut Graph, factor: Id, values: &[Id]) -> Vec<Id> {
    values.iter().map(|&value| graph.multiply(factor, value)).collect()
}

/// The derivatives of the cost J(s) by way of the outputs.
fn cost_gradient(model: &Model, graph: &mut Graph, argument: Argument, length: usize) -> Vec<Id> {
    let output = model.output.clone();
    let block = derivative(model, graph, Function::Output, &output, argument);
    let given = symbols(graph, Given::OutputGradient, output.len());
    let mut sums = vec![graph.zero(); length];
    add_transposed(graph, &mut sums, &block, Sign::Plus, &given);
    sums
}

/// With `history` in the right-hand side; without it, that is part of what is passed on.
fn adjoint(
    model: &Model,
    graph: &mut Graph,
    equations: &Equations,
    factors: &Factors,
    history: Option<&[Id]>,
) -> AdjointStep {
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let parameters = model.parameters.len();
    let of_q = cost_gradient(model, graph, Argument::Coordinates, n);
    let of_v = cost_gradient(model, graph, Argument::Velocities, n);
    let of_a = cost_gradient(model, graph, Argument::Accelerations, n);
    let of_lambda = cost_gradient(model, graph, Argument::Multipliers, m);
    let mut gradient = cost_gradient(model, graph, Argument::Parameters, parameters);
    let by_parameters = [
        (Function::Inertia, &equations.inertia),
        (Function::ForceResidual, &equations.force_residual),
        (Function::Constraint, &equations.constraint),
    ]
    .map(|(function, values)| derivative(model, graph, function, values, Argument::Parameters));

    let [w_a, w_q, w_v] = [Integrator::Accelerations, Integrator::Coordinates, Integrator::Velocities]
        .map(|name| weight(graph, name));
    let passed = symbols(graph, Given::Passed, n + m);
    let carried = symbols(graph, Given::Carried, n);
    let mut right = Vec::with_capacity(n + m);
    for j in 0..n {
        let mut row = graph.negate(of_a[j]);
        for (factor, derivative) in [(w_q, of_q[j]), (w_v, of_v[j])] {
            let term = graph.multiply(factor, derivative);
            row = graph.subtract(row, term);
        }
        right.push(graph.add(row, passed[j]));
    }
    for (&derivative, &passed) in of_lambda.iter().zip(&passed[n..]) {
        right.push(graph.subtract(passed, derivative));
    }
    if let Some(history) = history {
        right = right.iter().zip(history).map(|(&right, &history)| graph.add(right, history)).collect();
    }

    let solution = factors.solve_transposed(graph, right);
    let (w, mu) = solution.split_at(n);
    let inertia_w = scaled(graph, w_a, w);
    let scale = inverse(graph, w_q);
    let constraint_mu = scaled(graph, scale, mu);
    // G_i enters step i with w_i and step i + 1 with -k' w_{i+1}
    let change: Vec<Id> = (0..n).map(|j| graph.subtract(w[j], carried[j])).collect();
    let mut y: Vec<Id> = of_q.iter().map(|&derivative| graph.negate(derivative)).collect();
    let mut z: Vec<Id> = of_v.iter().map(|&derivative| graph.negate(derivative)).collect();
    add_transposed(graph, &mut y, &equations.inertia_q, Sign::Minus, &inertia_w);
    add_transposed(graph, &mut y, &equations.residual_q, Sign::Minus, &change);
    add_transposed(graph, &mut y, &equations.constraint_q, Sign::Minus, &constraint_mu);
    add_transposed(graph, &mut z, &equations.residual_v, Sign::Minus, &change);

    let [inertia_p, residual_p, constraint_p] = &by_parameters;
    add_transposed(graph, &mut gradient, inertia_p, Sign::Plus, &inertia_w);
    add_transposed(graph, &mut gradient, residual_p, Sign::Plus, &change);
    add_transposed(graph, &mut gradient, constraint_p, Sign::Plus, &constraint_mu);
    AdjointStep { variables: [&y, &z, &solution[..]].concat(), gradient }
}

/// What G of a step adds to the right-hand side of the step's adjoint because the step after has k' G in its history: the
/// transposed derivatives times k' w of the step after (n + m).
fn history(graph: &mut Graph, equations: &Equations) -> Vec<Id> {
    let (n, m) = (equations.force.len(), equations.constraint.len());
    let [w_q, w_v] = [Integrator::Coordinates, Integrator::Velocities].map(|name| weight(graph, name));
    let carried = symbols(graph, Given::Carried, n);
    let mut sums = vec![graph.zero(); n];
    for (factor, block) in [(w_q, &equations.residual_q), (w_v, &equations.residual_v)] {
        let mut products = vec![graph.zero(); n];
        add_transposed(graph, &mut products, block, Sign::Plus, &carried);
        for (sum, product) in sums.iter_mut().zip(products) {
            let product = graph.multiply(factor, product);
            *sum = graph.add(*sum, product);
        }
    }
    let mut constraints = vec![graph.zero(); m];
    for (row, column, value) in equations.constraint_q.iter() {
        let product = graph.multiply(value, carried[column]);
        constraints[row] = graph.add(constraints[row], product);
    }
    sums.extend(constraints);
    sums
}
