//! The Jacobians of one HHT step in symbolic form (DA 16 to 19), for reports and for comparison with the literature.

use super::block::Block;
use super::equations::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Integrator};

/// A dense matrix of expressions, by rows.
pub type Matrix = Vec<Vec<Id>>;

/// df_i/dx_i and df_{i+1}/dx_i of x = (q, v, a, lambda), with q_{i+1} and v_{i+1} expressed by x_i and a_{i+1}.
#[derive(Debug, Clone)]
pub struct StepMatrices {
    /// df_i/dx_i, all symbols at t_i (DA 16).
    pub wrt_state: Matrix,
    /// The part of df_{i+1}/dx_i with its symbols at t_{i+1} (DA 17 to 19, with C_q at t_{i+1}).
    pub wrt_previous_state_new: Matrix,
    /// The part of df_{i+1}/dx_i with its symbols at t_i; df_{i+1}/dx_i is the sum of both.
    pub wrt_previous_state_old: Matrix,
}

impl StepMatrices {
    /// Derives the matrices in `graph`.
    pub fn new(model: &Model, graph: &mut Graph, equations: &Equations) -> StepMatrices {
        let layout = Layout { n: model.coordinates.len(), m: model.constraints.len() };
        StepMatrices {
            wrt_state: wrt_state(graph, layout, equations),
            wrt_previous_state_new: wrt_previous_new(graph, layout, equations),
            wrt_previous_state_old: wrt_previous_old(graph, layout, equations),
        }
    }
}

/// Rows f1, f2 (Newmark), f3 (motion), f4 (constraints / (beta h^2)); columns q, v, a, lambda.
#[derive(Clone, Copy)]
struct Layout {
    n: usize,
    m: usize,
}

impl Layout {
    fn zeros(self, graph: &mut Graph) -> Matrix {
        let size = 3 * self.n + self.m;
        vec![vec![graph.zero(); size]; size]
    }

    fn add_diagonal(self, graph: &mut Graph, matrix: &mut Matrix, row: usize, column: usize, value: Id) {
        for i in 0..self.n {
            let entry = &mut matrix[row * self.n + i][column * self.n + i];
            *entry = graph.add(*entry, value);
        }
    }

    fn add(self, graph: &mut Graph, matrix: &mut Matrix, at: (usize, usize), block: &Block, factor: Id) {
        for (row, column, value) in block.iter() {
            let term = graph.multiply(factor, value);
            let entry = &mut matrix[at.0 * self.n + row][at.1 * self.n + column];
            *entry = graph.add(*entry, term);
        }
    }

    fn add_transposed(self, graph: &mut Graph, matrix: &mut Matrix, at: (usize, usize), block: &Block, factor: Id) {
        for (row, column, value) in block.iter() {
            let term = graph.multiply(factor, value);
            let entry = &mut matrix[at.0 * self.n + column][at.1 * self.n + row];
            *entry = graph.add(*entry, term);
        }
    }
}

fn wrt_state(graph: &mut Graph, layout: Layout, equations: &Equations) -> Matrix {
    let mut matrix = layout.zeros(graph);
    let one = graph.constant(1.0);
    let dq = graph.weight(Integrator::Coordinates);
    let dv = graph.weight(Integrator::Velocities);
    let (minus_dq, minus_dv) = (graph.negate(dq), graph.negate(dv));
    layout.add_diagonal(graph, &mut matrix, 0, 0, one);
    layout.add_diagonal(graph, &mut matrix, 0, 2, minus_dq);
    layout.add_diagonal(graph, &mut matrix, 1, 1, one);
    layout.add_diagonal(graph, &mut matrix, 1, 2, minus_dv);
    layout.add(graph, &mut matrix, (2, 2), &equations.step, one);
    layout.add_transposed(graph, &mut matrix, (2, 3), &equations.constraint_q, one);
    layout.add(graph, &mut matrix, (3, 2), &equations.constraint_q, one);
    matrix
}

fn wrt_previous_new(graph: &mut Graph, layout: Layout, equations: &Equations) -> Matrix {
    let mut matrix = layout.zeros(graph);
    let one = graph.constant(1.0);
    let minus_one = graph.constant(-1.0);
    let h = graph.weight(Integrator::Step);
    let w_a = graph.weight(Integrator::Accelerations);
    let w_q = graph.weight(Integrator::Coordinates);
    let w_v = graph.weight(Integrator::Velocities);
    // dq/da_i = h^2/2 (1 - 2 beta), dv/da_i = h (1 - gamma)
    let square = graph.power_integer(h, 2);
    let half = graph.constant(0.5);
    let half_square = graph.multiply(half, square);
    let dq = graph.subtract(half_square, w_q);
    let dv = graph.subtract(h, w_v);
    let (minus_h, minus_dq, minus_dv) = (graph.negate(h), graph.negate(dq), graph.negate(dv));
    layout.add_diagonal(graph, &mut matrix, 0, 0, minus_one);
    layout.add_diagonal(graph, &mut matrix, 0, 1, minus_h);
    layout.add_diagonal(graph, &mut matrix, 0, 2, minus_dq);
    layout.add_diagonal(graph, &mut matrix, 1, 1, minus_one);
    layout.add_diagonal(graph, &mut matrix, 1, 2, minus_dv);
    for (column, rate) in [(0, one), (1, h), (2, dq)] {
        let inertia_rate = graph.multiply(w_a, rate);
        layout.add(graph, &mut matrix, (2, column), &equations.inertia_q, inertia_rate);
        layout.add(graph, &mut matrix, (2, column), &equations.residual_q, rate);
        let scaled = graph.divide(rate, w_q);
        layout.add(graph, &mut matrix, (3, column), &equations.constraint_q, scaled);
    }
    layout.add(graph, &mut matrix, (2, 1), &equations.residual_v, one);
    layout.add(graph, &mut matrix, (2, 2), &equations.residual_v, dv);
    matrix
}

fn wrt_previous_old(graph: &mut Graph, layout: Layout, equations: &Equations) -> Matrix {
    let mut matrix = layout.zeros(graph);
    let previous = graph.weight(Integrator::Previous);
    let factor = graph.negate(previous);
    layout.add(graph, &mut matrix, (2, 0), &equations.residual_q, factor);
    layout.add(graph, &mut matrix, (2, 1), &equations.residual_v, factor);
    layout.add_transposed(graph, &mut matrix, (2, 3), &equations.constraint_q, factor);
    matrix
}
