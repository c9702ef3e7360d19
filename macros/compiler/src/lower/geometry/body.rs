//! A rigid body: its axes, how it turns, and what generalized forces on it are as force and torque.

use super::vector::{self, Matrix, Vector};
use crate::symbolic::{Function, Graph, Id, Symbol};

/// A rigid body. Its coordinates belong to the origin of its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    pub spatial: bool,
    /// x, y, angle; or x, y, z, e0, e1, e2, e3.
    pub first: usize,
}

impl Body {
    /// The number of components of a vector: 3 in space, 2 in the plane.
    pub fn dimensions(self) -> usize {
        if self.spatial { 3 } else { 2 }
    }

    pub fn euler_parameters(self, graph: &mut Graph) -> [Id; 4] {
        [3, 4, 5, 6].map(|i| graph.symbol(Symbol::Coordinate(self.first + i)))
    }

    pub fn euler_rates(self, graph: &mut Graph) -> [Id; 4] {
        [3, 4, 5, 6].map(|i| graph.symbol(Symbol::Velocity(self.first + i)))
    }

    /// B, from the axes of the body to inertial ones (OB 2.20).
    pub fn axes(self, graph: &mut Graph) -> Matrix {
        if self.spatial {
            return self.spatial_axes(graph);
        }
        let angle = graph.symbol(Symbol::Coordinate(self.first + 2));
        let (sin, cos) = (graph.unary(Function::Sin, angle), graph.unary(Function::Cos, angle));
        let (zero, one, minus) = (graph.zero(), graph.constant(1.0), graph.negate(sin));
        [[cos, minus, zero], [sin, cos, zero], [zero, zero, one]]
    }

    fn spatial_axes(self, graph: &mut Graph) -> Matrix {
        let [e0, e1, e2, e3] = self.euler_parameters(graph);
        let (one, two) = (graph.constant(1.0), graph.constant(2.0));
        let mut diagonal = |a: Id, b: Id| {
            let (a, b) = (graph.power_integer(a, 2), graph.power_integer(b, 2));
            let sum = graph.add(a, b);
            let twice = graph.multiply(two, sum);
            graph.subtract(one, twice)
        };
        let (xx, yy, zz) = (diagonal(e2, e3), diagonal(e1, e3), diagonal(e1, e2));
        let mut beside = |(a, b): (Id, Id), (c, d): (Id, Id)| {
            let (left, right) = (graph.multiply(a, b), graph.multiply(c, d));
            let (sum, difference) = (graph.add(left, right), graph.subtract(left, right));
            (graph.multiply(two, sum), graph.multiply(two, difference))
        };
        let (yx, xy) = beside((e1, e2), (e0, e3));
        let (xz, zx) = beside((e1, e3), (e0, e2));
        let (zy, yz) = beside((e2, e3), (e0, e1));
        [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]
    }

    /// From the origin of the body to a point of it, in inertial axes.
    pub fn lever(self, graph: &mut Graph, point: Vector) -> Vector {
        let axes = self.axes(graph);
        vector::apply(graph, axes, point)
    }

    /// W = G e' (OB 2.26), in the axes of the body.
    pub fn local_angular_velocity(self, graph: &mut Graph) -> Vector {
        self.turning(graph, local_map)
    }

    /// The angular velocity in inertial axes, B G e'.
    fn angular_velocity(self, graph: &mut Graph) -> Vector {
        self.turning(graph, global_map)
    }

    fn turning(self, graph: &mut Graph, map: fn(&mut Graph, [Id; 4]) -> [[Id; 4]; 3]) -> Vector {
        if !self.spatial {
            return [graph.zero(), graph.zero(), graph.symbol(Symbol::Velocity(self.first + 2))];
        }
        let (e, rates) = (self.euler_parameters(graph), self.euler_rates(graph));
        map(graph, e).map(|row| {
            let products = [0, 1, 2, 3].map(|j| graph.multiply(row[j], rates[j]));
            graph.sum(products)
        })
    }

    /// Force and torque about the origin, in inertial axes, of generalized forces on the body.
    pub fn force_and_torque(self, graph: &mut Graph, generalized: &[Id]) -> (Vector, Vector) {
        let zero = graph.zero();
        if !self.spatial {
            return ([generalized[0], generalized[1], zero], [zero, zero, generalized[2]]);
        }
        let e = self.euler_parameters(graph);
        let quarter = graph.constant(0.25);
        // (B G) (B G)^T = 4
        let torque = global_map(graph, e).map(|row| {
            let products = [0, 1, 2, 3].map(|j| graph.multiply(row[j], generalized[3 + j]));
            let sum = graph.sum(products);
            graph.multiply(quarter, sum)
        });
        ([generalized[0], generalized[1], generalized[2]], torque)
    }
}

/// The origin of a body's frame; `None` is the ground.
pub fn origin(graph: &mut Graph, body: Option<Body>) -> Vector {
    let zero = graph.zero();
    let Some(body) = body else { return [zero; 3] };
    let mut coordinate = |i: usize| graph.symbol(Symbol::Coordinate(body.first + i));
    let z = if body.spatial { coordinate(2) } else { zero };
    [coordinate(0), coordinate(1), z]
}

/// From the origin of a body, or of the ground, to a point of it, in inertial axes.
pub fn lever(graph: &mut Graph, body: Option<Body>, point: Vector) -> Vector {
    body.map_or(point, |body| body.lever(graph, point))
}

/// The angular velocity of a body, or of the ground, in inertial axes.
pub fn angular_velocity(graph: &mut Graph, body: Option<Body>) -> Vector {
    match body {
        Some(body) => body.angular_velocity(graph),
        None => vector::zero(graph),
    }
}

/// G with W = G e' (OB 2.26), the angular velocity in the axes of the body.
pub fn local_map(graph: &mut Graph, e: [Id; 4]) -> [[Id; 4]; 3] {
    signed(graph, e, [[-2.0, 2.0, 2.0, -2.0], [-2.0, -2.0, 2.0, 2.0], [-2.0, 2.0, -2.0, 2.0]])
}

/// B G with omega = B G e', the angular velocity in inertial axes, where the norm of e is 1.
pub fn global_map(graph: &mut Graph, e: [Id; 4]) -> [[Id; 4]; 3] {
    signed(graph, e, [[-2.0, 2.0, -2.0, 2.0], [-2.0, 2.0, 2.0, -2.0], [-2.0, -2.0, 2.0, 2.0]])
}

fn signed(graph: &mut Graph, [e0, e1, e2, e3]: [Id; 4], factors: [[f64; 4]; 3]) -> [[Id; 4]; 3] {
    let rows = [[e1, e0, e3, e2], [e2, e3, e0, e1], [e3, e2, e1, e0]];
    [0, 1, 2].map(|i| {
        [0, 1, 2, 3].map(|j| {
            let factor = graph.constant(factors[i][j]);
            graph.multiply(factor, rows[i][j])
        })
    })
}
