//! The lookups in tables that a model's functions make, and what their values act on: a change of a table's data
//! reaches the equations by them alone.

use costate_contract::{Argument, Function};

use super::block::Block;
use super::equations::Equations;
use crate::limits::{Limit, MAX_MATRIX_ENTRIES};
use crate::model::Model;
use crate::symbolic::{Graph, Id};

/// Lookups on which something depends.
#[derive(Debug, Clone, Default)]
pub struct Lookups {
    /// First those of the equations of a step and of the outputs.
    pub all: Vec<Id>,
    /// The number of lookups of the equations of a step and of the outputs.
    pub of_steps: usize,
}

impl Lookups {
    /// The lookups of the equations of motion, of the outputs, and of what the initial state solves: `initial` values
    /// and the constraints on all levels.
    pub fn new(model: &Model, graph: &mut Graph, equations: &Equations, initial: [&[Id]; 2]) -> Lookups {
        let mut lookups = Lookups::default();
        if model.tables.is_empty() {
            return lookups;
        }
        let Equations { inertia, force_residual, constraint, .. } = equations;
        lookups.add(graph, &[inertia, force_residual, constraint, &model.output].map(Vec::as_slice).concat());
        lookups.of_steps = lookups.all.len();
        let levels = [&equations.constraint_velocity, &equations.constraint_acceleration];
        lookups.add(graph, &[initial.concat(), levels.map(Vec::as_slice).concat()].concat());
        lookups
    }

    /// Adds those on which one of `values` depends.
    fn add(&mut self, graph: &mut Graph, values: &[Id]) {
        for id in graph.reachable(values) {
            let is_new = graph.node(id).lookup().is_some() && !self.all.contains(&id);
            if is_new && values.iter().any(|&value| depends(graph, value, id)) {
                self.all.push(id);
            }
        }
    }

    /// The arguments of the first `count` lookups, one after the other.
    pub fn arguments(&self, graph: &Graph, count: usize) -> Vec<Id> {
        let lookups = self.all.iter().take(count);
        let arguments = lookups.filter_map(|&id| graph.node(id).lookup());
        arguments.flat_map(|(_, arguments)| arguments).flatten().collect()
    }

    /// The derivatives of a function with respect to what the lookups give.
    pub fn derivative(&self, graph: &mut Graph, function: Function, values: &[Id]) -> Block {
        let mut block = Block::empty(function, Argument::Lookups, values.len(), self.all.len());
        for (row, &value) in values.iter().enumerate() {
            for (column, &lookup) in self.all.iter().enumerate() {
                let derivative = graph.differentiate_by_lookup(value, lookup);
                block.push(graph, row, column, derivative);
            }
            if block.entries.len() > MAX_MATRIX_ENTRIES {
                graph.pass(Limit::Entries);
            }
            if graph.exceeded().is_some() {
                return block;
            }
        }
        block
    }
}

fn depends(graph: &mut Graph, value: Id, lookup: Id) -> bool {
    let derivative = graph.differentiate_by_lookup(value, lookup);
    !graph.is_zero(derivative)
}
