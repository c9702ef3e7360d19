//! The Newton matrix [N, C_q^T; C_q, 0] of a step, eliminated on the expression graph.
//!
//! `norms` first adds rows of the norms of Euler parameters to others, so that bodies have definite blocks; no solution
//! changes. A small model without such rows has pivots for positions of all kinds, where these exist; every other model
//! has pivots for the positions that the mechanism reaches (`walk`). In large models coordinates come before
//! constraints, and like parts one after another, so that the elimination can be written in loops.
//!
//! The pattern of the matrix is known when a model is compiled, and so is most of its structure: mass matrices are
//! often constant, constraints often linear in some coordinates. `order` chooses pivots for the pattern, guided by
//! the numbers of `samples`; `factors` builds L and U as expressions. Constants are folded, expressions of parameters
//! and step size alone are computed once per run, and all others share subexpressions with the residual. The runtime
//! monitors the varying pivots, and returns to numerical pivoting where they become too small.
//!
//! For a model without emitted factors, and for the states in which the emitted ones fail, `library` chooses the order
//! in which the library factorises the matrix.

mod factors;
mod library;
mod norms;
mod order;
mod random;
mod samples;
mod solve;
mod steps;
#[cfg(test)]
mod tests;
mod walk;

pub use random::Random;
pub use samples::Reached;

use rustc_hash::FxHashMap;

use super::alike::{self, Component};
use super::block::Block;
use super::equations::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Id};

pub use solve::Factors;
pub use steps::{Step, Sum};

/// Largest number of entries of a matrix for which a pivot order is sought.
const MAX_ENTRIES: usize = 100_000;

/// L and U in a fixed pivot order.
#[derive(Debug, Clone)]
pub struct Elimination {
    /// Additions of rows before the first step.
    pub sums: Vec<Sum>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The steps for entries that are sums of the blocks of the matrix, for functions that compute the blocks as
    /// well.
    pub steps_of_blocks: Vec<Step>,
    /// True if the pivot order is that of a large model, which repeats itself where parts of the model are alike.
    pub is_regular: bool,
}

impl Elimination {
    /// Eliminates the Newton matrix; `None` if no pivot order is suitable or the code would become too long.
    /// `reached` are the positions of the mechanism, once they were needed.
    pub fn new(
        model: &Model,
        graph: &mut Graph,
        equations: &Equations,
        reached: &mut Option<Reached>,
    ) -> Option<Elimination> {
        let size = model.coordinates.len() + model.constraints.len();
        let mut entries = entries(model.coordinates.len(), equations, &equations.newton);
        if entries.len() > MAX_ENTRIES || size == 0 {
            return None;
        }
        let sums = norms::add(model, graph, equations, &mut entries);
        let is_small = size <= order::MAX_SMALL_SIZE && sums.is_empty();
        let anywhere = is_small.then(|| samples::anywhere(model, graph, &entries));
        let of_anywhere =
            anywhere.and_then(|samples| order::choose(size, &order::classified(graph, &entries, &samples)));
        let (order, is_regular) = match of_anywhere {
            Some(order) => (order, false),
            None => {
                let reached = reached.get_or_insert_with(|| Reached::new(model, graph, equations));
                let classified = order::classified(graph, &entries, &reached.sampled(model, graph, &entries));
                of_reached(size, model.coordinates.len(), &classified)?
            }
        };
        let steps = factors::eliminate(graph, size, &entries, &order)?;
        let steps_of_blocks = if equations.newton.values == equations.step.values {
            steps.clone()
        } else {
            let mut entries = self::entries(model.coordinates.len(), equations, &equations.step);
            norms::add(model, graph, equations, &mut entries);
            factors::eliminate(graph, size, &entries, &order)?
        };
        let alike = steps.iter().zip(&steps_of_blocks).all(|(step, other)| step.has_the_places_of(other));
        let steps = if alike { steps } else { steps_of_blocks.clone() };
        Some(Elimination { sums, steps, steps_of_blocks, is_regular })
    }

    /// Lists the entries of L and U and the reciprocal pivots that change during a run, each once and without its
    /// sign. Those that are monitored at run time, pivots and L, come first.
    pub fn varying(&self, graph: &Graph) -> Vec<Id> {
        self.varying_pairs(graph).into_iter().map(|(id, _)| id).collect()
    }

    /// Lists the factors that are monitored at run time, as row, column, and position among the
    /// [`varying`](Self::varying) values: the reciprocals of pivots, and the entries of L.
    pub fn watched(&self, graph: &Graph) -> [Vec<[usize; 3]>; 2] {
        let varying = self.varying(graph);
        let places: FxHashMap<Id, usize> = varying.into_iter().enumerate().map(|(i, id)| (id, i)).collect();
        let place = |id: Id| places.get(&graph.without_sign(id).0).copied();
        let (mut reciprocals, mut lower) = (Vec::new(), Vec::new());
        for step in &self.steps {
            reciprocals.extend(place(step.inverse).map(|index| [step.row, step.column, index]));
            let entries = step.lower.iter();
            lower.extend(entries.filter_map(|&(row, factor)| Some([row, step.column, place(factor)?])));
        }
        [reciprocals, lower]
    }

