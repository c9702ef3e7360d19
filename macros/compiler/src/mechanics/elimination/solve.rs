//! Forward and back substitution with the factors, as expressions.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::Elimination;
use super::steps::{Step, Sum};
use crate::symbolic::{Given, Graph, Id, Symbol};

/// The factors as substitution takes them: step by step, with later steps named by their place in the order.
#[derive(Debug)]
pub struct Factors {
    sums: Vec<Sum>,
    steps: Vec<Step>,
    step_of_row: Vec<usize>,
    step_of_column: Vec<usize>,
}

impl Elimination {
    /// The factors as the expressions that they are.
    pub fn factors(&self) -> Factors {
        Factors::new(&self.sums, &self.steps)
    }

    /// The factors of the sums of blocks.
    pub fn factors_of_blocks(&self) -> Factors {
        Factors::new(&self.sums, &self.steps_of_blocks)
    }

    /// The factors with a symbol for each that changes during a run, numbered as in [`varying`](Self::varying).
    pub fn given_factors(&self, graph: &mut Graph) -> Factors {
        let varying = self.varying(graph).into_iter().enumerate();
        let places: FxHashMap<Id, usize> = varying.map(|(place, id)| (id, place)).collect();
        let place = |graph: &Graph, id| places.get(&graph.without_sign(id).0).copied();
        let mut given = |id: &mut Id| {
            if let Some(place) = place(graph, *id) {
                let symbol = graph.symbol(Symbol::Given(Given::Factor, place));
                *id = if graph.without_sign(*id).1 { graph.negate(symbol) } else { symbol };
            }
        };
        let mut factors = self.factors();
        factors.sums.iter_mut().flat_map(|sum| &mut sum.lower).for_each(|(_, value)| given(value));
        for step in &mut factors.steps {
            given(&mut step.inverse);
            step.upper.iter_mut().chain(&mut step.lower).for_each(|(_, value)| given(value));
        }
        factors
    }
}

impl Factors {
    fn new(sums: &[Sum], steps: &[Step]) -> Factors {
        let (mut step_of_row, mut step_of_column) = (vec![0; steps.len()], vec![0; steps.len()]);
        for (k, step) in steps.iter().enumerate() {
            (step_of_row[step.row], step_of_column[step.column]) = (k, k);
        }
        Factors { sums: sums.to_vec(), steps: steps.to_vec(), step_of_row, step_of_column }
    }

    /// x of K x = b.
    pub fn solve(&self, graph: &mut Graph, mut right: Vec<Id>) -> Vec<Id> {
        for sum in &self.sums {
            for &(row, factor) in &sum.lower {
                right[row] = minus(graph, right[row], factor, right[sum.row]);
            }
        }
        for step in &self.steps {
            for &(row, factor) in &step.lower {
                right[row] = minus(graph, right[row], factor, right[step.row]);
            }
        }
        let mut found = right.clone();
        for step in self.steps.iter().rev() {
            // those found last come last, so that nothing waits for them longer than necessary
            let mut upper = step.upper.clone();
            upper.sort_by_key(|&(column, _)| Reverse(self.step_of_column[column]));
            let sum = upper
                .into_iter()
                .fold(right[step.row], |sum, (column, factor)| minus(graph, sum, factor, found[column]));
            found[step.column] = graph.multiply(sum, step.inverse);
        }
        found
    }

    /// x of K^T x = b.
    pub fn solve_transposed(&self, graph: &mut Graph, mut right: Vec<Id>) -> Vec<Id> {
        for step in &self.steps {
            right[step.column] = graph.multiply(right[step.column], step.inverse);
            for &(column, factor) in &step.upper {
                right[column] = minus(graph, right[column], factor, right[step.column]);
            }
        }
        let mut found = right.clone();
        for step in self.steps.iter().rev() {
            let mut lower = step.lower.clone();
            lower.sort_by_key(|&(row, _)| Reverse(self.step_of_row[row]));
            found[step.row] =
                lower.into_iter().fold(right[step.column], |sum, (row, factor)| minus(graph, sum, factor, found[row]));
        }
        for sum in &self.sums {
            let lower = sum.lower.iter();
            found[sum.row] = lower.fold(found[sum.row], |sum, &(row, factor)| minus(graph, sum, factor, found[row]));
        }
        found
    }
}

/// `sum - factor x`
fn minus(graph: &mut Graph, sum: Id, factor: Id, x: Id) -> Id {
    let product = graph.multiply(factor, x);
    graph.subtract(sum, product)
}
