//! Euler parameters of rotations.

use super::vector;
use crate::symbolic::{Function, Graph, Id};

/// Returns the Euler parameters of no rotation.
pub fn none(graph: &mut Graph) -> [Id; 4] {
    let (zero, one) = (graph.zero(), graph.constant(1.0));
    [one, zero, zero, zero]
}

/// Returns the Euler parameters of a rotation about a unit vector (OB 2.21).
pub fn rotation(graph: &mut Graph, axis: [f64; 3], angle: Id) -> [Id; 4] {
    let half = graph.constant(0.5);
    let half = graph.multiply(half, angle);
    let (sin, cos) = (graph.unary(Function::Sin, half), graph.unary(Function::Cos, half));
    let axis = vector::constant(graph, axis);
    let [x, y, z] = vector::scale(graph, sin, axis);
    [cos, x, y, z]
}

/// Multiplies two quaternions: the rotation `b` first, then `a`.
pub fn product(graph: &mut Graph, a: [Id; 4], b: [Id; 4]) -> [Id; 4] {
    const TERMS: [[(usize, usize, f64); 4]; 4] = [
        [(0, 0, 1.0), (1, 1, -1.0), (2, 2, -1.0), (3, 3, -1.0)],
        [(0, 1, 1.0), (1, 0, 1.0), (2, 3, 1.0), (3, 2, -1.0)],
        [(0, 2, 1.0), (2, 0, 1.0), (3, 1, 1.0), (1, 3, -1.0)],
        [(0, 3, 1.0), (3, 0, 1.0), (1, 2, 1.0), (2, 1, -1.0)],
    ];
    TERMS.map(|terms| {
        let products = terms.map(|(i, j, sign)| {
            let product = graph.multiply(a[i], b[j]);
            let sign = graph.constant(sign);
            graph.multiply(sign, product)
        });
        graph.sum(products)
    })
}