    /// Lists the [`varying`](Self::varying) values in the same order, for entries that are sums of blocks.
    pub fn varying_of_blocks(&self, graph: &mut Graph) -> Vec<Id> {
        let pairs = self.varying_pairs(graph);
        pairs.into_iter().map(|(_, (id, negative))| if negative { graph.negate(id) } else { id }).collect()
    }

    /// Pairs the varying values without their signs with those for sums of blocks, with `true` where a sign was
    /// removed.
    fn varying_pairs(&self, graph: &Graph) -> Vec<(Id, (Id, bool))> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let values = Self::in_order(&self.sums, &self.steps);
        for (value, of_blocks) in values.zip(Self::in_order(&self.sums, &self.steps_of_blocks)) {
            let (value, negative) = graph.without_sign(value);
            if !graph.is_run_constant(value) && seen.insert(value) {
                found.push((value, (of_blocks, negative)));
            }
        }
        found
    }

    /// Lists reciprocal pivots and L, then U and the factors of the sums.
    fn in_order<'a>(sums: &'a [Sum], steps: &'a [Step]) -> impl Iterator<Item = Id> + 'a {
        let watched = steps
            .iter()
            .flat_map(|step| std::iter::once(step.inverse).chain(step.lower.iter().map(|&(_, value)| value)));
        let upper = steps.iter().flat_map(|step| step.upper.iter().map(|&(_, value)| value));
        let sums = sums.iter().flat_map(|sum| sum.lower.iter().map(|&(_, value)| value));
        watched.chain(upper).chain(sums)
    }

    /// Lists the factors of the sums, and then all reciprocal pivots and entries, step by step.
    pub fn values(&self) -> impl Iterator<Item = Id> + '_ {
        let sums = self.sums.iter().flat_map(|sum| sum.lower.iter().map(|&(_, value)| value));
        let steps = self.steps.iter().flat_map(|step| {
            let entries = step.upper.iter().chain(&step.lower);
            std::iter::once(step.inverse).chain(entries.map(|&(_, value)| value))
        });
        sums.chain(steps)
    }
}

/// Chooses the pivot order, (row, column), in which the library factorises the Newton matrix itself; empty if there is
/// no suitable one, and where the order of the emitted factors suits as well: it is regular, or rows are not summed
/// before.
pub fn order_of_library(
    model: &Model,
    graph: &Graph,
    equations: &Equations,
    emitted: Option<&Elimination>,
    reached: &mut Option<Reached>,
) -> Vec<(usize, usize)> {
    // Number of positions for every entry of a large matrix below which it has so few zeros that its order matters
    // little.
    const MIN_PLACES_PER_ENTRY: usize = 4;
    let entries = entries(model.coordinates.len(), equations, &equations.newton);
    let size = model.coordinates.len() + model.constraints.len();
    let is_known = emitted.is_some_and(|emitted| emitted.is_regular || emitted.sums.is_empty());
    let is_full = size > order::MAX_SMALL_SIZE && entries.len() > size * size / MIN_PLACES_PER_ENTRY;
    if is_known || is_full || entries.len() > MAX_ENTRIES {
        return Vec::new();
    }
    let reached = reached.get_or_insert_with(|| Reached::new(model, graph, equations));
    let samples = reached.sampled(model, graph, &entries);
    let sampled: Vec<_> =
        entries.iter().zip(samples).map(|(&(row, column, _), values)| (row, column, values)).collect();
    let alike = alike::find(model, &equations.newton, &equations.constraint_q).unwrap_or_default();
    let n = model.coordinates.len();
    let parts: Vec<Vec<usize>> = alike
        .into_iter()
        .map(|Component { coordinates, constraints }| {
            coordinates.into_iter().chain(constraints.into_iter().map(|i| n + i)).collect()
        })
        .collect();
    library::choose(size, &sampled, &parts).unwrap_or_default()
}

/// Chooses a pivot order for the positions that the mechanism reaches; `true` if it is that of a large model.
fn of_reached(size: usize, coordinates: usize, classified: &[order::Entry]) -> Option<(Vec<(usize, usize)>, bool)> {
    let short = order::choose(size, classified).map(|order| (order, false));
    short.or_else(|| Some((order::regular(size, coordinates, classified)?, true)))
}

/// Lists (row, column, value) of the whole matrix, with `step` as the part of the coordinates.
fn entries(n: usize, equations: &Equations, step: &Block) -> Vec<(usize, usize, Id)> {
    let mut entries: Vec<(usize, usize, Id)> = step.iter().collect();
    for (row, column, value) in equations.constraint_q.iter() {
        entries.push((n + row, column, value));
        entries.push((column, n + row, value));
    }
    entries
}
