//! One step of the discrete adjoint, as expressions.

use super::block::Block;
use super::elimination::Factors;
use super::equations::Equations;
use super::groups::derivative;
use super::{Argument, Function};
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id, Integrator};

/// A step i of the adjoint, as a function of the values that step i + 1 passes on.
#[derive(Debug, Clone)]
pub struct AdjointStep {
    /// Changes of y and z apart from those of the integration scheme (2n), then w (n) and mu (m).
    pub variables: Vec<Id>,
    /// Contribution of this step to dJ/dp, for every parameter.
    pub gradient: Vec<Id>,
}

impl AdjointStep {
    /// Derives the step in `graph`, with `history` added to the right-hand side; if it is `None`, the history is part
    /// of the passed right-hand side.
    pub fn new(
        model: &Model,
        graph: &mut Graph,
        equations: &Equations,
        factors: &Factors,
        history: Option<&[Id]>,
    ) -> Self {
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

        let [w_a, w_q, w_v] =
            [Integrator::Accelerations, Integrator::Coordinates, Integrator::Velocities].map(|name| graph.weight(name));
        let passed = graph.given(Given::AdjointCarry, n + m);
        let carried = graph.given(Given::Carried, n);
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
        let scale = graph.reciprocal(w_q);
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
        Self { variables: [&y, &z, &solution[..]].concat(), gradient }
    }
}

/// Derives the contribution of G of a step to the right-hand side of the step's adjoint that arises because step
/// i + 1 has k' G in its history: the transposed derivatives times k' w of step i + 1 (n + m).
pub fn history(graph: &mut Graph, equations: &Equations) -> Vec<Id> {
    let (n, m) = (equations.force.len(), equations.constraint.len());
    let [w_q, w_v] = [Integrator::Coordinates, Integrator::Velocities].map(|name| graph.weight(name));
    let carried = graph.given(Given::Carried, n);
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

/// Computes `sums += sign B^T x`, where x has an entry for each row of B.
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

/// Derives the derivatives of the cost J(s), by the chain rule through the outputs.
fn cost_gradient(model: &Model, graph: &mut Graph, argument: Argument, length: usize) -> Vec<Id> {
    let output = model.output.clone();
    let block = derivative(model, graph, Function::Output, &output, argument);
    let given = graph.given(Given::OutputGradient, output.len());
    let mut sums = vec![graph.zero(); length];
    add_transposed(graph, &mut sums, &block, Sign::Plus, &given);
    sums
}
