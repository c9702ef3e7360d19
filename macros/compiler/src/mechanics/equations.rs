//! The canonical equations M(q,p) a + C_q^T lambda = f, C = 0, with the constraints on velocity and acceleration
//! level.

use std::collections::BTreeMap;

use super::{Argument, Block, Function};
use crate::model::Model;
use crate::symbolic::{Graph, Id, Integrator, Symbol};

/// The vectors of the equations of motion and the matrices that several functions need.
#[derive(Debug, Clone)]
pub struct Equations {
    /// M a
    pub inertia: Vec<Id>,
    /// f
    pub force: Vec<Id>,
    /// C_q^T lambda
    pub constraint_force: Vec<Id>,
    /// G = C_q^T lambda - f
    pub force_residual: Vec<Id>,
    /// C
    pub constraint: Vec<Id>,
    /// C_q v + C_t
    pub constraint_velocity: Vec<Id>,
    /// C_q a + (C_q v)_q v + 2 C_qt v + C_tt
    pub constraint_acceleration: Vec<Id>,
    /// M
    pub mass: Block,
    /// (M a)_q
    pub inertia_q: Block,
    /// G_q
    pub residual_q: Block,
    /// G_v
    pub residual_v: Block,
    /// C_q
    pub constraint_q: Block,
    /// w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v, the matrix of a step before the constraints are added (DA 16).
    pub step: Block,
    /// The matrix of a step where (M a)_q, G_q and G_v are not needed themselves: derived in one piece if that takes
    /// fewer operations, else `step`.
    pub newton: Block,
}

impl Equations {
    /// Derives the equations of `model` in the graph of its expressions.
    pub fn new(model: &Model, graph: &mut Graph) -> Equations {
        let n = model.coordinates.len();
        let mass = mass_matrix(graph, &model.mass, n);
        let inertia = rows_times_symbols(graph, &mass, n, Symbol::Acceleration);
        let constraint = model.constraint.clone();
        let constraint_q = Block::derivative(graph, Function::Constraint, &constraint, Argument::Coordinates, n);
        let constraint_force = columns_times_symbols(graph, &constraint_q, n, Symbol::Multiplier);
        let force = model.force.clone();
        let force_residual: Vec<Id> =
            constraint_force.iter().zip(&force).map(|(&c, &f)| graph.subtract(c, f)).collect();
        let constraint_velocity: Vec<Id> = constraint.iter().map(|&c| graph.time_derivative(c)).collect();
        let constraint_acceleration: Vec<Id> = constraint_velocity.iter().map(|&c| graph.time_derivative(c)).collect();
        let inertia_q = Block::derivative(graph, Function::Inertia, &inertia, Argument::Coordinates, n);
        let residual = Function::ForceResidual;
        let residual_q = Block::derivative(graph, residual, &force_residual, Argument::Coordinates, n);
        let residual_v = Block::derivative(graph, residual, &force_residual, Argument::Velocities, n);
        let step = step_matrix(graph, &mass, &inertia_q, &residual_q, &residual_v);
        let newton = newton_matrix(graph, &inertia, &force_residual, &step, &residual_v);
        Equations {
            inertia,
            force,
            constraint_force,
            force_residual,
            constraint,
            constraint_velocity,
            constraint_acceleration,
            mass,
            inertia_q,
            residual_q,
            residual_v,
            constraint_q,
            step,
            newton,
        }
    }
}

/// M in full, from its upper triangle.
fn mass_matrix(graph: &Graph, upper: &BTreeMap<(usize, usize), Id>, n: usize) -> Block {
    let mut entries: Vec<(usize, usize, Id)> = Vec::new();
    for (&(row, column), &value) in upper {
        entries.push((row, column, value));
        if row != column {
            entries.push((column, row, value));
        }
    }
    entries.sort_unstable();
    let mut mass = Block::empty(Function::Inertia, Argument::Accelerations, n, n);
    for (row, column, value) in entries {
        mass.push(graph, row, column, value);
    }
    mass
}

/// B x, with one symbol per column.
fn rows_times_symbols(graph: &mut Graph, block: &Block, n: usize, symbol: fn(usize) -> Symbol) -> Vec<Id> {
    let mut product = vec![graph.zero(); n];
    for (row, column, value) in block.iter() {
        let x = graph.symbol(symbol(column));
        let term = graph.multiply(value, x);
        product[row] = graph.add(product[row], term);
    }
    product
}

/// B^T x, with one symbol per row.
fn columns_times_symbols(graph: &mut Graph, block: &Block, n: usize, symbol: fn(usize) -> Symbol) -> Vec<Id> {
    let mut product = vec![graph.zero(); n];
    for (row, column, value) in block.iter() {
        let x = graph.symbol(symbol(row));
        let term = graph.multiply(value, x);
        product[column] = graph.add(product[column], term);
    }
    product
}

fn step_matrix(graph: &mut Graph, mass: &Block, inertia_q: &Block, residual_q: &Block, residual_v: &Block) -> Block {
    let [w_a, w_q, w_v] =
        [Integrator::Accelerations, Integrator::Coordinates, Integrator::Velocities].map(|weight| graph.weight(weight));
    let w_qa = graph.multiply(w_q, w_a);
    let mut sums: BTreeMap<(usize, usize), Id> = BTreeMap::new();
    for (block, weight) in [(mass, w_a), (inertia_q, w_qa), (residual_q, w_q), (residual_v, w_v)] {
        for (row, column, value) in block.iter() {
            let term = graph.multiply(weight, value);
            let sum = sums.get(&(row, column)).copied().unwrap_or_else(|| graph.zero());
            let sum = graph.add(sum, term);
            sums.insert((row, column), sum);
        }
    }
    let mut step = Block::empty(Function::Step, Argument::Accelerations, mass.rows, mass.columns);
    for ((row, column), value) in sums {
        step.push(graph, row, column, value);
    }
    step
}

/// The entries of `step` as derivatives of the residual by what accelerations take along in a step. Velocities and
/// positions go through the same products then, where forces depend on both.
fn newton_matrix(graph: &mut Graph, inertia: &[Id], force_residual: &[Id], step: &Block, residual_v: &Block) -> Block {
    // Part of the work that has to be saved by what is derived in one piece, so that other models do not change in
    // their last digits.
    const MIN_SAVING: f64 = 0.1;
    if residual_v.values.iter().all(|&id| graph.is_run_constant(id)) {
        return step.clone();
    }
    let w_a = graph.weight(Integrator::Accelerations);
    let mut newton = Block::empty(step.function, Argument::Accelerations, step.rows, step.columns);
    for &(row, column) in &step.entries {
        let inertia = graph.differentiate_by_step(inertia[row], column);
        let weighted = graph.multiply(w_a, inertia);
        let forces = graph.differentiate_by_step(force_residual[row], column);
        let value = graph.add(weighted, forces);
        newton.push(graph, row, column, value);
    }
    let work = |block: &Block| graph.work(&block.values) as f64;
    let saves = newton.entries == step.entries && work(&newton) <= (1.0 - MIN_SAVING) * work(step);
    if saves { newton } else { step.clone() }
}
