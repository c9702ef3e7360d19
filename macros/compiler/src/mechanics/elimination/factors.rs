//! L and U as expressions.

use std::collections::BTreeMap;

use super::steps::Step;
use crate::symbolic::{Graph, Id};

/// Eliminates the matrix with the given `entries` in the given order of pivots (row, column); `None` where one of them
/// is structurally zero.
pub fn eliminate(
    graph: &mut Graph,
    size: usize,
    entries: &[(usize, usize, Id)],
    order: &[(usize, usize)],
) -> Option<Vec<Step>> {
    let mut rows: Vec<BTreeMap<usize, Id>> = vec![BTreeMap::new(); size];
    for &(row, column, value) in entries {
        rows[row].insert(column, value);
    }
    let mut steps = Vec::with_capacity(order.len());
    for &(row, column) in order {
        let mut pivot_row = std::mem::take(&mut rows[row]);
        let pivot = pivot_row.remove(&column)?;
        let inverse = graph.reciprocal(pivot);
        let mut below: BTreeMap<usize, (Id, Id)> = BTreeMap::new();
        for (other, entries) in rows.iter_mut().enumerate() {
            if let Some(value) = entries.remove(&column) {
                below.insert(other, (value, graph.multiply(value, inverse)));
            }
        }
        for (&other, &(_, factor)) in &below {
            for (&target, &value) in &pivot_row {
                let mut product = (factor, value);
                // what is symmetric stays symmetric, and half of it is one node with the other half
                if target < other
                    && let (Some(&mirrored), Some(&(own, mirrored_factor))) =
                        (pivot_row.get(&other), below.get(&target))
                    && mirrored == below[&other].0
                    && own == value
                {
                    product = (mirrored_factor, mirrored);
                }
                let product = graph.multiply(product.0, product.1);
                let difference = match rows[other].get(&target) {
                    Some(&old) => graph.subtract(old, product),
                    None => graph.negate(product),
                };
                if graph.is_zero(difference) {
                    rows[other].remove(&target);
                } else {
                    rows[other].insert(target, difference);
                }
            }
        }
        steps.push(Step {
            row,
            column,
            inverse,
            upper: pivot_row.into_iter().collect(),
            lower: below.into_iter().map(|(other, (_, factor))| (other, factor)).collect(),
        });
    }
    Some(steps)
}
