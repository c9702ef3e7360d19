//! The derivatives of lookups in a table with respect to every value of the table.

use super::any::AnyTable;
use super::{Curve, Surface};
use std::sync::Arc;

/// The derivatives of the nodes of a table with respect to each of its values: by nodes, and for each node by
/// values.
#[derive(Debug)]
pub enum TableBasis {
    /// Derivatives of value and slope.
    Curve(Arc<Curve>, Vec<[f64; 2]>),
    /// Derivatives of f, f_x, f_y and f_xy.
    Surface(Arc<Surface>, Vec<[f64; 4]>),
}

impl TableBasis {
    /// Computes the derivatives with respect to all values of a table. The ends of a period are one value:
    /// the first entry changes both ends, the last one changes nothing.
    pub fn new(table: &AnyTable) -> Self {
        let count = table.values().len();
        let varying = (0..count).map(|i| table.along_value(i));
        match table {
            AnyTable::Curve(curve) => {
                let mut rates = vec![[0.0; 2]; curve.nodes() * count];
                for (i, varying) in varying.enumerate() {
                    if let Some(AnyTable::Curve(varying)) = varying {
                        by_nodes(&mut rates, i, count, varying.tangent());
                    }
                }
                Self::Curve(Arc::clone(curve), rates)
            }
            AnyTable::Surface(surface) => {
                let mut rates = vec![[0.0; 4]; surface.nodes() * count];
                for (i, varying) in varying.enumerate() {
                    if let Some(AnyTable::Surface(varying)) = varying {
                        by_nodes(&mut rates, i, count, varying.tangent());
                    }
                }
                Self::Surface(Arc::clone(surface), rates)
            }
        }
    }

    /// Returns the number of values.
    pub fn values(table: &AnyTable) -> usize {
        table.values().len()
    }

    /// Returns the bytes of the basis of a table.
    pub fn bytes(table: &AnyTable) -> u64 {
        let (nodes, parts) = match table {
            AnyTable::Curve(curve) => (curve.nodes(), 2),
            AnyTable::Surface(surface) => (surface.nodes(), 4),
        };
        (nodes as u64).saturating_mul(table.values().len() as u64).saturating_mul(8 * parts)
    }

    /// Calls `take` with the position of every value and the derivative of a lookup of these orders with
    /// respect to it.
    pub fn rates(&self, arguments: &[f64], orders: [usize; 2], mut take: impl FnMut(usize, f64)) {
        match (self, arguments) {
            (Self::Curve(curve, rates), &[x, ..]) => {
                let (interval, weights) = curve.weights(x, orders[0]);
                let count = rates.len() / curve.nodes();
                let [start, end] = [interval, interval + 1].map(|node| &rates[node * count..][..count]);
                for (i, (start, end)) in start.iter().zip(end).enumerate() {
                    let [a, b, c, d] = weights;
                    take(i, a * start[0] + b * start[1] + c * end[0] + d * end[1]);
                }
            }
            (Self::Surface(surface, rates), &[x, y, ..]) => {
                let corners = surface.weights([x, y], orders);
                let count = rates.len() / surface.nodes();
                for i in 0..count {
                    let shares = corners.iter().flat_map(|(node, weights)| {
                        weights.iter().zip(&rates[node * count + i]).map(|(weight, rate)| weight * rate)
                    });
                    take(i, shares.sum());
                }
            }
            _ => (),
        }
    }
}

/// Writes the rates of one value.
fn by_nodes<const N: usize>(rates: &mut [[f64; N]], value: usize, count: usize, of_nodes: &[[f64; N]]) {
    for (to, from) in rates.iter_mut().skip(value).step_by(count).zip(of_nodes) {
        *to = *from;
    }
}
