//! The derivatives of a number with respect to the values of a table.

use super::any::AnyTable;
use super::{Curve, Surface};
use costate_scalar::{CollectVec, Scalar};
use std::sync::Arc;

/// The derivatives of a number with respect to a table, gathered from those with respect to what lookups in it give. Every
/// lookup reaches the few nodes of the spline around its arguments; from nodes to values it goes once, at the end.
#[derive(Debug)]
pub enum TableAdjoint<S> {
    /// Of value and slope.
    Curve(Arc<Curve>, Vec<[S; 2]>),
    /// Of f, f_x, f_y and f_xy.
    Surface(Arc<Surface>, Vec<[S; 4]>),
}

impl<S: Scalar> TableAdjoint<S> {
    /// Of a number that does not depend on the table so far.
    pub fn new(table: &AnyTable) -> Self {
        match table {
            AnyTable::Curve(curve) => Self::Curve(Arc::clone(curve), vec![[S::default(); 2]; curve.nodes()]),
            AnyTable::Surface(surface) => {
                Self::Surface(Arc::clone(surface), vec![[S::default(); 4]; surface.nodes()])
            }
        }
    }

    /// Adds what the number has with respect to the derivative of these orders at the arguments.
    #[inline(always)]
    pub fn add(&mut self, arguments: &[S], orders: [usize; 2], derivative: S) {
        match (self, arguments) {
            (Self::Curve(curve, nodes), &[x, ..]) => curve.spread(x, orders[0], derivative, nodes),
            (Self::Surface(surface, nodes), &[x, y, ..]) => surface.spread([x, y], orders, derivative, nodes),
            _ => (),
        }
    }

    /// The derivatives with respect to all values of the table, in their order.
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

/// One component of all nodes.
fn real<S: Scalar, const N: usize>(nodes: &[[S; N]], component: usize) -> Vec<[f64; N]> {
    nodes.iter().map(|node| node.map(|number| number.component(component))).collect_vec()
}
