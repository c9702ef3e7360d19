//! The derivatives of a number with respect to the values of a table.

use super::any::AnyTable;
use super::{Curve, Surface};
use costate_numerics::scalar::{CollectVec, Scalar};
use std::sync::Arc;

/// The derivatives of a number with respect to a table, accumulated from those with respect to the results of
/// lookups. Every lookup contributes to the few nodes of the spline around its arguments; the step from nodes
/// to values is made once, at the end.
#[derive(Debug)]
pub enum TableAdjoint<S> {
    /// Derivatives with respect to value and slope at every node.
    Curve(Arc<Curve>, Vec<[S; 2]>),
    /// Derivatives with respect to f, f_x, f_y and f_xy at every node.
    Surface(Arc<Surface>, Vec<[S; 4]>),
}

impl<S: Scalar> TableAdjoint<S> {
    /// Creates the derivatives of a number that does not depend on the table, all zero.
    pub fn new(table: &AnyTable) -> Self {
        match table {
            AnyTable::Curve(curve) => Self::Curve(Arc::clone(curve), vec![[S::default(); 2]; curve.nodes()]),
            AnyTable::Surface(surface) => Self::Surface(Arc::clone(surface), vec![[S::default(); 4]; surface.nodes()]),
        }
    }

    /// Adds the contribution of a lookup: the derivative of the number with respect to the table's derivative
    /// of these orders at the arguments.
    #[inline(always)]
    pub fn add(&mut self, arguments: &[S], orders: [usize; 2], derivative: S) {
        match (self, arguments) {
            (Self::Curve(curve, nodes), &[x, ..]) => curve.spread(x, orders[0], derivative, nodes),
            (Self::Surface(surface, nodes), &[x, y, ..]) => surface.spread([x, y], orders, derivative, nodes),
            _ => (),
        }
    }

    /// Returns the derivatives with respect to all values of the table, in their order.
    pub fn by_values(&self) -> Vec<S> {
        let mut values = Vec::new();
        for component in 0..S::COMPONENTS {
            let of_component = match self {
                Self::Curve(curve, nodes) => curve.by_values(&real(nodes, component)),
                Self::Surface(surface, nodes) => surface.by_values(&real(nodes, component)),
            };
            values.resize(of_component.len(), S::default());
            for (value, part) in values.iter_mut().zip(of_component) {
                value.set_component(component, part);
            }
        }
        values
    }
}

/// Returns one component of all nodes.
fn real<S: Scalar, const N: usize>(nodes: &[[S; N]], component: usize) -> Vec<[f64; N]> {
    nodes.iter().map(|node| node.map(|number| number.component(component))).collect_vec()
}
